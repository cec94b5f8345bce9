"""Which cards are trump, and in what order.

Once trump is known every card belongs to one suit of play: the trump suit, which may include
cards that bear another letter (jokers, the off-jack, the off-five), or the suit it bears.
"""

from functools import lru_cache

from pitchsim.cards import JOKERS, Card, same_colour_suit, suit_of
from pitchsim.rules import Rules

RANKS_FROM_THE_TOP = "AKQJT98765432"


def jokers_in_deck(rules: Rules) -> list[Card]:
    """Return the jokers that the rule set adds: two from the high one down, or the high one."""
    return list(JOKERS[: rules.jokers])


def off_jack(trump: str) -> Card:
    """Return the jack of the other suit of the trump's colour."""
    return "J" + same_colour_suit(trump)


def off_five(trump: str) -> Card:
    """Return the five of the other suit of the trump's colour."""
    return "5" + same_colour_suit(trump)


@lru_cache  # asked for again and again
def trump_suit(rules: Rules, trump: str) -> list[Card]:
    """Return the cards of the trump suit, from the highest to the lowest.

    A K Q J off-jack high joker low joker 10 9 8 7 6 5 off-five 4 3 2, each where it is in the
    rule set; jokers stand under the 2 instead where ``joker_rank`` is lowest. An off-jack or
    off-five belongs to the trump suit only in rule sets that give it a point.
    """
    order: list[Card] = []
    for rank in RANKS_FROM_THE_TOP:
        order.append(rank + trump)
        if rank == "J":
            if rules.points.off_jack:
                order.append(off_jack(trump))
            if rules.joker_rank == "below_jack":
                order += jokers_in_deck(rules)
        if rank == "5" and rules.points.off_five:
            order.append(off_five(trump))
    if rules.joker_rank == "lowest":
        order += jokers_in_deck(rules)
    return order


def suit_of_play(rules: Rules, trump: str, card: Card) -> str:
    """Return the suit that a card belongs to in play: the trump suit or the suit it bears.

    Cards of the trump suit "belong no longer to the suit they bear": they follow a trump lead,
    and may not follow their printed suit as members of it.
    """
    if card in trump_suit(rules, trump):
        return trump
    suit = suit_of(card)
    if suit is None:
        raise ValueError(f"{card} is not in the deck of {rules.name}")
    return suit


@lru_cache
def plain_suit(rules: Rules, trump: str, suit: str) -> list[Card]:
    """Return the cards of a suit other than trump, from the ace down, without any trumps."""
    trumps = trump_suit(rules, trump)
    return [rank + suit for rank in RANKS_FROM_THE_TOP if rank + suit not in trumps]


def second_trumps(rules: Rules, trump: str) -> list[Card]:
    """Return the second trump suit, from the highest down: hearts, where they are not trump anyway.

    Any heart beats any plain card and loses to any trump.
    """
    if rules.secondary_trump == "none" or trump == "H":
        return []
    return plain_suit(rules, trump, "H")
