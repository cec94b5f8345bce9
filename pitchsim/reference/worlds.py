"""Worlds: deals of the cards that a player has not seen, as they may lie for all that it knows.

What the player knows of the others: the cards that each has played, how many each still holds,
the cards of which each has shown to have none (see :func:`pitchsim.reference.play.lacking`), in
this trick too, and how many trumps each kept before a draw. Of those kept trumps a trump that is
played counts as one, so that the rest of them are in the hand for sure. A player knows besides
what it threw away itself, which nobody holds. The pitcher may have been told of cards that
another seat holds, does not hold, or that nobody holds, when play begins; after a draw only the
trumps are of use that a seat was dealt, for all else may have been thrown away, or drawn.

The *unseen* cards are the others of the deck. A world gives them to the seats so: seat by seat,
the one first that has the fewest cards to spare, that is, the fewest more to choose from than it
holds; of equals the first one clockwise from the pitcher. The seat has the cards that it is told
to hold; it draws, where there was a draw, from the trumps that it does not lack until it has as
many as it kept; and then from all the cards that it does not lack until it has as many as it
holds. If it finds too few, the world is given up and another begun.

Every card that a seat may draw is as likely as any other, but worlds are not: where seats lack
cards, some come about more easily. A world therefore *weighs* as much as there were ways in which
its draws could have come out, the product over all the draws of the ways to choose so many of
the cards that were there to choose from.

Random words become cards so: the unseen cards lie in a row, from the lowest up in the order of
clubs, diamonds, spades, hearts and trumps. The upper half of a word, taken as a fraction, chooses
one of those not yet drawn in this world; if the seat lacks it, the next word does. The card drawn
changes places with the first that is not drawn, so that those drawn lie in front. The next world
begins with the row as it lies then.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import comb

from pitchsim.cards import Card, full_deck
from pitchsim.reference.play import lacking
from pitchsim.reference.playout import Situation
from pitchsim.reference.random_play import engine_order
from pitchsim.reference.trumps import trump_suit

HALF = 2**32


@dataclass(frozen=True)
class World:
    """A deal that fits what a player knows.

    Attributes
    ----------
    hands : tuple of tuple of Card
        What each seat held before the first lead.
    weight : float
        How much it counts.
    """

    hands: tuple[tuple[Card, ...], ...]
    weight: float


@dataclass(frozen=True)
class Sight:
    """What a player knows of the cards."""

    situation: Situation

    @cached_property
    def seats(self) -> list[int]:
        """All seats, clockwise from the pitcher."""
        players, pitcher = self.situation.seating.players, self.situation.pitcher
        return [(pitcher + turn) % players for turn in range(players)]

    @cached_property
    def trumps(self) -> set[Card]:
        """The trump suit."""
        return set(trump_suit(self.situation.rules, self.situation.trump))

    @cached_property
    def tricks(self) -> list[tuple[tuple[Card, ...], tuple[int, ...]]]:
        """The cards of each trick, and who played them; the last may be in progress."""
        tricks = [(trick.plays, trick.seats) for trick in self.situation.tricks]
        return [*tricks, (self.situation.plays, self.situation.seats)]

    def played(self, seat: int) -> list[Card]:
        """Return the cards that a seat has played."""
        return [
            card
            for plays, seats in self.tricks
            for card, player in zip(plays, seats, strict=True)
            if player == seat
        ]

    @cached_property
    def own(self) -> tuple[Card, ...]:
        """What the player held before the first lead."""
        return (*self.situation.hand, *self.played(self.situation.seat))

    @cached_property
    def hidden(self) -> list[Card]:
        """The cards that the player has not seen, from the lowest up."""
        seen = {*self.own, *self.situation.thrown}
        seen.update(card for seat in self.seats for card in self.played(seat))
        deck = full_deck(self.situation.rules.jokers)
        order = engine_order(self.situation.rules, self.situation.trump)
        return [card for card in order if card in deck and card not in seen]

    def told(self, seat: int) -> set[Card]:
        """Return the cards, not played yet, that the player knows a seat to hold."""
        held = self.situation.known.cards_of(self.counted(seat))
        told = {card for card in self.hidden if card in held}
        return told & self.trumps if self.situation.rules.draw else told

    @cached_property
    def unseen(self) -> list[Card]:
        """The cards to be dealt, from the lowest up."""
        told = {card for seat in self.others for card in self.told(seat)}
        return [card for card in self.hidden if card not in told]

    def lacks(self, seat: int) -> set[Card]:
        """Return the cards that the player knows a seat not to hold."""
        rules, trump, known = self.situation.rules, self.situation.trump, self.situation.known
        lacks: set[Card] = set()
        for plays, seats in self.tricks:
            if seat in seats[1:]:
                lacks |= lacking(rules, trump, plays[0], plays[seats.index(seat)])
        return lacks if rules.draw else lacks | known.out | known.barred_to(self.counted(seat))

    def counted(self, seat: int) -> int:
        """Count a seat from the player's own."""
        return (seat - self.situation.seat) % self.situation.seating.players

    def kept(self, seat: int) -> int:
        """Return how many trumps a seat still holds of those that it kept before the draw."""
        played = sum(card in self.trumps for card in self.played(seat))
        return max(self.situation.kept[seat] - played, 0)

    @cached_property
    def others(self) -> list[int]:
        """The other seats, clockwise from the pitcher."""
        return [seat for seat in self.seats if seat != self.situation.seat]

    @cached_property
    def in_order_of_drawing(self) -> list[int]:
        """The other seats, that first which has the fewest cards to spare."""

        def to_spare(seat: int) -> int:
            lacks = self.lacks(seat)
            choice = sum(card not in lacks for card in self.unseen) + len(self.told(seat))
            return choice - self.situation.held[seat]

        return sorted(self.others, key=to_spare)

    def draws(self, seat: int) -> list[tuple[set[Card], int]]:
        """Return the draws of a seat: from what cards, and how many it then shall have."""
        lacks = self.lacks(seat)
        choice = {card for card in self.unseen if card not in lacks}
        draws = [(choice, self.situation.held[seat])]
        if self.situation.rules.draw:
            draws.insert(0, (choice & self.trumps, self.kept(seat)))
        return draws


