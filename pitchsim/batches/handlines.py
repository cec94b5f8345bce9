"""Reading hands, one a line, from a file or from standard input as they come."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from itertools import count
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


class Line(NamedTuple):
    """A line of a file that should hold a hand, and its number, from 1."""

    number: int
    text: bytes

    def decoded(self) -> str:
        """Return the text.

        Raises
        ------
        CardError
            If it is no UTF-8.
        """
        try:
            return self.text.decode("utf-8-sig").strip()
        except UnicodeDecodeError as error:
            raise CardError(
                f"byte {error.start + 1} ({error.object[error.start]:#04x}) is not UTF-8 text: "
                f"expected a hand; found {quoted(self.text)}"
            ) from None


def hand_batches(source: str, jokers: int) -> Iterator[list[HandLine | HandLineError]]:
    """Read the hands of a file, or of standard input for `-`: all that is there, again and again.

    What stands in the place of a hand that cannot be read says what is wrong with it.

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
    is_empty = True
    with opened(source) as file:
        for lines in hand_lines(file):
            is_empty = False
            yield [_read(line, jokers) for line in lines]
    if is_empty:
        raise HandsError(f"{named(source)} holds no hand: expected one a line")


def named(source: str) -> str:
    """Name a file, or standard input, in a message."""
    return "standard input" if source == "-" else quoted_path(source)


@contextmanager
def opened(source: str) -> Iterator[BufferedReader]:
    """Open a file, or standard input for `-`.

    Raises
    ------
    HandsError
        If it cannot be opened, or, inside, cannot be read.
    """
    try:
        if source == "-":
            if sys.stdin is None:
                raise HandsError("standard input is closed: expected hands, one a line")
            yield cast("BufferedReader", sys.stdin.buffer)
        else:
            with Path(source).open("rb") as file:
                yield file
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise HandsError(f"{named(source)} cannot be read: {reason}") from None


def hand_lines(file: BufferedReader) -> Iterator[list[Line]]:
    """Read the lines of a file that should hold hands: all that are there, again and again.

    Blank lines are skipped, and those that begin with `#`.

    Raises
    ------
    HandLineError
        If a line is far longer than any hand.
    """
    for lines in _lines_as_they_come(file):
        held = [line for line in lines if _is_hand(line.text)]
        if held:
            yield held


def _lines_as_they_come(file: BufferedReader) -> Iterator[list[Line]]:
    """Give the lines that are there, numbered, without waiting for more than one."""
    number, rest = 1, b""
    while data := file.read1(AT_ONCE):
        *lines, rest = (rest + data).split(b"\n")
        yield list(map(Line, count(number), lines))
        number += len(lines)
        if len(rest) > LONGEST_LINE:
            raise HandLineError(
                f"line {number}: longer than {LONGEST_LINE:,} bytes: expected one hand a line"
            )
    yield [Line(number, rest)]


def _is_hand(line: bytes) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith(b"#")


def _read(line: Line, jokers: int) -> HandLine | HandLineError:
    try:
        return HandLine(line.number, parse_hand(line.decoded(), jokers=jokers))
    except CardError as error:
        return HandLineError(f"line {line.number}: {error}")
