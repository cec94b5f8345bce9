"""Hands a second of a match: dealt, bid by four players who look their hands up, played, counted.

`python -m benchmarks.match HANDS.parquet` also lets strategies look up in a table by hand of
`partners`. Beside each match, in turn, the engine alone deals and plays as many hands.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from benchmarks.tables import Table
from benchmarks.timing import in_turn
from pitchsim.bidding.biddingrules import Margin, Threshold
from pitchsim.bidding.sources import WorthSource
from pitchsim.bidding.strategy import Strategy, find_strategy
from pitchsim.matches.matching import MatchPlan, plan_matches, play_matches
from pitchsim.presets import load_preset
from pitchsim.warmup import warm_up

HANDS = 100_000
GAMES = 6_000  # about as many hands
ROUNDS = 9
THREADS = 2
TARGET = 100_000
ENGINE_CHUNK = 10_000
MEETINGS = (
    ("partners", "bold", "cautious"),
    ("partners", "standard", "bold"),
    ("partners", "point-count", "standard"),
    ("setback", "standard", "bold"),
    ("ten-point", "standard", "bold"),
)


def main(by_hand: str | None = None) -> None:
    warm_up("basic")
    print(f"Matches of two strategies who play basic, {ROUNDS} rounds in turn; medians")
    for preset, *names in MEETINGS:
        both = [find_strategy(name) for name in names]
        _measure(preset, " - ".join(names), both)
    if by_hand is not None:
        source = WorthSource(Path(by_hand))
        both = [Strategy("bold", Threshold(0.5, source)), Strategy("standard", Margin(0.0, source))]
        _measure("partners", "standard - bold, by hand", both)
    print(f"  (target: {TARGET:,} hands a second on two processors)")


def _measure(preset: str, name: str, strategies: list[Strategy]) -> None:
    """Print the speed of a match by hands and by games, and beside it that of the engine."""
    rules = load_preset(preset)
    plans = {
        "hands": plan_matches(strategies, rules, rules.seating(), hands=HANDS, seed=7),
        "games": plan_matches(strategies, rules, rules.seating(), games=GAMES, seed=7),
    }
    engine = _engine(Table.of(preset))
    print(f"  {preset}, {name}")
    for way, plan in plans.items():
        hands = sum(match.hands for match in play_matches(plan).matches)
        processor = in_turn(
            {"match": _match(plan, 1), "engine": engine}, 1, ROUNDS, time.process_time
        )
        wall = in_turn({THREADS: _match(plan, THREADS)}, 1, ROUNDS, time.perf_counter)
        a_hand = processor["match"].median / hands
        alone = processor["engine"].median / HANDS
        rate = hands / wall[THREADS].median * 1e6
        print(
            f"    by {way}: {a_hand:5.0f} ns of a processor a hand, {a_hand / alone:4.1f} times "
            f"the engine alone; {rate:4.0f} thousand a second on {THREADS} threads",
            flush=True,
        )


def _match(plan: MatchPlan, threads: int) -> Callable[[int], object]:
    """Play other deals each time; nobody sits down anew for that."""
    pairings = plan.pairings

    def work(number: int) -> object:
        other = replace(plan, seed=number)
        other.__dict__["pairings"] = {
            names: replace(pairing, playing=replace(pairing.playing, seed=number))
            for names, pairing in pairings.items()
        }
        return play_matches(other, threads=threads)

    return work


def _engine(table: Table) -> Callable[[int], object]:
    """Deal and play as many hands as a match by hands has, for one pitcher and lead."""

    def work(number: int) -> object:
        for first in range(0, HANDS, ENGINE_CHUNK):
            table.run(number * HANDS + first, ENGINE_CHUNK, "basic")
        return None

    return work


if __name__ == "__main__":
    main(*sys.argv[1:])
