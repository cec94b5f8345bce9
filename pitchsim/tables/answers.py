"""What the rows of a bidding table say: at each bid the best lead, and what it comes to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pitchsim.tables.best import BestOptions
from pitchsim.tables.rows import trumps_in
from pitchsim.tables.tablestudy import TableStudy
from pitchsim.tally import Columns

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Answers(BestOptions):
    """What some rows of a table say, in the order of the table.

    Attributes
    ----------
    study
        What the table is of.
    """

    study: TableStudy

    @property
    def columns(self) -> Columns:
        """What was counted."""
        return self.study.columns

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        """The numbers of the rows, int64[rows]."""
        return self.records.rows[self.starts]

    @cached_property
    def cards(self) -> NDArray[np.int64]:
        """The cards of the rows, int64[rows], a bit for each of `ALL_CARDS`."""
        first, end = int(self.rows[0]), int(self.rows[-1]) + 1
        return self.study.rows.cards(first, end)[self.rows - first]

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

        bids, count = self.columns.bids, len(self.rows)
        cards = np.repeat(self.cards, len(bids))
        trumps = self.records.trumps[self.best.ravel()]
        held = trumps_in(cards, trumps, self.study.rules)
        ordered = pd.CategoricalDtype(list(bids), ordered=True)
        frame = pd.DataFrame(
            {
                "row": np.repeat(self.rows, len(bids)),
                self.study.rows.name: np.repeat(np.array(self._texts()), len(bids)),
                "cards": np.bitwise_count(cards).astype(np.int64),
                "bid": pd.Categorical(list(bids) * count, dtype=ordered),
                **self.said_of_bids(),
                "limit": pd.Categorical(np.repeat(self.limits, len(bids)), dtype=ordered),
                "deals": self.deals,
            }
        )
        after = list(frame).index("lead") + 1
        frame.insert(after, "trumps", np.bitwise_count(held).astype(np.int64))
        after = list(frame).index("margin_half_width") + 1
        frame.insert(after, "ahead", self.ahead.ravel())
        return frame

    def _texts(self) -> list[str]:
        """Write what the rows are."""
        first, end = int(self.rows[0]), int(self.rows[-1]) + 1
        texts = self.study.rows.texts(first, end)
        return [texts[row - first] for row in self.rows]
