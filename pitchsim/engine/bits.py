"""Sets of cards as the bits of an int64, eight sets side by side: finding and choosing cards.

All masks are non-negative int64 (at most 56 cards); uint64 never enters, for numba turns a mix
of the two into float64.
"""

from __future__ import annotations

from pitchsim.engine.jit import inner
from pitchsim.engine.lanes import Lanes, every, leading_zeros, where


@inner
def lowest(x: Lanes) -> Lanes:
    """Give the lowest card of a set (the empty set of the empty set)."""
    return x & -x


@inner
def above(x: Lanes) -> Lanes:
    """Give every bit above the highest card of a set: all bits for the empty set."""
    return every(-1) << (64 - leading_zeros(x))


@inner
def highest(x: Lanes) -> Lanes:
    """Give the highest card of a set (the empty set of the empty set)."""
    return x & above(x >> 1)


@inner
def first(x: Lanes, otherwise: Lanes) -> Lanes:
    """Give `x` unless it is empty: rules in order, the first that finds a card applies."""
    return where(x, x, otherwise)


@inner
def select(x: Lanes, n: Lanes) -> Lanes:
    """Give the n-th card, counted from the lowest and from 0, of a set of at most six.

    All six candidates are made side by side and the three bits of `n` choose among them.
    """
    x1 = x & (x - 1)
    x2 = x1 & (x1 - 1)
    x3 = x2 & (x2 - 1)
    x4 = x3 & (x3 - 1)
    x5 = x4 & (x4 - 1)
    odd = n & 1
    chosen = where(odd, x1, x)
    chosen = where(n & 2, where(odd, x3, x2), chosen)
    chosen = where(n & 4, where(odd, x5, x4), chosen)
    return lowest(chosen)
