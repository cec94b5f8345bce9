"""A study: everything that decides what a simulation finds."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from pitchsim.cards import SUITS, Card, sort_hand
from pitchsim.errors import StudyError, check_whole, did_you_mean, listed, quoted
from pitchsim.known import Known
from pitchsim.order import TrumpOrder, first_leads
from pitchsim.plays import DEFAULT_WORLDS, MOST_WORLDS, PLAYS, Play
from pitchsim.rules import Rules, Seating
from pitchsim.tally import Columns

#: Raised whenever the same study would give other numbers than before.
ENGINE_VERSION = 3
LARGEST_SEED = 2**64 - 1


@dataclass(frozen=True)
class Option:
    """What the pitcher may do: a trump suit and the first lead; None leaves it to the play."""

    trump: str
    lead: Card | None


@dataclass(frozen=True)
class Study:
    """Everything that affects the numbers of a simulation.

    Attributes
    ----------
    rules, seating
        The table.
    known
        What is known of the cards; seats count clockwise from the pitcher, seat 0.
    options
        What is compared, each on the same deals; those of a trump suit together.
    play, defence
        The play policies of the pitcher's side and of the others.
    seed
        From 0 to 2**64 - 1.
    dealer
        The dealer's seat, which decides only who draws first; -1 is the seat at the pitcher's
        right.
    informed
        Whether the pitcher plays by all that is known, or by its own cards alone.
    bid
        The only bid that is asked about; None for all.
    worlds
        How many worlds a player who samples deals at each turn; None for the usual number.

    Raises
    ------
    StudyError
        If the seed, a play policy, the bid or the number of worlds is not possible, or there is
        nothing to compare.
    """

    rules: Rules
    seating: Seating
    known: Known
    options: tuple[Option, ...]
    play: str = "basic"
    defence: str = "basic"
    seed: int = 0
    dealer: int = -1
    informed: bool = True
    bid: str | None = None
    worlds: int | None = None

    def __post_init__(self) -> None:
        if not self.options:
            raise StudyError("there is nothing to lead: expected at least one trump suit and lead")
        check_whole("seed", self.seed, 0, LARGEST_SEED)
        object.__setattr__(self, "seed", int(self.seed))  # numpy's integers are welcome too
        for play in (self.play, self.defence):
            if play not in PLAYS:
                raise StudyError(
                    f"there is no play {quoted(play)}: "
                    f"expected {listed(PLAYS)}{did_you_mean(play, PLAYS)}"
                )
            if PLAYS[play].both_sides and self.play != self.defence:
                raise StudyError(
                    f"{self.play} play against {self.defence} play is not possible: "
                    f"{play} plays for both sides together"
                )
        if self.bid is not None and self.bid not in self.rules.all_bids:
            raise StudyError(
                f"bid {quoted(self.bid)} is not one to play for: "
                f"expected {listed(self.rules.all_bids)}"
            )
        if self.worlds is not None:
            check_whole("worlds", self.worlds, 1, MOST_WORLDS)
            if not self.samples:
                samplers = listed(name for name, play in PLAYS.items() if play.samples)
                raise StudyError(
                    f"{self.worlds} worlds are of no use to {self.play} play: expected {samplers}"
                )

    @property
    def bids(self) -> tuple[str, ...]:
        """The bids asked about: by itself all that are worth asking about.

        Those are the ordinary ones, and a dealer's forced bid below them.
        """
        return self.rules.all_bids if self.bid is None else (self.bid,)

    @property
    def by_bid(self) -> bool:
        """Whether how a deal is played depends on the bid."""
        return any(play.by_bid for play in self.both)

    @property
    def plays(self) -> int:
        """How often each option of a deal is played: once for all bids, or once for each."""
        return len(self.bids) if self.by_bid else 1

    @property
    def costly(self) -> bool:
        """Whether its hands take long to play."""
        return any(play.costly for play in self.both)

    @property
    def samples(self) -> bool:
        """Whether there are players who deal worlds that fit what they have seen."""
        return any(play.samples for play in self.both)

    @property
    def worlds_a_turn(self) -> int:
        """How many worlds such a player deals at each turn."""
        return DEFAULT_WORLDS if self.worlds is None else self.worlds

    @property
    def note_on_worlds(self) -> str:
        """What is to be said of the play beside its name: nothing, or ` (100 worlds a turn)`."""
        return f" ({self.worlds_a_turn:,} worlds a turn)" if self.samples else ""

    @property
    def deals_a_chunk(self) -> int:
        """How many deals make a piece of work for a thread; at least one."""
        return max(1, self.hands_a_chunk // (self.plays * len(self.options)))

    @property
    def hands_a_chunk(self) -> int:
        """How many hands make a piece of work for a thread."""
        hands = min(play.hands_a_chunk for play in self.both)
        return hands * DEFAULT_WORLDS // self.worlds_a_turn if self.samples else hands

    @property
    def both(self) -> tuple[Play, Play]:
        """The play of the pitcher's side and of the others."""
        return PLAYS[self.play], PLAYS[self.defence]

    @cached_property
    def columns(self) -> Columns:
        """What is counted of it."""
        return Columns(self.rules, self.seating, self.bids)

    @cached_property
    def identity(self) -> str:
        """A hash of everything that affects the numbers, 16 hexadecimal digits."""
        known = self.known
        content = {
            "engine": ENGINE_VERSION,
            "rules": self.rules.as_dict(),
            "seating": [self.seating.players, self.seating.partners],
            "held": {seat: sort_hand(cards) for seat, cards in sorted(known.held.items())},
            "out": sort_hand(known.out),
            "barred": {seat: sort_hand(cards) for seat, cards in sorted(known.barred.items())},
            "options": [[option.trump, option.lead] for option in self.options],
            "play": [self.play, self.defence],
            "seed": self.seed,
            "dealer": self.dealer % self.seating.players,
            "informed": self.informed,
        }
        if self.bid is not None:
            content["bid"] = self.bid
        if self.samples:
            content["worlds"] = self.worlds_a_turn
        return identity_of(json.dumps(content))


