"""The errors that tell a user what is wrong with the input.

Every one of them is a :class:`PitchsimError`; the command line prints its message without a
traceback and ends with its `exit_status`.
"""

import os
from collections.abc import Iterable
from difflib import get_close_matches
from numbers import Integral

LONGEST_WORD = 60


class PitchsimError(Exception):
    """Something given to pitchsim cannot be used; the message says what and what would do."""

    exit_status = 2


class CardError(PitchsimError):
    """Text that is not a card, or cards that do not make a hand."""


class RulesError(PitchsimError):
    """A rule set, one of its fields, a bid or a seating that makes no sense."""


class RecordError(PitchsimError):
    """A hand record that cannot be read.

    Attributes
    ----------
    line : int or None
        The line of the file that it stands on, from 1, once that is known.
    """

    def __init__(self, message: str, *, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line

    def __str__(self) -> str:
        message = super().__str__()
        return message if self.line is None else f"line {self.line}: {message}"


class IllegalRecordError(RecordError):
    """A readable hand record that breaks a rule of the game.

    Attributes
    ----------
    play, bid : int or None
        The place in the record's `plays` or `bids`, from 0, of what is wrong.
    seat : int or None
        The seat whose play, bid or cards are wrong.
    card : str or None
        The card that is wrong.
    legal : tuple of str
        The cards or bids that were legal.
    """

    exit_status = 1

    def __init__(
        self,
        message: str,
        *,
        play: int | None = None,
        bid: int | None = None,
        seat: int | None = None,
        card: str | None = None,
        legal: Iterable[str] = (),
    ) -> None:
        super().__init__(message)
        self.play = play
        self.bid = bid
        self.seat = seat
        self.card = card
        self.legal = tuple(legal)


class StudyError(PitchsimError):
    """A simulation that was asked for with impossible settings."""


class StrategyError(PitchsimError):
    """A strategy that cannot be read, does not fit the table, or bids illegally."""


class OutputError(PitchsimError):
    """Results that cannot be written where they were asked for."""


class TableError(PitchsimError):
    """A file that is no table of pitchsim's, or no longer what was written."""

    exit_status = 1


def check_whole(name: str, value: object, least: int, most: int) -> None:
    """Refuse what is not a whole number from `least` to `most`.

    Raises
    ------
    StudyError
        Naming the value and what was expected.
    """
    whole = int(value) if isinstance(value, Integral) and not isinstance(value, bool) else None
    if whole is None or not least <= whole <= most:
        raise StudyError(
            f"{name} {quoted(value)} is not possible: expected a whole number, {least} to {most}"
        )


def quoted(value: object, limit: int = 60) -> str:
    """Quote what the user gave, shortened, with unprintable characters escaped."""
    try:
        text = repr(value)
    except ValueError:  # Python writes no number of more than 4300 digits
        text = "a number of thousands of digits"
    return text if len(text) <= limit else f"{text[: limit - 4]}...{text[-1]}"


def quoted_path(path: str | os.PathLike[str]) -> str:
    """Quote a path whole: its end says the most."""
    return quoted(os.fspath(path), limit=4096)


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """Suggest the nearest of `words` as the end of a message; empty if none is near."""
    if len(word) > LONGEST_WORD:  # likening it to others would take long, and lead nowhere
        return ""
    near = get_close_matches(word.lower(), list(words), n=1, cutoff=0.5)
    return f"; did you mean {near[0]!r}?" if near else ""


def listed(words: Iterable[object], last: str = "or") -> str:
    """Join words as a sentence does: `2, 3 or 4`."""
    *rest, final = [str(word) for word in words]
    return f"{', '.join(rest)} {last} {final}" if rest else final
