"""The numbers that studies have always given: whoever changes them raises ENGINE_VERSION."""

import hashlib

import numpy as np
import pytest

from pitchsim.engine import KERNELS
from pitchsim.engine.count import ALL_TRICKS, RESULTS
from pitchsim.engine.score import OTHERS_SHIFT, POINT_MASK
from pitchsim.evaluating import make_study
from pitchsim.simulation import Simulation
from pitchsim.study import ENGINE_VERSION
from pitchsim.worth import results_of, worth_of_points

# Of the tally of 1,000 deals, by engine version: raise ENGINE_VERSION before touching these.
GOLDEN = {
    ("partners", "random"): "5020ae70273259d6",
    ("partners", "basic"): "994306a0b44cee05",
    ("setback", "basic"): "452c22988fdd2016",
    ("solo", "basic"): "cfc69e81f7ac318e",
    ("ten-point", "basic"): "3bc175cb8ae2cbbb",
    ("ace-of-hearts", "random"): "8d92faa39f39e211",
    ("partners", "double-dummy"): "7aad885ad69b91e6",
    ("ten-point", "double-dummy"): "b14464a54f2f69ed",
    ("solo", "double-dummy"): "0bb8781add3cf7ca",
    ("setback", "double-dummy"): "5ce49f28da6190e7",
}
# Of 40 deals, in which experts deal ten worlds at each turn.
GOLDEN_EXPERTS = {
    "partners": "af7a9a9d7412e928",
    "setback": "8faea734042606be",
    "solo": "c9bb14d681f5c30e",
    "ten-point": "c9ec52c1571b465b",
}
OF_VERSION = 2


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