@dataclass
class Row:
    """The unseen cards in a row, those drawn in front."""

    cards: list[Card]
    words: Iterator[int]
    drawn: int = 0

    @property
    def left(self) -> list[Card]:
        """The cards that are not drawn yet."""
        return self.cards[self.drawn :]

    def draw(self, choice: set[Card]) -> Card:
        """Draw one of some cards."""
        while True:
            upper_half = next(self.words) // HALF
            place = self.drawn + upper_half * len(self.left) // HALF
            if self.cards[place] in choice:
                break
        card = self.cards[place]
        self.cards[place], self.cards[self.drawn] = self.cards[self.drawn], card
        self.drawn += 1
        return card


def deal_worlds(situation: Situation, words: Iterator[int], count: int) -> list[World]:
    """Deal worlds that fit what a player knows.

    Parameters
    ----------
    situation : Situation
        What the player knows; it must say how many cards everybody holds.
    words : iterator of int
        Random words of 64 bits.
    count : int
        How many worlds.
    """
    sight = Sight(situation)
    row = Row(list(sight.unseen), words)
    worlds: list[World] = []
    while len(worlds) < count:
        row.drawn = 0
        world = deal_world(sight, row)
        if world is not None:
            worlds.append(world)
    return worlds


def deal_world(sight: Sight, row: Row) -> World | None:
    """Deal a world, or None where somebody finds too few cards."""
    hands = {sight.situation.seat: sight.own}
    weight = 1.0
    for seat in sight.in_order_of_drawing:
        hand = list(sight.told(seat))
        for cards, size in sight.draws(seat):
            choice = cards.intersection(row.left)
            wanted = max(size - len(hand), 0)
            if wanted > len(choice):
                return None
            weight *= comb(len(choice), wanted)
            hand += [row.draw(choice) for _ in range(wanted)]
        hands[seat] = (*hand, *sight.played(seat))
    return World(tuple(hands[seat] for seat in sorted(hands)), weight)
