"""One file of a table: Parquet that holds whole numbers, and says what decides them.

Any reader of Parquet can read it. Its rows stand in blocks (row groups), and its metadata holds,
each under a key that begins with `pitchsim.`:

=============  ====================================================================================
`facts`        JSON: what decides the data
`provenance`   JSON: how it came to be (versions, command, seconds); the data do not depend on it
`digest`       the SHA-256 of the data: names and types of the columns, and the values block by
               block, whatever wrote them
`blocks`       JSON: `[first byte, byte after the last, SHA-256 of the bytes]` of each block
`seal`         the SHA-256 of the whole footer, with zeros in the place of the seal
=============  ====================================================================================

Parquet's own page checksums are there for other readers. They leave the page headers and the footer
open, where one altered bit can pass another column off as this one, or hide rows from a search.
The seal and the blocks' sums cover every byte, and are checked before anything is decoded.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from pitchsim.errors import OutputError, TableError, quoted_path
from pitchsim.wholefile import WholeFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

ROW = "row"

_MAGIC = b"PAR1"
_TAIL = 4 + len(_MAGIC)  # the length of the footer, and the magic again
_SEAL = b"SHA-256 of this footer with zeros here: "
_ZEROS = b"0" * 64


class Block(NamedTuple):
    """Where in the file the rows of one block lie: from byte `start` to before byte `end`."""

    start: int
    end: int
    sha256: str


def table_schema(columns: Iterable[str]) -> pa.Schema:
    """Describe a table of 64-bit whole numbers, none of them missing."""
    return pa.schema([pa.field(name, pa.int64(), nullable=False) for name in columns])


def make_block(schema: pa.Schema, columns: Mapping[str, ArrayLike]) -> pa.Table:
    """Make a block of rows from arrays.

    Other than `pyarrow.table` it does not load pandas, which takes half a second.

    Raises
    ------
    TypeError
        If an array does not hold numbers of its column's type.
    """
    arrays = []
    for field in schema:
        values = np.asarray(columns[field.name]).astype(str(field.type), casting="safe")
        arrays.append(pa.Array.from_buffers(field.type, len(values), [None, pa.py_buffer(values)]))
    return pa.Table.from_arrays(arrays, schema=schema)


def column_values(block: pa.Table, name: str) -> NDArray[Any]:
    """Return the numbers of a column, without loading pandas (as pyarrow's `to_numpy` does)."""
    column = block.column(name)
    kind = np.dtype(str(column.type))
    chunks = [
        np.frombuffer(chunk.buffers()[1], kind, len(chunk), chunk.offset * kind.itemsize)
        for chunk in column.chunks
        if len(chunk)
    ]
    return np.concatenate(chunks) if chunks else np.empty(0, kind)


class TableWriter:
    """Writes a table file, as a context manager: `write` each block, then `finish`.

    Nothing is at `place` before :meth:`finish`, and nothing ever if it is not called or fails.

    Parameters
    ----------
    place : path
    schema : pyarrow.Schema
        Columns of whole numbers, none nullable, one of them `row`: see :func:`table_schema`.

    Raises
    ------
    OutputError
        From each method, if the file cannot be written.
    """

    def __init__(self, place: str | os.PathLike[str], schema: pa.Schema) -> None:
        if ROW not in schema.names or any(
            field.nullable or not pa.types.is_integer(field.type) for field in schema
        ):
            raise TypeError(f"expected whole numbers that are not nullable, and {ROW!r}: {schema}")
        self._place = place
        self._digest = _Digest(schema)
        self._blocks: list[Block] = []
        with self._naming_the_file():
            self._whole = WholeFile(place)
        self._file = self._whole.file
        # Tried on 50,000 rows of 12 counts up to 1,000 and 3 sums of squares: a higher level of
        # zstd saves nothing and takes longer; without dictionaries the file is a sixth larger and
        # takes three times as long to read; differences suit `row`, which only rises.
        self._parquet = parquet.ParquetWriter(
            self._file,
            schema,
            compression="zstd",
            compression_level=1,
            use_dictionary=[name for name in schema.names if name != ROW],
            column_encoding={ROW: "DELTA_BINARY_PACKED"},
            write_statistics=[ROW],
            write_page_checksum=True,
            store_schema=False,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        with suppress(Exception):  # it would end its file when it is collected, with complaints
            self._parquet.close()
        self._whole.discard()

    def write(self, block: pa.Table) -> None:
        """Write a block of rows as one row group."""
        with self._naming_the_file():
            start = self._file.tell()
            self._parquet.write_table(block, row_group_size=max(len(block), 1))
            end = self._file.tell()
            self._blocks.append(Block(start, end, _sha256(self._file, start, end)))
            self._file.seek(end)
        self._digest.add(block)

    def finish(self, facts: Mapping[str, object], provenance: Mapping[str, object]) -> None:
        """Write the metadata and have the file at its place."""
        with self._naming_the_file():
            self._parquet.add_key_value_metadata(
                {
                    "pitchsim.facts": json.dumps(facts, allow_nan=False),
                    "pitchsim.provenance": json.dumps(provenance, allow_nan=False),
                    "pitchsim.digest": self._digest.hexdigest(),
                    "pitchsim.blocks": json.dumps(self._blocks),
                    "pitchsim.seal": _SEAL + _ZEROS,  # the last: see _find_seal
                }
            )
            start = self._file.tell()
            self._parquet.close()
            self._file.seek(start)
            footer = self._file.read()[:-_TAIL]
            seal = _find_seal(footer)
            self._file.seek(start + seal)
            self._file.write(_seal_of(footer, seal))
            self._whole.commit()

    @contextmanager
    def _naming_the_file(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            reason = error.strerror or str(error)
            raise OutputError(f"cannot write {quoted_path(self._place)}: {reason}") from None


class TableFile:
    """A table file, open for reading; also a context manager that closes it.

    Opening reads only the footer, and checks it. Each block's bytes are checked before they are
    decoded, so that what is read is what was written, or there is an error. One thread at a time.

    Parameters
    ----------
    place : path

    Attributes
    ----------
    place : path
    facts, provenance : dict
        What decides the data, and how they came to be.
    digest : str
        The SHA-256 of the data.
    rows : int
        How many records there are.
    schema : pyarrow.Schema

    Raises
    ------
    TableError
        From each method, naming the file and what is wrong with it.
    """

    def __init__(self, place: str | os.PathLike[str]) -> None:
        self.place = place
        with self._naming_the_file():
            self._file = Path(place).open("rb")  # noqa: SIM115  (it stays open)
        try:
            with self._naming_the_file():
                self._open()
        except BaseException:
            self.close()
            raise

    def _open(self) -> None:
        footer_start = _check_footer(self._file)
        self._parquet = parquet.ParquetFile(self._file, page_checksum_verification=True)
        metadata = self._parquet.metadata.metadata
        self.facts = _mapping(metadata, "facts")
        self.provenance = _mapping(metadata, "provenance")
        self.digest: str = metadata[b"pitchsim.digest"].decode()
        self.rows: int = self._parquet.metadata.num_rows
        self.schema: pa.Schema = self._parquet.schema_arrow
        self._blocks = [Block(*block) for block in json.loads(metadata[b"pitchsim.blocks"])]
        ends = [len(_MAGIC), *(block.end for block in self._blocks)]
        if [*(block.start for block in self._blocks), footer_start] != ends:
            raise ValueError("there are bytes in it that belong to no block")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def blocks(self) -> Iterator[pa.Table]:
        """Read every block, in order."""
        return map(self._block, range(len(self._blocks)))

    def find(self, rows: Sequence[int] | NDArray[np.integer[Any]]) -> pa.Table:
        """Read the records whose `row` is among these, in the order in which the file has them.

        Only blocks that may hold them are read. A row that is not in the file gives no record.
        """
        wanted = np.array(sorted(set(np.asarray(rows, dtype=np.int64).tolist())), dtype=np.int64)
        blocks = (self._block(index) for index in self._holding(wanted))  # one at a time
        picked = [_picked(block, np.isin(column_values(block, ROW), wanted)) for block in blocks]
        return pa.concat_tables([pa.Table.from_batches([], self.schema), *picked])

    def verify(self) -> None:
        """Read everything, and check that it is the data that the digest was made of."""
        digest = _Digest(self.schema)
        for block in self.blocks():
            digest.add(block)
        if digest.hexdigest() != self.digest:
            raise self.error("its data are not those that its digest was made of")

    def _block(self, index: int) -> pa.Table:
        block = self._blocks[index]
        with self._naming_the_file():
            if _sha256(self._file, block.start, block.end) != block.sha256:
                raise ValueError(
                    f"block {index + 1} of {len(self._blocks)} is damaged, somewhere in bytes "
                    f"{block.start:,} to {block.end:,}"
                )
            # After reading with threads from a file of Python's, the process may hang or abort at
            # its end: https://github.com/apache/arrow/issues/50482
            return self._parquet.read_row_group(index, use_threads=False)

    def _holding(self, wanted: NDArray[np.int64]) -> Iterator[int]:
        """Name the blocks between whose least and greatest `row` some of the wanted lie."""
        column = self.schema.get_field_index(ROW)
        for index in range(len(self._blocks)):
            group = self._parquet.metadata.row_group(index)
            if not group.num_rows:
                continue
            statistics = group.column(column).statistics
            first = np.searchsorted(wanted, statistics.min)
            if first < len(wanted) and wanted[first] <= statistics.max:
                yield index

    def error(self, reason: str) -> TableError:
        """Make the error that names this file and what is wrong with it."""
        return TableError(f"cannot use the table {quoted_path(self.place)}: {reason}")

    @contextmanager
    def _naming_the_file(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise self.error(error.strerror or str(error)) from None
        except (ValueError, KeyError, TypeError, pa.ArrowException) as error:
            raise self.error(str(error)) from None


class _Digest:
    """The SHA-256 of data, as they are added block by block."""

    def __init__(self, schema: pa.Schema) -> None:
        columns = [[field.name, str(field.type)] for field in schema]
        self._sha256 = hashlib.sha256(json.dumps(columns).encode())

    def add(self, block: pa.Table) -> None:
        self._sha256.update(len(block).to_bytes(8, "little"))
        for name in block.column_names:
            self._sha256.update(column_values(block, name).data)

    def hexdigest(self) -> str:
        return self._sha256.hexdigest()


def _picked(block: pa.Table, picked: NDArray[np.bool_]) -> pa.Table:
    columns = {name: column_values(block, name)[picked] for name in block.column_names}
    return make_block(block.schema, columns)


def _check_footer(file: IO[bytes]) -> int:
    """Check everything around the blocks; return where the footer starts."""
    size = file.seek(0, os.SEEK_END)
    if size == 0:
        raise ValueError("it is empty")
    file.seek(0)
    if file.read(len(_MAGIC)) != _MAGIC:
        raise ValueError("it is not a Parquet file")
    end = max(size - _TAIL, len(_MAGIC))
    file.seek(end)
    tail = file.read()
    start = end - int.from_bytes(tail[:4], "little")
    if len(tail) < _TAIL or not tail.endswith(_MAGIC) or start < len(_MAGIC):
        raise ValueError("it is cut short, or its last bytes are damaged")
    file.seek(start)
    footer = file.read(end - start)
    seal = _find_seal(footer)
    if seal < 0:
        raise ValueError("it was not written by pitchsim, or its footer is damaged: it has no seal")
    if footer[seal : seal + len(_ZEROS)] != _seal_of(footer, seal):
        raise ValueError("its footer is damaged: the seal does not fit")
    return start


def _find_seal(footer: bytes) -> int:
    """Return where the digits of the seal are, or -1; facts that read alike come before it."""
    place = footer.rfind(_SEAL)
    return place if place < 0 else place + len(_SEAL)


def _seal_of(footer: bytes, seal: int) -> bytes:
    blank = footer[:seal] + _ZEROS + footer[seal + len(_ZEROS) :]
    return hashlib.sha256(blank).hexdigest().encode()


def _sha256(file: IO[bytes], start: int, end: int) -> str:
    file.seek(start)
    return hashlib.sha256(file.read(end - start)).hexdigest()


def _mapping(metadata: Mapping[bytes, bytes], name: str) -> dict[str, Any]:
    try:
        value = json.loads(metadata[f"pitchsim.{name}".encode()])
    except ValueError as error:
        raise ValueError(f"its {name} are not JSON: {error}") from None
    if not isinstance(value, dict):
        raise ValueError(f"its {name} are not a JSON object")
    return value
