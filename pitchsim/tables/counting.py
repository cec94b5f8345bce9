"""Counting the rows of a bidding table."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pitchsim.simulation import Simulation
from pitchsim.tables.handcounting import HandCounter
from pitchsim.tables.rows import HandRows, hand_seeds
from pitchsim.tables.tablestudy import TableStudy


@dataclass(frozen=True)
class TableCounter:
    """Counts any rows of a table over any deals."""

    study: TableStudy

    def count(self, rows: tuple[int, int], deals: tuple[int, int]) -> NDArray[np.int64]:
        """Deal, play and count.

        Parameters
        ----------
        rows, deals
            The first of them, and the one after the last.

        Returns
        -------
        int64[records, plays, columns]
            The counts of each option of each row (see :class:`pitchsim.tally.Columns`).
        """
        if isinstance(self.study.rows, HandRows) and self.study.is_quick:
            return self._count_hands(self.study.rows, rows, deals)
        first, end = deals
        tallies = [
            Simulation(self.study.row(row)).count(first, end - first) for row in range(*rows)
        ]
        return np.concatenate([tally.counts for tally in tallies])

    def _count_hands(
        self, hand_rows: HandRows, rows: tuple[int, int], deals: tuple[int, int]
    ) -> NDArray[np.int64]:
        """Count hands without making a study of each."""
        seeds = hand_seeds(hand_rows.texts(*rows), self.study.seed)
        return self._hands.count(hand_rows.cards(*rows), seeds, hand_rows.records(*rows), deals)

    @cached_property
    def _hands(self) -> HandCounter:
        return HandCounter(self.study.columns, self.study.play)
