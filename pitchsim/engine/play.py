"""Playing a hand out: six tricks by the rules of a setting and the choices of the play policies."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pitchsim.engine.basic import basic_follow, basic_lead
from pitchsim.engine.bits import first, popcount, select, trailing_zeros
from pitchsim.engine.deal import DealPlan, draw_cards
from pitchsim.engine.jit import inner, kernel
from pitchsim.engine.score import outcome_of
from pitchsim.engine.setting import HAND_SIZE, MOST_PLAYERS, Setting, cards_at
from pitchsim.engine.stream import (
    DRAW_WORDS,
    GAMMA,
    PLAY_WORDS,
    key_of,
    mix64,
    state_at,
    upper_bits,
)

RANDOM, BASIC = 0, 1
LAST_TRICK = HAND_SIZE - 1

# One random word a trick: its upper 60 bits are a fraction, and a choice among n takes log2(n)
# bits of it. Seven players take 18.1 bits at most, so no card is favoured by more than 2**-41.
FRACTION_BITS = 60
FRACTION = (1 << FRACTION_BITS) - 1
RING = 16  # two rings of hands, each with every seat twice, so that a turn needs no wrapping


@inner
def legal_cards(hand: int, led: int, followers: int, forced: int) -> int:
    """Give the cards that may follow: of the suit led or a trump; without that suit, any.

    Where a void player must trump, `forced` holds what counts as trump; else it is empty.
    """
    void = hand & forced if hand & forced else hand
    return hand & followers if hand & led else void


@inner
def random_card(legal: int, fraction: int) -> tuple[int, int]:
    """Choose a legal card uniformly; returns it and what is left of the fraction."""
    scaled = fraction * popcount(legal)
    return select(legal, scaled >> FRACTION_BITS), scaled & FRACTION


@inner
def seat_after(seat: int, turns: int, players: int) -> int:
    """Count `turns` seats on, clockwise."""
    return seat + turns if seat + turns < players else seat + turns - players


@inner
def play_tricks(
    players: int,
    policies: tuple[int, int],
    setting: Setting,
    state: np.uint64,
    lead: int,
    hands: NDArray[np.int64],
    won: NDArray[np.int64],
    may_hold: NDArray[np.int64],
    behind: NDArray[np.int64],
    plays: NDArray[np.int64],
) -> int:
    """Play six tricks and return how many the pitcher's side won.

    The hands come in the first ring of `hands`; the cards won by each side are left in `won`, and
    every card played in `plays`, in order. Called with constants for the usual table and policies:
    inlined, the loop over the players then unrolls.
    """
    side_mask = setting.side_mask
    ruff = setting.ruff
    forced = setting.forced
    partner_step = 2 if side_mask == 1 else 1
    watching = policies[0] != RANDOM or policies[1] != RANDOM
    ring = 0  # the ring that holds the hands, those of the last trick's leader first
    turn = 0  # where in it this trick's leader sits
    leader = 0
    played = 0
    tricks = 0
    for seat in range(players):
        won[seat] = 0
        may_hold[seat] = -1
    for trick in range(HAND_SIZE):
        fraction = upper_bits(mix64(state), FRACTION_BITS)
        state += GAMMA
        while hands[ring + turn] == 0:  # only where the stock ran out in a draw
            turn = seat_after(turn, 1, players)
            leader = seat_after(leader, 1, players)
        if watching:
            behind[players] = 0
            behind[players + 1] = 0
            for k in range(players - 1, 0, -1):
                seat = seat_after(leader, k, players)
                behind[k] = may_hold[seat] | behind[k + partner_step]
        next_ring = ring ^ RING
        hand = hands[ring + turn]
        policy = policies[0] if leader & side_mask == 0 else policies[1]
        if trick == 0 and lead:
            card = lead
        elif trick == LAST_TRICK:
            card = hand
        else:
            legal = first(hand & setting.lead_mask, hand) if trick == 0 else hand
            if policy == RANDOM:
                card, fraction = random_card(legal, fraction)
            else:
                card = basic_lead(setting, hand, legal, played, behind[1])
        hands[next_ring] = hand ^ card
        hands[next_ring + players] = hand ^ card
        plays[trick * players] = card
        led = setting.suit_of[trailing_zeros(card)]
        followers = setting.followers[trailing_zeros(card)]
        winners = led | ruff
        cards = card
        # The highest bit wins; the three bits below a card tell in which turn it was played.
        best = card << 3
        for k in range(1, players):
            hand = hands[ring + turn + k]
            legal = legal_cards(hand, led, followers, forced)
            seat = seat_after(leader, k, players)
            policy = policies[0] if seat & side_mask == 0 else policies[1]
            if trick == LAST_TRICK:
                card = hand
            elif hand == 0:
                card = 0
            elif policy == RANDOM:
                card, fraction = random_card(legal, fraction)
            else:
                partner_wins = (best & 7 ^ k) & side_mask == 0
                card = basic_follow(
                    setting,
                    hand,
                    legal,
                    led,
                    cards,
                    best >> 3,
                    partner_wins,
                    played,
                    behind[k + 1],
                    k + partner_step + 1 >= players,
                )
            hands[next_ring + k] = hand ^ card
            hands[next_ring + k + players] = hand ^ card
            plays[trick * players + k] = card
            if watching:
                shown = 0 if card & followers else led
                shown |= 0 if card & (followers | forced) else forced
                may_hold[seat] &= ~shown
            cards |= card
            best = max(best, (card & winners) << 3 | k)
        played |= cards
        ring = next_ring
        turn = best & 7
        leader = seat_after(leader, turn, players)
        won[leader & side_mask] |= cards
        tricks += int(leader & side_mask == 0)
    return tricks


@inner
def draw_to_six(
    setting: Setting, plan: DealPlan, state: np.uint64, taken: int, hands: NDArray[np.int64]
) -> None:
    """Let everybody, from the dealer's left, throw plain cards away and draw back to six.

    `taken` are the positions dealt. The stock is what remains, cards known to be in nobody's hand
    among it; when it is used up, the rest draw less or nothing.
    """
    stock = plan.cards - popcount(taken)
    for i in range(setting.players):
        seat = (setting.dealer + 1 + i) % setting.players
        kept = hands[seat] & setting.trump
        k = min(HAND_SIZE - popcount(kept), stock)
        drawn = 0
        if k:
            drawn, state = draw_cards(state, stock, k, taken)
        hands[seat] = kept | cards_at(drawn, setting)
        taken |= drawn
        stock -= k


@kernel
def play_hands(
    policies: tuple[int, int],
    seed: np.uint64,
    first: int,
    plan: DealPlan,
    setting: Setting,
    positions: NDArray[np.int64],
    leads: NDArray[np.int64],
    outcomes: NDArray[np.int32],
    plays: NDArray[np.int64],
) -> None:
    """Play every deal once for each first lead.

    policies : of the pitcher's side and of the others, RANDOM or BASIC.
    first : the number of the first deal, whose positions stand in row 0.
    leads : the cards to lead; 0 lets the pitcher's policy choose.
    outcomes : int32[leads, deals], written (see `score.py`).
    plays : int64[42], left with the cards of the last hand in the order played.
    """
    players = setting.players
    sides = 2 if setting.side_mask == 1 else players
    key = key_of(seed)
    dealt_hands = np.zeros(MOST_PLAYERS, np.int64)
    hands = np.zeros(2 * RING, np.int64)
    won = np.zeros(MOST_PLAYERS, np.int64)
    may_hold = np.zeros(MOST_PLAYERS, np.int64)
    behind = np.zeros(MOST_PLAYERS + 2, np.int64)
    for row in range(positions.shape[0]):
        taken = 0
        for seat in range(players):
            taken |= positions[row, seat]
            dealt_hands[seat] = setting.fixed[seat] | cards_at(positions[row, seat], setting)
        if setting.draw:
            state = state_at(key, first + row, DRAW_WORDS)
            draw_to_six(setting, plan, state, taken, dealt_hands)
        dealt = 0
        held = 0
        for seat in range(players):
            dealt |= dealt_hands[seat]
            held |= dealt_hands[seat] if seat & setting.side_mask == 0 else 0
        state = state_at(key, first + row, PLAY_WORDS)
        for i in range(leads.shape[0]):
            for seat in range(players):
                hands[seat] = dealt_hands[seat]
                hands[seat + players] = dealt_hands[seat]
            if players != 4:
                tricks = play_tricks(
                    players, policies, setting, state, leads[i], hands, won, may_hold, behind, plays
                )
            elif policies[0] == RANDOM and policies[1] == RANDOM:
                tricks = play_tricks(
                    4,
                    (RANDOM, RANDOM),
                    setting,
                    state,
                    leads[i],
                    hands,
                    won,
                    may_hold,
                    behind,
                    plays,
                )
            else:
                tricks = play_tricks(
                    4, policies, setting, state, leads[i], hands, won, may_hold, behind, plays
                )
            outcomes[i, row] = outcome_of(setting, sides, dealt, held, won, tricks)
