"""A study: everything that decides what a simulation finds, and how to count any part of it."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitchsim.cards import SUITS, Card, sort_hand
from pitchsim.encoding import (
    TrumpOrder,
    encode_ignorance,
    encode_plan,
    encode_setting,
    first_leads,
)
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
from pitchsim.errors import StudyError, check_whole, did_you_mean, listed, quoted
from pitchsim.known import Known
from pitchsim.plays import DEFAULT_WORLDS, MOST_WORLDS, PLAYS, Play
from pitchsim.promise import chances_to_make
from pitchsim.rules import SMUDGE, Rules, Seating
from pitchsim.tally import Counter, Tally

#: Raised whenever the same study would give other numbers than before.
ENGINE_VERSION = 2
LARGEST_SEED = 2**64 - 1
#: How many positions of a deal, for all leads of a trump suit, double dummy looks at: a second or
#: two. Four players stay far below it; six or seven, each alone, often do not.
MOST_NODES = 30_000_000


@dataclass(frozen=True)
class Option:
    """What the pitcher may do: a trump suit and the first lead; None leaves it to the play."""

    trump: str
    lead: Card | None


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


@dataclass(frozen=True)
class Study:
    """Everything that affects the numbers of a simulation.

    Attributes
    ----------
    rules, seating
        The table.
    known
        What is known of the cards; seats count clockwise from the pitcher, seat 0.
    options
        What is compared, each on the same deals; those of a trump suit together.
    play, defence
        The play policies of the pitcher's side and of the others.
    seed
        From 0 to 2**64 - 1.
    dealer
        The dealer's seat, which decides only who draws first; -1 is the seat at the pitcher's
        right.
    informed
        Whether the pitcher plays by all that is known, or by its own cards alone.
    bid
        The only bid that is asked about; None for all.
    worlds
        How many worlds a player who samples deals at each turn; None for the usual number.

    Raises
    ------
    StudyError
        If the seed, a play policy, the bid or the number of worlds is not possible, or there is
        nothing to compare.
    """

    rules: Rules
    seating: Seating
    known: Known
    options: tuple[Option, ...]
    play: str = "basic"
    defence: str = "basic"
    seed: int = 0
    dealer: int = -1
    informed: bool = True
    bid: str | None = None
    worlds: int | None = None

    def __post_init__(self) -> None:
        if not self.options:
            raise StudyError("there is nothing to lead: expected at least one trump suit and lead")
        check_whole("seed", self.seed, 0, LARGEST_SEED)
        object.__setattr__(self, "seed", int(self.seed))  # numpy's integers are welcome too
        for play in (self.play, self.defence):
            if play not in PLAYS:
                raise StudyError(
                    f"there is no play {quoted(play)}: "
                    f"expected {listed(PLAYS)}{did_you_mean(play, PLAYS)}"
                )
            if PLAYS[play].both_sides and self.play != self.defence:
                raise StudyError(
                    f"{self.play} play against {self.defence} play is not possible: "
                    f"{play} plays for both sides together"
                )
        if self.bid is not None and self.bid not in self._all_bids:
            raise StudyError(
                f"bid {quoted(self.bid)} is not one to play for: expected {listed(self._all_bids)}"
            )
        if self.worlds is not None:
            check_whole("worlds", self.worlds, 1, MOST_WORLDS)
            if not self.samples:
                samplers = listed(name for name, play in PLAYS.items() if play.samples)
                raise StudyError(
                    f"{self.worlds} worlds are of no use to {self.play} play: expected {samplers}"
                )

    @property
    def bids(self) -> tuple[str, ...]:
        """The bids asked about: by itself all that are worth asking about.

        Those are the ordinary ones, and a dealer's forced bid below them.
        """
        return self._all_bids if self.bid is None else (self.bid,)

    @cached_property
    def _all_bids(self) -> tuple[str, ...]:
        forced = self.rules.forced_bid
        below = forced is not None and forced < self.rules.min_bid
        return (str(forced), *self.rules.bids) if below else self.rules.bids

    @property
    def by_bid(self) -> bool:
        """Whether how a deal is played depends on the bid."""
        return any(play.by_bid for play in self._both)

    @property
    def plays(self) -> int:
        """How often each option of a deal is played: once for all bids, or once for each."""
        return len(self.bids) if self.by_bid else 1

    @property
    def costly(self) -> bool:
        """Whether its hands take long to play."""
        return any(play.costly for play in self._both)

    @property
    def samples(self) -> bool:
        """Whether there are players who deal worlds that fit what they have seen."""
        return any(play.samples for play in self._both)

    @property
    def worlds_a_turn(self) -> int:
        """How many worlds such a player deals at each turn."""
        return DEFAULT_WORLDS if self.worlds is None else self.worlds

    @property
    def note_on_worlds(self) -> str:
        """What is to be said of the play beside its name: nothing, or ` (100 worlds a turn)`."""
        return f" ({self.worlds_a_turn:,} worlds a turn)" if self.samples else ""

    @property
    def deals_a_chunk(self) -> int:
        """How many deals make a piece of work for a thread; at least one."""
        hands = min(play.hands_a_chunk for play in self._both)
        if self.samples:
            hands = hands * DEFAULT_WORLDS // self.worlds_a_turn
        return max(1, hands // (self.plays * len(self.options)))

    @property
    def _both(self) -> tuple[Play, Play]:
        """The play of the pitcher's side and of the others."""
        return PLAYS[self.play], PLAYS[self.defence]

    @cached_property
    def identity(self) -> str:
        """A hash of everything that affects the numbers, 16 hexadecimal digits."""
        known = self.known
        content = {
            "engine": ENGINE_VERSION,
            "rules": self.rules.as_dict(),
            "seating": [self.seating.players, self.seating.partners],
            "held": {seat: sort_hand(cards) for seat, cards in sorted(known.held.items())},
            "out": sort_hand(known.out),
            "barred": {seat: sort_hand(cards) for seat, cards in sorted(known.barred.items())},
            "options": [[option.trump, option.lead] for option in self.options],
            "play": [self.play, self.defence],
            "seed": self.seed,
            "dealer": self.dealer % self.seating.players,
            "informed": self.informed,
        }
        if self.bid is not None:
            content["bid"] = self.bid
        if self.samples:
            content["worlds"] = self.worlds_a_turn
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]

    def count(self, first: int, deals: int) -> Tally:
        """Deal and play deal numbers `first`, `first` + 1, … and count what they bring."""
        outcomes = np.empty((self.plays, len(self.options), deals), np.int32)
        self.outcomes(first, outcomes)
        return self._counter.count(self.identity, outcomes)

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
            self._play(dealt, trump, leads, self.bids, part)
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
        order = TrumpOrder(self.rules, option.trump)
        hands = self._hands(dealt)
        turns = [(play & 7, order.card_of[play >> 3]) for play in plays.tolist() if play >> 3]
        drawn = tuple(
            sort_hand(card for player, card in turns if player == seat and card not in hands[seat])
            for seat in range(self.seating.players)
        )
        return PlayedDeal(hands, drawn, tuple(card for _, card in turns))

    def _hands(self, dealt: _Dealt) -> tuple[tuple[Card, ...], ...]:
        """Return the cards of the first of some deals, seat by seat."""
        unseen = self.known.unseen(self.rules)
        return tuple(
            sort_hand(
                [
                    *self.known.cards_of(seat),
                    *(card for i, card in enumerate(unseen) if dealt.positions[0, seat] >> i & 1),
                ]
            )
            for seat in range(self.seating.players)
        )

    def _deal(self, first: int, deals: int) -> _Dealt:
        """Deal hands."""
        positions = np.zeros((deals, MOST_PLAYERS), np.int64)
        deal_hands(np.uint64(self.seed), first, self._plan, positions)
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
        seed, setting = np.uint64(self.seed), self._settings[trump]
        ours, theirs = (play.policy for play in self._both)
        if ours is None or theirs is None:
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
        elif self.by_bid:
            played = np.empty(outcomes.shape, np.int32)  # in one piece, as outcomes may not be
            play_expert(
                (ours, theirs),
                seed,
                dealt.first,
                self._plan,
                (setting, encode_ignorance(setting)),
                dealt.positions,
                leads,
                self.worlds_a_turn,
                self._aims(trump, bids),
                played,
                plays,
            )
            outcomes[:] = played
        else:
            play_hands(
                (ours, theirs),
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
        counter = Counter.of(self.rules, self.seating, bids)
        chances = chances_to_make(self.rules, self.seating, trump, bids)
        return Aims(counter.margins, counter.worth, chances)

    def _leads(self, trump: str, options: Iterable[Option]) -> NDArray[np.int64]:
        order = TrumpOrder(self.rules, trump)
        leads = [order.mask([option.lead]) if option.lead else 0 for option in options]
        return np.array(leads, np.int64)

    @cached_property
    def _leads_by_trump(self) -> list[tuple[str, NDArray[np.int64]]]:
        by_trump = groupby(self.options, key=lambda option: option.trump)
        return [(trump, self._leads(trump, options)) for trump, options in by_trump]

    @cached_property
    def _plan(self) -> DealPlan:
        return encode_plan(self.rules, self.seating, self.known)

    @cached_property
    def _settings(self) -> dict[str, Setting]:
        rules, seating, known = self.rules, self.seating, self.known
        told = known if self.informed else Known({0: known.cards_of(0)})
        return {
            trump: encode_setting(
                rules,
                seating,
                known,
                trump,
                dealer=self.dealer % seating.players,
                told=told,
            )
            for trump in {option.trump for option in self.options}
        }

    def __getstate__(self) -> dict[str, object]:
        """Pickle without the tables made on the way, for other processes make their own."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @cached_property
    def _counter(self) -> Counter:
        return Counter.of(self.rules, self.seating, self.bids)


def random_seed() -> int:
    """Choose a seed at random, short enough to be typed again."""
    return secrets.randbelow(2**32)


def seed_for(purpose: str, seed: int) -> int:
    """Derive a seed whose deals have nothing to do with those of the first."""
    return int.from_bytes(hashlib.sha256(f"{seed}, {purpose}".encode()).digest()[:8])


def options_of(
    rules: Rules, hand: Iterable[Card], trump: str | None = None, lead: Card | None = None
) -> tuple[Option, ...]:
    """List what a pitcher with this hand may do, by suit and then from the highest card.

    Where trump is pitched, a lead makes its own suit trump (a joker, where it may be led, any).
    Where it is declared, any suit goes with any lead. Where the hand is drawn to after that, only
    the trumps held can be led for sure: the other leads are one option, chosen by the play once
    the new cards are seen.

    Parameters
    ----------
    trump, lead
        If given, only this suit, only this lead.

    Raises
    ------
    StudyError
        If that leaves nothing, naming what cannot be led.
    """
    cards = sort_hand(hand)
    if lead is not None and lead not in cards:
        raise StudyError(f"{lead} is not in the hand {' '.join(cards)}: expected one of its cards")
    options = tuple(
        option
        for suit in SUITS
        for option in _options_in(rules, cards, suit)
        if trump in (None, suit) and lead in (None, option.lead)
    )
    if not options:
        with_suit = f" with {trump} as trump" if trump else ""
        raise StudyError(
            f"{lead or listed(cards, 'and')} cannot be the first lead{with_suit}: under these "
            f"rules {_first_lead_rule(rules)}"
        )
    return options


def _options_in(rules: Rules, cards: tuple[Card, ...], suit: str) -> Iterator[Option]:
    if rules.draw:
        yield Option(suit, None)
    leads = TrumpOrder(rules, suit).trumps if rules.draw else first_leads(rules, suit)
    yield from (Option(suit, card) for card in cards if card in leads)


def _first_lead_rule(rules: Rules) -> str:
    if rules.draw:
        return "only a trump is kept, and the rest is drawn before the first lead"
    if rules.joker_lead == "names":
        return "the suit of the first lead is trump, and a joker goes with any suit"
    return "the suit of the first lead is trump, and a joker may not be led first"
