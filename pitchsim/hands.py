"""Every distinct hand as a row number: a perfect index of hands under the symmetry of a rule set.

Two hands are the same if renaming suits turns one into the other and the rules do not notice.
The distinct hands are numbered from 0, and a row is computed from a hand, and a hand from a row,
by the way in which a hand is built:

* what it holds of a suit, or of the jokers, is a set of cards;
* suits that may be renamed into each other are an unordered collection of such sets; where
  colours matter, the two colours are an unordered pair of unordered pairs;
* suits that keep their names, and the jokers, stand beside these in order.

So a deck is a tree of parts, and every part numbers what can be held of it, fewer cards first.
The row of a hand is its number in the whole deck, less that of the first hand of as many cards.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, permutations, product
from math import comb, factorial
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pitchsim.cards import (
    ALL_CARDS,
    RANKS,
    SUITS,
    Card,
    format_hand,
    full_deck,
    is_joker,
    same_colour_suit,
    sort_hand,
)
from pitchsim.errors import CardError
from pitchsim.rules import Rules

Ints: TypeAlias = NDArray[np.int64]

_BITS = {card: 1 << place for place, card in enumerate(ALL_CARDS)}


def mask_of(cards: Iterable[Card]) -> int:
    """Write a hand as a number: bit i stands for the card `ALL_CARDS[i]`."""
    return sum(_BITS[card] for card in set(cards))


def cards_of(mask: int) -> tuple[Card, ...]:
    """Return the cards of a hand that is written as a number, sorted as output is."""
    return sort_hand(card for card, bit in _BITS.items() if mask & bit)


def turn_card(card: Card, suits: Mapping[str, str]) -> Card:
    """Return what a card becomes when suits are renamed; a joker stays what it is."""
    return card if is_joker(card) else card[0] + suits[card[1]]


@dataclass(frozen=True)
class HandIndex:
    """The distinct hands of a rule set: a row number and a canonical hand for each.

    Hands are numbers as :func:`mask_of` writes them; hands and rows are arrays of int64. In a
    canonical hand the longest and highest suit comes first, in the order S H D C, as far as the
    symmetry goes. A hand without jokers has the same row whether or not the deck has jokers. A
    million hands or rows at once take some 150 MB while they are worked out.

    Attributes
    ----------
    colours
        Whether the rules tell which suits are of one colour.
    hearts
        Whether the rules tell which suit is hearts.
    jokers
        How many jokers the deck holds.
    hand_size
        How many cards a hand has.

    Raises
    ------
    CardError
        From the methods, for a hand that is not of this size and deck, or a row past the last.

    Examples
    --------
    >>> index = HandIndex(colours=False, hearts=False, jokers=0)
    >>> index.count
    962988
    >>> hand = mask_of(["2S", "AD", "JD", "TD", "5D", "KC"])
    >>> row = index.rows_of(np.array([hand]))
    >>> cards_of(int(index.hands_at(row)[0]))
    ('AS', 'JS', 'TS', '5S', 'KH', '2D')
    >>> index.multiplicity(row)
    array([24])
    """

    colours: bool
    hearts: bool
    jokers: int
    hand_size: int = 6

    @classmethod
    def of(cls, rules: Rules) -> Self:
        """Return the index of the hands of a rule set, by what its rules tell of the suits.

        The off-jack and the off-five belong to the other suit of the trump's colour; hearts as
        second trumps, and the point for their ace, set hearts apart. No other rule names suits.
        """
        points = rules.points
        return cls(
            colours=points.off_jack > 0 or points.off_five > 0,
            hearts=points.ace_of_hearts > 0 or rules.secondary_trump == "hearts",
            jokers=rules.jokers,
            hand_size=rules.hand_size,
        )

    @property
    def count(self) -> int:
        """The number of distinct hands."""
        first, end = self._deck.starts[self.hand_size :]
        return int(end - first)

    @cached_property
    def symmetries(self) -> tuple[Mapping[str, str], ...]:
        """Every renaming of suits that the rules do not notice; the first changes nothing."""
        renamings = (dict(zip(SUITS, suits, strict=True)) for suits in permutations(SUITS))
        return tuple(
            to
            for to in renamings
            if (not self.colours or to[same_colour_suit("S")] == same_colour_suit(to["S"]))
            and (not self.hearts or to["H"] == "H")
        )

    def rows_of(self, hands: Ints) -> Ints:
        """Return the row of each hand: equal for hands that a symmetry joins, and only for them."""
        wrong = hands >> len(full_deck(self.jokers)) != 0
        wrong |= np.bitwise_count(hands) != self.hand_size
        if wrong.any():
            cards = format_hand(cards_of(int(hands[wrong][0])))
            raise CardError(
                f"{cards!r} is not a hand here: expected {self.hand_size} cards of a deck with "
                f"jokers = {self.jokers}"
            )
        return self._deck.numbers_in(hands) - self._first

    def hands_at(self, rows: Ints) -> Ints:
        """Return the canonical hand of each row."""
        self._check(rows)
        return self._deck.hands_of(rows + self._first)

    def multiplicity(self, rows: Ints) -> Ints:
        """Return how many hands each row stands for."""
        self._check(rows)
        return self._deck.ways_of(rows + self._first)

    def _check(self, rows: Ints) -> None:
        wrong = (rows < 0) | (rows >= self.count)
        if wrong.any():
            raise CardError(f"there is no row {rows[wrong][0]}: expected 0 to {self.count - 1}")

    @property
    def _first(self) -> int:
        return int(self._deck.starts[self.hand_size])

    @cached_property
    def _deck(self) -> "_Part":
        most = self.hand_size

        def alike(*parts: _Part) -> _Part:
            return _Parts(parts, most, alike=True)

        spades, hearts, diamonds, clubs = (
            _Cards(len(RANKS) * place, len(RANKS), most) for place in range(len(SUITS))
        )
        if self.colours and self.hearts:
            suits = [hearts, diamonds, alike(spades, clubs)]
        elif self.colours:
            suits = [alike(alike(spades, clubs), alike(hearts, diamonds))]
        elif self.hearts:
            suits = [hearts, alike(spades, diamonds, clubs)]
        else:
            suits = [alike(spades, hearts, diamonds, clubs)]
        jokers = _Cards(len(full_deck(0)), self.jokers, most)
        return _Parts([jokers, *suits], most, alike=False)


class _Part(ABC):
    """Some cards of the deck, and a number for whatever a hand may hold of them.

    What has k cards has the numbers from `starts[k]` up to but not including `starts[k + 1]`.
    """

    starts: Ints

    @abstractmethod
    def numbers_in(self, hands: Ints) -> Ints:
        """Return the numbers of what hands hold of these cards."""

    @abstractmethod
    def hands_of(self, numbers: Ints) -> Ints:
        """Return what has these numbers; of all that symmetry joins, the canonical."""

    @abstractmethod
    def ways_of(self, numbers: Ints) -> Ints:
        """Return how many sets of cards share each of these numbers."""


class _Cards(_Part):
    """Neighbours in the deck, such as a suit. Of as many cards, those with the highest are last."""

    def __init__(self, first: int, cards: int, most: int) -> None:
        self.starts = _starts(comb(cards, size) for size in range(most + 1))
        self._first = first
        self._all = (1 << cards) - 1
        self._sets = np.argsort(np.bitwise_count(np.arange(1 << cards)), kind="stable")
        self._numbers = np.argsort(self._sets)

    def numbers_in(self, hands: Ints) -> Ints:
        numbers: Ints = self._numbers[hands >> self._first & self._all]
        return numbers

    def hands_of(self, numbers: Ints) -> Ints:
        sets: Ints = self._sets[numbers]
        return sets << self._first

    def ways_of(self, numbers: Ints) -> Ints:
        return np.ones_like(numbers)


class _Parts(_Part):
    """Parts in order; or parts that are alike, in descending order of what is held of them.

    A shape is the number of cards held of each part; shapes are in lexicographic order. Within
    a shape, alike parts of as many cards form a run, and any other part is a run by itself. A
    run of m parts that may each hold one of n things is a multiset, whose rank is, of things
    r_1 >= ... >= r_m numbered from 0, the sum of C(r_i + m - i, m - i + 1): the combinatorial
    number system for multisets. The ranks of runs are the digits of a mixed radix.
    """

    def __init__(self, parts: Iterable[_Part], most: int, *, alike: bool) -> None:
        self._parts = tuple(parts)
        self._alike = alike
        counts = [np.diff(part.starts).tolist() for part in self._parts]
        shapes = [
            sizes
            for sizes in product(range(most + 1), repeat=len(counts))
            if sum(sizes) <= most and not (alike and any(a < b for a, b in pairwise(sizes)))
        ]
        shapes.sort(key=sum)
        self._sizes = np.array(shapes)
        self._left = np.ones_like(self._sizes)  # parts of the run from this one on: m - i + 1
        self._worth = np.ones_like(self._sizes)  # the product of the radices after the run
        totals = []
        for shape, sizes in enumerate(shapes):
            left, worth, total = 1, 1, 1
            for at in reversed(range(len(sizes))):
                in_run = alike and sizes[at : at + 1] == sizes[at + 1 : at + 2]
                left, worth = (left + 1, worth) if in_run else (1, total)
                self._left[shape, at], self._worth[shape, at] = left, worth
                total = worth * _multisets(counts[at][sizes[at]], left)
            totals.append(total)
        self._firsts = _starts(totals)
        self._shape_of = np.zeros((most + 1,) * len(counts), np.int64)
        self._shape_of[tuple(self._sizes.T)] = np.arange(len(shapes))
        self.starts = self._firsts[np.searchsorted(self._sizes.sum(axis=1), np.arange(most + 2))]
        things = np.arange(max(counts[0][: most // 2 + 1]))  # two in a run have half the cards each
        self._ranks = {m: _multisets(things, m) for m in range(2, self._left.max() + 1)}

    def numbers_in(self, hands: Ints) -> Ints:
        numbers = np.stack([part.numbers_in(hands) for part in self._parts])
        if self._alike:
            numbers = np.sort(numbers, axis=0)[::-1]
        sizes = [
            np.searchsorted(part.starts, number, side="right") - 1
            for part, number in zip(self._parts, numbers, strict=True)
        ]
        shape = self._shape_of[tuple(sizes)]
        result: Ints = self._firsts[shape]
        for at, part in enumerate(self._parts):
            rank = self._rank(numbers[at] - part.starts[sizes[at]], self._left[shape, at])
            result += self._worth[shape, at] * rank
        return result

    def _numbers_of_parts(self, numbers: Ints) -> list[Ints]:
        shape = np.searchsorted(self._firsts, numbers, side="right") - 1
        rest = numbers - self._firsts[shape]
        result = []
        for at, part in enumerate(self._parts):
            left, worth = self._left[shape, at], self._worth[shape, at]
            thing = self._thing(rest // worth, left)
            rest -= worth * self._rank(thing, left)
            result.append(part.starts[self._sizes[shape, at]] + thing)
        return result

    def _rank(self, things: Ints, left: Ints) -> Ints:
        """Return what things add to the rank of their run."""
        result = things.copy()
        for many, ranks in self._ranks.items():
            here = left == many
            result[here] = ranks[things[here]]
        return result

    def _thing(self, ranks: Ints, left: Ints) -> Ints:
        """Return the highest things that add no more than this to the rank of their run."""
        result = ranks.copy()
        for many, least in self._ranks.items():
            here = left == many
            result[here] = np.searchsorted(least, ranks[here], side="right") - 1
        return result

    def hands_of(self, numbers: Ints) -> Ints:
        hands = np.zeros_like(numbers)
        for part, number in zip(self._parts, self._numbers_of_parts(numbers), strict=True):
            hands |= part.hands_of(number)
        return hands

    def ways_of(self, numbers: Ints) -> Ints:
        of_parts = self._numbers_of_parts(numbers)
        ways = np.ones_like(numbers)
        for part, number in zip(self._parts, of_parts, strict=True):
            ways *= part.ways_of(number)
        if self._alike:  # as many again for each order, but equal ones have only one
            ways *= factorial(len(of_parts))
            equal = np.ones_like(numbers)
            for number, following in pairwise(of_parts):
                equal = np.where(number == following, equal + 1, 1)
                ways //= equal
        return ways


def _starts(counts: Iterable[int]) -> Ints:
    """Return where each group starts when groups are counted through, and the end of the last."""
    return np.cumsum([0, *counts], dtype=np.int64)


def _multisets(things: Any, many: int) -> Any:
    """Count the multisets of so many out of a number of things, or of each number in an array."""
    result = things
    for i in range(1, many):
        result = result * (things + i) // (i + 1)
    return result
