"""A hand in progress: who holds what, which cards lie in the trick, who is to move."""

from collections.abc import Sequence
from dataclasses import dataclass

from pitchsim.cards import Card, suit_of
from pitchsim.reference.play import legal_first_leads, legal_follows, trick_winner
from pitchsim.rules import Rules


@dataclass(frozen=True)
class Trick:
    """A complete trick.

    Attributes
    ----------
    leader : int
        The seat that led.
    plays : tuple of Card
        The cards in the order played.
    winner : int
        The seat that won it.
    seats : tuple of int
        The seat that played each card: clockwise from the leader, without those who have no
        card left (after a draw that emptied the stock).
    """

    leader: int
    plays: tuple[Card, ...]
    winner: int
    seats: tuple[int, ...]


class Table:
    """The play of one hand, a card at a time.

    Where trump is pitched, the suit of the first card led is trump.

    Parameters
    ----------
    rules : Rules
        The rule set.
    hands : sequence of sequences of Card
        What each seat holds before the first lead.
    pitcher : int
        The seat that leads first.
    trump : str or None
        The suit that is trump; None where the first lead will make it.

    Attributes
    ----------
    hands : list of list of Card
        The cards that each seat still holds.
    tricks : list of Trick
        The complete tricks.
    leader : int
        The seat that led, or will lead, the trick in progress.
    plays, seats : list of Card, list of int
        The cards of the trick in progress and who played them.
    """

    def __init__(
        self, rules: Rules, hands: Sequence[Sequence[Card]], pitcher: int, trump: str | None
    ) -> None:
        self.rules = rules
        self.players = len(hands)
        self.hands = [list(hand) for hand in hands]
        self.trump = trump
        self.tricks: list[Trick] = []
        self.plays: list[Card] = []
        self.seats: list[int] = []
        self.leader = self._first_with_cards(pitcher)

    def _first_with_cards(self, seat: int) -> int:
        """Return the first seat clockwise, from `seat` on, that has cards; `seat` if none has."""
        clockwise = [(seat + turn) % self.players for turn in range(self.players)]
        return next((place for place in clockwise if self.hands[place]), seat)

    @property
    def to_move(self) -> int | None:
        """The seat whose turn it is, or None when nobody holds a card.

        Everybody plays clockwise from the leader, those excepted who have no card left.
        """
        clockwise = [(self.leader + turn) % self.players for turn in range(self.players)]
        waiting = [seat for seat in clockwise if self.hands[seat] and seat not in self.seats]
        return waiting[0] if waiting else None

    @property
    def is_first_lead(self) -> bool:
        """Whether the next card is the first of the hand."""
        return not self.tricks and not self.plays

    def legal(self) -> list[Card]:
        """Return the cards that the player to move may play; none when the hand is over."""
        seat = self.to_move
        if seat is None:
            return []
        hand = self.hands[seat]
        if self.is_first_lead:
            return legal_first_leads(self.rules, hand)
        if not self.plays:
            return list(hand)
        return legal_follows(self.rules, self.known_trump(), hand, self.plays[0])

    def known_trump(self) -> str:
        """Return the trump suit of a hand that has begun.

        Raises
        ------
        ValueError
            If trump is not known yet.
        """
        if self.trump is None:
            raise ValueError("trump is not known before the first lead")
        return self.trump

    def play(self, card: Card) -> None:
        """Play a legal card of the player to move; the caller has checked that it is one."""
        seat = self.to_move
        if seat is None:
            raise ValueError(f"{card} cannot be played: nobody holds a card")
        if self.trump is None:
            self.trump = suit_of(card)
        self.hands[seat].remove(card)
        self.plays.append(card)
        self.seats.append(seat)
        if self.to_move is None:
            self._gather_the_trick()

    def _gather_the_trick(self) -> None:
        """Give the trick to its winner, who leads the next: the next with cards, if without."""
        place = trick_winner(self.rules, self.known_trump(), self.plays)
        winner = self.seats[place]
        self.tricks.append(Trick(self.leader, tuple(self.plays), winner, tuple(self.seats)))
        self.plays, self.seats = [], []
        self.leader = self._first_with_cards(winner)
