"""Where a bidding table is kept: a file of the whole table, and the parts that are to go into it.

Beside `NAME` the folder `NAME.parts` holds what is counted and not yet in the file, each part some
rows over some deals. A part is there whole or not at all, and so is the file. When all parts are
there the file is written anew with them, and only then are they removed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pitchsim.errors import TableError, quoted_path
from pitchsim.tablefile import TableFile, TableWriter, column_values, make_block, table_schema
from pitchsim.tablestudy import TableStudy, first_difference
from pitchsim.wholefile import clear_leftovers, lock_file


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


class TableStore:
    """The file and the parts of one table.

    A context manager that keeps others from working on the same table.

    Parameters
    ----------
    place
        Where the file is, or shall be.
    study
        What it is a table of.
    tell
        Is told of damage that was found, and of what is done about it.

    Raises
    ------
    TableError
        If there is another table, if the file is damaged, or if somebody is at work on it.
    OutputError, OSError
        If something cannot be written.
    """

    def __init__(self, place: Path, study: TableStudy, tell: Callable[[str], None]) -> None:
        self.place = place
        self.study = study
        self.folder = _folder_of(place)
        self._tell = tell
        self._stack = ExitStack()
        #: How many deals of every row the file holds.
        self.finished = 0
        self._parts: defaultdict[Span, dict[Span, Path]] = defaultdict(dict)

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            self.folder.mkdir(exist_ok=True)
            lock = stack.enter_context((self.folder / "lock").open("wb"))
            try:
                lock_file(lock)
            except OSError:
                raise TableError(
                    f"somebody else is at work on {quoted_path(self.place)}: expected one at a time"
                ) from None
            self._look()
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        if not any(self._parts.values()):
            for path in self.folder.iterdir():
                path.unlink()
            self.folder.rmdir()
        self._stack.close()

    def missing(self, deals: int) -> list[Part]:
        """List what is yet to be counted until there are so many deals of every row."""
        study = self.study
        return [
            Part(rows, Span(first, min(first + study.deals_a_part, deals)))
            for rows in spans(study.rows.count, study.rows_a_part)
            for first in range(self._counted(rows, deals), deals, study.deals_a_part)
        ]

    def add(self, part: Part, counts: NDArray[np.int64], provenance: Mapping[str, Any]) -> None:
        """Keep the counts of a part, int64[records, plays, columns]."""
        name = (
            f"rows-{part.rows.first:08}-{part.rows.end:08}"
            f".deals-{part.deals.first}-{part.deals.end}.parquet"
        )
        place = self.folder / name
        facts = {
            "study": self.study.facts,
            "seed": self.study.seed,
            "rows": part.rows,
            "deals": part.deals,
        }
        with TableWriter(place, self._schema) as writer:
            writer.write(block_of(self.study, part.rows, counts, part.deals.end - part.deals.first))
            writer.finish(facts, provenance)
        self._parts[part.rows][part.deals] = place

    def finish(self, deals: int, provenance: Mapping[str, Any]) -> None:
        """Write the file, with so many deals of every row, and remove the parts that are in it."""
        source = Source(self.study.seed, Span(0, deals))
        with ExitStack() as stack:
            before: Iterator[pa.Table] = iter(())
            if self.finished:
                before = stack.enter_context(TableFile(self.place)).blocks()
            writer = stack.enter_context(TableWriter(self.place, self._schema))
            for rows in spans(self.study.rows.count, self.study.rows_a_block):
                counts = np.concatenate(
                    [
                        self._counts(
                            Span(first, min(first + self.study.rows_a_part, rows.end)), deals
                        )
                        for first in range(rows.first, rows.end, self.study.rows_a_part)
                    ]
                )
                if self.finished:
                    counts = counts + counts_in(next(before), self.study)
                writer.write(block_of(self.study, rows, counts, deals))
            writer.finish(file_facts(self.study, [source]), provenance)
        self.finished = deals
        for parts in self._parts.values():
            for span in [span for span in parts if span.end <= deals]:
                parts.pop(span).unlink()

    @property
    def _schema(self) -> pa.Schema:
        return schema_of(self.study)

    def _look(self) -> None:
        """See what is there, and throw away what is damaged or no longer needed."""
        clear_leftovers(self.place)
        if self.place.exists():
            with TableFile(self.place) as file:
                self.finished = self._deals_in(file)
        for path in sorted(self.folder.glob("*.parquet")):
            clear_leftovers(path)
            try:
                with TableFile(path) as file:
                    self._refuse_another(file.facts["study"], file.facts["seed"], path)
                    file.verify()
                    part = Part(Span(*file.facts["rows"]), Span(*file.facts["deals"]))
            except TableError as error:
                if isinstance(error, AnotherTableError):
                    raise
                self._tell(f"{error}; it is counted again")
                path.unlink()
                continue
            if part.deals.end <= self.finished:  # left over from a moment after the file was done
                path.unlink()
            else:
                self._parts[part.rows][part.deals] = path

    def _deals_in(self, file: TableFile) -> int:
        """Say how many deals of this study the file holds."""
        sources = sources_of(file)
        if len(sources) > 1:
            raise AnotherTableError(
                f"{quoted_path(self.place)} was combined from {len(sources)} tables: expected one "
                "of a single seed; add deals to those, and combine them again"
            )
        (source,) = sources
        self._refuse_another(file.facts["study"], source.seed, self.place)
        return source.deals.end

    def _refuse_another(self, facts: Mapping[str, Any], seed: int, path: Path) -> None:
        difference = first_difference(
            {**facts, "seed": seed}, {**self.study.facts, "seed": self.study.seed}
        )
        if difference is not None:
            raise AnotherTableError(f"{quoted_path(path)} is of another table: {difference} here")

    def _counted(self, rows: Span, deals: int) -> int:
        """Say up to which deal, of so many, everything about some rows is counted."""
        return max([self.finished, *(span.end for span in self._spans_of(rows, deals))])

    def _spans_of(self, rows: Span, deals: int) -> Iterator[Span]:
        """List the deals of the parts of some rows, as far as they follow without a gap."""
        end = self.finished
        for span in sorted(self._parts[rows]):
            if span.first == end and span.end <= deals:
                yield span
                end = span.end

    def _counts(self, rows: Span, deals: int) -> NDArray[np.int64]:
        """Add up the parts of some rows."""
        total = np.zeros((), np.int64)
        for span in self._spans_of(rows, deals):
            with TableFile(self._parts[rows][span]) as file:
                (block,) = file.blocks()
                total = total + counts_in(block, self.study)
        return total


class AnotherTableError(TableError):
    """A table that is not the one that was asked for."""

    exit_status = 2


def spans(count: int, size: int) -> Iterator[Span]:
    """Divide `count` into spans of a size, the last one perhaps smaller."""
    for first in range(0, count, size):
        yield Span(first, min(first + size, count))


def file_facts(study: TableStudy, sources: list[Source]) -> dict[str, Any]:
    """Say what decides the data of a whole table."""
    return {"study": study.facts, "sources": [[seed, *deals] for seed, deals in sources]}


def sources_of(file: TableFile) -> list[Source]:
    """Say where the deals of a whole table come from.

    Raises
    ------
    TableError
        If it is only a part of one.
    """
    if "sources" not in file.facts:
        raise TableError("it is a part of a table: expected a whole one")
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


def seed_at(place: Path) -> int | None:
    """Return the seed of the table, or of the parts of it, that are at a place; None if none are.

    Raises
    ------
    TableError
        If the table's file is damaged.
    """
    if place.is_file():
        with TableFile(place) as file:
            return sources_of(file)[0].seed
    for path in sorted(_folder_of(place).glob("*.parquet")):
        with suppress(TableError), TableFile(path) as file:
            return int(file.facts["seed"])
    return None


def _folder_of(place: Path) -> Path:
    """Return where the parts of a table are kept."""
    return place.with_name(place.name + ".parts")
