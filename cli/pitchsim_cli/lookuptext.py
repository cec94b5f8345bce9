"""Hands that were looked up in a table, as each format has them."""

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np

from pitchsim.batches.handlines import HandLine
from pitchsim.cards import ALL_CARDS, SUITS, format_hand
from pitchsim.tables.answers import Answers
from pitchsim.tables.bidtable import BidTable
from pitchsim.tables.rows import ANY_LEAD
from pitchsim.titles import SUIT_NAMES
from pitchsim_cli.layout import Paragraph, Sheet, laid_out
from pitchsim_cli.options import Format
from pitchsim_cli.output import csv_text
from pitchsim_cli.tablelabels import (
    CLOSE,
    FORCED,
    bid_label,
    is_forced,
    lead_label,
    margin_label,
    pass_label,
    percent_for,
    source_columns,
)

CSV_COLUMNS = (
    "line",
    "hand",
    "bid",
    "trump",
    "lead",
    "make",
    "low",
    "high",
    "change",
    "margin",
    "margin_half_width",
    "ahead",
    "limit",
    "deals",
)
#: The columns for people, as wide as what may come, for lines are written as hands are read.
HEADINGS = (
    f"<{'Hand':17}",
    f"<{'Bid':6}",
    f"{'Made':>6}",
    f"<{'95 %':9}",
    f"{'Margin':>12}",
    f"<{'Trump':8}",
    "<Lead",
)


class LookUpText(Protocol):
    """Writes what was looked up, batch by batch."""

    def answers(self, lines: Sequence[HandLine]) -> str:
        """Look some hands up, and write what they are worth."""

    def end(self) -> str:
        """Write what stands at the end."""


def lookup_text(table: BidTable, form: Format, bid: str | None, output: Path | None) -> LookUpText:
    """Return what writes in a format, about the highest bid that pays or about one bid.

    Raises
    ------
    StudyError
        If the table knows no such bid.
    """
    bid = None if bid is None else table.read_bid(bid)
    place = None if bid is None else table.study.columns.bids.index(bid)
    if form is Format.json:
        return _Json(table, bid)
    if form is Format.csv:
        return _Csv(table, place)
    return _Page(table, place, form, output)


@dataclass
class _Json:
    """An object for each hand, as `pitchsim hand --json` prints it."""

    table: BidTable
    bid: str | None

    def answers(self, lines: Sequence[HandLine]) -> str:
        evaluations = self.table.evaluations([line.hand for line in lines], self.bid)
        return "".join(f"{json.dumps(evaluation.to_json())}\n" for evaluation in evaluations)

    def end(self) -> str:
        return ""


@dataclass
class _Csv:
    """A row for each hand and bid."""

    table: BidTable
    place: int | None
    headings: list[Sequence[str]] = field(default_factory=list)

    def answers(self, lines: Sequence[HandLine]) -> str:
        answers = self.table.answers_to([line.hand for line in lines])
        text = csv_text([*self.headings, *self._rows(lines, answers)])
        self.headings = []
        return text

    def __post_init__(self) -> None:
        self.source = source_columns(self.table)
        self.headings = [[*CSV_COLUMNS, *self.source]]

    def _rows(self, lines: Sequence[HandLine], answers: Answers) -> Iterator[Sequence[object]]:
        measures, bids = answers.measures, self.table.study.columns.bids
        places = range(len(bids)) if self.place is None else [self.place]
        numbers = np.stack(
            [
                *map(answers.at_best, (measures.make, *measures.interval, measures.change)),
                answers.margin,
                answers.at_best(measures.margin_half_width),
                answers.ahead,
            ],
            axis=-1,
        ).tolist()
        trumps, leads = answers.records.trumps[answers.best], answers.records.leads[answers.best]
        for row, line in enumerate(lines):
            limit = answers.limit[row]
            for bid in places:
                lead = leads[row, bid]
                yield (
                    line.number,
                    format_hand(line.hand),
                    bids[bid],
                    SUITS[trumps[row, bid]],
                    None if lead == ANY_LEAD else ALL_CARDS[lead],
                    *(None if math.isnan(number) else number for number in numbers[row][bid]),
                    None if limit < 0 else bids[limit],
                    self.table.deals,
                    *self.source.values(),
                )

    def end(self) -> str:
        return ""


class _Shown(NamedTuple):
    """What a line says of a hand.

    place : the place of the bid shown; -1 where none pays.
    numbers : the chance, the ends of its interval, the margin and its half-width.
    trump, lead : their places in `SUITS` and `ALL_CARDS`.
    is_close : whether the margin, or of a hand for which none pays that of any bid, is too close
        to zero to call.
    """

    line: HandLine
    place: int
    numbers: list[float]
    trump: int
    lead: int
    is_close: bool


@dataclass
class _Page:
    """A line for each hand, for people."""

    table: BidTable
    place: int | None
    form: Format
    output: Path | None
    is_first: bool = True
    has_forced: bool = False
    has_close: bool = False

    def answers(self, lines: Sequence[HandLine]) -> str:
        answers = self.table.answers_to([line.hand for line in lines])
        sheet = Sheet("", HEADINGS, [self._row(shown) for shown in self._of_hands(lines, answers)])
        text = laid_out([sheet], self.form, self.output)
        if not self.is_first:  # the headings are there
            text = text.split("\n", 2 if self.form is Format.markdown else 1)[-1]
        self.is_first = False
        return text + "\n"

    def _of_hands(self, lines: Sequence[HandLine], answers: Answers) -> Iterator[_Shown]:
        """Give what is shown of each hand."""
        measures, rows = answers.measures, np.arange(len(lines))
        places = answers.limit if self.place is None else np.full(len(lines), self.place)
        shown = answers.best[rows, places]
        arrays = (measures.make, *measures.interval, measures.margin, measures.margin_half_width)
        numbers = np.stack([array[shown, places] for array in arrays], axis=1).tolist()
        trumps, leads = (
            answers.records.trumps[shown].tolist(),
            answers.records.leads[shown].tolist(),
        )
        close = answers.close
        is_close = np.where(places < 0, close.any(axis=1), close[rows, places]).tolist()
        return map(_Shown, lines, places.tolist(), numbers, trumps, leads, is_close)

    def _row(self, shown: _Shown) -> list[str]:
        line, place, numbers, trump, lead, is_close = shown
        hand = format_hand(line.hand)
        self.has_close |= is_close
        if place < 0:
            return [hand, pass_label(is_close=is_close), *[""] * 5]
        rules, bid = self.table.study.rules, self.table.study.columns.bids[place]
        self.has_forced |= is_forced(rules, bid)
        make, low, high, margin, half = numbers
        percent = percent_for(self.table.deals)
        return [
            hand,
            bid_label(rules, bid),
            percent.of(make),
            percent.between(low, high),
            margin_label(margin, half),
            SUIT_NAMES[SUITS[trump]],
            lead_label(rules, lead),
        ]

    def end(self) -> str:
        said = [] if self.is_first else [looked_up(self.table)]
        if self.has_forced:
            said.append(FORCED)
        if self.has_close:
            said.append(CLOSE)
        text = laid_out([Paragraph(" ".join(said))], self.form, self.output)
        return f"\n{text}\n" if said else ""


def looked_up(table: BidTable) -> str:
    """Say that it was looked up, and in which table."""
    return f"Looked up in {table.place}, and not played now: {table.about}."
