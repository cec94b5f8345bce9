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

import numpy as np
from numpy.typing import NDArray

from pitchsim.engine.bits import lowest
from pitchsim.engine.jit import inner, maker, part
from pitchsim.engine.lanes import leading_zeros, popcount
from pitchsim.engine.position import (
    BEST,
    COUNT,
    DECIDED,
    FOLLOWERS,
    KEY,
    LEADER,
    LEADS,
    LED,
    LEFT,
    LIMIT,
    NEED,
    NEXT,
    NODES,
    OUR_CARDS,
    OURS,
    ROWS,
    SEARCHES,
    SLOT,
    TOTAL,
    TOTAL_BITS,
    TOTALS,
    TURN,
    WINNER,
    Search,
    is_ours,
    legal_of,
    make_positions,
    next_seat,
    play_card,
    points_of,
    suit_of_lead,
)
from pitchsim.engine.scalars import above_all
from pitchsim.engine.setting import MOST_PLAYERS, Setting, card_points

NO, YES, GAVE_UP, UNDECIDED = 0, 1, 2, 3

# How many positions the table has room for: few enough for the nearest cache; and many, where five
# or more players have many more positions between them, most of which come again.
FEW_ROWS = 1 << 13
MANY_ROWS = 1 << 18
MANY_PLAYERS = 5
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


@maker
def make_search(setting: Setting) -> Search:
    """Make room for searching, for any number of deals of a table one after another.

    That is about 350 KB, and 10 MB for five players or more.
    """
    return make_positions(MANY_ROWS if setting.players >= MANY_PLAYERS else FEW_ROWS)


@inner
def begin_search(search: Search) -> None:
    """Set the table of positions aside: it is of another deal, or another question."""
    search.counts[SEARCHES] += 1


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
        remaining = card_points(left, setting)
        ahead = (totals & TOTAL) - most
        tie = setting.tie_to_pitcher
        lost = card_points(their_masters, setting)
        if setting.side_mask == 1:  # one side has them all
            lost *= 2
        if ahead - remaining + 2 * card_points(our_masters, setting) + tie > 0:
            position[NEED] = need = need - setting.game_worth
            position[DECIDED] = 1
        elif ahead + remaining - lost + tie <= 0:
            position[DECIDED] = 1
        else:
            leads = leads_over_others(setting, totals, remaining)
            game = setting.game_worth
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
    slot = (hashed >> 32 & 0xFFFFFFFF) * search.table.shape[0] >> 32
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
    while cards:
        card = lowest(cards)
        cards ^= card
        value = card_points(card, setting) + 11 * points_of(search, card)
        if turn == 0:
            suit = suit_of_lead(setting, card)
            higher = opponents & suit & above_all(card)
            if suit == setting.trump:
                hope = -15 - value if higher else 56 + 7 * popcount(opposing_trumps)
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
        entry = hope << 6 | leading_zeros(card)
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
