"""What a report is asked for: a TOML file, read and checked before any work is done."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pitchsim.errors import (
    PitchsimError,
    did_you_mean,
    listed,
    quoted,
    quoted_path,
)
from pitchsim.plays import PLAYS
from pitchsim.presets import find_rules, name_in_full, read_settings
from pitchsim.rules import Rules, Seating
from pitchsim.running import MOST_DEALS
from pitchsim.study import LARGEST_SEED
from pitchsim.tomlentries import Entries
from pitchsim.tomlfile import is_path, read_toml

if TYPE_CHECKING:
    from pitchsim.bidding.strategy import Strategy

EXAMPLE = Path(__file__).parent.parent / "templates" / "report-example.toml"

#: Every bid of each is held in memory at once.
MOST_RANDOM = 100_000
MOST_SHOWN = 50
_LONGEST_TEXT, _LONGEST_LABEL = 200, 60  # letters of a title, and of what stands in tables


class SpecError(PitchsimError):
    """A specification of a report that cannot be used."""


@dataclass(frozen=True)
class AskedRules:
    """A rule set and who plays by it.

    Attributes
    ----------
    label
        What the report calls it: its name and what is changed in it.
    rules
        Named by the label, too.
    """

    label: str
    rules: Rules
    seating: Seating


@dataclass(frozen=True)
class AskedHands:
    """The hands to be evaluated: those of a file, or so many at random.

    Attributes
    ----------
    file
        A file of hands; None for random ones.
    count
        How many at random; None for those of a file.
    deals
        How often each is dealt.
    """

    file: Path | None
    count: int | None
    deals: int


@dataclass(frozen=True)
class AskedMatch:
    """The strategies to be compared, and over how much.

    Attributes
    ----------
    hands, games
        How many hands, or whole games, each pair plays; one of them is None.
    show
        How many of the hands in which two strategies part are shown card by card.
    """

    strategies: tuple[Strategy, ...]
    hands: int | None
    games: int | None
    show: int


@dataclass(frozen=True)
class Spec:
    """What a report is asked for.

    Attributes
    ----------
    title, subtitle, author
        Texts for the head of the report; the last two may be empty.
    seed
        From 0 to 2**64 - 1; everything random in the report follows from it.
    play
        How the hands are played when they are evaluated.
    rules
        The rule sets, each with a label of its own.
    hands, match
        What is evaluated and compared; at least one of them is there.
    """

    title: str
    subtitle: str
    author: str
    seed: int
    play: str
    rules: tuple[AskedRules, ...]
    hands: AskedHands | None
    match: AskedMatch | None


def read_spec(path: str | os.PathLike[str]) -> Spec:
    """Read the specification of a report from a TOML file.

    Files that it names are looked for beside it.

    Raises
    ------
    SpecError
        Naming the file, the key, what was found and what was expected.
    """
    path = Path(path)
    try:
        return _spec_from(_Entries("", read_toml(path)), path.parent)
    except PitchsimError as error:
        raise SpecError(f"{quoted_path(path)}: {error}") from None


def example_text() -> str:
    """Return a specification to begin with, with a comment at every key."""
    return EXAMPLE.read_text(encoding="utf-8")


class _Entries(Entries):
    """The entries of a table of the file, with the kinds that only a specification has."""

    def table(self, name: str) -> _Entries | None:
        """Take a table."""
        inner = super().table(name)
        return None if inner is None else _Entries(inner.place, inner.left)

    def words(self, name: str, default: str | None = None, longest: int = _LONGEST_TEXT) -> str:
        """Take a text, its white space made single blanks; one without a default must be there."""
        value = self._take(name, default)
        if value is None:
            raise SpecError(f"{self.place}{name} is missing: expected a text")
        if isinstance(value, str):
            value = " ".join(value.split())
        if not isinstance(value, str) or not value.isprintable() or len(value) > longest:
            raise self._refused(name, value, f"printable text, {longest} letters long")
        if not value and default != "":
            raise self._refused(name, value, "text, and not empty")
        return value

    def optional_words(self, name: str, longest: int = _LONGEST_TEXT) -> str | None:
        """Take a text, None if it is left out."""
        self.known.append(name)
        return self.words(name, longest=longest) if name in self.left else None

    def truth(self, name: str) -> bool | None:
        """Take true or false, None if it is left out."""
        value = self._take(name, None)
        if value is not None and not isinstance(value, bool):
            raise self._refused(name, value, "true or false")
        return value

    def texts(self, name: str) -> list[str]:
        """Take a list of texts, empty if it is left out."""
        value = self._take(name, [])
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise self._refused(name, value, "a list of texts")
        return value

    def tables(self, name: str) -> list[_Entries]:
        """Take tables of the same name, of which there must be one."""
        value = self._take(name, None)
        if value is None:
            raise SpecError(f"{self.place}{name} is missing: expected tables headed [[{name}]]")
        if not isinstance(value, list) or not value or not isinstance(value[0], dict):
            raise self._refused(name, value, f"tables, each headed [[{name}]]")
        return [_Entries(f"{name} {place}: ", one) for place, one in enumerate(value, start=1)]


def _spec_from(entries: _Entries, folder: Path) -> Spec:
    title = entries.words("title")
    subtitle, author = entries.words("subtitle", ""), entries.words("author", "")
    seed = entries.whole("seed", 0, 0, LARGEST_SEED)
    play = entries.words("play", "basic")
    rules, hands, match = entries.tables("rules"), entries.table("hands"), entries.table("match")
    entries.refuse_the_rest()
    if play not in PLAYS:
        expected = did_you_mean(play, PLAYS) or f"; expected {listed(PLAYS)}"
        raise SpecError(f"play: there is no play {quoted(play)}{expected}")
    if hands is None and match is None:
        raise SpecError("there is nothing to report on: expected a table [hands], [match] or both")
    asked = tuple(_rules_from(one, folder) for one in rules)
    _refuse_repeats([one.label for one in asked])
    return Spec(
        title,
        subtitle,
        author,
        seed,
        play,
        asked,
        None if hands is None else _hands_from(hands, folder),
        None if match is None else _match_from(match, folder),
    )


def _rules_from(entries: _Entries, folder: Path) -> AskedRules:
    name, settings = entries.words("name"), entries.texts("set")
    label = entries.optional_words("label", _LONGEST_LABEL)
    players, partners = entries.optional_whole("players", 2, 7), entries.truth("partners")
    entries.refuse_the_rest()
    try:
        rules = find_rules(_beside(name, folder)).changed(read_settings(settings))
        seating = rules.seating(players, partners)
    except PitchsimError as error:
        raise SpecError(f"{entries.place}{error}") from None
    label = label or name_in_full(rules, seating)
    return AskedRules(label, replace(rules, name=label), seating)


def _refuse_repeats(labels: Sequence[str]) -> None:
    for place, label in enumerate(labels):
        if label in labels[:place]:
            raise SpecError(
                f"rules {labels.index(label) + 1} and {place + 1} are both called "
                f"{quoted(label)}: expected different rule sets, or a label for each"
            )


def _hands_from(entries: _Entries, folder: Path) -> AskedHands:
    file, count = entries.optional_words("file"), entries.optional_whole("random", 1, MOST_RANDOM)
    deals = entries.whole("deals", 2_000, 1, MOST_DEALS)
    entries.refuse_the_rest()
    if (file is None) == (count is None):
        raise SpecError(
            f"hands: {_found(file)}; expected either file, the name of one, or random, a number"
        )
    place = None if file is None else folder / file
    if place is not None and not place.is_file():
        raise SpecError(f"hands.file: there is no file {quoted_path(place)}")
    return AskedHands(place, count, deals)


def _found(one: object) -> str:
    """Say which of two that exclude each other were found, neither or both."""
    return "found neither" if one is None else "found both"


def _match_from(entries: _Entries, folder: Path) -> AskedMatch:
    from pitchsim.matches.matching import (  # noqa: PLC0415  (loads numba)
        MOST_GAMES,
        MOST_HANDS,
        at_all_tables,
    )

    names = entries.texts("strategies")
    hands = entries.optional_whole("hands", 2, MOST_HANDS)
    games = entries.optional_whole("games", 2, MOST_GAMES)
    show = entries.whole("show", 3, 0, MOST_SHOWN)
    entries.refuse_the_rest()
    if (hands is None) == (games is None):
        raise SpecError(f"match: {_found(hands)}; expected either hands or games, a number")
    if len(names) < 2:
        raise SpecError(f"match.strategies: found {len(names)}, expected at least two to compare")
    hands, games = (number and at_all_tables(number) for number in (hands, games))
    return AskedMatch(_strategies(names, folder), hands, games, show)


def _strategies(names: Sequence[str], folder: Path) -> tuple[Strategy, ...]:
    from pitchsim.bidding.strategy import find_strategy  # noqa: PLC0415  (only for matches)

    found: dict[str, Strategy] = {}
    for name in names:
        try:
            strategy = find_strategy(_beside(name, folder))
        except PitchsimError as error:
            raise SpecError(f"match.strategies: {error}") from None
        if strategy.name in found:
            raise SpecError(
                f"match.strategies: {quoted(strategy.name)} is there twice: expected each once"
            )
        found[strategy.name] = strategy
    return tuple(found.values())


def _beside(name: str, folder: Path) -> str:
    """Return the path of a file beside the specification; any other name as it is."""
    return str(folder / name) if is_path(name) else name
