"""Making a bidding table: counting what is missing of it, part by part."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitchsim.errors import TableError, check_whole
from pitchsim.running import MOST_DEALS, executor_of, workers_of
from pitchsim.tables.counting import TableCounter
from pitchsim.tables.form import Part
from pitchsim.tables.store import TableStore
from pitchsim.tables.tablestudy import TableStudy, first_difference
from pitchsim.warmup import HANDS, warm_up
from pitchsim.wholefile import check_place


@dataclass(frozen=True)
class TableProgress:
    """How far the making of a table is.

    Attributes
    ----------
    done, total
        Deals of all rows together: what there is, and what there shall be.
    begun
        What there was when it began.
    """

    done: int
    total: int
    begun: int


@dataclass(frozen=True)
class TableMade:
    """What came of making a table.

    Attributes
    ----------
    finished
        Whether the table is complete; else it was interrupted, and what was counted is kept.
    written
        Whether the file was written this time: not if it had the deals already.
    counted
        Deals counted this time, of all rows together.
    deals
        Deals of every row in the file; 0 if there is none yet.
    seconds
        How long it took.
    """

    finished: bool
    written: bool
    counted: int
    deals: int
    seconds: float


def make_table(
    study: TableStudy,
    place: Path,
    deals: int,
    *,
    command: str = "",
    threads: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[TableProgress], None] | None = None,
    tell: Callable[[str], None] | None = None,
) -> TableMade:
    """Make a table, or finish one, or add deals to it.

    The deals of every row are numbers 0, 1, … of its own seed. What is found does not depend on
    the threads, the machines or the interruptions: the data of the file are the same to the byte.

    Parameters
    ----------
    place
        The file. What is counted and not yet in it is kept beside it, see
        :class:`pitchsim.tables.store.TableStore`.
    deals
        How many deals of every row there shall be; if the file has more already, they stay. If
        parts go further, so that not all of them could be kept, that is refused.
    command
        What the file's provenance says it was made by.
    threads, executor
        How to work; see :func:`pitchsim.running.run`.
    progress
        Called at the beginning and after every part.
    tell
        Is told of damage that was found; None warns of it.

    Raises
    ------
    PitchsimError
        If something given is not possible, or cannot be read or written.
    """
    check_whole("deals", deals, 1, MOST_DEALS)
    check_place(place)
    workers = workers_of(threads)
    begun = time.perf_counter()
    with TableStore(place, study, tell or warnings.warn) as store:
        at_work = _AtWork(store, deals, progress)
        finished, written = deals <= store.finished, False
        if not finished:
            store.refuse_to_lose(deals)
            with suppress(KeyboardInterrupt):
                if executor is None:  # while there are no threads yet that would all do it
                    warm_up(*table_work(study))
                with executor_of(executor, workers) as pool:
                    at_work.count(pool, 2 * workers)
                store.finish(deals, command)
                finished = written = True
        seconds = time.perf_counter() - begun
        return TableMade(finished, written, at_work.counted, store.finished, seconds)


class _AtWork:
    """Counts the missing parts of a table, some of them at a time."""

    def __init__(
        self, store: TableStore, deals: int, progress: Callable[[TableProgress], None] | None
    ) -> None:
        self.store = store
        self.deals = deals
        self.progress = progress
        self.total = store.study.rows.count * deals
        self.begun = store.deals_there(deals)
        self.counted = 0
        self.running: dict[Future[tuple[NDArray[np.int64], float]], Part] = {}

    def count(self, pool: Executor, ahead: int) -> None:
        """Count them; at an interruption keep those that are begun, and pass it on."""
        study = self.store.study
        try:
            self._say()
            for part in self.store.missing(self.deals):
                while len(self.running) >= ahead:
                    self._add_next()
                self.running[pool.submit(count_part, study, study.facts, part)] = part
            while self.running:
                self._add_next()
        except KeyboardInterrupt:
            self._keep_what_is_begun()
            raise
        except BaseException:
            for future in self.running:
                future.cancel()
            raise

    def _add_next(self) -> None:
        """Wait for a part, and keep it."""
        done, _ = wait(self.running, return_when=FIRST_COMPLETED)
        for future in done:
            self._keep(future)
        self._say()

    def _keep(self, future: Future[tuple[NDArray[np.int64], float]]) -> None:
        part = self.running[future]
        counts, seconds = future.result()
        self.store.add(part, counts, seconds)
        del self.running[future]
        self.counted += _size(part)

    def _keep_what_is_begun(self) -> None:
        """Wait for those parts that somebody is at work on."""
        for future in list(self.running):
            if future.cancel():
                del self.running[future]
        while self.running:
            self._keep(next(iter(self.running)))

    def _say(self) -> None:
        if self.progress is not None:
            self.progress(TableProgress(self.begun + self.counted, self.total, self.begun))


def _size(part: Part) -> int:
    """Count the deals of all rows of a part together."""
    return (part.rows.end - part.rows.first) * (part.deals.end - part.deals.first)


def count_part(
    study: TableStudy, facts: Mapping[str, Any], part: Part
) -> tuple[NDArray[np.int64], float]:
    """Count a part, wherever that is, and say how many seconds it took.

    Raises
    ------
    TableError
        If pitchsim is of another version here than where the facts are from.
    """
    difference = first_difference(facts, study.facts, ("here", "there"))
    if difference is not None:
        raise TableError(
            f"a worker has another version of pitchsim: {difference}; expected the same one "
            "everywhere"
        )
    begun = time.perf_counter()
    counts = _counter_of(study).count(part.rows, part.deals)
    return counts, time.perf_counter() - begun


def table_work(study: TableStudy) -> tuple[str, ...]:
    """Name the work of counting a table."""
    many = study.by == "hand" and study.is_quick
    return (study.play, HANDS) if many else (study.play,)


@lru_cache(maxsize=2)
def _counter_of(study: TableStudy) -> TableCounter:
    """Make ready to count, once in a process."""
    warm_up(*table_work(study))
    return TableCounter(study)
