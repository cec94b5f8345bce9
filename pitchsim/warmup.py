"""Compiling the engine: once for every version of it, and then loaded from the disk."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from pitchsim.bidding.auction import Contracts
from pitchsim.bidding.playing import Deals, Pitched, Player, Playing, Seated
from pitchsim.cards import parse_hand
from pitchsim.engine import KERNELS
from pitchsim.engine.cache import forget
from pitchsim.known import Known
from pitchsim.plays import PLAYS, QUICK
from pitchsim.presets import load_preset
from pitchsim.records import HandRecord
from pitchsim.simulation import Simulation
from pitchsim.solving import solve
from pitchsim.study import Option, Study
from pitchsim.tables.counting import TableCounter
from pitchsim.tables.rows import ANY_LEAD
from pitchsim.tables.tablestudy import TableStudy

#: Other work than the play policies': solving records; playing what auctions leave, without experts
#: and with them; and very many hands at a time.
SOLVING, CONTRACTS, EXPERT_CONTRACTS, HANDS = "solving", "contracts", "expert contracts", "hands"
OTHERS = (SOLVING, CONTRACTS, EXPERT_CONTRACTS, HANDS)


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


def contract_work(plays: Iterable[str]) -> tuple[str, ...]:
    """Name the work of auctions, and of playing what they leave by these plays."""
    samples = any(PLAYS[play].samples for play in plays)
    return (QUICK, CONTRACTS, EXPERT_CONTRACTS) if samples else (QUICK, CONTRACTS)


@cache
def warm_up(*work: str) -> WarmUp:
    """Make the engine ready for some work, by doing a little of it; once in a process.

    One compilation serves every rule set and number of players.

    Parameters
    ----------
    work
        The play policies that are to be played by, and SOLVING, CONTRACTS, EXPERT_CONTRACTS or
        HANDS; nothing is all of them.
    """
    begun = time.perf_counter()
    parts = work or (*PLAYS, *OTHERS)
    try:
        _do(parts)
    except Exception:  # whatever reading damaged code may raise
        forget()
        _do(parts)
    seconds = time.perf_counter() - begun
    # Without compilation (NUMBA_DISABLE_JIT) the kernels are plain functions and keep no record.
    records = [stats for kernel in KERNELS if (stats := _stats(kernel))]
    folders = [Path(stats.cache_path) for stats in records if stats.cache_path]
    return WarmUp(seconds, any(stats.cache_misses for stats in records), next(iter(folders), None))


def _do(work: Iterable[str]) -> None:
    rules = load_preset("partners")
    seating = rules.seating()
    known = Known({0: frozenset(parse_hand("AS KS QS JS TS 2S", jokers=rules.jokers))})
    for part in work:
        if part == SOLVING:
            _solve_a_deal(Study(rules, seating, known, (Option("S", "AS"),)))
        elif part == CONTRACTS:
            _play_a_contract(Playing(rules, seating, 0), Player())
        elif part == EXPERT_CONTRACTS:
            _play_a_contract(Playing(rules, seating, 0), Player("expert", 1))
        elif part == HANDS:
            TableCounter(TableStudy(rules, seating, "hand")).count((0, 1), (0, 1))
        else:
            study = Study(rules, seating, known, (Option("S", "AS"),), play=part, defence=part)
            Simulation(study).count(0, 1)


def _solve_a_deal(study: Study) -> None:
    hands = Simulation(study).hands(0)
    scores = (0,) * study.seating.sides
    record = HandRecord(study.rules, study.seating, 0, hands, scores, pitcher=0, bid=study.bids[0])
    solve(record)


def _play_a_contract(playing: Playing, player: Player) -> None:
    nothing = np.zeros(1, np.int64)
    deals = Deals(nothing, nothing, playing.deal(0, 1))
    contracts = Contracts(nothing, np.full(1, ANY_LEAD), np.full(1, np.nan))
    pitched = Pitched(deals, nothing, np.ones(1, np.int64), contracts)
    playing.takings(pitched, Seated([], [player], np.zeros(deals.hands.shape, np.int64)))


def _stats(kernel: object) -> Any:
    return getattr(kernel, "stats", None)
