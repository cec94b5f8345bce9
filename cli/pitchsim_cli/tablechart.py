"""`pitchsim table chart`: a table by holding as a chart to learn from."""

from pathlib import Path
from typing import Annotated

import typer

from pitchsim.errors import PitchsimError, listed, quoted, quoted_path
from pitchsim.wholefile import check_place
from pitchsim_cli.options import TableArgument
from pitchsim_cli.output import refuse_overwriting, write_bytes


class NoChartError(PitchsimError):
    """A table of which there is no such chart."""


def chart(
    file: TableArgument,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Where to draw it: the ending says how, .png, .svg, .pdf or .html.",
        ),
    ],
    trump: Annotated[
        str | None,
        typer.Option(
            "--trump",
            "-t",
            metavar="SUIT",
            help="Of which trump suit, where the rules tell suits apart.",
        ),
    ] = None,
) -> None:
    """Draw a table by holding as a chart: which trumps are worth which bid.

    A row for what is held of the top cards, a column for the number of trumps;
    in each field the highest bid that pays and its chance.
    """
    from pitchsim_reports.chart.bidchart import BidChart  # noqa: PLC0415
    from pitchsim_reports.chartfiles import chart_bytes, chart_kind  # noqa: PLC0415

    from pitchsim.cards import parse_suit  # noqa: PLC0415
    from pitchsim.tables.bidtable import BidTable  # noqa: PLC0415  (loads pyarrow)

    kind = chart_kind(output)
    check_place(output)
    refuse_overwriting(output, file)
    suit = None if trump is None else parse_suit(trump)
    with BidTable(file) as table:
        study = table.study
        if study.by != "holding":
            raise NoChartError(
                f"{quoted_path(file)} is a table by {study.by}: expected one by holding, as "
                "pitchsim table makes without --by"
            )
        frame = table.frame()
        suits = list(dict.fromkeys(frame["trump"]))
        if suit is None and len(suits) > 1:
            raise NoChartError(
                f"the rules of {quoted_path(file)} tell suits apart: expected --trump "
                f"{listed(suits)} as well"
            )
        if suit is not None and suit not in suits:
            raise NoChartError(
                f"trump {quoted(suit)} is not in {quoted_path(file)}: expected --trump "
                f"{listed(suits)}"
            )
        chosen = frame[frame["trump"] == (suit or suits[0])]
        source = f"{table.seeds}, study {table.identity}"
        drawn = BidChart.of(
            chosen,
            study.rules,
            play=f"{study.play}{study.example.note_on_worlds}",
            source=source,
            seating=study.seating,
        )
    write_bytes(chart_bytes(drawn, kind), output)
