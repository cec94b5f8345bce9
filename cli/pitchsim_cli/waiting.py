"""What is said on standard error while one waits."""

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

    from pitchsim.running import Stop
    from pitchsim.study import Study
    from pitchsim.tally import Tally
    from pitchsim.warmup import WarmUp

PATIENCE = 1.0  # seconds without a word
PAUSE = 0.2  # seconds from one look to the next
SITTING_DOWN = "seating the strategies (up to half a minute, the first time at a table)"


def make_engine_ready(*work: str) -> "WarmUp":
    """Compile or load the engine for some work, and say so if it takes longer than a moment.

    The work is as in `pitchsim.warmup.warm_up`.
    """
    from pitchsim.warmup import warm_up  # noqa: PLC0415  (loads numba)

    with said_after_a_while("making the engine ready: the first time, that takes a minute or two"):
        return warm_up(*work)


@contextmanager
def said_after_a_while(message: str) -> Iterator[None]:
    """Say something if what is done inside takes longer than a moment."""
    timer = threading.Timer(PATIENCE, lambda: print(message, file=sys.stderr, flush=True))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


class LiveEstimate:
    """Shows on a terminal how far a run is and what it has found, once it takes a while.

    It is called with the tally so far, again and again; `close` takes it off the screen.
    """

    def __init__(self, study: "Study", stop: "Stop") -> None:
        self.study = study
        self.stop = stop
        self.begun = time.perf_counter()
        self.next_look = self.begun + PATIENCE
        self.shown: Progress | None = None

    def __call__(self, tally: "Tally") -> None:
        """Look at what is known so far."""
        now = time.perf_counter()
        if now < self.next_look or not sys.stderr.isatty():
            return
        self.next_look = now + PAUSE
        done, text = self._estimate(tally, now - self.begun)
        if self.shown is None:
            self.shown = progress_bar()
            self.shown.add_task("", total=1.0)
            self.shown.start()
        self.shown.update(self.shown.task_ids[0], completed=done, description=text, refresh=True)

    def close(self) -> None:
        """Take it off the screen."""
        if self.shown is not None:
            self.shown.stop()

    def _estimate(self, tally: "Tally", seconds: float) -> tuple[float, str]:
        """Give the share of the work that is done, and the state of things in words."""
        from pitchsim.analysis import Analysis  # noqa: PLC0415

        analysis = Analysis(self.study, tally)
        done = tally.deals / self.stop.most_deals
        if self.stop.max_seconds is not None:
            done = max(done, seconds / self.stop.max_seconds)
        if self.stop.precision is not None:
            done = max(done, (self.stop.precision / analysis.width) ** 2)
        done = min(done, 1.0)
        bid = analysis.deciding_bid
        option = int(analysis.best[bid])
        low, high = (float(ends[option, bid]) for ends in analysis.interval)
        return done, (
            f"bid {self.study.bids[bid]}: {analysis.make[option, bid]:.1%} "
            f"\N{PLUS-MINUS SIGN}{(high - low) / 2:.2%}, {short(tally.deals)} of "
            f"{short(tally.deals / done)} deals, {short(tally.deals / seconds)}/s"
        )


def progress_bar() -> "Progress":
    """Make a line that says something, a bar and the time left, on standard error."""
    from rich.console import Console  # noqa: PLC0415  (not needed for --help)
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True)
    console.width -= len("^C")  # which a terminal adds, and which must not begin another line
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=None),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        auto_refresh=False,
    )


def short(count: float) -> str:
    """Write a large number in three digits: `4.2 M`."""
    for size, letter in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if count >= 0.9995 * size:  # 999,700 is 1 M in three digits
            return f"{count / size:.3g}{letter}"
    return f"{count:.0f}"
