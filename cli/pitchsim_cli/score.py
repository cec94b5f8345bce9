"""`pitchsim score`: replay hand records under their rules and score them."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from pitchsim.errors import RecordError
from pitchsim.records import HandRecord, errors_on_line, parse_record, record_lines
from pitchsim.reference.hand import HandResult, score_hand
from pitchsim_cli.handtext import hand_parts
from pitchsim_cli.layout import laid_out
from pitchsim_cli.options import Format, FormatOption, JsonOption, OutputOption
from pitchsim_cli.output import csv_text, write_text

CSV_COLUMNS = (
    "line",
    "rules",
    "pitcher",
    "bid",
    "trump",
    "made",
    "side",
    "seats",
    "pitched",
    "points",
    "taken",
    "card_points",
    "tricks",
    "change",
    "score",
    "won",
)


def score(
    records: Annotated[
        str,
        typer.Argument(
            metavar="RECORDS",
            help="A file of hand records, one JSON object a line; - reads standard input.",
            show_envvar=False,
        ),
    ],
    format_: FormatOption = Format.table,
    as_json: JsonOption = False,
    keep_going: Annotated[
        bool,
        typer.Option(
            "--keep-going",
            "-k",
            help="Score the records after an illegal one too; the exit status is 1 all the same.",
            show_envvar=False,
        ),
    ] = False,
    output: OutputOption = None,
) -> None:
    """Replay recorded hands and score them by their rules.

    Every bid and play is checked. The first illegal record ends the run, with a
    message that says where it is wrong, the rule broken and what was legal;
    those before it are scored.
    """
    writer = Results(Format.json if as_json else format_, output)
    try:
        status = _score_all(records, writer, keep_going)
    finally:
        writer.close()
    if status:
        raise typer.Exit(status)


def _score_all(source: str, writer: "Results", keep_going: bool) -> int:
    """Score every record; return the exit status that the worst of them calls for."""
    status = 0
    for line, text in record_lines(source):
        try:
            with errors_on_line(line):
                record = parse_record(text)
                writer.add(line, record, score_hand(record))
        except RecordError as error:
            if not keep_going:
                raise
            print(f"error: {error}", file=sys.stderr)
            status = max(status, error.exit_status)
    return status


class Results:
    """Writes results as they come, or into a file at the end."""

    def __init__(self, form: Format, output: Path | None) -> None:
        self.form = form
        self.output = output
        self.count = 0
        self.kept: list[str] = []

    def add(self, line: int, record: HandRecord, result: HandResult) -> None:
        """Write one result."""
        text = self._text(line, record, result)
        self.count += 1
        if self.output is None:
            write_text(text)
        else:
            self.kept.append(text if text.endswith("\n") else text + "\n")

    def _text(self, line: int, record: HandRecord, result: HandResult) -> str:
        """Write a result, and what sets it off from those before it."""
        is_first = self.count == 0
        if self.form is Format.json:
            return json.dumps(result.to_json())
        if self.form is Format.csv:
            rows = _csv_rows(line, record, result)
            return csv_text([CSV_COLUMNS, *rows] if is_first else rows)
        text = laid_out(hand_parts(f"Line {line}", record, result), self.form, self.output)
        gap = "\n" if self.form is Format.markdown else "\n\n"
        return text if is_first else gap + text

    def close(self) -> None:
        """Write the file, if there is one and anything was scored."""
        if self.output is not None and self.kept:
            write_text("".join(self.kept), self.output)


def _csv_rows(line: int, record: HandRecord, result: HandResult) -> Iterator[tuple[object, ...]]:
    """Give a row for each side."""
    seating = record.seating
    values = result.to_json()
    for side in range(seating.sides):
        yield (
            line,
            record.rules.name,
            values["pitcher"],
            values["bid"],
            values["trump"],
            _true_or_false(result.made),
            side,
            " ".join(map(str, seating.seats_of(side))),
            _true_or_false(result.pitcher is not None and seating.side_of(result.pitcher) == side),
            result.side_points[side],
            " ".join(name for name, taker in result.points.items() if taker == side),
            result.card_points[side],
            result.tricks_won[side],
            result.change[side],
            result.scores[side],
            _true_or_false(result.winner == side),
        )


def _true_or_false(value: bool | None) -> str | None:
    return None if value is None else str(value).lower()
