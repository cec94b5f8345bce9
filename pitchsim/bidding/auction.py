"""The auctions of many deals at once: what may be said, what is said, and who pitches.

A *call* is a pass or a bid, as a number: 0 is a pass, and 1, 2, … are the bids of the rule set from
the lowest up. A *place* is a turn of the auction: 0 is at the dealer's left, the last the dealer's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from pitchsim.cards import format_hand
from pitchsim.errors import StrategyError, listed
from pitchsim.hands import cards_of
from pitchsim.reference.auction import legal_bids
from pitchsim.rules import PASS, Rules, Seating

#: The call that is a pass.
PASSED = 0


@dataclass(frozen=True)
class Ladder:
    """The calls of a rule set.

    Attributes
    ----------
    rules
        The rule set.
    """

    rules: Rules

    @cached_property
    def words(self) -> tuple[str, ...]:
        """What is said for each call: `pass`, and the bids from the lowest up.

        A forced bid below the lowest ordinary one, which is only the dealer's, is among them.
        """
        return (PASS, *self.rules.all_bids)

    @property
    def bids(self) -> tuple[str, ...]:
        """The bids, in order."""
        return self.words[1:]

    @cached_property
    def may_say(self) -> NDArray[np.bool_]:
        """What may be said, bool[2, calls, calls]: by the dealer or not, after the highest call."""
        table = np.zeros((2, len(self.words), len(self.words)), bool)
        for is_dealer, players in enumerate((3, 2)):  # after one call, the last of two bids
            for highest, word in enumerate(self.words):
                legal = legal_bids(self.rules, [word], players)
                table[is_dealer, highest] = [other in legal for other in self.words]
        return table

    @cached_property
    def up_to(self) -> NDArray[np.int64]:
        """What is said by who bids up to a limit, int64[2, calls, calls].

        By the dealer or not, after the highest call, with each limit: see
        :func:`pitchsim.bidding.bidders.bid_up_to`.
        """
        calls = np.arange(len(self.words))
        said = np.zeros(self.may_say.shape, np.int64)
        for is_dealer, highest, limit in np.ndindex(said.shape):
            legal = self.may_say[is_dealer, highest]
            within = calls[legal & (calls > PASSED) & (calls <= limit)]
            if not within.size:
                said[is_dealer, highest, limit] = legal.argmax()
            else:
                said[is_dealer, highest, limit] = within[0 if is_dealer else -1]
        return said

    def after(self, said: Sequence[str], *, is_dealer: bool) -> NDArray[np.bool_]:
        """Say what may be said after some calls, in words: bool[calls]."""
        highest = max(map(self.words.index, said), default=PASSED)
        return np.asarray(self.may_say[int(is_dealer), highest])

    def read(self, text: str) -> int:
        """Read a call: `pass`, a number or `smudge`, in any case.

        Raises
        ------
        RulesError
            If the rule set has no such bid.
        """
        return self.words.index(self.rules.parse_bid(text))


@dataclass(frozen=True)
class Turn:
    """The same place of the auction in many deals: what the players there know.

    Attributes
    ----------
    ladder, seating
        The table.
    numbers
        int64[n], the numbers of the deals.
    hands
        int64[n], the player's cards, a bit for each of `pitchsim.cards.ALL_CARDS`.
    calls
        int64[n, place], what was said before.
    scores
        int64[n, sides], of the player's own side first, then clockwise.
    """

    ladder: Ladder
    seating: Seating
    numbers: NDArray[np.int64]
    hands: NDArray[np.int64]
    calls: NDArray[np.int64]
    scores: NDArray[np.int64]

    @property
    def place(self) -> int:
        """Which place it is: 0 at the dealer's left."""
        return int(self.calls.shape[1])

    @property
    def is_dealer(self) -> bool:
        """Whether it is the dealer's turn, after which nobody bids."""
        return self.place == self.seating.players - 1

    @cached_property
    def highest(self) -> NDArray[np.int64]:
        """The highest call so far, int64[n]."""
        return np.asarray(self.calls.max(axis=1, initial=PASSED))

    @cached_property
    def partner_is_highest(self) -> NDArray[np.bool_]:
        """Whether it is a partner who has bid most so far, bool[n]."""
        if self.place == 0:
            return np.zeros(len(self.hands), bool)
        holder = self.place - 1 - self.calls[:, ::-1].argmax(axis=1)
        same_side = (holder - self.place) % 2 == 0
        return np.asarray((self.highest > PASSED) & same_side & self.seating.partners)

    @cached_property
    def legal(self) -> NDArray[np.bool_]:
        """What may be said, bool[n, calls]."""
        return np.asarray(self.ladder.may_say[int(self.is_dealer), self.highest])

    def then(self, said: NDArray[np.int64]) -> Turn:
        """Give the next turn; the cards and the scores are still those of who has spoken."""
        return replace(self, calls=np.column_stack([self.calls, said]))

    def of(self, chosen: NDArray[np.intp]) -> Turn:
        """Give the same turn in some of the deals only."""
        return Turn(
            self.ladder,
            self.seating,
            self.numbers[chosen],
            self.hands[chosen],
            self.calls[chosen],
            self.scores[chosen],
        )


