"""Evaluating many hands under many rules and plays: the front door of batches."""

from __future__ import annotations

import platform
import threading
import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pitchsim.batches.batch import Batch, Case
from pitchsim.batches.evaluating import hands_at_once, worth_of_hands
from pitchsim.batches.hands import Hands, given_hands
from pitchsim.batches.store import WORTH, BatchStore, read_table
from pitchsim.batches.worthframe import facts_in, frame_of, schema_of, tables_of
from pitchsim.plays import QUICK
from pitchsim.presets import find_rules
from pitchsim.rules import Rules, Seating
from pitchsim.running import executor_of, workers_of
from pitchsim.study import identity_of, random_seed
from pitchsim.tables.provenance import versions
from pitchsim.tables.rows import hand_texts
from pitchsim.warmup import HANDS, warm_up

if TYPE_CHECKING:
    import pandas as pd

KEEP_EVERY = 1.0  # seconds of work that may be lost when a process is killed
PIECES_A_WORKER = 4  # at least, so that all have work to the end


@dataclass(frozen=True)
class BatchProgress:
    """How far a batch is.

    Attributes
    ----------
    done, total
        Of all the work, in deals of a quick play: what there is, and what there shall be.
    begun
        What there was when it began.
    case
        What is being evaluated.
    """

    done: int
    total: int
    begun: int
    case: Case


Progress = Callable[[BatchProgress], None]


@dataclass(frozen=True)
class BatchMade:
    """What came of a batch.

    Attributes
    ----------
    finished
        Whether all is evaluated and the results are written; else it was interrupted, and what was
        evaluated is kept.
    folder
        Where it is.
    evaluated
        How many hands were evaluated this time, all cases together.
    seconds
        How long it took.
    """

    finished: bool
    folder: Path
    evaluated: int
    seconds: float

    @property
    def frame(self) -> pd.DataFrame:
        """The results (see :func:`pitchsim.batches.worthframe.schema_of`)."""
        return read_worth(self.folder)


def run_batch(
    batch: Batch,
    hands: Hands,
    folder: Path,
    *,
    command: str = "",
    threads: int | None = None,
    progress: Progress | None = None,
    tell: Callable[[str], None] | None = None,
) -> BatchMade:
    """Evaluate hands and write the results into a folder, or go on with that.

    What is found of a hand depends on nothing but the hand, the case and the seed: not on the
    threads, the interruptions, the other hands or its place among them. So hands, rule sets and
    plays can be added to results that are there, and only those are evaluated.

    Parameters
    ----------
    folder
        Where the results go; it is made if it is not there. What is there already must belong to
        this batch (see :class:`pitchsim.batches.store.BatchStore`).
    command
        What the results say they were made by.
    threads
        How many work; None for as many as there are processors.
    progress
        Called at the beginning and after every piece of work.
    tell
        Is told of damage that was found; None warns of it.

    Raises
    ------
    PitchsimError
        If something given is not possible, or cannot be read or written.
    """
    workers = workers_of(threads)
    begun = time.perf_counter()
    with BatchStore(folder, batch, hands, tell or warnings.warn) as store:
        at_work = _AtWork(batch, hands, store, progress)
        finished = False
        with suppress(KeyboardInterrupt):
            at_work.evaluate(workers)
            store.finish(_about(batch, hands, command))
            finished = True
        seconds = time.perf_counter() - begun
        return BatchMade(finished, folder, at_work.evaluated, seconds)


