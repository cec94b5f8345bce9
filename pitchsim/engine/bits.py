"""Sets of cards as the bits of an int64, eight sets side by side: finding and choosing cards.

All masks are non-negative int64 (at most 56 cards); uint64 never enters, for numba turns a mix
of the two into float64.
"""

from __future__ import annotations

from pitchsim.engine.jit import inner
from pitchsim.engine.lanes import Lanes, every, leading_zeros, popcount, where

LANE = 13  # bits of a plain suit, one for each rank
# All the ranks in the lowest lane; the lowest card of each plain suit; every second one of each.
RANKS = (1 << LANE) - 1
TWOS = 1 | 1 << LANE | 1 << 2 * LANE
EVEN_RANKS = 0b1010101010101 * TWOS


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
def ranks_of(x: Lanes) -> tuple[Lanes, Lanes, Lanes]:
    """Give the ranks that a set holds of each of the three lower lanes, the plain suits."""
    return x & RANKS, x >> LANE & RANKS, x >> 2 * LANE & RANKS


@inner
def in_every_suit(ranks: Lanes) -> Lanes:
    """Give the cards of some ranks in all three plain suits."""
    return ranks * TWOS


@inner
def without_equals(x: Lanes, held: Lanes, seen: Lanes) -> Lanes:
    """Leave one of each rank in a set of plain cards: of the suit that is lowest as held.

    By its highest card, then by the next, which is to compare the ranks as numbers. Of suits held
    alike it is the lowest lane, or the highest if an odd number of even ranks has been seen.
    """
    odd = popcount(seen & EVEN_RANKS) & 1
    x0, x1, x2 = ranks_of(x)
    h0, h1, h2 = ranks_of(held)
    over01, over02, over12 = h0 + odd > h1, h0 + odd > h2, h1 + odd > h2
    out0 = where(over01, x1, 0) | where(over02, x2, 0)
    out1 = where(over01, 0, x0) | where(over12, x2, 0)
    out2 = where(over02, 0, x0) | where(over12, 0, x1)
    return x & ~(out0 | out1 << LANE | out2 << 2 * LANE)


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
