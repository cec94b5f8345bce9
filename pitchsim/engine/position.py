"""A position in a hand whose cards everybody sees, and what a play makes of it.

Positions are rows of `Search.positions`. Nothing here chooses a play.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitchsim.engine.bits import lowest
from pitchsim.engine.jit import inner, maker
from pitchsim.engine.lanes import popcount
from pitchsim.engine.scalars import highest_of
from pitchsim.engine.setting import HAND_SIZE, MOST_PLAYERS, Setting, card_points

# The columns of a row of `Search.positions`.
LEFT, LEADER, TURN, LED, FOLLOWERS, BEST, WINNER, TRICK, NEED, TOTALS, DECIDED = range(11)
# And, at a position that was looked into: how many plays it has, which is next, whose they are, and
# what it is in the table of positions.
COUNT, NEXT, OURS, SLOT, KEY, LEADS = range(11, 17)
COLUMNS = 17

MOST_TURNS = HAND_SIZE * MOST_PLAYERS

# Each side's card points in a number of their own, eight bits wide.
TOTAL_BITS = 8
TOTAL = (1 << TOTAL_BITS) - 1

# The rows and columns of the rest of a search.
WORTH_ROWS = 6
ROWS, OUR_CARDS = range(2)
SEARCHES, NODES, LIMIT = range(3)


class Search(NamedTuple):
    """What is searched, and room to do it in.

    hands : int64[7], what each seat held before the first lead, trump-relative.
    worth : int64[6], the cards whose points (but Game) have the bit 1, 2, 4, ... in them.
    facts : int64[2]: how many rows of `worth` are needed, our cards.
    positions : int64[43, COLUMNS], the positions on the way to the one in hand; the first is where
        the search began.
    plays : int64[43, 6], the plays of each of them, most hopeful first.
    table : int64[rows, 5], the positions that have been searched.
    counts : int64[3]: the searches and nodes so far, and how many nodes there may be.
    """

    hands: NDArray[np.int64]
    worth: NDArray[np.int64]
    facts: NDArray[np.int64]
    positions: NDArray[np.int64]
    plays: NDArray[np.int64]
    table: NDArray[np.int64]
    counts: NDArray[np.int64]


@maker
def make_positions(rows: int) -> Search:
    """Make room for a hand, and for so many positions of it that have been searched."""
    return Search(
        np.zeros(MOST_PLAYERS, np.int64),
        np.zeros(WORTH_ROWS, np.int64),
        np.zeros(2, np.int64),
        np.zeros((MOST_TURNS + 1, COLUMNS), np.int64),
        np.zeros((MOST_TURNS + 1, HAND_SIZE), np.int64),
        np.zeros((rows, 5), np.int64),
        np.zeros(3, np.int64),
    )


@inner
def points_of(search: Search, cards: int) -> int:
    """Count the points, but Game, of which a set has the cards."""
    points = 0
    for row in range(search.facts[ROWS]):
        points += popcount(cards & search.worth[row]) << row
    return points


@inner
def suit_of_lead(setting: Setting, card: int) -> int:
    """Give the suit that a card leads."""
    led = setting.trump
    for i in range(setting.plain_suits.shape[0]):
        if card & setting.plain_suits[i]:
            led = setting.plain_suits[i]
    return led


@inner
def legal_of(setting: Setting, hand: int, led: int, followers: int) -> int:
    """Give the cards that may be played: any to lead (`led` 0), else of the suit led or trump."""
    if hand & led:
        return hand & followers
    if led and hand & setting.forced:
        return hand & setting.forced
    return hand


@inner
def next_seat(setting: Setting, seat: int, turns: int) -> int:
    """Count `turns` seats on, clockwise."""
    after = seat + turns
    return after if after < setting.players else after - setting.players


@inner
def add_worth(search: Search, card: int, points: int) -> None:
    """Let a card bring some points to who wins it; one card may bring several."""
    carried = points
    for row in range(WORTH_ROWS):
        had = search.worth[row] & card != 0
        if carried & 1:
            search.worth[row] ^= card
            carried += 2 * had
        carried >>= 1
        if search.worth[row]:
            search.facts[ROWS] = max(search.facts[ROWS], row + 1)


@inner
def begin_deal(search: Search, setting: Setting, hands: NDArray[np.int64]) -> None:
    """Set up a deal before its first lead; hands : int64[7], by seat."""
    dealt = 0
    ours = 0
    for seat in range(setting.players):
        search.hands[seat] = hands[seat]
        dealt |= hands[seat]
        if seat & setting.side_mask == 0:
            ours |= hands[seat]
    for row in range(WORTH_ROWS):
        search.worth[row] = 0
    search.facts[ROWS] = 0
    search.facts[OUR_CARDS] = ours
    trumps = dealt & setting.trump
    low = lowest(trumps & setting.low_cards)
    need = 0
    add_worth(search, highest_of(trumps), setting.high_worth)
    if setting.low_to_holder == 0:
        add_worth(search, low, setting.low_worth)
    elif low & ours:
        need = -setting.low_worth
    for i in range(setting.prize_cards.shape[0]):
        add_worth(search, setting.prize_cards[i] & dealt, setting.prize_worth[i])
    first = search.positions[0]
    first[:] = 0
    first[LEFT] = dealt
    first[NEED] = need
    first[DECIDED] = setting.game_worth == 0
    first_to_lead(search, setting, first)


@inner
def first_to_lead(search: Search, setting: Setting, position: NDArray[np.int64]) -> None:
    """Pass over leaders without a card."""
    left = position[LEFT]
    while left and search.hands[position[LEADER]] & left == 0:
        position[LEADER] = next_seat(setting, position[LEADER], 1)


@inner
def play_card(
    search: Search,
    setting: Setting,
    before: NDArray[np.int64],
    card: int,
    after: NDArray[np.int64],
) -> bool:
    """Play a card and write the position after it; say whether it is a complete trick."""
    players = setting.players
    left = before[LEFT] ^ card
    turn = before[TURN]
    leader = before[LEADER]
    seat = next_seat(setting, leader, turn)
    if turn == 0:
        led = suit_of_lead(setting, card)
        followers = led if led == setting.trump else led | setting.ruff
        best = card
        winner = seat
        trick = card
    else:
        led = before[LED]
        followers = before[FOLLOWERS]
        best = before[BEST]
        winner = before[WINNER]
        if card & (led | setting.ruff) > best:
            best = card
            winner = seat
        trick = before[TRICK] | card
    turn += 1
    while turn < players and search.hands[next_seat(setting, leader, turn)] & left == 0:
        turn += 1
    after[LEFT] = left
    after[DECIDED] = before[DECIDED]
    if turn < players:
        after[LEADER] = leader
        after[TURN] = turn
        after[LED] = led
        after[FOLLOWERS] = followers
        after[BEST] = best
        after[WINNER] = winner
        after[TRICK] = trick
        after[NEED] = before[NEED]
        after[TOTALS] = before[TOTALS]
        return False
    side = winner & setting.side_mask
    after[LEADER] = winner
    after[TURN] = 0
    after[LED] = 0
    after[FOLLOWERS] = 0
    after[BEST] = 0
    after[TRICK] = trick
    after[WINNER] = winner
    after[NEED] = before[NEED] - (points_of(search, trick) if side == 0 else 0)
    after[TOTALS] = before[TOTALS] + (card_points(trick, setting) << TOTAL_BITS * side)
    if search.hands[winner] & left == 0:
        first_to_lead(search, setting, after)
    return True


@inner
def hand_to_move(search: Search, setting: Setting) -> int:
    """Give the hand of the player to move at the first of the positions."""
    position = search.positions[0]
    seat = next_seat(setting, position[LEADER], position[TURN])
    return int(position[LEFT] & search.hands[seat])


@inner
def is_ours(setting: Setting, position: NDArray[np.int64]) -> bool:
    """Say whether the player to move is of the pitcher's side."""
    seat = next_seat(setting, position[LEADER], position[TURN])
    return seat & setting.side_mask == 0
