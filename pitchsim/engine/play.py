"""Playing a hand out: six tricks by the rules of a setting and the choices of the play policies.

The first cards of a hand may be given as a *script*; from there on the policies choose.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitchsim.engine.basic import basic_follow, basic_lead
from pitchsim.engine.bits import first, select
from pitchsim.engine.deal import DealPlan, draw_cards
from pitchsim.engine.jit import inner, kernel, maker
from pitchsim.engine.lanes import (
    WIDTH,
    Lanes,
    any_of,
    every,
    larger,
    load,
    popcount,
    store,
    where,
)
from pitchsim.engine.score import outcome_of
from pitchsim.engine.setting import HAND_SIZE, MOST_PLAYERS, Setting, cards_at, suit_led
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
POLICY_BITS = 2  # of a number that holds the policies of all the seats, the pitcher's lowest
LAST_TRICK = HAND_SIZE - 1

# One random word a trick: its upper 60 bits are a fraction, and a choice among n takes log2(n)
# bits of it. Seven players take 18.1 bits at most, so no card is favoured by more than 2**-41.
FRACTION_BITS = 60
FRACTION = (1 << FRACTION_BITS) - 1


@inner
def policy_of(policies: int, seat: Lanes) -> Lanes:
    """Give the policies of some seats."""
    return every(policies) >> POLICY_BITS * seat & ((1 << POLICY_BITS) - 1)


@inner
def policy_at(policies: int, seat: int) -> int:
    """Give the policy of a seat."""
    return policies >> POLICY_BITS * seat & ((1 << POLICY_BITS) - 1)


@inner
def legal_cards(hand: Lanes, led: Lanes, followers: Lanes, forced: int) -> Lanes:
    """Give the cards that may follow: of the suit led or a trump; without that suit, any.

    Where a void player must trump, `forced` holds what counts as trump; else it is empty.
    """
    return where(hand & led, hand & followers, first(hand & forced, hand))


@inner
def random_card(legal: Lanes, fraction: Lanes) -> tuple[Lanes, Lanes]:
    """Choose a legal card uniformly; returns it and what is left of the fraction."""
    scaled = fraction * larger(popcount(legal), 1)
    return select(legal, scaled >> FRACTION_BITS), scaled & FRACTION


@inner
def seat_after(seat: Lanes, turns: Lanes, players: int) -> Lanes:
    """Count `turns` seats on, clockwise."""
    after = seat + turns
    return where(after < players, after, after - players)


@inner
def turn_table(rows: NDArray[np.int64], turns: Lanes, players: int) -> None:
    """Turn what lies before each player until the row of the one `turns` on is the first.

    One seat, then two, then four, wherever that bit of `turns` says so. The rows behind those of
    the players hold the first ones once more meanwhile.
    """
    step = 1
    while step < players:
        for k in range(step):
            store(rows, players + k, load(rows, k))
        for k in range(players):
            store(rows, k, where(turns & step, load(rows, k + step), load(rows, k)))
        step *= 2


class Space(NamedTuple):
    """Where eight hands are played: int64[rows, 8] each, a row for each player or turn.

    hands, may_hold : what each player holds, and what the play has not shown that they lack. The
        row of the leader comes first, then clockwise; `turn_table` uses the rows behind.
    behind : of the player before turn k, in [k] what the opponents who are still to play may hold,
        and, with partners, in [k + 1] what the partners who are may hold.
    won : the cards that each side has won.
    plays : the cards played, in order, and in the three bits below each the seat that played it.
    """

    hands: NDArray[np.int64]
    may_hold: NDArray[np.int64]
    behind: NDArray[np.int64]
    won: NDArray[np.int64]
    plays: NDArray[np.int64]


class Script(NamedTuple):
    """The first cards of a hand, which are played as they stand; the policies choose the others.

    cards : int64[42, 8], one for each turn: 0 where the player in turn has no card left. Only those
        of the first `turns` are read.
    turns : how many turns are given, from none to all of them.
    given_lead : 1 if the first of them is a lead that was fixed before the play began; 0 if the
        player chose it, or if there is no script.

    A card that random play chose took its part of the trick's random fraction, and takes the same
    part again here, so that the rest of the hand comes out as it would have done. A given lead
    takes none of it.
    """

    cards: NDArray[np.int64]
    turns: int
    given_lead: int


@maker
def make_space() -> Space:
    """Make room for eight hands; once for many of them."""
    return Space(
        np.zeros((MOST_PLAYERS + 4, WIDTH), np.int64),
        np.zeros((MOST_PLAYERS + 4, WIDTH), np.int64),
        np.zeros((MOST_PLAYERS + 2, WIDTH), np.int64),
        np.zeros((MOST_PLAYERS, WIDTH), np.int64),
        np.zeros((HAND_SIZE * MOST_PLAYERS, WIDTH), np.int64),
    )


@inner
def look_behind(space: Space, players: int, partner_step: int) -> None:
    """Work out what the opponents who are still to play may hold, from the last player back."""
    store(space.behind, players, every(0))
    store(space.behind, players + 1, every(0))
    for k in range(players - 1, 0, -1):
        theirs = load(space.may_hold, k) | load(space.behind, k + partner_step)
        store(space.behind, k, theirs)


@inner
def play_tricks(
    players: int,
    policies: int,
    setting: Setting,
    state: Lanes,
    script: Script,
    space: Space,
) -> Lanes:
    """Play the hands in `space` out and return how many tricks the pitcher's side won.

    Called with a constant for the usual number of players: inlined, the loops over the players
    then unroll.
    """
    side_mask = setting.side_mask
    ruff = setting.ruff
    forced = setting.forced
    alone = side_mask != 1
    partner_step = 1 if alone else 2
    some_random = False
    some_basic = False
    for seat in range(players):
        policy = policy_at(policies, seat)
        some_random = some_random or policy == RANDOM
        some_basic = some_basic or policy == BASIC
    hands = space.hands
    leader = every(0)
    played = every(0)
    tricks = every(0)
    for k in range(players):
        store(space.won, k, every(0))
        store(space.may_hold, k, every(-1))
    for trick in range(HAND_SIZE):
        fraction = upper_bits(mix64(state), FRACTION_BITS)
        state = state + GAMMA
        while any_of(load(hands, 0) == 0):  # only where the stock ran out in a draw
            empty = load(hands, 0) == 0
            leader = seat_after(leader, empty, players)
            turn_table(hands, empty, players)
            turn_table(space.may_hold, empty, players)
        if some_basic:
            look_behind(space, players, partner_step)
        turn = trick * players
        late = trick > 2
        hand = load(hands, 0)
        card = hand
        if trick == 0 and script.given_lead:
            card = load(script.cards, 0)
        elif trick != LAST_TRICK:
            legal = first(hand & setting.lead_mask, hand) if trick == 0 else hand
            policy = policy_of(policies, leader)
            if some_random:
                card, rest = random_card(legal, fraction)
                fraction = where(policy == RANDOM, rest, fraction)
            if turn < script.turns:
                card = load(script.cards, turn)
            elif some_basic:
                may_hold = load(space.behind, 1)
                chosen = basic_lead(setting, leader, hand, legal, played, may_hold, late)
                card = where(policy == BASIC, chosen, card)
        store(hands, 0, hand ^ card)
        store(space.plays, turn, card << 3 | leader)
        led = suit_led(card, setting)
        winners = led | ruff
        followers = where(led == setting.trump, led, winners)
        cards = card
        # The highest bit wins; the three bits below a card tell in which turn it was played.
        best = card << 3
        for k in range(1, players):
            seat = seat_after(leader, every(k), players)
            hand = load(hands, k)
            card = hand
            if trick != LAST_TRICK:
                legal = legal_cards(hand, led, followers, forced)
                policy = policy_of(policies, seat)
                if some_random:
                    card, rest = random_card(legal, fraction)
                    fraction = where(policy == RANDOM, rest, fraction)
                if turn + k < script.turns:
                    card = load(script.cards, turn + k)
                elif some_basic:
                    winner = seat_after(leader, best & 7, players)
                    may_hold = load(space.behind, k + 1)
                    # Alone, the other defenders are friends against the pitcher's winning card.
                    if alone:
                        may_help = where(winner == 0, may_hold, 0)
                    else:
                        may_help = load(space.behind, k + 2)
                    chosen = basic_follow(
                        setting,
                        seat,
                        hand,
                        legal,
                        led,
                        cards,
                        best >> 3,
                        ((winner ^ seat) & side_mask) == 0,
                        (winner != 0) & (seat != 0) & int(alone),
                        where(leader, players - leader, 0) > k,
                        played,
                        may_hold,
                        may_help,
                        k + partner_step + 1 >= players,
                        late,
                    )
                    card = where(policy == BASIC, chosen, card)
            store(hands, k, hand ^ card)
            store(space.plays, turn + k, card << 3 | seat)
            if some_basic:
                shown = where(card & followers, 0, led)
                shown = shown | where(card & (followers | forced), 0, forced)
                store(space.may_hold, k, load(space.may_hold, k) & ~shown)
            cards = cards | card
            best = larger(best, (card & winners) << 3 | k)
        played = played | cards
        leader = seat_after(leader, best & 7, players)
        turn_table(hands, best & 7, players)
        if some_basic:
            turn_table(space.may_hold, best & 7, players)
        side = leader & side_mask
        for k in range(players if alone else 2):
            store(space.won, k, load(space.won, k) | where(side == k, cards, 0))
        tricks = tricks + (side == 0)
    return tricks


@inner
def roll_out(
    policies: int,
    setting: Setting,
    state: Lanes,
    hands: NDArray[np.int64],
    script: Script,
    space: Space,
) -> Lanes:
    """Play eight hands from their beginning: a script, then the policies to the end.

    policies : of the seats, RANDOM or BASIC, POLICY_BITS of each.
    state : of the random word of the first trick (see `stream.state_at`); used by random play only.
    hands : int64[seats, 8], what each seat holds before the first lead, the pitcher's first; kept.
    script : the cards that were played already.
    space : left with the cards that each side won and with the plays, of which row `script.turns`
        is what the player to move would play next.

    Returns their outcomes (see `score.py`).
    """
    players = setting.players
    dealt = every(0)
    held = every(0)
    for seat in range(players):
        hand = load(hands, seat)
        store(space.hands, seat, hand)
        dealt = dealt | hand
        if seat & setting.side_mask == 0:
            held = held | hand
    if players == 4:
        tricks = play_tricks(4, policies, setting, state, script, space)
    else:
        tricks = play_tricks(players, policies, setting, state, script, space)
    return outcome_of(setting, dealt, held, space.won, tricks)


@inner
def draw_to_six(
    setting: Setting, plan: DealPlan, state: Lanes, taken: Lanes, hands: NDArray[np.int64]
) -> None:
    """Let everybody, from the dealer's left, throw plain cards away and draw back to six.

    `taken` are the positions dealt. The stock is what remains, cards known to be in nobody's hand
    among it; when it is used up, the rest draw less or nothing.
    """
    stock = plan.cards - popcount(taken)
    for i in range(setting.players):
        seat = (setting.dealer + 1 + i) % setting.players
        kept = load(hands, seat) & setting.trump
        wanted = HAND_SIZE - popcount(kept)
        k = where(wanted < stock, wanted, stock)
        drawn, state = draw_cards(state, stock, k, taken)
        store(hands, seat, kept | cards_at(drawn, setting))
        taken = taken | drawn
        stock = stock - k


@inner
def take_up_hands(
    key: Lanes,
    numbers: NDArray[np.int64],
    plan: DealPlan,
    setting: Setting,
    positions: NDArray[np.int64],
    row: int,
    hands: NDArray[np.int64],
) -> None:
    """Write what everybody holds before the first lead, in the eight deals from a row on.

    numbers : int64[1, 8], of the deals.
    hands : int64[7, 8], written; behind the last deal stands that again.
    """
    for lane in range(WIDTH):
        deal = min(row + lane, positions.shape[0] - 1)
        for seat in range(setting.players):
            hands[seat, lane] = positions[deal, seat]
    taken = every(0)
    for seat in range(setting.players):
        places = load(hands, seat)
        taken = taken | places
        store(hands, seat, cards_at(places, setting) | setting.fixed[seat])
    if setting.draw:
        state = state_at(key, load(numbers, 0), DRAW_WORDS)
        draw_to_six(setting, plan, state, taken, hands)


@inner
def count_on(first: int, last: int, numbers: NDArray[np.int64]) -> None:
    """Give eight deals their numbers, int64[1, 8]; behind the last one stands that again."""
    for lane in range(WIDTH):
        numbers[0, lane] = min(first + lane, last)


@kernel
def play_hands(
    policies: int,
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

    policies : of the seats, RANDOM or BASIC, POLICY_BITS of each.
    first : the number of the first deal, whose positions stand in row 0.
    leads : the cards to lead; 0 lets the pitcher's policy choose.
    outcomes : int32[leads, deals], written (see `score.py`).
    plays : int64[42], left with the cards of the last hand in the order played, each shifted by
        three with the seat that played it in the bits below; a player without a card plays 0.
    """
    deals = positions.shape[0]
    key = key_of(seed)
    numbers = np.zeros((1, WIDTH), np.int64)
    dealt_hands = np.zeros((MOST_PLAYERS, WIDTH), np.int64)
    result = np.zeros((1, WIDTH), np.int64)
    space = make_space()
    opening = np.zeros((1, WIDTH), np.int64)
    for row in range(0, deals, WIDTH):
        count_on(first + row, first + deals - 1, numbers)
        take_up_hands(key, numbers, plan, setting, positions, row, dealt_hands)
        state = state_at(key, load(numbers, 0), PLAY_WORDS)
        for i in range(leads.shape[0]):
            store(opening, 0, every(leads[i]))
            given = int(leads[i] != 0)
            script = Script(opening, given, given)
            store(result, 0, roll_out(policies, setting, state, dealt_hands, script, space))
            for lane in range(min(WIDTH, deals - row)):
                outcomes[i, row + lane] = result[0, lane]
    for turn in range(HAND_SIZE * setting.players):
        plays[turn] = space.plays[turn, WIDTH - 1]
