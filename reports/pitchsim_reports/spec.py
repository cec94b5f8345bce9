"""What a report is asked for: a TOML file, read and checked before any work is done."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitchsim.errors import (
    PitchsimError,
    check_whole,
    did_you_mean,
    listed,
    quoted,
    quoted_path,
)
from pitchsim.plays import PLAYS
from pitchsim.presets import changes_in_words, find_rules, read_settings
from pitchsim.rules import Rules, Seating
from pitchsim.study import LARGEST_SEED
from pitchsim.tomlfile import read_toml

if TYPE_CHECKING:
    from pitchsim.bidding.strategy import Strategy

EXAMPLE = Path(__file__).parent / "templates" / "report-example.toml"

MOST_HANDS = 100_000
MOST_DEALS = 1_000_000
MOST_MATCH_HANDS = 100_000_000
MOST_GAMES = 1_000_000
MOST_SHOWN = 50
_LONGEST_TEXT = 200  # letters of a title


class SpecError(PitchsimError):
    """A specification of a report that cannot be used."""


@dataclass(frozen=True)
class AskedRules:
    """A rule set and who plays by it.

    Attributes
    ----------
    label
        What the report calls it: its name and what is changed in it.
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
        return _spec_from(_Table("", read_toml(path)), path.parent)
    except PitchsimError as error:
        raise SpecError(f"{quoted_path(path)}: {error}") from None


def example_text() -> str:
    """Return a specification to begin with, with a comment at every key."""
    return EXAMPLE.read_text(encoding="utf-8")


class _Table:
    """A table of the file: its keys are taken one by one, and none may be left."""

    def __init__(self, name: str, values: dict[str, Any]) -> None:
        self.name = name
        self.values = values
        self.known: list[str] = []

    def where(self, key: str) -> str:
        """Return the full name of a key, such as `hands.file`."""
        return f"{self.name}.{key}" if self.name else key

    def take(self, key: str) -> Any:
        """Return the value of a key, None if it is left out."""
        self.known.append(key)
        return self.values.get(key)

    def text(self, key: str, usual: str | None = None) -> str:
        """Return a text; an error if it is left out and nothing is usual."""
        value = self.take(key)
        if value is None and usual is not None:
            return usual
        if value is None:
            raise SpecError(f"{self.where(key)} is missing: expected a text")
        return self._checked_text(key, value)

    def optional_text(self, key: str) -> str | None:
        """Return a text, None if it is left out."""
        value = self.take(key)
        return None if value is None else self._checked_text(key, value)

    def whole(self, key: str, least: int, most: int, usual: int | None) -> int | None:
        """Return a whole number from `least` to `most`."""
        value = self.take(key)
        if value is None:
            return usual
        check_whole(self.where(key), value, least, most)
        return int(value)

    def truth(self, key: str) -> bool | None:
        """Return true or false, None if it is left out."""
        value = self.take(key)
        if value is not None and not isinstance(value, bool):
            raise SpecError(f"{self.where(key)} = {quoted(value)}: expected true or false")
        return value

    def texts(self, key: str) -> list[str]:
        """Return a list of texts, none if it is left out."""
        value = self.take(key)
        if value is None:
            return []
        if not isinstance(value, list):
            raise SpecError(f"{self.where(key)} = {quoted(value)}: expected a list of texts")
        return [self._checked_text(key, item) for item in value]

    def table(self, key: str) -> _Table | None:
        """Return a table inside this one, None if it is left out."""
        value = self.take(key)
        if value is None:
            return None
        if not isinstance(value, dict):
            raise SpecError(f"{self.where(key)} = {quoted(value)}: expected a table, [{key}]")
        return _Table(self.where(key), value)

    def tables(self, key: str) -> list[_Table]:
        """Return a list of tables, which may not be empty."""
        value = self.take(key)
        if value is None:
            raise SpecError(f"{key} is missing: expected at least one table [[{key}]]")
        good = isinstance(value, list) and value and all(isinstance(one, dict) for one in value)
        if not good:
            raise SpecError(f"{key} = {quoted(value)}: expected tables, each headed [[{key}]]")
        return [_Table(f"{key} {place}", one) for place, one in enumerate(value, start=1)]

    def finish(self) -> None:
        """Refuse keys that nobody asked for."""
        for key in self.values:
            if key not in self.known:
                expected = did_you_mean(key, self.known) or f"; expected {listed(self.known)}"
                raise SpecError(f"there is no key {quoted(self.where(key))}{expected}")

    def _checked_text(self, key: str, value: object) -> str:
        if not isinstance(value, str) or not value.strip():
            raise SpecError(f"{self.where(key)} = {quoted(value)}: expected a text")
        text = " ".join(value.split())
        if not text.isprintable():
            raise SpecError(f"{self.where(key)} = {quoted(value)}: expected printable text")
        if len(text) > _LONGEST_TEXT:
            raise SpecError(
                f"{self.where(key)} = {quoted(value)} is {len(text)} letters long: expected at "
                f"most {_LONGEST_TEXT}"
            )
        return text


