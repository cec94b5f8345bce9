"""Hands a second: the engine beside the C yardstick, and at every kind of table.

The yardstick first has to find the same outcome as the engine for every one of a million deals.
"""

from __future__ import annotations

import numpy as np

from benchmarks.tables import HAND, Table
from benchmarks.timing import Times, in_turn
from benchmarks.yardstick import PlayDeals, yardstick

CHECKED = 1_000_000
OTHER_HANDS = (("KH 9H 3H AC TC 2S", "H", "KH"), ("QD JD 2D AS 7C 6C", "D", "JD"))
CHUNK = 10_000
ROUNDS = 100


def main() -> None:
    against_yardstick()
    print()
    every_table()


def against_yardstick() -> None:
    """Print the engine's speed at four players in `partners`, as a ratio to C too."""
    print(f"Four players, partners, {HAND}, AS led; thread CPU time, {ROUNDS} rounds in turn")
    table = Table.of("partners")
    candidates = {}
    for compiler in ("gcc", "clang"):
        in_c = yardstick(compiler)
        if in_c is None:
            print(f"  (no {compiler} here that builds the yardstick: going on without)")
            continue
        check(compiler)
        candidates[f"C, {compiler}"] = lambda number, f=in_c: f(number * CHUNK, CHUNK)
    for play in ("random", "basic"):
        candidates[f"engine, {play}"] = lambda number, play=play: table.run(
            number * CHUNK, CHUNK, play
        )
    times = in_turn(candidates, CHUNK, ROUNDS)
    for name, time in times.items():
        print(f"  {name:<15}{time}  {1e3 / time.median:6.2f} million hands/s")
    if "C, gcc" in times:
        _print_ratio(times, "engine, random", "C, gcc", 0.8)
    _print_ratio(times, "engine, basic", "engine, random", 0.5)


def check(compiler: str) -> None:
    """Hold the yardstick to the engine: the same outcome for each deal."""
    hands = ((HAND, "S", "AS", CHECKED), *((*hand, CHECKED // 10) for hand in OTHER_HANDS))
    for hand, trump, lead, deals in hands:
        in_c: PlayDeals | None = yardstick(compiler, hand, trump, lead)
        assert in_c is not None
        engine = Table.of("partners", hand=hand, trump=trump, leads=[lead]).run(0, deals, "random")
        differing = np.flatnonzero(engine[0] != in_c(0, deals))
        if differing.size:
            raise SystemExit(
                f"yardstick ({compiler}) and engine differ in {differing.size} of {deals} deals "
                f"of {hand}, first in deal {differing[0]}"
            )
    print(f"  {compiler} and engine find the same outcomes, deal by deal, in {CHECKED:,} deals")


def every_table() -> None:
    """Print the time that a hand takes under other rules and with other numbers of players."""
    print("Engine, nanoseconds a hand, dealing included (median of the rounds)")
    print(f"  {'':<42}{'random':>8}{'basic':>8}")
    six = ("AS", "JS", "TS", "5S", "AS", "JS")
    declared: dict[str, object] = {"trump_choice": "declared", "draw": "yes"}
    tables = {
        "partners, four": Table.of("partners"),
        "partners, four, six leads on each deal": Table.of("partners", leads=six),
        "setback, three": Table.of("setback", 3),
        "setback, seven": Table.of("setback", 7),
        "solo, five": Table.of("solo", 5),
        "ten-point, four": Table.of("ten-point"),
        "ace-of-hearts, four": Table.of("ace-of-hearts"),
        "auction, four, trump declared, draw": Table.of("auction", changes=declared),
    }
    candidates = {
        (name, play): lambda number, table=table, play=play: table.run(
            number * CHUNK // len(table.leads), CHUNK // len(table.leads), play
        )
        for name, table in tables.items()
        for play in ("random", "basic")
    }
    times = in_turn(candidates, CHUNK, ROUNDS // 4)
    for name in tables:
        random, basic = times[name, "random"].median, times[name, "basic"].median
        print(f"  {name:<42}{random:8.0f}{basic:8.0f}")


def _print_ratio(times: dict[str, Times], name: str, other: str, target: float) -> None:
    ratio = times[other].median / times[name].median
    print(f"  {name} at {ratio:.2f} of the speed of {other} (target {target})")
