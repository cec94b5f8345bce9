"""The ladder of play policies: the same deals, with the sides exchanged.

Random hands are pitched for the bid, with the suit and the lead, that come out best when everybody
plays `basic`; hands that are worth no bid are passed over. What each pairing of policies makes of
the same deals is compared by the *margin*: the change of the pitcher's side's score less the mean
change of the others'. Deals of one hand resemble each other, so the errors are over hands, which
are independent.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitchsim.analysis import Analysis
from pitchsim.cards import full_deck
from pitchsim.engine import HAND_SIZE
from pitchsim.evaluating import make_study
from pitchsim.plays import DEFAULT_WORLDS, DOUBLE_DUMMY
from pitchsim.presets import load_preset
from pitchsim.simulation import Simulation
from pitchsim.study import Study, seed_for
from pitchsim.warmup import warm_up

TABLES = (("partners", 4), ("solo", 4), ("ten-point", 4), ("setback", 3))
HANDS = 320
DEALS = 48
LOOK = 1000  # deals on which bid, suit and lead are chosen, other than those played
SEED = 1
ENOUGH = 5  # standard errors

LADDER = ("random", "basic", "expert")
OTHER_WORLDS = (20, 400)


class Pairing(NamedTuple):
    """Who plays whom; `worlds` is how many an expert deals at each turn, None for the usual."""

    ours: str
    others: str
    worlds: int | None = None

    def __str__(self) -> str:
        return f"{self._name(self.ours):<16}{self._name(self.others):<16}"

    def _name(self, play: str) -> str:
        return f"{play}, {self.worlds}" if self.worlds and play == "expert" else play


# The number of worlds is a study's, so experts who differ in it meet `basic`, not each other.
PAIRINGS = (
    *(Pairing(ours, others) for ours, others in product(LADDER, LADDER)),
    *(Pairing("expert", "basic", worlds) for worlds in OTHER_WORLDS),
    *(Pairing("basic", "expert", worlds) for worlds in OTHER_WORLDS),
    Pairing(DOUBLE_DUMMY, DOUBLE_DUMMY),
)


@dataclass(frozen=True)
class Results:
    """What a pairing made of each hand, and the thread's time on the processor, a hand played."""

    margin: NDArray[np.float64]
    made: NDArray[np.float64]
    microseconds: float


@dataclass(frozen=True)
class Mean:
    """A mean over hands, with its standard error."""

    value: float
    error: float

    @classmethod
    def of(cls, values: NDArray[np.float64]) -> Mean:
        """Take the mean of a value for each hand."""
        return cls(float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values))))

    @property
    def errors(self) -> float:
        """How many standard errors it is above zero."""
        return self.value / self.error

    def __str__(self) -> str:
        return f"{self.value:+.3f} ± {self.error:.3f}"


def main() -> None:
    print(
        f"{HANDS} hands a table, each for the bid that it is worth, the same {DEALS} deals of it "
        f"for every pairing; an expert deals {DEFAULT_WORLDS} worlds unless said otherwise. "
        "± is the standard error over hands; time is the thread's, on the processor."
    )
    ahead = {}
    for preset, players in TABLES:
        results = play_all(preset, players)
        print(f"\n{preset}, {players} players")
        _print_pairings(results)
        ahead[preset] = _print_ladder(results)
    least = min(ahead, key=lambda preset: ahead[preset].errors)
    kept = ahead[least].errors > ENOUGH
    print(
        f"\nexpert beats basic by more than {ENOUGH} standard errors at every table: "
        f"{'yes' if kept else 'NO'} (least at {least}: {ahead[least].errors:.1f})"
    )


def _print_pairings(results: dict[Pairing, Results]) -> None:
    print(f"  {'pitcher':<16}{'others':<16}{'margin':<18}{'bid made':<12}us a hand")
    for pairing, result in results.items():
        print(
            f"  {pairing}{Mean.of(result.margin)!s:<18}"
            f"{f'{100 * result.made.mean():.1f} %':<12}{result.microseconds:9.1f}"
        )


