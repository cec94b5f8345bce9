"""A player that samples: what each card would bring in many deals that fit what it has seen.

At its turn it deals the unseen cards so, again and again, lets the rules of thumb play each of
these worlds out after each card that it may play, and plays the card that does best for its side
in the mean: the score of the hand, in which a bid made or missed weighs most. What the pitcher bid
says which worlds are likely: those in which the pitcher's hand is one to bid so much with.

Playing the worlds out by rules of thumb, rather than solving them, is no makeshift: a player who
solves its worlds believes that everybody sees all the cards ("strategy fusion": Frank & Basin,
"Search in games with incomplete information", 1998), and did no better for far more time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitchsim.engine.bits import lowest
from pitchsim.engine.deal import DealPlan
from pitchsim.engine.jit import inner, kernel, maker, part
from pitchsim.engine.lanes import WIDTH, Lanes, every, popcount, store
from pitchsim.engine.play import (
    BASIC,
    POLICY_BITS,
    Script,
    Space,
    count_on,
    make_space,
    policy_at,
    roll_out,
    take_up_hands,
)
from pitchsim.engine.position import (
    FOLLOWERS,
    LEADER,
    LED,
    MOST_TURNS,
    TURN,
    Search,
    begin_deal,
    hand_to_move,
    legal_of,
    make_positions,
    next_seat,
    play_card,
)
from pitchsim.engine.position import LEFT as CARDS_LEFT
from pitchsim.engine.score import ALL_TRICKS, OTHERS_SHIFT, POINT_MASK, TRICKS_SHIFT
from pitchsim.engine.setting import HAND_SIZE, MOST_PLAYERS, Setting, cards_at
from pitchsim.engine.stream import PLAY_WORDS, WORLD_WORDS, key_of, mix64, state_at
from pitchsim.engine.worlds import HOLDS, LACKS, PLAYED, THROWN, Worlds, deal_worlds, make_worlds

EXPERT = 2
ALL_BASIC = sum(BASIC << POLICY_BITS * seat for seat in range(MOST_PLAYERS))
# In thousandths, as chances are; even the unlikeliest hand may have been bid on.
FULL_TRUST, LEAST_TRUST = 1000, 20


class Aims(NamedTuple):
    """What is played for, at each of the bids, and what a bid says of the pitcher's hand.

    margins : int32[bids, 4096], by result, what it is worth to the pitcher's side.
    worth : int32[2048], by set of points, what another side's points count against that.
    chances : int64[bids, 57], of making the bid, in thousandths: the last is that of no card at
        all, the others are what each card of the pitcher's hand adds.
    """

    margins: NDArray[np.int32]
    worth: NDArray[np.int32]
    chances: NDArray[np.int64]


class Room(NamedTuple):
    """A hand in play, and room to think it over.

    hands : int64[7, 8], what each seat really held before the first lead, in all lanes.
    thrown : int64[7], what each seat threw away before a draw.
    table : what has been played, as all can see it.
    script : int64[42, 8], the same by turn, in all lanes; 0 where the player in turn had no card.
    before : int64[42], how the same deal was played for the bid before.
    seen : int64[4, 7], what everybody has seen of each seat (see `worlds.py`).
    choices : int64[42, bids], what the player in turn chooses at each bid.
    worlds, space : what the player imagines, and where it is played out.
    beliefs : float64[worlds, bids], how much each world counts.
    sums, most : float64[bids], what a card brings in all the worlds together, and the best of them.
    result : int64[1, 8], the outcomes of the last eight hands played, or other lanes to look into.
    """

    hands: NDArray[np.int64]
    thrown: NDArray[np.int64]
    table: Search
    script: NDArray[np.int64]
    before: NDArray[np.int64]
    seen: NDArray[np.int64]
    choices: NDArray[np.int64]
    worlds: Worlds
    space: Space
    beliefs: NDArray[np.float64]
    sums: NDArray[np.float64]
    most: NDArray[np.float64]
    result: NDArray[np.int64]


@maker
def make_room(worlds: int, bids: int) -> Room:
    """Make room for hands, each played for so many bids."""
    return Room(
        np.zeros((MOST_PLAYERS, WIDTH), np.int64),
        np.zeros(MOST_PLAYERS, np.int64),
        make_positions(0),
        np.zeros((MOST_TURNS, WIDTH), np.int64),
        np.zeros(MOST_TURNS, np.int64),
        np.zeros((4, MOST_PLAYERS), np.int64),
        np.zeros((MOST_TURNS, bids), np.int64),
        make_worlds(worlds),
        make_space(),
        np.zeros((worlds, bids), np.float64),
        np.zeros(bids, np.float64),
        np.zeros(bids, np.float64),
        np.zeros((1, WIDTH), np.int64),
    )


@part
def play_on(
    policies: int,
    setting: Setting,
    state: Lanes,
    hands: NDArray[np.int64],
    script: Script,
    room: Room,
) -> None:
    """Play eight hands on from a script, and leave their outcomes in `room.result`."""
    store(room.result, 0, roll_out(policies, setting, state, hands, script, room.space))


@inner
def chance_of(cards: int, chances: NDArray[np.int64]) -> int:
    """Give the chance, in thousandths, that a hand makes a bid; the chances of one bid."""
    chance = chances[-1]
    while cards:
        chance += chances[popcount(lowest(cards) - 1)]
        cards ^= lowest(cards)
    return int(chance)


@inner
def believe(room: Room, chances: NDArray[np.int64], seat: int, first_bid: int) -> None:
    """Say how much each world counts: by the chance of the pitcher's hand in it to make the bid.

    To the pitcher, who knows the own hand, all worlds are as likely.
    """
    worlds = room.worlds
    for world in range(worlds.weights.shape[0]):
        pitchers = worlds.hands[world // WIDTH, 0, world % WIDTH]
        for bid in range(first_bid, chances.shape[0]):
            trust = FULL_TRUST
            if seat != 0:
                trust = min(max(chance_of(pitchers, chances[bid]), LEAST_TRUST), FULL_TRUST)
            room.beliefs[world, bid] = worlds.weights[world] * trust


@inner
def add_up(room: Room, aims: Aims, setting: Setting, script: Script, first_bid: int) -> None:
    """Play all the worlds on from a script, and add up what they bring the pitcher's side."""
    worlds = room.worlds
    room.sums[:] = 0
    for block in range(worlds.hands.shape[0]):
        play_on(ALL_BASIC, setting, every(0), worlds.hands[block], script, room)
        first = block * WIDTH
        for world in range(first, min(first + WIDTH, worlds.weights.shape[0])):
            outcome = room.result[0, world - first]
            every_trick = ALL_TRICKS if outcome >> TRICKS_SHIFT == HAND_SIZE else 0
            result = (outcome & POINT_MASK) | every_trick
            others = aims.worth[outcome >> OTHERS_SHIFT & POINT_MASK]
            for bid in range(first_bid, room.sums.shape[0]):
                gain = aims.margins[bid, result] - others
                room.sums[bid] += room.beliefs[world, bid] * gain


