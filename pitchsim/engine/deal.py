"""Dealing: hands drawn exactly uniformly from the cards that are not known.

The unseen cards are numbered by *position*, from 0; a hand is a set of positions until trump is
known (`setting.py` turns positions into cards). The positions that may be dealt come first; cards
known to be in nobody's hand come after them, and are met only in a draw from the stock.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitchsim.engine.bits import lowest
from pitchsim.engine.jit import inner, kernel
from pitchsim.engine.lanes import WIDTH, Lanes, Numbers, any_of, every, load, store, where
from pitchsim.engine.setting import HAND_SIZE
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
def unfair(remainder: Lanes, n: Numbers, k: Numbers) -> Lanes:
    """Say which draws may not stand, by the remainder that they left.

    Lemire's exact rejection ("Fast random integer generation in an interval", 2019) for a batch
    of draws out of one word: the 2**57 mod P smallest remainders are those that would make some
    of the P outcomes more likely than others.
    """
    doubtful = remainder < SURELY_FAIR
    if any_of(doubtful):
        ways = every(1)
        for i in range(HAND_SIZE):
            ways = ways * where(every(i) < k, n - i, 1)
        doubtful = remainder < every(1 << FRACTION_BITS) % ways
    return doubtful


@inner
def subset(fraction: Lanes, n: Numbers, k: Numbers) -> tuple[Lanes, Lanes]:
    """Choose `k` of `n` positions by Floyd's algorithm, from one random 57-bit fraction.

    Floyd's algorithm: Bentley & Floyd, "A sample of brilliance", 1987. Returns the set and the
    remainder of the fraction, for `unfair`.
    """
    chosen = every(0)
    for i in range(HAND_SIZE):
        last = n - k + i
        scaled = fraction * (last + 1)
        drawn = every(1) << (scaled >> FRACTION_BITS)
        drawn = where(chosen & drawn, every(1) << last, drawn)
        wanted = every(i) < k
        chosen = chosen | where(wanted, drawn, 0)
        fraction = where(wanted, scaled & FRACTION, fraction)
    return chosen, fraction


@inner
def skip(chosen: Lanes, taken: Lanes) -> Lanes:
    """Turn positions among those left into positions among all, `taken` being gone."""
    while any_of(taken):
        gap = lowest(taken)
        chosen = chosen + (chosen & -gap)
        taken = taken ^ gap
    return chosen


@inner
def draw_cards(state: Lanes, left: Numbers, k: Numbers, taken: Lanes) -> tuple[Lanes, Lanes]:
    """Draw `k` of the `left` positions that are not `taken`; returns them and the next states.

    Where `k` is 0 nothing is drawn, and no word used.
    """
    chosen = every(0)
    drawing = every(0) < k
    while any_of(drawing):
        drawn, remainder = subset(upper_bits(mix64(state), FRACTION_BITS), left, k)
        chosen = where(drawing, drawn, chosen)
        state = where(drawing, state + GAMMA, state)
        drawing = drawing & unfair(remainder, left, k)
    return skip(chosen, taken), state


@kernel
def deal_hands(seed: np.uint64, first: int, plan: DealPlan, positions: NDArray[np.int64]) -> None:
    """Deal numbers `first`, `first` + 1, … into the rows of `positions` (int64[deals, 7]).

    Uniform over all deals in which no seat gets a position that is barred to it: deals that do
    are dealt again (so the caller sees to it that enough are left).
    """
    key = key_of(seed)
    deals = positions.shape[0]
    hands = np.zeros((plan.players, WIDTH), np.int64)
    rows = np.zeros((1, WIDTH), np.int64)
    for row in range(0, deals, WIDTH):
        for lane in range(WIDTH):
            rows[0, lane] = first + min(row + lane, deals - 1)
        state = state_at(key, load(rows, 0), DEAL_WORDS)
        dealing = every(1)
        while any_of(dealing):
            clash = every(0)
            taken = every(0)
            left = plan.dealable
            for seat in range(plan.players):
                k = plan.counts[seat]
                if k == HAND_SIZE:  # a constant in the usual case, which makes for shorter code
                    chosen, state = draw_cards(state, left, HAND_SIZE, taken)
                else:
                    chosen, state = draw_cards(state, left, k, taken)
                store(hands, seat, where(dealing, chosen, load(hands, seat)))
                taken = taken | chosen
                left -= k
                clash = clash | (chosen & plan.barred[seat])
            dealing = where(clash, dealing, 0)
        for lane in range(min(WIDTH, deals - row)):
            for seat in range(plan.players):
                positions[row + lane, seat] = hands[seat, lane]
