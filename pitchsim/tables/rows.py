"""The rows of bidding tables: every distinct hand, or every holding of the trump suit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from pitchsim.cards import (
    ALL_CARDS,
    SUITS,
    Card,
    format_hand,
    full_deck,
    sort_hand,
)
from pitchsim.hands import HandIndex, cards_of, mask_of
from pitchsim.known import Known
from pitchsim.order import TrumpOrder, first_leads
from pitchsim.rules import Rules, Seating
from pitchsim.study import Option, Study, options_of, seed_for

HAND_SIZE = 6
#: The number that stands for a lead that is left to the play.
ANY_LEAD = -1


class Records(NamedTuple):
    """The options of some rows, one after another; those of a trump suit together.

    rows : int64[records], the numbers of their rows.
    trumps : int64[records], the trump suit's place in `SUITS`.
    leads : int64[records], the lead's place in `ALL_CARDS`, or ANY_LEAD.
    """

    rows: NDArray[np.int64]
    trumps: NDArray[np.int64]
    leads: NDArray[np.int64]

    @property
    def options(self) -> tuple[Option, ...]:
        """The options as studies name them."""
        return tuple(
            Option(SUITS[trump], None if lead == ANY_LEAD else ALL_CARDS[lead])
            for trump, lead in zip(self.trumps.tolist(), self.leads.tolist(), strict=True)
        )


class Rows(Protocol):
    """What the rows of a table are."""

    #: What a row is called, and the name of the column that shows it.
    name: str

    @property
    def count(self) -> int:
        """How many there are."""

    def cards(self, first: int, end: int) -> NDArray[np.int64]:
        """Give what some rows stand for, int64[rows], a bit for each of `ALL_CARDS`."""

    def texts(self, first: int, end: int) -> list[str]:
        """Write what some rows stand for, as cards."""

    def records(self, first: int, end: int) -> Records:
        """List the options of some rows."""

    def study(self, row: int, seating: Seating, play: str, worlds: int | None, seed: int) -> Study:
        """Give the study of a row, on deals of its own."""


@dataclass(frozen=True)
class HandRows:
    """Every hand of six cards, of those that only differ in the names of suits but one."""

    rules: Rules
    name = "hand"

    @cached_property
    def index(self) -> HandIndex:
        """Which hand is which row."""
        return HandIndex.of(self.rules)

    @property
    def count(self) -> int:
        """How many there are."""
        return self.index.count

    def cards(self, first: int, end: int) -> NDArray[np.int64]:
        """Give the hands of some rows, int64[rows], a bit for each of `ALL_CARDS`."""
        return self.index.hands_at(np.arange(first, end))

    def texts(self, first: int, end: int) -> list[str]:
        """Write the hands of some rows."""
        return hand_texts(self.cards(first, end))

    def records(self, first: int, end: int) -> Records:
        """List the options of some rows, each hand's in the order of `options_of`."""
        records = hand_records(self.rules, self.cards(first, end))
        return records._replace(rows=records.rows + first)

    def study(self, row: int, seating: Seating, play: str, worlds: int | None, seed: int) -> Study:
        """Give the study of a hand, which is that of `pitchsim hand` with the row's own seed."""
        hand = cards_of(int(self.cards(row, row + 1)[0]))
        return hand_study(hand, self.rules, seating, play=play, worlds=worlds, seed=seed)


@dataclass(frozen=True)
class HoldingRows:
    """Every set of one to six trumps with which a suit can be made trump.

    The pitcher's other cards are any that are no trumps. Of trump suits that only differ in name,
    one stands for all.
    """

    rules: Rules
    name = "holding"

    @cached_property
    def holdings(self) -> tuple[tuple[str, tuple[Card, ...]], ...]:
        """The trump suit and the trumps held of each row, in the order of strength."""
        any_lead, leads = self.rules.trump_choice == "declared", self._first_leads
        return tuple(
            (trump, holding)
            for trump in self._trumps
            for size in range(1, HAND_SIZE + 1)
            for holding in combinations(reversed(TrumpOrder(self.rules, trump).trumps), size)
            if any_lead or not leads[trump].isdisjoint(holding)
        )

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.holdings)

    def cards(self, first: int, end: int) -> NDArray[np.int64]:
        """Give the trumps of some rows, int64[rows], a bit for each of `ALL_CARDS`."""
        return np.array([mask_of(holding) for _, holding in self.holdings[first:end]], np.int64)

    def texts(self, first: int, end: int) -> list[str]:
        """Write the trumps of some rows, the highest first."""
        return [" ".join(holding) for _, holding in self.holdings[first:end]]

    def records(self, first: int, end: int) -> Records:
        """List the options of some rows."""
        records = [
            (row, SUITS.index(trump), ANY_LEAD if lead is None else ALL_CARDS.index(lead))
            for row, (trump, holding) in enumerate(self.holdings[first:end], start=first)
            for lead in self._leads(trump, holding)
        ]
        return Records(*np.array(records, np.int64).reshape(-1, 3).T)

    def study(self, row: int, seating: Seating, play: str, worlds: int | None, seed: int) -> Study:
        """Give the study of a holding, of whose pitcher the other cards are dealt."""
        trump, holding = self.holdings[row]
        trumps = frozenset(TrumpOrder(self.rules, trump).trumps)
        return Study(
            rules=self.rules,
            seating=seating,
            known=Known({0: frozenset(holding)}, barred={0: trumps - frozenset(holding)}),
            options=tuple(Option(trump, lead) for lead in self._leads(trump, holding)),
            play=play,
            defence=play,
            seed=seed_for(f"to play {trump} with {format_hand(holding)}", seed),
            informed=False,
            worlds=worlds,
        )

    @cached_property
    def _trumps(self) -> tuple[str, ...]:
        """One suit of those that can be renamed into each other."""
        symmetries = HandIndex.of(self.rules).symmetries
        return tuple(
            suit for suit in SUITS if suit == min((s[suit] for s in symmetries), key=SUITS.index)
        )

    @cached_property
    def _first_leads(self) -> dict[str, frozenset[Card]]:
        """What may be led first when each suit is trump."""
        return {trump: frozenset(first_leads(self.rules, trump)) for trump in SUITS}

    def _leads(self, trump: str, holding: tuple[Card, ...]) -> list[Card | None]:
        """List the trumps that can be led, and a lead left open where it need not be a trump."""
        leads = self._first_leads[trump]
        trumps: list[Card | None] = [card for card in sort_hand(holding) if card in leads]
        return [None, *trumps] if self.rules.trump_choice == "declared" else trumps