def _print_ladder(results: dict[Pairing, Results]) -> Mean:
    """Print what each policy gains over a weaker one; return what `expert` gains over `basic`."""
    print(f"  {'gains a hand':<30}{'sides exchanged':<18}errors  as pitcher's side  as defenders")
    for better, worse in (("basic", "random"), ("expert", "random"), ("expert", "basic")):
        _print_gain(f"{better} over {worse}", _gains(results, better, worse))
    usual = _gains(results, "expert", "basic")
    for worlds in OTHER_WORLDS:
        gains = _gains(results, "expert", "basic", worlds)
        _print_gain(f"expert, {worlds}, over basic", gains)
        more = tuple(ours - theirs for ours, theirs in zip(gains, usual, strict=True))
        _print_gain(f"  more than with {DEFAULT_WORLDS}", more)
    return Mean.of((usual[0] + usual[1]) / 2)


def _gains(
    results: dict[Pairing, Results], better: str, worse: str, worlds: int | None = None
) -> tuple[NDArray[np.float64], ...]:
    """Give by hand what one policy gains in the place of another, who plays the other side too.

    Returns what it gains as the pitcher's side, and what as the defenders. Half of both together
    is what it gains a hand if it pitches in half of them.
    """
    theirs = results[Pairing(worse, worse)].margin
    return (
        results[Pairing(better, worse, worlds)].margin - theirs,
        theirs - results[Pairing(worse, better, worlds)].margin,
    )


def _print_gain(name: str, gains: tuple[NDArray[np.float64], ...]) -> None:
    pitching, defending = gains
    both = Mean.of((pitching + defending) / 2)
    print(
        f"  {name:<30}{both!s:<18}{both.errors:6.1f}  {Mean.of(pitching)!s:<19}{Mean.of(defending)}"
    )


def play_all(preset: str, players: int) -> dict[Pairing, Results]:
    """Play every pairing on the same hands and deals."""
    rows: dict[Pairing, list[tuple[float, float, float]]] = {pairing: [] for pairing in PAIRINGS}
    for play in (*LADDER, DOUBLE_DUMMY):
        warm_up(play)
    for study, _ in zip(worth_bidding(preset, players), range(HANDS), strict=False):
        for pairing in PAIRINGS:
            rows[pairing].append(_play(study, pairing))
    columns = {pairing: np.array(row).T for pairing, row in rows.items()}
    return {
        pairing: Results(margin, made, float(seconds.mean() / DEALS * 1e6))
        for pairing, (margin, made, seconds) in columns.items()
    }


def _play(study: Study, pairing: Pairing) -> tuple[float, float, float]:
    """Play a hand's deals: its mean margin, how often the bid was made, and the seconds."""
    played = replace(study, play=pairing.ours, defence=pairing.others, worlds=pairing.worlds)
    Simulation(played).count(0, 1)  # makes the tables that all deals share
    begun = time.thread_time()
    tally = Simulation(played).count(0, DEALS)
    seconds = time.thread_time() - begun
    analysis = Analysis(played, tally)
    return float(analysis.margin[0, 0]), float(analysis.make[0, 0]), seconds


def worth_bidding(preset: str, players: int) -> Iterator[Study]:
    """Yield random hands that are worth a bid: each with that bid, and the best suit and lead."""
    chance = random.Random(SEED)
    deck = full_deck(load_preset(preset).jokers)
    while True:
        hand = chance.sample(deck, HAND_SIZE)
        study = make_study(hand, preset, players=players, seed=chance.getrandbits(32))
        look = replace(study, seed=seed_for("to choose the bid", study.seed))
        analysis = Analysis(look, Simulation(look).count(0, LOOK))
        if analysis.limit is not None:
            option = study.options[int(analysis.best[analysis.limit])]
            yield replace(study, options=(option,), bid=study.bids[analysis.limit])