def worth_of(
    hands: Iterable[str],
    rules: str | Rules = "partners",
    seating: Seating | None = None,
    play: str = "basic",
    *,
    worlds: int | None = None,
    deals: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Say what hands are worth under one rule set and play, without any files.

    Parameters
    ----------
    hands
        Six cards each, in any notation.
    rules
        A preset's name, the path of a TOML file, or a rule set.
    seating
        How many play, and how; None for the rule set's usual way.
    play, worlds
        How everybody plays; see :func:`pitchsim.evaluating.evaluate`.
    deals
        How many deals of each hand; None for 1,000, or 200 of a slow play.
    seed
        From which each hand has its own; None takes one at random.
    threads, progress
        How to work; see :func:`run_batch`.

    Returns
    -------
    pandas.DataFrame
        A row for each hand and bid (see :func:`pitchsim.batches.worthframe.schema_of`).

    Raises
    ------
    PitchsimError
        If anything given is not possible.
    KeyboardInterrupt
        If interrupted.
    """
    table = find_rules(rules) if isinstance(rules, str) else rules
    case = Case(table, seating or table.seating(), play, worlds, deals)
    batch = Batch((case,), random_seed() if seed is None else seed)
    given = given_hands(hands, [table])
    results = _InMemory()
    _AtWork(batch, given, results, progress).evaluate(workers_of(threads))
    schema = schema_of(batch)
    found = pa.concat_tables(results.found[case])
    return frame_of(pa.concat_tables(tables_of(case, given, found, schema)))


def read_worth(folder: Path) -> pd.DataFrame:
    """Read the results in a folder (see :func:`pitchsim.batches.worthframe.schema_of`).

    Raises
    ------
    BatchError
        If there are none, or they are damaged.
    """
    place = folder / WORTH
    facts_in(place, "cases")
    return frame_of(read_table(place))


class _Results(Protocol):
    """Where what is found is kept."""

    def done(self, case: Case) -> set[str]:
        """Say which hands are evaluated."""

    def keep(self, case: Case, found: pa.Table) -> None:
        """Keep what was found of some hands."""


class _InMemory:
    """Keeps what is found as long as one asks for it."""

    def __init__(self) -> None:
        self.found: defaultdict[Case, list[pa.Table]] = defaultdict(list)

    def done(self, _case: Case) -> set[str]:
        return set()

    def keep(self, case: Case, found: pa.Table) -> None:
        self.found[case].append(found)


class _AtWork:
    """Evaluates those hands that are not yet evaluated, some of them at a time."""

    def __init__(
        self, batch: Batch, hands: Hands, results: _Results, progress: Progress | None
    ) -> None:
        self.batch = batch
        self.results = results
        self.progress = progress
        self.to_do: dict[Case, NDArray[np.int64]] = {}
        self.begun = self.total = 0
        for case in batch.cases:
            distinct = np.unique(hands.under(case.rules)[1])
            done = results.done(case)
            is_missing = [hand not in done for hand in hand_texts(distinct)]
            self.to_do[case] = distinct[is_missing]
            self.total += case.work_a_hand * len(distinct)
            self.begun += case.work_a_hand * (len(distinct) - len(self.to_do[case]))
        self.done = self.begun
        self.evaluated = 0
        self.is_stopped = threading.Event()
        self.running: dict[Future[pa.Table], tuple[Case, int]] = {}
        self.found: defaultdict[Case, list[pa.Table]] = defaultdict(list)
        self.kept_at = time.monotonic()

    def evaluate(self, workers: int) -> None:
        """Evaluate them; at an interruption keep what is done, and pass it on."""
        self._say(self.batch.cases[0])
        plays = {case.play for case, hands in self.to_do.items() if len(hands)}
        if not plays:
            return
        # While there are no threads yet that would all do it.
        warm_up(*sorted(plays | {QUICK}), HANDS)
        with executor_of(None, workers) as pool:
            try:
                for case, hands in self._pieces(workers):
                    while len(self.running) >= 2 * workers:
                        self._add_next()
                    self._submit(pool, case, hands)
                while self.running:
                    self._add_next()
            except BaseException:
                self._keep_what_is_done()
                raise
        self._keep()

    def _pieces(self, workers: int) -> Iterator[tuple[Case, NDArray[np.int64]]]:
        """Divide the hands into pieces of work."""
        for case, hands in self.to_do.items():
            enough = -(-len(hands) // (PIECES_A_WORKER * workers))
            size = max(1, min(hands_at_once(case), enough))
            for first in range(0, len(hands), size):
                yield case, hands[first : first + size]

    def _submit(self, pool: Executor, case: Case, hands: NDArray[np.int64]) -> None:
        is_stopped = self.is_stopped.is_set
        future = pool.submit(worth_of_hands, case, self.batch.seed, hands, is_stopped)
        self.running[future] = case, len(hands)

    def _add_next(self) -> None:
        """Wait for a piece."""
        done, _ = wait(self.running, return_when=FIRST_COMPLETED)
        for future in done:
            self._add(future)
        if time.monotonic() - self.kept_at >= KEEP_EVERY:
            self._keep()

    def _add(self, future: Future[pa.Table]) -> None:
        (case, count), found = self.running[future], future.result()
        self.found[case].append(found)
        del self.running[future]
        self.evaluated += count
        self.done += case.work_a_hand * count
        self._say(case)

    def _keep(self) -> None:
        for case in list(self.found):
            self.results.keep(case, pa.concat_tables(self.found[case]))
            del self.found[case]
        self.kept_at = time.monotonic()

    def _keep_what_is_done(self) -> None:
        """Give up what somebody is at work on, and keep the rest."""
        self.is_stopped.set()
        self.progress = None
        for future in list(self.running):
            if not future.cancel():
                with suppress(Exception):
                    self._add(future)
        self._keep()

    def _say(self, case: Case) -> None:
        if self.progress is not None:
            self.progress(BatchProgress(self.done, self.total, self.begun, case))


def _about(batch: Batch, hands: Hands, command: str) -> Mapping[str, Any]:
    """Say what was asked and how it came to be, for the file beside the results."""
    content = [*(case.identity(batch.seed) for case in batch.cases), hands.digest]
    return {
        "study": identity_of(" ".join(content)),
        "command": command,
        "seed": batch.seed,
        "hands": {
            "source": hands.source,
            "count": len(hands.numbers),
            "distinct": len(np.unique(hands.cards)),
            "bad_lines": len({bad.number for bad in hands.bad}),
        },
        "cases": [
            {**case.said(batch.seed), "hands": int(hands.fits[case.rules.jokers].sum())}
            for case in batch.cases
        ],
        "python": platform.python_version(),
        "versions": versions(),
    }
