"""Tallies: what a number of deals brought, as integer counts that add in any order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pitchsim.engine.score import OTHERS_SHIFT, POINT_MASK, TRICKS_SHIFT
from pitchsim.engine.setting import HAND_SIZE
from pitchsim.errors import StudyError
from pitchsim.rules import Rules, Seating
from pitchsim.worth import ALL_TRICKS, RESULTS, change_table, worth_of_points


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
        int64[options, 4096]: how often each result came about (see :mod:`pitchsim.worth`).
    others
        int64[options]: the points that all the other sides took together.
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

    They are whole numbers far below 2**53, exact in floating point, where products are fast.

    Attributes
    ----------
    worth
        float64[2048], by set of points.
    margins
        float64[bids, 4096]: the change of the pitcher's side, times the number of other sides.
    defenders_score
        Whether the others' points count against the margin.
    """

    worth: NDArray[np.float64]
    margins: NDArray[np.float64]
    defenders_score: bool

    @classmethod
    def of(cls, rules: Rules, seating: Seating, bids: tuple[str, ...]) -> Counter:
        """Tabulate a rule set."""
        others = seating.sides - 1
        margins = np.stack([others * change_table(rules, bid) for bid in bids])
        worth = worth_of_points(rules)
        return cls(worth.astype(np.float64), margins.astype(np.float64), rules.defenders_score)

    def count(self, study: str, outcomes: NDArray[np.int32]) -> Tally:
        """Count outcomes, int32[options, deals] (see `pitchsim.engine.score`)."""
        options, deals = outcomes.shape
        codes = outcomes.astype(np.intp)  # what numpy takes as places without copying again
        all_tricks = (codes >> TRICKS_SHIFT) == HAND_SIZE
        results = (codes & POINT_MASK) + ALL_TRICKS * all_tricks
        places = results + RESULTS * np.arange(options)[:, np.newaxis]
        histogram = np.bincount(places.ravel(), minlength=options * RESULTS)
        others = self.worth.take((codes >> OTHERS_SHIFT) & POINT_MASK)
        against = others if self.defenders_score else np.zeros_like(others)
        products = np.empty((len(self.margins), options, options), np.int64)
        for bid, margins in enumerate(self.margins):
            margin = margins.take(results) - against
            products[bid] = margin @ margin.T
        return Tally(
            study,
            deals,
            histogram.reshape(options, RESULTS),
            others.sum(axis=1).astype(np.int64),
            products,
        )
