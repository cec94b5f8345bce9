"""The rules of thumb of a good club player, compiled.

`pitchsim.reference.basic_play` says the same in words, with the reason for each rule; the names of
the rules here (L1, F2 …) are its names. A player knows its hand, the cards played and who has
shown a void, and the pitcher what is known of others' cards; nothing else is used.
"""

from __future__ import annotations

from pitchsim.engine.bits import above, first, highest, lowest
from pitchsim.engine.jit import inner
from pitchsim.engine.lanes import Lanes, every, where
from pitchsim.engine.setting import DISCARD_GROUPS, Setting


@inner
def unknown_to(setting: Setting, seat: Lanes, seen: Lanes) -> Lanes:
    """Give the cards that others may hold, as far as a player knows, having `seen` the rest."""
    return ~seen & setting.deck & where(seat, -1, ~setting.harmless)


@inner
def treasures(setting: Setting, hand: Lanes, seen: Lanes, unseen: Lanes) -> Lanes:
    """Give the cards that score for who wins them: the prizes, and what may well be Low."""
    if setting.low_to_holder:
        return every(setting.prizes)
    low = lowest((hand | seen) & setting.low_cards)
    lower = unseen & setting.low_cards & (low - 1)
    return where(lower & (lower - 1), 0, low) | setting.prizes


@inner
def cheapest(setting: Setting, cards: Lanes, treasure: Lanes) -> Lanes:
    """Give the cards to part with most gladly; treasure only where nothing else is held."""
    cards = first(cards & ~treasure, cards)
    cheap = cards
    for i in range(DISCARD_GROUPS - 1, -1, -1):
        cheap = first(cards & setting.discards[i], cheap)
    return cheap


@inner
def basic_lead(
    setting: Setting, seat: Lanes, hand: Lanes, legal: Lanes, played: Lanes, may_hold: Lanes
) -> Lanes:
    """Choose a card to lead; `may_hold` are the cards that no opponent has shown to lack."""
    trump = setting.trump
    unseen = unknown_to(setting, seat, hand | played)
    threat = unseen & may_hold
    threat_trump = threat & trump
    masters = highest(legal & trump & above(threat_trump))
    winners = every(0)
    for i in range(setting.plain_suits.shape[0]):
        suit = setting.plain_suits[i]
        winners = winners | (legal & suit & above(threat & suit))
    tens = setting.tens
    # An ace is trumped too often where a void player must trump.
    unguarded = highest(winners & ~tens) if setting.forced == 0 else every(0)
    drawing = first(masters, unguarded)
    cashing = first(winners & tens, first(highest(winners), masters))
    choice = where(threat_trump, drawing, cashing)
    treasure = treasures(setting, hand, played, unseen)
    return lowest(first(choice, cheapest(setting, legal, treasure)))


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
    one_to_come: bool,
) -> Lanes:
    """Choose a card to follow with.

    cards : those played to the trick; top : the one that is winning it; partner_wins, fellow_wins :
    whether it is a partner's, or, where everybody plays alone, another defender's.
    pitcher_to_come : whether the pitcher has yet to play; may_hold : the cards that opponents yet
    to play have not shown to lack; one_to_come : whether at most one of them is.
    """
    trump = setting.trump
    tens = setting.tens
    seen = played | cards
    unseen = unknown_to(setting, seat, hand | seen)
    eligible = led | setting.ruff
    threat = unseen & may_hold & eligible
    treasure = treasures(setting, hand, seen, unseen)
    at_stake = cards & (treasure | tens)

    to_spare = legal & ~(trump & above(unseen & trump))
    plain = legal & ~trump
    honours = first(plain & setting.counters[2], plain & setting.counters[1])
    gift = first(to_spare & treasure, first(to_spare & tens, honours))

    ahead = legal & eligible & above(top)
    sure = ahead & above(threat)
    worthwhile = where(at_stake, sure, sure & ~trump)
    win = first(sure & treasure, first(sure & tens, worthwhile))
    if one_to_come:
        hopeful = ahead & ~(treasure | tens)
        unasked = hopeful & led & ~trump & above(threat & led)
        hopeful = where(sure, 0, highest(where(at_stake, hopeful, unasked)))
    else:
        hopeful = every(0)

    safe = top > threat
    kept_from_pitcher = where(fellow_wins & (safe | (pitcher_to_come == 0)), gift, 0)
    own = first(win, first(kept_from_pitcher, hopeful))
    choice = where(partner_wins, where(safe, gift, 0), own)
    return lowest(first(choice, cheapest(setting, legal, treasure)))