def identity_of(content: str) -> str:
    """Hash what decides some numbers, to 16 hexadecimal digits."""
    return hashlib.sha256(content.encode()).hexdigest()[:16]


def random_seed() -> int:
    """Choose a seed at random, short enough to be typed again."""
    return secrets.randbelow(2**32)


def seed_for(purpose: str, seed: int) -> int:
    """Derive a seed whose deals have nothing to do with those of the first."""
    return int.from_bytes(hashlib.sha256(f"{seed}, {purpose}".encode()).digest()[:8])


def options_of(
    rules: Rules, hand: Iterable[Card], trump: str | None = None, lead: Card | None = None
) -> tuple[Option, ...]:
    """List what a pitcher with this hand may do, by suit and then from the highest card.

    Where trump is pitched, a lead makes its own suit trump (a joker, where it may be led, any).
    Where it is declared, any suit goes with any lead. Where the hand is drawn to after that, only
    the trumps held can be led for sure: the other leads are one option, chosen by the play once
    the new cards are seen.

    Parameters
    ----------
    trump, lead
        If given, only this suit, only this lead.

    Raises
    ------
    StudyError
        If that leaves nothing, naming what cannot be led.
    """
    cards = sort_hand(hand)
    if lead is not None and lead not in cards:
        raise StudyError(f"{lead} is not in the hand {' '.join(cards)}: expected one of its cards")
    options = tuple(
        option
        for suit in SUITS
        for option in _options_in(rules, cards, suit)
        if trump in (None, suit) and lead in (None, option.lead)
    )
    if not options:
        with_suit = f" with {trump} as trump" if trump else ""
        raise StudyError(
            f"{lead or listed(cards, 'and')} cannot be the first lead{with_suit}: under these "
            f"rules {_first_lead_rule(rules)}"
        )
    return options


def _options_in(rules: Rules, cards: tuple[Card, ...], suit: str) -> Iterator[Option]:
    if rules.draw:
        yield Option(suit, None)
    leads = TrumpOrder(rules, suit).trumps if rules.draw else first_leads(rules, suit)
    yield from (Option(suit, card) for card in cards if card in leads)


def _first_lead_rule(rules: Rules) -> str:
    if rules.draw:
        return "only a trump is kept, and the rest is drawn before the first lead"
    if rules.joker_lead == "names":
        return "the suit of the first lead is trump, and a joker goes with any suit"
    return "the suit of the first lead is trump, and a joker may not be led first"
