"""Whence strategies know what hands are worth: a table of their own, or a quick one by holding."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from pitchsim.bidding.worths import HandWorths, worths_in
from pitchsim.errors import OutputError, StrategyError, TableError, check_whole, quoted_path
from pitchsim.plays import PLAYS, QUICK
from pitchsim.presets import diff
from pitchsim.rulefields import write_value
from pitchsim.rules import Rules, Seating
from pitchsim.tables.bidtable import BidTable
from pitchsim.tables.making import make_table
from pitchsim.tables.tablestudy import TableStudy

#: Deals of each holding in a table that is made on the spot: some seconds of them.
QUICK_DEALS = 1_000
MOST_QUICK_DEALS = 100_000
#: Fields of the rules that decide nothing of what a hand is worth; how many play is seen elsewhere.
NO_MATTER = (
    "players",
    "default_players",
    "partners",
    "dealer_steals",
    "target",
    "finish",
    "countdown",
)


@dataclass(frozen=True)
class WorthSource:
    """Where it is looked up what hands are worth.

    Attributes
    ----------
    table
        The file of a bidding table; None for a table by holding that is made on the spot, and kept
        in the user's cache folder.
    deals
        How many deals of each holding such a table has.

    Raises
    ------
    StudyError
        If the number of deals is not possible.
    """

    table: Path | None = None
    deals: int = QUICK_DEALS

    def __post_init__(self) -> None:
        check_whole("deals", self.deals, 1, MOST_QUICK_DEALS)

    @property
    def facts(self) -> dict[str, Any]:
        """What decides what is looked up, as JSON has it: which table it is, wherever it lies."""
        if self.table is None:
            return {"deals": self.deals}
        with BidTable(self.table) as table:
            return {"table": table.identity, "deals": table.deals}

    def check(self, rules: Rules, seating: Seating) -> None:
        """Look whether a table of one's own is there, and of this game.

        Raises
        ------
        TableError
            If the table cannot be read.
        StrategyError
            If it is of another game.
        """
        if self.table is not None:
            with BidTable(self.table) as table:
                _check_game(table, self.table, rules, seating)

    def worths(self, rules: Rules, seating: Seating, play: str) -> HandWorths:
        """Read or make the table, once in a process.

        Parameters
        ----------
        play
            How everybody plays in a table made on the spot; a quick play stands in for one that
            takes long.

        Raises
        ------
        TableError
            If the table cannot be read.
        StrategyError
            If it is of another game.
        """
        self.check(rules, seating)
        if self.table is not None:
            state = self.table.stat()
            return _worths_in_file(self.table, (state.st_mtime_ns, state.st_size))
        quick = play if PLAYS[play].is_quick else QUICK
        return _worths_made(TableStudy(rules, seating, "holding", quick), self.deals)


def _check_game(table: BidTable, place: Path, rules: Rules, seating: Seating) -> None:
    differences = [
        (name, there, here)
        for name, there, here in diff(table.study.rules, rules)
        if name not in NO_MATTER
    ]
    for name in ("players", "partners"):
        there, here = getattr(table.study.seating, name), getattr(seating, name)
        differences += [(name, there, here)] * (there != here)
    if differences:
        name, there, here = differences[0]
        raise StrategyError(
            f"the table {quoted_path(place)} is of another game: {name} is {write_value(there)} "
            f"there, and {write_value(here)} here"
        )


@lru_cache(maxsize=2)  # a table by hand takes some hundred megabytes
def _worths_in_file(place: Path, _state: tuple[int, int]) -> HandWorths:
    """Read a table, which is read anew when the file is another one."""
    return _worths_at(place)


def tables_folder() -> Path:
    """Return where tables are kept that are made on the spot: in the user's cache folder."""
    from platformdirs import user_cache_path  # noqa: PLC0415  (only here)

    return user_cache_path("pitchsim") / "tables"


@lru_cache(maxsize=16)
def _worths_made(study: TableStudy, deals: int) -> HandWorths:
    """Make a table, or read what was made before."""
    place = tables_folder() / f"{study.identity}-{deals}.parquet"
    try:
        return _worths_at(place)
    except TableError:  # it is not there, or damaged
        with suppress(OSError):
            place.unlink(missing_ok=True)
    with suppress(OSError, OutputError, TableError):  # nowhere to keep it, or another is making it
        place.parent.mkdir(parents=True, exist_ok=True)
        _make(study, place, deals)
        return _worths_at(place)
    with tempfile.TemporaryDirectory() as elsewhere:
        place = Path(elsewhere) / place.name
        _make(study, place, deals)
        return _worths_at(place)


def _worths_at(place: Path) -> HandWorths:
    with BidTable(place) as table:
        return worths_in(table)


def _make(study: TableStudy, place: Path, deals: int) -> None:
    if not make_table(study, place, deals).finished:
        raise KeyboardInterrupt  # which the making of a table ends at, in good order
