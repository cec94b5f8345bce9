"""Double dummy: what the pitcher's side can force when everybody sees all the cards.

A search asks one yes-or-no question: can the pitcher's side end with at least so many points (or
with every trick as well)? It walks the tree of plays depth first, the pitcher's side needing one
play that brings a yes, the others one that brings a no, and is kept short by

* bounds at every complete trick: a trump above all those of the other side wins its trick whenever
  it is played, so what it scores is certain, and so may be who has the most card points;
* a table of positions at complete tricks, with the card points that were enough and those that
  were not: more of them never hurt;
* of neighbours in one hand that are worth the same, playing one only;
* trying first what wins most often (weights found by counting nodes).

What a card is worth is then a handful of such questions.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitchsim.engine.jit import inner, maker, part
from pitchsim.engine.scalars import above_all, highest_of, lowest_of, size, zeros_above
from pitchsim.engine.score import POINTS
from pitchsim.engine.setting import HAND_SIZE, MOST_PLAYERS, Setting

NO, YES, GAVE_UP, UNDECIDED = 0, 1, 2, 3
MOST_TURNS = HAND_SIZE * MOST_PLAYERS

# The columns of a row of `Search.positions`.
LEFT, LEADER, TURN, LED, FOLLOWERS, BEST, WINNER, TRICK, NEED, TOTALS, DECIDED = range(11)
# And, at a position that was looked into: how many plays it has, which is next, whose they are, and
# what it is in the table of positions.
COUNT, NEXT, OURS, SLOT, KEY, LEADS = range(11, 17)
COLUMNS = 17

# Each side's card points in a number of their own, eight bits wide.
TOTAL_BITS = 8
TOTAL = (1 << TOTAL_BITS) - 1

TABLE_BITS = 13
# The columns of the table: the position, the points needed, the search it is of, and the leads in
# card points that were enough and that were not.
T_KEY, T_NEED, T_SEARCH, T_ENOUGH, T_TOO_LITTLE = range(5)

# The lead over each other side, in a number of nine bits: 128 is none, and the uppermost bit is
# free, so that all of them are compared at once.
LEAD_BITS = 9
NO_LEAD = 1 << 7
GUARDS = sum(1 << (LEAD_BITS * side + 8) for side in range(MOST_PLAYERS - 1))
NEVER_ENOUGH = GUARDS - (GUARDS >> 8)
NEVER_TOO_LITTLE = 0
DOES_NOT_MATTER = 1
FACTOR = 0x9E3779B97F4A7C15 - (1 << 64)

# The columns of `Search.counts`.
SEARCHES, NODES, LIMIT = range(3)


class Search(NamedTuple):
    """What is searched, and room to do it in.

    hands : int64[7], what each seat held before the first lead, trump-relative.
    worth : int64[6], the cards whose points (but Game) have the bit 1, 2, 4, ... in them.
    facts : int64[3]: how many rows of `worth` are needed, what Game is worth, our cards.
    positions : int64[43, COLUMNS], the positions on the way to the one in hand; the first is where
        the search began.
    plays : int64[43, 6], the plays of each of them, most hopeful first.
    table : int64[2**13, 5], the positions that have been searched.
    counts : int64[3]: the searches and nodes so far, and how many nodes there may be.
    """

    hands: NDArray[np.int64]
    worth: NDArray[np.int64]
    facts: NDArray[np.int64]
    positions: NDArray[np.int64]
    plays: NDArray[np.int64]
    table: NDArray[np.int64]
    counts: NDArray[np.int64]


WORTH_ROWS = 6
HIGH, LOW, GAME = (POINTS.index(name) for name in ("high", "low", "game"))
ROWS, GAME_WORTH, OUR_CARDS = range(3)


@maker
def make_search() -> Search:
    """Make room for searching, for any number of deals one after another: about 350 KB."""
    return Search(
        np.zeros(MOST_PLAYERS, np.int64),
        np.zeros(WORTH_ROWS, np.int64),
        np.zeros(3, np.int64),
        np.zeros((MOST_TURNS + 1, COLUMNS), np.int64),
        np.zeros((MOST_TURNS + 1, HAND_SIZE), np.int64),
        np.zeros((1 << TABLE_BITS, 5), np.int64),
        np.zeros(3, np.int64),
    )


@inner
def points_of(search: Search, cards: int) -> int:
    """Count the points, but Game, of which a set has the cards."""
    points = 0
    for row in range(search.facts[ROWS]):
        points += size(cards & search.worth[row]) << row
    return points


@inner
def card_points_of(setting: Setting, cards: int) -> int:
    """Count the card points of a set: A 4, K 3, Q 2, J 1, 10 10."""
    counters = setting.counters
    return (
        size(cards & counters[0])
        + size(cards & counters[1]) * 2
        + size(cards & counters[2]) * 4
        + size(cards & counters[3]) * 8
    )


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
    worth = setting.point_worth
    for row in range(WORTH_ROWS):
        search.worth[row] = 0
    search.facts[ROWS] = 0
    search.facts[GAME_WORTH] = worth[GAME]
    search.facts[OUR_CARDS] = ours
    trumps = dealt & setting.trump
    low = lowest_of(trumps & setting.low_cards)
    need = 0
    add_worth(search, highest_of(trumps), worth[HIGH])
    if setting.low_to_holder == 0:
        add_worth(search, low, worth[LOW])
    elif low & ours:
        need = -worth[LOW]
    for i in range(setting.prize_cards.shape[0]):
        add_worth(search, setting.prize_cards[i] & dealt, worth[setting.prize_places[i]])
    first = search.positions[0]
    first[:] = 0
    first[LEFT] = dealt
    first[NEED] = need
    first[DECIDED] = worth[GAME] == 0
    first_to_lead(search, setting, first)


@inner
def begin_search(search: Search) -> None:
    """Set the table of positions aside: it is of another deal, or another question."""
    search.counts[SEARCHES] += 1


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
    after[TOTALS] = before[TOTALS] + (card_points_of(setting, trick) << TOTAL_BITS * side)
    if search.hands[winner] & left == 0:
        first_to_lead(search, setting, after)
    return True


@inner
def most_of_others(setting: Setting, totals: int) -> int:
    """Give the most card points of another side."""
    most = totals >> TOTAL_BITS & TOTAL
    if setting.side_mask != 1:
        for side in range(2, setting.players):
            most = max(most, totals >> TOTAL_BITS * side & TOTAL)
    return most


@inner
def leads_over_others(setting: Setting, totals: int, remaining: int) -> int:
    """Give the lead in card points over each other side; one that cannot be lost as just that."""
    ours = totals & TOTAL
    others = 1 if setting.side_mask == 1 else setting.players - 1
    leads = 0
    for side in range(others):
        lead = ours - (totals >> TOTAL_BITS * (side + 1) & TOTAL)
        leads |= (min(lead, remaining + 1) + NO_LEAD) << LEAD_BITS * side
    return leads


@inner
def as_good(leads: int, others: int) -> bool:
    """Say whether each lead is at least the other one."""
    return ((leads | GUARDS) - others) & GUARDS == GUARDS


@inner
def judge(
    search: Search,
    setting: Setting,
    position: NDArray[np.int64],
    every_trick: bool,
) -> int:
    """Answer at a complete trick if bounds or the table can; else UNDECIDED.

    Brings the position into the form in which the table knows it: Game, once it is decided, as
    points.
    """
    left = position[LEFT]
    need = position[NEED]
    side = position[WINNER] & setting.side_mask
    if every_trick and side != 0:
        return NO
    ours = left & search.facts[OUR_CARDS]
    our_trumps = ours & setting.trump
    their_trumps = (left ^ ours) & setting.trump
    our_masters = our_trumps & above_all(their_trumps)
    their_masters = their_trumps & above_all(our_trumps)
    leads = DOES_NOT_MATTER
    game = 0
    if position[DECIDED] == 0:
        totals = position[TOTALS]
        most = most_of_others(setting, totals)
        remaining = card_points_of(setting, left)
        ahead = (totals & TOTAL) - most
        tie = setting.tie_to_pitcher
        lost = card_points_of(setting, their_masters)
        if setting.side_mask == 1:  # one side has them all
            lost *= 2
        if ahead - remaining + 2 * card_points_of(setting, our_masters) + tie > 0:
            position[NEED] = need = need - search.facts[GAME_WORTH]
            position[DECIDED] = 1
        elif ahead + remaining - lost + tie <= 0:
            position[DECIDED] = 1
        else:
            leads = leads_over_others(setting, totals, remaining)
            game = search.facts[GAME_WORTH]
    if left == 0:
        return YES if need <= 0 else NO
    if every_trick and their_masters:
        return NO
    if not every_trick and need <= points_of(search, our_masters):
        return YES
    if need > points_of(search, left ^ their_masters) + game:
        return NO
    position[NEED] = need = max(need, 0)  # more than enough is no different from enough
    key = left | position[LEADER] << 56 | position[DECIDED] << 59
    hashed = (key ^ (need << 48) * FACTOR) * FACTOR
    slot = hashed >> (64 - TABLE_BITS) & ((1 << TABLE_BITS) - 1)
    position[SLOT] = slot
    position[KEY] = key
    position[LEADS] = leads
    entry = search.table[slot]
    if is_of(search, position, entry):
        if as_good(leads, entry[T_ENOUGH]):
            return YES
        if as_good(entry[T_TOO_LITTLE], leads):
            return NO
    return UNDECIDED


@inner
def is_of(search: Search, position: NDArray[np.int64], entry: NDArray[np.int64]) -> bool:
    """Say whether an entry of the table is of a position."""
    return bool(
        entry[T_KEY] == position[KEY]
        and entry[T_NEED] == position[NEED]
        and entry[T_SEARCH] == search.counts[SEARCHES]
    )


@inner
def remember(search: Search, position: NDArray[np.int64], answer: int) -> None:
    """Keep the answer for a position at a complete trick."""
    entry = search.table[position[SLOT]]
    if not is_of(search, position, entry):
        entry[T_KEY] = position[KEY]
        entry[T_NEED] = position[NEED]
        entry[T_SEARCH] = search.counts[SEARCHES]
        entry[T_ENOUGH] = NEVER_ENOUGH
        entry[T_TOO_LITTLE] = NEVER_TOO_LITTLE
    entry[T_ENOUGH if answer == YES else T_TOO_LITTLE] = position[LEADS]


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


@inner
def without_equals(
    search: Search, setting: Setting, position: NDArray[np.int64], cards: int
) -> int:
    """Leave of neighbours in one hand that are worth the same the lowest only.

    Neighbours: no card between them is left, nor is one winning the trick. The ace's place ends
    a suit, so that the next one is not its neighbour.
    """
    worthless = -1
    for row in range(search.facts[ROWS]):
        worthless &= ~search.worth[row]
    if position[DECIDED] == 0:
        for row in range(4):
            worthless &= ~setting.counters[row]
    gone = ~(position[LEFT] | position[BEST] | setting.aces)
    up = (cards & worthless) << 1
    neighbours = ((up & gone) + gone) & ~gone | up & ~gone
    return int(cards & ~(neighbours & worthless))


@inner
def order_plays(
    search: Search, setting: Setting, position: NDArray[np.int64], plays: NDArray[np.int64]
) -> int:
    """Write the plays worth looking at, most hopeful first, and return how many."""
    players = setting.players
    left = position[LEFT]
    leader = position[LEADER]
    turn = position[TURN]
    led = position[LED]
    seat = next_seat(setting, leader, turn)
    cards = legal_of(setting, left & search.hands[seat], led, position[FOLLOWERS])
    if cards & (cards - 1):
        cards = without_equals(search, setting, position, cards)
    if cards & (cards - 1) == 0:
        plays[0] = cards
        return 1
    ours = search.facts[OUR_CARDS]
    we = is_ours(setting, position)
    opponents = left & ~ours if we else left & ours
    eligible = led | setting.ruff
    # What opponents who are yet to play may win the trick with.
    threat = 0
    for later in range(turn + 1, players):
        other = next_seat(setting, leader, later)
        if (other & setting.side_mask == 0) != we:
            threat |= search.hands[other]
    threat &= left & eligible
    friend_wins = turn != 0 and (position[WINNER] & setting.side_mask == 0) == we
    opposing_trumps = opponents & setting.trump
    best = position[BEST]
    count = 0
    for _ in range(HAND_SIZE):
        if cards == 0:
            break
        card = lowest_of(cards)
        cards ^= card
        value = card_points_of(setting, card) + 11 * points_of(search, card)
        if turn == 0:
            suit = suit_of_lead(setting, card)
            higher = opponents & suit & above_all(card)
            if suit == setting.trump:
                hope = -15 - value if higher else 56 + 7 * size(opposing_trumps)
            elif higher:
                hope = -62 - value
            else:
                hope = -33 - value if opposing_trumps else 56 + value
        elif card & eligible > best:
            hope = 69 + value - (28 if friend_wins else 0) if card > threat else 12 - value
        elif friend_wins:
            hope = 50 + value if best > threat else 41 - value
        else:
            hope = -value
        # The card below the hope, so that of equals the lowest comes first.
        entry = hope << 6 | zeros_above(card)
        place = count
        while place > 0 and plays[place - 1] < entry:
            plays[place] = plays[place - 1]
            place -= 1
        plays[place] = entry
        count += 1
    for place in range(count):
        plays[place] = 1 << (63 - (plays[place] & 63))
    return count


@part
def can_force(search: Search, setting: Setting, card: int, target: int, every_trick: bool) -> int:
    """Say whether the pitcher's side can end with so many points after a card is played.

    The card is played at the first of `search.positions`. With `every_trick`, all the tricks must
    be won as well.

    Returns NO, YES, or GAVE_UP where that takes more nodes than `search.counts` allows.
    """
    positions = search.positions
    plays = search.plays
    complete = play_card(search, setting, positions[0], card, positions[1])
    positions[1, NEED] += target
    depth = 1
    while True:
        position = positions[depth]
        answer = judge(search, setting, position, every_trick) if complete else UNDECIDED
        if answer == UNDECIDED:
            search.counts[NODES] += 1
            if search.counts[NODES] > search.counts[LIMIT]:
                return GAVE_UP
            if not complete:
                position[SLOT] = -1
            position[OURS] = is_ours(setting, position)
            position[COUNT] = order_plays(search, setting, position, plays[depth])
            position[NEXT] = 0
        else:
            # Back to where another play may change the answer.
            while True:
                depth -= 1
                if depth == 0:
                    return answer
                position = positions[depth]
                if answer != position[OURS] and position[NEXT] < position[COUNT]:
                    break
                if position[SLOT] >= 0:
                    remember(search, position, answer)
        card = plays[depth, position[NEXT]]
        position[NEXT] += 1
        complete = play_card(search, setting, position, card, positions[depth + 1])
        depth += 1
