"""The rules of thumb of a good club player, compiled.

`pitchsim.reference.basic_play` says the same in words, with the reason for each rule; the names of
the rules here (L1, F2 …) are its names. A player knows its hand, the cards played and who has
shown a void; nothing else is used.
"""

from __future__ import annotations

from pitchsim.engine.bits import above, first, highest, lowest, trailing_zeros, when
from pitchsim.engine.jit import inner
from pitchsim.engine.setting import DISCARD_GROUPS, Setting

# Every rule is worked out and the first that found a card is chosen by conditional moves: a
# processor guesses branches on cards wrong half of the time, and that costs more than the rules.


@inner
def treasures(setting: Setting, hand: int, seen: int, unseen: int) -> int:
    """Give the cards that score for who wins them: the prizes, and what may well be Low."""
    if setting.low_to_holder:
        return setting.prizes
    low = lowest((hand | seen) & setting.low_cards)
    lower = unseen & setting.low_cards & (low - 1)
    return setting.prizes | (low if lower & (lower - 1) == 0 else 0)


@inner
def cheapest(setting: Setting, cards: int, treasure: int) -> int:
    """Give the cards to part with most gladly; treasure only where nothing else is held."""
    cards = first(cards & ~treasure, cards)
    cheap = cards
    for i in range(DISCARD_GROUPS - 1, -1, -1):
        cheap = first(cards & setting.discards[i], cheap)
    return cheap


@inner
def basic_lead(setting: Setting, hand: int, legal: int, played: int, may_hold: int) -> int:
    """Choose a card to lead; `may_hold` are the cards that no opponent has shown to lack."""
    trump = setting.trump
    unseen = setting.deck & ~(hand | played)
    threat = unseen & may_hold
    threat_trump = threat & trump
    masters = legal & trump & above(threat_trump)
    winners = 0
    plain = legal & ~trump
    for _ in range(3):
        suit = setting.suit_of[trailing_zeros(plain) & 63]
        winners |= plain & suit & above(threat & suit)
        plain &= ~suit
    tens = setting.tens
    # An ace is trumped too often where a void player must trump.
    unguarded = when(setting.forced == 0, highest(winners & ~tens))
    drawing = first(highest(masters), unguarded)
    cashing = first(winners & tens, first(highest(winners), highest(masters)))
    choice = drawing if threat_trump else cashing
    treasure = treasures(setting, hand, played, unseen)
    return lowest(first(choice, cheapest(setting, legal, treasure)))


@inner
def basic_follow(
    setting: Setting,
    hand: int,
    legal: int,
    led: int,
    cards: int,
    top: int,
    partner_wins: bool,
    played: int,
    may_hold: int,
    one_to_come: bool,
) -> int:
    """Choose a card to follow with.

    cards : those played to the trick; top : the one that is winning it, a partner's or not;
    may_hold : the cards that opponents yet to play have not shown to lack; one_to_come : whether
    at most one of them is.
    """
    trump = setting.trump
    tens = setting.tens
    seen = played | cards
    unseen = setting.deck & ~(hand | seen)
    eligible = led | setting.ruff
    threat = unseen & may_hold & eligible
    treasure = treasures(setting, hand, seen, unseen)
    at_stake = cards & (treasure | tens)

    to_spare = legal & ~above(unseen & trump)
    plain = legal & ~trump
    honours = first(plain & setting.counters[2], plain & setting.counters[1])
    gift = first(to_spare & treasure, first(to_spare & tens, honours))

    ahead = legal & eligible & above(top)
    sure = ahead & above(threat)
    worthwhile = sure & ~(0 if at_stake else trump)
    win = first(sure & treasure, first(sure & tens, worthwhile))

    hopeful = highest(ahead & ~(treasure | tens))
    hopeful &= -1 if at_stake else led & ~trump & above(threat & led)
    hopeful = when((sure == 0) & one_to_come, hopeful)

    helping = when(partner_wins & (top > threat), gift)
    choice = helping | when(not partner_wins, first(win, hopeful))
    return lowest(first(choice, cheapest(setting, legal, treasure)))
