"""How far matches are, on standard error."""

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

from pitchsim_cli.waiting import PATIENCE, PAUSE, progress_bar

if TYPE_CHECKING:
    from rich.progress import Progress


class LiveMatch:
    """Shows on a terminal how much is played, once it takes a while.

    It is called with the share of what was asked that is done, again and again.
    """

    def __init__(self, asked: str) -> None:
        self.asked = asked
        self.next_look = time.perf_counter() + PATIENCE
        self.shown: Progress | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.shown is not None:
            self.shown.stop()

    def __call__(self, share: float) -> None:
        """Show how far it is."""
        now = time.perf_counter()
        if now < self.next_look or not sys.stderr.isatty():
            return
        self.next_look = now + PAUSE
        if self.shown is None:
            self.shown = progress_bar()
            self.shown.add_task("", total=1.0)
            self.shown.start()
        self.shown.update(
            self.shown.task_ids[0],
            completed=share,
            description=f"{share:.0%} of {self.asked}",
            refresh=True,
        )
