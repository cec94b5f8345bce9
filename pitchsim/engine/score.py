"""What a played hand brought, packed into one number.

An *outcome* is an int32. Bits 0-10: the points that the pitcher's side scored, bits 11-21: those
that another side scored, both in the order of POINTS; bits 22-24: the tricks that the pitcher's
side won.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pitchsim.engine.bits import highest, lowest
from pitchsim.engine.jit import inner
from pitchsim.engine.setting import Setting, card_points

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


@inner
def game_point(setting: Setting, sides: int, won: NDArray[np.int64]) -> tuple[int, int]:
    """Say who has the most card points: whether the pitcher's side, and whether another one.

    Comparisons are joined without branches here and below: a processor guesses half of these
    wrong, and that costs more than all of the scoring.
    """
    ours = card_points(won[0], setting)
    best = card_points(won[1], setting)
    tied_at_top = 0
    for side in range(2, sides):
        theirs = card_points(won[side], setting)
        tied_at_top = int(theirs == best) | (tied_at_top & int(theirs < best))
        best = max(best, theirs)
    we_score = int(ours > best) | (int(ours == best) & setting.tie_to_pitcher)
    they_score = int(best > ours) & (1 - tied_at_top)
    return we_score, they_score


@inner
def outcome_of(
    setting: Setting, sides: int, dealt: int, held: int, won: NDArray[np.int64], tricks: int
) -> int:
    """Score a hand.

    dealt : the cards in play; held : those that the pitcher's side held when play began;
    won : the cards that each side won; tricks : how many the pitcher's side won.
    """
    ours = won[0]
    trumps = dealt & setting.trump
    high = highest(trumps)
    low = lowest(trumps & setting.low_cards)
    low_owned = held if setting.low_to_holder else ours
    scored = HIGH * int(ours & high != 0) | LOW * int(low_owned & low != 0)
    in_play = HIGH * int(high != 0) | LOW * int(low != 0)
    for i in range(setting.prize_cards.shape[0]):
        card = setting.prize_cards[i]
        scored |= setting.prize_bits[i] * int(ours & card != 0)
        in_play |= setting.prize_bits[i] * int(dealt & card != 0)
    we_score, they_score = game_point(setting, sides, won)
    others = in_play & ~scored | GAME * they_score
    return scored | GAME * we_score | others << OTHERS_SHIFT | tricks << TRICKS_SHIFT
