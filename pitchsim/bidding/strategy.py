"""Strategies: a way of bidding and a way of playing, under a name; from files, or one's own."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from pitchsim.bidding.biddingrules import (
    HONOURS,
    AlwaysPass,
    AtRandom,
    BiddingRule,
    Margin,
    PointCount,
    Threshold,
)
from pitchsim.bidding.playing import Player
from pitchsim.bidding.sources import MOST_QUICK_DEALS, QUICK_DEALS, WorthSource
from pitchsim.cards import RANKS
from pitchsim.errors import (
    PitchsimError,
    StrategyError,
    check_whole,
    did_you_mean,
    listed,
    quoted,
    quoted_path,
)
from pitchsim.plays import MOST_WORLDS, PLAYS
from pitchsim.tomlentries import Entries
from pitchsim.tomlfile import is_path, read_toml

_NAMES = ("cautious", "standard", "bold", "point-count", "always-pass", "random")
LONGEST_NAME, LONGEST_TITLE = 40, 200
BASIC_PLAYER = Player()
MOST_POINTS = 1000.0  # that anything may count


@dataclass(frozen=True)
class Strategy:
    """A way of bidding and a way of playing.

    Attributes
    ----------
    name
        What reports call it.
    bidding
        How it bids: one of :mod:`pitchsim.bidding.biddingrules`, or a rule of one's own.
    player
        How it plays.
    title
        What it is, in a sentence; may be empty.
    """

    name: str
    bidding: BiddingRule
    player: Player = BASIC_PLAYER
    title: str = ""

    def __post_init__(self) -> None:
        name = self.name
        if not isinstance(name, str) or not name.strip() or not name.isprintable():
            raise StrategyError(
                f"name = {quoted(name)} is not possible: it may be printable text that is not empty"
            )
        if len(name) > LONGEST_NAME:
            raise StrategyError(
                f"name = {quoted(name)} is not possible: it may be at most {LONGEST_NAME} letters "
                "long"
            )
        play, worlds = self.player
        possible = [known for known in PLAYS if not PLAYS[known].both_sides]
        if play not in possible:
            raise StrategyError(
                f"play = {quoted(play)} is not possible for a strategy, which plays for one side: "
                f"it may be {listed(possible)}{did_you_mean(str(play), possible)}"
            )
        if worlds is not None:
            check_whole("worlds", worlds, 1, MOST_WORLDS)
            if not PLAYS[play].samples:
                samplers = listed(known for known in possible if PLAYS[known].samples)
                raise StrategyError(
                    f"worlds = {worlds} is of no use to {play} play: expected play = {samplers!r}, "
                    "or no worlds"
                )

    @property
    def facts(self) -> dict[str, Any]:
        """What decides its calls and plays, as JSON has it; its name and title decide nothing.

        Of a rule of one's own, that is what its `repr` says, unless it is a dataclass.
        """
        player = [self.player.play, self.player.worlds_a_turn]
        return {"bidding": facts_of(self.bidding), "player": player}

    @property
    def source(self) -> WorthSource | None:
        """Where its bidding rule looks up what hands are worth; None if it does not."""
        rule = self.bidding
        return rule.source if isinstance(rule, Threshold | Margin) else None

    @property
    def table(self) -> Path | None:
        """The file of a bidding table in which it looks hands up; None if there is none."""
        return self.source.table if self.source is not None else None


def facts_of(rule: object) -> Any:
    """Write a bidding rule, a dataclass or whatever is in it, as JSON has it."""
    if isinstance(rule, WorthSource):
        return rule.facts
    if is_dataclass(rule):
        own = {field.name: facts_of(getattr(rule, field.name)) for field in fields(rule)}
        return {"rule": type(rule).__name__, **own}
    if isinstance(rule, Mapping):
        return {str(name): facts_of(value) for name, value in rule.items()}
    if isinstance(rule, np.ndarray | np.generic):
        return rule.tolist()
    if isinstance(rule, list | tuple):
        return [facts_of(value) for value in rule]
    is_plain = rule is None or isinstance(rule, bool | int | float | str)
    return rule if is_plain else repr(rule)


def strategy_names() -> tuple[str, ...]:
    """Return the names of the strategies that come with pitchsim."""
    return _NAMES


def find_strategy(name_or_path: str | os.PathLike[str]) -> Strategy:
    """Return a strategy by its name, or read a file of one's own by its path.

    What has a folder in it or ends in `.toml` is a path; every other word is a name.

    Raises
    ------
    StrategyError
        If there is neither, suggesting the nearest name.
    """
    text = os.fspath(name_or_path)
    if is_path(text):
        return load_strategy_file(text)
    return _named(_known(text))


def strategy_text(name: str) -> str:
    """Return the file of a strategy that comes with pitchsim, as TOML.

    Raises
    ------
    StrategyError
        If there is none of this name, suggesting the nearest.
    """
    place = files(__package__).joinpath("strategies", f"{_known(name)}.toml")
    return place.read_text(encoding="utf-8")


def _known(text: str) -> str:
    name = text.strip().lower().replace("_", "-")
    if name not in _NAMES:
        suggestion = did_you_mean(name, _NAMES) or f"; there are {listed(_NAMES, 'and')}"
        raise StrategyError(f"there is no strategy {quoted(text)}{suggestion}")
    return name


@cache
def _named(name: str) -> Strategy:
    return _strategy_from(tomllib.loads(strategy_text(name)), name, Path())


def load_strategy_file(path: str | os.PathLike[str]) -> Strategy:
    """Read a strategy from a TOML file of one's own.

    The file has a table `bidding` with its `rule` and what goes with that, and beside it `play`,
    `worlds`, `title` and `name`, which is the file's, without the ending, if it gives none. A
    bidding table that it names is looked for beside the file.

    Raises
    ------
    StrategyError
        If the file cannot be read, or is no strategy; the message names the file.
    """
    path = Path(path)
    try:
        return _strategy_from(read_toml(path), path.stem, path.parent)
    except PitchsimError as error:
        raise StrategyError(f"strategy file {quoted_path(path)}: {error}") from None


def _strategy_from(table: Mapping[str, Any], name: str, folder: Path) -> Strategy:
    """Build a strategy from the table of a TOML file."""
    entries = Entries("", table)
    bidding = entries.table("bidding")
    if bidding is None:
        raise StrategyError(f"it has no table [bidding]: expected one with a rule, {_rules()}")
    strategy = Strategy(
        name=entries.text("name", name, LONGEST_NAME),
        bidding=_bidding_from(bidding, folder),
        player=Player(
            entries.text("play", "basic", LONGEST_NAME),
            entries.optional_whole("worlds", 1, MOST_WORLDS),
        ),
        title=entries.text("title", "", LONGEST_TITLE),
    )
    entries.refuse_the_rest()
    return strategy


def _bidding_from(entries: Entries, folder: Path) -> BiddingRule:
    if "rule" not in entries.left:
        raise StrategyError(f"bidding.rule is missing: expected {_rules()}")
    name = entries.text("rule", "", LONGEST_NAME)
    if name not in _RULES:
        raise StrategyError(
            f"bidding.rule = {quoted(name)} is not possible: it may be {_rules()}"
            f"{did_you_mean(name, _RULES)}"
        )
    rule = _RULES[name](entries, folder)
    entries.refuse_the_rest()
    return rule


def _rules() -> str:
    return listed(_RULES)


def _source(entries: Entries, folder: Path) -> WorthSource:
    table = entries.text("table", "", 4096)
    if table and "deals" in entries.left:
        raise StrategyError(
            "bidding.table and bidding.deals do not go together: deals are those of a table that "
            "is made on the spot; expected one of them"
        )
    if table:
        place = folder / table
        if not place.is_file():
            raise StrategyError(
                f"bidding.table = {quoted(table)}: there is no file {quoted_path(place)}"
            )
        return WorthSource(place)
    return WorthSource(None, entries.whole("deals", QUICK_DEALS, 1, MOST_QUICK_DEALS))


def _points(entries: Entries, _folder: Path) -> PointCount:
    trumps = entries.table("trumps")
    if trumps is None:
        raise StrategyError(
            "bidding.trumps is missing: expected a table of what each trump counts, such as "
            "{ A = 1, J = 0.5 }"
        )
    side = entries.table("side")

    return PointCount(
        trumps=trumps.numbers((*RANKS, *HONOURS), MOST_POINTS),
        side={} if side is None else side.numbers(RANKS, MOST_POINTS),
        guards=entries.whole("guards", 1, 0, 5),
        a_point=entries.number("a_point", 1.0, 0.01, MOST_POINTS),
        smudge=entries.number("smudge", 1.0, 0.01, MOST_POINTS),
    )


_RULES: dict[str, Callable[[Entries, Path], BiddingRule]] = {
    "points": _points,
    "threshold": lambda entries, folder: Threshold(
        entries.number("chance", None, 0, 1), _source(entries, folder)
    ),
    "margin": lambda entries, folder: Margin(
        entries.number("edge", 0.0, -MOST_POINTS, MOST_POINTS), _source(entries, folder)
    ),
    "always-pass": lambda _entries, _folder: AlwaysPass(),
    "random": lambda entries, _folder: AtRandom(entries.number("passes", 0.5, 0, 1)),
}
