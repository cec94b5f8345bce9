"""Where a bidding table is kept: a file of the whole table, and the parts that are to go into it.

Beside `NAME` the folder `NAME.parts` holds what is counted and not yet in the file, each part some
rows over some deals. A part is there whole or not at all, and so is the file. When all parts are
there the file is written anew with them, and only then are they removed.
"""

from __future__ import annotations

import os
import re
from bisect import bisect
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, Any, NamedTuple, Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pitchsim.errors import OutputError, TableError, quoted_path
from pitchsim.tables.form import (
    Part,
    Source,
    Span,
    added,
    block_of,
    counts_in,
    file_facts,
    schema_of,
    sources_of,
    spans,
)
from pitchsim.tables.provenance import provenance
from pitchsim.tables.tablefile import TableFile, TableWriter
from pitchsim.tables.tablestudy import TableStudy, first_difference
from pitchsim.wholefile import UNFINISHED, clear_leftovers, lock_file


class AnotherTableError(TableError):
    """A table that is not the one that was asked for."""

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
        with self._lock():
            try:
                yield
            finally:
                with suppress(OSError):  # what is in it keeps the folder
                    (self.folder / LOCK).unlink()
                    self.folder.rmdir()

    def _lock(self) -> IO[bytes]:
        while True:
            self.folder.mkdir(exist_ok=True)
            with suppress(FileNotFoundError), ExitStack() as stack:
                lock = stack.enter_context((self.folder / LOCK).open("wb"))
                try:
                    lock_file(lock)
                except (BlockingIOError, PermissionError):
                    raise TableError(
                        f"somebody else is at work on {quoted_path(self.place)}: expected one at a "
                        "time"
                    ) from None
                except OSError:  # a file system without locks
                    pass
                # Whoever held it removed it at the end; a lock that nobody finds locks nothing.
                if os.path.samestat(os.fstat(lock.fileno()), (self.folder / LOCK).stat()):
                    stack.pop_all()
                    return lock

    def missing(self, deals: int) -> list[Part]:
        """List what is yet to be counted until there are so many deals of every row."""
        return [
            Part(rows, span)
            for rows in spans(self.study.rows.count, self.study.rows_a_part)
            for span in self._covered(rows, deals).missing
        ]

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
            writer.write(block_of(self.study, part.rows, counts, part.deals.end - part.deals.first))
            writer.finish(facts, provenance("", seconds))
        self._parts[part.rows][part.deals] = place

    def finish(self, deals: int, command: str) -> None:
        """Write the file, with so many deals of every row, and remove the parts that are in it."""
        source = Source(self.study.seed, Span(0, deals))
        seconds = 0.0
        with ExitStack() as stack:
            before: Iterator[pa.Table] = iter(())
            if self.finished:
                file = stack.enter_context(TableFile(self.place))
                before, seconds = file.blocks(), file.provenance["seconds"]
            writer = stack.enter_context(TableWriter(self.place, self._schema))
            for rows in spans(self.study.rows.count, self.study.rows_a_block):
                counts = []
                for first in range(rows.first, rows.end, self.study.rows_a_part):
                    part_rows = Span(first, min(first + self.study.rows_a_part, rows.end))
                    counted, took = self._counts(part_rows, deals)
                    counts.append(counted)
                    seconds += took
                block = block_of(self.study, rows, np.concatenate(counts), deals - self.finished)
                writer.write(added([block, next(before)]) if self.finished else block)
            writer.finish(file_facts(self.study.facts, [source]), provenance(command, seconds))
        self.finished = deals
        self._remove_parts()

    def _remove_parts(self) -> None:
        """Remove the parts that are in the file, and those of which some deals are."""
        with self._naming_the_folder():
            for parts in self._parts.values():
                for span in [span for span in parts if span.first < self.finished]:
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
        # A part of which some deals are in the file cannot be added to it. There may be such parts
        # where the file was finished with fewer deals, and all are at a moment after it was.
        if part.deals.first < self.finished:
            path.unlink()
        else:
            self._parts[part.rows][part.deals] = path

    def _part_in(self, file: TableFile, path: Path) -> Part:
        """Say which part of this table a file holds."""
        facts = file.facts
        if not {"study", "seed", "rows", "deals"} <= facts.keys():
            raise AnotherTableError(
                f"{quoted_path(path)} is no part of a table: expected nothing else there"
            )
        self._refuse_another(facts["study"], facts["seed"], path)
        part = Part(Span(*facts["rows"]), Span(*facts["deals"]))
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
            with TableFile(self.place) as file:
                sources = sources_of(file)
                if len(sources) > 1:
                    raise AnotherTableError(
                        f"{quoted_path(self.place)} was combined from {len(sources)} tables: "
                        "expected one of a single seed; add deals to those, and combine them again"
                    )
                (source,) = sources
                self._refuse_another(file.facts["study"], source.seed, self.place)
                file.verify()
                return source.deals.end
        except AnotherTableError:
            raise
        except TableError as error:
            raise TableError(f"{error}; if you move it away, all is counted again") from None

    def _refuse_another(self, facts: Mapping[str, Any], seed: int, path: Path) -> None:
        difference = first_difference(
            {**facts, "seed": seed}, {**self.study.facts, "seed": self.study.seed}
        )
        if difference is not None:
            raise AnotherTableError(f"{quoted_path(path)} is of another table: {difference} here")

    def _covered(self, rows: Span, deals: int) -> _Covered:
        """Divide the deals of some rows that are not in the file, up to so many."""
        ends = {first: end for first, end in sorted(self._parts[rows]) if end <= deals}
        firsts = sorted(ends)
        covered = _Covered([], [])
        at = self.finished
        while at < deals:
            if at in ends:
                span, spans_there = Span(at, ends[at]), covered.there
            else:
                ahead = firsts[bisect(firsts, at) :][:1]
                end = min([at + self.study.deals_a_part, deals, *ahead])
                span, spans_there = Span(at, end), covered.missing
            spans_there.append(span)
            at = span.end
        return covered

    def _counts(self, rows: Span, deals: int) -> tuple[NDArray[np.int64], float]:
        """Add up the parts of some rows, and the seconds that they took."""
        covered = self._covered(rows, deals)
        if covered.missing:
            raise AssertionError(f"not counted: rows {rows}, deals {covered.missing}")
        total, seconds = np.zeros((), np.int64), 0.0
        for span in covered.there:
            with TableFile(self._parts[rows][span]) as file:
                (block,) = file.blocks()
                total = total + counts_in(block, self.study)
                seconds += file.provenance["seconds"]
        return total, seconds


class _Covered(NamedTuple):
    """The deals of some rows: what there are parts of, and what is yet to be counted."""

    there: list[Span]
    missing: list[Span]


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
    for path in sorted(_folder_of(place).glob("rows-*.parquet")):
        with suppress(TableError, KeyError), TableFile(path) as file:
            return int(file.facts["seed"])
    return None


#: What keeps others out of the folder of parts.
LOCK = "lock"
_PART = re.compile(r"rows-\d+-\d+\.deals-\d+-\d+\.parquet")


def _name_of(part: Part) -> str:
    rows, deals = part
    return f"rows-{rows.first:08}-{rows.end:08}.deals-{deals.first}-{deals.end}.parquet"


def _folder_of(place: Path) -> Path:
    """Return where the parts of a table are kept: beside the file, even if a link leads to it."""
    file = Path(os.path.realpath(place)) if place.is_symlink() else place
    return file.with_name(file.name + ".parts")
