"""The options that commands share, and what they come to."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from pitchsim.presets import find_rules, read_settings
from pitchsim.rules import Rules, Seating
from pitchsim_cli.output import check_output

DEFAULT_RULES = "partners"


class Format(StrEnum):
    """How results are written."""

    table = "table"
    csv = "csv"
    json = "json"
    markdown = "markdown"


def _writable(output: Path | None) -> Path | None:
    if output is not None:
        check_output(output)
    return output


RulesOption = Annotated[
    str,
    typer.Option(
        "--rules",
        "-r",
        metavar="NAME|FILE",
        help="A preset (pitchsim rules lists them) or a TOML file of your own.",
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="FIELD=VALUE",
        help="Change a field of the rules, or name an option such as cutthroat. Repeatable.",
    ),
]
PlayersOption = Annotated[
    int | None,
    typer.Option(
        "--players",
        "-p",
        metavar="N",
        help="How many play. Default: as the rules say.",
    ),
]
PartnersOption = Annotated[
    bool | None,
    typer.Option(
        "--partners/--cutthroat",
        help="Two sides, or each alone. Default: as the rules say.",
    ),
]
FormatOption = Annotated[Format, typer.Option("--format", help="How to write the results.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Short for --format json.")]
OutputOption = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write to a file, whole or not at all, instead of standard output.",
        callback=_writable,
    ),
]


def rules_and_seating(
    rules: str,
    settings: list[str] | None,
    players: int | None,
    partners: bool | None,
) -> tuple[Rules, Seating]:
    """Find the rule set that was asked for, with its changes, and seat the players.

    Raises
    ------
    RulesError
        If there is no such rule set, or anything about it makes no sense.
    """
    table = find_rules(rules).changed(read_settings(settings or []))
    return table, table.seating(players, partners)
