"""What a played hand brought, packed into one number.

An *outcome* is an int32. Bits 0-10: the points that the pitcher's side scored, bits 11-21: those
that another side scored, both in the order of POINTS; bits 22-24: the tricks that the pitcher's
side won.

The *takings* of a side are a set of points too, and for the pitcher's side, above them, whether it
won every trick: that is its *result*.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pitchsim.engine.bits import highest, lowest
from pitchsim.engine.jit import inner
from pitchsim.engine.lanes import Lanes, every, larger, load, store, where
from pitchsim.engine.setting import HAND_SIZE, Setting, card_points

POINTS = (
    "high",
    "low",
    "jack",
    "off_jack",
    "high_joker",
    "low_joker",
    "trump_three",
    "trump_five",
    "off_five",
    "ace_of_hearts",
    "game",
)
HIGH, LOW, GAME = 1 << 0, 1 << 1, 1 << 10
OTHERS_SHIFT = 11
TRICKS_SHIFT = 22
POINT_MASK = (1 << 11) - 1
ALL_TRICKS = POINT_MASK + 1


@inner
def game_point(setting: Setting, won: NDArray[np.int64]) -> tuple[Lanes, Lanes]:
    """Say who has the most card points: whether the pitcher's side, and whether another one."""
    ours = card_points(load(won, 0), setting)
    best = card_points(load(won, 1), setting)
    tied_at_top = every(0)
    sides = 2 if setting.side_mask == 1 else setting.players
    for side in range(2, sides):
        theirs = card_points(load(won, side), setting)
        tied_at_top = (theirs == best) | (tied_at_top & (theirs < best))
        best = larger(best, theirs)
    we_score = (ours > best) | ((ours == best) & setting.tie_to_pitcher)
    they_score = (best > ours) & (tied_at_top == 0)
    return we_score, they_score


@inner
def outcome_of(
    setting: Setting, dealt: Lanes, held: Lanes, won: NDArray[np.int64], tricks: Lanes
) -> Lanes:
    """Score a hand.

    dealt : the cards in play; held : those that the pitcher's side held when play began;
    won : the cards that each side won, a row for each; tricks : how many the pitcher's side won.
    """
    ours = load(won, 0)
    trumps = dealt & setting.trump
    high = highest(trumps)
    low = lowest(trumps & setting.low_cards)
    low_owned = held if setting.low_to_holder else ours
    scored = ((ours & high) != 0) * HIGH | ((low_owned & low) != 0) * LOW
    in_play = (high != 0) * HIGH | (low != 0) * LOW
    for i in range(setting.prize_cards.shape[0]):
        card = setting.prize_cards[i]
        scored = scored | ((ours & card) != 0) * setting.prize_bits[i]
        in_play = in_play | ((dealt & card) != 0) * setting.prize_bits[i]
    we_score, they_score = game_point(setting, won)
    others = (in_play & ~scored) | they_score * GAME
    return scored | we_score * GAME | others << OTHERS_SHIFT | tricks << TRICKS_SHIFT


@inner
def takings_of(
    setting: Setting,
    dealt: Lanes,
    hands: NDArray[np.int64],
    won: NDArray[np.int64],
    tricks: Lanes,
    takings: NDArray[np.int64],
) -> None:
    """Score a hand for every side.

    dealt, won, tricks : as for `outcome_of`.
    hands : what each seat held when play began, a row for each.
    takings : written, a row for each side.
    """
    trumps = dealt & setting.trump
    high = highest(trumps)
    low = lowest(trumps & setting.low_cards)
    sides = 2 if setting.side_mask == 1 else setting.players
    best = every(-1)
    with_best = every(0)
    for side in range(sides):
        points = card_points(load(won, side), setting)
        with_best = where(points < best, with_best, (points == best) * with_best + 1)
        best = larger(best, points)
    pitchers_tie = (card_points(load(won, 0), setting) == best) & setting.tie_to_pitcher
    for side in range(sides):
        theirs = load(won, side)
        owned = theirs
        if setting.low_to_holder:
            owned = every(0)
            for seat in range(setting.players):
                if seat & setting.side_mask == side:
                    owned = owned | load(hands, seat)
        scored = ((theirs & high) != 0) * HIGH | ((owned & low) != 0) * LOW
        for i in range(setting.prize_cards.shape[0]):
            scored = scored | ((theirs & setting.prize_cards[i]) != 0) * setting.prize_bits[i]
        has_best = card_points(theirs, setting) == best
        game = has_best & (with_best == 1) & (pitchers_tie == 0)
        if side == 0:
            game = game | pitchers_tie
            scored = scored | (tricks == HAND_SIZE) * ALL_TRICKS
        store(takings, side, scored | game * GAME)
