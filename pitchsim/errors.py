"""The errors that tell a user what is wrong with the input.

Every one of them is a :class:`PitchsimError`; the command line prints its message without a
traceback and ends with its `exit_status`.
"""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches


class PitchsimError(Exception):
    """Something given to pitchsim cannot be used; the message says what and what would do."""

    exit_status = 2


class CardError(PitchsimError):
    """Text that is not a card, or cards that do not make a hand."""


class RulesError(PitchsimError):
    """A rule set, one of its fields, a bid or a seating that makes no sense."""


class RecordError(PitchsimError):
    """A hand record that cannot be read."""


class IllegalRecordError(RecordError):
    """A readable hand record that breaks a rule of the game.

    Parameters
    ----------
    message
        What is wrong, in full: the attributes below repeat parts of it for programs.
    bid, play
        The bid or the play that is illegal, counted from 0.
    seat
        Whose turn it was.
    card
        The offending card.
    legal
        The bids or cards that were legal instead.
    """

    exit_status = 1

    def __init__(
        self,
        message: str,
        *,
        bid: int | None = None,
        play: int | None = None,
        seat: int | None = None,
        card: str | None = None,
        legal: Sequence[str] = (),
    ) -> None:
        super().__init__(message)
        self.bid = bid
        self.play = play
        self.seat = seat
        self.card = card
        self.legal = tuple(legal)


class StudyError(PitchsimError):
    """A simulation that was asked for with impossible settings."""


class OutputError(PitchsimError):
    """Results that cannot be written where they were asked for."""


def quoted(value: object, limit: int = 60) -> str:
    """Quote what the user gave, shortened, with unprintable characters escaped."""
    text = repr(value)
    return text if len(text) <= limit else f"{text[: limit - 4]}...{text[-1]}"


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """Suggest the nearest of `words` as the end of a message; empty if none is near."""
    near = get_close_matches(word.lower(), list(words), n=1, cutoff=0.5)
    return f"; did you mean {near[0]!r}?" if near else ""


def listed(words: Iterable[object], last: str = "or") -> str:
    """Join words as a sentence does: `2, 3 or 4`."""
    *rest, final = [str(word) for word in words]
    return f"{', '.join(rest)} {last} {final}" if rest else final
