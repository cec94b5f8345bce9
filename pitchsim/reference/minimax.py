"""Double dummy: what best play brings when everybody sees all the cards.

The pitcher's side takes the most points that it can force, and everybody else together holds it
to the fewest. Where everyone plays alone all others are against the pitcher, but Game still goes
by the card points of each player.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from pitchsim.cards import SUITS, Card, card_points, suit_of
from pitchsim.reference.hand import Replay
from pitchsim.reference.play import legal_follows, trick_winner
from pitchsim.reference.scoring import (
    bid_made,
    card_points_won,
    card_takers,
    game_side,
    point_cards,
    side_points,
    tricks_won,
)
from pitchsim.reference.table import Table
from pitchsim.rules import SMUDGE, Rules, Seating


class Taken(NamedTuple):
    """What complete tricks have brought.

    Attributes
    ----------
    points : int
        The points of the pitcher's side, without Game.
    card_points : tuple of int
        The card points of each side.
    tricks : int
        The tricks of the pitcher's side.
    """

    points: int
    card_points: tuple[int, ...]
    tricks: int


class Position(NamedTuple):
    """A hand in progress, seen by everybody.

    Attributes
    ----------
    hands : tuple of tuple of Card
        The cards that each seat still holds.
    turns : tuple of int
        The seats that play to the trick in progress, from its leader on; none: the hand is over.
    plays : tuple of Card
        The cards of the trick in progress, in the order played.
    taken : Taken
        What the complete tricks have brought.
    """

    hands: tuple[tuple[Card, ...], ...]
    turns: tuple[int, ...]
    plays: tuple[Card, ...]
    taken: Taken


def best_points(rules: Rules, seating: Seating, played: Replay) -> dict[Card, int]:
    """Return the points that the pitcher's side ends with after each card, all play being best.

    Points that were taken before count too. The cards are those that the player to move may play,
    in the order of the hand; none where the hand is thrown in, or over.

    Where trump is pitched, the first lead makes its own suit trump; a joker that may be led goes
    with the suit that is best for the pitcher's side, unless the record names one.
    """
    return _worth_of_plays(rules, seating, played, OpenHand.points)


def smudge_can_be_made(rules: Rules, seating: Seating, played: Replay) -> dict[Card, bool]:
    """Say of each card whether the pitcher's side can then still force what a smudge promises.

    That is all the points, all the tricks, or both, whatever the hand was pitched for. Empty where
    the rule set has no smudge; for the rest see :func:`best_points`.
    """
    if rules.smudge == "none":
        return {}
    kept = _worth_of_plays(rules, seating, played, OpenHand.keeps_a_smudge)
    return {card: bool(is_kept) for card, is_kept in kept.items()}


def legal_plays(table: Table) -> dict[Card, tuple[str, ...]]:
    """Return what the player to move may play, each card with the suits that may then be trump.

    These are several only for a joker led first that makes no suit trump: the pitcher names it.
    """
    if table.is_first_lead and table.rules.trump_choice == "pitched":
        named = SUITS if table.trump is None else (table.trump,)
        possible = {
            card: [trump for trump in named if suit_of(card) in (trump, None)]
            for card in table.legal()
        }
        return {card: tuple(trumps) for card, trumps in possible.items() if trumps}
    return {card: (table.known_trump(),) for card in table.legal()}


def _worth_of_plays(
    rules: Rules, seating: Seating, played: Replay, payoff: Callable[["OpenHand", Taken], int]
) -> dict[Card, int]:
    if played.table is None:
        return {}
    plays = legal_plays(played.table)
    open_hands = {
        trump: OpenHand(rules, seating, played, trump, payoff)
        for trump in SUITS
        if any(trump in trumps for trumps in plays.values())
    }
    return {
        card: max(open_hands[trump].worth_of(card) for trump in trumps)
        for card, trumps in plays.items()
    }


class OpenHand:
    """A hand whose trump suit is known, and the worth of every position that it can come to.

    Parameters
    ----------
    rules, seating : Rules, Seating
        The rule set, and who plays with whom.
    played : Replay
        The hand as far as it was played; not one that is thrown in.
    trump : str
        The trump suit.
    payoff : callable
        What a hand that is over is worth to the pitcher's side: a method of this class.
    """

    def __init__(
        self,
        rules: Rules,
        seating: Seating,
        played: Replay,
        trump: str,
        payoff: Callable[["OpenHand", Taken], int],
    ) -> None:
        if played.table is None or played.pitcher is None:
            raise ValueError("a hand that is thrown in has no play")
        table = played.table
        self.rules = rules
        self.seating = seating
        self.ours = seating.side_of(played.pitcher)
        self.payoff = payoff
        self.all_tricks = max(map(len, played.hands))
        takers = card_takers(rules, seating, trump=trump, hands=played.hands, tricks=table.tricks)
        taken = Taken(
            points=side_points(rules, seating, takers)[self.ours],
            card_points=tuple(card_points_won(seating, table.tricks)),
            tricks=tricks_won(seating, table.tricks)[self.ours],
        )
        self.start = Position(
            hands=tuple(map(tuple, table.hands)),
            turns=tuple(
                seat
                for seat in clockwise(table.leader, seating.players)
                if table.hands[seat] or seat in table.seats
            ),
            plays=tuple(table.plays),
            taken=taken,
        )
        # One card may bring several points; a Low for its holder is among those taken already.
        self.brings = [
            (card, rules.point_values[name])
            for name, card in point_cards(rules, trump, played.hands).items()
            if not (name == "low" and rules.low_to == "holder")
        ]
        # The same few hands and tricks come again and again.
        self.legal_follows = cache(lambda hand, led: legal_follows(rules, trump, hand, led))
        self.trick_winner = cache(lambda plays: trick_winner(rules, trump, plays))
        self.known: dict[Position, int] = {}

    def points(self, taken: Taken) -> int:
        """Return the points of the pitcher's side when the hand is over."""
        game = game_side(self.rules, self.ours, taken.card_points) == self.ours
        return taken.points + (self.rules.point_values.get("game", 0) if game else 0)

    def keeps_a_smudge(self, taken: Taken) -> int:
        """Say, when the hand is over, whether the pitcher's side has kept a smudge's promise."""
        return bid_made(self.rules, SMUDGE, self.points(taken), taken.tricks, self.all_tricks)

    def worth_of(self, card: Card) -> int:
        """Return what a card of the player to move is worth to the pitcher's side."""
        return self.worth(self.after(self.start, card))

    def worth(self, position: Position) -> int:
        """Return what a position is worth to the pitcher's side, all play being best."""
        if not position.turns:
            return self.payoff(self, position.taken)
        if position.plays:
            return self.best_worth(position)
        if position not in self.known:
            self.known[position] = self.best_worth(position)
        return self.known[position]

    def best_worth(self, position: Position) -> int:
        """Return the worth of the best card of the player to move."""
        hands, turns, plays, _ = position
        seat = turns[len(plays)]
        # Which cards may be led first was settled with the trump suit: here any card may lead.
        legal = self.legal_follows(hands[seat], plays[0]) if plays else hands[seat]
        best = max if self.seating.side_of(seat) == self.ours else min
        return best(self.worth(self.after(position, card)) for card in legal)

    def after(self, position: Position, card: Card) -> Position:
        """Play a card of the player to move, and give a trick that it completes to its winner."""
        hands, turns, plays, taken = position
        seat = turns[len(plays)]
        left = tuple(held for held in hands[seat] if held != card)
        hands = (*hands[:seat], left, *hands[seat + 1 :])
        plays = (*plays, card)
        if len(plays) < len(turns):
            return Position(hands, turns, plays, taken)
        winner = turns[self.trick_winner(plays)]
        waiting = tuple(seat for seat in clockwise(winner, len(hands)) if hands[seat])
        return Position(hands, waiting, (), self.with_trick(taken, winner, plays))

    def with_trick(self, taken: Taken, winner: int, plays: tuple[Card, ...]) -> Taken:
        """Add a complete trick to what was taken before."""
        side = self.seating.side_of(winner)
        totals = list(taken.card_points)
        totals[side] += sum(map(card_points, plays))
        if side != self.ours:
            return taken._replace(card_points=tuple(totals))
        points = sum(worth for card, worth in self.brings if card in plays)
        return Taken(taken.points + points, tuple(totals), taken.tricks + 1)


def clockwise(first: int, players: int) -> list[int]:
    """Return the seats, from the first one on."""
    return [(first + turn) % players for turn in range(players)]
