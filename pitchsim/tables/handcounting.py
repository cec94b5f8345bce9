"""Counting what hands of the pitcher bring, many in one call."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pitchsim.cards import ALL_CARDS, SUITS, full_deck
from pitchsim.counting import Counter
from pitchsim.encoding import encode_plan, encode_policies, encode_setting
from pitchsim.engine import DealPlan, Setting, count_hands
from pitchsim.known import Known
from pitchsim.order import TrumpOrder
from pitchsim.tables.rows import ANY_LEAD, Records
from pitchsim.tally import Columns


@dataclass(frozen=True)
class HandCounter:
    """Counts hands by a quick play, without making a study of each.

    What it counts is what the study of each hand would (see
    :func:`pitchsim.tables.rows.hand_study`).

    Attributes
    ----------
    columns
        What is counted, at which table.
    play
        How everybody plays: one that is quick.
    """

    columns: Columns
    play: str

    def count(
        self,
        hands: NDArray[np.int64],
        seeds: NDArray[np.uint64],
        records: Records,
        deals: tuple[int, int],
    ) -> NDArray[np.int64]:
        """Deal, play and count.

        Parameters
        ----------
        hands
            int64[hands], a bit for each of `ALL_CARDS`.
        seeds
            uint64[hands], each hand's own.
        records
            The options of the hands, whose rows count the hands from the first one's.
        deals
            The first of them, and the one after the last.

        Returns
        -------
        int64[records, 1, columns]
            The counts of each option of each hand (see :class:`pitchsim.tally.Columns`).
        """
        counts = np.zeros((len(records.rows), len(self.columns.names)), np.int64)
        starts = np.flatnonzero(np.diff(records.rows, prepend=-1))
        first, end = deals
        count_hands(
            encode_policies([self.play] * self.columns.seating.players),
            seeds,
            first,
            end - first,
            self._plan,
            self._settings(),
            self._bits,
            hands,
            np.append(starts, len(records.rows)),
            records.trumps,
            self._leads(records),
            Counter.of(self.columns).tables,
            counts,
        )
        return counts[:, None]

    def _leads(self, records: Records) -> NDArray[np.int64]:
        """Give the leads as bits."""
        bits = self._bits[records.trumps, np.maximum(records.leads, 0)]
        return np.where(records.leads == ANY_LEAD, 0, bits)

    @cached_property
    def _bits(self) -> NDArray[np.int64]:
        """The bit of each card when a suit is trump, int64[4, cards]."""
        rules = self.columns.rules
        orders = [TrumpOrder(rules, trump).bit_of for trump in SUITS]
        deck = full_deck(rules.jokers)
        return np.array([[1 << order[card] for card in deck] for order in orders], np.int64)

    @cached_property
    def _plan(self) -> DealPlan:
        """What is dealt beside any hand."""
        any_hand = Known({0: frozenset(ALL_CARDS[:6])})
        return encode_plan(self.columns.rules, self.columns.seating, any_hand)

    def _settings(self) -> tuple[Setting, Setting, Setting, Setting]:
        """Give the tables with each suit as trump, to be written hand by hand."""
        rules, seating, nothing = self.columns.rules, self.columns.seating, Known()
        spades, hearts, diamonds, clubs = (
            encode_setting(rules, seating, nothing, trump, dealer=seating.players - 1, told=nothing)
            for trump in SUITS
        )
        return spades, hearts, diamonds, clubs
