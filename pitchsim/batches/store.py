"""Where a batch is kept: a folder with its results, and the parts that are to go into them.

The folder `parts` holds what is evaluated and not yet in the results. A part has some hands of one
case, and is there whole or not at all; so are the results. When all parts are there the results
are written anew with them, and only then are they removed.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO, Any, Self

import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from pitchsim.batches.batch import Batch, BatchError, Case, difference_to
from pitchsim.batches.hands import BadLine, Hands
from pitchsim.batches.worthframe import (
    facts_in,
    found_schema,
    hands_in,
    schema_of,
    tables_of,
    with_facts,
)
from pitchsim.errors import OutputError, quoted_path
from pitchsim.study import random_seed
from pitchsim.tables.rows import hand_texts
from pitchsim.wholefile import LOCK, UNFINISHED, WholeFile, alone_in, cannot_write, clear_leftovers
from pitchsim.wording import counted

WORTH, WORTH_CSV = "worth.parquet", "worth.csv"
BAD_LINES, ABOUT = "bad-lines.csv", "batch.json"
PARTS = "parts"
RESULTS = (WORTH, WORTH_CSV, BAD_LINES, ABOUT)


class DamagedError(BatchError):
    """A file that is not what was written."""

    exit_status = 1


class BatchStore:
    """The folder of one batch.

    A context manager that keeps others from working in the same folder.

    Parameters
    ----------
    folder
        Where it is, or shall be.
    batch, hands
        What is evaluated. What is there already must all belong to it.
    tell
        Is told of damage that was found, and of what is done about it.

    Raises
    ------
    BatchError
        If there is another batch, or somebody is at work on it.
    OutputError
        If nothing can be written there.
    """

    def __init__(
        self, folder: Path, batch: Batch, hands: Hands, tell: Callable[[str], None]
    ) -> None:
        self.folder = folder
        self.batch = batch
        self.hands = hands
        self._tell = tell
        self._parts_folder = folder / PARTS
        self._stack = ExitStack()
        self._parts: defaultdict[Case, list[Path]] = defaultdict(list)
        self._in_results: set[Case] = set()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
                stack.enter_context(alone_in(self._parts_folder))
                self._look()
            except BlockingIOError:
                raise BatchError(
                    f"somebody else is at work in {quoted_path(self.folder)}: expected one at a "
                    "time"
                ) from None
            except OSError as error:
                raise _cannot_work_in(self.folder, error) from None
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def done(self, case: Case) -> set[str]:
        """Say which hands are evaluated."""
        return set(hands_in(self.found(case), case))

    def keep(self, case: Case, found: pa.Table) -> None:
        """Keep what was found of some hands."""
        hands = " ".join(hands_in(found, case))
        identity = case.identity(self.batch.seed)
        name = f"{identity}-{hashlib.sha256(hands.encode()).hexdigest()[:16]}.parquet"
        place = self._parts_folder / name
        schema = with_facts(found_schema(case, self.batch), case.facts(self.batch.seed))
        try:
            with WholeFile(place) as file:
                _write(found.select(schema.names).cast(schema), file)
        except OSError as error:
            raise _cannot_work_in(self._parts_folder, error) from None
        self._parts[case].append(place)

    def found(self, case: Case) -> pa.Table:
        """Read what was found of a case, in whatever order."""
        schema = found_schema(case, self.batch)
        tables = [read_table(place, schema.names) for place in self._parts[case]]
        if case in self._in_results:
            ours = [("rules", "=", case.rules.name), ("play", "=", case.play)]
            tables.append(read_table(self.folder / WORTH, schema.names, filters=ours))
        return pa.concat_tables([table.cast(schema) for table in tables] or [schema.empty_table()])

    def finish(self, about: Mapping[str, Any]) -> None:
        """Write the results, when every hand of every case is there, and remove the parts."""
        schema = schema_of(self.batch)
        facts = {"cases": self.batch.facts(), "hands": self.hands.digest}
        try:
            with (
                WholeFile(self.folder / WORTH) as file,
                WholeFile(self.folder / WORTH_CSV) as text,
                _Writer(file, with_facts(schema, facts)) as writer,
            ):
                text.write(f"{','.join(schema.names)}\n".encode())
                for case in self.batch.cases:
                    for table in tables_of(case, self.hands, self.found(case), schema):
                        writer.write_table(table)
                        _write_csv(table, text)
            self._write_bad_lines()
            with WholeFile(self.folder / ABOUT) as file:
                file.write(f"{json.dumps(about, indent=2)}\n".encode())
            for place in [place for places in self._parts.values() for place in places]:
                place.unlink(missing_ok=True)
        except OSError as error:
            raise _cannot_work_in(self.folder, error) from None
        self._parts.clear()
        self._in_results = set(self.batch.cases)

    def _write_bad_lines(self) -> None:
        place = self.folder / BAD_LINES
        if not self.hands.bad:
            place.unlink(missing_ok=True)
            return
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([BadLine._fields, *self.hands.bad])
        with WholeFile(place) as file:
            file.write(text.getvalue().encode("utf-8", "backslashreplace"))

    def _look(self) -> None:
        """See what is there, and refuse what does not belong to this batch."""
        for name in RESULTS:
            clear_leftovers(self.folder / name)
        cases = {case.identity(self.batch.seed): case for case in self.batch.cases}
        results = self.folder / WORTH
        if not holds_hands(self.folder):
            self._refuse_to_overwrite()
        if results.exists():
            facts = facts_in(results, "cases")
            for there in facts["cases"]:
                self._refuse_another(there, results)
            self._in_results = {
                case for case in self.batch.cases if case.facts(self.batch.seed) in facts["cases"]
            }
        for place in sorted(self._parts_folder.iterdir()):
            if place.name.startswith(".") and place.name.endswith(UNFINISHED):
                place.unlink()
            elif place.suffix == ".parquet":
                self._look_at(place, cases.get(place.name.partition("-")[0]))
            elif place.name != LOCK:
                self._tell(f"{quoted_path(place)} is no part of a batch: it is left alone")
        self._refuse_to_lose_hands()

    def _look_at(self, place: Path, case: Case | None) -> None:
        """Take up a part, or throw it away if it is damaged."""
        if case is None:
            self._refuse_another(facts_in(place, "seed"), place)
            raise BatchError(f"{quoted_path(place)} is not what its name says")
        try:
            read_table(place, found_schema(case, self.batch).names)
        except DamagedError:
            self._tell(f"{quoted_path(place)} is damaged: its hands are evaluated again")
            place.unlink()
            return
        self._parts[case].append(place)

    def _refuse_another(self, facts: Mapping[str, Any], place: Path) -> None:
        difference = difference_to(facts, self.batch)
        if difference is not None:
            raise BatchError(
                f"{quoted_path(place)} is of another batch: {difference}; expected the same batch, "
                "or more hands, rules or plays than there, or another folder"
            )

    def _refuse_to_overwrite(self) -> None:
        """Refuse files of somebody else's that have the names of results."""
        for place in files_in(self.folder):
            raise BatchError(
                f"{quoted_path(place)} is there, and no batch with it: expected another folder, or "
                "that file moved away"
            )

    def _refuse_to_lose_hands(self) -> None:
        for case in self.batch.cases:
            asked = set(hand_texts(self.hands.under(case.rules)[1]))
            lost = self.done(case) - asked
            if lost:
                place = self.folder / WORTH if case in self._in_results else self._parts_folder
                raise BatchError(
                    f"{quoted_path(place)} is of other hands: "
                    f"{counted(len(lost), 'hand')} of those there, such as {min(lost)}, are not "
                    "asked for here; expected the same hands or more, or another folder"
                )