@part
def think(
    room: Room,
    aims: Aims,
    setting: Setting,
    state: int,
    seat: int,
    legal: int,
    turn: int,
    given_lead: int,
    first_bid: int,
) -> None:
    """Choose a card for each bid, from the first on that has not been played for.

    Of equals that is what the rules of thumb play, then the lowest.

    setting : as the player knows it. state : of the first of the random words.
    """
    choices = room.choices[turn]
    own = room.hands[seat, 0]
    deal_worlds(room.worlds, state, setting, seat, own, room.thrown[seat], room.seen)
    believe(room, aims.chances, seat, first_bid)
    ours = seat & setting.side_mask == 0
    add_up(room, aims, setting, Script(room.script, turn, given_lead), first_bid)
    card = room.space.plays[turn, 0] >> 3
    for bid in range(first_bid, choices.shape[0]):
        choices[bid] = card
        room.most[bid] = room.sums[bid] if ours else -room.sums[bid]
    cards = legal ^ card
    while cards:
        card = lowest(cards)
        cards ^= card
        store(room.script, turn, every(card))
        add_up(room, aims, setting, Script(room.script, turn + 1, given_lead), first_bid)
        for bid in range(first_bid, choices.shape[0]):
            gain = room.sums[bid] if ours else -room.sums[bid]
            if gain > room.most[bid]:
                room.most[bid] = gain
                choices[bid] = card


@inner
def take_seats(
    room: Room,
    setting: Setting,
    positions: NDArray[np.int64],
    dealt_hands: NDArray[np.int64],
    lane: int,
) -> None:
    """Take up the hands of one deal, as they are before the first lead.

    positions : int64[7], as dealt. dealt_hands : int64[7, 8], of eight deals, this one in a lane.
    """
    for seat in range(setting.players):
        store(room.hands, seat, every(dealt_hands[seat, lane]))
        if setting.draw:
            store(room.result, 0, cards_at(every(positions[seat]), setting))
            room.thrown[seat] = (room.result[0, 0] | setting.fixed[seat]) & ~setting.trump


@inner
def begin_hand(room: Room, setting: Setting) -> None:
    """Nothing has been seen yet but, where there was a draw, how many cards each threw away."""
    for turn in range(MOST_TURNS):
        room.before[turn] = room.script[turn, 0]
        store(room.script, turn, every(0))
    room.seen[:] = 0
    for seat in range(setting.players):
        room.table.hands[seat] = room.hands[seat, 0]
        room.seen[HOLDS, seat] = popcount(room.hands[seat, 0])
        room.seen[THROWN, seat] = popcount(room.thrown[seat])
    begin_deal(room.table, setting, room.table.hands)


