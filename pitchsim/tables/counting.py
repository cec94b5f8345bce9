"""Counting the rows of a bidding table."""

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
from pitchsim.simulation import Simulation
from pitchsim.tables.rows import ANY_LEAD, HandRows, Records, hand_seed
from pitchsim.tables.tablestudy import TableStudy


@dataclass(frozen=True)
class TableCounter:
    """Counts any rows of a table over any deals."""

    study: TableStudy

    def count(self, rows: tuple[int, int], deals: tuple[int, int]) -> NDArray[np.int64]:
        """Deal, play and count.

        Parameters
        ----------
        rows, deals
            The first of them, and the one after the last.

        Returns
        -------
        int64[records, plays, columns]
            The counts of each option of each row (see :class:`pitchsim.tally.Columns`).
        """
        if isinstance(self.study.rows, HandRows) and self.study.is_quick:
            return self._count_hands(self.study.rows, rows, deals)
        first, end = deals
        tallies = [
            Simulation(self.study.row(row)).count(first, end - first) for row in range(*rows)
        ]
        return np.concatenate([tally.counts for tally in tallies])

    def _count_hands(
        self, hand_rows: HandRows, rows: tuple[int, int], deals: tuple[int, int]
    ) -> NDArray[np.int64]:
        """Count hands without making a study of each."""
        study, (first, end) = self.study, deals
        records = hand_rows.records(*rows)
        seeds = [hand_seed(hand, study.seed) for hand in hand_rows.texts(*rows)]
        counts = np.zeros((len(records.rows), len(study.columns.names)), np.int64)
        count_hands(
            encode_policies([study.play] * study.seating.players),
            np.array(seeds, np.uint64),
            first,
            end - first,
            self._plan,
            self._settings(),
            self._bits,
            hand_rows.cards(*rows),
            np.searchsorted(records.rows, np.arange(rows[0], rows[1] + 1)),
            records.trumps,
            self._leads(records),
            Counter.of(study.columns).tables,
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
        deck = full_deck(self.study.rules.jokers)
        orders = [TrumpOrder(self.study.rules, trump).bit_of for trump in SUITS]
        return np.array([[1 << order[card] for card in deck] for order in orders], np.int64)

    @cached_property
    def _plan(self) -> DealPlan:
        """What is dealt beside any hand."""
        any_hand = Known({0: frozenset(ALL_CARDS[:6])})
        return encode_plan(self.study.rules, self.study.seating, any_hand)

    def _settings(self) -> tuple[Setting, Setting, Setting, Setting]:
        """Give the tables with each suit as trump, to be written hand by hand."""
        study, nothing = self.study, Known()
        dealer = study.seating.players - 1
        spades, hearts, diamonds, clubs = (
            encode_setting(study.rules, study.seating, nothing, trump, dealer=dealer, told=nothing)
            for trump in SUITS
        )
        return spades, hearts, diamonds, clubs
