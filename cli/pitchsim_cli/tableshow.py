"""`pitchsim table show`: a page of a table."""

from enum import StrEnum
from typing import Annotated

import typer

from pitchsim.errors import PitchsimError, listed
from pitchsim_cli.options import (
    BidShownOption,
    Format,
    FormatOption,
    JsonOption,
    OutputOption,
    TableArgument,
)
from pitchsim_cli.output import refuse_overwriting, write_pieces
from pitchsim_cli.values import whole_number

#: How many rows are shown to people, and of a table by hand to anybody, where no number is given.
USUAL_LIMIT = 20


class Order(StrEnum):
    """In which order rows are shown: as the table has them, or the best first."""

    row = "row"
    margin = "margin"
    make = "make"
    trumps = "trumps"


class PageError(PitchsimError):
    """A page of a table that is not possible."""


def show(
    file: TableArgument,
    *,
    holding: Annotated[
        str | None,
        typer.Option(
            "--holding",
            metavar="PATTERN",
            help='Only these trumps: "A J x", where x is any other trump from the 10 down and + '
            "stands for any more. Jokers are HJ and LJ; a table by holding has spades as trump, so "
            "the off-jack is JC. In a table by hand the best trump suit at the bid counts.",
        ),
    ] = None,
    bid: BidShownOption = None,
    sort: Annotated[
        Order,
        typer.Option(
            "--sort",
            metavar="ORDER",
            help=f"{listed(Order)}: as the table has the rows, or first those with the highest "
            "margin or chance at the bid (without --bid, first the highest bid), or the most "
            "trumps.",
        ),
    ] = Order.row,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit",
            metavar="N",
            parser=whole_number("limit"),
            help="Show so many rows. Default: 20; all of a table by holding as csv or json.",
        ),
    ] = None,
    format_: FormatOption = Format.table,
    as_json: JsonOption = False,
    output: OutputOption = None,
) -> None:
    """Show a page of a table: what its holdings or hands are worth."""
    from pitchsim.tables.bidtable import BidTable  # noqa: PLC0415  (loads pyarrow)
    from pitchsim.tables.pattern import HoldingPattern  # noqa: PLC0415
    from pitchsim_cli.tablepage import Asked, TablePage  # noqa: PLC0415

    refuse_overwriting(output, file)
    form = Format.json if as_json else format_
    if limit is not None and limit < 1:
        raise PageError(f"limit {limit} is not possible: expected 1 or more")
    with BidTable(file) as table:
        is_for_programs = form in (Format.csv, Format.json)
        if limit is None and not (is_for_programs and table.study.by == "holding"):
            limit = USUAL_LIMIT
        pattern = None
        if holding is not None:
            pattern = HoldingPattern.read(holding, table.study.rules, table.trumps)
        place = None if bid is None else table.study.columns.bids.index(table.read_bid(bid))
        page = TablePage(table, Asked(holding, pattern, place, sort, limit))
        write_pieces(page.pieces(form, output), output)
