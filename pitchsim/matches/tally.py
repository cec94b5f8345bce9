"""What a match between two strategies brought, as integer counts that add."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

#: Into how many bins the chances are sorted that pitchers give their bids.
BINS = 10
#: A chance is counted in millionths.
MILLION = 1_000_000
#: How many of the deals that made the largest difference are remembered.
REMEMBERED = 24

# What is added up over the units, which are deals, or games, played at both tables: their number;
# the difference in score D and the hands N of each unit, and their products; the share of games won
# W (in halves, two games a unit), and its square.
UNITS, D, N, DD, DN, NN, W, WW = range(8)


@dataclass(frozen=True)
class MatchTally:
    """Counts over the deals of a match; axis 0 of an array is the one strategy and the other.

    Attributes
    ----------
    sums
        int64[8], over the units of the match: see above. Differences are times `scale`.
    trail
        int64[stages, 8], the sums of each stage of the match, in order.
    games
        int64[3], games won by the one, by the other, and by nobody.
    thrown_in
        Hands in which everybody passed.
    levels
        int64[2, calls, 2], how often each bid was played for, and made.
    changes
        int64[2, changes], how often a side's score moved by each number of points, from -most on.
    chances
        int64[2, calls, bins, 3], of the hands whose pitcher gave the bid a chance: how many, how
        many were made, and the sum of the chances in millionths.
    swings
        int64[deals, 2], the difference (times `scale`) and the unit of the first hands with the
        largest difference.
    """

    sums: NDArray[np.int64]
    trail: NDArray[np.int64]
    games: NDArray[np.int64]
    thrown_in: int
    levels: NDArray[np.int64]
    changes: NDArray[np.int64]
    chances: NDArray[np.int64]
    swings: NDArray[np.int64]

    @property
    def units(self) -> int:
        """How many units these are."""
        return int(self.sums[UNITS])

    def __add__(self, other: MatchTally) -> MatchTally:
        """Add what other units of the same match brought, which come after these."""
        return MatchTally(
            self.sums + other.sums,
            np.concatenate([self.trail, other.trail]),
            self.games + other.games,
            self.thrown_in + other.thrown_in,
            self.levels + other.levels,
            self.changes + other.changes,
            self.chances + other.chances,
            largest(np.concatenate([self.swings, other.swings])),
        )


def largest(swings: NDArray[np.int64]) -> NDArray[np.int64]:
    """Keep the deals with the largest difference; of equals those dealt first."""
    order = np.lexsort([swings[:, 1], -np.abs(swings[:, 0])])
    return swings[order[:REMEMBERED]]


def sums_of(
    differences: NDArray[np.int64],
    hands: NDArray[np.int64],
    halves: NDArray[np.int64],
    stage: int,
) -> NDArray[np.int64]:
    """Add up what units brought, stage by stage of so many units: int64[stages, 8].

    Parameters
    ----------
    differences, hands, halves
        int64[units], the differences, the hands and the halves of games won.
    """
    parts = np.stack(
        [
            np.ones_like(differences),
            differences,
            hands,
            differences * differences,
            differences * hands,
            hands * hands,
            halves,
            halves * halves,
        ],
        axis=1,
    )
    return np.add.reduceat(parts, np.arange(0, len(parts), stage), axis=0)
