"""Worlds: deals of the cards that a player has not seen, as they may lie for all that it knows.

A world is dealt seat by seat, the seat with the least to choose from first, each card drawn
uniformly from those that the seat may hold; before that, where there was a draw, the plain cards
that were thrown away. Where seats lack cards, not every world that fits comes up equally often;
the number of ways in which the draws could have come out makes up for it, and is the weight of the
world.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitchsim.engine.bits import lowest
from pitchsim.engine.jit import inner, maker
from pitchsim.engine.lanes import WIDTH, popcount
from pitchsim.engine.setting import HAND_SIZE, MOST_CARDS, MOST_PLAYERS, Setting
from pitchsim.engine.stream import GAMMA, mix64, upper_bits

DRAW_BITS = 32  # of a random word: no card is favoured by more than 2**-26
#: In how many ways some cards can be drawn from others, float64[57, 7].
WAYS = np.array(
    [[math.comb(n, k) for k in range(HAND_SIZE + 1)] for n in range(MOST_CARDS + 1)], np.float64
)

# What everybody has seen of each seat: the cards that it played, those that it has shown to lack,
# how many it holds, and how many it threw away before a draw.
PLAYED, LACKS, HOLDS, THROWN = range(4)


class Worlds(NamedTuple):
    """Some worlds, and room to deal them.

    hands : int64[blocks, 7, 8], what each seat held before the first lead, eight worlds a block.
    weights : float64[worlds].
    unseen : int64[56], the cards that the worlds deal, those that have been drawn in front.
    seats, spare : int64[7], the other seats in the order in which they draw, and how many more
        cards than it draws each may choose from.
    told, lacks : int64[7], the cards that each seat had for sure, and those that it lacks.
    """

    hands: NDArray[np.int64]
    weights: NDArray[np.float64]
    unseen: NDArray[np.int64]
    seats: NDArray[np.int64]
    spare: NDArray[np.int64]
    told: NDArray[np.int64]
    lacks: NDArray[np.int64]


@maker
def make_worlds(worlds: int) -> Worlds:
    """Make room for so many worlds."""
    blocks = (worlds + WIDTH - 1) // WIDTH
    return Worlds(
        np.zeros((blocks, MOST_PLAYERS, WIDTH), np.int64),
        np.zeros(worlds, np.float64),
        np.zeros(MOST_CARDS, np.int64),
        np.zeros(MOST_PLAYERS, np.int64),
        np.zeros(MOST_PLAYERS, np.int64),
        np.zeros(MOST_PLAYERS, np.int64),
        np.zeros(MOST_PLAYERS, np.int64),
    )


@inner
def deal_worlds(
    worlds: Worlds,
    state: int,
    setting: Setting,
    seat: int,
    own: int,
    gone: int,
    seen: NDArray[np.int64],
) -> None:
    """Deal worlds that fit what a player knows; the last of them fills up its block.

    state : of the first of the random words.
    own : the cards that the player held before the first lead; gone : those that it knows to be
        in no hand, having thrown them away.
    seen : int64[4, 7], what everybody has seen of each seat.
    """
    unseen = setting.deck & ~own & ~gone
    thrown = 0
    for other in range(setting.players):
        unseen &= ~seen[PLAYED, other]
        worlds.told[other] = 0
        worlds.lacks[other] = seen[LACKS, other]
        if other != seat:
            thrown += seen[THROWN, other]
            if seat == 0:
                told = setting.told[other]
                worlds.told[other] = told & setting.trump if setting.draw else told
                worlds.lacks[other] |= setting.denied[other]
                thrown -= popcount(told ^ worlds.told[other])
                unseen &= ~told
    order_seats(worlds, setting.players, seat, unseen, seen)
    cards = unseen
    for place in range(popcount(unseen)):
        worlds.unseen[place] = lowest(cards)
        cards ^= lowest(cards)
    for world in range(worlds.weights.shape[0]):
        worlds.hands[world // WIDTH, seat, world % WIDTH] = own
        weight = 0.0
        while weight == 0:
            weight, state = deal_world(worlds, world, state, setting, unseen, thrown, seen)
        worlds.weights[world] = weight
    last = worlds.weights.shape[0] - 1
    for lane in range(last % WIDTH + 1, WIDTH):
        for other in range(setting.players):
            filler = worlds.hands[last // WIDTH, other, last % WIDTH]
            worlds.hands[last // WIDTH, other, lane] = filler


@inner
def order_seats(
    worlds: Worlds, players: int, seat: int, unseen: int, seen: NDArray[np.int64]
) -> None:
    """Let the other seats draw in the order of how many cards they have to spare."""
    others = 0
    for other in range(players):
        if other != seat:
            sure = worlds.told[other] & ~seen[PLAYED, other]
            spare = popcount(unseen & ~worlds.lacks[other] | sure) - seen[HOLDS, other]
            place = others
            while place > 0 and spare < worlds.spare[place - 1]:
                worlds.seats[place] = worlds.seats[place - 1]
                worlds.spare[place] = worlds.spare[place - 1]
                place -= 1
            worlds.seats[place] = other
            worlds.spare[place] = spare
            others += 1


@inner
def draw_card(worlds: Worlds, state: int, drawn: int, left: int, lacks: int) -> tuple[int, int]:
    """Draw one of the cards left that is not lacked; returns it and the state of the next word."""
    while True:
        state += GAMMA
        pick = drawn + (upper_bits(mix64(state), DRAW_BITS) * popcount(left) >> DRAW_BITS)
        card = worlds.unseen[pick]
        if card & lacks == 0:
            break
    worlds.unseen[pick] = worlds.unseen[drawn]
    worlds.unseen[drawn] = card
    return card, state


@inner
def deal_world(
    worlds: Worlds,
    world: int,
    state: int,
    setting: Setting,
    unseen: int,
    thrown: int,
    seen: NDArray[np.int64],
) -> tuple[float, int]:
    """Deal one world: what was thrown away, and to each seat kept trumps and then all the rest.

    Of the trumps that a seat kept before a draw, those that it played count as the first.

    Returns its weight, 0 where somebody found too few cards, and the state of the next word.
    """
    weight = 1.0
    drawn = 0
    left = unseen
    for _ in range(thrown):
        card, state = draw_card(worlds, state, drawn, left, setting.trump)
        drawn += 1
        left ^= card
    for place in range(setting.players - 1):
        seat = worlds.seats[place]
        played = seen[PLAYED, seat]
        sure = worlds.told[seat] & ~played
        hand = sure
        kept = (HAND_SIZE - seen[THROWN, seat]) * setting.draw
        still_kept = max(kept - popcount(played & setting.trump) - popcount(sure), 0)
        for only_kept in range(setting.draw, -1, -1):
            lacks = worlds.lacks[seat]
            wanted = seen[HOLDS, seat] - popcount(hand)
            if only_kept:
                lacks |= ~setting.trump
                wanted = still_kept
            choice = popcount(left & ~lacks)
            if choice < wanted:
                return 0.0, state
            weight *= WAYS[choice, wanted]
            for _ in range(wanted):
                card, state = draw_card(worlds, state, drawn, left, lacks)
                drawn += 1
                left ^= card
                hand |= card
        if setting.draw:
            # Any of the trumps, but those that were told, may be the ones that were kept.
            told = popcount(worlds.told[seat])
            trumps = popcount((hand | played) & setting.trump) - told
            weight *= WAYS[trumps, kept - told]
            weight /= WAYS[popcount(hand & ~sure & setting.trump), still_kept]
        worlds.hands[world // WIDTH, seat, world % WIDTH] = hand | played
    return weight, state
