"""Reading hands, one a line, from a file or from standard input as they come."""

import sys
from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path
from typing import NamedTuple, cast

from pitchsim.cards import Card, parse_hand
from pitchsim.errors import CardError, PitchsimError, quoted, quoted_path

#: How much is read at once, in bytes: some ten thousand hands of a file, or what a pipe holds.
AT_ONCE = 200_000
LONGEST_LINE = 10_000


class HandLineError(PitchsimError):
    """A line that is no hand."""


class HandsError(PitchsimError):
    """A file of hands that cannot be read, or holds none."""


class HandLine(NamedTuple):
    """A hand, and the number of its line, from 1."""

    number: int
    hand: tuple[Card, ...]


def hand_batches(source: str, jokers: int) -> Iterator[list[HandLine | HandLineError]]:
    """Read the hands of a file, or of standard input for `-`: all that is there, again and again.

    Blank lines are skipped, and those that begin with `#`. What stands in the place of a hand
    that cannot be read says what is wrong with it.

    Parameters
    ----------
    source
        The file.
    jokers
        How many jokers the deck holds.

    Raises
    ------
    HandsError
        If the file cannot be read, or holds no hand.
    """
    name = "standard input" if source == "-" else quoted_path(source)
    is_empty = True
    try:
        for lines in _line_batches(source):
            batch = [_read(number, line, jokers) for number, line in lines if _is_hand(line)]
            is_empty &= not batch
            if batch:
                yield batch
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise HandsError(f"{name} cannot be read: {reason}") from None
    if is_empty:
        raise HandsError(f"{name} holds no hand: expected one a line")


def _line_batches(source: str) -> Iterator[list[tuple[int, bytes]]]:
    if source == "-":
        if sys.stdin is None:
            raise HandsError("standard input is closed: expected hands, one a line")
        yield from _lines_as_they_come(cast("BufferedReader", sys.stdin.buffer))
        return
    with Path(source).open("rb") as file:
        yield from _lines_as_they_come(file)


def _lines_as_they_come(file: BufferedReader) -> Iterator[list[tuple[int, bytes]]]:
    """Give the lines that are there, numbered, without waiting for more than one."""
    number, rest = 1, b""
    while data := file.read1(AT_ONCE):
        *lines, rest = (rest + data).split(b"\n")
        yield list(enumerate(lines, start=number))
        number += len(lines)
        if len(rest) > LONGEST_LINE:
            raise HandLineError(
                f"line {number}: longer than {LONGEST_LINE:,} bytes: expected one hand a line"
            )
    yield [(number, rest)]


def _is_hand(line: bytes) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith(b"#")


def _read(number: int, line: bytes, jokers: int) -> HandLine | HandLineError:
    try:
        text = line.decode("utf-8-sig").strip()
        return HandLine(number, parse_hand(text, jokers=jokers))
    except UnicodeDecodeError as error:
        return HandLineError(
            f"line {number}: byte {error.start + 1} ({error.object[error.start]:#04x}) is not "
            f"UTF-8 text: expected a hand; found {quoted(line)}"
        )
    except CardError as error:
        return HandLineError(f"line {number}: {error}")
