"""The options that commands share, and what they come to."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from pitchsim.errors import listed, quoted
from pitchsim.presets import find_rules, read_settings
from pitchsim.rules import Rules, Seating
from pitchsim.wholefile import check_place
from pitchsim_cli.values import ValueTextError, whole_number

DEFAULT_RULES = "partners"
DEFAULT_PLAY = "basic"


class Format(StrEnum):
    """How results are written."""

    table = "table"
    csv = "csv"
    json = "json"
    markdown = "markdown"


def _writable(output: Path | None) -> Path | None:
    if output is None or str(output) == "-":
        return None
    check_place(output)
    return output


def _table_file(text: str) -> Path:
    """Read the name of a table's file: an empty one would name the folder that one is in."""
    if not str(text).strip():
        raise ValueTextError(f"{quoted(text)} is no table: expected the name of a file")
    return Path(text)


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
        parser=whole_number("players"),
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
PlayOption = Annotated[
    str,
    typer.Option(
        "--play",
        metavar="POLICY",
        help="How everybody plays: random, basic, expert (samples what fits what it has seen) or "
        "double-dummy (all see all the cards).",
    ),
]
WorldsOption = Annotated[
    int | None,
    typer.Option(
        "--worlds",
        "-w",
        metavar="N",
        parser=whole_number("worlds"),
        help="How many deals of the unseen cards an expert thinks through at each turn. "
        "Default: 100.",
    ),
]
SeedOption = Annotated[
    int | None,
    typer.Option(
        "--seed",
        "-s",
        metavar="N",
        parser=whole_number("seed"),
        help="Makes the numbers repeatable: 0 to 2**64 - 1. Default: one at random, which is said.",
    ),
]
TrumpOption = Annotated[
    str | None,
    typer.Option("--trump", "-t", metavar="SUIT", help="Only this trump suit: S, H, D or C."),
]
LeadOption = Annotated[
    str | None,
    typer.Option("--lead", "-l", metavar="CARD", help="Only this card as the first lead."),
]
KnownOption = Annotated[
    list[str] | None,
    typer.Option(
        "--known",
        metavar="SEAT:CARDS",
        help="Cards that a seat holds (N:AS), does not hold (-N:AS), or nobody holds (-:KS). "
        "With four players you sit South: W is at your left, N opposite, E at your right; or, "
        "for any number, 1, 2, ... clockwise from your left. Repeatable.",
    ),
]
ThreadsOption = Annotated[
    int | None,
    typer.Option(
        "--threads",
        metavar="N",
        parser=whole_number("threads"),
        help="How many threads work; the numbers stay the same. Default: all processors.",
    ),
]
TableOption = Annotated[
    Path | None,
    typer.Option(
        "--table",
        metavar="FILE",
        parser=_table_file,
        help="Look the answer up in a table that pitchsim table has made, and play nothing.",
    ),
]
LookUpTableOption = Annotated[
    Path,
    typer.Option(
        "--table",
        metavar="FILE",
        parser=_table_file,
        help="The table, which pitchsim table has made.",
    ),
]
TableArgument = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        parser=_table_file,
        help="A table that pitchsim table has made.",
        show_envvar=False,
    ),
]
BidOption = Annotated[
    str | None,
    typer.Option(
        "--bid",
        "-b",
        metavar="BID",
        help="What the pitcher plays for: a number or smudge. Default: the lowest bid.",
    ),
]
BidShownOption = Annotated[
    str | None,
    typer.Option(
        "--bid",
        "-b",
        metavar="BID",
        help="Show this bid, a number or smudge, and not the highest that pays.",
    ),
]
HandArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="HAND",
        help='Your six cards: "AS JS 10S 5S KH 2D", ASJSTS5SKH2D or AJT5.K.2. (spades.hearts.'
        "diamonds.clubs); HJ and LJ are jokers.",
        show_envvar=False,
    ),
]
RecordsArgument = Annotated[
    str,
    typer.Argument(
        metavar="RECORDS",
        help="A file of hand records, one JSON object a line; - reads standard input.",
        show_envvar=False,
    ),
]
KeepGoingOption = Annotated[
    bool,
    typer.Option(
        "--keep-going",
        "-k",
        help="Read on after an illegal record too; the exit status is 1 all the same.",
        show_envvar=False,
    ),
]
FormatOption = Annotated[
    Format,
    typer.Option("--format", metavar="FORMAT", help=f"How to write the results: {listed(Format)}."),
]
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


def worlds_for(context: typer.Context, play: str | None) -> int | None:
    """Return the number of worlds that was asked for.

    A default of one's own is only for a play that samples; what is typed is to be right.
    """
    from pitchsim.plays import PLAYS  # noqa: PLC0415  (loads numba)

    worlds: int | None = context.params["worlds"]
    samples = play in PLAYS and PLAYS[play].samples
    return worlds if samples or "--worlds" in typed_options(context) else None


def typed_options(context: typer.Context) -> list[str]:
    """Return the options that were typed, by their long names."""
    typed = []
    for parameter in context.command.params:
        source = context.get_parameter_source(str(parameter.name))
        is_option = parameter.param_type_name == "option"
        if is_option and source is not None and source.name == "COMMANDLINE":
            typed.append(max(parameter.opts, key=len))
    return typed


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
