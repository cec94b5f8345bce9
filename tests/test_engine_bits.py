"""Card sets as bits: compiled and uncompiled alike."""

import os
import subprocess
import sys

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from pitchsim.engine import bits
from pitchsim.engine.cache import cache_folder, cached_here

CARDS = st.sets(st.integers(0, 55))
HANDS = st.sets(st.integers(0, 55), min_size=1, max_size=6)


@njit
def compiled(x):
    return (
        bits.popcount(x),
        bits.leading_zeros(x),
        bits.trailing_zeros(x),
        bits.lowest(x),
        bits.highest(x),
        bits.above(x),
    )


@given(CARDS)
def test_counting_and_finding(cards):
    x = sum(1 << card for card in cards)
    top, bottom = max(cards, default=-1), min(cards, default=64)
    assert compiled(x) == (
        len(cards),
        63 - top,
        bottom,
        1 << bottom if cards else 0,
        1 << top if cards else 0,
        -1 << (top + 1),
    )
    assert bits.popcount(x) == len(cards)
    assert bits.leading_zeros(x) == 63 - top
    assert bits.trailing_zeros(x) == bottom


@given(HANDS)
def test_select_takes_the_cards_in_order(cards):
    x = sum(1 << card for card in cards)
    assert [bits.select(x, n) for n in range(len(cards))] == [1 << card for card in sorted(cards)]


@given(CARDS, CARDS, st.booleans())
def test_first_and_when(one, other, condition):
    x, y = (sum(1 << card for card in cards) for cards in (one, other))
    assert bits.first(x, y) == (x or y)
    assert bits.when(condition, x) == (x if condition else 0)


SAME_TALLY = """
import warnings
warnings.simplefilter("ignore", RuntimeWarning)  # numpy's own integers warn of wrapping around
from pitchsim.evaluation import make_study
study = make_study("AS JS 10S 5S KH 2D", "ace-of-hearts", seed=1, play="{play}")
tally = study.count(0, 40)
print(tally.results.nonzero(), tally.others)
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


def test_code_is_kept_in_a_folder_of_this_very_source(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    folder = cache_folder()
    assert folder.parent == tmp_path / "pitchsim"
    assert folder == cache_folder()
    from numba import config  # noqa: PLC0415

    usual = config.CACHE_DIR
    with cached_here():
        assert config.CACHE_DIR in (usual or str(folder), str(folder))
    assert usual == config.CACHE_DIR


def test_masks_stay_signed():
    assert isinstance(bits.lowest(np.int64(6)), int)
