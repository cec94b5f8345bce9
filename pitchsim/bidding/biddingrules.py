"""The bidding rules as data: what a strategy's file says, and the bidder that it makes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pitchsim.bidding.auction import Bidder
from pitchsim.bidding.bidders import (
    DIGITS,
    CountingBidder,
    PassingBidder,
    RandomBidder,
    ThresholdBidder,
)
from pitchsim.bidding.holdings import Holdings
from pitchsim.bidding.margin import MarginBidder, what_passing_is_worth
from pitchsim.bidding.playing import Player, Playing
from pitchsim.bidding.sources import WorthSource
from pitchsim.cards import ALL_CARDS, RANKS, SUITS
from pitchsim.order import TrumpOrder, prize_cards
from pitchsim.rules import SMUDGE, Rules
from pitchsim.study import seed_for

QUICK_SOURCE = WorthSource()


class BiddingRule(Protocol):
    """A way of bidding, at any table."""

    def bidder(self, playing: Playing, player: Player) -> Bidder:
        """Sit down at a table.

        Parameters
        ----------
        playing
            The table: its rules, who plays, and the seed of what is random.
        player
            How the one who bids plays.

        Raises
        ------
        PitchsimError
            If this way of bidding does not fit the table.
        """


@dataclass(frozen=True)
class Threshold:
    """Bid up to the highest bid that is made with at least this chance.

    Attributes
    ----------
    chance
        From 0 to 1.
    source
        Where the chances are looked up.
    """

    chance: float
    source: WorthSource = QUICK_SOURCE

    def bidder(self, playing: Playing, player: Player) -> Bidder:
        """Sit down at a table."""
        worths = self.source.worths(playing.rules, playing.seating, player.play)
        return ThresholdBidder(worths, self.chance)


@dataclass(frozen=True)
class Margin:
    """Make the highest bid that gains more on the other sides than passing, as things stand.

    What passing gains is learned by a quick play where the strategy's own takes long.

    Attributes
    ----------
    edge
        How much more, in points.
    source
        Where the margins are looked up.
    """

    edge: float = 0.0
    source: WorthSource = QUICK_SOURCE

    def bidder(self, playing: Playing, player: Player) -> Bidder:
        """Sit down at a table."""
        worths = self.source.worths(playing.rules, playing.seating, player.play)
        table = Playing(
            playing.rules, playing.seating, seed_for("to learn what passing is worth", 0)
        )
        return MarginBidder(worths, what_passing_is_worth(table, worths, player.quick), self.edge)


#: What the weights of a count may be for, beside the ranks of trumps.
HONOURS = ("guarded_jack", "prize", "each")


@dataclass(frozen=True)
class PointCount:
    """Count the cards, and bid as much as they count: what players are taught.

    Attributes
    ----------
    trumps
        What a trump counts by its rank (`A`, `K`, … `2`); `guarded_jack` a jack that has enough
        other trumps beside it; `prize` any other card that scores for who wins it, for each point
        that it is worth; `each` every trump, beside all that.
    side
        What a card that is no trump counts, by its rank.
    guards
        How many other trumps guard a jack.
    a_point
        What must be counted for every point that is bid.
    smudge
        What must be counted for a smudge, as so many times what all the points would need.
    """

    trumps: Mapping[str, float]
    side: Mapping[str, float] = field(default_factory=dict)
    guards: int = 1
    a_point: float = 1.0
    smudge: float = 1.0

    def bidder(self, playing: Playing, _player: Player) -> Bidder:
        """Sit down at a table."""
        rules, ladder = playing.rules, playing.ladder
        holdings = Holdings(rules)
        counts = np.stack([self._counts(rules, suit, holdings) for suit in SUITS])
        counts[~holdings.may_pitch] = -np.inf
        side = [self.side.get(card[0], 0.0) if card[1] in SUITS else 0.0 for card in ALL_CARDS]
        all_points = self.a_point * rules.total
        needed = [
            self.smudge * all_points if bid == SMUDGE else self.a_point * rules.bid_value(bid)
            for bid in ladder.bids
        ]
        return CountingBidder(holdings, counts, np.array(side), np.round(needed, DIGITS))

    def _counts(self, rules: Rules, trump: str, holdings: Holdings) -> NDArray[np.float64]:
        """Count every holding of a suit, float64[holdings]."""
        jack, worth = "J" + trump, rules.point_values
        prizes = {card: worth[name] for name, card in prize_cards(rules, trump).items()}
        numbers = np.arange(holdings.count)
        counts = self.trumps.get("each", 0.0) * np.bitwise_count(numbers)
        for place, card in enumerate(TrumpOrder(rules, trump).trumps):
            held = numbers >> place & 1
            if card[0] in RANKS and card[1] == trump:
                counts = counts + held * self.trumps.get(card[0], 0.0)
            if card in prizes and card != jack:
                counts = counts + held * self.trumps.get("prize", 0.0) * prizes[card]
            if card == jack:
                guarded = held * (np.bitwise_count(numbers) > self.guards)
                more = self.trumps.get("guarded_jack", 0.0) - self.trumps.get("J", 0.0)
                counts = counts + guarded * (more if "guarded_jack" in self.trumps else 0.0)
        return np.asarray(counts, np.float64)


@dataclass(frozen=True)
class AlwaysPass:
    """Never bid but when forced."""

    def bidder(self, playing: Playing, _player: Player) -> Bidder:
        """Sit down at a table."""
        return PassingBidder(Holdings(playing.rules))


@dataclass(frozen=True)
class AtRandom:
    """Pass with some chance, and else make any legal bid.

    Attributes
    ----------
    passes
        The chance to pass where that is legal, from 0 to 1.
    """

    passes: float = 0.5

    def bidder(self, playing: Playing, _player: Player) -> Bidder:
        """Sit down at a table."""
        seed = seed_for("to bid at random", playing.seed)
        return RandomBidder(Holdings(playing.rules), self.passes, seed)
