"""What each card is worth double dummy, and hands played out so that nobody gives anything away."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pitchsim.engine.bits import lowest
from pitchsim.engine.deal import DealPlan
from pitchsim.engine.jit import inner, kernel
from pitchsim.engine.lanes import WIDTH, every, store
from pitchsim.engine.play import count_on, take_up_hands
from pitchsim.engine.position import (
    DECIDED,
    FOLLOWERS,
    LEADER,
    LED,
    LEFT,
    LIMIT,
    NEED,
    NODES,
    OUR_CARDS,
    TRICK,
    TURN,
    WINNER,
    Search,
    begin_deal,
    hand_to_move,
    is_ours,
    legal_of,
    next_seat,
    play_card,
    points_of,
)
from pitchsim.engine.score import outcome_of
from pitchsim.engine.search import (
    GAVE_UP,
    NO,
    YES,
    begin_search,
    can_force,
    make_search,
    order_plays,
)
from pitchsim.engine.setting import HAND_SIZE, MOST_PLAYERS, Setting
from pitchsim.engine.stream import key_of

NOT_SOLVED = -1


@inner
def taken_so_far(search: Search) -> int:
    """Count the points, but Game, that the pitcher's side has."""
    return int(-search.positions[0, NEED])


@inner
def most_possible(search: Search, setting: Setting) -> int:
    """Count the points that the pitcher's side would have if it took all that is left."""
    position = search.positions[0]
    game = 0 if position[DECIDED] else setting.game_worth
    left = position[LEFT] | (position[TRICK] if position[TURN] else 0)
    return taken_so_far(search) + points_of(search, left) + game


@inner
def value_of(search: Search, setting: Setting, card: int) -> int:
    """Give the points that the pitcher's side ends with after a card; or NOT_SOLVED."""
    low = taken_so_far(search)
    high = most_possible(search, setting)
    while low < high:
        target = (low + high + 1) // 2
        answer = can_force(search, setting, card, target, False)
        if answer == GAVE_UP:
            return NOT_SOLVED
        if answer == YES:
            low = target
        else:
            high = target - 1
    return low


@inner
def legal_now(search: Search, setting: Setting, first_lead: bool) -> int:
    """Give the cards that may be played at the first of the positions."""
    position = search.positions[0]
    hand = hand_to_move(search, setting)
    if first_lead:
        return int(hand & setting.lead_mask or hand)
    return int(legal_of(setting, hand, position[LED], position[FOLLOWERS]))


@inner
def best_lead(search: Search, setting: Setting) -> int:
    """Give the lead with which the pitcher's side takes most, of equals the lowest."""
    leads = legal_now(search, setting, True)
    best = 0
    most = NOT_SOLVED
    while leads:
        lead = lowest(leads)
        leads ^= lead
        value = value_of(search, setting, lead)
        if value > most:
            most = value
            best = lead
    return best


@inner
def gives_nothing_away(search: Search, setting: Setting, card: int, points: int) -> bool:
    """Say whether the mover's side still has the points that it can force after a card."""
    if is_ours(setting, search.positions[0]):
        return bool(can_force(search, setting, card, points, False) == YES)
    return bool(can_force(search, setting, card, points + 1, False) != YES)


@inner
def keeps_the_smudge(search: Search, setting: Setting, card: int, forced: bool) -> bool:
    """Say whether the mover's side still makes, or sets, a smudge after a card, if it can."""
    if is_ours(setting, search.positions[0]) != forced:
        return True
    made = can_force(search, setting, card, setting.smudge_points, True) == YES
    return bool(made == forced)


@inner
def play_best(
    search: Search,
    setting: Setting,
    lead: int,
    points: int,
    smudge: bool,
    forced: bool,
    plays: NDArray[np.int64],
    won: NDArray[np.int64],
) -> int:
    """Play a hand out after a lead, both sides giving nothing away; return our tricks.

    Of the cards that give nothing away each player plays the first in the order in which the
    search looks at them, which nothing but the position decides.

    points : what the pitcher's side can force.
    smudge : whether a smudge is at stake, rather than the points; forced : whether the pitcher's
        side can force that.
    plays : int64[42], written: by turn, as `Space.plays`. won : int64[7, 8], written: the cards
        of each side, in all lanes.
    """
    position = search.positions[0]
    players = setting.players
    for turn in range(HAND_SIZE * players):
        plays[turn] = 0
    for side in range(players):
        store(won, side, every(0))
    trick = 0
    tricks = 0
    card = lead
    while True:
        seat = next_seat(setting, position[LEADER], position[TURN])
        plays[trick * players + position[TURN]] = card << 3 | seat
        if play_card(search, setting, position, card, position):
            side = position[WINNER] & setting.side_mask
            store(won, side, every(won[side, 0] | position[TRICK]))
            trick += 1
            tricks += side == 0
            if position[LEFT] == 0:
                return int(tricks)
        count = order_plays(search, setting, position, search.plays[0])
        for place in range(count):
            card = search.plays[0, place]
            if place == count - 1 or (smudge and tricks < trick):  # no choice, or nothing at stake
                break
            if smudge:
                if keeps_the_smudge(search, setting, card, forced):
                    break
            elif gives_nothing_away(search, setting, card, points):
                break


