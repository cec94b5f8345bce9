"""How far the making of a table is, on standard error."""

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

from pitchsim_cli.waiting import progress_bar, short

if TYPE_CHECKING:
    from rich.progress import Progress

    from pitchsim.tables.making import TableProgress


class LiveTable:
    """Shows on a terminal the share that is done, the rate and the time left, for the whole table.

    It is called with how far things are, again and again.
    """

    def __init__(self) -> None:
        self.begun = time.perf_counter()
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

    def __call__(self, progress: "TableProgress") -> None:
        """Show how far it is."""
        if not sys.stderr.isatty() or progress.begun == progress.total:
            return
        if self.shown is None:
            self.begun = time.perf_counter()
            self.shown = progress_bar()
            self.shown.add_task("", total=progress.total, completed=progress.begun)
            self.shown.start()
        seconds = max(time.perf_counter() - self.begun, 1e-3)
        rate = (progress.done - progress.begun) / seconds
        share = progress.done / progress.total
        self.shown.update(
            self.shown.task_ids[0],
            completed=progress.done,
            description=f"{share:.1%} of {short(progress.total)} deals, {short(rate)}/s",
            refresh=True,
        )
