"""Running a study: chunks of deals on threads, until enough is known."""

from __future__ import annotations

import math
import os
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any

from pitchsim.errors import StudyError, check_whole, quoted
from pitchsim.study import Study
from pitchsim.tally import Tally

if TYPE_CHECKING:
    from pitchsim.simulation import Simulation

MOST_DEALS_A_CHUNK = 4_096  # whose arrays stay in a processor's cache
DEFAULT_DEALS = 100_000
MOST_DEALS = 2**40
FIRST_LOOK = 1_000  # deals before precision is first judged
MOST_TIMES_WIDER = 1e6  # than it shall be: what is more than that looks again soon enough

#: Called with what is known so far, after every chunk.
Progress = Callable[[Tally], None]
#: Says how wide the intervals of a tally are: the largest 95 % half-width that is to be narrowed.
Width = Callable[[Tally], float]


@dataclass(frozen=True)
class Stop:
    """When to stop: the first of these to be met.

    Attributes
    ----------
    deals
        So many deals; None for 100,000 where nothing else is given, else without limit.
    precision
        The 95 % half-width, such as 0.005, that the chance of the best option at every bid shall
        have.
    max_seconds
        So much time; what it finds in that time then depends on the machine.

    Raises
    ------
    StudyError
        If one of them is not possible.
    """

    deals: int | None = None
    precision: float | None = None
    max_seconds: float | None = None

    def __post_init__(self) -> None:
        if self.deals is not None:
            check_whole("deals", self.deals, 1, MOST_DEALS)
        if self.precision is not None and not _is_between(self.precision, 0, 0.5):
            raise StudyError(
                f"precision {quoted(self.precision)} is not possible: expected a number, more than "
                "0 and less than 0.5 (50%)"
            )
        if self.max_seconds is not None and not _is_between(self.max_seconds, 0, math.inf):
            raise StudyError(
                f"max_seconds {quoted(self.max_seconds)} is not possible: expected a number, more "
                "than 0"
            )

    @property
    def most_deals(self) -> int:
        """The number of deals not to be exceeded."""
        if self.deals is not None:
            return self.deals
        return DEFAULT_DEALS if self.precision is None and self.max_seconds is None else MOST_DEALS


def _is_between(value: object, low: float, high: float) -> bool:
    return isinstance(value, Real) and low < float(value) < high


@dataclass(frozen=True)
class Run:
    """A finished run.

    Attributes
    ----------
    tally
        What was counted.
    stopped_by
        `deals`, `precision`, `max_seconds` or `interrupt`: what ended it.
    seconds
        The time of the simulation alone.
    threads
        How many worked on it.
    """

    tally: Tally
    stopped_by: str
    seconds: float
    threads: int

    def to_json(self, options: int) -> dict[str, Any]:
        """Say how the answer was found, with so many options, as `pitchsim hand --json` does."""
        return {
            "stopped_by": self.stopped_by,
            "seconds": self.seconds,
            "deals_per_second": round(self.tally.deals * options / self.seconds),
            "threads": self.threads,
            "options_played": options,
        }


def run(
    simulation: Simulation,
    stop: Stop,
    *,
    width: Width,
    threads: int | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    chunk: int | None = None,
) -> Run:
    """Deal and play until it is enough.

    The deals counted are always numbers 0, 1, …, without gaps; precision is judged only after
    numbers of deals that the tallies themselves decide. So a run that is not ended by time or by
    hand finds the same whatever the threads and chunks.

    Parameters
    ----------
    width
        Judges a tally, for `stop.precision`.
    threads
        How many threads, or, where an executor is given, how many workers it has to be kept busy;
        None for as many as this machine has processors.
    executor
        Where to work instead: threads, processes or a cluster's `concurrent.futures` executor.
    progress
        Called after every chunk.
    chunk
        Deals in a piece of work; None for what suits the study's play.

    Raises
    ------
    StudyError
        If the number of threads is not possible.
    KeyboardInterrupt
        If interrupted before anything was counted; later, the run ends with what there is.
    """
    workers = workers_of(threads)
    begun = time.perf_counter()
    deadline = None if stop.max_seconds is None else begun + stop.max_seconds
    with executor_of(executor, workers) as pool:
        chunk = chunk or _chunk(simulation.study)
        counting = _Counting(simulation, pool, 2 * workers, chunk, progress)
        try:
            stopped_by = _count_enough(counting, stop, width, deadline)
        except KeyboardInterrupt:
            counting.finish()
            if counting.total is None:
                raise
            stopped_by = "interrupt"
    seconds = time.perf_counter() - begun
    return Run(counting.tally, stopped_by, seconds, workers)


