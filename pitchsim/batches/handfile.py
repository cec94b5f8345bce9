"""What stands in a file of hands, whatever its form: text, CSV or Parquet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from pitchsim.batches.handlines import HandsError, Line, hand_lines, named, opened
from pitchsim.cards import parse_cards
from pitchsim.errors import CardError, listed, quoted

#: The column that holds the hands.
COLUMN = "hand"
PARQUET_BEGINS = b"PAR1"
#: What may stand between the columns of CSV: spreadsheets write a semicolon in many countries.
SEPARATORS = ",;\t"
#: So many columns are named where none of them is the right one.
MOST_NAMED = 8


class Entry(NamedTuple):
    """What should be a hand, and the number of its line, or of its row in Parquet, from 1."""

    number: int
    text: str | bytes


def read_entries(source: str) -> list[Entry]:
    """Read what should be hands.

    A file of text has a hand a line; blank lines are skipped, and those that begin with `#`. In CSV
    and in Parquet the hands are in the column `hand`, or else in the only one.

    Parameters
    ----------
    source
        The file, or `-` for standard input.

    Raises
    ------
    HandsError
        If it cannot be read, has no such column, or is empty.
    """
    with opened(source) as file:
        data = file.read()
    if data.startswith(PARQUET_BEGINS):
        entries = _of_parquet(data, source)
    elif Path(source).suffix.lower() == ".parquet":
        raise HandsError(f"{named(source)} is no Parquet file, as its name says")
    elif (separator := _separator(data, source)) is not None:
        entries = list(_of_csv(data, source, separator))
    else:
        lines = hand_lines(io.BufferedReader(io.BytesIO(data)))
        entries = [_of_text(line) for batch in lines for line in batch]
    if not entries:
        raise HandsError(f"{named(source)} holds no hand: expected one a line")
    return entries


def _of_text(line: Line) -> Entry:
    try:
        return Entry(line.number, line.decoded())
    except CardError:
        return Entry(line.number, line.text)  # whoever reads the hand says what is wrong with it


def _separator(data: bytes, source: str) -> str | None:
    """Say what stands between the columns, if it is CSV: by its name, or as its first line says."""
    heading = data.lstrip().partition(b"\n")[0].decode("utf-8-sig", "replace").strip()
    separator = max(SEPARATORS, key=heading.count)
    is_named_so = Path(source).suffix.lower() == ".csv"
    has_headings = COLUMN in _headings(heading.split(separator))
    return separator if is_named_so or has_headings else None


def _headings(cells: list[str]) -> list[str]:
    return [cell.strip().strip('"').lower() for cell in cells]


def _of_csv(data: bytes, source: str, separator: str) -> Iterator[Entry]:
    text = io.StringIO(data.decode("utf-8-sig", "backslashreplace"), newline="")
    rows = csv.reader(text, delimiter=separator)
    place: int | None = None
    try:
        for cells in rows:
            if not any(cell.strip() for cell in cells) or cells[0].lstrip().startswith("#"):
                continue
            if place is None:
                headings = _headings(cells)
                place = _place(headings, cells, source)
                if headings[place] == COLUMN or not _is_hand(cells[0]):
                    continue
            yield Entry(rows.line_num, cells[place].strip() if place < len(cells) else "")
    except csv.Error as error:
        raise HandsError(f"{named(source)} is no CSV: line {rows.line_num}: {error}") from None


def _place(headings: Sequence[str], cells: Sequence[str], source: str) -> int:
    """Return where the hands are: in the column of that name, or in the only one."""
    if COLUMN in headings:
        return list(headings).index(COLUMN)
    if len(headings) == 1:
        return 0
    raise _no_column(source, cells)


def _no_column(source: str, names: Sequence[str]) -> HandsError:
    found = [quoted(name.strip()) for name in names[:MOST_NAMED]]
    if len(names) > MOST_NAMED:
        found.append(f"{len(names) - MOST_NAMED:,} more")
    return HandsError(
        f"there is no column {quoted(COLUMN)} in {named(source)}: found "
        f"{listed(found, 'and') if found else 'none'}"
    )


def _is_hand(text: str) -> bool:
    """Say whether the first row is no heading."""
    try:
        return bool(parse_cards(text))
    except CardError:
        return False


def _of_parquet(data: bytes, source: str) -> list[Entry]:
    import pyarrow as pa  # noqa: PLC0415  (slow to load, and only Parquet needs it)
    import pyarrow.parquet as pq  # noqa: PLC0415

    try:
        file = pq.ParquetFile(pa.BufferReader(data))
        names = file.schema_arrow.names
        column = next((name for name in names if name.lower() == COLUMN), None)
        if column is None and len(names) == 1:
            column = names[0]
        if column is None:
            raise _no_column(source, names)
        texts = file.read([column]).column(column).cast(pa.string()).to_pylist()
    except (pa.ArrowException, OSError) as error:
        reason = str(error).partition("\n")[0]
        raise HandsError(f"{named(source)} cannot be read: {reason}") from None
    return [Entry(number, text or "") for number, text in enumerate(texts, start=1)]
