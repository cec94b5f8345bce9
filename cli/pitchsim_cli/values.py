"""Reading the values of options from the text that was typed, or from a configuration file."""

import math
from collections.abc import Callable

from pitchsim.errors import PitchsimError, quoted

#: More digits than any number here has; Python reads no more than some thousands.
MOST_DIGITS = 100


class ValueTextError(PitchsimError):
    """The text of an option that cannot be read as its value."""


def whole_number(name: str) -> Callable[[object], int]:
    """Return a reader of whole numbers, for the option of a name.

    The reader raises ValueTextError, naming the option and its text.
    """

    def read(text: object) -> int:
        try:
            if not isinstance(text, str | int) or isinstance(text, bool):
                raise ValueError
            if len(str(text)) > MOST_DIGITS:
                raise ValueError
            return int(text)
        except ValueError:
            raise ValueTextError(
                f"{name} {quoted(text)} is not possible: expected a whole number"
            ) from None

    return read


def read_seconds(text: object) -> float:
    """Read a time in seconds.

    Raises
    ------
    ValueTextError
        If it is not a number more than 0.
    """
    seconds = _number(text)
    if seconds is None or not 0 < seconds < math.inf:
        raise ValueTextError(
            f"max-seconds {quoted(text)} is not possible: expected a number of seconds, more than 0"
        )
    return seconds


def read_precision(text: object) -> float:
    """Read a half-width of probabilities: `0.5%` or 0.005.

    Raises
    ------
    ValueTextError
        If it is not a number, or one that is too large or must have been meant in percent.
    """
    words = str(text).strip()
    number = words.removesuffix("%").strip()
    value = None if isinstance(text, bool) else _number(number)
    if value is None or not math.isfinite(value):
        raise ValueTextError(
            f"precision {quoted(text)} is not possible: expected a percentage such as 0.5%, or "
            "0.005"
        )
    if words.endswith("%"):
        value /= 100
    elif 0.5 <= value < 50:
        raise ValueTextError(
            f"precision {quoted(text)} is not possible: without a percent sign it may be less "
            f"than 0.5; for percent, write {quoted(number + '%')}"
        )
    if not 0 < value < 0.5:
        raise ValueTextError(
            f"precision {quoted(text)} is not possible: expected more than 0 and less than 50%"
        )
    return value


def _number(text: object) -> float | None:
    if isinstance(text, bool) or not isinstance(text, str | int | float):
        return None
    try:
        return float(text)
    except (ValueError, OverflowError):
        return None
