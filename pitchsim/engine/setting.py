"""The cards once trump is known, as the kernels see them.

Cards are renumbered *trump-relative*: the trump suit is the top lane, in rank order with jokers,
off-jack and off-five at their places (up to 17 bits), and below it lie the plain suits, 13 bits
each, hearts above the others so that a second trump suit outranks them. Then the highest bit wins
a trick, following suit is one AND, and High and Low are the ends of a set. Which rule set it is
shows only in these numbers: one compilation serves all.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic, overload
from numpy.typing import NDArray

from pitchsim.engine.jit import inner
from pitchsim.engine.lanes import Lanes, every, look_up, popcount, where

HAND_SIZE = 6
MOST_CARDS = 56
MOST_PLAYERS = 7
DISCARD_GROUPS = 4
SPREAD_TABLES = 7  # of eight positions each: up to 56 unseen cards


class Setting(NamedTuple):
    """One table, one trump suit. Seats are counted from the pitcher, who is seat 0.

    Sets of cards are trump-relative masks; arrays are C-contiguous int64.

    side_mask : seat & side_mask is the side: 1 for two sides, 7 where everybody plays alone.
    dealer : the seat after which the draw begins.
    draw : 1 where everybody throws the plain cards away and draws to six.
    trump, ruff : the trump suit; that and the second trump suit: what may always be played.
    forced : what a player without the suit led must play, if they hold any of it.
    lead_mask : what the first lead may be, where a player is to choose it.
    low_cards : the trumps that can be Low.
    low_to_holder, tie_to_pitcher : 1 or 0.
    spread : [7, 256], the cards of each eight unseen positions.
    fixed : [7], the cards that each seat is known to hold.
    plain_suits : [3], the other suits than trump.
    prize_cards, prize_bits : the cards that score for who wins them, and their bits in an outcome.
    prize_worth : what each of them scores.
    high_worth, low_worth, game_worth : what those points are worth.
    smudge_tricks : 1 where a smudge promises all the tricks; smudge_points : the points that it
        promises with them.
    aces : the aces of the plain suits, which end them.
    counters : [4], the cards whose card points have the bit 1, 2, 4, 8 in them.
    discards : [DISCARD_GROUPS], what a player of rules of thumb parts with, cheapest first, after
        small and court cards of the plain suits, and before prizes that score more than 1.
    tens, prizes : the tens, and the cards that score for who wins them.
    deck : all the cards; harmless : those that the pitcher knows to be with no opponent.
    told, denied : [7], the cards that the pitcher knows each other seat to be dealt, and not to
        hold when play begins.
    """

    players: int
    side_mask: int
    dealer: int
    draw: int
    trump: int
    ruff: int
    forced: int
    lead_mask: int
    low_cards: int
    low_to_holder: int
    tie_to_pitcher: int
    deck: int
    harmless: int
    tens: int
    prizes: int
    aces: int
    high_worth: int
    low_worth: int
    game_worth: int
    smudge_tricks: int
    smudge_points: int
    spread: NDArray[np.int64]
    fixed: NDArray[np.int64]
    plain_suits: NDArray[np.int64]
    prize_cards: NDArray[np.int64]
    prize_bits: NDArray[np.int64]
    prize_worth: NDArray[np.int64]
    counters: NDArray[np.int64]
    discards: NDArray[np.int64]
    told: NDArray[np.int64]
    denied: NDArray[np.int64]


def with_harmless(setting: Setting, harmless: int) -> Setting:
    """Give the same table to a pitcher who knows these cards to be with no opponent."""
    return setting._replace(harmless=harmless)


@intrinsic  # type: ignore[untyped-decorator]
def _with_harmless(_typing: Any, setting: Any, harmless: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        place = Setting._fields.index("harmless")
        changed = builder.insert_value(values[0], values[1], place)
        return impl_ret_borrowed(context, builder, signature.return_type, changed)

    return setting(setting, harmless), generate


overload(with_harmless)(
    lambda setting, harmless: lambda setting, harmless: _with_harmless(setting, harmless)
)


@inner
def cards_at(positions: Lanes, setting: Setting) -> Lanes:
    """Turn sets of unseen positions into the cards that lie there."""
    cards = look_up(setting.spread, 0, positions & 255)
    for i in range(1, SPREAD_TABLES):
        cards = cards | look_up(setting.spread, i, (positions >> 8 * i) & 255)
    return cards


@inner
def suit_led(card: Lanes, setting: Setting) -> Lanes:
    """Give the suit that a card leads."""
    led = every(setting.trump)
    for i in range(setting.plain_suits.shape[0]):
        led = where(card & setting.plain_suits[i], setting.plain_suits[i], led)
    return led


@inner
def card_points(cards: Lanes, setting: Setting) -> Lanes:
    """Count the card points of a set: A 4, K 3, Q 2, J 1, 10 10."""
    counters = setting.counters
    return (
        popcount(cards & counters[0])
        + popcount(cards & counters[1]) * 2
        + popcount(cards & counters[2]) * 4
        + popcount(cards & counters[3]) * 8
    )
