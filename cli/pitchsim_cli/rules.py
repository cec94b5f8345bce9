"""`pitchsim rules`: list the rule sets, show one, compare two."""

import json
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from pitchsim.errors import PitchsimError, listed, quoted
from pitchsim.presets import (
    as_preset,
    diff,
    find_rules,
    load_preset,
    named_options,
    preset_names,
    read_settings,
)
from pitchsim.rulefields import write_value
from pitchsim.rules import Rules
from pitchsim.wording import explain
from pitchsim_cli import rulesfile
from pitchsim_cli.layout import Heading, Items, Paragraph, Part, Sheet, laid_out
from pitchsim_cli.options import JsonOption, OutputOption, SetOption
from pitchsim_cli.output import csv_text, write_text


class RulesFormat(StrEnum):
    """How rules are written."""

    table = "table"
    csv = "csv"
    json = "json"
    markdown = "markdown"
    toml = "toml"


class RulesUsageError(PitchsimError):
    """A number of rule sets that does not fit what is asked."""


def rules(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME|FILE", help="A preset or a TOML file of your own."),
    ] = None,
    *,
    compare: Annotated[
        bool,
        typer.Option(
            "--diff",
            help="Show the fields in which two rule sets differ, "
            "or one and itself as changed by --set.",
        ),
    ] = False,
    settings: SetOption = None,
    format_: Annotated[
        RulesFormat,
        typer.Option(
            "--format", metavar="FORMAT", help=f"How to write the rules: {listed(RulesFormat)}."
        ),
    ] = RulesFormat.table,
    as_json: JsonOption = False,
    output: OutputOption = None,
) -> None:
    """List the rule sets, show one as it is played, or compare two."""
    names = names or []
    form = RulesFormat.json if as_json else format_
    changes = read_settings(settings or [])
    if compare:
        text = _comparison(names, changes, form, output)
    elif len(names) > 1:
        raise RulesUsageError(
            f"{listed(map(quoted, names), 'and')} are {len(names)} rule sets: "
            "expected one, or two with --diff"
        )
    elif names:
        text = _one(find_rules(names[0]).changed(changes), form, output)
    else:
        text = _listing(form, output)
    write_text(text, output)


def _listing(form: RulesFormat, output: Path | None) -> str:
    """List the presets with one line each, then the named options."""
    titles = {name: load_preset(name).title for name in preset_names()}
    if form is RulesFormat.json:
        return _json([{"name": name, "title": title} for name, title in titles.items()])
    if form is RulesFormat.toml:
        return rulesfile.names_file(titles)
    if form is RulesFormat.csv:
        return csv_text([("name", "title"), *titles.items()])
    options = [(option.name, option.meaning) for option in named_options().values()]
    parts = (
        Sheet("", ["<Rules", "<The game"], list(titles.items())),
        Sheet("Options for --set, beside FIELD=VALUE", ["<Option", "<What it does"], options),
        Paragraph(
            "pitchsim rules NAME shows a rule set as it is played; with --format toml, its fields "
            "and what each may be."
        ),
    )
    return laid_out(parts, form, output)


def _one(rules: Rules, form: RulesFormat, output: Path | None) -> str:
    match form:
        case RulesFormat.json:
            texts = {"name": rules.name, "title": rules.title, "description": rules.description}
            derived = {"total": rules.total, "bids": rules.bids}
            return _json(texts | rulesfile.nested_points(rules.as_dict()) | derived)
        case RulesFormat.toml:
            return rulesfile.complete_file(rules)
        case RulesFormat.csv:
            fields = [(name, write_value(value)) for name, value in rules.as_dict().items()]
            return csv_text([("field", "value"), *fields])
        case _:
            return laid_out(_parts(rules), form, output)


def _parts(rules: Rules) -> Iterator[Part]:
    """Write a rule set as one would want to read it at the table.

    What was changed comes first, then the rules, then how the page was read.
    """
    yield Heading(rules.name)
    yield Paragraph(rules.title)
    is_preset = rules.name in preset_names()
    changes = diff(load_preset(rules.name), rules) if is_preset else []
    if changes:
        values = [f"{name} = {write_value(value)}" for name, _, value in changes]
        yield Items("Changed here", values)
    for section in explain(rules):
        yield Items(section.heading, section.sentences)
    if rules.description:
        before = " (before the changes)" if changes else ""
        heading = f"How the page was read{before}" if is_preset else "Notes"
        yield Items(heading, rules.description.split("\n\n"))


def _comparison(
    names: list[str], changes: dict[str, Any], form: RulesFormat, output: Path | None
) -> str:
    """Compare two rule sets; changes are those of the second, or of the only one."""
    if len(names) != 2 and not (len(names) == 1 and changes):
        raise RulesUsageError(
            f"--diff compares two rule sets, or one with itself as changed by --set: "
            f"found {len(names)} and {'a' if changes else 'no'} --set"
        )
    one, other = find_rules(names[0]), find_rules(names[-1]).changed(changes)
    left, right = one.name, other.name + (" changed" if changes else "")
    rows = diff(one, other)
    if form is RulesFormat.json:
        return _json([{"field": name, "values": [a, b]} for name, a, b in rows])
    if form is RulesFormat.toml:
        return rulesfile.changes_file(*_file_on(one, other))
    values = [(name, write_value(a), write_value(b)) for name, a, b in rows]
    if form is RulesFormat.csv:
        return csv_text([("field", left, right), *values])
    table = Sheet("", ["<Field", f"<{left}", f"<{right}"], values)
    same = Paragraph(f"{left} and {right} are the same game.")
    return laid_out([table if values else same], form, output)


def _file_on(one: Rules, other: Rules) -> tuple[str, dict[str, Any]]:
    """Write one rule set as changes to another, which a file can extend if it is a preset."""
    if one.name in preset_names() and one == load_preset(one.name):
        return one.name, {name: value for name, _, value in diff(one, other)}
    return as_preset(other)


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)
