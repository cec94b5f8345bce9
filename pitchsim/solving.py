"""Solving a hand double dummy: what each card is worth when everybody sees all the cards."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from pitchsim.cards import Card
from pitchsim.encoding import encode_setting
from pitchsim.engine import MOST_PLAYERS, NOT_SOLVED, solve_position
from pitchsim.errors import IllegalRecordError
from pitchsim.known import Known
from pitchsim.order import TrumpOrder
from pitchsim.records import HandRecord
from pitchsim.reference.hand import Replay, replay
from pitchsim.reference.minimax import legal_plays
from pitchsim.rules import SMUDGE

T = TypeVar("T")

#: How many positions the search looks at for one question about one card, unless told otherwise:
#: some seconds of it.
DEFAULT_LIMIT = 50_000_000


@dataclass(frozen=True)
class Solution:
    """What best play by everybody makes of a hand.

    Attributes
    ----------
    record : HandRecord
        The hand, as far as it was played.
    pitcher, bid : int and str
        Who pitched, and for what.
    to_move : int
        The seat whose turn it is.
    trump : str or None
        The trump suit; None before the first lead where that makes it.
    values : dict of Card to int or None
        For each card that the player to move may play, in the order of the hand, the points that
        the pitcher's side ends with; None: not solved within the limit.
    smudge : dict of Card to bool or None
        For each of these cards, whether the pitcher's side then keeps what a smudge promises,
        whatever it bid, if it plays for that; None: not solved within the limit. Empty where the
        rules have no smudge.
    nodes : int
        How many positions the search looked at.
    limit : int
        The most that it might look at for a card's points, and for its smudge.
    """

    record: HandRecord
    pitcher: int
    bid: str
    to_move: int
    trump: str | None
    values: dict[Card, int | None]
    smudge: dict[Card, bool | None]
    nodes: int
    limit: int

    @property
    def is_ours(self) -> bool:
        """Whether the player to move is of the pitcher's side."""
        seating = self.record.seating
        return seating.side_of(self.to_move) == seating.side_of(self.pitcher)

    @property
    def ranking(self) -> list[Card]:
        """The cards, best first for the side to move, those that are not solved last."""
        solved = [card for card, points in self.values.items() if points is not None]
        best_first = sorted(solved, key=self._worth, reverse=self.is_ours)
        return best_first + [card for card in self.values if card not in solved]

    def _worth(self, card: Card) -> tuple[bool | int, ...]:
        """Order cards for the pitcher's side: by the bid, and then by the points."""
        return bool(self.makes_bid(card)), self.values[card] or 0, bool(self.smudge.get(card))

    @property
    def points(self) -> int | None:
        """What the pitcher's side ends with, or None: not solved."""
        values = [points for points in self.values.values() if points is not None]
        if len(values) < len(self.values):
            return None
        return max(values) if self.is_ours else min(values)

    @property
    def made(self) -> bool | None:
        """Whether the pitcher's side can make its bid, or None: not solved."""
        ends = [self.makes_bid(card) for card in self.values]
        decisive = self.is_ours  # one card that makes the bid is enough, or one that sets it
        if decisive in ends:
            return decisive
        return None if None in ends else not decisive

    def makes_bid(self, card: Card) -> bool | None:
        """Say whether the pitcher's side can make its bid after a card, or None: not solved."""
        if self.bid == SMUDGE:
            return self.smudge[card]
        points = self.values[card]
        return None if points is None else points >= self.record.rules.bid_value(self.bid)

    def to_json(self) -> dict[str, Any]:
        """Return the solution as a JSON object."""
        return {
            "to_move": self.to_move,
            "trump": self.trump,
            "values": dict(self.values),
            "smudge": dict(self.smudge),
            "nodes": self.nodes,
        }


def solve(record: HandRecord, *, limit: int = DEFAULT_LIMIT) -> Solution:
    """Solve a hand double dummy, from where its record breaks off.

    Parameters
    ----------
    limit : int
        The most positions that the search may look at for a card's points, and for its smudge.
        It takes less than a megabyte of memory, however many it looks at.

    Raises
    ------
    IllegalRecordError
        At the first thing in it that breaks a rule, and where there is nothing to solve: the hand
        is thrown in or over, or the trump suit named for it cannot be led.
    """
    played = replay(record)
    if played.table is None or played.pitcher is None or played.bid is None:
        raise IllegalRecordError(
            "everybody passed: the hand is thrown in, and there is nothing to solve; expected a "
            "hand that is pitched"
        )
    if played.table.to_move is None:
        count = len(record.plays)
        raise IllegalRecordError(
            f"plays: all {count} cards are played: the hand is over, and there is nothing to "
            f"solve; expected no more than {count - 1} plays"
        )
    plays = legal_plays(played.table)
    if not plays:
        raise IllegalRecordError(
            f"trump: seat {played.pitcher} cannot make {record.trump} trump: expected the suit of "
            f"a card that may be led first: {' '.join(played.table.legal())}",
            seat=played.pitcher,
            legal=played.table.legal(),
        )
    trumps = sorted({trump for possible in plays.values() for trump in possible})
    by_trump = {
        trump: _solve_with(
            record,
            played,
            trump,
            [card for card, possible in plays.items() if trump in possible],
            limit,
        )
        for trump in trumps
    }
    has_smudge = record.rules.smudge != "none"
    return Solution(
        record=record,
        pitcher=played.pitcher,
        bid=played.bid,
        to_move=played.table.to_move,
        trump=played.table.trump,
        values={
            card: _best(by_trump[trump].points[card] for trump in possible)
            for card, possible in plays.items()
        },
        smudge={
            card: _best(by_trump[trump].smudge[card] for trump in possible)
            for card, possible in plays.items()
            if has_smudge
        },
        nodes=sum(solved.nodes for solved in by_trump.values()),
        limit=limit,
    )


@dataclass(frozen=True)
class _Solved:
    """What each card is worth with one suit as trump."""

    points: dict[Card, int | None]
    smudge: dict[Card, bool | None]
    nodes: int


def _solve_with(
    record: HandRecord, played: Replay, trump: str, cards: list[Card], limit: int
) -> _Solved:
    rules, seating, pitcher = record.rules, record.seating, played.pitcher or 0
    order = TrumpOrder(rules, trump)
    hands = np.zeros(MOST_PLAYERS, np.int64)
    for seat, hand in enumerate(played.hands):
        hands[(seat - pitcher) % seating.players] = order.mask(hand)
    points, smudges = np.zeros((2, len(cards)), np.int64)
    nodes = solve_position(
        encode_setting(rules, seating, Known(), trump, dealer=0, told=Known()),
        hands,
        _masks(order, record.plays),
        _masks(order, cards),
        limit,
        points,
        smudges,
    )
    if rules.smudge == "all_points":
        smudges = np.where(points == NOT_SOLVED, NOT_SOLVED, points == rules.total)
    return _Solved(
        {card: _solved(int, worth) for card, worth in zip(cards, points, strict=True)},
        {card: _solved(bool, worth) for card, worth in zip(cards, smudges, strict=True)},
        nodes,
    )


def _solved(kind: Callable[[int], T], worth: int) -> T | None:
    return None if worth == NOT_SOLVED else kind(worth)


def _masks(order: TrumpOrder, cards: Iterable[Card]) -> NDArray[np.int64]:
    return np.array([order.mask([card]) for card in cards], np.int64)


def _best(worths: Iterable[Any]) -> Any:
    """Give the best of what a card is worth with each suit that may be named for it."""
    known = list(worths)
    return None if None in known else max(known)
