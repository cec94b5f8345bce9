"""Tallies: what a number of deals brought, as integer counts that add in any order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pitchsim.engine import count_outcomes
from pitchsim.engine.count import ALL_TRICKS
from pitchsim.errors import StudyError
from pitchsim.rules import Rules, Seating
from pitchsim.worth import RESULTS, change_table, worth_of_points


@dataclass(frozen=True)
class Tally:
    """Counts over the deals of one study.

    Attributes
    ----------
    study
        The identity of the study: only tallies of the same one add.
    deals
        How many deals were counted, the same for every option.
    results
        int64[plays, options, 4096]: how often each result came about (see :mod:`pitchsim.worth`).
        There is one play for all bids, or one for each.
    others
        int64[plays, options]: the points that all the other sides scored together.
    products
        int64[bids, options, options]: the sums, over the deals, of the products of two options'
        margins times (sides - 1)², from which paired differences have their errors.
    """

    study: str
    deals: int
    results: NDArray[np.int64]
    others: NDArray[np.int64]
    products: NDArray[np.int64]

    def __add__(self, other: Tally) -> Tally:
        """Add the counts of other deals of the same study.

        Raises
        ------
        StudyError
            If the other tally is of another study.
        """
        if other.study != self.study:
            raise StudyError(f"tallies of two studies do not add: {self.study} and {other.study}")
        return Tally(
            self.study,
            self.deals + other.deals,
            self.results + other.results,
            self.others + other.others,
            self.products + other.products,
        )


@dataclass(frozen=True)
class Counter:
    """What turns outcomes into counts: the worths of a rule set, tabulated once.

    Attributes
    ----------
    worth
        int32[2048], by set of points: what it counts for another side.
    margins
        int32[bids, 4096], by result: the change of the pitcher's side, times the number of others.
    """

    worth: NDArray[np.int32]
    margins: NDArray[np.int32]

    @classmethod
    def of(cls, rules: Rules, seating: Seating, bids: tuple[str, ...]) -> Counter:
        """Tabulate a rule set."""
        worth = worth_of_points(rules) if rules.defenders_score else np.zeros(ALL_TRICKS)
        margins = [(seating.sides - 1) * change_table(rules, bid) for bid in bids]
        return cls(worth.astype(np.int32), np.stack(margins).astype(np.int32))

    def count(self, study: str, outcomes: NDArray[np.int32]) -> Tally:
        """Count outcomes, int32[plays, options, deals] (see `pitchsim.engine.score`).

        There is one play for all bids, or one for each, in their order.
        """
        plays, options, deals = outcomes.shape
        results = np.zeros((plays, options, RESULTS), np.int64)
        others = np.zeros((plays, options), np.int64)
        products = np.zeros((len(self.margins), options, options), np.int64)
        count_outcomes(outcomes, self.worth, self.margins, results, others, products)
        return Tally(study, deals, results, others, products)
