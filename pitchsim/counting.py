"""Counting the outcomes of hands: what turns them into tallies."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pitchsim.engine import CountTables, count_outcomes
from pitchsim.engine.count import RESULTS
from pitchsim.engine.score import ALL_TRICKS, POINT_MASK, POINTS
from pitchsim.rules import SMUDGE
from pitchsim.tally import Columns, Tally
from pitchsim.worth import change_table, made_table, worth_of_points


@dataclass(frozen=True)
class Counter:
    """The worths of a rule set, tabulated once, and how outcomes are counted by them."""

    columns: Columns
    tables: CountTables

    @classmethod
    @lru_cache(maxsize=64)
    def of(cls, columns: Columns) -> Counter:
        """Tabulate what is to be counted; once, for a table's rows are studies by the thousand."""
        rules, others = columns.rules, columns.seating.sides - 1
        results = np.arange(RESULTS)
        taken = worth_of_points(rules)[results & POINT_MASK]
        features = [
            *(taken == points for points in range(rules.total + 1)),
            made_table(rules, SMUDGE) & (rules.smudge != "none"),
            *(results >> POINTS.index(name) & 1 for name in rules.point_values),
        ]
        worth = worth_of_points(rules) if rules.defenders_score else np.zeros(ALL_TRICKS)
        margins = [others * change_table(rules, bid) for bid in columns.bids]
        return cls(
            columns,
            CountTables(
                np.stack(features, axis=1).astype(np.int64),
                worth.astype(np.int32),
                np.stack(margins).astype(np.int32),
            ),
        )

    def count(self, study: str, outcomes: NDArray[np.int32]) -> Tally:
        """Count outcomes, int32[plays, options, deals] (see `pitchsim.engine.score`).

        There is one play for all bids, or one for each, in their order.
        """
        plays, options, deals = outcomes.shape
        counts = np.zeros((options, plays, len(self.columns.names)), np.int64)
        products = np.zeros((len(self.columns.bids), options, options), np.int64)
        count_outcomes(outcomes, self.tables, counts, products)
        return Tally(study, deals, counts, products)
