"""Double dummy: the search beside a C yardstick of the same search, and at every kind of table.

The yardstick first has to find the same values in the same number of nodes, deal by deal.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from benchmarks.tables import HAND, SEED, Table
from benchmarks.timing import in_turn
from benchmarks.yardstick import build
from pitchsim.encoding import cards_dealt
from pitchsim.engine import HAND_SIZE, MOST_PLAYERS, Setting
from pitchsim.engine.doubledummy import NOT_SOLVED, best_lead, play_best, value_of
from pitchsim.engine.lanes import WIDTH
from pitchsim.engine.position import LIMIT, NODES, Search, begin_deal
from pitchsim.engine.scalars import highest_of
from pitchsim.engine.search import begin_search, can_force, make_search
from pitchsim.evaluating import evaluate
from pitchsim.simulation import MOST_NODES

CHUNK = 200
ROUNDS = 100
RATIO = 1.5
TAIL = 15
OTHER_DEALS = 1000
SOLVED_LEAD, SOLVED_BEST_LEAD, PLAYED = range(3)
CLOCK_THREAD_CPUTIME_ID = 3


class Solved(NamedTuple):
    """By deal: the value of the lead, or NOT_SOLVED; the nodes; nanoseconds of the thread."""

    values: NDArray[np.int64]
    nodes: NDArray[np.int64]
    times: NDArray[np.int64]

    @classmethod
    def room(cls, deals: int) -> Solved:
        """Make room for so many deals."""
        return cls(*(np.zeros(deals, np.int64) for _ in range(3)))

    def part(self, first: int, deals: int) -> Solved:
        """Give the rows of some of the deals, to read or to write."""
        return Solved(*(column[first : first + deals] for column in self))


#: Solves deals, int64[deals, 7], each for the lead of the pitcher's highest trump.
Solve = Callable[[NDArray[np.int64], Solved], None]

_clock_gettime = ctypes.CDLL(None).clock_gettime
_clock_gettime.argtypes = (ctypes.c_int, ctypes.c_void_p)


@njit  # type: ignore[untyped-decorator]
def _nanoseconds(clock: NDArray[np.int64]) -> int:
    _clock_gettime(CLOCK_THREAD_CPUTIME_ID, clock.ctypes)
    return int(clock[0] * 1_000_000_000 + clock[1])


@njit  # type: ignore[untyped-decorator]
def _make_search(setting: Setting) -> Search:
    return make_search(setting)


@njit  # type: ignore[untyped-decorator]
def _solve_deals(
    search: Search,
    setting: Setting,
    dealt: NDArray[np.int64],
    asked: int,
    solved: Solved,
) -> None:
    """Solve deals for the pitcher's highest trump, or for the best lead; or play them out as well.

    A deal played out is what `play_double_dummy` does for a lead, without the dealing and scoring.
    """
    clock = np.zeros(2, np.int64)
    plays = np.zeros(HAND_SIZE * MOST_PLAYERS, np.int64)
    won = np.zeros((MOST_PLAYERS, WIDTH), np.int64)
    for deal in range(dealt.shape[0]):
        begun = _nanoseconds(clock)
        search.counts[NODES] = 0
        begin_deal(search, setting, dealt[deal])
        begin_search(search)
        lead = highest_of(dealt[deal, 0] & setting.trump)
        if asked == SOLVED_BEST_LEAD:
            lead = best_lead(search, setting)
        if asked == PLAYED and setting.smudge_tricks:
            can_force(search, setting, lead, setting.smudge_points, True)
            begin_search(search)
        if asked != SOLVED_BEST_LEAD:
            solved.values[deal] = value_of(search, setting, lead)
        if asked == PLAYED:
            play_best(search, setting, lead, solved.values[deal], False, False, plays, won)
        if search.counts[NODES] > search.counts[LIMIT]:
            solved.values[deal] = NOT_SOLVED
        solved.nodes[deal] = search.counts[NODES]
        solved.times[deal] = _nanoseconds(clock) - begun


def engine(setting: Setting, asked: int = SOLVED_LEAD) -> Solve:
    """Give the engine's search at a table, with room to search in made once."""
    search = _make_search(setting)
    search.counts[LIMIT] = MOST_NODES

    def solve(dealt: NDArray[np.int64], solved: Solved) -> None:
        _solve_deals(search, setting, dealt, asked, solved)

    return solve


def in_c(compiler: str) -> Solve | None:
    """Build the yardstick; None where that cannot be done."""
    library = build("solver.c", compiler)
    if library is None:
        return None
    function = library.solve_deals
    function.restype = None

    def solve(dealt: NDArray[np.int64], solved: Solved) -> None:
        deals, stride = dealt.shape
        function(
            ctypes.c_void_p(dealt.ctypes.data),
            ctypes.c_int64(deals),
            ctypes.c_int64(stride),
            *(ctypes.c_void_p(column.ctypes.data) for column in solved),
        )

    return solve


def main() -> None:
    against_yardstick()
    print()
    every_table()
    print()
    whole_study()


