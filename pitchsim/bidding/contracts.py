"""Which trump suits and leads a winner of the auction may choose."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pitchsim.bidding.auction import Bidder, Contracts
from pitchsim.cards import ALL_CARDS, SUITS, format_hand
from pitchsim.errors import StrategyError
from pitchsim.hands import cards_of, mask_of
from pitchsim.order import TrumpOrder, first_leads
from pitchsim.rules import Rules
from pitchsim.tables.rows import ANY_LEAD


@dataclass(frozen=True)
class PossibleContracts:
    """The trump suits and leads that hands may pitch.

    Attributes
    ----------
    rules
        The rule set.
    """

    rules: Rules

    @cached_property
    def leads(self) -> NDArray[np.int64]:
        """The cards that may be led for sure when a suit is trump, as sets, int64[4]."""
        cards = [set(first_leads(self.rules, suit)) for suit in SUITS]
        if self.rules.draw:  # all others are thrown away
            cards = [
                leads & set(TrumpOrder(self.rules, suit).trumps)
                for leads, suit in zip(cards, SUITS, strict=True)
            ]
        return np.array([mask_of(leads) for leads in cards], np.int64)

    def check(self, bidder: Bidder, hands: NDArray[np.int64], contracts: Contracts) -> None:
        """Refuse what a bidder may not choose with the hands that it pitches.

        Raises
        ------
        StrategyError
            Naming the hand, and what was chosen.
        """
        name = type(bidder).__name__
        trumps, leads, chances = map(np.asarray, contracts)
        for what, values in (("trumps", trumps), ("leads", leads)):
            if values.shape != hands.shape or values.dtype.kind not in "iu":
                raise StrategyError(
                    f"{name} gave {what} of shape {values.shape} and type {values.dtype}: expected "
                    f"one whole number for each of {len(hands)} hands"
                )
        if (
            chances.shape != hands.shape
            or not (np.isnan(chances) | (abs(chances - 0.5) <= 0.5)).all()
        ):
            raise StrategyError(
                f"{name} gave chances of shape {chances.shape}: expected a number from 0 to 1, or "
                f"NaN, for each of {len(hands)} hands"
            )
        known = (trumps >= 0) & (trumps < len(SUITS))
        possible = hands & self.leads[np.where(known, trumps, 0)]
        is_card = (leads >= 0) & (leads < len(ALL_CARDS))
        is_possible = (possible >> np.where(is_card, leads, 0) & 1 == 1) & is_card
        may_choose = (possible != 0) | (self.rules.trump_choice == "declared")
        legal = known & (is_possible | ((leads == ANY_LEAD) & may_choose))
        if not legal.all():
            place = int(legal.argmin())
            trump, lead = int(trumps[place]), int(leads[place])
            suit = SUITS[trump] if known[place] else trump
            card = ALL_CARDS[lead] if is_card[place] else lead
            cards = cards_of(int(possible[place])) if known[place] else ()
            raise StrategyError(
                f"{name} pitches illegally: with {format_hand(cards_of(int(hands[place])))} it "
                f"makes {suit} trump and leads {'any card' if lead == ANY_LEAD else card}; "
                + (
                    f"expected a lead of {format_hand(cards)}"
                    if cards
                    else "expected a suit of which it holds a card to lead"
                )
            )
