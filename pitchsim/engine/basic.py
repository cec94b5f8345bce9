"""The rules of thumb of a good club player, compiled.

`pitchsim.reference.basic_play` says the same in words, with the reason for each rule; the names of
the rules here (L1, F2 …) are its names. A player knows its hand, the cards played and who has
shown a void, and the pitcher what is known of others' cards; nothing else is used.
"""

from __future__ import annotations

from pitchsim.engine.bits import (
    above,
    first,
    highest,
    in_every_suit,
    lowest,
    ranks_of,
    without_equals,
)
from pitchsim.engine.jit import inner
from pitchsim.engine.lanes import Lanes, every, popcount, where
from pitchsim.engine.setting import DISCARD_GROUPS, Setting

# Ranks in the lowest lane: from two to nine; jack, queen and king; the ten.
SMALL, COURT, TEN = 0xFF, 0xE00, 0x100


@inner
def unknown_to(setting: Setting, seat: Lanes, seen: Lanes) -> Lanes:
    """Give the cards that others may hold, as far as a player knows, having `seen` the rest."""
    return ~seen & setting.deck & where(seat, -1, ~setting.harmless)


@inner
def treasures(setting: Setting, seen: Lanes, unseen: Lanes) -> tuple[Lanes, Lanes]:
    """Give the cards that score for who wins them, and what may be Low.

    The first are the prizes, and the lowest trump seen where it is Low but for one unseen card.
    """
    if setting.low_to_holder:
        return every(setting.prizes), every(0)
    low = lowest(seen & setting.low_cards)
    lower = popcount(unseen & setting.low_cards & (low - 1))
    return where(lower < 2, low, 0) | setting.prizes, where(lower < 4, low, 0)


@inner
def small_trumps(setting: Setting) -> Lanes:
    """Give the trumps without card points, second ones among them."""
    return every(setting.discards[0])


@inner
def cheapest_ranks(held: Lanes) -> Lanes:
    """Give the cards of the rank to part with most gladly, the plain suits held being these.

    None if there are only aces and tens. Small cards that guard better ones of their suit go last.
    """
    a, b, c = ranks_of(held)
    guarding_none = where(a < TEN, a, 0) | where(b < TEN, b, 0) | where(c < TEN, c, 0)
    ranks = a | b | c
    return in_every_suit(lowest(first(guarding_none, first(ranks & SMALL, ranks & COURT))))


@inner
def cheapest(
    setting: Setting, held: Lanes, cards: Lanes, treasure: Lanes, perhaps_low: Lanes
) -> Lanes:
    """Give the cards to part with most gladly; treasure only where nothing else is held.

    held : the plain cards that are legal, several of a rank among them.
    """
    plain = cards & held & cheapest_ranks(held)
    cards = first(cards & ~treasure, cards)
    cheap = cards
    for i in range(DISCARD_GROUPS - 1, -1, -1):
        cheap = first(cards & setting.discards[i], cheap)
    return first(plain, first(cheap & ~perhaps_low, cheap))


@inner
def highest_of(setting: Setting, cards: Lanes) -> Lanes:
    """Give the highest of some cards: several, if they are plain and of the same rank."""
    plain = cards & ~setting.ruff
    a, b, c = ranks_of(plain)
    return first(highest(cards & setting.ruff), plain & in_every_suit(highest(a | b | c)))