def against_yardstick() -> None:
    """Print the time that the exact value of a lead takes, as a ratio to C too."""
    print(
        "Four players, partners, ace and jack or ace and king of trump, the ace led: its value; "
        f"thread CPU time, {ROUNDS} rounds of {CHUNK} deals in turn"
    )
    dealt = strong_deals(CHUNK * (ROUNDS + 1))
    solvers: dict[str, Solve] = {}
    for compiler in ("gcc", "clang"):
        solve = in_c(compiler)
        if solve is None:
            print(f"  (no {compiler} here that builds the yardstick: going on without)")
        else:
            solvers[f"C, {compiler}"] = solve
    solvers["engine"] = engine(Table.of("partners").setting)
    results = {name: Solved.room(len(dealt)) for name in solvers}

    def work(name: str) -> Callable[[int], None]:
        def solve(number: int) -> None:
            first = number * CHUNK
            solvers[name](dealt[first : first + CHUNK], results[name].part(first, CHUNK))

        return solve

    rounds = in_turn({name: work(name) for name in solvers}, CHUNK, ROUNDS)
    check(results)
    for name, solved in results.items():
        print(f"  {name:<10}{_described(solved.part(0, CHUNK * ROUNDS))}")
    if "C, gcc" in rounds:
        of_means = results["engine"].times.mean() / results["C, gcc"].times.mean()
        of_rounds = rounds["engine"].median / rounds["C, gcc"].median
        print(
            f"  engine takes {of_means:.2f} times as long as C, gcc, in the mean "
            f"({of_rounds:.2f} in the median round; target: at most {RATIO})"
        )
    times = results["engine"].times[: CHUNK * ROUNDS]
    print(
        f"  engine: of 100 deals 99 take at most {np.percentile(times, 99) / times.mean():.1f} "
        f"times the mean (target: {TAIL})"
    )


def check(results: dict[str, Solved]) -> None:
    """Hold the yardstick to the engine: the same value, found in as many nodes, for each deal."""
    expected = results["engine"]
    for name, solved in results.items():
        for what in ("values", "nodes"):
            differing = np.flatnonzero(getattr(solved, what) != getattr(expected, what))
            if differing.size:
                raise SystemExit(
                    f"{name} and engine: other {what} in {differing.size} of "
                    f"{len(expected.values)} deals, first in deal {differing[0]}"
                )
    if len(results) > 1:
        print(f"  the same values in the same number of nodes, in {len(expected.values):,} deals")


def strong_deals(deals: int) -> NDArray[np.int64]:
    """Deal to four players; the pitcher has the ace of trump and the jack or the king."""
    random = np.random.default_rng(SEED)
    ace, king, jack = 51, 50, 48
    dealt = np.zeros((deals, MOST_PLAYERS), np.int64)
    for row in dealt:
        held = [ace, (king, jack)[random.integers(2)]]
        others = random.permutation([card for card in range(ace) if card not in held])
        cards = [*held, *others[: 4 * HAND_SIZE - len(held)]]
        for place, card in enumerate(cards):
            row[place // HAND_SIZE] |= 1 << int(card)
    return dealt


def every_table() -> None:
    """Print what the other questions take, under other rules and with other numbers of players."""
    print(
        f"Engine, {HAND}, thread CPU time; a deal that takes more than {MOST_NODES:,} nodes is "
        "given up"
    )
    partners = Table.of("partners")
    tables = {
        "partners, four, AS led, its value": (partners, SOLVED_LEAD, OTHER_DEALS),
        "partners, four, the best of all leads": (partners, SOLVED_BEST_LEAD, OTHER_DEALS),
        "partners, four, AS led, played out": (partners, PLAYED, OTHER_DEALS),
        "ten-point, four, played out": (Table.of("ten-point"), PLAYED, OTHER_DEALS),
        "solo, four alone, played out": (Table.of("solo", 4), PLAYED, OTHER_DEALS),
        "setback, three alone, played out": (Table.of("setback", 3), PLAYED, OTHER_DEALS),
        "setback, five alone, played out": (Table.of("setback", 5), PLAYED, OTHER_DEALS // 5),
        "setback, six alone, played out": (Table.of("setback", 6), PLAYED, OTHER_DEALS // 10),
        "setback, seven alone, played out": (Table.of("setback", 7), PLAYED, OTHER_DEALS // 50),
    }
    for name, (table, asked, deals) in tables.items():
        solved = Solved.room(deals)
        engine(table.setting, asked)(hands_of(table, deals), solved)
        print(f"  {name:<38}{_described(solved)}")
        given_up = np.count_nonzero(solved.values == NOT_SOLVED)
        if given_up:
            print(f"  {'':<38}given up: {given_up} of {deals} deals")


def hands_of(table: Table, deals: int) -> NDArray[np.int64]:
    """Return what each seat is dealt at a table where nobody draws, int64[deals, 7]."""
    return table.setting.fixed | cards_dealt(table.setting, table.deal(0, deals))


def whole_study() -> None:
    """Print the time of a study of every lead, on the wall clock."""
    deals = 2000
    seconds = []
    for _ in range(4):
        begun = time.perf_counter()
        evaluate(HAND, play="double-dummy", deals=deals, seed=SEED, threads=2)
        seconds.append(time.perf_counter() - begun)
    print(
        f"partners, {HAND}, {deals:,} deals, every lead, two threads, wall clock: "
        f"{min(seconds[1:]):.1f} to {max(seconds[1:]):.1f} s (target 3 s)"
    )


def _described(solved: Solved) -> str:
    microseconds = solved.times / 1e3
    nodes = solved.nodes
    return (
        f"us: mean {microseconds.mean():.1f}, median {np.median(microseconds):.1f}, "
        f"99 % {np.percentile(microseconds, 99):.0f}; "
        f"nodes: mean {nodes.mean():.0f}, median {np.median(nodes):.0f}, most {nodes.max():,}"
    )
