"""The form of a table's data: which rows and deals it holds, and what its columns are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pitchsim.errors import TableError
from pitchsim.tables.tablefile import TableFile, column_values, make_block, table_schema
from pitchsim.tables.tablestudy import TableStudy


class Span(NamedTuple):
    """Rows or deals: the first of them, and the one after the last."""

    first: int
    end: int


class Part(NamedTuple):
    """Some rows over some deals."""

    rows: Span
    deals: Span


class Source(NamedTuple):
    """Where deals in a table come from: a seed, and which of its deals."""

    seed: int
    deals: Span


def spans(count: int, size: int) -> Iterator[Span]:
    """Divide `count` into spans of a size, the last one perhaps smaller."""
    for first in range(0, count, size):
        yield Span(first, min(first + size, count))


def file_facts(study: Mapping[str, Any], sources: Iterable[Source]) -> dict[str, Any]:
    """Say what decides the data of a whole table: the facts of its study, and which deals."""
    return {"study": study, "sources": [[seed, *deals] for seed, deals in sources]}


def sources_of(file: TableFile) -> list[Source]:
    """Say where the deals of a whole table come from.

    Raises
    ------
    TableError
        If it is something else, such as a part of one.
    """
    if "sources" not in file.facts:
        raise TableError("it is no whole table")
    return [Source(seed, Span(first, end)) for seed, first, end in file.facts["sources"]]


#: The columns before the counts; with a play for each bid, `bid` comes after `lead`.
KEYS = ("row", "cards", "trump", "lead")


def schema_of(study: TableStudy) -> pa.Schema:
    """Describe the columns of a table."""
    bid = ("bid",) if study.example.plays > 1 else ()
    return table_schema((*KEYS, *bid, "deals", *study.columns.names))


def block_of(
    study: TableStudy, rows: Span, counts: NDArray[np.int64], deals: int | NDArray[np.int64]
) -> pa.Table:
    """Put the counts of some rows, int64[records, plays, columns], in a block.

    The columns before them: `row`; `cards`, a bit for each of `pitchsim.cards.ALL_CARDS` that the
    hand or the holding has; `trump`, the place of the suit in `SUITS`; `lead`, the place of the
    card, -1 where it is left to the play; `bid`, the place of the bid that was played for, only
    where there is a play for each; `deals`.
    """
    plays = study.example.plays
    records = study.rows.records(*rows)
    cards = study.rows.cards(*rows)[records.rows - rows.first]
    keys = dict(zip(KEYS, (records.rows, cards, records.trumps, records.leads), strict=True))
    columns = {name: np.repeat(values, plays) for name, values in keys.items()}
    if plays > 1:
        columns["bid"] = np.tile(np.arange(plays), len(records.rows))
    columns["deals"] = np.broadcast_to(np.asarray(deals, np.int64), plays * len(records.rows))
    flat = counts.reshape(-1, counts.shape[-1])
    columns |= dict(zip(study.columns.names, flat.T, strict=True))
    return make_block(schema_of(study), columns)


def counts_in(block: pa.Table, study: TableStudy) -> NDArray[np.int64]:
    """Take the counts out of a block, int64[records, plays, columns]."""
    flat = np.stack([column_values(block, name) for name in study.columns.names], axis=1)
    return flat.reshape(-1, study.example.plays, flat.shape[1])


def added(blocks: Sequence[pa.Table]) -> pa.Table:
    """Add up blocks of the same records, their deals and their counts.

    Raises
    ------
    ValueError
        If the records are not the same.
    """
    names = blocks[0].column_names
    keys = names[: names.index("deals")]
    columns: dict[str, NDArray[np.int64]] = {}
    for name in names:
        first, *others = (column_values(block, name) for block in blocks)
        if name in keys and not all(np.array_equal(first, other) for other in others):
            raise ValueError(f"column {name} is not the same")
        columns[name] = first if name in keys else sum(others, start=first)
    return make_block(blocks[0].schema, columns)
