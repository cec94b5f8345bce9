"""Writing results: to standard output, or to a file that is there whole or not at all."""

import csv
import io
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from pitchsim.errors import OutputError
from pitchsim.wholefile import WholeFile, cannot_write, check_place


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """Write rows as CSV, each ended by a newline."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def true_or_false(value: bool | None) -> str | None:
    """Write a truth value as CSV has it: `true`, `false` or nothing."""
    return None if value is None else str(value).lower()


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
    check_place(output)
    try:
        if output.exists() and not output.is_file():  # a device or a pipe cannot be replaced
            output.write_bytes(data)
        else:
            with WholeFile(output) as file:
                file.write(data)
    except OSError as error:
        raise cannot_write(output, error.strerror or str(error)) from None


def _write_standard_output(text: str) -> None:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(f"cannot write to standard output: {error.strerror}") from None
