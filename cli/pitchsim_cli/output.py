"""Writing results: to standard output, or to a file that is there whole or not at all."""

import csv
import io
import math
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from pitchsim.errors import OutputError, quoted_path
from pitchsim.wholefile import WholeFile, cannot_write, check_place


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """Write rows as CSV, each ended by a newline."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def json_value(value: object) -> object:
    """Leave out what JSON cannot say: a missing value, or a half-width of a single deal."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def true_or_false(value: bool | None) -> str | None:
    """Write a truth value as CSV has it: `true`, `false` or nothing."""
    return None if value is None else str(value).lower()


def refuse_overwriting(output: Path | None, *read: str | os.PathLike[str]) -> None:
    """Refuse to write to a file that is being read, before any work is done.

    Parameters
    ----------
    output
        Where results shall be written; None for standard output.
    read
        The files that are read; those that are not there, or `-`, are no reason to refuse.

    Raises
    ------
    OutputError
        If it is one of them, under whatever name.
    """
    for place in read:
        if output is not None and _are_the_same(output, place):
            raise cannot_write(
                output, f"it is {quoted_path(place)}, which is read; expected another file"
            )


def refuse_standard_output(output: Path, what: str = "a table", place: str = "a file") -> None:
    """Refuse `-` as the place of what can only be a file, or a folder.

    Raises
    ------
    OutputError
        If it is that.
    """
    if str(output) == "-":
        raise OutputError(f"{what} cannot go to standard output ('-'): expected {place}")


def _are_the_same(one: str | os.PathLike[str], other: str | os.PathLike[str]) -> bool:
    try:
        return Path(one).is_file() and Path(one).samefile(other)
    except (OSError, ValueError):
        return False


def write_text(text: str, output: Path | None = None) -> None:
    """Write text, ended by a newline, to standard output or to a file.

    A file is written under another name beside its place and then renamed, so that an
    interruption leaves either the old file or the new one.

    Raises
    ------
    OutputError
        If it cannot be written; the file is then as it was before.
    """
    if not text.endswith("\n"):
        text += "\n"
    if output is None:
        _write_standard_output(text)
    else:
        write_bytes(text.encode("utf-8", "backslashreplace"), output)


def write_bytes(data: bytes, output: Path) -> None:
    """Write a file, whole or not at all.

    Raises
    ------
    OutputError
        If it cannot be written; the file is then as it was before.
    """
    _write_file([data], output)


def write_pieces(pieces: Iterable[str], output: Path | None = None) -> None:
    """Write text piece by piece, as each is ready, to standard output or to a file.

    The file is there whole or not at all: it is left as it was if making a piece fails, too.

    Raises
    ------
    OutputError
        If it cannot be written; the file is then as it was before.
    """
    if output is not None:
        _write_file((piece.encode("utf-8", "backslashreplace") for piece in pieces), output)
        return
    for piece in pieces:
        _write_standard_output(piece)


def _write_file(pieces: Iterable[bytes], output: Path) -> None:
    check_place(output)
    try:
        with _opened(output) as file:
            for piece in pieces:
                file.write(piece)
    except OSError as error:
        raise cannot_write(output, error.strerror or str(error)) from None


@contextmanager
def _opened(output: Path) -> Iterator[IO[bytes]]:
    """Open a file to be written whole; a device or a pipe, which cannot be replaced, as it is."""
    is_replaceable = not output.exists() or output.is_file()
    with WholeFile(output) if is_replaceable else output.open("wb") as file:
        yield file


def _write_standard_output(text: str) -> None:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(f"cannot write to standard output: {error.strerror}") from None