def _spec_from(table: _Table, folder: Path) -> Spec:
    title, subtitle, author = (
        table.text("title"),
        table.text("subtitle", ""),
        table.text("author", ""),
    )
    seed = table.whole("seed", 0, LARGEST_SEED, 0) or 0
    play = table.text("play", "basic")
    rules, hands, match = table.tables("rules"), table.table("hands"), table.table("match")
    table.finish()
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
        None if match is None else _match_from(match, folder, asked),
    )


def _rules_from(table: _Table, folder: Path) -> AskedRules:
    name, settings = table.text("name"), table.texts("set")
    label = table.optional_text("label")
    players, partners = table.whole("players", 2, 7, None), table.truth("partners")
    table.finish()
    try:
        rules = find_rules(_beside(name, folder)).changed(read_settings(settings))
        seating = rules.seating(players, partners)
    except PitchsimError as error:
        raise SpecError(f"{table.name}: {error}") from None
    return AskedRules(label or _label(rules, seating), rules, seating)


def _label(rules: Rules, seating: Seating) -> str:
    """Name a rule set and what is unusual about it."""
    changes = changes_in_words(rules)
    if seating != rules.seating():
        changes.append(f"{seating.players} players{'' if seating.partners else ' alone'}")
    return ", ".join([rules.name, *changes])


def _refuse_repeats(labels: Sequence[str]) -> None:
    for place, label in enumerate(labels):
        if label in labels[:place]:
            raise SpecError(
                f"rules {place + 1} and rules {labels.index(label) + 1} are both called "
                f"{quoted(label)}: expected different rule sets, or a label for each"
            )


def _hands_from(table: _Table, folder: Path) -> AskedHands:
    file, count = table.optional_text("file"), table.whole("random", 1, MOST_HANDS, None)
    deals = table.whole("deals", 1, MOST_DEALS, 2_000) or 0
    table.finish()
    if (file is None) == (count is None):
        raise SpecError('hands: expected either file = "..." or random = N')
    return AskedHands(None if file is None else _hands_file(folder / file), count, deals)


def _hands_file(path: Path) -> Path:
    if not path.is_file():
        raise SpecError(f"hands.file: there is no file {quoted_path(path)}")
    return path


def _match_from(table: _Table, folder: Path, rules: Sequence[AskedRules]) -> AskedMatch:
    names = table.texts("strategies")
    hands = table.whole("hands", 1, MOST_MATCH_HANDS, None)
    games = table.whole("games", 1, MOST_GAMES, None)
    show = table.whole("show", 0, MOST_SHOWN, 3) or 0
    table.finish()
    if (hands is None) == (games is None):
        raise SpecError("match: expected either hands = N or games = N")
    if len(names) < 2:
        raise SpecError(f"match.strategies: found {len(names)}, expected at least two to compare")
    return AskedMatch(_strategies(names, folder, rules), hands, games, show)


def _strategies(
    names: Sequence[str], folder: Path, rules: Sequence[AskedRules]
) -> tuple[Strategy, ...]:
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
    is_path = name.lower().endswith((".toml", ".parquet")) or Path(name).name != name
    return str(folder / name) if is_path else name