#: What tables may have rows of.
ROWS: dict[str, type[HandRows] | type[HoldingRows]] = {"hand": HandRows, "holding": HoldingRows}


def hand_seed(hand: str, seed: int) -> int:
    """Derive the seed of a hand's own deals from that of many hands."""
    return seed_for(f"to play {hand}", seed)


def hand_seeds(hands: Iterable[str], seed: int) -> NDArray[np.uint64]:
    """Derive the seeds of many hands, uint64[hands]."""
    return np.array([hand_seed(hand, seed) for hand in hands], np.uint64)


def hand_study(
    hand: Iterable[Card],
    rules: Rules,
    seating: Seating,
    *,
    play: str,
    worlds: int | None,
    seed: int,
) -> Study:
    """Give the study of a hand on deals of its own: that of `pitchsim hand` with its seed."""
    cards = sort_hand(hand)
    return Study(
        rules=rules,
        seating=seating,
        known=Known({0: frozenset(cards)}),
        options=options_of(rules, cards),
        play=play,
        defence=play,
        seed=hand_seed(format_hand(cards), seed),
        worlds=worlds,
    )


def hand_texts(hands: NDArray[np.int64]) -> list[str]:
    """Write hands of six cards, int64[hands], a bit for each of `ALL_CARDS`."""
    cards = _NAMES[np.nonzero(_held(hands)[:, _SHOWN])[1].reshape(-1, HAND_SIZE)]
    joined = np.strings.add(cards[:, :-1], " ")
    return ["".join(row) for row in np.column_stack([joined, cards[:, -1:]]).tolist()]


def hand_records(rules: Rules, hands: NDArray[np.int64]) -> Records:
    """List the options of hands, each hand's in the order of `options_of`; rows count from 0."""
    held = _held(hands)[:, _SHOWN]
    # A column for each trump suit and lead; in front of a suit's, one for a lead left open.
    may_lead = np.stack([_may_lead(rules, trump) for trump in SUITS])
    options = np.empty((len(hands), *may_lead.shape), bool)
    options[:, :, 0] = rules.draw
    options[:, :, 1:] = held[:, None, :]
    options &= may_lead
    rows, trumps, places = np.nonzero(options)
    return Records(rows, trumps, np.concatenate([[ANY_LEAD], _SHOWN])[places])


def trumps_in(
    hands: NDArray[np.int64], trumps: NDArray[np.int64], rules: Rules
) -> NDArray[np.int64]:
    """Keep of hands the trumps.

    Parameters
    ----------
    hands
        int64[n], a bit for each of `pitchsim.cards.ALL_CARDS`.
    trumps
        int64[n], the places in `SUITS` of the suits that are trump.
    """
    masks = [mask_of(TrumpOrder(rules, suit).trumps) for suit in SUITS]
    return np.asarray(hands & np.array(masks)[trumps], np.int64)


#: The places of all cards in the order in which hands are shown, and the cards' names so.
_SHOWN = np.array([ALL_CARDS.index(card) for card in sort_hand(ALL_CARDS)])
_NAMES = np.array(sort_hand(ALL_CARDS))


def _held(hands: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Say which cards each hand holds, bool[hands, cards], in the order of `ALL_CARDS`."""
    return (hands[:, None] >> np.arange(len(ALL_CARDS)) & 1).astype(bool)


def _may_lead(rules: Rules, trump: str) -> NDArray[np.bool_]:
    """Say which leads go with a trump suit: one left open, and each card in the order shown."""
    hand = full_deck(rules.jokers)
    leads = TrumpOrder(rules, trump).trumps if rules.draw else first_leads(rules, trump)
    shown = [card in leads and card in hand for card in sort_hand(ALL_CARDS)]
    return np.array([rules.draw, *shown])
