"""Finding hands in a bidding table: in which rows they are, and what the suits are called there."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitchsim.cards import ALL_CARDS, SUITS, format_hand
from pitchsim.errors import TableError
from pitchsim.hands import HandIndex, cards_of, mask_of, turn_card
from pitchsim.order import TrumpOrder
from pitchsim.tables.rows import HandRows, HoldingRows

SUIT = len(ALL_CARDS[:52]) // len(SUITS)
#: The cards of a suit, or the jokers, as bits of a hand.
_LANES = {suit: mask_of(card for card in ALL_CARDS[:52] if card[1] == suit) for suit in SUITS}
_JOKERS = mask_of(ALL_CARDS[52:])


class Finds(NamedTuple):
    """Where hands are found, each in a row or in one for each trump suit, hand by hand.

    hands : int64[finds], the place of the hand.
    rows : int64[finds], the row of the table.
    names : int64[finds], which of the finder's renamings turns the row into the hand.
    """

    hands: NDArray[np.int64]
    rows: NDArray[np.int64]
    names: NDArray[np.int64]


class _Renamings:
    """The renamings of suits that the rules do not notice, and what they make of suits and cards.

    Attributes
    ----------
    symmetries
        What each suit of a hand is called in the table.
    suits
        int64[symmetries, 4]: for a suit of the table, its place in `SUITS` in the hand.
    cards
        int64[symmetries, 55]: for a card of the table, its place in `ALL_CARDS` in the hand; the
        last is -1, as a lead that is left open is.
    """

    def __init__(self, index: HandIndex) -> None:
        self.symmetries = index.symmetries
        back = [{new: old for old, new in names.items()} for names in self.symmetries]
        self.suits = np.array([[SUITS.index(names[suit]) for suit in SUITS] for names in back])
        self.cards = np.array(
            [[*(_NUMBER[turn_card(card, names)] for card in ALL_CARDS), -1] for names in back]
        )

    @staticmethod
    def turned(hands: NDArray[np.int64], names: Mapping[str, str]) -> NDArray[np.int64]:
        """Rename the suits of hands."""
        turned = hands & _JOKERS
        for old, new in names.items():
            shift = SUIT * (SUITS.index(new) - SUITS.index(old))
            cards = hands & _LANES[old]
            turned |= cards << shift if shift >= 0 else cards >> -shift
        return turned


_NUMBER = {card: place for place, card in enumerate(ALL_CARDS)}


class HandFinder(_Renamings):
    """Finds hands, a bit for each of `ALL_CARDS`, in a table by hand.

    Parameters
    ----------
    rows
        The rows of the table.
    """

    def __init__(self, rows: HandRows) -> None:
        super().__init__(rows.index)
        self._index = rows.index

    def find(self, hands: NDArray[np.int64]) -> Finds:
        """Find hands, each in one row.

        Raises
        ------
        CardError
            If one is no hand of the table's deck.
        """
        rows = self._index.rows_of(hands)
        there = self._index.hands_at(rows)
        fits = np.stack([self.turned(hands, names) == there for names in self.symmetries])
        return Finds(np.arange(len(hands)), rows, fits.argmax(axis=0))


class HoldingFinder(_Renamings):
    """Finds the trumps of hands, a bit for each of `ALL_CARDS`, in a table by holding.

    Parameters
    ----------
    rows
        The rows of the table.
    """

    def __init__(self, rows: HoldingRows) -> None:
        super().__init__(HandIndex.of(rows.rules))
        self._rows = rows

    def find(self, hands: NDArray[np.int64]) -> Finds:
        """Find what hands hold of each suit that can be made trump.

        Raises
        ------
        TableError
            If there is no such suit.
        """
        found = np.stack([self._rows_with(suit, hands) for suit in SUITS], axis=1)
        if (none := (found < 0).all(axis=1)).any():
            hand = format_hand(cards_of(int(hands[none.argmax()])))
            raise TableError(f"no suit of {hand} can be made trump with a trump held")
        places, suits = np.nonzero(found >= 0)
        return Finds(places, found[places, suits], self._names[suits])

    def _rows_with(self, suit: str, hands: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the row of what each hand holds if a suit is trump; -1 where there is none."""
        trumps = mask_of(TrumpOrder(rules=self._rows.rules, trump=suit).trumps)
        names = self.symmetries[self._names[SUITS.index(suit)]]
        holdings = self.turned(hands & trumps, names).tolist()
        rows = self._row_of[names[suit]]
        return np.array([rows.get(holding, -1) for holding in holdings], np.int64)

    @cached_property
    def _row_of(self) -> dict[str, dict[int, int]]:
        """The row of the trumps held, for each trump suit of the table."""
        rows: dict[str, dict[int, int]] = {}
        for row, (trump, holding) in enumerate(self._rows.holdings):
            rows.setdefault(trump, {})[mask_of(holding)] = row
        return rows

    @cached_property
    def _names(self) -> NDArray[np.int64]:
        """The first renaming that makes of each suit one that is trump in the table."""
        return np.array(
            [
                next(i for i, names in enumerate(self.symmetries) if names[suit] in self._row_of)
                for suit in SUITS
            ]
        )
