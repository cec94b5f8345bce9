"""What a batch costs beside the engine's own work on the same hands.

In processor time of all threads together, for others use the machine too: the engine alone (deal
and play, of hands encoded beforehand, nothing counted), and `run_batch`, parts and results written.
No more than a tenth is to be lost. Then the memory of a large batch of three rule sets.
"""

from __future__ import annotations

import resource
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from benchmarks.tables import SEED
from pitchsim.batches.batch import Batch, Case, cases_of
from pitchsim.batches.hands import random_hands
from pitchsim.batches.running import run_batch
from pitchsim.hands import cards_of
from pitchsim.presets import load_preset
from pitchsim.simulation import Simulation

HANDS = 8_192
EVERY = 8  # of these hands the engine alone plays every so manieth
ROUNDS = 5
THREADS = 2
TARGET = 0.1
LARGE, FEW = 100_000, 100
THREE = ("partners", "solo", "ten-point")


def main() -> None:
    lost = []
    batch = _batch("partners")
    for _ in range(ROUNDS):
        alone, made = _alone(batch.cases[0]), _made(batch, HANDS)
        lost.append(made / alone - 1)
        print(
            f"partners, basic play, {HANDS:,} hands, 1,000 deals of each, {THREADS} threads: "
            f"batch {made:.2f} s, engine {alone:.2f} s"
        )
    print(f"  lost beside the engine alone: {np.median(lost):.1%} ({TARGET:.0%} asked at most)")
    seconds = _made(_batch(*THREE, deals=FEW), LARGE)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{LARGE:,} hands, {FEW} deals of each, {', '.join(THREE)}: {seconds:.0f} s, "
        f"peak memory {peak:.0f} MiB"
    )


def _batch(*names: str, deals: int | None = None) -> Batch:
    rules = [load_preset(name) for name in names]
    tables = [(one, one.seating()) for one in rules]
    return Batch(cases_of(tables, ["basic"], deals=deals), SEED)


def _alone(case: Case) -> float:
    """Time the engine on some of the hands, as if it were all."""
    hands = random_hands(HANDS, SEED, [case.rules]).cards[::EVERY]
    simulations = [Simulation(case.study(cards_of(int(hand)), SEED)) for hand in hands]
    for simulation in simulations:
        simulation.count(0, 1)  # encodes it
    begun = time.process_time()
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(_play, simulations, [case.deals_a_hand] * len(simulations)))
    return (time.process_time() - begun) * EVERY


def _play(simulation: Simulation, deals: int) -> None:
    simulation.outcomes(0, np.empty((1, len(simulation.study.options), deals), np.int32))


def _made(batch: Batch, count: int) -> float:
    hands = random_hands(count, SEED, batch.rule_sets)
    with tempfile.TemporaryDirectory() as folder:
        begun = time.process_time()
        run_batch(batch, hands, Path(folder) / "results", threads=THREADS)
        return time.process_time() - begun
