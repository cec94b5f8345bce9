"""Worlds: deals of the cards that a player has not seen, as they may lie for all that it knows.

What the player knows of the others: the cards that each has played, how many each still holds,
the cards of which each has shown to have none (see :func:`pitchsim.reference.play.lacking`), in
this trick too, and how many trumps each kept before a draw. A player knows besides what it threw
away itself, which nobody holds. The pitcher may have been told of cards that another seat was
dealt, was not dealt, or that nobody was dealt. Where there is a draw, the first are held if they
are trumps, and thrown away if not; the others are of no use then, for they may be drawn.

The *unseen* cards are those of the deck that may lie anywhere for all the player knows. A world
gives them out so. Where there was a draw, as many of the cards that are not trump as the other
seats threw away lie in nobody's hand (less those that the player was told). Then cards are drawn
seat by seat, the one first that has the fewest cards to spare, that is, the fewest more to choose
from than it holds; of equals the first one clockwise from the pitcher. The seat has the cards that
the player was told. It draws, where there was a draw, from the trumps that it does not lack until
it has as many as it kept, those that it played among them; and then from all the cards that it does
not lack until it has as many as it holds. If it finds too few, the world is given up and another
begun.

Every card that a seat may draw is as likely as any other, but worlds are not: where seats lack
cards, some come about more easily. A world therefore *weighs* as much as there were ways in which
its draws could have come out, the product over all the draws of the ways to choose so many of
the cards that were there to choose from. And where there was a draw, a world counts once for each
way in which the trumps that a seat kept may be some of all its trumps, while its draws came out so
once for each way in which those that it drew first may be some of those drawn: by these numbers the
weight is multiplied and divided, seat by seat.

Random words become cards so: the unseen cards lie in a row, from the lowest up in the order of
clubs, diamonds, spades, hearts and trumps. The upper half of a word, taken as a fraction, chooses
one of those not yet drawn in this world; if it may not be drawn, the next word does. The card drawn
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
        """Return the cards that the player was told another seat held when play began."""
        dealt = set(self.situation.known.cards_of(self.counted(seat)))
        return dealt & self.trumps if self.situation.rules.draw else dealt

    def sure(self, seat: int) -> set[Card]:
        """Return those of them that it still holds."""
        return self.told(seat).difference(self.played(seat))

    @cached_property
    def unseen(self) -> list[Card]:
        """The cards to be dealt, from the lowest up."""
        known = self.situation.known
        told = {card for seat in self.others for card in known.cards_of(self.counted(seat))}
        return [card for card in self.hidden if card not in told]

    @cached_property
    def thrown(self) -> int:
        """How many of the unseen cards the other seats threw away."""
        rules, known = self.situation.rules, self.situation.known
        if not rules.draw:
            return 0
        return sum(
            rules.hand_size
            - self.situation.kept[seat]
            - len(known.cards_of(self.counted(seat)) - self.trumps)
            for seat in self.others
        )

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

    @cached_property
    def others(self) -> list[int]:
        """The other seats, clockwise from the pitcher."""
        return [seat for seat in self.seats if seat != self.situation.seat]

    @cached_property
    def in_order_of_drawing(self) -> list[int]:
        """The other seats, that first which has the fewest cards to spare."""

        def to_spare(seat: int) -> int:
            lacks = self.lacks(seat)
            choice = sum(card not in lacks for card in self.unseen) + len(self.sure(seat))
            return choice - self.situation.held[seat]

        return sorted(self.others, key=to_spare)

    def kept(self, seat: int) -> int:
        """Return how many trumps a seat kept, but for those that the player was told."""
        return self.situation.kept[seat] - len(self.told(seat))

    def played_trumps(self, seat: int) -> set[Card]:
        """Return the trumps that a seat has played, but for those that the player was told."""
        return self.trumps.intersection(self.played(seat)) - self.told(seat)

    def still_kept(self, seat: int) -> int:
        """Return how many trumps a seat draws first: at least so many are left of those kept."""
        return max(self.kept(seat) - len(self.played_trumps(seat)), 0)

    def draws(self, seat: int) -> list[tuple[set[Card], int]]:
        """Return the draws of a seat: from what cards, and how many."""
        choice = set(self.unseen) - self.lacks(seat)
        wanted = self.situation.held[seat] - len(self.sure(seat))
        if not self.situation.rules.draw:
            return [(choice, wanted)]
        first = self.still_kept(seat)
        return [(choice & self.trumps, first), (choice, wanted - first)]


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
    for _ in range(sight.thrown):
        row.draw(set(sight.unseen) - sight.trumps)
    for seat in sight.in_order_of_drawing:
        drawn: list[Card] = []
        for cards, wanted in sight.draws(seat):
            choice = cards.intersection(row.left)
            if wanted > len(choice):
                return None
            weight *= comb(len(choice), wanted)
            drawn += [row.draw(choice) for _ in range(wanted)]
        if sight.situation.rules.draw:
            trumps = sight.trumps.intersection(drawn)
            weight *= comb(len(trumps | sight.played_trumps(seat)), sight.kept(seat))
            weight /= comb(len(trumps), sight.still_kept(seat))
        hands[seat] = (*drawn, *sight.sure(seat), *sight.played(seat))
    return World(tuple(hands[seat] for seat in sorted(hands)), weight)
