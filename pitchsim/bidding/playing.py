"""Dealing for auctions, and playing what they leave: a pitcher, a trump suit and a lead a deal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitchsim.bidding.auction import (
    PASSED,
    Auctions,
    Bidder,
    Contracts,
    Ladder,
    Turn,
    seats_at,
)
from pitchsim.bidding.contracts import PossibleContracts
from pitchsim.cards import ALL_CARDS, SUITS, full_deck
from pitchsim.counting import Counter
from pitchsim.encoding import encode_ignorance, encode_plan, encode_setting, policy_number
from pitchsim.engine import (
    HAND_SIZE,
    MOST_PLAYERS,
    POLICY_BITS,
    Aims,
    DealPlan,
    Setting,
    deal_hands,
    play_contracts,
    play_expert_contracts,
)
from pitchsim.engine.score import POINT_MASK
from pitchsim.hands import cards_of, mask_of
from pitchsim.known import Known
from pitchsim.order import TrumpOrder
from pitchsim.plays import DEFAULT_WORLDS, PLAYS, QUICK
from pitchsim.promise import chances_to_make
from pitchsim.rules import Rules, Seating
from pitchsim.simulation import PlayedDeal, played_deal
from pitchsim.tables.rows import ANY_LEAD
from pitchsim.tally import Columns
from pitchsim.worth import change_table, made_table, worth_of_points

NOTHING_KNOWN = Known()


class Player(NamedTuple):
    """How somebody plays: a play policy, and how many worlds one who samples deals at each turn."""

    play: str = QUICK
    worlds: int | None = None

    @property
    def worlds_a_turn(self) -> int:
        """How many worlds it deals at each turn; none where it does not sample."""
        return (self.worlds or DEFAULT_WORLDS) if PLAYS[self.play].samples else 0

    @property
    def quick(self) -> Player:
        """Who takes a quick look for it: another where it takes long, else itself."""
        return self if PLAYS[self.play].is_quick else Player(QUICK)


class Deals(NamedTuple):
    """Some deals.

    numbers : int64[n], which deals they are.
    dealers : int64[n], the dealers' seats.
    hands : int64[n, players], what each seat was dealt, a bit for each of `ALL_CARDS`.
    """

    numbers: NDArray[np.int64]
    dealers: NDArray[np.int64]
    hands: NDArray[np.int64]

    def of(self, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> Deals:
        """Give some of them."""
        return Deals(self.numbers[chosen], self.dealers[chosen], self.hands[chosen])

    @property
    def seats(self) -> NDArray[np.int64]:
        """The seat that bids at each place, int64[n, players]."""
        return seats_at(self.dealers, self.hands.shape[1])

    @property
    def by_place(self) -> NDArray[np.int64]:
        """The hands in the order in which they bid, int64[n, players]."""
        return np.take_along_axis(self.hands, self.seats, axis=1)


class Seated(NamedTuple):
    """Who sits where.

    bidders, players : those who bid and play: how each bids, and how it plays.
    who : int64[n, players], which of them sits at each seat.
    """

    bidders: Sequence[Bidder]
    players: Sequence[Player]
    who: NDArray[np.int64]

    def at(self, chosen: NDArray[np.bool_]) -> Seated:
        """Say so of some of the deals."""
        return Seated(self.bidders, self.players, self.who[chosen])


class Pitched(NamedTuple):
    """Hands whose auction is over and whose trump is chosen; none is thrown in.

    deals : what was dealt.
    pitchers : int64[n], the pitchers' seats.
    calls : int64[n], the bids.
    contracts : what the pitchers play for.
    """

    deals: Deals
    pitchers: NDArray[np.int64]
    calls: NDArray[np.int64]
    contracts: Contracts


class Results(NamedTuple):
    """What came of some deals.

    pitched : the hands that were played.
    played : bool[n], which of the deals these are: all but those thrown in.
    made : bool[played], whether the bids were made.
    changes : int64[n, sides], what each side's score moved by.
    """

    pitched: Pitched
    played: NDArray[np.bool_]
    made: NDArray[np.bool_]
    changes: NDArray[np.int64]


def gains_of(changes: NDArray[np.int64], seats: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return by how much the change of a seat's side exceeds the mean of the others, float64[n].

    Parameters
    ----------
    changes
        int64[n, sides], what each side's score moved by.
    seats
        int64[n], a seat in each deal.
    """
    sides = changes.shape[1]
    ours = np.take_along_axis(changes, seats[:, None] % sides, axis=1)[:, 0]
    return np.asarray(ours - (changes.sum(axis=1) - ours) / (sides - 1))


