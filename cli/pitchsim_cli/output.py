"""Writing results: to standard output, or to a file that is there whole or not at all."""

import csv
import io
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from pitchsim.errors import OutputError, quoted_path
from pitchsim.wholefile import WholeFile


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
        check_output(output)
        try:
            _write_file(text.encode("utf-8", "backslashreplace"), output)
        except OSError as error:
            raise _cannot_write(output, error.strerror or str(error)) from None


def check_output(output: Path) -> None:
    """Refuse an output file that cannot be written, before any work is done for it.

    Raises
    ------
    OutputError
        If it is a folder, lies in a folder that is missing, or may not be written.
    """
    try:
        place = Path(os.path.realpath(output))
        if place.is_dir():
            raise _cannot_write(output, "it is a folder; expected a file")
        if not place.parent.is_dir():
            raise _cannot_write(output, f"there is no folder {quoted_path(output.parent)}")
        if not os.access(place if place.exists() else place.parent, os.W_OK):
            raise _cannot_write(output, "permission denied")
    except (OSError, ValueError) as error:  # a name too long, or one with a null character
        raise _cannot_write(output, getattr(error, "strerror", None) or str(error)) from None


def _write_standard_output(text: str) -> None:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(f"cannot write to standard output: {error.strerror}") from None


def _write_file(data: bytes, place: Path) -> None:
    if place.exists() and not place.is_file():  # a device or a pipe cannot be replaced
        place.write_bytes(data)
        return
    with WholeFile(place) as file:
        file.write(data)


def _cannot_write(output: Path, reason: str) -> OutputError:
    return OutputError(f"cannot write {quoted_path(output)}: {reason}")
