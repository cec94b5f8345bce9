"""What a bid says of the pitcher's hand: the chances with which hands make it."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pitchsim.encoding import cards_dealt, encode_plan, encode_policies, encode_setting
from pitchsim.engine import (
    HAND_SIZE,
    MOST_CARDS,
    MOST_PLAYERS,
    deal_hands,
    play_hands,
)
from pitchsim.known import Known
from pitchsim.plays import QUICK
from pitchsim.rules import Rules, Seating
from pitchsim.worth import made_table, results_of

#: Deals from which it is learned, a few milliseconds of them: a card adds so much to within some
#: thousandths.
LEARNING_DEALS = 16_384
THOUSANDTHS = 1000


@lru_cache(maxsize=256)
def chances_to_make(
    rules: Rules, seating: Seating, trump: str, bids: tuple[str, ...]
) -> NDArray[np.int64]:
    """Learn what each card of the pitcher's hand adds to the chance of making a bid.

    Random hands with something to lead are played out by rules of thumb. Each card then adds the
    share of the hands with it that make the bid, less the share of those without it, as if cards
    did so independently of each other. After a draw nothing is said of the hand: it is not the
    one that was bid on.

    Returns
    -------
    NDArray
        int64[bids, 57], in thousandths: what each card adds, by its bit in the engine, and as the
        last the chance of a hand without any.
    """
    chances = np.zeros((len(bids), MOST_CARDS + 1), np.int64)
    if rules.draw:
        chances[:, -1] = THOUSANDTHS
        return chances
    known = Known()
    plan = encode_plan(rules, seating, known)
    setting = encode_setting(rules, seating, known, trump, dealer=seating.players - 1, told=known)
    positions = np.zeros((LEARNING_DEALS, MOST_PLAYERS), np.int64)
    deal_hands(np.uint64(0), 0, plan, positions)
    hands = cards_dealt(setting, positions[:, 0])
    pitching = hands & setting.lead_mask != 0
    positions, hands = positions[pitching], hands[pitching]
    outcomes = np.zeros((1, len(hands)), np.int32)
    play_hands(
        encode_policies([QUICK] * seating.players),
        np.uint64(0),
        0,
        plan,
        setting,
        positions,
        np.zeros(1, np.int64),
        outcomes,
        np.zeros(HAND_SIZE * MOST_PLAYERS, np.int64),
    )
    results = results_of(outcomes[0])
    held = hands[:, np.newaxis] >> np.arange(MOST_CARDS) & 1
    with_it = held.sum(axis=0)
    without_it = len(hands) - with_it
    for place, bid in enumerate(bids):
        made = made_table(rules, bid)[results].astype(np.int64)
        made_with_it = made @ held
        made_without_it = made.sum() - made_with_it
        more = made_with_it * without_it - made_without_it * with_it
        adds = THOUSANDTHS * more // np.maximum(with_it * without_it, 1)
        chances[place, :-1] = adds
        chances[place, -1] = (THOUSANDTHS * made.sum() - adds @ with_it) // len(hands)
    return chances
