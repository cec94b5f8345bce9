"""What the making of a table by hand costs beside the engine's own work on the same hands.

Three ways to the same counts, in turn, on thread CPU time: the engine alone (deal and play, of
hands encoded beforehand, nothing counted), a study for each hand as `pitchsim hand` runs it, and
the table's counter. Then, on wall-clock time, some rows of the table as `pitchsim table` makes
it, parts written and put together, beside the engine alone on as many threads: no more than a
tenth is to be lost.
"""

from __future__ import annotations

import resource
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import patch

import numpy as np

from benchmarks.tables import SEED
from benchmarks.timing import in_turn
from pitchsim.presets import load_preset
from pitchsim.simulation import Simulation
from pitchsim.tables.counting import TableCounter
from pitchsim.tables.making import make_table
from pitchsim.tables.rows import HandRows
from pitchsim.tables.tablestudy import TableStudy

DEALS = 1_000
HANDS = 200
ROUNDS = 15
ROWS = 8_192
EVERY = 8  # of these rows the engine alone plays every so manieth
WHOLE_ROUNDS = 3
THREADS = 2
TARGET = 0.1


def main() -> None:
    rules = load_preset("partners")
    study = TableStudy(rules, rules.seating(), "hand", seed=SEED)
    first = study.rows.count // 2
    rows = (first, first + HANDS)
    simulations = [Simulation(study.row(row)) for row in range(*rows)]
    options = sum(len(simulation.study.options) for simulation in simulations)
    print(
        f"partners, basic play, {HANDS} hands in the middle of the table, {DEALS:,} deals of each"
    )
    counter = TableCounter(study)
    times = in_turn(
        {
            "engine alone": lambda _: _play(simulations),
            "a study a hand": lambda _: _count(simulations),
            "table": lambda _: counter.count(rows, (0, DEALS)),
        },
        options * DEALS,
        ROUNDS,
    )
    for name, cost in times.items():
        ratio = cost.median / times["engine alone"].median
        print(f"  {name:<16}{cost}  {ratio:.3f} of the engine alone")
    _whole(study)


def _play(simulations: list[Simulation]) -> None:
    """Deal and play."""
    for simulation in simulations:
        simulation.outcomes(0, np.empty((1, len(simulation.study.options), DEALS), np.int32))


def _count(simulations: list[Simulation]) -> None:
    for simulation in simulations:
        simulation.count(0, DEALS)


def _whole(study: TableStudy) -> None:
    """Print what making the first rows of a table takes, files and all, beside playing them."""
    lost, whole = [], study.rows.count / ROWS
    simulations = [Simulation(study.row(row)) for row in range(0, ROWS, EVERY)]
    for simulation in simulations:
        simulation.count(0, 1)  # encodes it
    for _ in range(WHOLE_ROUNDS):
        begun = time.perf_counter()
        with ThreadPoolExecutor(THREADS) as pool:
            list(pool.map(lambda simulation: _play([simulation]), simulations))
        alone = (time.perf_counter() - begun) * EVERY
        with (
            tempfile.TemporaryDirectory() as folder,
            patch.object(HandRows, "count", property(lambda _: ROWS)),
        ):
            begun = time.perf_counter()
            make_table(study, Path(folder) / "hands.parquet", DEALS, threads=THREADS)
            made = time.perf_counter() - begun
        lost.append(made / alone - 1)
        print(f"  {ROWS:,} hands on {THREADS} threads: table {made:.2f} s, engine {alone:.2f} s")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"  lost beside the engine alone: {np.median(lost):.1%} (no more than {TARGET:.0%} asked)"
    )
    print(f"  at this rate the whole table takes {made * whole / 60:.1f} minutes (20 asked)")
    print(f"  peak memory {peak:.0f} MiB")
