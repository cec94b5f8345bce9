"""How precisely numbers are written, so that the reader sees as much as is known."""

from __future__ import annotations

import math

#: More decimals than these are never written.
MOST_DECIMALS = 6
_VERY_MANY = 100_000_000
#: What arithmetic may be wrong by, in the last decimal that is written.
_NOISE = 1e-9


def rounded_up(number: float, decimals: int) -> float:
    """Round up to so many decimals: a half-width is never written smaller than it is."""
    scale = 10.0**decimals
    return math.ceil(number * scale - _NOISE) / scale


def rounded_down(number: float, decimals: int) -> float:
    """Round down to so many decimals."""
    scale = 10.0**decimals
    return math.floor(number * scale + _NOISE) / scale


def decimals_for(mean: float, half_width: float) -> int:
    """Say with how many decimals a mean is written: two digits of its half-width, and two at least.

    More where the two would look alike (see :func:`telling_decimals`).
    """
    if not (math.isfinite(half_width) and half_width > 0):
        return 2
    two_digits = 1 - math.floor(math.log10(half_width))
    return telling_decimals(mean, half_width, min(4, max(2, two_digits)))


def telling_decimals(mean: float, half_width: float, least: int) -> int:
    """Say with how many decimals, at least, it is seen which of the two is larger.

    A difference of 0.234 ±0.229 is told from zero, but 0.23 ±0.23 is not.
    """
    size = abs(mean)
    if not (math.isfinite(size) and math.isfinite(half_width)):
        return least
    for decimals in range(least, MOST_DECIMALS):
        half = rounded_up(half_width, decimals)
        is_told = rounded_down(size, decimals) > half
        is_close = size <= half_width and round(size, decimals) < half
        if is_told or is_close:
            return decimals
    return least  # they are the same


def about(count: float) -> str:
    """Write a number of which no more than its size is known: `about 480,000`, in two digits."""
    if count > _VERY_MANY:
        return "over a hundred million"
    return f"about {float(f'{count:.2g}'):,.0f}"
