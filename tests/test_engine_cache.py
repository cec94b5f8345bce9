"""Where compiled code is kept."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from numba import config

from pitchsim.engine.cache import cache_folder, cached_here

COUNT = """
from pitchsim.evaluating import make_study
from pitchsim.simulation import Simulation
from pitchsim.warmup import warm_up
print(warm_up("basic").folder)
Simulation(make_study("AS JS 10S 5S KH 2D", seed=1)).count(0, 10)
"""

# One kernel is enough to compile, and to damage.
DAMAGE = """
import numpy as np
from pitchsim.engine import CountTables, count_outcomes
from pitchsim.engine.cache import FOLDER
count_outcomes(
    np.zeros((1, 1, 1), np.int32),
    CountTables(
        np.zeros((4096, 1), np.int64), np.zeros(2048, np.int32), np.zeros((1, 4096), np.int32)
    ),
    np.zeros((1, 1, 3), np.int64),
    np.zeros((1, 1, 1), np.int64),
)
files = list(FOLDER.rglob("*.{ending}"))
assert files
for file in files:
    file.write_bytes(file.read_bytes()[:10])
"""


@pytest.fixture
def on_linux(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(config, "CACHE_DIR", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    return tmp_path


def test_code_is_kept_in_a_folder_of_this_very_source(on_linux):
    folder = cache_folder()
    assert folder.parent == on_linux / "cache" / "pitchsim"
    assert folder == cache_folder()


def test_a_folder_of_the_users_own_gets_one_too(on_linux, monkeypatch):
    monkeypatch.setattr(config, "CACHE_DIR", str(on_linux / "numba"))
    folder = cache_folder()
    assert folder.parent == on_linux / "numba"


def test_where_the_users_cache_cannot_be_written_temporary_files_can(on_linux):
    (on_linux / "cache").write_text("a file in the way")
    assert cache_folder().parent.parent == on_linux / "temporary"


def test_where_nothing_can_be_written_nothing_is_kept(on_linux):
    (on_linux / "cache").write_text("a file in the way")
    (on_linux / "temporary").write_text("and another")
    assert cache_folder() is None


def test_other_users_of_numba_are_left_as_they_are():
    usual = config.CACHE_DIR
    with cached_here():
        assert config.CACHE_DIR
    assert usual == config.CACHE_DIR


def test_the_engine_works_with_a_cache_that_is_new(tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": "", "XDG_CACHE_HOME": str(tmp_path)}
    run = [sys.executable, "-c", COUNT]
    said = subprocess.run(run, env=environment, capture_output=True, text=True, check=True)
    assert Path(said.stdout.strip()).is_relative_to(tmp_path / "pitchsim")


@pytest.mark.parametrize("ending", [pytest.param("nbi", marks=pytest.mark.long), "nbc"])
def test_damaged_code_is_thrown_away_and_compiled_again(tmp_path, ending):
    environment = {**os.environ, "NUMBA_CACHE_DIR": "", "XDG_CACHE_HOME": str(tmp_path)}
    run = [sys.executable, "-c", DAMAGE.format(ending=ending)]
    subprocess.run(run, env=environment, capture_output=True, text=True, check=True)
    said = subprocess.run(
        [sys.executable, "-c", COUNT], env=environment, capture_output=True, text=True, check=True
    )
    assert Path(said.stdout.strip()).is_relative_to(tmp_path / "pitchsim")
