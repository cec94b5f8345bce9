"""From counts to answers: everything that is shown is computed here, from tallies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pitchsim.engine.score import POINT_MASK, POINTS
from pitchsim.intervals import half_width, wilson
from pitchsim.rules import Rules
from pitchsim.study import Option, Study
from pitchsim.tally import Tally
from pitchsim.worth import RESULTS, change_table, made_table, worth_of_points

if TYPE_CHECKING:
    import pandas as pd

#: An option whose margin is this much behind the best, in points, is still worth listing.
WORTH_LISTING = 0.25


@dataclass(frozen=True)
class Analysis:
    """What a tally says about each option (a trump suit and lead) and bid.

    Arrays are indexed by option and by bid in the order of `study.options` and `study.bids`. What
    is said of a bid comes from the hands that were played for it, where the play looks at the bid;
    what has no bid (`pmf`, `mean`, `points`) then from those played for the deciding one.
    """

    study: Study
    tally: Tally

    @cached_property
    def made(self) -> NDArray[np.int64]:
        """How many deals made the bid, int64[options, bids]."""
        return self._at_each_bid(made_table)

    @cached_property
    def make(self) -> NDArray[np.float64]:
        """The probability that the bid is made, float64[options, bids]."""
        return self.made / self.tally.deals

    @cached_property
    def interval(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The ends of the 95 % interval of `make`."""
        return wilson(self.made, self.tally.deals)

    @cached_property
    def change(self) -> NDArray[np.float64]:
        """The mean change of the score of the pitcher's side, in points, float64[options, bids]."""
        return self._at_each_bid(change_table) / self.tally.deals

    @cached_property
    def others(self) -> NDArray[np.float64]:
        """The mean change of the score of another side, in points, float64[options, bids]."""
        sums = np.broadcast_to(self.tally.others, (self._bids, len(self.study.options))).T
        return sums / (self.tally.deals * (self.study.seating.sides - 1))

    @cached_property
    def margin(self) -> NDArray[np.float64]:
        """`change` less the mean of the other sides' changes, float64[options, bids]."""
        return self.change - self.others

    def _at_each_bid(
        self, table_of: Callable[[Rules, str], NDArray[np.generic]]
    ) -> NDArray[np.int64]:
        """Add up what a table makes of each result at a bid, int64[options, bids]."""
        tables = [table_of(self.study.rules, bid) for bid in self.study.bids]
        sums = [results @ table for results, table in zip(self._results, tables, strict=True)]
        return np.stack(sums, axis=1)

    @cached_property
    def _results(self) -> NDArray[np.int64]:
        """The results of the hands that were played for each bid, int64[bids, options, 4096]."""
        results = self.tally.results
        return np.broadcast_to(results, (self._bids, *results.shape[1:]))

    @property
    def _bids(self) -> int:
        return len(self.study.bids)

    @cached_property
    def margin_half_width(self) -> NDArray[np.float64]:
        """The 95 % half-width of `margin`."""
        squares = np.diagonal(self._products, axis1=1, axis2=2).T
        return half_width(squares, self.margin, self.tally.deals)

    @cached_property
    def _products(self) -> NDArray[np.float64]:
        """The mean products of two options' margins, float64[bids, options, options]."""
        scale = self.tally.deals * (self.study.seating.sides - 1) ** 2
        return np.asarray(self.tally.products / scale, np.float64)

    def behind(self, bid: int, option: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Compare every option's margin with one option's, on the same deals.

        Returns
        -------
        lead, half : float64[options]
            By how much the option is ahead of each, and the 95 % half-width of that difference.
        """
        products = self._products[bid]
        squares = products[option, option] + products.diagonal() - 2 * products[option]
        lead = self.margin[option, bid] - self.margin[:, bid]
        return lead, half_width(squares, lead, self.tally.deals)

    def too_close(self, bid: int, option: int) -> NDArray[np.bool_]:
        """Say which options cannot be told from one: bool[options], itself included."""
        lead, half = self.behind(bid, option)
        return np.abs(lead) <= half

    @cached_property
    def best(self) -> NDArray[np.intp]:
        """The option with the highest margin at each bid, intp[bids]; of equals the first."""
        return np.asarray(self.margin.argmax(axis=0), np.intp)

    @cached_property
    def limit(self) -> int | None:
        """The highest bid whose best option has a positive margin; None if there is none."""
        worth = np.flatnonzero(self.margin.max(axis=0) > 0)
        return int(worth[-1]) if len(worth) else None

    @cached_property
    def deciding_bid(self) -> int:
        """The bid by which options are ranked: the limit, or the lowest where nothing pays."""
        return 0 if self.limit is None else self.limit

    @cached_property
    def ranking(self) -> NDArray[np.intp]:
        """The options from the best at the deciding bid down, intp[options]."""
        return np.asarray(np.argsort(-self.margin[:, self.deciding_bid], kind="stable"), np.intp)

    @cached_property
    def listed(self) -> list[int]:
        """The options worth listing, best first.

        Those that are best at some bid, those that are close behind at the deciding bid or cannot
        be told from its best, and the best of each other suit.
        """
        top = int(self.ranking[0])
        lead, half = self.behind(self.deciding_bid, top)
        near = (lead <= WORTH_LISTING) | (lead <= half)
        suits = set()
        kept = []
        for option in map(int, self.ranking):
            trump = self.study.options[option].trump
            if near[option] or option in self.best or trump not in suits:
                kept.append(option)
            suits.add(trump)
        return kept

    @cached_property
    def pmf(self) -> NDArray[np.float64]:
        """The probability of each number of points taken, float64[options, total + 1]."""
        worth = worth_of_points(self.study.rules)[np.arange(RESULTS) & POINT_MASK]
        counts = np.stack(
            [np.bincount(worth, row, self.study.rules.total + 1) for row in self._deciding]
        )
        return counts[:, : self.study.rules.total + 1] / self.tally.deals

    @cached_property
    def mean(self) -> NDArray[np.float64]:
        """The mean number of points that the pitcher's side takes, float64[options]."""
        return np.asarray(self.pmf @ np.arange(self.pmf.shape[1]), np.float64)

    @cached_property
    def points(self) -> dict[str, NDArray[np.float64]]:
        """The probability that the pitcher's side scores each point played, float64[options]."""
        results = np.arange(RESULTS)
        return {
            name: self._deciding @ (results >> POINTS.index(name) & 1) / self.tally.deals
            for name in self.study.rules.point_values
        }

    @property
    def _deciding(self) -> NDArray[np.int64]:
        """The results of the hands that were played for the deciding bid, int64[options, 4096]."""
        return np.asarray(self._results[self.deciding_bid], np.int64)

    @property
    def width(self) -> float:
        """The largest 95 % half-width among the probabilities of the best option at each bid."""
        low, high = self.interval
        bids = np.arange(self._bids)
        return float((high - low)[self.best, bids].max() / 2)


def frame_of(analysis: Analysis) -> pd.DataFrame:
    """Put an analysis into a tidy frame: a row for each trump suit, lead and bid.

    Columns: `trump`, `lead` (missing where the play chooses it), `bid`; `make` with the ends `low`
    and `high` of its 95 % interval; `set` = 1 - make; `change` and `margin`, in points, and
    `margin_half_width`; `behind`, by how much the margin is behind the best option's at that bid,
    with `behind_half_width`, and `too_close` if that cannot be told from zero; `mean`, the points
    taken, and `p_high` …, the probability of each point, when the deciding bid is played for;
    `deals`.
    """
    import pandas as pd  # noqa: PLC0415  (slow to load, and only frames need it)

    bids = analysis.study.bids
    rows = [
        _row(analysis, option, bid)
        for option in map(int, analysis.ranking)
        for bid in range(len(bids))
    ]
    frame = pd.DataFrame(rows)
    frame["bid"] = pd.Categorical(frame["bid"], categories=list(bids), ordered=True)
    return frame


def _row(analysis: Analysis, option: int, bid: int) -> dict[str, object]:
    chosen: Option = analysis.study.options[option]
    low, high = analysis.interval
    best = int(analysis.best[bid])
    lead, half = analysis.behind(bid, best)
    return {
        "trump": chosen.trump,
        "lead": chosen.lead,
        "bid": analysis.study.bids[bid],
        "make": analysis.make[option, bid],
        "low": low[option, bid],
        "high": high[option, bid],
        "set": 1 - analysis.make[option, bid],
        "change": analysis.change[option, bid],
        "margin": analysis.margin[option, bid],
        "margin_half_width": analysis.margin_half_width[option, bid],
        "behind": lead[option],
        "behind_half_width": half[option],
        "too_close": bool(abs(lead[option]) <= half[option]),
        "mean": analysis.mean[option],
        **{f"p_{name}": p[option] for name, p in analysis.points.items()},
        "deals": analysis.tally.deals,
    }
