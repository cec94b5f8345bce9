"""What some hands are worth in a case: dealt, played, counted, and the best of it at each bid."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import add

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pitchsim.batches.batch import Case
from pitchsim.cards import ALL_CARDS, SUITS, format_hand
from pitchsim.errors import StudyError
from pitchsim.hands import cards_of
from pitchsim.plays import PLAYS
from pitchsim.screening import screen
from pitchsim.simulation import Simulation
from pitchsim.study import Study
from pitchsim.tables.best import BestOptions
from pitchsim.tables.handcounting import HandCounter
from pitchsim.tables.rows import ANY_LEAD, HAND_SIZE, Records, hand_records, hand_seeds, hand_texts
from pitchsim.tally import Columns

#: Hands, each with a lead, that are played before anybody looks whether to stop: a fifth of a
#: second by a quick play.
AT_ONCE = 1_500_000
MOST_HANDS_AT_ONCE = 1_024


class StoppedError(Exception):
    """Work that was given up, as was wished."""


@dataclass(frozen=True)
class WorthOfHands(BestOptions):
    """The best options of some hands in a case."""

    case: Case

    @property
    def columns(self) -> Columns:
        """What was counted."""
        return self.case.columns


def hands_at_once(case: Case) -> int:
    """Say how many hands make a piece of work for a thread."""
    if not PLAYS[case.play].is_quick:
        return 1
    return max(1, min(MOST_HANDS_AT_ONCE, AT_ONCE // (HAND_SIZE * case.deals_a_hand)))


def worth_of_hands(
    case: Case, seed: int, hands: NDArray[np.int64], is_stopped: Callable[[], bool]
) -> pa.Table:
    """Evaluate some hands.

    Parameters
    ----------
    seed
        The batch's.
    hands
        int64[hands], a bit for each of `ALL_CARDS`.
    is_stopped
        Is asked now and then whether to give up.

    Returns
    -------
    A row for each hand and bid: `hand`, `bid`, what
    :meth:`pitchsim.tables.best.BestOptions.said_of_bids` says, `limit`, `deals` and `seed`.

    Raises
    ------
    StoppedError
        If it was given up.
    StudyError
        If a deal takes too long to solve double dummy.
    """
    texts = hand_texts(hands)
    seeds = hand_seeds(texts, seed)
    if PLAYS[case.play].is_quick:
        records = hand_records(case.rules, hands)
        counts = _counted(case, hands, seeds, records, is_stopped)
    else:
        records, counts = _counted_singly(case, seed, hands, is_stopped)
    worth = WorthOfHands(records, counts, case.deals_a_hand, case)
    bids, said = len(case.bids), worth.said_of_bids()
    return pa.table(
        {
            "hand": np.repeat(np.array(texts, object), bids),
            "bid": np.tile(np.array(case.bids, object), len(hands)),
            **said,
            "lead": pa.array(said["lead"], pa.string()),  # even where there is none
            "limit": pa.array(np.repeat(worth.limits, bids), pa.string()),
            "deals": np.full(bids * len(hands), case.deals_a_hand),
            "seed": np.repeat(seeds, bids),
        }
    )


def _counted(
    case: Case,
    hands: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    records: Records,
    is_stopped: Callable[[], bool],
) -> NDArray[np.int64]:
    """Count hands by a quick play, all of them in one call if there are few deals."""
    counter, deals = _counter_of(case.columns, case.play), case.deals_a_hand
    step = max(1, AT_ONCE // len(records.rows))
    parts = (
        counter.count(hands, seeds, records, (first, min(first + step, deals)))
        for first in _unless(is_stopped, range(0, deals, step))
    )
    return reduce(add, parts)


@lru_cache(maxsize=16)
def _counter_of(columns: Columns, play: str) -> HandCounter:
    return HandCounter(columns, play)


def _counted_singly(
    case: Case, seed: int, hands: NDArray[np.int64], is_stopped: Callable[[], bool]
) -> tuple[Records, NDArray[np.int64]]:
    """Count hands by a study of each, with the leads that `pitchsim hand` would play."""
    counts, rows = [], []
    for row, hand in enumerate(hands.tolist()):
        study, _ = screen(case.study(cards_of(hand), seed))
        counts.append(_counts_of(study, case, is_stopped))
        rows += [(row, SUITS.index(option.trump), _place(option.lead)) for option in study.options]
    return Records(*np.array(rows, np.int64).T), np.concatenate(counts)


def _place(lead: str | None) -> int:
    return ANY_LEAD if lead is None else ALL_CARDS.index(lead)


def _unless(is_stopped: Callable[[], bool], firsts: Iterable[int]) -> Iterator[int]:
    """Go on unless it is to stop."""
    for first in firsts:
        if is_stopped():
            raise StoppedError
        yield first


def _counts_of(study: Study, case: Case, is_stopped: Callable[[], bool]) -> NDArray[np.int64]:
    simulation, deals, step = Simulation(study), case.deals_a_hand, study.deals_a_chunk
    try:
        tallies = (
            simulation.count(first, min(step, deals - first))
            for first in _unless(is_stopped, range(0, deals, step))
        )
        return reduce(add, tallies).counts
    except StudyError as error:
        hand = format_hand(study.known.cards_of(0))
        raise StudyError(f"{hand}, {case.name}: {error}") from None
