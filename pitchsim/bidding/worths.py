"""What hands are worth at each bid, looked up for very many of them at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from pitchsim.bidding.auction import Contracts
from pitchsim.bidding.holdings import Holdings
from pitchsim.cards import ALL_CARDS, SUITS
from pitchsim.hands import HandIndex
from pitchsim.tables.bidtable import BidTable
from pitchsim.tables.finding import HandFinder
from pitchsim.tables.rows import ANY_LEAD, HandRows, HoldingRows


class Worths(NamedTuple):
    """What hands are worth with the best trump suit and lead, float32[n, bids].

    chances : how likely each bid is to be made.
    margins : what it gains on the other sides, in points.
    """

    chances: NDArray[np.float32]
    margins: NDArray[np.float32]


class HandWorths(Protocol):
    """Knows what hands are worth, as if nothing were known of the others' cards and bids."""

    def worths(self, hands: NDArray[np.int64]) -> Worths:
        """Look up what hands are worth at each bid; int64[n], a bit for each of `ALL_CARDS`."""

    def contracts(self, hands: NDArray[np.int64], calls: NDArray[np.int64]) -> Contracts:
        """Look up the best trump suit and lead of hands for the bids that they have made."""


class _Rows(NamedTuple):
    """What the rows of a table say at each bid, [rows, bids].

    chances, margins : as in `Worths`.
    trumps, leads : int8, the best trump suit and lead, as in `Contracts`.
    """

    chances: NDArray[np.float32]
    margins: NDArray[np.float32]
    trumps: NDArray[np.int8]
    leads: NDArray[np.int8]


def _rows_of(table: BidTable) -> _Rows:
    """Read what the rows of a table say."""
    shape = (table.study.rows.count, len(table.study.columns.bids))
    rows = _Rows(
        np.empty(shape, np.float32),
        np.empty(shape, np.float32),
        np.empty(shape, np.int8),
        np.empty(shape, np.int8),
    )
    for answers in table.answers():
        place = answers.rows
        rows.chances[place] = answers.at_best(answers.measures.make)
        rows.margins[place] = answers.margin
        rows.trumps[place] = answers.records.trumps[answers.best]
        rows.leads[place] = answers.records.leads[answers.best]
    return rows


def worths_in(table: BidTable) -> HandWorths:
    """Read what hands are worth out of a table, by hand or by holding.

    Raises
    ------
    TableError
        If the table is damaged.
    """
    rows = table.study.rows
    if isinstance(rows, HandRows):
        return HandTableWorths(rows, _rows_of(table))
    return HoldingTableWorths(rows, _rows_of(table))


@dataclass(frozen=True)
class HandTableWorths:
    """What a table by hand says: of each hand by all its cards."""

    table: HandRows
    rows: _Rows

    def worths(self, hands: NDArray[np.int64]) -> Worths:
        """Look up what hands are worth at each bid."""
        rows = self.table.index.rows_of(hands)
        return Worths(self.rows.chances[rows], self.rows.margins[rows])

    def contracts(self, hands: NDArray[np.int64], calls: NDArray[np.int64]) -> Contracts:
        """Look up the best trump suit and lead."""
        found = self._finder.find(hands)
        there = found.rows, calls - 1
        trumps = self._finder.suits[found.names, self.rows.trumps[there]]
        leads = self._finder.cards[found.names, self.rows.leads[there]]
        return Contracts(trumps, leads, self.rows.chances[there].astype(np.float64))

    @cached_property
    def _finder(self) -> HandFinder:
        return HandFinder(self.table)


@dataclass(frozen=True)
class HoldingTableWorths:
    """What a table by holding says: of each hand by the trumps that it holds of each suit."""

    table: HoldingRows
    rows: _Rows

    def worths(self, hands: NDArray[np.int64]) -> Worths:
        """Look up what hands are worth at each bid."""
        rows = self._rows_of(hands)
        chances, margins = self._chances[rows[0]], self._margins[rows[0]]
        for of_suit in rows[1:]:
            others = self._margins[of_suit]
            is_better = others > margins
            margins = np.where(is_better, others, margins)
            chances = np.where(is_better, self._chances[of_suit], chances)
        return Worths(chances, margins)

    def contracts(self, hands: NDArray[np.int64], calls: NDArray[np.int64]) -> Contracts:
        """Look up the best trump suit and lead."""
        bids = calls - 1
        rows = self._rows_of(hands)
        trumps = self._margins[rows, bids].argmax(axis=0)
        row = rows[trumps, np.arange(len(hands))]
        place = self._lead_places[row, bids]
        cards = self._holdings.trumps[trumps, np.maximum(place, 0)]
        leads = np.where(place == ANY_LEAD, ANY_LEAD, cards)
        return Contracts(trumps, leads, self._chances[row, bids].astype(np.float64))

    @cached_property
    def _holdings(self) -> Holdings:
        return Holdings(self.table.rules)

    def _rows_of(self, hands: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the row of what hands hold of each suit, int64[4, n].

        It is the one after the last where there is none.
        """
        holdings = self._holdings.of(hands)
        return np.stack([of[holding] for of, holding in zip(self._row_of, holdings, strict=True)])

    @cached_property
    def _row_of(self) -> NDArray[np.int64]:
        """The row of each holding of each suit, int64[4, holdings]."""
        by_trump: dict[str, NDArray[np.int64]] = {}
        for row, (trump, cards) in enumerate(self.table.holdings):
            places = self._places(trump)
            rows = by_trump.setdefault(
                trump, np.full(self._holdings.count, self.table.count, np.int64)
            )
            rows[sum(1 << places[ALL_CARDS.index(card)] for card in cards)] = row
        renamings = HandIndex.of(self.table.rules).symmetries
        return np.stack(
            [next(by_trump[to[s]] for to in renamings if to[s] in by_trump) for s in SUITS]
        )

    def _places(self, trump: str) -> dict[int, int]:
        """Give each trump of a suit, by its place in `ALL_CARDS`, its place in a holding."""
        trumps = self._holdings.trumps[SUITS.index(trump)].tolist()
        return {card: place for place, card in enumerate(trumps)}

    @cached_property
    def _lead_places(self) -> NDArray[np.int64]:
        """The places in the holding of the rows' leads, int64[rows, bids]; or ANY_LEAD."""
        places = np.full((len(SUITS), len(ALL_CARDS) + 1), ANY_LEAD)
        for suit, trump in enumerate(SUITS):
            for card, place in self._places(trump).items():
                places[suit, card] = place
        return places[self.rows.trumps, self.rows.leads]

    @cached_property
    def _margins(self) -> NDArray[np.float32]:
        """The margins, and behind them those of a suit that cannot be made trump."""
        none = np.full((1, self.rows.margins.shape[1]), -np.inf, np.float32)
        return np.concatenate([self.rows.margins, none])

    @cached_property
    def _chances(self) -> NDArray[np.float32]:
        """The chances, and behind them those of a suit that cannot be made trump."""
        none = np.zeros((1, self.rows.chances.shape[1]), np.float32)
        return np.concatenate([self.rows.chances, none])
