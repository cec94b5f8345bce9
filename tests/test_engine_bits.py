"""Card sets as bits: compiled and uncompiled alike."""

import os
import subprocess
import sys

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from pitchsim.engine import bits, lanes

CARDS = st.sets(st.integers(0, 55))
HANDS = st.sets(st.integers(0, 55), min_size=1, max_size=6)


@njit
def compiled(sets, found):
    x, y, n = lanes.load(sets, 0), lanes.load(sets, 1), lanes.load(sets, 2)
    lanes.store(found, 0, lanes.popcount(x))
    lanes.store(found, 1, lanes.leading_zeros(x))
    lanes.store(found, 2, bits.lowest(x))
    lanes.store(found, 3, bits.highest(x))
    lanes.store(found, 4, bits.above(x))
    lanes.store(found, 5, bits.first(x, y))
    lanes.store(found, 6, lanes.where(n, x, y))
    lanes.store(found, 7, lanes.larger(x, y))
    lanes.store(found, 8, (x > y) + (x == y))
    lanes.store(found, 9, bits.select(x, n))
    return lanes.any_of(x)


def mask(cards):
    return sum(1 << card for card in cards)


EIGHT = {"min_size": lanes.WIDTH, "max_size": lanes.WIDTH}


@given(st.lists(CARDS, **EIGHT), st.lists(CARDS, **EIGHT), st.lists(st.integers(0, 1), **EIGHT))
def test_eight_at_a_time_as_one_would_do_one(xs, ys, conditions):
    sets = np.array([[*map(mask, xs)], [*map(mask, ys)], conditions], np.int64)
    found = np.zeros((10, lanes.WIDTH), np.int64)
    assert compiled(sets, found) == any(xs)
    for lane, (cards, others, condition) in enumerate(zip(xs, ys, conditions, strict=True)):
        x, y = mask(cards), mask(others)
        top, bottom = max(cards, default=-1), min(cards, default=64)
        assert found[:9, lane].tolist() == [
            len(cards),
            63 - top,
            1 << bottom if cards else 0,
            1 << top if cards else 0,
            -1 << (top + 1),
            x or y,
            x if condition else y,
            max(x, y),
            int(x >= y),
        ]


@given(HANDS)
def test_select_takes_the_cards_in_order(cards):
    sets = np.zeros((3, lanes.WIDTH), np.int64)
    sets[0] = mask(cards)
    sets[2, : len(cards)] = range(len(cards))
    found = np.zeros((10, lanes.WIDTH), np.int64)
    compiled(sets, found)
    assert found[9, : len(cards)].tolist() == [1 << card for card in sorted(cards)]


SAME_TALLY = """
import warnings
warnings.simplefilter("ignore", RuntimeWarning)  # numpy's own integers warn of wrapping around
from pitchsim.evaluating import make_study
from pitchsim.simulation import Simulation
study = make_study("AS JS 10S 5S KH 2D", "ace-of-hearts", seed=1, play="{play}")
tally = Simulation(study).count(0, 40)
print(tally.counts.tolist())
"""


def test_the_engine_runs_uncompiled_and_counts_the_same():
    for play in ("random", "basic"):
        said = {
            subprocess.run(
                [sys.executable, "-c", SAME_TALLY.format(play=play)],
                env={**os.environ, "NUMBA_DISABLE_JIT": disabled},
                capture_output=True,
                text=True,
                check=True,
            ).stdout
            for disabled in ("0", "1")
        }
        assert len(said) == 1


def test_masks_stay_signed():
    assert isinstance(bits.lowest(np.int64(6)), int)
