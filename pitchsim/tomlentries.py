"""What stands in a TOML file, entry by entry, checked as it is taken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pitchsim.errors import did_you_mean, listed, quoted
from pitchsim.tomlfile import TomlError


class Entries:
    """The entries of a table of a TOML file, each taken out by its name and looked at.

    Whatever is not possible raises a TomlError that names the entry, quotes its value, and says
    what it may be.

    Parameters
    ----------
    place
        Where the table stands: `bidding.`, or nothing for the whole file.
    entries
        What stands in it.
    """

    def __init__(self, place: str, entries: Mapping[str, Any]) -> None:
        self.place = place
        self.left = dict(entries)
        self.known: list[str] = []

    def _take(self, name: str, default: Any) -> Any:
        self.known.append(name)
        return self.left.pop(name, default)

    def _refused(self, name: str, value: object, expected: str) -> TomlError:
        return TomlError(
            f"{self.place}{name} = {quoted(value)} is not possible: it may be {expected}"
        )

    def text(self, name: str, default: str, longest: int) -> str:
        """Take a text."""
        value = self._take(name, default)
        if not isinstance(value, str) or not value.isprintable():
            raise self._refused(name, value, "printable text")
        if len(value) > longest:
            raise self._refused(name, value, f"at most {longest} letters long")
        return value

    def number(self, name: str, default: float | None, least: float, most: float) -> float:
        """Take a number; one without a default must be there."""
        value = self._take(name, default)
        if value is None:
            raise TomlError(
                f"{self.place}{name} is missing: expected a number, {least:g} to {most:g}"
            )
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not least <= value <= most:
            raise self._refused(name, value, f"a number, {least:g} to {most:g}")
        return float(value)

    def whole(self, name: str, default: int, least: int, most: int) -> int:
        """Take a whole number."""
        value = self._take(name, default)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise self._refused(name, value, f"a whole number, {least} to {most}")
        return value

    def optional_whole(self, name: str, least: int, most: int) -> int | None:
        """Take a whole number, None if it is left out."""
        self.known.append(name)
        return self.whole(name, least, least, most) if name in self.left else None

    def table(self, name: str) -> Entries | None:
        """Take a table."""
        value = self._take(name, None)
        if value is None:
            return None
        if not isinstance(value, Mapping):
            raise self._refused(name, value, "a table")
        return Entries(f"{self.place}{name}.", value)

    def numbers(self, names: Sequence[str], most: float) -> dict[str, float]:
        """Take all the entries, which are numbers under some of these names."""
        numbers = {
            name: self.number(name, None, -most, most) for name in names if name in self.left
        }
        self.known = list(names)
        self.refuse_the_rest()
        return numbers

    def refuse_the_rest(self) -> None:
        """Refuse entries that mean nothing.

        Raises
        ------
        TomlError
            Naming the first, with what it may have been meant for.
        """
        for name in self.left:
            expected = did_you_mean(name, self.known) or f"; expected {listed(self.known)}"
            raise TomlError(f"there is no {quoted(self.place + name)}{expected}")
