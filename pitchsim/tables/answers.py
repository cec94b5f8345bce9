"""What the rows of a bidding table say: at each bid the best lead, and what it comes to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pitchsim.cards import ALL_CARDS, SUITS
from pitchsim.measures import Measures
from pitchsim.tables.rows import ANY_LEAD, Records, trumps_in
from pitchsim.tables.tablestudy import TableStudy

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Answers:
    """What some rows of a table say.

    Arrays are indexed by row, in the order of the table, and by bid.

    Attributes
    ----------
    study
        What the table is of.
    records, counts
        The records of these rows and their counts, int64[records, plays, columns].
    deals
        How many deals were counted of each.
    """

    study: TableStudy
    records: Records
    counts: NDArray[np.int64]
    deals: int

    @cached_property
    def measures(self) -> Measures:
        """What is said of each record."""
        return Measures(self.study.columns, self.counts, self.deals)

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        """The numbers of the rows, int64[rows]."""
        return self.records.rows[self._starts]

    @cached_property
    def cards(self) -> NDArray[np.int64]:
        """The cards of the rows, int64[rows], a bit for each of `ALL_CARDS`."""
        first, end = int(self.rows[0]), int(self.rows[-1]) + 1
        return self.study.rows.cards(first, end)[self.rows - first]

    @cached_property
    def best(self) -> NDArray[np.int64]:
        """The first record with the highest margin at each bid, int64[rows, bids]."""
        margin = self.measures.margin
        highest = np.maximum.reduceat(margin, self._starts)
        records = np.arange(len(margin))[:, None]
        places = np.where(margin == highest[self._row_of_record], records, len(margin))
        return np.minimum.reduceat(places, self._starts)

    @cached_property
    def margin(self) -> NDArray[np.float64]:
        """The margin of the best record, in points, float64[rows, bids]."""
        return self.at_best(self.measures.margin)

    @cached_property
    def limit(self) -> NDArray[np.int64]:
        """The place of the highest bid with a positive margin, int64[rows]; -1 if none has."""
        pays = self.margin > 0
        last = pays.shape[1] - 1 - pays[:, ::-1].argmax(axis=1)
        return np.where(pays.any(axis=1), last, -1)

    @cached_property
    def ahead(self) -> NDArray[np.float64]:
        """By how much the best margin is ahead of the next record's, float64[rows, bids].

        NaN where there is no other.
        """
        margin = self.measures.margin.copy()
        np.put_along_axis(margin, self.best, -np.inf, axis=0)
        ahead = self.margin - np.maximum.reduceat(margin, self._starts)
        return np.where(np.isfinite(ahead), ahead, np.nan)

    @cached_property
    def close(self) -> NDArray[np.bool_]:
        """Whether the best margin is within its half-width of zero, bool[rows, bids]."""
        return np.abs(self.margin) <= self.at_best(self.measures.margin_half_width)

    def at_best(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Choose, of values [records, bids], those of the best records, [rows, bids]."""
        return np.take_along_axis(values, self.best, axis=0)

    def frame(self) -> pd.DataFrame:
        """Put it into a tidy frame: a row for each row of the table and bid.

        Columns: `row`; `hand` or `holding`, its cards; `cards`, how many these are; `bid`; the best
        `trump` and `lead` at it (missing where it is left to the play), and `trumps`, how many of
        the cards are then trumps; `make` with the ends `low` and `high` of its 95 % interval;
        `change` and `margin`, in points, with `margin_half_width`; `ahead`, how far the next best
        trump and lead is behind; `mean`, the points taken, and `p_high` …, the probability of each
        point, by that lead when it is played for that bid; `limit`, the highest bid that gains
        something; `deals`.
        """
        import pandas as pd  # noqa: PLC0415  (slow to load, and only frames need it)

        bids, count = self.study.columns.bids, len(self.rows)
        best = self.best.ravel()
        low, high = self.measures.interval
        low_high = {"low": self.at_best(low), "high": self.at_best(high)}
        texts = self._texts()
        limits = [None if place < 0 else bids[place] for place in self.limit]
        plays = np.tile(np.arange(len(bids)) % self.counts.shape[1], count)
        cards = np.repeat(self.cards, len(bids))
        held = trumps_in(cards, self.records.trumps[best], self.study.rules)
        by_play = [self.measures.points(play) for play in range(self.counts.shape[1])]
        means = np.stack([self.measures.mean(play) for play in range(self.counts.shape[1])])
        leads = [None if lead == ANY_LEAD else ALL_CARDS[lead] for lead in self.records.leads[best]]
        ordered = pd.CategoricalDtype(list(bids), ordered=True)
        return pd.DataFrame(
            {
                "row": np.repeat(self.rows, len(bids)),
                self.study.rows.name: np.repeat(np.array(texts), len(bids)),
                "cards": np.bitwise_count(cards).astype(np.int64),
                "bid": pd.Categorical(list(bids) * count, dtype=ordered),
                "trump": np.array(list(SUITS))[self.records.trumps[best]],
                "lead": leads,
                "trumps": np.bitwise_count(held).astype(np.int64),
                "make": self.at_best(self.measures.make).ravel(),
                **{name: values.ravel() for name, values in low_high.items()},
                "change": self.at_best(self.measures.change).ravel(),
                "margin": self.margin.ravel(),
                "margin_half_width": self.at_best(self.measures.margin_half_width).ravel(),
                "ahead": self.ahead.ravel(),
                "mean": means[plays, best],
                **{
                    f"p_{name}": np.stack([points[name] for points in by_play])[plays, best]
                    for name in by_play[0]
                },
                "limit": pd.Categorical(np.repeat(np.array(limits), len(bids)), dtype=ordered),
                "deals": self.deals,
            }
        )

    def _texts(self) -> list[str]:
        """Write what the rows are."""
        first, end = int(self.rows[0]), int(self.rows[-1]) + 1
        texts = self.study.rows.texts(first, end)
        return [texts[row - first] for row in self.rows]

    @cached_property
    def _starts(self) -> NDArray[np.intp]:
        """Where each row's records begin."""
        return np.flatnonzero(np.diff(self.records.rows, prepend=-1))

    @cached_property
    def _row_of_record(self) -> NDArray[np.intp]:
        """The place of each record's row among the rows."""
        sizes = np.diff(self._starts, append=len(self.records.rows))
        return np.repeat(np.arange(len(self._starts)), sizes)
