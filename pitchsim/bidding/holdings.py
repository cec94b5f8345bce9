"""What hands hold of each suit, if it is trump, as small numbers to look things up by."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from pitchsim.cards import ALL_CARDS, SUITS
from pitchsim.order import TrumpOrder, first_leads
from pitchsim.rules import Rules

#: A hand is looked up in parts of so many bits, whose tables a processor's cache holds.
PART_BITS = 11
PART = (1 << PART_BITS) - 1

Value = TypeVar("Value", np.int64, np.float64)


def part_tables(values: NDArray[Value]) -> NDArray[Value]:
    """Add up what the cards of every part of a hand are worth, of several kinds.

    Parameters
    ----------
    values
        [kinds, 54], what each of `ALL_CARDS` is worth.

    Returns
    -------
    [kinds, parts, 2048], for :func:`add_up`.
    """
    numbers = np.arange(PART + 1)
    tables = np.zeros((len(values), -(-len(ALL_CARDS) // PART_BITS), len(numbers)), values.dtype)
    for card in range(len(ALL_CARDS)):
        held = numbers >> card % PART_BITS & 1
        tables[:, card // PART_BITS] += held * values[:, [card]]
    return tables


def add_up(tables: NDArray[Value], hands: NDArray[np.int64]) -> NDArray[Value]:
    """Add up what the cards of hands are worth, [kinds, n], by tables of their parts."""
    total = tables[:, 0, hands & PART]
    for place in range(1, tables.shape[1]):
        total += tables[:, place, hands >> place * PART_BITS & PART]
    return total


@dataclass(frozen=True)
class Holdings:
    """The trumps held of each suit, as a number: bit i stands for the i-th trump from below.

    Attributes
    ----------
    rules
        The rule set, which says what belongs to a trump suit.
    """

    rules: Rules

    @cached_property
    def trumps(self) -> NDArray[np.int64]:
        """The places in `ALL_CARDS` of the trumps of each suit from below, int64[4, trumps]."""
        return np.array(
            [
                [ALL_CARDS.index(card) for card in TrumpOrder(self.rules, suit).trumps]
                for suit in SUITS
            ]
        )

    @property
    def count(self) -> int:
        """How many holdings there are, of any size."""
        return 1 << int(self.trumps.shape[1])

    @cached_property
    def may_pitch(self) -> NDArray[np.bool_]:
        """With which holdings each suit can be made trump, bool[4, holdings]."""
        if self.rules.trump_choice == "declared":
            return np.ones((len(SUITS), self.count), bool)
        numbers = np.arange(self.count)
        may_lead = [set(first_leads(self.rules, suit)) for suit in SUITS]
        leads = [
            sum(1 << i for i, place in enumerate(trumps) if ALL_CARDS[place] in allowed)
            for trumps, allowed in zip(self.trumps.tolist(), may_lead, strict=True)
        ]
        return np.asarray(numbers & np.array(leads)[:, None] != 0)

    def of(self, hands: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the holding of each suit, int64[4, n], of hands, a bit for each of `ALL_CARDS`."""
        return add_up(self._tables, hands)

    @cached_property
    def _tables(self) -> NDArray[np.int64]:
        bits = np.zeros((len(SUITS), len(ALL_CARDS)), np.int64)
        np.put_along_axis(bits, self.trumps, 1 << np.arange(self.trumps.shape[1])[None], axis=1)
        return part_tables(bits)
