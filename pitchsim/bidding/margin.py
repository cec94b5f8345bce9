"""The bidder who compares bidding with passing, and what passing is worth."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pitchsim.bidding.auction import (
    PASSED,
    Contracts,
    Turn,
    hold_auctions,
)
from pitchsim.bidding.playing import Deals, Player, Playing, Seated, gains_of
from pitchsim.bidding.worths import HandWorths

#: Deals from which it is learned what passing is worth, again and again: some tenths of a second.
LEARNING_DEALS = 20_000
ROUNDS = 2
#: How many deals of no worth are counted with what was seen, so that rare cases say little.
DOUBT = 20

NOBODY, PARTNER, OPPONENT = 0, 1, 2


@dataclass(frozen=True)
class MarginBidder:
    """Makes the highest bid that gains more than passing does; the dealer the one that gains most.

    Attributes
    ----------
    worths
        What hands are worth.
    passing
        float64[places, calls, 3], what passing gains on the other sides, in points, by the place,
        the highest call so far, and whether nobody, a partner or an opponent has made it.
    edge
        By how many points a bid must gain more than passing.
    """

    worths: HandWorths
    passing: NDArray[np.float64]
    edge: float = 0.0

    def call(self, turn: Turn) -> NDArray[np.int64]:
        """Say something."""
        gains = np.empty(turn.legal.shape)
        gains[:, 1:] = self.worths.worths(turn.hands).margins
        gains[:, 1:] -= self.edge
        gains[:, PASSED] = self.passing[turn.place, turn.highest, state_of(turn)]
        gains[~turn.legal] = -np.inf
        best: NDArray[np.int64] = gains.argmax(axis=1)
        if turn.is_dealer:
            return best
        pays = gains > gains[:, [PASSED]]
        highest = pays.shape[1] - 1 - pays[:, ::-1].argmax(axis=1)
        return np.asarray(np.where(pays.any(axis=1), highest, best))

    def contract(
        self, hands: NDArray[np.int64], calls: NDArray[np.int64], _numbers: NDArray[np.int64]
    ) -> Contracts:
        """Choose what is best at the bid."""
        return self.worths.contracts(hands, calls)


def state_of(turn: Turn) -> NDArray[np.int64]:
    """Say who has bid most so far, int64[n]: NOBODY, PARTNER or OPPONENT."""
    who = np.where(turn.partner_is_highest, PARTNER, OPPONENT)
    return np.where(turn.highest == PASSED, NOBODY, who)


def what_passing_is_worth(
    playing: Playing, worths: HandWorths, player: Player
) -> NDArray[np.float64]:
    """Learn what passing is worth at each place, whatever the own hand.

    Many deals are bid by bidders of this kind and played; at each place in turn the player there
    passes instead, and what its side then gains on the others is added up by the state of the
    auction. Once more with what has been learned.

    Returns
    -------
    float64[places, calls, 3]
        In points: see :class:`MarginBidder`.
    """
    players = playing.seating.players
    passing = np.zeros((players, len(playing.ladder.words), 3))
    numbers = np.arange(LEARNING_DEALS)
    deals = Deals(numbers, numbers % players, playing.deal(0, LEARNING_DEALS))
    for _ in range(ROUNDS):
        bidder = MarginBidder(worths, passing)
        passing = np.stack(
            [_passing_at(playing, place, bidder, player, deals) for place in range(players)]
        )
    return passing


def _passing_at(
    playing: Playing, place: int, bidder: MarginBidder, player: Player, deals: Deals
) -> NDArray[np.float64]:
    """Learn what passing at one place is worth, float64[calls, 3]."""
    players, sides = playing.seating.players, playing.seating.sides
    hands = deals.by_place
    everybody = np.zeros(hands.shape, np.int64)
    level = np.zeros((len(hands), players, sides), np.int64)
    turn = playing.first_turn(deals)
    for _ in range(place):
        said = bidder.call(replace(turn, hands=hands[:, turn.place]))
        turn = turn.then(said)
    may_pass = turn.legal[:, PASSED]
    highest, state = turn.highest, state_of(turn)
    passed = turn.then(np.full(len(hands), PASSED))
    auctions = hold_auctions(passed, hands, [bidder], everybody, level)
    results = playing.finish(deals, auctions, Seated([bidder], [player], everybody))
    gains = gains_of(results.changes, deals.seats[:, place])
    sums = np.zeros((len(playing.ladder.words), 3))
    times = np.full(sums.shape, float(DOUBT))
    np.add.at(sums, (highest[may_pass], state[may_pass]), gains[may_pass])
    np.add.at(times, (highest[may_pass], state[may_pass]), 1)
    return np.asarray(sums / times)
