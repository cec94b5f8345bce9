"""The numbers that studies have always given: whoever changes them raises ENGINE_VERSION."""

import hashlib

import numpy as np
import pytest

from pitchsim.engine import KERNELS
from pitchsim.engine.count import RESULTS
from pitchsim.engine.score import ALL_TRICKS, OTHERS_SHIFT, POINT_MASK
from pitchsim.evaluating import make_study
from pitchsim.simulation import Simulation
from pitchsim.study import ENGINE_VERSION
from pitchsim.worth import results_of, worth_of_points

# Of the tally of 1,000 deals, by engine version: raise ENGINE_VERSION before touching these.
GOLDEN = {
    ("partners", "random"): "5020ae70273259d6",
    ("partners", "basic"): "0b48c896f0cca09f",
    ("setback", "basic"): "83723318d2fe2cef",
    ("solo", "basic"): "7dfc457272bbb989",
    ("ten-point", "basic"): "906982cceb1c0423",
    ("ace-of-hearts", "random"): "8d92faa39f39e211",
    ("partners", "double-dummy"): "7aad885ad69b91e6",
    ("ten-point", "double-dummy"): "b14464a54f2f69ed",
    ("solo", "double-dummy"): "0bb8781add3cf7ca",
    ("setback", "double-dummy"): "5ce49f28da6190e7",
}
# Of 40 deals, in which experts deal ten worlds at each turn.
GOLDEN_EXPERTS = {
    "partners": "b4a638a33ed0c03a",
    "setback": "e751f51c3ede64a0",
    "solo": "d9a0836002183581",
    "ten-point": "d3426cc534242078",
}
OF_VERSION = 3


@pytest.mark.parametrize(("preset", "play"), GOLDEN)
def test_a_study_gives_the_numbers_it_always_gave(preset, play):
    assert ENGINE_VERSION == OF_VERSION
    study = make_study("AS JS 10S 5S KH 2D", preset, play=play, seed=7)
    assert digest_of(study, 1_000) == GOLDEN[preset, play], "raise ENGINE_VERSION"


@pytest.mark.parametrize("preset", GOLDEN_EXPERTS)
def test_a_study_of_experts_gives_the_numbers_it_always_gave(preset):
    assert ENGINE_VERSION == OF_VERSION
    study = make_study("AS JS 10S 5S KH 2D", preset, play="expert", worlds=10, seed=7)
    assert digest_of(study, 40) == GOLDEN_EXPERTS[preset], "raise ENGINE_VERSION"


def digest_of(study, deals):
    """Digest how often each result came about, what the others scored, and the products."""
    simulation = Simulation(study)
    outcomes = np.empty((study.plays, len(study.options), deals), np.int32)
    simulation.outcomes(0, outcomes)
    results = results_of(outcomes)
    times = [np.bincount(row, minlength=RESULTS) for play in results for row in play]
    worth = worth_of_points(study.rules) if study.rules.defenders_score else np.zeros(ALL_TRICKS)
    others = worth[outcomes >> OTHERS_SHIFT & POINT_MASK].sum(axis=-1)
    digest = hashlib.sha256()
    for counts in (np.stack(times), others, simulation.count(0, deals).products):
        digest.update(counts.astype("<i8").tobytes())
    return digest.hexdigest()[:16]


def test_one_compilation_serves_every_study():
    for preset, play, players in [("partners", "random", 4), ("ten-point", "basic", 7)]:
        Simulation(
            make_study("AS JS 10S 5S KH 2D", preset, play=play, players=players, seed=1)
        ).count(0, 10)
        Simulation(make_study("AS JS 10S 5S KH 2D", preset, play="double-dummy", seed=1)).count(
            0, 1
        )
    assert all(len(kernel.signatures) <= 1 for kernel in KERNELS)
    assert sum(len(kernel.signatures) for kernel in KERNELS) >= 4
