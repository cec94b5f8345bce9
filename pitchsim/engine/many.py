"""Many hands one after another, each dealt, played and counted without leaving compiled code.

A hand alone takes fractions of a millisecond, which is less than it takes to hand it over.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pitchsim.engine.count import RESULTS, Bins, CountTables, count_option
from pitchsim.engine.deal import DealPlan, deal_hands
from pitchsim.engine.jit import inner, kernel
from pitchsim.engine.play import play_hands
from pitchsim.engine.setting import HAND_SIZE, MOST_PLAYERS, Setting, with_harmless

CHUNK = 4096  # deals whose arrays stay in a processor's cache


@inner
def take_hand(setting: Setting, bits: NDArray[np.int64], hand: int) -> int:
    """Give the pitcher a hand, a set of numbers of the deck, and return its cards.

    setting : its `fixed`, `told` and `spread` are written.
    bits : int64[cards], the bit of each card of the deck.
    """
    own = 0
    position = 0
    for card in range(bits.shape[0]):
        if hand >> card & 1:
            own |= bits[card]
        else:
            table, place = position >> 3, position & 7
            if place == 0:
                setting.spread[table, 0] = 0
            for below in range(1 << place):
                with_it = setting.spread[table, below] | bits[card]
                setting.spread[table, (1 << place) + below] = with_it
            position += 1
    setting.fixed[0] = own
    setting.told[0] = own
    return own


@kernel
def count_hands(
    policies: int,
    seeds: NDArray[np.uint64],
    first: int,
    deals: int,
    plan: DealPlan,
    settings: tuple[Setting, Setting, Setting, Setting],
    bits: NDArray[np.int64],
    hands: NDArray[np.int64],
    starts: NDArray[np.int64],
    trumps: NDArray[np.int64],
    leads: NDArray[np.int64],
    tables: CountTables,
    counts: NDArray[np.int64],
) -> None:
    """Deal, play and count some hands of the pitcher, of which alone it is told.

    policies : of the seats, RANDOM or BASIC (see `play.py`).
    seeds : uint64[hands], each hand's own.
    first, deals : of each hand, which deals.
    settings : one for each trump suit; their `fixed`, `told` and `spread` are written.
    bits : int64[4, cards], the bit of each card of the deck when a suit is trump.
    hands : int64[hands], sets of numbers of the deck.
    starts : int64[hands + 1], where the options of each hand begin; those of a trump suit together.
    trumps, leads : int64[options], the trump suit, and the lead as a bit; 0 lets the policy choose.
    counts : int64[options, columns], added to (see `count.py`).
    """
    positions = np.zeros((min(CHUNK, deals), MOST_PLAYERS), np.int64)
    most = 0
    for i in range(hands.shape[0]):
        most = max(most, starts[i + 1] - starts[i])
    outcomes = np.empty((most, positions.shape[0]), np.int32)
    plays = np.zeros(HAND_SIZE * MOST_PLAYERS, np.int64)
    bins = Bins(np.zeros(RESULTS, np.int64), np.zeros(RESULTS, np.int64))
    for i in range(hands.shape[0]):
        for done in range(0, deals, CHUNK):
            size = min(CHUNK, deals - done)
            dealt = positions[:size]
            deal_hands(seeds[i], first + done, plan, dealt)
            option = starts[i]
            while option < starts[i + 1]:
                trump = trumps[option]
                end = option
                while end < starts[i + 1] and trumps[end] == trump:
                    end += 1
                own = take_hand(settings[trump], bits[trump], hands[i])
                setting = with_harmless(settings[trump], own)
                played = outcomes.reshape(-1)[: (end - option) * size].reshape(end - option, size)
                play_hands(
                    policies,
                    seeds[i],
                    first + done,
                    plan,
                    setting,
                    dealt,
                    leads[option:end],
                    played,
                    plays,
                )
                for k in range(end - option):
                    count_option(played[k], tables, bins, counts[option + k])
                option = end
