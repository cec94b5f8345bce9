"""From counts to probabilities and means: for one hand's options, or for a table of millions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pitchsim.intervals import half_width, wilson
from pitchsim.rules import SMUDGE
from pitchsim.tally import Columns


@dataclass(frozen=True)
class Measures:
    """What counts say of whatever was counted, each by itself.

    What is said of a bid comes from the hands that were played for it, where there is a play for
    each bid; what has no bid (`pmf`, `mean`, `points`) is said of one play.

    Attributes
    ----------
    columns
        What was counted.
    counts
        int64[..., plays, columns], with one play for all bids or one for each.
    deals
        How many deals were counted, int64[...] or the same for all.
    """

    columns: Columns
    counts: NDArray[np.int64]
    deals: NDArray[np.int64] | int

    @cached_property
    def made(self) -> NDArray[np.int64]:
        """How many deals made each bid, int64[..., bids]."""
        taken = self.counts[..., self.columns.taken]
        made = [
            self.counts[..., self.columns.smudges]
            if bid == SMUDGE
            else taken[..., self.columns.rules.bid_value(bid) :].sum(axis=-1)
            for bid in self.columns.bids
        ]
        return self._at_each_bid(np.stack(made, axis=-1))

    @cached_property
    def make(self) -> NDArray[np.float64]:
        """The probability that each bid is made, float64[..., bids]."""
        return np.asarray(self.made / self._deals, np.float64)

    @cached_property
    def interval(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The ends of the 95 % interval of `make`."""
        return wilson(self.made, self._deals)

    @cached_property
    def change(self) -> NDArray[np.float64]:
        """The mean change of the score of the pitcher's side, in points, float64[..., bids].

        Made: the points taken; a smudge its value, doubled where the rule set says so. Missed:
        minus the bid.
        """
        rules = self.columns.rules
        taken = self.counts[..., self.columns.taken] * np.arange(rules.total + 1)
        values = np.array([rules.bid_value(bid) for bid in self.columns.bids])
        gains = []
        for bid, value in zip(self.columns.bids, values, strict=True):
            if bid == SMUDGE:
                worth = rules.total if rules.smudge == "all_points" else value
                worth *= 2 if rules.smudge_success == "double" else 1
                gains.append(self.counts[..., self.columns.smudges] * worth)
            else:
                gains.append(taken[..., value:].sum(axis=-1))
        gained = self._at_each_bid(np.stack(gains, axis=-1))
        return np.asarray((gained - (self._deals - self.made) * values) / self._deals, np.float64)

    @cached_property
    def others(self) -> NDArray[np.float64]:
        """The mean change of the score of another side, in points, float64[..., bids]."""
        sums = self.counts[..., self.columns.others, None]
        others = np.broadcast_to(sums, (*sums.shape[:-1], len(self.columns.bids)))
        return self._at_each_bid(others) / (self._deals * self._opponent_sides)

    @cached_property
    def margin(self) -> NDArray[np.float64]:
        """`change` less the mean of the other sides' changes, float64[..., bids]."""
        return self.change - self.others

    @cached_property
    def margin_half_width(self) -> NDArray[np.float64]:
        """The 95 % half-width of `margin`, float64[..., bids]."""
        squares = self._at_each_bid(self.counts[..., self.columns.squares])
        return half_width(
            squares / (self._deals * self._opponent_sides**2), self.margin, self._deals
        )

    def pmf(self, play: int) -> NDArray[np.float64]:
        """Return the probability of each number of points taken, float64[..., total + 1]."""
        return np.asarray(self.counts[..., play, self.columns.taken] / self._deals, np.float64)

    def mean(self, play: int) -> NDArray[np.float64]:
        """Return the mean number of points that the pitcher's side takes, float64[...]."""
        # Of whole numbers the sum is the same to the last bit, however many are added up at once.
        taken = self.counts[..., play, self.columns.taken] @ np.arange(self.columns.rules.total + 1)
        return np.asarray(taken / self.deals, np.float64)

    def points(self, play: int) -> dict[str, NDArray[np.float64]]:
        """Return the probability that the pitcher's side scores each point, float64[...]."""
        shares = self.counts[..., play, self.columns.points] / self._deals
        return dict(zip(self.columns.rules.point_values, np.moveaxis(shares, -1, 0), strict=True))

    @property
    def _deals(self) -> NDArray[np.int64]:
        """The deals, so that they divide what has another axis."""
        return np.asarray(self.deals)[..., None]

    @property
    def _opponent_sides(self) -> int:
        """How many sides there are beside the pitcher's."""
        return self.columns.seating.sides - 1

    def _at_each_bid(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """Choose, of values [..., plays, bids], those of the play that is for each bid."""
        if values.shape[-2] == 1:
            return values[..., 0, :]
        return np.diagonal(values, axis1=-2, axis2=-1)
