"""The table that a command is asked to look things up in."""

from pathlib import Path

import typer

from pitchsim.errors import TableError, listed, quoted_path
from pitchsim.presets import diff, find_rules, read_settings
from pitchsim.rulefields import write_value
from pitchsim.tables.bidtable import BidTable
from pitchsim_cli.options import typed_options

#: What decides a table, and may be typed beside it where it says the same.
DECIDING = ("--rules", "--set", "--players", "--partners", "--play", "--worlds")
#: What goes with any table.
CHOOSING = ("--bid", "--trump", "--lead")
WRITING = ("--table", "--leads", "--format", "--json", "--output")


class WrongTableError(TableError):
    """A table that does not answer what was asked."""

    exit_status = 2


def asked_table(context: typer.Context, place: Path) -> BidTable:
    """Open a table, and see that it is of what was asked for.

    Raises
    ------
    TableError
        If it cannot be read, or is of other rules, players or play than were typed, or something
        was typed that has no meaning with a table.
    """
    typed = typed_options(context)
    for option in typed:
        if option not in (*DECIDING, *CHOOSING, *WRITING):
            raise WrongTableError(
                f"{option} is of no use with --table, out of which nothing is played: expected "
                f"only {listed((*DECIDING, *CHOOSING, *WRITING), 'and')}"
            )
    table = BidTable(place)
    try:
        _refuse_another(context, table, typed)
    except BaseException:
        table.close()
        raise
    return table


def _refuse_another(context: typer.Context, table: BidTable, typed: list[str]) -> None:
    """Refuse a table that is of something else than was typed."""
    asked, study = context.params, table.study
    rules = find_rules(asked["rules"]) if "--rules" in typed else study.rules
    if "--set" in typed:
        rules = rules.changed(read_settings(asked["settings"]))
    seating = study.seating
    there: dict[str, int | str | None] = {
        "--players": seating.players,
        "--partners": seating.partners,
        "--play": study.play,
        "--worlds": study.worlds,
    }
    differences = diff(study.rules, rules)
    if differences and rules.name != study.rules.name:
        raise WrongTableError(
            f"the table {quoted_path(table.place)} is of {study.rules.name} rules, and "
            f"{rules.name} was asked for"
        )
    for option, here in there.items():
        wanted = asked.get(option.removeprefix("--"))
        if option in typed and wanted != here:
            differences.append((option.removeprefix("--"), here, wanted))
    for name, here, wanted in differences:
        raise WrongTableError(
            f"the table {quoted_path(table.place)} is of another game: {name} is "
            f"{write_value(here)} there, and {write_value(wanted)} was asked for"
        )
