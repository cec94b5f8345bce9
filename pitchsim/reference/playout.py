"""Playing a hand out: the table asks each player in turn, who sees only what a player may see."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from pitchsim.cards import Card, suit_of
from pitchsim.known import Known
from pitchsim.reference.draw import trumps_kept
from pitchsim.reference.table import Table, Trick
from pitchsim.rules import Rules, Seating


@dataclass(frozen=True)
class Situation:
    """What the player to move knows.

    Attributes
    ----------
    rules, seating : Rules, Seating
        The rule set, and who plays with whom (``seating.side_of(seat)``).
    seat : int
        The player's own seat.
    hand, legal : tuple of Card
        The cards that the player holds, and those of them that may be played.
    pitcher : int
        The pitcher's seat.
    bid : str or None
        The pitcher's bid; None where the hand is played for no bid in particular.
    trump : str
        The trump suit.
    tricks : tuple of Trick
        The complete tricks: who led, who played what, who won.
    leader : int
        The seat that led, or leads, the trick in progress.
    plays, seats : tuple of Card, tuple of int
        The cards of the trick in progress in the order played, and who played each.
    held : tuple of int
        How many cards each seat holds.
    kept : tuple of int
        How many trumps each seat kept before the draw; empty where there was none.
    thrown : frozenset of Card
        What the player threw away before the draw.
    known : Known
        What the player was told of the cards, seats counted from its own.
    """

    rules: Rules
    seating: Seating
    seat: int
    hand: tuple[Card, ...]
    legal: tuple[Card, ...]
    pitcher: int
    bid: str | None
    trump: str
    tricks: tuple[Trick, ...]
    leader: int
    plays: tuple[Card, ...]
    seats: tuple[int, ...]
    held: tuple[int, ...] = ()
    kept: tuple[int, ...] = ()
    thrown: frozenset[Card] = frozenset()
    known: Known = field(default_factory=Known)

    @property
    def harmless(self) -> frozenset[Card]:
        """The cards that the player knows to be with no opponent, without having seen them."""
        return self.known.harmless(self.rules, self.seating)


#: A way of playing: chooses one of the legal cards.
Policy: TypeAlias = Callable[[Situation], Card]


def play_hand(
    rules: Rules,
    seating: Seating,
    hands: Sequence[Sequence[Card]],
    *,
    pitcher: int,
    trump: str,
    first_lead: Card | None,
    policy: Policy,
    bid: str | None = None,
    dealt: Sequence[Sequence[Card]] = (),
    pitcher_knows: Known | None = None,
) -> list[Trick]:
    """Play a hand out, after a given opening lead or from it on.

    Parameters
    ----------
    rules, seating : Rules, Seating
        The rule set, and who plays with whom.
    hands : sequence of sequences of Card
        What each seat holds before the first lead: after the draw, where there is one.
    pitcher : int
        The seat that leads first.
    trump : str
        The trump suit.
    first_lead : Card or None
        The pitcher's first card; None leaves that to the policy too.
    policy : Policy
        Chooses the card of every player at every other turn.
    bid : str or None
        The pitcher's bid, for players whose play depends on it.
    dealt : sequence of sequences of Card
        What each seat held before the draw, where there was one.
    pitcher_knows : Known or None
        What the pitcher was told of the cards, seats counted from its own.

    Raises
    ------
    ValueError
        If a card that is played is not legal.
    """
    table = Table(rules, hands, pitcher, trump)
    kept = [trumps_kept(rules, trump, hand) for hand in dealt]
    if first_lead is not None:
        _play_checked(table, first_lead)
    while (seat := table.to_move) is not None:
        situation = Situation(
            rules=rules,
            seating=seating,
            seat=seat,
            hand=tuple(table.hands[seat]),
            legal=tuple(_legal(table, trump)),
            pitcher=pitcher,
            bid=bid,
            trump=trump,
            tricks=tuple(table.tricks),
            leader=table.leader,
            plays=tuple(table.plays),
            seats=tuple(table.seats),
            held=tuple(map(len, table.hands)),
            kept=tuple(map(len, kept)),
            thrown=frozenset(dealt[seat]).difference(kept[seat]) if dealt else frozenset(),
            known=pitcher_knows if pitcher_knows and seat == pitcher else Known(),
        )
        _play_checked(table, policy(situation))
    return table.tricks


def _legal(table: Table, trump: str) -> list[Card]:
    """Return what the player to move may play in a hand of which the trump suit is settled.

    Where trump is pitched, the first lead makes it: a card of that suit, or a joker that names it.
    """
    legal = table.legal()
    if table.is_first_lead and table.rules.trump_choice == "pitched":
        return [card for card in legal if suit_of(card) in (trump, None)]
    return legal


def _play_checked(table: Table, card: Card) -> None:
    legal = table.legal()
    if card not in legal:
        raise ValueError(f"{card} is not legal for seat {table.to_move}: expected one of {legal}")
    table.play(card)
