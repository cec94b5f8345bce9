"""Two strategies at two tables: the same deals, with the sides exchanged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitchsim.bidding.auction import Auctions, Bidder, hold_auctions
from pitchsim.bidding.playing import Deals, Player, Playing, Results, Seated
from pitchsim.matches.games import winners
from pitchsim.matches.tally import BINS, MILLION, MatchTally, largest, sums_of
from pitchsim.rules import SMUDGE

TABLES = 2
#: Hands after which a game is nobody's: it does not end where nobody ever bids.
LONGEST_GAME = 1_000
# The hands of a game are dealt so far apart in the stream of deals, one after another.
GAMES = 1 << 30


@dataclass(frozen=True)
class Pairing:
    """A match of two strategies, any part of which can be played alone.

    Seats alternate: at the first table the one strategy has the even seats, at the second the odd
    ones. A unit is a deal or, if whole games are played, a game, at both tables.

    Attributes
    ----------
    playing
        The table.
    bidders, players
        How the two bid and play.
    whole_games
        Whether games are played to the target, or only their first hand.
    stage
        How many units make a stage of the trail (see :class:`MatchTally`); what is counted at once
        is to be whole stages.
    """

    playing: Playing
    bidders: Sequence[Bidder]
    players: Sequence[Player]
    whole_games: bool
    stage: int = 1 << 30

    def count(self, first: int, units: int) -> MatchTally:
        """Play units number `first`, `first` + 1, … and count what they bring."""
        state = _Games(self, first, units)
        state.play_hand(0)
        hand = 1
        while self.whole_games and state.alive.any() and hand < LONGEST_GAME:
            state.play_hand(hand)
            hand += 1
        return state.tally()

    def deals(self, first: int, units: int, hand: int) -> Deals:
        """Deal a hand of some units, at both tables: those of the first table come first."""
        players = self.playing.seating.players
        hands = self.playing.deal(hand * GAMES + first, units)
        units_there = np.arange(first, first + units)
        return Deals(
            np.tile(hand * GAMES + units_there, TABLES),
            np.tile((units_there + hand) % players, TABLES),
            np.tile(hands, (TABLES, 1)),
        )

    def seated(self, units: int) -> Seated:
        """Say who sits where, for deals as :meth:`deals` gives them."""
        seats = np.arange(self.playing.seating.players)
        tables = np.repeat(np.arange(TABLES), units)
        return Seated(self.bidders, self.players, (seats + tables[:, None]) % 2)

    def bid(self, deals: Deals, seated: Seated, scores: NDArray[np.int64]) -> Auctions:
        """Hold the auctions of some deals, at scores int64[n, sides]."""
        count, sides = scores.shape
        seats = deals.seats
        around = (seats[:, :, None] + np.arange(sides)) % sides
        at_place = np.take_along_axis(
            np.broadcast_to(scores[:, None], (count, seats.shape[1], sides)), around, axis=2
        )
        who = np.take_along_axis(seated.who, seats, axis=1)
        turn = self.playing.first_turn(deals)
        return hold_auctions(turn, deals.by_place, self.bidders, who, at_place)

    @property
    def scale(self) -> int:
        """By what differences are multiplied so as to be whole: players of the one by the other."""
        sides = self.playing.seating.sides
        return (sides // 2) * ((sides + 1) // 2)

    def difference(
        self, changes: NDArray[np.int64], tables: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Return by how much the one strategy's mean change exceeds the other's, times `scale`."""
        sides = self.playing.seating.sides
        is_one = (np.arange(sides) + tables[:, None]) % 2 == 0
        ones = np.maximum(is_one.sum(axis=1), 1)
        one = (changes * is_one).sum(axis=1)
        other = changes.sum(axis=1) - one
        return np.asarray(one * (sides - ones) - other * ones)