class Contracts(NamedTuple):
    """What pitchers play for.

    trumps : int64[n], the trump suit's place in `pitchsim.cards.SUITS`.
    leads : int64[n], the first lead's place in `ALL_CARDS`; -1 leaves it to the play.
    chances : float64[n], how likely the pitcher thinks that the bid is made; NaN for no opinion.
    """

    trumps: NDArray[np.int64]
    leads: NDArray[np.int64]
    chances: NDArray[np.float64]


class Bidder(Protocol):
    """How somebody bids: all that a strategy of one's own needs to have."""

    def call(self, turn: Turn) -> NDArray[np.int64]:
        """Say something in each deal of a turn: int64[n], each call legal (`turn.legal`)."""

    def contract(
        self, hands: NDArray[np.int64], calls: NDArray[np.int64], numbers: NDArray[np.int64]
    ) -> Contracts:
        """Choose trump and lead for hands that have won the auction with these calls.

        Parameters
        ----------
        hands
            int64[n], a bit for each of `pitchsim.cards.ALL_CARDS`.
        calls
            int64[n], the bids, none of them a pass.
        numbers
            int64[n], the numbers of the deals, for what is to be random.
        """


class Auctions(NamedTuple):
    """What was said in some deals, and who pitches.

    calls : int64[n, players], by place.
    places : int64[n], the pitcher's place; -1 where the hand is thrown in.
    highest : int64[n], the bid; 0 where the hand is thrown in.
    """

    calls: NDArray[np.int64]
    places: NDArray[np.int64]
    highest: NDArray[np.int64]


def seats_at(dealers: NDArray[np.int64], players: int) -> NDArray[np.int64]:
    """Return the seat that bids at each place, int64[n, players]."""
    return (dealers[:, None] + 1 + np.arange(players)) % players


def hold_auctions(
    first: Turn,
    hands: NDArray[np.int64],
    bidders: Sequence[Bidder],
    who: NDArray[np.int64],
    scores: NDArray[np.int64],
) -> Auctions:
    """Let everybody who has not yet spoken bid, in turn.

    Parameters
    ----------
    first
        The turn with which to go on: of its `calls`, any number may have been made.
    hands
        int64[n, players], by place.
    bidders, who
        Those who bid, and which of them sits at each place, int64[n, players].
    scores
        int64[n, players, sides], the scores as the player at each place counts them.

    Raises
    ------
    StrategyError
        If a bidder says what it may not.
    """
    turn = first
    while turn.place < turn.seating.players:
        place = turn.place
        turn = replace(turn, hands=hands[:, place], scores=scores[:, place])
        said = np.zeros(len(hands), np.int64)
        for bidder in np.unique(who[:, place]).tolist():
            theirs = np.flatnonzero(who[:, place] == bidder)
            said[theirs] = checked_calls(bidders[bidder], turn.of(theirs))
        turn = turn.then(said)
    return outcome_of(turn.calls)


def outcome_of(calls: NDArray[np.int64]) -> Auctions:
    """Say who pitches after calls, int64[n, players]: of equals the last, who is the dealer."""
    players = calls.shape[1]
    highest = calls.max(axis=1)
    places = players - 1 - calls[:, ::-1].argmax(axis=1)
    return Auctions(calls, np.where(highest == PASSED, -1, places), highest)


def checked_calls(bidder: Bidder, turn: Turn) -> NDArray[np.int64]:
    """Ask a bidder, and refuse what it may not say.

    Raises
    ------
    StrategyError
        Naming the hand, the auction, the call and what was legal.
    """
    calls = np.asarray(bidder.call(turn))
    name = type(bidder).__name__
    if calls.shape != turn.hands.shape or calls.dtype.kind not in "iu":
        raise StrategyError(
            f"{name} gave calls of shape {calls.shape} and type {calls.dtype}: expected one whole "
            f"number for each of {len(turn.hands)} hands"
        )
    known = (calls >= 0) & (calls < len(turn.ladder.words))
    may_say = turn.ladder.may_say[int(turn.is_dealer)]
    legal = known & may_say[turn.highest, np.where(known, calls, 0)]
    if not legal.all():
        place = int(legal.argmin())
        words = turn.ladder.words
        said = int(calls[place])
        before = listed([words[call] for call in turn.calls[place]] or ["nobody"], "and")
        raise StrategyError(
            f"{name} bids illegally: with {format_hand(cards_of(int(turn.hands[place])))} after "
            f"{before} it says {words[said] if known[place] else said}; expected "
            f"{listed(word for word, may in zip(words, turn.legal[place], strict=True) if may)}"
        )
    return calls
