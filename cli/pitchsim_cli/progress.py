"""How far long work is, on standard error."""

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Generic, Protocol, Self, TypeVar

from pitchsim_cli.waiting import PATIENCE, PAUSE, progress_bar, short

if TYPE_CHECKING:
    from rich.progress import Progress

    from pitchsim.batches.running import BatchProgress
    from pitchsim.running import Stop
    from pitchsim.study import Study
    from pitchsim.tables.making import TableProgress
    from pitchsim.tally import Tally


class HowFar(Protocol):
    """How far some work is: what is done of the total, and what was when it began."""

    @property
    def done(self) -> int: ...  # noqa: D102

    @property
    def total(self) -> int: ...  # noqa: D102

    @property
    def begun(self) -> int: ...  # noqa: D102


Work = TypeVar("Work", bound=HowFar)


class LiveBar:
    """A bar on a terminal, there from when something is first shown to the end of a block."""

    def __init__(self) -> None:
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

    def show(self, doing: str, done: float, total: float = 1.0, begun: int = 0) -> None:
        """Show what is being done and how much of it is; time left is told from what had begun."""
        if self.shown is None:
            self.shown = progress_bar()
            self.shown.add_task("", total=total, completed=begun)
            self.shown.start()
        self.shown.update(self.shown.task_ids[0], completed=done, description=doing, refresh=True)


class PatientBar(LiveBar):
    """A bar that is there only once it takes a while, and looked at now and then."""

    def __init__(self) -> None:
        super().__init__()
        self.next_look = time.perf_counter() + PATIENCE

    def is_due(self) -> bool:
        """Say whether it is time to look; then it is not for a moment."""
        now = time.perf_counter()
        if now < self.next_look or not sys.stderr.isatty():
            return False
        self.next_look = now + PAUSE
        return True


class LiveEstimate(PatientBar):
    """Shows on a terminal how far a run is and what it has found, once it takes a while.

    It is called with the tally so far, again and again.
    """

    def __init__(self, study: "Study", stop: "Stop") -> None:
        super().__init__()
        self.study = study
        self.stop = stop
        self.begun = time.perf_counter()

    def __call__(self, tally: "Tally") -> None:
        """Look at what is known so far."""
        if self.is_due():
            done, text = self._estimate(tally, time.perf_counter() - self.begun)
            self.show(text, done)

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


class LiveShare(PatientBar):
    """Shows on a terminal how much is done of what was asked, once it takes a while.

    It is called with the share that is done, again and again.
    """

    def __init__(self, asked: str) -> None:
        super().__init__()
        self.asked = asked

    def __call__(self, share: float) -> None:
        """Show how far it is."""
        if self.is_due():
            self.show(f"{share:.0%} of {self.asked}", share)


class LiveProgress(LiveBar, Generic[Work]):
    """Shows on a terminal the share that is done and the time left, for all the work.

    It is called with how far things are, again and again.
    """

    def __init__(self) -> None:
        super().__init__()
        self.begun = time.perf_counter()

    def __call__(self, progress: Work) -> None:
        """Show how far it is."""
        if not sys.stderr.isatty() or progress.begun == progress.total:
            return
        if self.shown is None:
            self.begun = time.perf_counter()
        share = progress.done / progress.total
        doing = f"{share:.1%} of {self.words(progress)}"
        self.show(doing, progress.done, progress.total, progress.begun)

    def words(self, progress: Work) -> str:
        """Say of what it is a share, and how it goes."""
        raise NotImplementedError

    @property
    def seconds(self) -> float:
        """The time since it began."""
        return max(time.perf_counter() - self.begun, 1e-3)


class LiveTable(LiveProgress["TableProgress"]):
    """How far the making of a table is."""

    def words(self, progress: "TableProgress") -> str:
        """Say how many deals there shall be, and the rate."""
        rate = (progress.done - progress.begun) / self.seconds
        return f"{short(progress.total)} deals, {short(rate)}/s"


class LiveBatch(LiveProgress["BatchProgress"]):
    """How far a batch is."""

    def words(self, progress: "BatchProgress") -> str:
        """Say what is being evaluated."""
        return f"the work, at {progress.case.name}"
