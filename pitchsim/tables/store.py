"""Where a bidding table is kept: a file of the whole table, and the parts that are to go into it.

Beside `NAME` the folder `NAME.parts` holds what is counted and not yet in the file, each part some
rows over some deals. A part is there whole or not at all, and so is the file. When all parts are
there the file is written anew with them, and only then are they removed.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import Any, Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pitchsim.errors import OutputError, TableError, quoted_path
from pitchsim.tables.form import (
    Part,
    Source,
    Span,
    WholeTable,
    added,
    block_of,
    counts_in,
    file_facts,
    has_deals,
    is_seed,
    schema_of,
    span_in,
    spans,
)
from pitchsim.tables.provenance import provenance, seconds_in
from pitchsim.tables.tablefile import TableFile, TableWriter
from pitchsim.tables.tablestudy import TableStudy, first_difference
from pitchsim.wholefile import LOCK, UNFINISHED, alone_in, clear_leftovers
from pitchsim.wording import counted


class AnotherTableError(TableError):
    """A table that is not the one that was asked for."""

    exit_status = 2


class LostDealsError(TableError):
    """So few deals were asked for that others, which are counted, would be lost."""

    exit_status = 2


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
        with self._naming_the_folder(), ExitStack() as stack:
            stack.enter_context(self._alone())
            self._look()
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep others out of the folder; it is removed at the end if no parts are left in it."""
        with ExitStack() as stack:
            try:
                stack.enter_context(alone_in(self.folder))
            except BlockingIOError:
                raise TableError(
                    f"somebody else is at work on {quoted_path(self.place)}: expected one at a time"
                ) from None
            yield

    def refuse_to_lose(self, deals: int) -> None:
        """Refuse to finish a table with so many deals if that would lose some that are counted.

        A part cannot be divided, and one that begins in the file is of no use any more.

        Raises
        ------
        LostDealsError
            Saying with how many deals nothing is lost.
        """
        spans_there = [span for parts in self._parts.values() for span in parts]
        lost = sum(span.first < deals < span.end for span in spans_there)
        if lost:
            most = max(span.end for span in spans_there)
            raise LostDealsError(
                f"{counted(deals, 'deal')} of every row are too few: {counted(lost, 'part')} in "
                f"{quoted_path(self.folder)} would be lost, for there up to {most:,} are counted; "
                f"expected {most:,} deals or more, or the folder moved away"
            )

    def missing(self, deals: int) -> Iterator[Part]:
        """Find what is yet to be counted until there are so many deals of every row."""
        for rows in spans(self.study.rows.count, self.study.rows_a_part):
            for gap in self._gaps(rows, deals):
                for first in range(gap.first, gap.end, self.study.deals_a_part):
                    yield Part(rows, Span(first, min(first + self.study.deals_a_part, gap.end)))

    def deals_there(self, deals: int) -> int:
        """Count the deals of all rows together that there are, of so many of every row."""
        in_parts = sum(
            _size(rows) * sum(map(_size, self._used(rows, deals))) for rows in list(self._parts)
        )
        return self.study.rows.count * min(self.finished, deals) + in_parts

    def add(self, part: Part, counts: NDArray[np.int64], seconds: float) -> None:
        """Keep the counts of a part, int64[records, plays, columns], and how long they took."""
        place = self.folder / _name_of(part)
        facts = {
            "study": self.study.facts,
            "seed": self.study.seed,
            "rows": part.rows,
            "deals": part.deals,
        }
        with TableWriter(place, self._schema) as writer:
            writer.write(block_of(self.study, part.rows, counts, _size(part.deals)))
            writer.finish(facts, provenance("", seconds))
        self._parts[part.rows][part.deals] = place

    def finish(self, deals: int, command: str) -> None:
        """Write the file, with so many deals of every row, and remove the parts that are in it."""
        source = Source(self.study.seed, Span(0, deals))
        seconds = 0.0
        with ExitStack() as stack:
            before: Iterator[pa.Table] = iter(())
            if self.finished:
                file = stack.enter_context(WholeTable(self.place))
                before, seconds = file.blocks(), file.seconds
            writer = stack.enter_context(TableWriter(self.place, self._schema))
            for rows in spans(self.study.rows.count, self.study.rows_a_block):
                counts = []
                for first in range(rows.first, rows.end, self.study.rows_a_part):
                    part_rows = Span(first, min(first + self.study.rows_a_part, rows.end))
                    counted, took = self._counts(part_rows, deals)
                    counts.append(counted)
                    seconds += took
                block = block_of(self.study, rows, np.concatenate(counts), deals - self.finished)
                writer.write(self._added(block, before) if self.finished else block)
            writer.finish(file_facts(self.study.facts, [source]), provenance(command, seconds))
        self.finished = deals
        self._remove_parts()

    def _added(self, block: pa.Table, before: Iterator[pa.Table]) -> pa.Table:
        """Add a block to the one that the file has of the same rows."""
        try:
            return added([block, next(before)])
        except (StopIteration, ValueError):
            raise TableError(
                f"cannot use the table {quoted_path(self.place)}: it has not the rows of its study"
            ) from None

    def _remove_parts(self) -> None:
        """Remove the parts whose deals are all in the file."""
        with self._naming_the_folder():
            for parts in self._parts.values():
                for span in [span for span in parts if span.end <= self.finished]:
                    parts.pop(span).unlink()

    @property
    def _schema(self) -> pa.Schema:
        return schema_of(self.study)

    @contextmanager
    def _naming_the_folder(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            reason = error.strerror or str(error)
            raise OutputError(f"cannot work in {quoted_path(self.folder)}: {reason}") from None

    def _look(self) -> None:
        """See what is there, and throw away what is damaged or no longer needed."""
        clear_leftovers(self.place)
        if self.place.exists():
            if not self.place.is_file():
                raise AnotherTableError(f"{quoted_path(self.place)} is no plain file")
            self.finished = self._deals_in_file()
        for path in sorted(self.folder.iterdir()):
            if path.name.startswith(".rows-") and path.name.endswith(UNFINISHED):
                path.unlink()
            elif _PART.fullmatch(path.name):
                self._look_at(path)
            elif path.name != LOCK:
                self._tell(f"{quoted_path(path)} is no part of the table: it is left alone")

    def _look_at(self, path: Path) -> None:
        """Take up a part, or throw it away."""
        try:
            with TableFile(path) as file:
                part = self._part_in(file, path)
                file.verify()
        except AnotherTableError:
            raise
        except TableError as error:
            self._tell(f"{error}; it is counted again")
            path.unlink()
            return
        if part.deals.end <= self.finished:  # whoever finished the file did not get to remove it
            path.unlink()
        elif part.deals.first < self.finished:
            self._tell(
                f"{quoted_path(path)} has deals that are in the table and others that are not: it "
                "cannot be added, and is left alone"
            )
        else:
            self._parts[part.rows][part.deals] = path

    def _part_in(self, file: TableFile, path: Path) -> Part:
        """Say which part of this table a file holds."""
        study, seed = file.facts.get("study"), file.facts.get("seed")
        no_part = AnotherTableError(
            f"{quoted_path(path)} is no part of a table: expected nothing else there"
        )
        if not isinstance(study, dict) or not isinstance(study.get("rules"), dict):
            raise no_part
        if not is_seed(seed):
            raise no_part
        self._refuse_another(study, seed, path)
        try:
            part = Part(span_in(file.facts.get("rows")), span_in(file.facts.get("deals")))
            seconds_in(file.provenance)
        except ValueError:
            raise no_part from None
        if file.schema != self._schema:
            raise no_part
        if path.name != _name_of(part):
            raise TableError(f"{quoted_path(path)} is not what its name says: {_name_of(part)}")
        first, size = part.rows.first, self.study.rows_a_part
        if first % size or part.rows.end != min(first + size, self.study.rows.count):
            raise TableError(
                f"{quoted_path(path)} is of rows that are not counted together: expected {size}"
            )
        return part

    def _deals_in_file(self) -> int:
        """Say how many deals of this study the file holds."""
        try:
            with WholeTable(self.place) as file:
                source = file.sources[0]
                if file.sources != [Source(source.seed, Span(0, file.deals))]:
                    raise AnotherTableError(
                        f"{quoted_path(self.place)} was combined from {len(file.sources)} tables: "
                        "expected one of a single seed; add deals to those, and combine them again"
                    )
                self._refuse_another(file.study.facts, source.seed, self.place)
                file.verify()
                return file.deals
        except AnotherTableError:
            raise
        except TableError as error:
            raise TableError(f"{error}; if you move it away, all is counted again") from None

    def _refuse_another(self, facts: Mapping[str, Any], seed: int, path: Path) -> None:
        difference = first_difference(
            {**facts, "seed": seed},
            {**self.study.facts, "seed": self.study.seed},
            ("there", "here"),
        )
        if difference is not None:
            raise AnotherTableError(f"{quoted_path(path)} is of another table: {difference}")

    def _used(self, rows: Span, deals: int) -> list[Span]:
        """Choose parts of some rows, in order, of which no two have deals in common."""
        ends = {first: end for first, end in sorted(self._parts[rows]) if end <= deals}
        used: list[Span] = []
        at = self.finished
        for first, end in ends.items():
            if first >= at:
                used.append(Span(first, end))
                at = end
        return used

    def _gaps(self, rows: Span, deals: int) -> list[Span]:
        """Find the deals of some rows that are neither in the file nor in a part, up to so many."""
        there = [Span(0, self.finished), *self._used(rows, deals), Span(deals, deals)]
        between = (Span(one.end, other.first) for one, other in pairwise(there))
        return [span for span in between if span.first < span.end]

    def _counts(self, rows: Span, deals: int) -> tuple[NDArray[np.int64], float]:
        """Add up the parts of some rows, and the seconds that they took."""
        if gaps := self._gaps(rows, deals):
            raise AssertionError(f"not counted: rows {rows}, deals {gaps}")
        total, seconds = np.zeros((), np.int64), 0.0
        for span in self._used(rows, deals):
            with TableFile(self._parts[rows][span]) as file:
                block, *others = file.blocks()
                if others or not has_deals(block, _size(span)):
                    raise file.error("its records are not those that its facts say")
                total = total + counts_in(block, self.study)
                seconds += seconds_in(file.provenance)
        return total, seconds


def _size(span: Span) -> int:
    return span.end - span.first


def seed_at(place: Path) -> int | None:
    """Return the seed of the table, or of the parts of it, that are at a place; None if none are.

    Raises
    ------
    TableError
        If the table's file is damaged.
    """
    if place.is_file():
        with WholeTable(place) as file:
            return file.study.seed
    for path in sorted(_folder_of(place).glob("rows-*.parquet")):
        with suppress(TableError), TableFile(path) as file:
            if is_seed(seed := file.facts.get("seed")):
                return seed
    return None


_PART = re.compile(r"rows-\d+-\d+\.deals-\d+-\d+\.parquet")


def _name_of(part: Part) -> str:
    rows, deals = part
    return f"rows-{rows.first:08}-{rows.end:08}.deals-{deals.first}-{deals.end}.parquet"


def _folder_of(place: Path) -> Path:
    """Return where the parts of a table are kept: beside the file, even if a link leads to it."""
    file = Path(os.path.realpath(place)) if place.is_symlink() else place
    return file.with_name(file.name + ".parts")
