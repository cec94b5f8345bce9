"""`pitchsim lookup`: what many hands are worth, out of a table."""

import sys
from collections.abc import Iterator
from typing import Annotated

import typer

from pitchsim.batches.handlines import HandLine, HandLineError, hand_batches
from pitchsim_cli.options import (
    BidShownOption,
    Format,
    FormatOption,
    JsonOption,
    LookUpTableOption,
    OutputOption,
)
from pitchsim_cli.output import refuse_overwriting, write_pieces


def lookup(
    hands: Annotated[
        str,
        typer.Argument(
            metavar="HANDS",
            help="A file of hands, one a line in any notation; - reads standard input. Blank "
            "lines are skipped, and those that begin with #.",
            show_envvar=False,
        ),
    ],
    *,
    table: LookUpTableOption,
    bid: BidShownOption = None,
    keep_going: Annotated[
        bool,
        typer.Option(
            "--keep-going",
            "-k",
            help="Read on after a line that is no hand; the exit status is 2 all the same.",
            show_envvar=False,
        ),
    ] = False,
    format_: FormatOption = Format.table,
    as_json: JsonOption = False,
    output: OutputOption = None,
) -> None:
    """Look many hands up in a table: the highest bid that pays, its chance, and the lead.

    Hands that come through a pipe are answered as they come. The first line
    that is no hand ends the run, with a message that says what is wrong.
    """
    from pitchsim.tables.bidtable import BidTable  # noqa: PLC0415  (loads pyarrow)
    from pitchsim_cli.lookuptext import lookup_text  # noqa: PLC0415

    refuse_overwriting(output, table, hands)
    status = 0
    with BidTable(table) as open_table:
        text = lookup_text(open_table, Format.json if as_json else format_, bid, output)

        def pieces() -> Iterator[str]:
            nonlocal status
            for batch in hand_batches(hands, open_table.study.rules.jokers):
                readable, errors = _sorted_out(batch, keep_going=keep_going)
                if readable:
                    yield text.answers(readable)
                for error in errors:
                    if not keep_going:
                        raise error
                    print(f"error: {error}", file=sys.stderr)
                    status = error.exit_status
            yield text.end()

        write_pieces(pieces(), output)
    if status:
        raise typer.Exit(status)


def _sorted_out(
    batch: list[HandLine | HandLineError], *, keep_going: bool
) -> tuple[list[HandLine], list[HandLineError]]:
    """Tell hands from errors; but for keeping going, the hands only before the first error."""
    hands: list[HandLine] = []
    errors: list[HandLineError] = []
    for line in batch:
        if isinstance(line, HandLine):
            hands.append(line)
        else:
            errors.append(line)
            if not keep_going:
                break
    return hands, errors
