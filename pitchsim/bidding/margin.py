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
#: How many deals of no worth are counted with what was seen, and as many in which the own hand made
#: no difference, so that rare cases say little.
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
        float64[places, calls, 3, 2], what passing gains on the other sides, in points, by the
        place, the highest call so far, and whether nobody, a partner or an opponent has made it:
        with a hand whose best bid gains nothing, and how much more for each point that it gains.
    edge
        By how many points a bid must gain more than passing.
    """

    worths: HandWorths
    passing: NDArray[np.float64]
    edge: float = 0.0

    def call(self, turn: Turn) -> NDArray[np.int64]:
        """Say something."""
        margins = self.worths.worths(turn.hands).margins
        gains = np.empty(turn.legal.shape)
        gains[:, 1:] = margins - self.edge
        level, slope = self.passing[turn.place, turn.highest, state_of(turn)].T
        gains[:, PASSED] = level + slope * margins.max(axis=1)
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
    """Learn what passing is worth at each place, by what the own hand would be worth as a bid.

    Many deals are bid by bidders of this kind and played; at each place in turn the player there
    passes instead, and a line is laid through what its side then gains on the others, for each
    state of the auction. Once more with what has been learned.

    Returns
    -------
    float64[places, calls, 3, 2]
        In points: see :class:`MarginBidder`.
    """
    players = playing.seating.players
    passing = np.zeros((players, len(playing.ladder.words), 3, 2))
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
    """Learn what passing at one place is worth, float64[calls, 3, 2]."""
    players, sides = playing.seating.players, playing.seating.sides
    hands = deals.by_place
    everybody = np.zeros(hands.shape, np.int64)
    level = np.zeros((len(hands), players, sides), np.int64)
    turn = playing.first_turn(deals)
    for _ in range(place):
        said = bidder.call(replace(turn, hands=hands[:, turn.place]))
        turn = turn.then(said)
    passed = turn.then(np.full(len(hands), PASSED))
    auctions = hold_auctions(passed, hands, [bidder], everybody, level)
    results = playing.finish(deals, auctions, Seated([bidder], [player], everybody))
    gains = gains_of(results.changes, deals.seats[:, place])
    best = bidder.worths.worths(hands[:, place]).margins.max(axis=1).astype(np.float64)
    may = turn.legal[:, PASSED]
    state = turn.highest[may], state_of(turn)[may]
    return _lines(state, best[may], gains[may], len(playing.ladder.words))


def _lines(
    state: tuple[NDArray[np.int64], NDArray[np.int64]],
    best: NDArray[np.float64],
    gains: NDArray[np.float64],
    calls: int,
) -> NDArray[np.float64]:
    """Lay a line through the gains of each state, over the best margins, float64[calls, 3, 2].

    By least squares with `DOUBT` on both coefficients: ridge regression (A. E. Hoerl and R. W.
    Kennard, "Ridge regression", Technometrics 12, 1970). Written out, it is the same to the last
    bit on every machine.
    """

    def total(values: NDArray[np.float64]) -> NDArray[np.float64]:
        sums = np.zeros((calls, 3))
        np.add.at(sums, state, values)
        return sums

    n, x, xx = total(np.ones_like(best)) + DOUBT, total(best), total(best * best) + DOUBT
    y, xy = total(gains), total(best * gains)
    lines = np.stack([xx * y - x * xy, n * xy - x * y], axis=-1)
    return np.asarray(lines / (n * xx - x * x)[..., None])
