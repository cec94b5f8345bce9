"""Timing several things against one another.

A machine that others use too, or that changes its clock, is never twice the same: only what ran in
turn, in many short rounds, compares. So every candidate has its turn in every round, the time
counted is the thread's own on the processor, and what is shown is the median of the rounds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

#: Does a piece of work whose number is given, always of the same size.
Work = Callable[[int], object]
Name = TypeVar("Name", bound=Hashable)


@dataclass(frozen=True)
class Times:
    """Nanoseconds a hand: the quartiles of the rounds."""

    low: float
    median: float
    high: float

    def __str__(self) -> str:
        return f"{self.median:7.1f} ns a hand ({self.low:.1f} to {self.high:.1f})"


def in_turn(
    candidates: Mapping[Name, Work],
    hands: int,
    rounds: int,
    clock: Callable[[], float] = time.thread_time,
) -> dict[Name, Times]:
    """Time each candidate once a round; `hands` is how many hands it plays in one call."""
    spent: dict[Name, list[float]] = {name: [] for name in candidates}
    for work in candidates.values():
        work(rounds)
    for number in range(rounds):
        for name, work in candidates.items():
            begun = clock()
            work(number)
            spent[name].append((clock() - begun) / hands * 1e9)
    return {name: Times(*np.percentile(times, (25, 50, 75))) for name, times in spent.items()}