class _Games:
    """The games of some units in play."""

    def __init__(self, pairing: Pairing, first: int, units: int) -> None:
        self.pairing = pairing
        self.first, self.units = first, units
        seating, ladder = pairing.playing.seating, pairing.playing.ladder
        self.tables = np.repeat(np.arange(TABLES), units)
        self.alive = np.ones(TABLES * units, bool)
        self.scores = np.zeros((TABLES * units, seating.sides), np.int64)
        self.differences = np.zeros(TABLES * units, np.int64)
        self.swings = np.zeros(units, np.int64)
        self.hands = np.zeros(TABLES * units, np.int64)
        self.winners = np.full(TABLES * units, -1)
        self.thrown_in = 0
        self.levels = np.zeros((2, len(ladder.words), 2), np.int64)
        self.most = most_change(pairing.playing)
        self.changes = np.zeros((2, 2 * self.most + 1), np.int64)
        self.chances = np.zeros((2, len(ladder.words), BINS, 3), np.int64)

    def play_hand(self, hand: int) -> None:
        """Deal, bid and play the next hand of those games that go on."""
        pairing, alive = self.pairing, self.alive
        deals = pairing.deals(self.first, self.units, hand).of(alive)
        seated = pairing.seated(self.units).at(alive)
        auctions = pairing.bid(deals, seated, self.scores[alive])
        results = pairing.playing.finish(deals, auctions, seated)
        self._count(results, seated)
        self.scores[alive] += results.changes
        self.hands[alive] += 1
        self.differences[alive] += pairing.difference(results.changes, self.tables[alive])
        if hand == 0:
            self.swings = self._both_tables(self.differences)
        if pairing.whole_games:
            self._end_games(results)

    def _count(self, results: Results, seated: Seated) -> None:
        """Count who bid what, what was made, and how scores moved."""
        pitched = results.pitched
        whose = np.take_along_axis(seated.who[results.played], pitched.pitchers[:, None], axis=1)[
            :, 0
        ]
        self.thrown_in += int((~results.played).sum())
        count_at(self.levels[..., 0], (whose, pitched.calls))
        count_at(self.levels[..., 1], (whose, pitched.calls), results.made)
        sides = np.arange(results.changes.shape[1])
        of_side = (sides + self.tables[self.alive][:, None]) % 2
        count_at(self.changes, (of_side, results.changes + self.most))
        told = ~np.isnan(pitched.contracts.chances)
        chances = pitched.contracts.chances[told]
        bins = np.minimum((chances * BINS).astype(np.int64), BINS - 1)
        place = whose[told], pitched.calls[told], bins
        count_at(self.chances[..., 0], place)
        count_at(self.chances[..., 1], place, results.made[told])
        count_at(self.chances[..., 2], place, np.rint(chances * MILLION))

    def _end_games(self, results: Results) -> None:
        """Take those games out that somebody has won."""
        playing, pitched = self.pairing.playing, results.pitched
        words = np.array(playing.ladder.words)
        going_on = np.flatnonzero(self.alive)[results.played]
        won = winners(
            playing.rules,
            pitched.pitchers,
            words[pitched.calls] == SMUDGE,
            results.made,
            self.scores[going_on],
        )
        self.winners[going_on] = won
        self.alive[going_on[won >= 0]] = False

    def _both_tables(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """Add up what the two tables of each unit brought."""
        return np.asarray(values.reshape(TABLES, self.units).sum(axis=0))

    def tally(self) -> MatchTally:
        """Give what it all came to."""
        by_strategy = np.where(self.winners >= 0, (self.winners + self.tables) % 2, 2)
        halves = np.select([by_strategy == 0, by_strategy == 1], [2, 0], 1)
        differences, hands, won = map(self._both_tables, (self.differences, self.hands, halves))
        trail = sums_of(differences, hands, won, self.pairing.stage)
        numbers = np.arange(self.first, self.first + self.units)
        games = np.bincount(by_strategy, minlength=3) if self.pairing.whole_games else np.zeros(3)
        return MatchTally(
            trail.sum(axis=0),
            trail,
            games.astype(np.int64),
            self.thrown_in,
            self.levels,
            self.changes,
            self.chances,
            largest(np.column_stack([self.swings, numbers])),
        )


def most_change(playing: Playing) -> int:
    """Return more than a score can move by in a hand."""
    rules = playing.rules
    return 2 * max(rules.total, *(rules.bid_value(bid) for bid in playing.ladder.bids))


def count_at(
    counts: NDArray[np.int64],
    places: tuple[NDArray[np.int64], ...],
    amounts: NDArray[Any] | None = None,
) -> None:
    """Add whole amounts, or 1 each, to counts at some places, of which any may come again."""
    flat = np.ravel_multi_index(tuple(place.ravel() for place in places), counts.shape)
    added = np.bincount(flat, amounts, counts.size).reshape(counts.shape)
    counts += added.astype(np.int64)
