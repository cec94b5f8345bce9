"""Compiling the engine: once for every version of it, and then loaded from the disk."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pitchsim.cards import parse_hand
from pitchsim.engine import KERNELS
from pitchsim.engine.cache import forget
from pitchsim.known import Known
from pitchsim.presets import load_preset
from pitchsim.study import Option, Study


@dataclass(frozen=True)
class WarmUp:
    """How the engine was made ready.

    Attributes
    ----------
    seconds
        How long it took.
    compiled
        Whether anything had to be compiled; else it was loaded.
    folder
        Where the compiled code lies; None where nothing is kept.
    """

    seconds: float
    compiled: bool
    folder: Path | None


@cache
def warm_up() -> WarmUp:
    """Make the engine ready, by playing one deal; the first time in a process only.

    One compilation serves every rule set, number of players and play policy.
    """
    begun = time.perf_counter()
    try:
        _play_one_deal()
    except Exception:  # whatever reading damaged code may raise
        forget()
        _play_one_deal()
    seconds = time.perf_counter() - begun
    # Without compilation (NUMBA_DISABLE_JIT) the kernels are plain functions and keep no record.
    records = [stats for kernel in KERNELS if (stats := _stats(kernel))]
    folders = [Path(stats.cache_path) for stats in records if stats.cache_path]
    return WarmUp(seconds, any(stats.cache_misses for stats in records), next(iter(folders), None))


def _play_one_deal() -> None:
    rules = load_preset("partners")
    hand = frozenset(parse_hand("AS KS QS JS TS 2S", jokers=rules.jokers))
    Study(rules, rules.seating(), Known({0: hand}), (Option("S", "AS"),)).count(0, 1)


def _stats(kernel: object) -> Any:
    return getattr(kernel, "stats", None)
