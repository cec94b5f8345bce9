"""Simulating a study: dealing, playing, and counting any part of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitchsim.cards import Card, sort_hand
from pitchsim.counting import Counter
from pitchsim.encoding import encode_ignorance, encode_plan, encode_policies, encode_setting
from pitchsim.engine import (
    HAND_SIZE,
    MOST_PLAYERS,
    Aims,
    DealPlan,
    Setting,
    deal_hands,
    play_double_dummy,
    play_expert,
    play_hands,
)
from pitchsim.errors import StudyError
from pitchsim.known import Known
from pitchsim.order import TrumpOrder
from pitchsim.plays import DOUBLE_DUMMY
from pitchsim.promise import chances_to_make
from pitchsim.rules import SMUDGE, Rules
from pitchsim.study import Option, Study
from pitchsim.tally import Columns, Tally

#: How many positions of a deal, for all leads of a trump suit, double dummy looks at: a second or
#: two. Four players stay far below it; six or seven, each alone, often do not.
MOST_NODES = 30_000_000


class _Dealt(NamedTuple):
    """Some deals of a study, one after another.

    first : the number of the first of them.
    positions : int64[deals, 7], of unseen cards (see `pitchsim.engine.deal`).
    """

    first: int
    positions: NDArray[np.int64]


@dataclass(frozen=True)
class PlayedDeal:
    """One deal of a study, played out.

    Attributes
    ----------
    hands
        The cards that each seat was dealt, the pitcher's first.
    drawn
        What each seat drew from the stock: nothing, but in rule sets with a draw.
    plays
        Every card in the order played.
    """

    hands: tuple[tuple[Card, ...], ...]
    drawn: tuple[tuple[Card, ...], ...]
    plays: tuple[Card, ...]


def played_deal(
    rules: Rules, trump: str, hands: tuple[tuple[Card, ...], ...], plays: NDArray[np.int64]
) -> PlayedDeal:
    """Read who played what, the hands being in the engine's order: the pitcher's first.

    Parameters
    ----------
    plays
        int64[42], as the engine leaves them (see `pitchsim.engine.play.play_hands`).
    """
    card_of = TrumpOrder(rules, trump).card_of
    turns = [(play & 7, card_of[play >> 3]) for play in plays.tolist() if play >> 3]
    drawn = tuple(
        sort_hand(card for player, card in turns if player == seat and card not in hand)
        for seat, hand in enumerate(hands)
    )
    return PlayedDeal(hands, drawn, tuple(card for _, card in turns))


@dataclass(frozen=True)
class Simulation:
    """A study at work; every deal of it can be dealt and played alone."""

    study: Study

    def count(self, first: int, deals: int) -> Tally:
        """Deal and play deal numbers `first`, `first` + 1, … and count what they bring."""
        outcomes = np.empty((self.study.plays, len(self.study.options), deals), np.int32)
        self.outcomes(first, outcomes)
        return self._counter.count(self.study.identity, outcomes)

    def outcomes(self, first: int, outcomes: NDArray[np.int32]) -> None:
        """Deal and play, and write each outcome (see `pitchsim.engine.score`).

        Parameters
        ----------
        first
            The number of the first deal.
        outcomes
            int32[plays, options, deals], written: of one play for all bids, or of one for each.
        """
        dealt = self._deal(first, outcomes.shape[-1])
        done = 0
        for trump, leads in self._leads_by_trump:
            part = outcomes[:, done : done + len(leads)]
            self._play(dealt, trump, leads, self.study.bids, part)
            done += len(leads)

    def hands(self, number: int) -> tuple[tuple[Card, ...], ...]:
        """Return the cards that a deal gives to each seat, the pitcher's first."""
        return self._hands(self._deal(number, 1))

    def play_deal(self, number: int, option: Option, bid: str) -> PlayedDeal:
        """Deal and play a single deal for one option, card by card.

        Parameters
        ----------
        bid
            What it is played for, where the play looks at that.
        """
        dealt = self._deal(number, 1)
        leads = self._leads(option.trump, [option])
        outcomes = np.empty((1, 1, 1), np.int32)
        plays = self._play(dealt, option.trump, leads, (bid,), outcomes)
        return played_deal(self.study.rules, option.trump, self._hands(dealt), plays)

    def _hands(self, dealt: _Dealt) -> tuple[tuple[Card, ...], ...]:
        """Return the cards of the first of some deals, seat by seat."""
        unseen = self.study.known.unseen(self.study.rules)
        return tuple(
            sort_hand(
                [
                    *self.study.known.cards_of(seat),
                    *(card for i, card in enumerate(unseen) if dealt.positions[0, seat] >> i & 1),
                ]
            )
            for seat in range(self.study.seating.players)
        )

    def _deal(self, first: int, deals: int) -> _Dealt:
        """Deal hands."""
        positions = np.zeros((deals, MOST_PLAYERS), np.int64)
        deal_hands(np.uint64(self.study.seed), first, self._plan, positions)
        return _Dealt(first, positions)

    def _play(
        self,
        dealt: _Dealt,
        trump: str,
        leads: NDArray[np.int64],
        bids: tuple[str, ...],
        outcomes: NDArray[np.int32],
    ) -> NDArray[np.int64]:
        """Play every deal for every lead; return the cards of the last in the order played.

        outcomes is int32[plays, leads, deals], written: of one play for each of the bids where the
        play looks at that, else of one. Those who see all the cards, if they play for a single
        bid, and that a smudge, make or set it rather than the points.

        Raises
        ------
        StudyError
            If a deal takes too long to solve.
        """
        plays = np.zeros(HAND_SIZE * MOST_PLAYERS, np.int64)
        seed, setting = np.uint64(self.study.seed), self._settings[trump]
        if self.study.play == DOUBLE_DUMMY:
            unsolved = play_double_dummy(
                seed,
                dealt.first,
                self._plan,
                setting,
                dealt.positions,
                leads,
                bids == (SMUDGE,),
                MOST_NODES,
                outcomes[0],
                plays,
            )
            if unsolved >= 0:
                raise StudyError(
                    f"deal {dealt.first + unsolved} with {trump} as trump is too hard to solve "
                    f"double dummy: not done after {MOST_NODES:,} positions, as may be where many "
                    "play alone; expected fewer players, or another play"
                )
        elif self.study.by_bid:
            played = np.empty(outcomes.shape, np.int32)  # in one piece, as outcomes may not be
            play_expert(
                self._policies,
                seed,
                dealt.first,
                self._plan,
                (setting, encode_ignorance(setting)),
                dealt.positions,
                leads,
                self.study.worlds_a_turn,
                self._aims(trump, bids),
                played,
                plays,
            )
            outcomes[:] = played
        else:
            play_hands(
                self._policies,
                seed,
                dealt.first,
                self._plan,
                setting,
                dealt.positions,
                leads,
                outcomes[0],
                plays,
            )
        return plays

    def _aims(self, trump: str, bids: tuple[str, ...]) -> Aims:
        """Give what is played for at some bids."""
        tables = Counter.of(Columns(self.study.rules, self.study.seating, bids)).tables
        chances = chances_to_make(self.study.rules, self.study.seating, trump, bids)
        return Aims(tables.margins, tables.worth, chances)

    def _leads(self, trump: str, options: Iterable[Option]) -> NDArray[np.int64]:
        order = TrumpOrder(self.study.rules, trump)
        leads = [order.mask([option.lead]) if option.lead else 0 for option in options]
        return np.array(leads, np.int64)

    @cached_property
    def _leads_by_trump(self) -> list[tuple[str, NDArray[np.int64]]]:
        by_trump = groupby(self.study.options, key=lambda option: option.trump)
        return [(trump, self._leads(trump, options)) for trump, options in by_trump]

    @cached_property
    def _policies(self) -> int:
        seating, study = self.study.seating, self.study
        sides = (seating.side_of(seat) for seat in range(seating.players))
        return encode_policies(study.defence if side else study.play for side in sides)

    @cached_property
    def _plan(self) -> DealPlan:
        return encode_plan(self.study.rules, self.study.seating, self.study.known)

    @cached_property
    def _settings(self) -> dict[str, Setting]:
        rules, seating, known = self.study.rules, self.study.seating, self.study.known
        told = known if self.study.informed else Known({0: known.cards_of(0)})
        return {
            trump: encode_setting(
                rules,
                seating,
                known,
                trump,
                dealer=self.study.dealer % seating.players,
                told=told,
            )
            for trump in {option.trump for option in self.study.options}
        }

    def __getstate__(self) -> dict[str, object]:
        """Pickle without the tables made on the way, for other processes make their own."""
        return {"study": self.study}

    @cached_property
    def _counter(self) -> Counter:
        return Counter.of(self.study.columns)
