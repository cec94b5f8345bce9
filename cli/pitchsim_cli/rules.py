"""`pitchsim rules`: list the rule sets, show one, compare two."""

import csv
import io
import json
import shutil
import textwrap
from collections.abc import Iterator, Sequence
from enum import StrEnum
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
from pitchsim_cli.options import JsonOption, OutputOption, SetOption
from pitchsim_cli.output import write_text

WIDEST = 88  # longer lines are hard to read


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
        RulesFormat, typer.Option("--format", help="How to write the rules.")
    ] = RulesFormat.table,
    as_json: JsonOption = False,
    output: OutputOption = None,
) -> None:
    """List the rule sets, show one as it is played, or compare two."""
    names = names or []
    form = RulesFormat.json if as_json else format_
    changes = read_settings(settings or [])
    if compare:
        text = _comparison(names, changes, form)
    elif len(names) > 1:
        raise RulesUsageError(
            f"{listed(map(quoted, names), 'and')} are {len(names)} rule sets: "
            "expected one, or two with --diff"
        )
    elif names:
        text = _one(find_rules(names[0]).changed(changes), form)
    else:
        text = _listing(form)
    write_text(text, output)


def _listing(form: RulesFormat) -> str:
    """List the presets with one line each, then the named options."""
    titles = {name: load_preset(name).title for name in preset_names()}
    if form is RulesFormat.json:
        return _json([{"name": name, "title": title} for name, title in titles.items()])
    if form is RulesFormat.toml:
        return rulesfile.names_file(titles)
    if form is not RulesFormat.table:
        return _rows([("name", "title"), *titles.items()], form)
    options = [(option.name, option.meaning) for option in named_options().values()]
    lines = [*_columns(list(titles.items())), ""]
    lines += ["Options for --set, beside FIELD=VALUE:", "", *_columns(options), ""]
    lines += _wrapped(
        "pitchsim rules NAME shows a rule set as it is played; with --format toml, its fields "
        "and what each may be."
    )
    return "\n".join(lines)


def _one(rules: Rules, form: RulesFormat) -> str:
    match form:
        case RulesFormat.json:
            texts = {"name": rules.name, "title": rules.title, "description": rules.description}
            derived = {"total": rules.total, "bids": rules.bids}
            return _json(texts | rulesfile.nested_points(rules.as_dict()) | derived)
        case RulesFormat.toml:
            return rulesfile.complete_file(rules)
        case RulesFormat.csv:
            fields = [(name, write_value(value)) for name, value in rules.as_dict().items()]
            return _rows([("field", "value"), *fields], form)
        case RulesFormat.markdown:
            return "\n".join(_as_markdown(rules))
        case RulesFormat.table:
            return "\n".join(_as_played(rules))


def _as_played(rules: Rules) -> Iterator[str]:
    """Write a rule set as one would want to read it at the table."""
    yield rules.name
    yield from _wrapped(rules.title)
    for heading, sentences in _parts(rules):
        yield ""
        yield heading
        for sentence in sentences:
            yield from _wrapped(sentence, first="  ", rest="    ")


def _as_markdown(rules: Rules) -> Iterator[str]:
    yield f"# {rules.name}"
    yield ""
    yield rules.title
    for heading, sentences in _parts(rules):
        yield ""
        yield f"## {heading}"
        yield ""
        yield from (f"- {sentence}" for sentence in sentences)


def _parts(rules: Rules) -> Iterator[tuple[str, Sequence[str]]]:
    """Give each heading with its sentences: what was changed, the rules, the page's reading."""
    is_preset = rules.name in preset_names()
    changes = diff(load_preset(rules.name), rules) if is_preset else []
    if changes:
        yield "Changed here", [f"{name} = {write_value(value)}" for name, _, value in changes]
    for section in explain(rules):
        yield section.heading, section.sentences
    if rules.description:
        before = " (before the changes)" if changes else ""
        heading = f"How the page was read{before}" if is_preset else "Notes"
        yield heading, rules.description.split("\n\n")


def _comparison(names: list[str], changes: dict[str, Any], form: RulesFormat) -> str:
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
    table = [("field", left, right)]
    table += [(name, write_value(a), write_value(b)) for name, a, b in rows]
    if form is not RulesFormat.table:
        return _rows(table, form)
    return "\n".join(_columns(table)) if rows else f"{left} and {right} are the same game."


def _file_on(one: Rules, other: Rules) -> tuple[str, dict[str, Any]]:
    """Write one rule set as changes to another, which a file can extend if it is a preset."""
    if one.name in preset_names() and one == load_preset(one.name):
        return one.name, {name: value for name, _, value in diff(one, other)}
    return as_preset(other)


def _rows(rows: Sequence[tuple[str, ...]], form: RulesFormat) -> str:
    """Write rows, the first of them a heading, as CSV or Markdown."""
    if form is RulesFormat.csv:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(rows)
        return text.getvalue()
    heading, *body = (f"| {' | '.join(row)} |" for row in rows)
    return "\n".join([heading, "|" + " --- |" * len(rows[0]), *body])


def _columns(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Line up columns, the last one wrapped inside the terminal's width."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)][:-1]
    indent = " " * (sum(widths) + 2 * len(widths))
    lines: list[str] = []
    for *cells, last in rows:
        start = "".join(cell.ljust(width + 2) for cell, width in zip(cells, widths, strict=True))
        lines += _wrapped(last, first=start, rest=indent)
    return lines


def _wrapped(text: str, first: str = "", rest: str = "") -> list[str]:
    width = max(40, min(WIDEST, shutil.get_terminal_size().columns))
    return textwrap.wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_on_hyphens=False,
        break_long_words=False,
    )


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)
