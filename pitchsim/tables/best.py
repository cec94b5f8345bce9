"""Of the options of some hands or holdings: at each bid the best one, and what it comes to."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pitchsim.cards import ALL_CARDS, SUITS
from pitchsim.measures import Measures
from pitchsim.tables.rows import Records
from pitchsim.tally import Columns


@dataclass(frozen=True)
class BestOptions(ABC):
    """The options of some rows, each row a hand or a holding, and the best of them at each bid.

    Arrays are indexed by row, in order, and by bid.

    Attributes
    ----------
    records, counts
        The options of these rows and their counts, int64[records, plays, columns].
    deals
        How many deals were counted of each.
    """

    records: Records
    counts: NDArray[np.int64]
    deals: int

    @property
    @abstractmethod
    def columns(self) -> Columns:
        """What was counted."""

    @cached_property
    def measures(self) -> Measures:
        """What is said of each record."""
        return Measures(self.columns, self.counts, self.deals)

    @cached_property
    def best(self) -> NDArray[np.int64]:
        """The first record with the highest margin at each bid, int64[rows, bids]."""
        margin = self.measures.margin
        highest = np.maximum.reduceat(margin, self.starts)
        records = np.arange(len(margin))[:, None]
        places = np.where(margin == highest[self._row_of_record], records, len(margin))
        return np.minimum.reduceat(places, self.starts)

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
    def limits(self) -> NDArray[np.object_]:
        """That bid by its name, object[rows]; None if there is none."""
        return np.array([*self.columns.bids, None], object)[self.limit]

    @cached_property
    def ahead(self) -> NDArray[np.float64]:
        """By how much the best margin is ahead of the next record's, float64[rows, bids].

        NaN where there is no other.
        """
        margin = self.measures.margin.copy()
        np.put_along_axis(margin, self.best, -np.inf, axis=0)
        ahead = self.margin - np.maximum.reduceat(margin, self.starts)
        return np.where(np.isfinite(ahead), ahead, np.nan)

    @cached_property
    def close(self) -> NDArray[np.bool_]:
        """Whether the best margin is within its half-width of zero, bool[rows, bids]."""
        return np.abs(self.margin) <= self.at_best(self.measures.margin_half_width)

    def at_best(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Choose, of values [records, bids], those of the best records, [rows, bids]."""
        return np.take_along_axis(values, self.best, axis=0)

    def said_of_bids(self) -> dict[str, NDArray[np.generic]]:
        """Say of each row and bid, one after another, what the best record comes to.

        `trump` and `lead` (None where it is left to the play); `make` with the ends `low` and
        `high` of its 95 % interval; `change` and `margin`, in points, with `margin_half_width`;
        `mean`, the points taken, and `p_high` …, the chance of each point, when it is played for
        that bid.
        """
        measures, best = self.measures, self.best.ravel()
        low, high = measures.interval
        at_bids = {
            "make": measures.make,
            "low": low,
            "high": high,
            "change": measures.change,
            "margin": measures.margin,
            "margin_half_width": measures.margin_half_width,
        }
        plays = np.arange(best.size) % self.best.shape[1] % self.counts.shape[1]
        by_play = [measures.points(play) for play in range(self.counts.shape[1])]
        means = np.stack([measures.mean(play) for play in range(self.counts.shape[1])])
        names = np.array([*ALL_CARDS, None], object)
        return {
            "trump": np.array(list(SUITS), object)[self.records.trumps[best]],
            "lead": names[self.records.leads[best]],
            **{name: self.at_best(values).ravel() for name, values in at_bids.items()},
            "mean": means[plays, best],
            **{
                f"p_{name}": np.stack([points[name] for points in by_play])[plays, best]
                for name in by_play[0]
            },
        }

    @cached_property
    def starts(self) -> NDArray[np.intp]:
        """Where each row's records begin."""
        return np.flatnonzero(np.diff(self.records.rows, prepend=-1))

    @cached_property
    def _row_of_record(self) -> NDArray[np.intp]:
        """The place of each record's row among the rows."""
        sizes = np.diff(self.starts, append=len(self.records.rows))
        return np.repeat(np.arange(len(self.starts)), sizes)
