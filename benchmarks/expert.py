"""What `expert` takes: beside a C player that solves what it samples, and at the prompt.

The yardstick (`play_sampling` in solver.c) plays the same deals, with as many worlds at each turn.
It solves every card in every world, for its value or, with zero windows, for whether the bid is
made; `expert` plays worlds out by rules of thumb. So the ratio is about the cost of a way to play,
not about how well the same is compiled.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.doubledummy import hands_of
from benchmarks.tables import SEED, Table
from benchmarks.timing import in_turn
from benchmarks.yardstick import build
from pitchsim.evaluating import make_study
from pitchsim.simulation import Simulation
from pitchsim.study import Study
from pitchsim.warmup import warm_up
from pitchsim.worth import results_of, worth_of_points

WORLDS = (20, 100, 400)
CHUNK = 40
ROUNDS = 15
RATIO = 1.2
DEALS = 200
PRECISION, THREADS, SECONDS = "2%", 2, 10


@dataclass(frozen=True)
class Pitch:
    """A hand, its highest trump, which is led, and the bid that it is worth by `basic`."""

    hand: str
    lead: str
    bid: str

    def study(self, preset: str = "partners", worlds: int | None = None) -> Study:
        """Ask for the lead alone, at every bid."""
        study = make_study(self.hand, preset, lead=self.lead, seed=SEED, play="expert")
        return replace(study, worlds=worlds)

    def dealt(self, deals: int) -> NDArray[np.int64]:
        """Return what the study deals in `partners`, in the engine's cards, int64[deals, 7]."""
        table = Table.of("partners", hand=self.hand, trump=self.lead[1], leads=[self.lead])
        return hands_of(table, deals)


HANDS = (
    Pitch("AS JS TS 5S KH 2D", "AS", "4"),
    Pitch("KH QH 4H 3H AC 7D", "KH", "3"),
    Pitch("AS 2S TH TD KC 5C", "AS", "2"),
)


def main() -> None:
    warm_up("expert")
    for pitch in HANDS:
        against_yardstick(pitch)
    print()
    by_worlds()
    print()
    at_the_prompt()


def against_yardstick(pitch: Pitch) -> None:
    """Print the time that a hand takes whose four players all sample."""
    worlds = WORLDS[0]
    print(
        f"partners, four experts, {worlds} worlds, {pitch.hand}, {pitch.lead} led for a bid of "
        f"{pitch.bid}; thread CPU time, {ROUNDS} rounds of {CHUNK} deals in turn"
    )
    deals = CHUNK * (ROUNDS + 1)
    points = {"expert": np.zeros(deals, np.int64)}
    players = {"expert": _engine(replace(pitch.study(worlds=worlds), bid=pitch.bid))}
    library = build("solver.c", "gcc")
    if library is None:
        print("  (no gcc here that builds the yardstick: going on without)")
    else:
        dealt = pitch.dealt(deals)
        for name, bid in (("C, values", 0), ("C, zero windows", int(pitch.bid))):
            points[name] = np.zeros(deals, np.int64)
            players[name] = _in_c(library, dealt, worlds, bid)

    def work(name: str) -> Callable[[int], None]:
        def play(number: int) -> None:
            first = number * CHUNK
            players[name](first, points[name][first : first + CHUNK])

        return play

    times = in_turn({name: work(name) for name in players}, CHUNK, ROUNDS)
    for name, of_rounds in times.items():
        low, median, high = (ns / 1e3 for ns in (of_rounds.low, of_rounds.median, of_rounds.high))
        print(
            f"  {name:<16}{median:7.0f} us a hand ({low:.0f} to {high:.0f}); "
            f"the pitcher's side takes {points[name].mean():.2f} points"
        )
        if name != "expert":
            target = f" (target: at most {RATIO})" if name == "C, values" else ""
            ratio = times["expert"].median / of_rounds.median
            print(f"  {'':<16}expert takes {ratio:.3f} times as long{target}")


#: Plays deals from a first on, and writes the points that the pitcher's side takes in each.
Player = Callable[[int, NDArray[np.int64]], None]


def _engine(study: Study) -> Player:
    worth = worth_of_points(study.rules)

    def play(first: int, points: NDArray[np.int64]) -> None:
        outcomes = np.empty((1, 1, len(points)), np.int32)
        Simulation(study).outcomes(first, outcomes)
        points[:] = worth[results_of(outcomes[0, 0]) % len(worth)]

    return play


def _in_c(library: ctypes.CDLL, dealt: NDArray[np.int64], worlds: int, bid: int) -> Player:
    function = library.play_sampling
    function.restype = None

    def play(first: int, points: NDArray[np.int64]) -> None:
        function(
            ctypes.c_void_p(dealt[first:].ctypes.data),
            ctypes.c_int64(len(points)),
            ctypes.c_int64(dealt.shape[1]),
            ctypes.c_int64(worlds),
            ctypes.c_int64(bid),
            ctypes.c_void_p(points.ctypes.data),
        )

    return play


def by_worlds() -> None:
    """Print what a hand takes, played for one bid and for every bid."""
    print(f"All players experts, us a hand, thread CPU time, {DEALS} deals")
    columns = "".join(f"{worlds:>5} worlds" for worlds in WORLDS)
    print(f"  {'':<44}{columns}")
    for pitch in HANDS:
        _print_times("partners", pitch)
    for preset in ("solo", "setback", "ten-point"):
        _print_times(preset, HANDS[0])


def _print_times(preset: str, pitch: Pitch) -> None:
    bids = len(pitch.study(preset).bids)
    for name, bid in (("one bid", pitch.bid), (f"{bids} bids", None)):
        times = [_microseconds(replace(pitch.study(preset, w), bid=bid)) for w in WORLDS]
        row = "".join(f"{time:>12.0f}" for time in times)
        print(f"  {f'{preset}, {pitch.hand}, {pitch.lead}':<36}{name:>8}{row}")


def _microseconds(study: Study) -> float:
    Simulation(study).count(0, 1)  # makes the tables that all deals share
    begun = time.thread_time()
    Simulation(study).count(0, DEALS)
    return (time.thread_time() - begun) / DEALS * 1e6


def at_the_prompt() -> None:
    """Print how long somebody waits for a hand evaluated by experts, on the wall clock."""
    command = shutil.which("pitchsim", path=str(Path(sys.executable).parent))
    if command is None:
        print("  pitchsim is not installed beside this Python: skipped")
        return
    options = f"--play expert --precision {PRECISION} --threads {THREADS} --seed {SEED}"
    print(f"pitchsim hand ... {options}, wall clock from start to exit (target {SECONDS} s)")
    for pitch in HANDS:
        begun, used = time.perf_counter(), os.times().children_user
        subprocess.run(
            [command, "hand", pitch.hand, *options.split()], stdout=subprocess.DEVNULL, check=True
        )
        seconds, used = time.perf_counter() - begun, os.times().children_user - used
        print(f"  {pitch.hand}: {seconds:.1f} s; of the processors' time {used:.1f} s")