class _Writer(pq.ParquetWriter):  # type: ignore[misc]
    """Writes Parquet whose damage is noticed."""

    def __init__(self, file: IO[bytes], schema: pa.Schema) -> None:
        super().__init__(file, schema, compression="zstd", write_page_checksum=True)


def _write(table: pa.Table, file: IO[bytes]) -> None:
    with _Writer(file, table.schema) as writer:
        writer.write_table(table)


def read_table(place: Path, names: list[str] | None = None, filters: object = None) -> pa.Table:
    """Read some columns, or all.

    Raises
    ------
    DamagedError
        If they are not what was written.
    """
    try:
        table = pq.read_table(
            place, columns=names, filters=filters, page_checksum_verification=True
        )
        return table.select(names or table.column_names).replace_schema_metadata()
    except (pa.ArrowException, OSError, KeyError):
        raise DamagedError(
            f"{quoted_path(place)} is damaged: expected what was written; if you move it away, all "
            "is evaluated again"
        ) from None


def _write_csv(table: pa.Table, file: IO[bytes]) -> None:
    """Write rows of CSV, with quotes only if a rule set's name needs them."""
    needed = any(sign in name for name in table["rules"].unique().to_pylist() for sign in '",\r\n')
    pacsv.write_csv(
        table,
        file,
        pacsv.WriteOptions(include_header=False, quoting_style="needed" if needed else "none"),
    )


def _cannot_work_in(folder: Path, error: OSError) -> OutputError:
    return cannot_write(folder, error.strerror or str(error))


def files_in(folder: Path) -> list[Path]:
    """Name the results that are there."""
    return [folder / name for name in RESULTS if (folder / name).exists()]


def check_folder(folder: Path) -> None:
    """Refuse a place where no folder can be made or written, before any work is done for it.

    Raises
    ------
    OutputError
        Saying what is in the way.
    """
    try:
        there = next(place for place in (folder, *folder.parents) if place.exists())
        if not there.is_dir():
            raise cannot_write(folder, f"{quoted_path(there)} is no folder; expected one")
        if not os.access(there, os.W_OK | os.X_OK):
            raise cannot_write(folder, "permission denied")
    except (OSError, ValueError) as error:  # a name too long, or one with a null character
        raise cannot_write(folder, getattr(error, "strerror", None) or str(error)) from None


def seed_in(folder: Path) -> int:
    """Return the seed of the results, or of the parts of them, in a folder; else one at random.

    Raises
    ------
    BatchError
        If what is there is no batch.
    """
    if (folder / WORTH).exists():
        facts = facts_in(folder / WORTH, "cases")["cases"][0]
    else:
        facts = next(_facts_of_parts(folder), {"seed": random_seed()})
    seed: int = facts["seed"]
    return seed


def _facts_of_parts(folder: Path) -> Iterator[Mapping[str, Any]]:
    """Give what the parts say they are of, but for those that are damaged."""
    for place in sorted(_parts_in(folder)):
        with suppress(BatchError):
            yield facts_in(place, "seed")


def _parts_in(folder: Path) -> Iterator[Path]:
    return (folder / PARTS).glob("[!.]*.parquet")


def holds_hands(folder: Path) -> bool:
    """Say whether there are results in a folder, or parts of them."""
    return (folder / WORTH).exists() or any(_parts_in(folder))
