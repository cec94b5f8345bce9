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
from pitchsim.engine.count import ALL_TRICKS
from pitchsim.engine.deal import DealPlan
from pitchsim.engine.jit import inner, kernel, part
from pitchsim.engine.lanes import WIDTH, Lanes, every, popcount, store
from pitchsim.engine.play import (
    BASIC,
    Script,
    Space,
    make_space,
    roll_out,
    take_up_hands,
)
from pitchsim.engine.position import (
    FOLLOWERS,
    LEADER,
    LED,
    TURN,
    begin_deal,
    hand_to_move,
    legal_of,
    next_seat,
    play_card,
)
from pitchsim.engine.position import LEFT as CARDS_LEFT
from pitchsim.engine.score import OTHERS_SHIFT, POINT_MASK, TRICKS_SHIFT
from pitchsim.engine.search import make_search
from pitchsim.engine.setting import HAND_SIZE, MOST_PLAYERS, Setting, cards_at
from pitchsim.engine.stream import PLAY_WORDS, WORLD_WORDS, key_of, mix64, state_at
from pitchsim.engine.worlds import HOLDS, KEPT, LACKS, PLAYED, Worlds, deal_worlds, make_worlds

EXPERT = 2
MOST_TURNS = HAND_SIZE * MOST_PLAYERS


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
    """Where hands are played and thought over.

    hands : int64[7, 8], what each seat really held before the first lead, in all lanes.
    script : int64[42], the cards played so far, by turn.
    seen : int64[4, 7], what everybody has seen of each seat (see `worlds.py`).
    thrown : int64[7], what each seat threw away before a draw.
    beliefs : float64[worlds, bids], how much each world counts.
    sums, most : float64[bids], what a card brings in all the worlds together, and the best of them.
    result : int64[1, 8].
    """

    worlds: Worlds
    space: Space
    hands: NDArray[np.int64]
    script: NDArray[np.int64]
    seen: NDArray[np.int64]
    thrown: NDArray[np.int64]
    beliefs: NDArray[np.float64]
    sums: NDArray[np.float64]
    most: NDArray[np.float64]
    result: NDArray[np.int64]


@part
def play_on(
    policies: tuple[int, int],
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
def believe(room: Room, chances: NDArray[np.int64], seat: int, first: int) -> None:
    """Say how much each world counts, by what the bid says of the pitcher's hand.

    A hand that makes the bid three times in four counts in full, and one in twenty where it makes
    it once in four. The pitcher knows the own hand, to whom all worlds are as likely.
    """
    worlds = room.worlds
    for world in range(worlds.weights.shape[0]):
        pitchers = worlds.hands[world // WIDTH, 0, world % WIDTH]
        for bid in range(first, chances.shape[0]):
            trust = 1000
            if seat != 0:
                trust = min(max(2 * chance_of(pitchers, chances[bid]) - 500, 50), 1000)
            room.beliefs[world, bid] = worlds.weights[world] * trust


@inner
def add_up(room: Room, aims: Aims, setting: Setting, script: Script, first_bid: int) -> None:
    """Play all the worlds on from a script, and add up what they bring the pitcher's side."""
    worlds = room.worlds
    room.sums[:] = 0
    for block in range(worlds.hands.shape[0]):
        play_on((BASIC, BASIC), setting, every(0), worlds.hands[block], script, room)
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
    choices: NDArray[np.int64],
) -> None:
    """Choose a card for each bid: of equals what the rules of thumb play, then the lowest.

    setting : as the player knows it.
    state : of the first of the random words. choices : int64[bids], written.
    """
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
        room.script[turn] = card
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
    hands: NDArray[np.int64],
) -> None:
    """Take up the hands of one deal, as they are before the first lead.

    positions : int64[7], as dealt. hands : int64[7], written.
    """
    for seat in range(setting.players):
        hands[seat] = dealt_hands[seat, lane]
        store(room.hands, seat, every(hands[seat]))
        if setting.draw:
            store(room.result, 0, cards_at(every(positions[seat]), setting))
            room.thrown[seat] = (room.result[0, 0] | setting.fixed[seat]) & ~setting.trump


