"""The cards of a rule set in order once a suit is trump, and what they then are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from pitchsim.cards import (
    HIGH_JOKER,
    JOKERS,
    LOW_JOKER,
    RANKS,
    Card,
    full_deck,
    is_joker,
    same_colour_suit,
    suit_of,
)
from pitchsim.rules import Rules

# From the lowest lane up. Hearts lie above the other plain suits, so that as a second trump suit
# they beat them.
LANE_SUITS = "CDSH"
LANE = 13
TRUMP_LANE = 3 * LANE


@dataclass(frozen=True)
class TrumpOrder:
    """The cards of a rule set as bits once a suit is trump (see `pitchsim.engine.setting`)."""

    rules: Rules
    trump: str

    @cached_property
    def trumps(self) -> tuple[Card, ...]:
        """The trump suit from the lowest card up."""
        rules, trump = self.rules, self.trump
        other = same_colour_suit(trump)
        jokers = [card for card in (LOW_JOKER, HIGH_JOKER) if card in JOKERS[: rules.jokers]]
        order = [rank + trump for rank in RANKS]
        if rules.points.off_five:
            order.insert(order.index("5" + trump), "5" + other)
        if rules.points.off_jack:
            order.insert(order.index("J" + trump), "J" + other)
        place = 0 if rules.joker_rank == "lowest" else order.index("T" + trump) + 1
        return (*order[:place], *jokers, *order[place:])

    @cached_property
    def bit_of(self) -> dict[Card, int]:
        """The bit number of every card of the deck."""
        plain = [suit for suit in LANE_SUITS if suit != self.trump]
        bits = {card: TRUMP_LANE + i for i, card in enumerate(self.trumps)}
        for card in full_deck(self.rules.jokers):
            if card not in bits:
                bits[card] = LANE * plain.index(card[1]) + RANKS.index(card[0])
        return bits

    @cached_property
    def card_of(self) -> dict[int, Card]:
        """The card of every mask of one bit."""
        return {1 << bit: card for card, bit in self.bit_of.items()}

    def mask(self, cards: Iterable[Card]) -> int:
        """Return the set of those cards that are in the deck."""
        return sum(1 << self.bit_of[card] for card in cards if card in self.bit_of)

    def suits(self) -> list[int]:
        """Return the trump suit and the plain suits, as sets."""
        trump = self.mask(self.trumps)
        lanes = [((1 << LANE) - 1) << (LANE * i) for i in range(3)]
        deck = self.mask(self.bit_of)
        return [trump, *(deck & lane for lane in lanes)]


def prize_cards(rules: Rules, trump: str) -> dict[str, Card]:
    """Return the card of each point that the winner of a trick scores, of those played."""
    other = same_colour_suit(trump)
    cards = {
        "jack": "J" + trump,
        "off_jack": "J" + other,
        "high_joker": HIGH_JOKER,
        "low_joker": LOW_JOKER,
        "trump_three": "3" + trump,
        "trump_five": "5" + trump,
        "off_five": "5" + other,
        "ace_of_hearts": "AH",
    }
    return {name: card for name, card in cards.items() if name in rules.point_values}


def first_leads(rules: Rules, trump: str) -> list[Card]:
    """Return the cards that may be led first when a suit is trump."""
    deck = full_deck(rules.jokers)
    if rules.trump_choice == "declared":
        return list(deck)
    pitched = [card for card in deck if suit_of(card) == trump]
    return pitched + [card for card in deck if is_joker(card) and rules.joker_lead == "names"]
