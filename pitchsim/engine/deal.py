"""Dealing: hands drawn exactly uniformly from the cards that are not known.

The unseen cards are numbered by *position*, from 0; a hand is a set of positions until trump is
known (`setting.py` turns positions into cards). The positions that may be dealt come first; cards
known to be in nobody's hand come after them, and are met only in a draw from the stock.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitchsim.engine.jit import inner, kernel
from pitchsim.engine.stream import DEAL_WORDS, GAMMA, key_of, mix64, state_at, upper_bits

FRACTION_BITS = 57  # a fraction times a number up to 63 still fits an int64
FRACTION = (1 << FRACTION_BITS) - 1
# At most 54 * 53 * 52 * 51 * 50 * 49 < 2**35 ordered draws: a remainder above needs no look.
SURELY_FAIR = 1 << 35


class DealPlan(NamedTuple):
    """What is to be dealt.

    cards : the unseen cards; dealable : those of them that may be dealt, the first positions.
    counts : int64[7], how many unseen cards each seat is to get.
    barred : int64[7], the positions that each seat is known not to hold.
    """

    players: int
    cards: int
    dealable: int
    counts: NDArray[np.int64]
    barred: NDArray[np.int64]


@inner
def fair(remainder: int, n: int, k: int) -> bool:
    """Say whether a draw may stand, by the remainder that it left.

    Lemire's exact rejection ("Fast random integer generation in an interval", 2019) for a batch
    of draws out of one word: the 2**57 mod P smallest remainders are those that would make some
    of the P outcomes more likely than others.
    """
    if remainder >= SURELY_FAIR:
        return True
    product = 1
    for i in range(n - k + 1, n + 1):
        product *= i
    return remainder >= (1 << FRACTION_BITS) % product


@inner
def subset(fraction: int, n: int, k: int) -> tuple[int, int]:
    """Choose `k` of `n` positions by Floyd's algorithm, from one random 57-bit fraction.

    Floyd's algorithm: Bentley & Floyd, "A sample of brilliance", 1987. Returns the set and the
    remainder of the fraction, for `fair`.
    """
    chosen = 0
    for j in range(n - k, n):
        scaled = fraction * (j + 1)
        drawn = 1 << (scaled >> FRACTION_BITS)
        fraction = scaled & FRACTION
        chosen |= (1 << j) if chosen & drawn else drawn
    return chosen, fraction


@inner
def skip(chosen: int, taken: int) -> int:
    """Turn positions among those left into positions among all, `taken` being gone."""
    while taken:
        gap = taken & -taken
        chosen += chosen & -gap
        taken ^= gap
    return chosen


@inner
def draw_cards(state: np.uint64, left: int, k: int, taken: int) -> tuple[int, np.uint64]:
    """Draw `k` of the `left` positions that are not `taken`; returns them and the next state."""
    while True:
        chosen, remainder = subset(upper_bits(mix64(state), FRACTION_BITS), left, k)
        state += GAMMA
        if fair(remainder, left, k):
            return skip(chosen, taken), state


@kernel
def deal_hands(seed: np.uint64, first: int, plan: DealPlan, positions: NDArray[np.int64]) -> None:
    """Deal numbers `first`, `first` + 1, … into the rows of `positions` (int64[deals, 7]).

    Uniform over all deals in which no seat gets a position that is barred to it: deals that do
    are dealt again (so the caller sees to it that enough are left).
    """
    key = key_of(seed)
    for row in range(positions.shape[0]):
        state = state_at(key, first + row, DEAL_WORDS)
        clash = -1
        while clash:
            clash = 0
            taken = 0
            left = plan.dealable
            for seat in range(plan.players):
                k = plan.counts[seat]
                if k == 0:
                    positions[row, seat] = 0
                    continue
                chosen, state = draw_cards(state, left, k, taken)
                positions[row, seat] = chosen
                taken |= chosen
                left -= k
                clash |= chosen & plan.barred[seat]