@kernel
def play_double_dummy(
    seed: np.uint64,
    first: int,
    plan: DealPlan,
    setting: Setting,
    positions: NDArray[np.int64],
    leads: NDArray[np.int64],
    smudge: bool,
    limit: int,
    outcomes: NDArray[np.int32],
    plays: NDArray[np.int64],
) -> int:
    """Play every deal once for each first lead, double dummy.

    The arguments are those of `play_hands`, but smudge : whether the hands are played for a smudge
    of tricks rather than for points, and limit : how many nodes the search may look at in a deal.

    In an outcome the pitcher's side has won all the tricks where it can force what a smudge
    promises, even if that takes another way to play than the one that it scores its points by.

    Returns the row of a deal that takes more nodes than the limit, where it stops; else -1.
    """
    deals = positions.shape[0]
    key = key_of(seed)
    numbers = np.zeros((1, WIDTH), np.int64)
    dealt_hands = np.zeros((MOST_PLAYERS, WIDTH), np.int64)
    won = np.zeros((MOST_PLAYERS, WIDTH), np.int64)
    result = np.zeros((1, WIDTH), np.int64)
    hands = np.zeros(MOST_PLAYERS, np.int64)
    chosen = np.zeros(leads.shape[0], np.int64)
    forced = np.zeros(leads.shape[0], np.int64)
    search = make_search(setting)
    search.counts[LIMIT] = limit
    smudge = smudge and setting.smudge_tricks != 0
    for deal in range(deals):
        lane = deal % WIDTH
        if lane == 0:
            count_on(first + deal, first + deals - 1, numbers)
            take_up_hands(key, numbers, plan, setting, positions, deal, dealt_hands)
        dealt = 0
        for seat in range(setting.players):
            hands[seat] = dealt_hands[seat, lane]
            dealt |= hands[seat]
        search.counts[NODES] = 0
        begin_deal(search, setting, hands)
        begin_search(search)
        for i in range(leads.shape[0]):
            chosen[i] = leads[i] or best_lead(search, setting)
        if setting.smudge_tricks:
            begin_search(search)
            for i in range(leads.shape[0]):
                answer = can_force(search, setting, chosen[i], setting.smudge_points, True)
                forced[i] = answer == YES
            if not smudge:
                begin_search(search)
        for i in range(leads.shape[0]):
            begin_deal(search, setting, hands)
            points = 0 if smudge else value_of(search, setting, chosen[i])
            made = forced[i] != 0
            tricks = play_best(search, setting, chosen[i], points, smudge, made, plays, won)
            if setting.smudge_tricks and not smudge:
                tricks = HAND_SIZE if made else min(tricks, HAND_SIZE - 1)
            held = search.facts[OUR_CARDS]
            outcome = outcome_of(setting, every(dealt), every(held), won, every(tricks))
            store(result, 0, outcome)
            outcomes[i, deal] = result[0, 0]
        if search.counts[NODES] > limit:
            return deal
    return -1


@kernel
def solve_position(
    setting: Setting,
    hands: NDArray[np.int64],
    script: NDArray[np.int64],
    cards: NDArray[np.int64],
    limit: int,
    points: NDArray[np.int64],
    smudges: NDArray[np.int64],
) -> int:
    """Solve a position: what each card that may be played there is worth.

    hands : int64[7], what each seat held before the first lead, trump-relative, the pitcher first.
    script : the cards played so far, in order. cards : those that may be played next.
    limit : how many nodes the search may look at for a card's points, and for its smudge.
    points : int64[cards], written: what the pitcher's side ends with; NOT_SOLVED.
    smudges : int64[cards], written: whether the pitcher's side can keep what a smudge promises, if
        that is tricks too, NO or YES; NOT_SOLVED.

    Returns the nodes.
    """
    search = make_search(setting)
    search.counts[LIMIT] = limit
    begin_deal(search, setting, hands)
    position = search.positions[0]
    nodes = 0
    smudge_is_lost = setting.smudge_tricks == 0
    for i in range(script.shape[0]):
        if play_card(search, setting, position, script[i], position):
            smudge_is_lost |= position[WINNER] & setting.side_mask != 0
    begin_search(search)
    for i in range(cards.shape[0]):
        search.counts[NODES] = 0
        points[i] = value_of(search, setting, cards[i])
        nodes += search.counts[NODES]
    begin_search(search)
    for i in range(cards.shape[0]):
        search.counts[NODES] = 0
        smudges[i] = NO
        if not smudge_is_lost:
            answer = can_force(search, setting, cards[i], setting.smudge_points, True)
            smudges[i] = NOT_SOLVED if answer == GAVE_UP else answer
        nodes += search.counts[NODES]
    return nodes
