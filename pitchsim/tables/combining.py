"""Adding tables of the same study but other seeds into one."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from pitchsim.errors import TableError, quoted_path
from pitchsim.tables.form import Source, added, file_facts, sources_of
from pitchsim.tables.provenance import provenance
from pitchsim.tables.tablefile import TableFile, TableWriter
from pitchsim.tables.tablestudy import first_difference
from pitchsim.wholefile import check_place, clear_leftovers


class NotTogetherError(TableError):
    """Tables that cannot be added, or not to there."""

    exit_status = 2


class _Input(NamedTuple):
    """A table that is to be added."""

    place: Path
    file: TableFile
    sources: list[Source]


def combine_tables(places: Sequence[Path], output: Path, *, command: str = "") -> list[Source]:
    """Add tables of the same study but other seeds into one, whatever their order.

    Parameters
    ----------
    places
        The tables, which may have been combined themselves. Each is read and checked to the end
        before anything is written.
    output
        The file, written whole or not at all. A table that is there is replaced if all its deals
        are among those added.
    command
        What the file's provenance says it was made by.

    Returns
    -------
    list of Source
        Where the deals in the new table come from.

    Raises
    ------
    TableError
        If one of them is damaged, they are not of the same study, or deals would be counted twice
        or lost.
    OutputError
        If the new table cannot be written.
    """
    if len(places) < 2:
        raise NotTogetherError(f"{len(places)} table is not to be combined: expected two or more")
    check_place(output)
    _refuse_one_twice([*places, output])
    with ExitStack() as stack:
        inputs = [_opened(place, stack) for place in places]
        for one, other in combinations(inputs, 2):
            _refuse_another_study(one, other)
            _refuse_same_deals(one, other)
        sources = sorted(source for table in inputs for source in table.sources)
        clear_leftovers(output)
        if output.exists():
            _refuse_to_lose(output, inputs[0], sources)
        for table in inputs:
            table.file.verify()
        writer = stack.enter_context(TableWriter(output, inputs[0].file.schema))
        for block in _added(inputs):
            writer.write(block)
        facts = file_facts(inputs[0].file.facts["study"], sources)
        seconds = sum(table.file.provenance["seconds"] for table in inputs)
        writer.finish(facts, provenance(command, seconds))
    return sources


def _opened(place: Path, stack: ExitStack) -> _Input:
    file = stack.enter_context(TableFile(place))
    try:
        return _Input(place, file, sources_of(file))
    except TableError as error:
        raise TableError(f"cannot use the table {quoted_path(place)}: {error}") from None


def _added(inputs: list[_Input]) -> Iterator[pa.Table]:
    """Add up the tables block by block."""
    names = " and ".join(quoted_path(table.place) for table in inputs)
    try:
        for blocks in zip(*(table.file.blocks() for table in inputs), strict=True):
            yield added(blocks)
    except ValueError as error:
        raise TableError(f"the rows of {names} are not in the same order: {error}") from None


def _refuse_one_twice(places: list[Path]) -> None:
    """Refuse the same file as two of the tables, or as one of them and the new one."""
    for one, other in combinations(places, 2):
        if os.path.realpath(one) == os.path.realpath(other) or (
            one.exists() and other.exists() and one.samefile(other)
        ):
            what = "is to be written" if other is places[-1] else "is given twice"
            raise NotTogetherError(
                f"the table {quoted_path(one)} {what}: expected each file once, and the new one at "
                "a place of its own"
            )


def _refuse_another_study(one: _Input, other: _Input) -> None:
    difference = first_difference(one.file.facts["study"], other.file.facts["study"])
    if difference is not None:
        raise NotTogetherError(
            f"{quoted_path(one.place)} and {quoted_path(other.place)} are not of the same study: "
            f"{difference}"
        )


def _refuse_same_deals(one: _Input, other: _Input) -> None:
    for seed, (first, end) in one.sources:
        for other_seed, (other_first, other_end) in other.sources:
            both = max(first, other_first), min(end, other_end)
            if seed == other_seed and both[0] < both[1]:
                raise NotTogetherError(
                    f"deals {both[0]:,} to {both[1] - 1:,} of seed {seed} are in "
                    f"{quoted_path(one.place)} and in {quoted_path(other.place)}: they would be "
                    "counted twice"
                )


def _refuse_to_lose(output: Path, table: _Input, sources: list[Source]) -> None:
    """Refuse to replace a table that holds anything but deals that are added."""
    with TableFile(output) as file:
        difference = first_difference(table.file.facts["study"], file.facts["study"])
        lost = sorted(set(sources_of(file)) - set(sources))
    if difference is not None or lost:
        why = difference or f"it holds deals of seed {lost[0].seed} that are in none of these"
        raise NotTogetherError(
            f"{quoted_path(output)} is another table: {why}; expected a new place for the "
            "combined one"
        )