def pitch(possible: PossibleContracts, deals: Deals, auctions: Auctions, seated: Seated) -> Pitched:
    """Let the winners of auctions, of which none was thrown in, choose trump and lead.

    Raises
    ------
    StrategyError
        If one chooses what it may not.
    """
    count = len(deals.numbers)
    places = auctions.places[:, None]
    pitchers = np.take_along_axis(deals.seats, places, axis=1)[:, 0]
    hands = np.take_along_axis(deals.hands, pitchers[:, None], axis=1)[:, 0]
    whose = np.take_along_axis(seated.who, pitchers[:, None], axis=1)[:, 0]
    contracts = Contracts(np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros(count))
    for bidder in np.unique(whose).tolist():
        theirs = whose == bidder
        chosen = seated.bidders[bidder].contract(
            hands[theirs], auctions.highest[theirs], deals.numbers[theirs]
        )
        possible.check(seated.bidders[bidder], hands[theirs], chosen)
        for part, of_bidder in zip(contracts, chosen, strict=True):
            part[theirs] = of_bidder
    return Pitched(deals, pitchers, auctions.highest, contracts)


@dataclass(frozen=True)
class Playing:
    """A table at which hands are dealt and, once the auction is over, played.

    Attributes
    ----------
    rules, seating
        The table.
    seed
        Decides the cards of every deal, and what is random in the play.
    known
        The cards that are the same in every deal; seats are those of the table.
    told
        What pitchers know of the cards, beside their own; seats are counted from the pitcher's.
    """

    rules: Rules
    seating: Seating
    seed: int
    known: Known = NOTHING_KNOWN
    told: Known = NOTHING_KNOWN

    @cached_property
    def ladder(self) -> Ladder:
        """What may be said in the auctions."""
        return Ladder(self.rules)

    @cached_property
    def possible(self) -> PossibleContracts:
        """What may be pitched."""
        return PossibleContracts(self.rules)

    def deal(self, first: int, deals: int) -> NDArray[np.int64]:
        """Deal numbers `first`, `first` + 1, …: int64[deals, players], by seat.

        A hand has a bit for each of `ALL_CARDS`.
        """
        positions = np.zeros((deals, MOST_PLAYERS), np.int64)
        deal_hands(np.uint64(self.seed), first, self._plan, positions)
        positions = positions[:, : self.seating.players]
        unseen = self.known.unseen(self.rules)
        if len(unseen) == len(full_deck(self.rules.jokers)):
            return positions  # a position is then a card of the deck
        seats = range(self.seating.players)
        hands = np.array([mask_of(self.known.cards_of(seat)) for seat in seats], np.int64)
        hands = np.repeat(hands[None], deals, axis=0)
        for position, card in enumerate(unseen):
            hands |= (positions >> position & 1) << ALL_CARDS.index(card)
        return hands

    def first_turn(self, deals: Deals) -> Turn:
        """Give the first turn of the auctions of some deals; the game has just begun."""
        count = len(deals.numbers)
        return Turn(
            self.ladder,
            self.seating,
            deals.numbers,
            deals.by_place[:, 0],
            np.zeros((count, 0), np.int64),
            np.zeros((count, self.seating.sides), np.int64),
        )

    def finish(self, deals: Deals, auctions: Auctions, seated: Seated) -> Results:
        """Play what auctions have left, and score it; a hand thrown in moves no score."""
        played = auctions.places >= 0
        left = Auctions(*(part[played] for part in auctions))
        there = seated.at(played)
        pitched = pitch(self.possible, deals.of(played), left, there)
        made, changes = self.play(pitched, there)
        all_changes = np.zeros((len(played), self.seating.sides), np.int64)
        all_changes[played] = changes
        return Results(pitched, played, made, all_changes)

    def play(self, pitched: Pitched, seated: Seated) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
        """Play hands, and score them.

        Returns
        -------
        made : bool[n]
            Whether the bids were made.
        changes : int64[n, sides]
            What each side's score moved by.
        """
        return self.scored(pitched, self.takings(pitched, seated))

    def takings(self, pitched: Pitched, seated: Seated) -> NDArray[np.int64]:
        """Play hands, and return what each side took, int64[n, 7], the pitcher's side first.

        See `pitchsim.engine.score`; the bids matter only to those who look at them.
        """
        takings = np.zeros((len(pitched.pitchers), MOST_PLAYERS), np.int64)
        for group in self._groups(pitched, seated):
            takings[group.deals] = self._play_group(group, pitched)[0]
        return takings

    def play_deal(self, pitched: Pitched, seated: Seated) -> PlayedDeal:
        """Play a single hand, card by card; seats are counted from the pitcher's."""
        (group,) = self._groups(pitched, seated)
        _, plays = self._play_group(group, pitched)
        (around,) = self._around(pitched.pitchers)
        hands = tuple(cards_of(hand) for hand in pitched.deals.hands[0, around].tolist())
        return played_deal(self.rules, SUITS[group.trump], hands, plays)

    def _groups(self, pitched: Pitched, seated: Seated) -> list[_Group]:
        """Sort hands into those that one call of the engine can play."""
        count = self.seating.players
        players, (deals, pitchers, calls, contracts) = seated.players, pitched
        from_pitcher = np.take_along_axis(seated.who, self._around(pitchers), axis=1)
        numbers = np.array([policy_number(player.play) for player in players])
        policies = (numbers[from_pitcher] << POLICY_BITS * np.arange(count)).sum(axis=1)
        worlds = np.array([player.worlds_a_turn for player in players])[from_pitcher].max(axis=1)
        # Who draws first, and what is bid, matter to some only.
        to_dealer = (deals.dealers - pitchers) % count if self.rules.draw else 0 * pitchers
        keys = (
            contracts.trumps,
            contracts.leads == ANY_LEAD,
            to_dealer,
            policies,
            worlds,
            np.where(worlds > 0, calls, PASSED),
        )
        sizes = [int(part.max(initial=0)) + 1 for part in keys]
        numbers = np.ravel_multi_index(keys, sizes)
        order = np.argsort(numbers, kind="stable")
        parts = np.split(order, np.flatnonzero(np.diff(numbers[order])) + 1)
        return [_Group(part, *(int(key[part[0]]) for key in keys)) for part in parts if len(part)]

    def _play_group(
        self, group: _Group, pitched: Pitched
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Play some hands; returns the takings, int64[n, 7], and the cards of the last of them."""
        chosen, deals = group.deals, pitched.deals
        around = self._around(pitched.pitchers[chosen])
        positions = np.zeros((len(chosen), MOST_PLAYERS), np.int64)
        positions[:, : self.seating.players] = np.take_along_axis(
            deals.hands[chosen], around, axis=1
        )
        leads = self._bits[group.trump, pitched.contracts.leads[chosen]]
        takings = np.zeros((len(chosen), MOST_PLAYERS), np.int64)
        plays = np.zeros(HAND_SIZE * MOST_PLAYERS, np.int64)
        setting = self._setting(group.trump, group.dealer)
        seed, numbers = np.uint64(self.seed), deals.numbers[chosen]
        table = group.policies, seed, numbers, self._whole_deck
        played = positions, leads
        if group.worlds == 0:
            play_contracts(*table, setting, *played, takings, plays)
        else:
            settings = setting, encode_ignorance(setting)
            aims = self._aims(group.trump, group.bid)
            play_expert_contracts(*table, settings, *played, group.worlds, aims, takings, plays)
        return takings, plays

    def _around(self, pitchers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Give the seats clockwise from each pitcher, int64[n, players]."""
        players = self.seating.players
        return (pitchers[:, None] + np.arange(players)) % players

    def scored(
        self, pitched: Pitched, takings: NDArray[np.int64]
    ) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
        """Score what every side took, the pitcher's first, as :meth:`play` does."""
        sides, calls = self.seating.sides, pitched.calls
        if self.rules.defenders_score:
            changes = worth_of_points(self.rules)[takings[:, :sides] & POINT_MASK]
        else:
            changes = np.zeros((len(calls), sides), np.int64)
        results = takings[:, 0]
        changes[:, 0] = self._changes[calls, results]
        # Sides are counted from the pitcher's: turn them to their own places.
        turned = (np.arange(sides) - pitched.pitchers[:, None]) % sides
        return self._made[calls, results], np.take_along_axis(changes, turned, axis=1)

    @cached_property
    def _changes(self) -> NDArray[np.int64]:
        """What each result changes the pitcher's score by, int64[calls, results]."""
        tables = [change_table(self.rules, bid) for bid in self.ladder.bids]
        return np.stack([np.zeros_like(tables[0]), *tables])

    @cached_property
    def _made(self) -> NDArray[np.bool_]:
        """Which results make each bid, bool[calls, results]."""
        tables = [made_table(self.rules, bid) for bid in self.ladder.bids]
        return np.stack([np.zeros_like(tables[0]), *tables])

    @cached_property
    def _plan(self) -> DealPlan:
        return encode_plan(self.rules, self.seating, self.known)

    @cached_property
    def _whole_deck(self) -> DealPlan:
        """The plan of the deals as the engine is given them: every card is dealt."""
        return encode_plan(self.rules, self.seating, NOTHING_KNOWN)

    def _setting(self, trump: int, dealer: int) -> Setting:
        key = trump, dealer
        settings = self._settings
        if key not in settings:
            settings[key] = encode_setting(
                self.rules,
                self.seating,
                NOTHING_KNOWN,
                SUITS[trump],
                dealer=dealer,
                told=self.told,
            )
        return settings[key]

    @cached_property
    def _settings(self) -> dict[tuple[int, int], Setting]:
        return {}

    def _aims(self, trump: int, call: int) -> Aims:
        """Give what experts play for at a bid."""
        bids = (self.ladder.words[call],)
        tables = Counter.of(Columns(self.rules, self.seating, bids)).tables
        chances = chances_to_make(self.rules, self.seating, SUITS[trump], bids)
        return Aims(tables.margins, tables.worth, chances)

    @cached_property
    def _bits(self) -> NDArray[np.int64]:
        """The bit of each of `ALL_CARDS` when a suit is trump, int64[4, 55]; the last is none."""
        orders = [TrumpOrder(self.rules, suit).bit_of for suit in SUITS]
        return np.array(
            [
                [*(1 << order[card] if card in order else 0 for card in ALL_CARDS), 0]
                for order in orders
            ],
            np.int64,
        )


class _Group(NamedTuple):
    """Deals that one call of the engine can play.

    deals : int64[n], their places.
    trump : the trump suit's place in `SUITS`.
    left_open : whether the leads are left to the play.
    dealer : the dealer's seat counted from the pitcher's, where it matters.
    policies : of the seats, as the engine has them.
    worlds, bid : how many worlds experts deal, and what is bid; 0 where there are none.
    """

    deals: NDArray[np.intp]
    trump: int
    left_open: int
    dealer: int
    policies: int
    worlds: int
    bid: int
