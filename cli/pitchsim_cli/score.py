"""`pitchsim score`: replay hand records under their rules and score them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pitchsim_cli.eachrecord import Answer, Writing, answer_each
from pitchsim_cli.handtext import hand_parts
from pitchsim_cli.options import (
    Format,
    FormatOption,
    JsonOption,
    KeepGoingOption,
    OutputOption,
    RecordsArgument,
)
from pitchsim_cli.output import true_or_false

if TYPE_CHECKING:
    from pitchsim.records import HandRecord
    from pitchsim.reference.hand import HandResult

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
    records: RecordsArgument,
    format_: FormatOption = Format.table,
    as_json: JsonOption = False,
    keep_going: KeepGoingOption = False,
    output: OutputOption = None,
) -> None:
    """Replay recorded hands and score them by their rules.

    Every bid and play is checked. The first illegal record ends the run, with a
    message that says where it is wrong, the rule broken and what was legal;
    those before it are scored.
    """
    writing = Writing(Format.json if as_json else format_, CSV_COLUMNS, output)
    answer_each(records, _answer, writing, keep_going=keep_going)


def _answer(line: int, record: "HandRecord") -> Answer:
    from pitchsim.reference.hand import score_hand  # noqa: PLC0415  (not needed for --help)

    result = score_hand(record)
    return Answer(
        value=result.to_json(),
        rows=_csv_rows(line, record, result),
        parts=hand_parts(f"Line {line}", record, result),
    )


def _csv_rows(
    line: int, record: "HandRecord", result: "HandResult"
) -> Iterator[tuple[object, ...]]:
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
            true_or_false(result.made),
            side,
            " ".join(map(str, seating.seats_of(side))),
            true_or_false(result.pitcher is not None and seating.side_of(result.pitcher) == side),
            result.side_points[side],
            " ".join(name for name, taker in result.points.items() if taker == side),
            result.card_points[side],
            result.tricks_won[side],
            result.change[side],
            result.scores[side],
            true_or_false(result.winner == side),
        )
