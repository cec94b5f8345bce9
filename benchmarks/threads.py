"""One thread against two, on wall-clock time: at least 1.7 times as fast is asked.

Two processors are often the two halves of one core, or busy with somebody else's work, and then
nothing is twice as fast: so the C yardstick, which shares nothing between threads, takes its turn
as well, and shows what the machine has to give.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from benchmarks.tables import HAND, SEED
from benchmarks.timing import in_turn
from benchmarks.yardstick import yardstick
from pitchsim.evaluating import make_study
from pitchsim.running import Stop, run
from pitchsim.simulation import Simulation

HANDS = 800_000
CHUNK = 20_000
ROUNDS = 21
TARGET = 1.7


def main() -> None:
    print(f"partners, {HAND}, {HANDS:,} hands; wall-clock time, {ROUNDS} rounds in turn")
    candidates: dict[tuple[str, int], Callable[[int], None]] = {}
    for threads in (1, 2):
        in_c = _in_c(threads)
        if in_c is not None:
            candidates["C, gcc", threads] = in_c
        for play in ("random", "basic"):
            candidates[f"study, {play}", threads] = _study(play, threads)
    times = in_turn(candidates, HANDS, ROUNDS, clock=time.perf_counter)
    for name in dict.fromkeys(name for name, _ in candidates):
        one, two = times[name, 1], times[name, 2]
        print(f"  {name:<15}one {one}, two {two}: {one.median / two.median:.2f} x")
    print(f"  (target for a study: {TARGET} x)")


def _study(play: str, threads: int) -> Callable[[int], None]:
    """Evaluate the hand as `pitchsim hand` does, every lead on the same deals."""
    study = make_study(HAND, "partners", play=play, seed=SEED)
    stop = Stop(deals=HANDS // len(study.options))

    def work(_number: int) -> None:
        run(Simulation(study), stop, width=lambda _tally: 0.0, threads=threads)

    return work


def _in_c(threads: int) -> Callable[[int], None] | None:
    play_deals = yardstick("gcc")
    if play_deals is None:
        return None

    def work(_number: int) -> None:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda first: play_deals(first, CHUNK), range(0, HANDS, CHUNK)))

    return work
