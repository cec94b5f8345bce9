"""The rule sets that come with pitchsim, rule files of one's own, and named options.

A preset is a TOML file beside this module. It gives what differs from the preset that it
`extends`, or from the plain game that a new :class:`~pitchsim.rules.Rules` is. A file of one's
own has the same form.
"""

import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from pitchsim.errors import PitchsimError, RulesError, did_you_mean, listed, quoted, quoted_path
from pitchsim.rulefields import POINT_PREFIX, field_name, read_field, write_value
from pitchsim.rules import Rules, Seating
from pitchsim.tomlfile import is_path, read_toml

_NAMES = (
    "setback",
    "partners",
    "solo",
    "four-point",
    "five-point",
    "six-point",
    "seven-point",
    "nine-point",
    "ten-point",
    "auction",
    "pedro",
    "ace-of-hearts",
)
#: The texts of a rule set, and how many letters each may have.
_LONGEST = {"name": 40, "title": 100, "description": 2_000}


@dataclass(frozen=True)
class NamedOption:
    """A word that stands for a set of fields, such as `cutthroat`."""

    name: str
    meaning: str
    fields: Mapping[str, Any]


def preset_names() -> tuple[str, ...]:
    """Return the names of the presets, in their usual order."""
    return _NAMES


def load_preset(name: str) -> Rules:
    """Return a preset by its name.

    Raises
    ------
    RulesError
        If there is no such preset, suggesting the nearest.
    """
    known = name.strip().lower().replace("_", "-")
    if known not in _NAMES:
        suggestion = did_you_mean(known, _NAMES) or f"; there are {listed(_NAMES, 'and')}"
        raise RulesError(f"there is no rule set {quoted(name)}{suggestion}")
    return _preset(known)


@cache
def _preset(name: str) -> Rules:
    table = tomllib.loads(files(__name__).joinpath(f"{name}.toml").read_text(encoding="utf-8"))
    return _rules_from(table, name)


def load_rules_file(path: str | os.PathLike[str]) -> Rules:
    """Read a rule set from a TOML file of one's own.

    The file gives any fields of a rule set, `points` as a table; `extends` names the preset on
    which it builds. Its `name` is the file's, without the ending, if it gives none.

    Raises
    ------
    RulesError
        If the file cannot be read, is not TOML, or is not a rule set; the message names the file.
    """
    path = Path(path)
    try:
        return _rules_from(read_toml(path), path.stem)
    except PitchsimError as error:
        raise RulesError(f"rules file {quoted_path(path)}: {error}") from None


def _rules_from(table: dict[str, Any], name: str) -> Rules:
    """Build a rule set from the table of a TOML file."""
    if not table:
        raise RulesError("it is empty; expected fields of a rule set, such as extends = 'partners'")
    changes = dict(table)
    texts = {key: _text(key, changes.pop(key)) for key in _LONGEST if key in changes}
    base = changes.pop("extends", None)
    if base is not None and not isinstance(base, str):
        raise RulesError(
            f"extends = {quoted(base)} is not possible: it may be the name of a preset"
        )
    if base is not None and base.lower().endswith(".toml"):
        raise RulesError(
            f"extends = {quoted(base)} is not possible: it may be the name of a preset, not a file"
        )
    start = Rules() if base is None else load_preset(base)
    named = replace(
        start,
        name=texts.get("name", name if name.isprintable() else "own"),
        title=texts.get("title", f"Own rules, after {base}" if base else "Own rules"),
        description=texts.get("description", ""),
    )
    return named.changed(changes)


def _text(key: str, value: object) -> str:
    if not isinstance(value, str) or (key == "name" and not value.strip()):
        raise RulesError(f"{key} = {quoted(value)} is not possible: it may be text")
    paragraphs = [" ".join(part.split()) for part in value.strip().split("\n\n")]
    text = "\n\n".join(part for part in paragraphs if part)
    if not all(map(str.isprintable, paragraphs)):  # else it would reach a terminal as commands
        raise RulesError(f"{key} = {quoted(value)} is not possible: it may be printable text")
    if len(text) > _LONGEST[key]:
        raise RulesError(
            f"{key} = {quoted(value)} is not possible: it may be at most {_LONGEST[key]} letters "
            "long"
        )
    return text


def find_rules(name_or_path: str) -> Rules:
    """Return a preset by its name, or read a rule file by its path.

    What has a folder in it or ends in `.toml` is a path; every other word is a preset's name.

    Raises
    ------
    RulesError
        If there is neither, suggesting the nearest preset.
    """
    return load_rules_file(name_or_path) if is_path(name_or_path) else load_preset(name_or_path)


@cache
def named_options() -> Mapping[str, NamedOption]:
    """Return the named options by their names."""
    text = files(__name__).joinpath("options.toml").read_text(encoding="utf-8")
    return {
        name: NamedOption(name, entry["meaning"], entry["fields"])
        for name, entry in tomllib.loads(text).items()
    }


def read_settings(settings: Iterable[str]) -> dict[str, Any]:
    """Read `FIELD=VALUE` settings and named options into changes for :meth:`Rules.changed`.

    A later setting overrides an earlier one of the same field.

    Raises
    ------
    RulesError
        For a word that is no option, an unknown field or a value it may not have.
    """
    changes: dict[str, Any] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if equals:
            field = field_name(name)
            changes[field.removeprefix(POINT_PREFIX)] = read_field(field, value)
        else:
            changes.update(_option(setting).fields)
    return changes


def _option(word: str) -> NamedOption:
    options = named_options()
    name = word.strip().lower().replace("_", "-")
    if name not in options:
        suggestion = did_you_mean(name, options)
        raise RulesError(
            f"{quoted(word)} is not a setting{suggestion}; expected FIELD=VALUE, "
            f"or one of {listed(options)}"
        )
    return options[name]


def diff(one: Rules, other: Rules) -> list[tuple[str, Any, Any]]:
    """List the fields in which two rule sets differ, with the value in each."""
    left, right = one.as_dict(), other.as_dict()
    return [(name, left[name], right[name]) for name in left if left[name] != right[name]]


def as_preset(rules: Rules) -> tuple[str, dict[str, Any]]:
    """Write a rule set as a preset and the changes to it: the `rules` and `set` of a record.

    The preset is the one of its name; rules from a file become changes to the nearest preset, so
    that a record can be read without the file.
    """
    name = rules.name if rules.name in _NAMES else _nearest_preset(rules)
    changes = diff(load_preset(name), rules)
    return name, {field.removeprefix(POINT_PREFIX): value for field, _, value in changes}


def changes_in_words(rules: Rules) -> list[str]:
    """Name what is changed in a preset, such as `draw yes`; nothing in rules of another name."""
    if rules.name not in _NAMES:
        return []
    changes = diff(load_preset(rules.name), rules)
    return [f"{name} {write_value(value)}" for name, _, value in changes]


def name_in_full(rules: Rules, seating: Seating) -> str:
    """Name a rule set with what is changed in it, and how many play where that is unusual."""
    changes = changes_in_words(rules)
    if seating != rules.seating():
        changes.append(f"{seating.players} players{'' if seating.partners else ' alone'}")
    return ", ".join([rules.name, *changes])


def _nearest_preset(rules: Rules) -> str:
    return min(_NAMES, key=lambda name: len(diff(load_preset(name), rules)))
