"""Those who bid by what their hand is worth, by a count of its cards, at random, or never."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pitchsim.bidding.auction import Contracts, Turn
from pitchsim.bidding.holdings import Holdings, add_up, part_tables
from pitchsim.bidding.worths import HandWorths
from pitchsim.tables.rows import ANY_LEAD

#: Counts are compared to so many decimals: sums of tenths are not exact.
DIGITS = 9


def bid_up_to(turn: Turn, limits: NDArray[np.int64]) -> NDArray[np.int64]:
    """Bid as high as a limit allows, int64[n]: everybody speaks once, and may be bid over.

    The dealer, after whom nobody speaks, bids no more than is needed. Who may not bid so much
    passes, or, if forced, bids the least that is possible.
    """
    return np.asarray(turn.ladder.up_to[int(turn.is_dealer), turn.highest, limits])


def highest_of(allowed: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the highest call whose bid is allowed, int64[n]; a pass if none is; bool[n, bids]."""
    highest = np.zeros(len(allowed), np.int64)
    for place in range(allowed.shape[1]):
        highest[allowed[:, place]] = place + 1
    return highest


@dataclass(frozen=True)
class ThresholdBidder:
    """Bids up to the highest bid that is likely enough to be made."""

    worths: HandWorths
    chance: float

    def call(self, turn: Turn) -> NDArray[np.int64]:
        """Say something."""
        chances = self.worths.worths(turn.hands).chances
        return bid_up_to(turn, highest_of(chances >= np.float32(self.chance)))

    def contract(
        self, hands: NDArray[np.int64], calls: NDArray[np.int64], _numbers: NDArray[np.int64]
    ) -> Contracts:
        """Choose what is best at the bid."""
        return self.worths.contracts(hands, calls)


@dataclass(frozen=True)
class CountingBidder:
    """Bids up to what the cards count, in the suit in which they count most.

    Attributes
    ----------
    holdings
        What can be held of a trump suit.
    counts
        float64[4, holdings], what each holding of each suit counts; -inf where it cannot be trump.
    side
        float64[54], what each card counts that is no trump.
    needed
        float64[bids], what each bid asks for.
    """

    holdings: Holdings
    counts: NDArray[np.float64]
    side: NDArray[np.float64]
    needed: NDArray[np.float64]

    def count(self, hands: NDArray[np.int64]) -> NDArray[np.float64]:
        """Count hands with each suit as trump, float64[4, n]."""
        held = self.holdings.of(hands)
        return np.take_along_axis(self.counts, held, axis=1) + add_up(self._side_tables, hands)

    @cached_property
    def _side_tables(self) -> NDArray[np.float64]:
        """What cards count beside each suit as trump, as tables of the parts of a hand."""
        side = np.tile(self.side, (len(self.counts), 1))
        np.put_along_axis(side, self.holdings.trumps, 0.0, axis=1)
        return part_tables(side)

    def call(self, turn: Turn) -> NDArray[np.int64]:
        """Say something."""
        counts = np.round(self.count(turn.hands).max(axis=0), DIGITS)
        return bid_up_to(turn, highest_of(counts[:, None] >= self.needed))

    def contract(
        self, hands: NDArray[np.int64], _calls: NDArray[np.int64], _numbers: NDArray[np.int64]
    ) -> Contracts:
        """Choose the suit that counts most, and leave the lead to the play."""
        return undecided(self.count(hands).argmax(axis=0))


@dataclass(frozen=True)
class LongestSuit:
    """Chooses the longest suit as trump, and leaves the lead to the play."""

    holdings: Holdings

    def contract(
        self, hands: NDArray[np.int64], _calls: NDArray[np.int64], _numbers: NDArray[np.int64]
    ) -> Contracts:
        """Choose the longest suit; of equals the one with the highest trumps."""
        held = self.holdings.of(hands)
        may = np.stack([may[of] for may, of in zip(self.holdings.may_pitch, held, strict=True)])
        lengths = np.bitwise_count(held).astype(np.int64)
        return undecided(np.where(may, lengths * self.holdings.count + held, -1).argmax(axis=0))


@dataclass(frozen=True)
class PassingBidder(LongestSuit):
    """Never bids but when forced, and then the least."""

    def call(self, turn: Turn) -> NDArray[np.int64]:
        """Say pass, or what must be said."""
        return np.asarray(turn.legal.argmax(axis=1))


@dataclass(frozen=True)
class RandomBidder(LongestSuit):
    """Passes with some chance, and else makes any legal bid."""

    passes: float
    seed: int

    def call(self, turn: Turn) -> NDArray[np.int64]:
        """Say something, which the seed, the deal and the place decide."""
        bids = turn.legal.copy()
        bids[:, 0] = False
        fractions = random_fractions(self.seed, turn.numbers, turn.place)
        passes = turn.legal[:, 0] & ((fractions < self.passes) | ~bids.any(axis=1))
        left = np.where(
            turn.legal[:, 0], (fractions - self.passes) / max(1 - self.passes, 1e-9), fractions
        )
        chosen = (np.clip(left, 0, 1) * bids.sum(axis=1)).astype(np.int64)
        chosen = np.minimum(chosen, bids.sum(axis=1) - 1)
        which = (bids.cumsum(axis=1) == chosen[:, None] + 1).argmax(axis=1)
        return np.where(passes, 0, which)


def undecided(trumps: NDArray[np.intp]) -> Contracts:
    """Give contracts in some suits, whose lead is left to the play, and of whose chance nothing."""
    nothing = np.full(len(trumps), np.nan)
    return Contracts(trumps.astype(np.int64), np.full(len(trumps), ANY_LEAD), nothing)


def random_fractions(seed: int, numbers: NDArray[np.int64], place: int) -> NDArray[np.float64]:
    """Return random numbers from 0 to 1, one for each deal, which seed, deal and place decide.

    A hash of these: the finaliser of SplitMix64 (Steele, Lea & Flood, "Fast splittable pseudorandom
    number generators", 2014), twice.
    """
    words = numbers.astype(np.uint64) * np.uint64(8) + np.uint64(place)
    for key in (seed, seed ^ 0x9E3779B97F4A7C15):
        words = words + np.uint64(key)
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            words = (words ^ words >> np.uint64(shift)) * np.uint64(factor)
        words ^= words >> np.uint64(31)
    return (words >> np.uint64(11)).astype(np.float64) / 2**53
