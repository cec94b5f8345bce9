"""Deals as records: what a study deals and plays, for others to read, replay and score."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, TypeVar

from pitchsim.analysis import Analysis
from pitchsim.cards import SUITS, Card, format_hand, is_joker
from pitchsim.errors import StudyError, listed
from pitchsim.known import Known, check_known
from pitchsim.plays import DOUBLE_DUMMY, QUICK
from pitchsim.records import Draw, HandRecord
from pitchsim.reference.trumps import trump_suit
from pitchsim.rules import PASS, Rules, Seating
from pitchsim.running import MOST_DEALS
from pitchsim.simulation import PlayedDeal, Simulation
from pitchsim.study import Option, Study, options_of, seed_for

T = TypeVar("T")

#: How many deals a pitcher thinks through to choose a trump suit and lead.
CHOOSING_DEALS = 400


def deal_record(
    study: Study, number: int, option: Option | None, *, bid: str, pitcher: int = 0
) -> HandRecord:
    """Give a deal of a study as a record, played out or not.

    Parameters
    ----------
    number
        The number of the deal, from 0.
    option
        The trump suit and first lead to play it with; None leaves it unplayed.
    bid
        What the pitcher plays it for.
    pitcher
        The seat that the pitcher, who is seat 0 of every study, has in the record.

    Raises
    ------
    StudyError
        If there is no such deal, bid or seat.
    """
    rules, players = study.rules, study.seating.players
    if not 0 <= number < MOST_DEALS:
        raise StudyError(f"deal {number} is not possible: expected 0 to {MOST_DEALS - 1}")
    check_pitcher(study.seating, pitcher)
    bid = check_bid(rules, bid)
    dealer = study.dealer % players
    if dealer and bid not in rules.bids:
        if rules.draw:
            raise StudyError(
                f"bid {bid} is only the dealer's, who draws last, and in this study the pitcher "
                f"draws first: expected {listed(rules.bids)}"
            )
        dealer = 0
    placed: dict[str, Any] = {
        "rules": rules,
        "seating": study.seating,
        "dealer": (dealer + pitcher) % players,
        "scores": (0,) * study.seating.sides,
        "pitcher": pitcher,
        "bid": bid,
    }
    if option is None:
        return HandRecord(hands=_seated(Simulation(study).hands(number), pitcher), **placed)
    played = Simulation(study).play_deal(number, option, bid)
    return HandRecord(**as_played(rules, option.trump, played, pitcher), **placed)


def as_played(rules: Rules, trump: str, played: PlayedDeal, pitcher: int) -> dict[str, Any]:
    """Give what a record says of the cards and the play, the pitcher sitting anywhere."""
    names_trump = rules.trump_choice == "declared" or is_joker(played.plays[0])
    return {
        "hands": _seated(played.hands, pitcher),
        "trump": trump if names_trump else None,
        "plays": played.plays,
        "draws": _seated(_draws(rules, trump, played), pitcher) if rules.draw else None,
    }


def check_bid(rules: Rules, text: str | None) -> str:
    """Read the bid that a hand is played for; None is the lowest.

    Raises
    ------
    RulesError
        If the rule set has no such bid.
    StudyError
        If it is a pass.
    """
    bid = rules.bids[0] if text is None else rules.parse_bid(text)
    if bid == PASS:
        raise StudyError(f"bid pass leaves nothing to play for: expected {listed(rules.bids)}")
    return bid


def check_pitcher(seating: Seating, pitcher: int) -> None:
    """Refuse a seat that is not at the table.

    Raises
    ------
    StudyError
        Naming the seats that are.
    """
    if not 0 <= pitcher < seating.players:
        raise StudyError(f"pitcher {pitcher} is not a seat: expected 0 to {seating.players - 1}")


@dataclass(frozen=True)
class Deals:
    """Deals at one table, numbered from 0; every one of them can be made alone.

    Attributes
    ----------
    rules, seating
        The table.
    seed
        From 0 to 2**64 - 1; decides all deals.
    hand
        The cards of seat 0 in every deal; None deals them too.
    pitcher
        The pitcher's seat.
    bid
        What the pitcher plays for; None for the lowest bid.
    play
        How everybody plays; None leaves the deals unplayed.
    worlds
        How many worlds a player who samples deals at each turn; None for the usual number.

    Raises
    ------
    PitchsimError
        If any of them is not possible.
    """

    rules: Rules
    seating: Seating
    seed: int
    hand: tuple[Card, ...] | None = None
    pitcher: int = 0
    bid: str | None = None
    play: str | None = None
    worlds: int | None = None

    def __post_init__(self) -> None:
        check_bid(self.rules, self.bid)
        check_pitcher(self.seating, self.pitcher)
        check_known(self._study.known, self.rules, self.seating)

    def record(self, number: int) -> HandRecord:
        """Give a deal as a record; played, trump and lead are those of `choose_option`.

        Raises
        ------
        StudyError
            If there is no such deal.
        """
        bid = check_bid(self.rules, self.bid)
        option = None
        if self.play is not None:
            hand = Simulation(self._study).hands(number)[0]
            option = choose_option(
                self.rules, self.seating, hand, bid=bid, play=self.play, seed=self.seed
            )
        return deal_record(self._study, number, option, bid=bid, pitcher=self.pitcher)

    @cached_property
    def _study(self) -> Study:
        """The study that deals: it knows no more than seat 0's cards, and any lead will do."""
        held = {} if self.hand is None else {-self.pitcher % self.seating.players: self.hand}
        is_dealer = check_bid(self.rules, self.bid) not in self.rules.bids
        return Study(
            rules=self.rules,
            seating=self.seating,
            known=Known({seat: frozenset(cards) for seat, cards in held.items()}),
            options=tuple(Option(suit, None) for suit in SUITS),
            play=self.play or "basic",
            defence=self.play or "basic",
            seed=self.seed,
            worlds=self.worlds,
            dealer=0 if is_dealer else -1,
            informed=False,
        )


@lru_cache(maxsize=1)  # the same hand again and again, where the pitcher's is fixed
def choose_option(
    rules: Rules, seating: Seating, hand: tuple[Card, ...], *, bid: str, play: str, seed: int
) -> Option:
    """Choose a trump suit and first lead for a bid, as a pitcher who sees only this hand would.

    The one with the best margin over some deals of the other cards, which are others than those
    of any study with the same seed. Where the play takes long, a quick one stands in for it.
    """
    study = Study(
        rules=rules,
        seating=seating,
        known=Known({0: frozenset(hand)}),
        options=options_of(rules, hand),
        play=play,
        defence=play,
        seed=seed_for(f"to choose for {format_hand(hand)}", seed),
        bid=bid,
    )
    if study.costly or play == DOUBLE_DUMMY:
        study = replace(study, play=QUICK, defence=QUICK, worlds=None)
    (best,) = Analysis(study, Simulation(study).count(0, CHOOSING_DEALS)).best
    return study.options[int(best)]


def _draws(rules: Rules, trump: str, played: PlayedDeal) -> tuple[Draw, ...]:
    trumps = trump_suit(rules, trump)
    return tuple(
        Draw(tuple(card for card in hand if card not in trumps), drawn)
        for hand, drawn in zip(played.hands, played.drawn, strict=True)
    )


def _seated(seats: tuple[T, ...], pitcher: int) -> tuple[T, ...]:
    """Turn the table so that the first seat is the pitcher's."""
    return tuple(seats[(seat - pitcher) % len(seats)] for seat in range(len(seats)))