@inner
def begin_hand(room: Room, setting: Setting, hands: NDArray[np.int64]) -> None:
    """Nothing has been seen yet but, where there was a draw, how many trumps each seat kept."""
    room.seen[:] = 0
    for seat in range(setting.players):
        room.seen[HOLDS, seat] = popcount(hands[seat])
        if setting.draw:
            room.seen[KEPT, seat] = HAND_SIZE - popcount(room.thrown[seat])


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
    if card & setting.trump and seen[KEPT, seat]:
        seen[KEPT, seat] -= 1
    if led and card & followers == 0:
        seen[LACKS, seat] |= led
        if card & setting.forced == 0:
            seen[LACKS, seat] |= setting.forced


@kernel
def play_expert(
    policies: tuple[int, int],
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

    policies : of the pitcher's side and of the others, RANDOM, BASIC or EXPERT.
    first : the number of the first deal, whose positions stand in row 0.
    settings : the table as it is, with what the pitcher knows; and as the others know it.
    leads : the cards to lead; 0 lets the pitcher's policy choose.
    worlds : how many an expert deals at each turn.
    outcomes : int32[bids, leads, deals], written (see `score.py`).
    plays : int64[42], left with the cards of the last hand, as by `play_hands`.
    """
    setting = settings[0]
    players = setting.players
    bids = aims.margins.shape[0]
    key = key_of(seed)
    numbers = np.zeros((1, WIDTH), np.int64)
    dealt_hands = np.zeros((MOST_PLAYERS, WIDTH), np.int64)
    hands = np.zeros(MOST_PLAYERS, np.int64)
    choices = np.zeros((MOST_TURNS, bids), np.int64)
    search = make_search(setting)
    position = search.positions[0]
    others = (min(policies[0], BASIC), min(policies[1], BASIC))
    room = Room(
        make_worlds(worlds),
        make_space(),
        np.zeros((MOST_PLAYERS, WIDTH), np.int64),
        np.zeros(MOST_TURNS, np.int64),
        np.zeros((4, MOST_PLAYERS), np.int64),
        np.zeros(MOST_PLAYERS, np.int64),
        np.zeros((worlds, bids), np.float64),
        np.zeros(bids, np.float64),
        np.zeros(bids, np.float64),
        np.zeros((1, WIDTH), np.int64),
    )
    for deal in range(positions.shape[0]):
        if deal % WIDTH == 0:
            take_up_hands(key, first, plan, setting, positions, deal, numbers, dealt_hands)
        take_seats(room, setting, positions[deal], dealt_hands, deal % WIDTH, hands)
        state = state_at(key, every(first + deal), PLAY_WORDS)
        for i in range(leads.shape[0]):
            given = int(leads[i] != 0)
            for bid in range(bids):
                # Until the bid makes a difference, all has been thought of for the bid before.
                as_before = bid > 0
                begin_deal(search, setting, hands)
                begin_hand(room, setting, hands)
                trick = 0
                done = 0
                while position[CARDS_LEFT]:
                    turn = trick * players + position[TURN]
                    seat = next_seat(setting, position[LEADER], position[TURN])
                    hand = hand_to_move(search, setting)
                    legal = legal_of(setting, hand, position[LED], position[FOLLOWERS])
                    if turn == 0:
                        legal = leads[i] or hand & setting.lead_mask or hand
                    for passed in range(done, turn):
                        room.script[passed] = 0
                    before = room.script[turn]
                    card = legal
                    if legal & (legal - 1) == 0:
                        pass
                    elif policies[0 if seat & setting.side_mask == 0 else 1] == EXPERT:
                        if not as_before:
                            store(
                                room.result,
                                0,
                                state_at(key, every(first + deal), WORLD_WORDS + turn),
                            )
                            words = mix64(room.result[0, 0])
                            known = settings[0] if seat == 0 else settings[1]
                            think(
                                room,
                                aims,
                                known,
                                words,
                                seat,
                                legal,
                                turn,
                                given,
                                bid,
                                choices[turn],
                            )
                        card = choices[turn, bid]
                    else:
                        script = Script(room.script, turn, given)
                        play_on(others, setting, state, room.hands, script, room)
                        card = room.space.plays[turn, 0] >> 3
                    as_before = as_before and card == before
                    room.script[turn] = card
                    done = turn + 1
                    look_on(room, setting, position, seat, card)
                    trick += play_card(search, setting, position, card, position)
                for passed in range(done, MOST_TURNS):
                    room.script[passed] = 0
                script = Script(room.script, HAND_SIZE * players, given)
                play_on(others, setting, state, room.hands, script, room)
                outcomes[bid, i, deal] = room.result[0, 0]
    for turn in range(HAND_SIZE * players):
        plays[turn] = room.space.plays[turn, 0]
