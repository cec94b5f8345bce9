"""Adding tables of the same study but other seeds into one."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import combinations
from pathlib import Path

import pyarrow as pa

from pitchsim.errors import TableError, quoted_path
from pitchsim.tables.form import Source, Span, WholeTable, added, file_facts
from pitchsim.tables.provenance import provenance
from pitchsim.tables.tablefile import TableWriter
from pitchsim.tables.tablestudy import first_difference
from pitchsim.wholefile import check_place, clear_leftovers


class NotTogetherError(TableError):
    """Tables that cannot be added, or not to there."""

    exit_status = 2


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
        inputs = [stack.enter_context(WholeTable(place)) for place in places]
        for one, other in combinations(inputs, 2):
            _refuse_another_study(one, other)
            _refuse_same_deals(one, other)
        sources = sorted(source for table in inputs for source in table.sources)
        clear_leftovers(output)
        if output.exists():
            _refuse_to_lose(output, inputs[0], sources)
        for table in inputs:
            table.verify()
        writer = stack.enter_context(TableWriter(output, inputs[0].schema))
        for block in _added(inputs):
            writer.write(block)
        facts = file_facts(inputs[0].study.facts, sources)
        seconds = sum(table.seconds for table in inputs)
        writer.finish(facts, provenance(command, seconds))
    return sources


def _added(inputs: list[WholeTable]) -> Iterator[pa.Table]:
    """Add up the tables block by block."""
    names = " and ".join(quoted_path(table.place) for table in inputs)
    try:
        for blocks in zip(*(table.blocks() for table in inputs), strict=True):
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


def _refuse_another_study(one: WholeTable, other: WholeTable) -> None:
    difference = first_difference(one.study.facts, other.study.facts)
    if difference is not None:
        raise NotTogetherError(
            f"{quoted_path(one.place)} and {quoted_path(other.place)} are not of the same study: "
            f"{difference}"
        )


def _refuse_same_deals(one: WholeTable, other: WholeTable) -> None:
    for seed, (first, end) in one.sources:
        for other_seed, (other_first, other_end) in other.sources:
            both = max(first, other_first), min(end, other_end)
            if seed == other_seed and both[0] < both[1]:
                raise NotTogetherError(
                    f"deals {both[0]:,} to {both[1] - 1:,} of seed {seed} are in "
                    f"{quoted_path(one.place)} and in {quoted_path(other.place)}: they would be "
                    "counted twice"
                )


def _refuse_to_lose(output: Path, table: WholeTable, sources: list[Source]) -> None:
    """Refuse to replace a table that holds anything but deals that are added."""
    with WholeTable(output) as before:
        why = first_difference(table.study.facts, before.study.facts, ("in these", "there"))
        lost = [gap for source in before.sources if (gap := _first_lost(source, sources))]
    if why is None and lost:
        seed, (first, end) = lost[0]
        why = f"it holds deals {first:,} to {end - 1:,} of seed {seed} that are in none of these"
    if why is not None:
        raise NotTogetherError(
            f"{quoted_path(output)} is another table: {why}; expected a new place for the "
            "combined one"
        )


def _first_lost(source: Source, sources: list[Source]) -> Source | None:
    """Find the first deals of a source that are in none of some others, which are in order."""
    at, end = source.deals
    for seed, deals in sources:
        if seed == source.seed and at < end and deals.end > at:
            if deals.first > at:
                return Source(seed, Span(at, min(deals.first, end)))
            at = deals.end
    return Source(source.seed, Span(at, end)) if at < end else None
