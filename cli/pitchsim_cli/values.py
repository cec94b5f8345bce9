"""Reading the values of options from the text that was typed, or from a configuration file."""

from collections.abc import Callable

from pitchsim.errors import PitchsimError, quoted

#: More digits than any number here has; Python reads no more than some thousands.
MOST_DIGITS = 100


class ValueTextError(PitchsimError):
    """The text of an option that cannot be read as its value."""


def whole_number(name: str) -> Callable[[str | int], int]:
    """Return a reader of whole numbers, for the option of a name.

    The reader raises ValueTextError, naming the option and its text.
    """

    def read(text: str | int) -> int:
        try:
            if isinstance(text, bool | float) or len(str(text)) > MOST_DIGITS:
                raise ValueError
            return int(text)
        except ValueError:
            raise ValueTextError(
                f"{name} {quoted(text)} is not possible: expected a whole number"
            ) from None

    return read


def read_seconds(text: str | float) -> float:
    """Read a time in seconds.

    Raises
    ------
    ValueTextError
        If it is not a number.
    """
    try:
        return float(text)
    except ValueError:
        raise ValueTextError(
            f"max-seconds {quoted(text)} is not possible: expected a number of seconds"
        ) from None


def read_precision(text: str | float) -> float:
    """Read a half-width of probabilities: `0.5%` or 0.005.

    Raises
    ------
    ValueTextError
        If it is not a number, or one that must have been meant in percent.
    """
    words = str(text).strip()
    number = words.removesuffix("%").strip()
    try:
        value = float(number)
    except ValueError:
        raise ValueTextError(
            f"precision {quoted(text)} is not possible: expected a percentage such as 0.5%, or "
            "0.005"
        ) from None
    if words.endswith("%"):
        return value / 100
    if value >= 0.5:
        raise ValueTextError(
            f"precision {quoted(text)} is not possible: without a percent sign it may be less "
            f"than 0.5; for percent, write {quoted(number + '%')}"
        )
    return value