@inner
def basic_lead(
    setting: Setting,
    seat: Lanes,
    hand: Lanes,
    legal: Lanes,
    played: Lanes,
    may_hold: Lanes,
    late: bool,
) -> Lanes:
    """Choose a card to lead.

    may_hold : the cards that no opponent has shown to lack; late : whether three tricks are over.
    """
    trump = setting.trump
    tens = setting.tens
    unseen = unknown_to(setting, seat, hand | played)
    threat = unseen & may_hold
    threat_trump = threat & trump
    treasure, perhaps_low = treasures(setting, hand | played, unseen)

    own = legal & trump
    masters = own & above(threat_trump)
    over = threat_trump & above(own)
    dear = own & (setting.prizes | tens)
    dear_on_top = (dear > own & ~dear) & ((over & (over - 1)) == 0)
    spare = own & ~(treasure | tens | perhaps_low)
    honours = spare & ~small_trumps(setting)
    if setting.forced == 0:
        pitchers_last = ((own & (own - 1)) | (seat & setting.side_mask)) == 0
        spare = where(pitchers_last, honours, spare)
    else:
        spare = honours
    drawing = highest(first(masters, where(dear_on_top, own, spare)))

    held = legal & ~setting.ruff
    winners = every(0)
    for i in range(setting.plain_suits.shape[0]):
        suit = setting.plain_suits[i]
        winners = winners | (legal & suit & above(threat & suit))
    best = highest_of(setting, winners & ~tens)
    if late and setting.forced == 0:
        a, b, c = ranks_of(held)
        court = held & in_every_suit(lowest((a | b | c) & COURT))
        drawing = first(drawing, first(best, court))
    choice = where(threat_trump, drawing, first(winners & tens, best))
    choice = first(choice, cheapest(setting, held, legal, treasure, perhaps_low))
    return lowest(first(without_equals(choice & held, held, hand | played), choice))


@inner
def basic_follow(
    setting: Setting,
    seat: Lanes,
    hand: Lanes,
    legal: Lanes,
    led: Lanes,
    cards: Lanes,
    top: Lanes,
    partner_wins: Lanes,
    fellow_wins: Lanes,
    pitcher_to_come: Lanes,
    played: Lanes,
    may_hold: Lanes,
    may_help: Lanes,
    one_to_come: bool,
    late: bool,
) -> Lanes:
    """Choose a card to follow with.

    cards : those played to the trick; top : the one that is winning it; partner_wins, fellow_wins :
    whether it is a partner's, or, where everybody plays alone, another defender's.
    pitcher_to_come : whether the pitcher has yet to play; may_hold, may_help : the cards that
    opponents yet to play have not shown to lack, and those that friends have not; one_to_come :
    whether at most one opponent is; late : whether three tricks are over.
    """
    trump = setting.trump
    tens = setting.tens
    seen = played | cards
    unseen = unknown_to(setting, seat, hand | seen)
    eligible = led | setting.ruff
    threat = unseen & may_hold & eligible
    treasure, perhaps_low = treasures(setting, hand | seen, unseen)
    counters = setting.counters
    honour = top & trump & (counters[0] | counters[1] | counters[2])
    at_stake = cards & (treasure | tens) | honour

    held = legal & ~setting.ruff
    equals = held & ~setting.prizes
    legal = legal & ~equals | without_equals(equals, held, hand | played)
    to_spare = legal & ~(trump & above(unseen & trump))
    plain = legal & ~trump
    kings = counters[0] & counters[1]
    honours = first(plain & counters[2], first(plain & counters[1] & ~kings, plain & kings))
    gift = first(to_spare & treasure, first(to_spare & tens, honours))

    ahead = legal & eligible & above(top)
    sure = ahead & above(threat)
    small = small_trumps(setting) & ~(treasure | perhaps_low)
    ours = (seat & setting.side_mask) == 0
    for_an_ace = where(ours & ((cards & setting.aces) != 0), small, 0)
    worthwhile = where(at_stake, sure, sure & (~trump | for_an_ace))
    win = first(sure & treasure, first(sure & tens, worthwhile))
    if one_to_come:
        hopeful = ahead & ~(treasure | tens)
        unasked = hopeful & led & ~trump & above(threat & led)
        hopeful = where(at_stake, hopeful, unasked)
        hopeful = highest(where(legal & ~treasure, hopeful, ahead))
        if late:
            hopeful = first(hopeful, where(led == trump, 0, ahead & perhaps_low))
        hopeful = where(sure, 0, hopeful)
    else:
        hopeful = every(0)

    higher = unseen & eligible & above(top)
    hoped = where((led == trump) | ((higher & may_help) == 0), 0, plain & tens)
    own = first(win, first(hopeful, hoped))

    over = higher & may_hold
    three = over & (over - 1)
    three = three & (three - 1)
    kept = fellow_wins & ((over == 0) | (pitcher_to_come == 0))
    friends = where(kept | (over == 0), gift, where(three, 0, plain & tens))
    choice = where(partner_wins | kept, friends, own)
    return lowest(first(choice, cheapest(setting, held, legal, treasure, perhaps_low)))