def _count_enough(counting: _Counting, stop: Stop, width: Width, deadline: float | None) -> str:
    """Count until it is enough; say what made it so."""
    tally: Tally | None = None
    goal = 0
    while True:
        goal = _next_goal(stop, width, tally, goal)
        if not counting.up_to(goal, deadline):
            return "max_seconds"
        tally = counting.tally
        if stop.precision is not None and width(tally) <= stop.precision:
            return "precision"
        if goal == stop.most_deals:
            return "deals"


class _Counting:
    """Counts deals in order, some chunks ahead."""

    def __init__(
        self,
        simulation: Simulation,
        pool: Executor,
        ahead: int,
        chunk: int,
        progress: Progress | None,
    ) -> None:
        self.simulation = simulation
        self.pool = pool
        self.ahead = ahead
        self.chunk = chunk
        self.progress = progress
        self.begun = 0
        self.waiting: deque[tuple[int, Future[Tally]]] = deque()
        self.total: Tally | None = None

    @property
    def tally(self) -> Tally:
        """What is counted, once anything is."""
        if self.total is None:
            raise RuntimeError("nothing is counted yet")
        return self.total

    def up_to(self, goal: int, deadline: float | None) -> bool:
        """Count up to deal number `goal`, or as far as the time goes; say whether it did."""
        while self.begun < goal:
            while len(self.waiting) >= self.ahead:
                self._add_next()
            if self.begun and deadline is not None and time.perf_counter() >= deadline:
                break
            deals = min(self.chunk, goal - self.begun)
            part = self.pool.submit(self.simulation.count, self.begun, deals)
            self.waiting.append((self.begun, part))
            self.begun += deals
        self.finish()
        return self.begun == goal

    def finish(self) -> None:
        """Wait for what was begun."""
        while self.waiting:
            self._add_next()

    def _add_next(self) -> None:
        """Add the next chunk: once only, even if interrupted in here and called again."""
        first, part = self.waiting[0]
        if self.total is None:
            self.total = part.result()
        elif first == self.total.deals:
            self.total += part.result()
        self.waiting.popleft()
        if self.progress is not None:
            self.progress(self.total)


def _next_goal(stop: Stop, width: Width, tally: Tally | None, goal: int) -> int:
    """Say after how many deals to look next: at the end, or where precision may be reached."""
    if stop.precision is None:
        return stop.most_deals
    if tally is None:
        return min(FIRST_LOOK, stop.most_deals)
    wider = min(width(tally) / stop.precision, MOST_TIMES_WIDER)
    needed = int(1.1 * goal * wider**2)
    return min(max(needed, goal + FIRST_LOOK), 8 * goal, stop.most_deals)


def _chunk(study: Study) -> int:
    return min(MOST_DEALS_A_CHUNK, study.deals_a_chunk)


def workers_of(threads: int | None) -> int:
    """Return how many threads to work with: as many as there are processors where none are given.

    Raises
    ------
    StudyError
        If the number is not possible.
    """
    if threads is None:
        return (
            len(os.sched_getaffinity(0))
            if hasattr(os, "sched_getaffinity")
            else os.cpu_count() or 1
        )
    check_threads(threads)
    return threads


def check_threads(threads: int | None) -> None:
    """Refuse an impossible number of threads.

    Raises
    ------
    StudyError
        Naming it and what was expected.
    """
    if threads is not None:
        check_whole("threads", threads, 1, 1024)


@contextmanager
def executor_of(given: Executor | None, workers: int) -> Iterator[Executor]:
    """Give the executor that was given, or threads of our own."""
    if given is not None:
        yield given
        return
    with ThreadPoolExecutor(workers) as pool:
        yield pool
