"""Deals that each have a pitcher, a trump suit and a lead of their own, as auctions leave them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pitchsim.engine.deal import DealPlan
from pitchsim.engine.expert import Aims, make_room, play_for, take_seats
from pitchsim.engine.jit import inner, kernel
from pitchsim.engine.lanes import WIDTH, Lanes, every, load
from pitchsim.engine.play import Script, make_space, roll_out, take_up_hands
from pitchsim.engine.score import TRICKS_SHIFT, takings_of
from pitchsim.engine.setting import HAND_SIZE, MOST_PLAYERS, Setting
from pitchsim.engine.stream import PLAY_WORDS, key_of, state_at


@inner
def number_deals(numbers: NDArray[np.int64], row: int, eight: NDArray[np.int64]) -> None:
    """Give eight deals their numbers, int64[1, 8]; behind the last one stands that again."""
    for lane in range(WIDTH):
        eight[0, lane] = numbers[min(row + lane, numbers.shape[0] - 1)]


@inner
def all_dealt(setting: Setting, hands: NDArray[np.int64]) -> Lanes:
    """Give the cards in play."""
    dealt = every(0)
    for seat in range(setting.players):
        dealt = dealt | load(hands, seat)
    return dealt


@kernel
def play_contracts(
    policies: int,
    seed: np.uint64,
    numbers: NDArray[np.int64],
    plan: DealPlan,
    setting: Setting,
    positions: NDArray[np.int64],
    leads: NDArray[np.int64],
    takings: NDArray[np.int64],
    plays: NDArray[np.int64],
) -> None:
    """Play every deal once; in all of them one suit is trump.

    policies : of the seats, RANDOM or BASIC (see `play.py`).
    numbers : int64[deals], of the deals.
    positions : int64[deals, 7], as dealt, the pitcher's first.
    leads : int64[deals], the first cards; or all 0, which leaves them to the policy.
    takings : int64[deals, 7], written: of each side, the pitcher's first (see `score.py`).
    plays : int64[42], left with the cards of the last hand, as by `play_hands`.
    """
    deals = positions.shape[0]
    key = key_of(seed)
    eight = np.zeros((1, WIDTH), np.int64)
    hands = np.zeros((MOST_PLAYERS, WIDTH), np.int64)
    taken = np.zeros((MOST_PLAYERS, WIDTH), np.int64)
    space = make_space()
    opening = np.zeros((1, WIDTH), np.int64)
    given = int(leads[0] != 0)
    for row in range(0, deals, WIDTH):
        number_deals(numbers, row, eight)
        take_up_hands(key, eight, plan, setting, positions, row, hands)
        state = state_at(key, load(eight, 0), PLAY_WORDS)
        for lane in range(WIDTH):
            opening[0, lane] = leads[min(row + lane, deals - 1)]
        script = Script(opening, given, given)
        outcomes = roll_out(policies, setting, state, hands, script, space)
        tricks = outcomes >> TRICKS_SHIFT
        takings_of(setting, all_dealt(setting, hands), hands, space.won, tricks, taken)
        for lane in range(min(WIDTH, deals - row)):
            for side in range(MOST_PLAYERS):
                takings[row + lane, side] = taken[side, lane]
    for turn in range(HAND_SIZE * setting.players):
        plays[turn] = space.plays[turn, WIDTH - 1]


@kernel
def play_expert_contracts(
    policies: int,
    seed: np.uint64,
    numbers: NDArray[np.int64],
    plan: DealPlan,
    settings: tuple[Setting, Setting],
    positions: NDArray[np.int64],
    leads: NDArray[np.int64],
    worlds: int,
    aims: Aims,
    takings: NDArray[np.int64],
    plays: NDArray[np.int64],
) -> None:
    """Play every deal once, some of the players being experts; all of them for one bid.

    settings : the table as it is, with what the pitcher knows; and as the others know it.
    worlds : how many an expert deals at each turn.
    aims : what is played for, at that bid alone.
    The rest is as for `play_contracts`.
    """
    setting = settings[0]
    key = key_of(seed)
    eight = np.zeros((1, WIDTH), np.int64)
    hands = np.zeros((MOST_PLAYERS, WIDTH), np.int64)
    taken = np.zeros((MOST_PLAYERS, WIDTH), np.int64)
    room = make_room(worlds, 1)
    for deal in range(positions.shape[0]):
        lane = deal % WIDTH
        if lane == 0:
            number_deals(numbers, deal, eight)
            take_up_hands(key, eight, plan, setting, positions, deal, hands)
        take_seats(room, setting, positions[deal], hands, lane)
        play_for(room, aims, 0, settings, policies, key, numbers[deal], leads[deal])
        tricks = load(room.result, 0) >> TRICKS_SHIFT
        dealt = all_dealt(setting, room.hands)
        takings_of(setting, dealt, room.hands, room.space.won, tricks, taken)
        for side in range(MOST_PLAYERS):
            takings[deal, side] = taken[side, 0]
    for turn in range(HAND_SIZE * setting.players):
        plays[turn] = room.space.plays[turn, 0]