@inner
def look_on(
    room: Room, setting: Setting, position: NDArray[np.int64], seat: int, card: int
) -> None:
    """See a card played."""
    seen = room.seen
    led = position[LED]
    followers = position[FOLLOWERS]
    seen[PLAYED, seat] |= card
    seen[HOLDS, seat] -= 1
    if led and card & followers == 0:
        seen[LACKS, seat] |= led
        if card & setting.forced == 0:
            seen[LACKS, seat] |= setting.forced


@inner
def words_of_turn(room: Room, key: Lanes, deal: int, turn: int) -> int:
    """Give the state that begins the random words of a turn."""
    store(room.result, 0, state_at(key, every(deal), WORLD_WORDS + turn))
    return int(mix64(room.result[0, 0]))


@inner
def play_for(
    room: Room,
    aims: Aims,
    bid: int,
    settings: tuple[Setting, Setting],
    policies: int,
    key: Lanes,
    deal: int,
    lead: int,
) -> None:
    """Play one deal for a bid after a first lead, and leave its outcome in all of `room.result`.

    Until the bid makes a difference to the play, all has been thought of for the bid before.
    """
    setting = settings[0]
    position = room.table.positions[0]
    by_rules = policies & ALL_BASIC | policies >> 1 & ALL_BASIC  # experts, too
    state = state_at(key, every(deal), PLAY_WORDS)
    given = int(lead != 0)
    as_before = bid > 0
    trick = 0
    begin_hand(room, setting)
    while position[CARDS_LEFT]:
        turn = trick * setting.players + position[TURN]
        seat = next_seat(setting, position[LEADER], position[TURN])
        hand = hand_to_move(room.table, setting)
        legal = legal_of(setting, hand, position[LED], position[FOLLOWERS])
        if turn == 0:
            legal = lead or hand & setting.lead_mask or hand
        card = legal
        if legal & (legal - 1):
            if policy_at(policies, seat) == EXPERT:
                if not as_before:
                    words = words_of_turn(room, key, deal, turn)
                    known = settings[0 if seat == 0 else 1]
                    think(room, aims, known, words, seat, legal, turn, given, bid)
                card = room.choices[turn, bid]
            else:
                script = Script(room.script, turn, given)
                play_on(by_rules, setting, state, room.hands, script, room)
                card = room.space.plays[turn, 0] >> 3
        as_before = as_before and card == room.before[turn]
        store(room.script, turn, every(card))
        look_on(room, setting, position, seat, card)
        trick += play_card(room.table, setting, position, card, position)
    script = Script(room.script, HAND_SIZE * setting.players, given)
    play_on(by_rules, setting, state, room.hands, script, room)


@kernel
def play_expert(
    policies: int,
    seed: np.uint64,
    first: int,
    plan: DealPlan,
    settings: tuple[Setting, Setting],
    positions: NDArray[np.int64],
    leads: NDArray[np.int64],
    worlds: int,
    aims: Aims,
    outcomes: NDArray[np.int32],
    plays: NDArray[np.int64],
) -> None:
    """Play every deal once for each first lead and each bid, some of the players being experts.

    policies : of the seats, RANDOM, BASIC or EXPERT, POLICY_BITS of each.
    first : the number of the first deal, whose positions stand in row 0.
    settings : the table as it is, with what the pitcher knows; and as the others know it.
    leads : the cards to lead; 0 lets the pitcher's policy choose.
    worlds : how many an expert deals at each turn.
    outcomes : int32[bids, leads, deals], written (see `score.py`).
    plays : int64[42], left with the cards of the last hand, as by `play_hands`.
    """
    setting = settings[0]
    key = key_of(seed)
    numbers = np.zeros((1, WIDTH), np.int64)
    dealt_hands = np.zeros((MOST_PLAYERS, WIDTH), np.int64)
    room = make_room(worlds, aims.margins.shape[0])
    for deal in range(positions.shape[0]):
        lane = deal % WIDTH
        if lane == 0:
            count_on(first + deal, first + positions.shape[0] - 1, numbers)
            take_up_hands(key, numbers, plan, setting, positions, deal, dealt_hands)
        take_seats(room, setting, positions[deal], dealt_hands, lane)
        for i in range(leads.shape[0]):
            for bid in range(aims.margins.shape[0]):
                play_for(room, aims, bid, settings, policies, key, first + deal, leads[i])
                outcomes[bid, i, deal] = room.result[0, 0]
    for turn in range(HAND_SIZE * setting.players):
        plays[turn] = room.space.plays[turn, 0]
