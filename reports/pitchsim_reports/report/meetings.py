"""What came of two strategies that met: who is ahead, in points and in games, and how surely."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from pitchsim.intervals import Estimate
from pitchsim.precision import about
from pitchsim_reports.report.worthviews import Row


class Lead(NamedTuple):
    """By how much the first of two strategies is ahead of the other.

    by : with its half-width.
    needed : how many hands, or games, would tell it; no finite number where it is told, or where
        nobody knows.
    what : `hand` or `game`.
    """

    by: Estimate
    needed: float
    what: str

    @property
    def too_close(self) -> bool:
        """Whether it cannot be told who is ahead."""
        return self.by.too_close

    @property
    def would_tell(self) -> str:
        """How much would tell it: `about 15,000 hands`; empty where nobody knows."""
        return f"{about(self.needed)} {self.what}s" if math.isfinite(self.needed) else ""


@dataclass(frozen=True)
class Meeting:
    """What came of two strategies that met.

    Attributes
    ----------
    one, other
        Their names.
    points
        By how many points a hand the one is ahead.
    games
        By how much more than half of the games the one wins; None if none were played.
    thrown_in
        The share of the hands in which everybody passed.
    """

    one: str
    other: str
    points: Lead
    games: Lead | None
    thrown_in: float

    @classmethod
    def of(cls, row: Row) -> Meeting:
        """Read a row of the frame of matches."""
        points = Lead(Estimate(row["difference"], row["half_width"]), row["needed"], "hand")
        share = Estimate(row["share"] - 0.5, row["share_half_width"])
        games = None if math.isnan(row["share"]) else Lead(share, row["needed_games"], "game")
        return cls(str(row["one"]), str(row["other"]), points, games, row["thrown_in"])

    @property
    def is_told(self) -> bool:
        """Whether it is told of anything who is ahead."""
        return not (self.points.too_close and (self.games is None or self.games.too_close))
