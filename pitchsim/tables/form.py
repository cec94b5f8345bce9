"""The form of a table's data: which rows and deals it holds, and what its columns are."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeGuard

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pitchsim.errors import PitchsimError, quoted
from pitchsim.study import LARGEST_SEED, identity_of
from pitchsim.tables.provenance import seconds_in
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


class WholeTable(TableFile):
    """A whole table's file, open for reading; its facts are checked, and so is every record's.

    Attributes
    ----------
    study : TableStudy
        What it is a table of, with the seed of the first source.
    sources : list of Source
        Where its deals come from, in rising order.
    deals : int
        How many deals of every row it holds.
    seconds : float
        How long counting took, all threads and machines together.

    Raises
    ------
    TableError
        From each method, naming the file: also if it is something else, such as a part of a table,
        if its facts make no sense, or if a record has not as many deals as its facts say.
    """

    def _open(self) -> None:
        super()._open()
        self.sources = _sources_in(self.facts)
        self.study = _study_in(self.facts, self.sources[0].seed)
        self.deals = sum(deals.end - deals.first for _, deals in self.sources)
        self.seconds = seconds_in(self.provenance)
        if self.schema != schema_of(self.study):
            raise ValueError("its columns are not those of its study")

    def _block(self, index: int) -> pa.Table:
        block = super()._block(index)
        if not has_deals(block, self.deals):
            raise self.error(f"a record has not the {self.deals:,} deals that its facts say")
        return block

    @property
    def identity(self) -> str:
        """A hash of what decides the numbers, 16 hexadecimal digits.

        That of the study if the deals are of one seed; else also of which deals of which seeds.
        """
        if len(self.sources) == 1:
            return self.study.identity
        content = file_facts(self.study.deciding_facts, self.sources)
        return identity_of(json.dumps(content, sort_keys=True))


def has_deals(block: pa.Table, deals: int) -> bool:
    """Whether every record of a block has so many deals."""
    return bool((column_values(block, "deals") == deals).all())


def _sources_in(facts: Mapping[str, Any]) -> list[Source]:
    """Read where the deals of a whole table come from."""
    if "sources" not in facts:
        raise ValueError("it is no whole table")
    found = facts["sources"]
    try:
        sources = [Source(seed, span_in(deals)) for seed, *deals in found]
    except (TypeError, ValueError):
        sources = []
    if not sources or not all(is_seed(seed) for seed, _ in sources):
        raise ValueError(
            f"its sources are {quoted(found)}: expected some of [seed, first deal, deal after the "
            "last]"
        )
    for one, other in pairwise(sources):
        if one >= other or (one.seed == other.seed and one.deals.end > other.deals.first):
            raise ValueError(f"its sources overlap, or are not in order: {quoted(found)}")
    return sources


def _study_in(facts: Mapping[str, Any], seed: int) -> TableStudy:
    """Read what a table is of."""
    found = facts.get("study")
    if not isinstance(found, dict):
        raise ValueError(f"its study is {quoted(found)}: expected what decides the numbers")
    try:
        study = TableStudy.from_facts(found, seed)
    except KeyError as error:
        raise ValueError(f"its study lacks {error}") from None
    except (PitchsimError, AttributeError) as error:
        raise ValueError(str(error)) from None
    if study.facts != found or not isinstance(found["name"], str):
        raise ValueError("its study is none that this version writes")
    return study


def span_in(found: Any) -> Span:
    """Read a span of rows or deals.

    Raises
    ------
    ValueError
        If it is none.
    """
    match found:
        case [int(first), int(end)] if 0 <= first < end and bool not in map(type, found):
            return Span(first, end)
    raise ValueError(f"{quoted(found)} is no span: expected the first, and the one after the last")


def is_seed(found: Any) -> TypeGuard[int]:
    """Whether something is a seed of a table."""
    return type(found) is int and 0 <= found <= LARGEST_SEED


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
