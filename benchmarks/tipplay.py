"""Hands of a kind, played by every policy or card by card, for `tips`."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from benchmarks.tipdata import (
    BIDS,
    ONE,
    TWO,
    Chart,
    Estimate,
    Mask,
    patterns_of,
)
from pitchsim.analysis import Analysis
from pitchsim.cards import RANKS, Card, format_hand, full_deck
from pitchsim.engine import HAND_SIZE
from pitchsim.evaluating import make_study
from pitchsim.intervals import wilson
from pitchsim.presets import load_preset
from pitchsim.reference.scoring import points_taken
from pitchsim.reference.table import Table, Trick
from pitchsim.simulation import Simulation
from pitchsim.study import Option, seed_for

SEED = 11  # other deals than those of the tables
POLICIES = ("basic", "expert", "double-dummy")
SAMPLE, SAMPLE_DEALS = 400, 24  # hands of a kind for every policy, and deals of each
# Hands played card by card, a deal of each.
PLAYED = {"basic": 12_000, "expert": 4_000, "double-dummy": 4_000}

Deal = tuple[tuple[Card, ...], ...]
Hand = tuple[Card, ...]


def random_hands(purpose: str) -> Iterator[Hand]:
    """Deal hands, the same for the same purpose."""
    chance = random.Random(f"{SEED}, {purpose}")
    while True:
        yield tuple(chance.sample(full_deck(0), HAND_SIZE))


@dataclass(frozen=True)
class Pitch:
    """A hand that is pitched, and what it leads."""

    hand: Hand
    option: Option


def some_pitches(
    purpose: str, chart: Chart, bid: int, fits: Callable[[Hand, Option, float], bool]
) -> list[Pitch]:
    """Deal hands until enough fit: by the chart's suit and lead, and its margin."""
    found = []
    for hand in random_hands(purpose):
        option, margin = chart.option(hand, bid)
        if fits(hand, option, margin):
            found.append(Pitch(hand, option))
            if len(found) == SAMPLE:
                return found
    raise AssertionError("hands never end")


def by_policy(pitches: list[Pitch], bid: int, leads: Iterable[Card] | None = None) -> None:
    """Print by every policy what hands are worth at a bid; with other leads, what these cost."""
    others = None if leads is None else list(leads)
    for play in POLICIES:
        analyses = [_study(pitch, bid, play) for pitch in pitches]
        margin = np.array([analysis.margin[0, 0] for analysis in analyses])
        make = np.array([analysis.make[0, 0] for analysis in analyses])
        text = f"margin {Estimate.of(margin)}, made {Estimate.of(make).percent}"
        if others is not None:
            other = [
                _study(Pitch(pitch.hand, Option(lead[1], lead)), bid, play).margin[0, 0]
                for pitch, lead in zip(pitches, others, strict=True)
            ]
            text += f"; the other lead costs {Estimate.of(margin - np.array(other))}"
        print(f"    {play:<13} at {BIDS[bid]}: {text}", flush=True)


def suits_held(purpose: str, chart: Chart, kind: Mask) -> list[Pitch]:
    """Deal hands that hold such a suit until there are enough, and pitch it as the chart does."""
    found: list[Pitch] = []
    for hand in random_hands(purpose):
        for trump, pattern in patterns_of(hand).items():
            if kind[pattern] and len(found) < SAMPLE:
                found.append(Pitch(hand, Option(trump, RANKS[chart.lead[pattern, TWO]] + trump)))
        if len(found) == SAMPLE:
            return found
    raise AssertionError("hands never end")


def points_by_policy(pitches: list[Pitch], point: str) -> str:
    """Say by every policy how often hands that play for 2 score a point."""
    texts = []
    for play in POLICIES:
        shares = np.array([_study(pitch, TWO, play).points[point][0] for pitch in pitches])
        texts.append(f"{play} {Estimate.of(shares).percent}")
    return ", ".join(texts)


def _study(pitch: Pitch, bid: int, play: str) -> Analysis:
    """Play a hand some times."""
    study = make_study(
        pitch.hand,
        load_preset("partners").changed({"min_bid": 1} if bid == ONE else {}),
        play=play,
        seed=seed_for(format_hand(pitch.hand), SEED),
        trump=pitch.option.trump,
        lead=pitch.option.lead,
        bid=BIDS[bid],
    )
    return Analysis(study, Simulation(study).count(0, SAMPLE_DEALS))


@dataclass(frozen=True)
class Played:
    """A hand played out by `basic`: the pitcher is seat 0, its side 0."""

    trump: str
    hands: Deal
    tricks: tuple[Trick, ...]
    points: dict[str, int | None]

    def tricks_of(self, side: int) -> list[Trick]:
        """Give the tricks that a side won."""
        return [trick for trick in self.tricks if trick.winner % 2 == side]

    def tens(self, side: int) -> int:
        """How many tens a side won."""
        return sum(card[0] == "T" for trick in self.tricks_of(side) for card in trick.plays)

    def ace_took_ten(self, side: int) -> bool:
        """Whether an ace of a side won a trick with a ten in it."""
        return any(
            trick.plays[trick.seats.index(trick.winner)][0] == "A"
            and any(card[0] == "T" for card in trick.plays)
            for trick in self.tricks_of(side)
        )

    def with_opponents(self, card: Card | None) -> bool:
        """Whether an opponent of the pitcher was dealt a card."""
        return card in self.hands[1] or card in self.hands[3]


ByPlay = dict[str, list[Played]]


def play_out(chart: Chart, play: str, number: int) -> Iterator[Played]:
    """Play hands that the chart pitches for 2, a deal of each."""
    rules = load_preset("partners")
    seating = rules.seating()
    worth = (hand for hand in random_hands("to be played") if chart.option(hand, TWO)[1] > 0)
    for hand in islice(worth, number):
        option, _ = chart.option(hand, TWO)
        seed = seed_for(format_hand(hand), SEED)
        study = make_study(
            hand, rules, play=play, trump=option.trump, lead=option.lead, bid="2", seed=seed
        )
        deal = Simulation(study).play_deal(0, option, "2")
        table = Table(rules, deal.hands, 0, option.trump)
        for card in deal.plays:
            table.play(card)
        points = points_taken(
            rules, seating, pitcher=0, trump=option.trump, hands=deal.hands, tricks=table.tricks
        )
        yield Played(option.trump, deal.hands, tuple(table.tricks), points)


def share(deals: Iterable[bool]) -> str:
    """Write how often something was so, with its interval."""
    seen = list(deals)
    low, high = wilson(sum(seen), len(seen))
    percent = 100 * sum(seen) / len(seen)
    return f"{percent:.1f} % ({100 * low:.1f}-{100 * high:.1f} of {len(seen):,})"
