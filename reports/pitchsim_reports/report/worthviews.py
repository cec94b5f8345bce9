"""What the `worth` frame says of hands: their highest bids, and how rule sets compare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from pitchsim.bidding.turnanswer import mean_of
from pitchsim.intervals import Z95, Estimate, wilson
from pitchsim.rules import PASS, Rules

if TYPE_CHECKING:
    import pandas as pd

    from pitchsim_reports.report.spec import AskedRules


#: A row of a frame, by the names of its columns.
Row: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Share:
    """A count, the share that it is, and the ends of the 95 % interval of that."""

    count: int
    total: int

    @property
    def share(self) -> float:
        """What part of the total it is."""
        return self.count / self.total

    @property
    def interval(self) -> tuple[float, float]:
        """The ends of the 95 % interval of the share."""
        low, high = wilson(self.count, self.total)
        return float(low), float(high)


def records_of(frame: pd.DataFrame) -> list[Row]:
    """Return the rows of a frame, each by the names of its columns."""
    return [{str(name): value for name, value in row.items()} for row in frame.to_dict("records")]


def pairs_of(worth: pd.DataFrame, rules: Sequence[AskedRules]) -> list[Pair]:
    """Pair the first rule set with each other one, where they share hands."""
    first, *rest = rules
    pairs = [Pair.of(worth, first, other) for other in rest]
    return [pair for pair in pairs if pair.hands]


def under(worth: pd.DataFrame, label: str) -> pd.DataFrame:
    """Return the rows of a rule set."""
    return worth[worth["rules"] == label]


def bids_of(rows: pd.DataFrame) -> list[str]:
    """Return the bids of a rule set from the lowest up."""
    return list(dict.fromkeys(map(str, rows["bid"])))


def at_limit(rows: pd.DataFrame) -> pd.DataFrame:
    """Return for each hand the row of the highest bid that pays, or of the lowest if none does.

    The result has `limit` as text, `pass` where no bid pays, and is indexed by `number`.
    """
    bids = bids_of(rows)
    limits = rows["limit"].astype(object).where(rows["limit"].notna(), PASS).astype(str)
    wanted = limits.where(limits != PASS, bids[0])
    chosen = rows.assign(limit=limits)[rows["bid"].astype(str) == wanted]
    return chosen.set_index("number")


def limit_shares(rows: pd.DataFrame) -> dict[str, Share]:
    """Return how many hands are worth each bid at most; `pass` stands first."""
    limits = at_limit(rows)["limit"]
    names = [PASS, *bids_of(rows)]
    return {name: Share(int((limits == name).sum()), len(limits)) for name in names}


def worth_a_bid(rows: pd.DataFrame) -> Share:
    """Return how many hands are worth any bid."""
    limits = at_limit(rows)["limit"]
    return Share(int((limits != PASS).sum()), len(limits))


def point_names(rows: pd.DataFrame) -> list[str]:
    """Return the points that the rule set of these rows plays."""
    names = [str(name) for name in rows.columns if rows[name].notna().any()]
    chances = [name for name in names if name.startswith("p_")]
    return [name.removeprefix("p_") for name in chances]


def point_means(rows: pd.DataFrame) -> dict[str, float]:
    """Return the mean chance of each point, over the hands that are worth a bid, played for it."""
    best = at_limit(rows)
    best = best[best["limit"] != PASS]
    return {name: float(best[f"p_{name}"].mean()) for name in point_names(rows)}


def has_same_trump(one: Row, other: Row) -> bool:
    """Say whether two rows are of the same trump suit, so that points are those of one suit."""
    return bool(one["trump"] == other["trump"])


def _is_told(row: Row) -> bool:
    """Say whether the margin of a bid is told from zero."""
    return not Estimate(row["margin"], row["margin_half_width"]).too_close


def _mean(differences: pd.Series[float]) -> Estimate:
    """Take the mean of differences, one for each hand."""
    seen = np.asarray(differences.dropna(), np.float64)
    return mean_of(seen) if len(seen) else Estimate(np.nan, np.inf)


@dataclass(frozen=True)
class Pair:
    """The same hands under two rule sets.

    Attributes
    ----------
    one_asked, other_asked
        The rule sets.
    one, other
        The row of each hand at its limit, by the hand's number; the same hands in both.
    one_rows, other_rows
        All rows of each rule set.
    """

    one_asked: AskedRules
    other_asked: AskedRules
    one_rows: pd.DataFrame
    other_rows: pd.DataFrame
    one: pd.DataFrame
    other: pd.DataFrame

    @classmethod
    def of(cls, worth: pd.DataFrame, one: AskedRules, other: AskedRules) -> Pair:
        """Pair the hands of two rule sets."""
        one_rows, other_rows = under(worth, one.label), under(worth, other.label)
        left, right = at_limit(one_rows), at_limit(other_rows)
        shared = left.index.intersection(right.index)
        return cls(one, other, one_rows, other_rows, left.loc[shared], right.loc[shared])

    @property
    def one_rules(self) -> Rules:
        """The first rule set."""
        return self.one_asked.rules

    @property
    def other_rules(self) -> Rules:
        """The other rule set."""
        return self.other_asked.rules

    @property
    def hands(self) -> int:
        """How many hands are under both."""
        return len(self.one)

    def is_clear(self, number: int) -> bool:
        """Say whether a hand has two margins at the bid in dispute, both told from zero."""
        return all(row is not None and _is_told(row) for row in self.disputed(number))

    def is_one_sided(self, number: int) -> bool:
        """Say whether only one of the rule sets has the bid in dispute."""
        return None in self.disputed(number)

    @cached_property
    def changed(self) -> list[int]:
        """The numbers of the hands whose highest bid changes, the clearest first.

        Clear is what differs much in the margin at the bid in dispute.
        """
        one, other = self._limits
        numbers = [number for number, limit in one.items() if limit != other[number]]
        return sorted(numbers, key=self._size, reverse=True)

    def _size(self, number: int) -> float:
        one, other = self.disputed(number)
        if one is None or other is None:
            return 0.0
        return abs(float(one["margin"]) - float(other["margin"]))

    def disputed_bid(self, number: int) -> str:
        """Return the bid in dispute: the higher of the two that a hand is worth."""
        one, other = (limits[number] for limits in self._limits)
        return other if self.other_rules.bid_rank(other) > self.one_rules.bid_rank(one) else one

    @cached_property
    def _limits(self) -> tuple[dict[int, str], dict[int, str]]:
        """The highest bid of each hand that pays, under each rule set."""
        one, other = (
            dict(zip(side.index.tolist(), side["limit"].tolist(), strict=True))
            for side in (self.one, self.other)
        )
        return one, other

    def disputed(self, number: int) -> tuple[Row | None, Row | None]:
        """Return a hand's rows at the bid in dispute; None where a rule set has no such bid."""
        bid = self.disputed_bid(number)
        one, other = self._rows
        return one.get((number, bid)), other.get((number, bid))

    @cached_property
    def _rows(self) -> tuple[dict[tuple[int, str], Row], dict[tuple[int, str], Row]]:
        """The rows of each rule set by the hand's number and the bid."""
        one, other = (
            {(row["number"], str(row["bid"])): row for row in records_of(rows)}
            for rows in (self.one_rows, self.other_rows)
        )
        return one, other

    def more_worth_it(self) -> Estimate:
        """Return by how much the share of hands worth a bid is larger under the other."""
        gains = (self.other["limit"] != PASS).astype(float) - (self.one["limit"] != PASS)
        return _mean(gains)

    @property
    def common_bid(self) -> str:
        """The lowest bid that both rule sets have; empty if there is none."""
        others = bids_of(self.other_rows)
        return next((bid for bid in bids_of(self.one_rows) if bid in others), "")

    @cached_property
    def alike(self) -> list[int]:
        """The numbers of the hands best played in one suit by both, for the lowest common bid."""
        one, other = self._rows
        places = [(number, self.common_bid) for number in self.one.index.tolist()]
        return [
            place[0]
            for place in places
            if place in one and place in other and has_same_trump(one[place], other[place])
        ]

    def point_difference(self, point: str, *, sampled: bool) -> Estimate:
        """Return by how much the chance of a point is larger under the other.

        Of the hands that are best played in one suit by both, for the lowest common bid. Its error
        is that of a sample of hands; or else that of their deals, as if they were other ones.
        """
        one, other = self._chances(point)
        gaps = np.asarray(other - one, np.float64)
        if sampled:
            variance = gaps.var(ddof=1) if len(gaps) > 1 else np.inf
        else:
            of_deals = (one * (1 - one) + other * (1 - other)) / self.one_rows["deals"].iloc[0]
            variance = float(of_deals.mean())
        return Estimate(float(gaps.mean()), Z95 * float(np.sqrt(variance / len(gaps))))

    def point_chances(self, point: str) -> tuple[float, float]:
        """Return the mean chance of a point under each rule set, of these hands."""
        one, other = self._chances(point)
        return float(one.mean()), float(other.mean())

    def _chances(self, point: str) -> tuple[pd.Series[float], pd.Series[float]]:
        bid, hands = self.common_bid, self.alike
        one, other = (
            rows[rows["bid"].astype(str) == bid].set_index("number")[f"p_{point}"].reindex(hands)
            for rows in (self.one_rows, self.other_rows)
        )
        return one, other
