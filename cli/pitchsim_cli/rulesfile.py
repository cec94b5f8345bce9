"""Writing a rule set as a TOML file that can be edited and read back."""

import json
from typing import Any

from pitchsim.rulefields import FIELDS, POINT_FIELD, POINT_PREFIX, write_value
from pitchsim.rules import Rules


def complete_file(rules: Rules) -> str:
    """Write every field of a rule set, each with what it may be."""
    nested = nested_points(rules.as_dict())
    points = nested.pop("points")
    lines = [f"{key} = {_toml(getattr(rules, key))}" for key in ("name", "title")]
    lines += [f"description = {_paragraphs(rules.description)}", ""]
    lines += [
        f"{name} = {_toml(value)}  # {FIELDS[name].expected}" for name, value in nested.items()
    ]
    lines += ["", f"[points]  # what each is worth, {POINT_FIELD.expected}; 0 is not played"]
    lines += [f"{name} = {worth}" for name, worth in points.items()]
    return "\n".join(lines)


def changes_file(base: str, changes: dict[str, Any]) -> str:
    """Write a rules file that builds on a preset."""
    lines = [f"extends = {_toml(base)}"]
    return "\n".join(lines + [f"{name} = {_toml(value)}" for name, value in changes.items()])


def names_file(titles: dict[str, str]) -> str:
    """Write names with their titles."""
    return "\n".join(f"{name} = {_toml(title)}" for name, title in titles.items())


def nested_points(fields: dict[str, Any]) -> dict[str, Any]:
    """Put the points of a flat rule set into a table of their own."""
    nested: dict[str, Any] = {"points": {}}
    for name, value in fields.items():
        if name.startswith(POINT_PREFIX):
            nested["points"][name.removeprefix(POINT_PREFIX)] = value
        else:
            nested[name] = value
    return nested


def _toml(value: Any) -> str:
    """Write a value as TOML, which is as JSON but for one control character and no null."""
    if value is None or isinstance(value, list):
        value = write_value(value)
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _paragraphs(text: str) -> str:
    lines = [_toml(line)[1:-1] for line in text.split("\n")]
    return "\n".join(['"""', *lines, '"""'])
