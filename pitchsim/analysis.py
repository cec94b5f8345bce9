"""From counts to answers: everything that is shown is computed here, from tallies."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pitchsim.intervals import half_width
from pitchsim.measures import Measures
from pitchsim.study import Option, Study
from pitchsim.tally import Tally

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
    def measures(self) -> Measures:
        """What is said of each option by itself."""
        return Measures(self.study.columns, self.tally.counts, self.tally.deals)

    @property
    def made(self) -> NDArray[np.int64]:
        """How many deals made the bid, int64[options, bids]."""
        return self.measures.made

    @property
    def make(self) -> NDArray[np.float64]:
        """The probability that the bid is made, float64[options, bids]."""
        return self.measures.make

    @property
    def interval(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The ends of the 95 % interval of `make`."""
        return self.measures.interval

    @property
    def change(self) -> NDArray[np.float64]:
        """The mean change of the score of the pitcher's side, in points, float64[options, bids]."""
        return self.measures.change

    @property
    def others(self) -> NDArray[np.float64]:
        """The mean change of the score of another side, in points, float64[options, bids]."""
        return self.measures.others

    @property
    def margin(self) -> NDArray[np.float64]:
        """`change` less the mean of the other sides' changes, float64[options, bids]."""
        return self.measures.margin

    @property
    def margin_half_width(self) -> NDArray[np.float64]:
        """The 95 % half-width of `margin`."""
        return self.measures.margin_half_width

    def behind(self, bid: int, option: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Compare every option's margin with one option's, on the same deals.

        Where the products were not counted, the half-width is that of the worst case: the two
        margins' together.

        Returns
        -------
        lead, half : float64[options]
            By how much the option is ahead of each, and the 95 % half-width of that difference.
        """
        lead = self.margin[option, bid] - self.margin[:, bid]
        if self.tally.products is None:
            half = self.margin_half_width[:, bid]
            return lead, np.where(np.arange(len(half)) == option, 0, half + half[option])
        products = self.tally.products[bid]
        squares = products[option, option] + products.diagonal() - 2 * products[option]
        scale = self.tally.deals * (self.study.seating.sides - 1) ** 2
        return lead, half_width(squares / scale, lead, self.tally.deals)

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

    @property
    def pmf(self) -> NDArray[np.float64]:
        """The probability of each number of points taken, float64[options, total + 1]."""
        return self.measures.pmf(self._deciding_play)

    @property
    def mean(self) -> NDArray[np.float64]:
        """The mean number of points that the pitcher's side takes, float64[options]."""
        return self.measures.mean(self._deciding_play)

    @property
    def points(self) -> dict[str, NDArray[np.float64]]:
        """The probability that the pitcher's side scores each point played, float64[options]."""
        return self.measures.points(self._deciding_play)

    @property
    def _deciding_play(self) -> int:
        """Which play was for the deciding bid."""
        return self.deciding_bid if self.tally.counts.shape[1] > 1 else 0

    @property
    def width(self) -> float:
        """The largest 95 % half-width among the probabilities of the best option at each bid."""
        low, high = self.interval
        bids = np.arange(len(self.study.bids))
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
