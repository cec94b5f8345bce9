"""What hands hold of each suit, if it is trump, as small numbers to look things up by."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pitchsim.cards import ALL_CARDS, SUITS
from pitchsim.order import TrumpOrder, first_leads
from pitchsim.rules import Rules


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
        holdings = np.zeros((len(SUITS), len(hands)), np.int64)
        for suit, trumps in enumerate(self.trumps.tolist()):
            for place, card in enumerate(trumps):
                holdings[suit] |= (hands >> card & 1) << place
        return holdings
