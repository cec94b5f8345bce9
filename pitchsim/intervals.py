"""Intervals: how sure a number from so many deals is."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

#: The normal quantile of a two-sided 95 % interval.
Z95 = 1.959963984540054


def wilson(
    successes: ArrayLike, trials: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the ends of the 95 % interval of a probability, by Wilson's score method.

    It keeps its rate near 0 and 1, where the textbook interval collapses. E. B. Wilson, "Probable
    inference, the law of succession, and statistical inference", JASA 22 (1927); recommended by
    Brown, Cai & DasGupta, "Interval estimation for a binomial proportion" (2001).

    Parameters
    ----------
    successes
        Counts, of any shape, each from 0 to `trials`.
    trials
        The number of deals, at least 1; of a shape that goes with theirs.
    """
    trials = np.asarray(trials, np.float64)
    p = np.asarray(successes, np.float64) / trials
    spread = Z95**2 / trials
    centre = (p + spread / 2) / (1 + spread)
    half = np.sqrt(p * (1 - p) * spread + spread**2 / 4) / (1 + spread)
    # At the very ends the formula meets 0 and 1 but for rounding.
    low = np.where(p == 0, 0.0, np.clip(centre - half, 0, 1))
    high = np.where(p == 1, 1.0, np.clip(centre + half, 0, 1))
    return low, high


def half_width(mean_square: ArrayLike, mean: ArrayLike, trials: ArrayLike) -> NDArray[np.float64]:
    """Return the 95 % half-width of a mean of points, from the mean of the squares and the mean.

    That of the normal distribution, but never less than Wilson's for what was seen in no deal: a
    difference of a point may have that chance. Infinite for a single deal, which has no spread.
    """
    trials = np.asarray(trials, np.float64)
    variance = np.maximum(np.asarray(mean_square) - np.square(mean), 0.0)
    unseen = Z95**2 / (trials + Z95**2)
    half = np.maximum(Z95 * np.sqrt(variance / np.maximum(trials - 1, 1)), unseen)
    return np.where(trials < 2, np.inf, half)


class Estimate(NamedTuple):
    """A mean and its 95 % half-width."""

    mean: float
    half_width: float

    @property
    def too_close(self) -> bool:
        """Whether zero cannot be told from it; so it is where nothing is known."""
        return not abs(self.mean) > self.half_width
