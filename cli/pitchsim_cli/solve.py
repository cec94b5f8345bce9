"""`pitchsim solve`: what each card is worth when everybody sees all the cards."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pitchsim_cli.eachrecord import Answer, Writing, answer_each
from pitchsim_cli.options import (
    Format,
    FormatOption,
    JsonOption,
    KeepGoingOption,
    OutputOption,
    RecordsArgument,
)
from pitchsim_cli.output import true_or_false
from pitchsim_cli.waiting import make_engine_ready

if TYPE_CHECKING:
    from pitchsim.records import HandRecord
    from pitchsim.solving import Solution

CSV_COLUMNS = (
    "line",
    "rules",
    "pitcher",
    "bid",
    "trump",
    "to_move",
    "card",
    "points",
    "makes_bid",
    "smudge",
    "nodes",
)


def solve(
    records: RecordsArgument,
    format_: FormatOption = Format.table,
    as_json: JsonOption = False,
    keep_going: KeepGoingOption = False,
    output: OutputOption = None,
) -> None:
    """Say what each card is worth, double dummy: everybody sees all the cards.

    That is, for each card that the player to move may play, the points that the
    pitcher's side ends with if it then takes all it can and everybody else plays
    against it. A record may break off anywhere: before the first lead, or in the
    middle of a trick. One that is illegal is refused as by pitchsim score.
    """
    from pitchsim.warmup import SOLVING  # noqa: PLC0415  (loads numba)

    make_engine_ready(SOLVING)
    writing = Writing(Format.json if as_json else format_, CSV_COLUMNS, output)
    answer_each(records, _answer, writing, keep_going=keep_going)


def _answer(line: int, record: "HandRecord") -> Answer:
    from pitchsim import solving  # noqa: PLC0415  (loads what is heavy)
    from pitchsim_cli.solutiontext import solution_parts  # noqa: PLC0415

    solution = solving.solve(record)
    return Answer(
        value=solution.to_json(),
        rows=_csv_rows(line, solution),
        parts=solution_parts(f"Line {line}", solution),
    )


def _csv_rows(line: int, solution: "Solution") -> Iterator[tuple[object, ...]]:
    """Give a row for each card, best first."""
    for card in solution.ranking:
        yield (
            line,
            solution.record.rules.name,
            solution.pitcher,
            solution.bid,
            solution.trump,
            solution.to_move,
            card,
            solution.values[card],
            true_or_false(solution.makes_bid(card)),
            true_or_false(solution.smudge.get(card)),
            solution.nodes,
        )
