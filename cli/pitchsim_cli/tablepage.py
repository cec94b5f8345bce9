"""A page of a table: which rows it shows, and how each format has them."""

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pitchsim.cards import SUITS
from pitchsim.rules import SMUDGE
from pitchsim.tables.answers import Answers
from pitchsim.tables.bidtable import BidTable
from pitchsim.tables.pattern import HoldingPattern
from pitchsim.tables.rows import trumps_in
from pitchsim_cli.evaluationtext import Percent, signed
from pitchsim_cli.layout import Heading, Paragraph, Part, Sheet, laid_out
from pitchsim_cli.options import Format
from pitchsim_cli.output import json_value
from pitchsim_cli.tablelabels import (
    CLOSE,
    CLOSE_MARK,
    FORCED,
    bid_label,
    is_forced,
    lead_label,
    margin_label,
    pass_label,
    percent_for,
    source_columns,
)

if TYPE_CHECKING:
    import pandas as pd

#: With more bids than this there is no room for long names of them.
MANY_BIDS = 6
#: How many rows are written at once, and sorted in one go, so that a whole table needs little room.
ROWS_AT_ONCE = 20_000


@dataclass(frozen=True)
class Asked:
    """Which rows a page shows.

    Attributes
    ----------
    text, pattern
        Which trumps they have, as typed and as read; None for any.
    place
        The place of the bid shown; None for the highest that pays.
    sort
        The order: `row`, `margin`, `make` or `trumps`.
    limit
        How many rows there are at most; None for all.
    """

    text: str | None
    pattern: HoldingPattern | None
    place: int | None
    sort: str
    limit: int | None


@dataclass(frozen=True)
class TablePage:
    """A page of a table."""

    table: BidTable
    asked: Asked

    def pieces(self, form: Format, output: Path | None) -> Iterator[str]:
        """Write it in a format, piece by piece."""
        if form is Format.csv:
            yield from self._csv()
        elif form is Format.json:
            yield from self._json()
        else:
            yield laid_out(self._parts(form), form, output) + "\n"

    @cached_property
    def _chosen(self) -> tuple[NDArray[np.int64], int | None]:
        """The rows shown, in order, and how many match; None if not all were looked at."""
        limit, sort = self.asked.limit, self.asked.sort
        kept: list[NDArray[np.float64]] = []
        matched = waiting = 0
        for answers in self.table.answers():
            some = self._keys(answers)
            matched += len(some)
            kept.append(some)
            waiting += len(some)
            is_full = limit is not None and matched >= limit
            if is_full and sort == "row" and self.table.study.by == "hand":
                matches_all = self.asked.pattern is None
                return self._first(kept), self._rows if matches_all else None
            if limit is not None and waiting > limit + ROWS_AT_ONCE:
                kept = [self._in_order(kept)]
                waiting = limit
        return self._first(kept), matched

    def _first(self, keys: Sequence[NDArray[np.float64]]) -> NDArray[np.int64]:
        """Give the rows shown, in order, of those that match."""
        return self._in_order(keys)[:, -1].astype(np.int64)

    def _in_order(self, keys: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
        """Sort rows by their keys, the lowest first, and keep as many as are shown."""
        every = np.concatenate(keys)
        return every[np.lexsort(every.T[::-1])][: self.asked.limit]

    @property
    def _rows(self) -> int:
        return self.table.study.rows.count

    def _keys(self, answers: Answers) -> NDArray[np.float64]:
        """Give the rows that match, each after what they are sorted by, the lower the earlier."""
        rows, places = answers.rows, self._places(answers)
        each = np.arange(len(rows))
        best = answers.best[each, places]
        trumps = answers.records.trumps[best]
        held = trumps_in(answers.cards, trumps, self.table.study.rules)
        values = {
            "row": np.zeros(len(rows)),
            "margin": answers.margin[each, places],
            "make": answers.measures.make[best, places],
            "trumps": np.bitwise_count(held),
        }[self.asked.sort]
        # At different bids neither chance nor margin says which holding is better: the bid does.
        by_bid = self.asked.place is None and self.asked.sort in ("margin", "make")
        bids = answers.limit if by_bid else np.zeros(len(rows))
        keys = np.stack([-bids, -values.astype(float), rows], axis=1)
        pattern = self.asked.pattern
        return keys if pattern is None else keys[pattern.matches(held, trumps)]

    def _places(self, answers: Answers) -> NDArray[np.int64]:
        """Give the bid shown of each row: the lowest where none pays."""
        if self.asked.place is None:
            return np.maximum(answers.limit, 0)
        return np.full(len(answers.rows), self.asked.place)

    def frames(self) -> Iterator["pd.DataFrame"]:
        """Put it into tidy frames, one after another.

        Columns are as :meth:`pitchsim.tables.answers.Answers.frame` has them; there is always a
        frame, be it an empty one.
        """
        import pandas as pd  # noqa: PLC0415  (slow to load, and only frames need it)

        rows, _ = self._chosen
        if not len(rows):
            yield next(self.table.answers_of(np.array([0]))).frame().iloc[:0]
        for first in range(0, len(rows), ROWS_AT_ONCE):
            some = rows[first : first + ROWS_AT_ONCE]
            frames = [answers.frame() for answers in self.table.answers_of(np.sort(some))]
            frame = pd.concat(frames, ignore_index=True)
            if self.asked.place is not None:
                frame = frame[frame["bid"] == self._bids[self.asked.place]]
            yield frame.set_index("row").loc[some].reset_index()

    def _csv(self) -> Iterator[str]:
        """Write the frames, and in each line of which table it is."""
        source = source_columns(self.table)
        for place, frame in enumerate(self.frames()):
            yield frame.assign(**source).to_csv(index=False, header=not place, lineterminator="\n")

    def _json(self) -> Iterator[str]:
        """Write an object, the records of the frames being its rows."""
        rows, matched = self._chosen
        about = {"table": self.table.facts, "matched": matched, "shown": len(rows)}
        yield json.dumps(about).removesuffix("}") + ', "rows": ['
        before = ""
        for frame in self.frames():
            records = [
                json.dumps({name: json_value(value) for name, value in record.items()})
                for record in frame.to_dict("records")
            ]
            yield before + ", ".join(records)
            before = ", "
        yield "]}\n"

    def _parts(self, form: Format) -> Iterator[Part]:
        yield Heading(self._heading())
        rows, _ = self._chosen
        is_any_close = False
        if len(rows):
            cells = self._cells(np.sort(rows), form)
            headings = self._headings(form)
            yield Sheet(self._title(), headings, [cells[row] for row in rows.tolist()])
            is_any_close = any(CLOSE_MARK in cell for row in cells.values() for cell in row)
        yield Paragraph(" ".join(self._closing(is_any_close=is_any_close)))

    def _heading(self) -> str:
        """Say how many rows match, and how many are shown."""
        rows, matched = self._chosen
        name = f"{self.table.study.rows.name}s"
        if self.asked.text is None:
            which = f"{self._rows:,} {name}"
        elif matched is None:
            which = f"the {name} that match {self.asked.text}"
        else:
            which = f"{matched:,} of {self._rows:,} {name} match {self.asked.text}"
        if matched == len(rows):
            return which
        if matched is None:
            return f"The first {len(rows):,} of {which}"
        return f"{which}; {len(rows):,} are shown"

    def _title(self) -> str:
        if self.asked.place is None:
            return "Chance of each bid in percent, and the highest bid that pays"
        return f"Bid {self.table.study.columns.bids[self.asked.place]}"

    def _headings(self, form: Format) -> list[str]:
        name = f"<{self.table.study.rows.name.capitalize()}"
        if self.asked.place is None:
            names = [self._short(place) for place in range(len(self._bids))]
            return [name, *self._together(names, form), "<Bid", "Margin", "<Lead"]
        return [name, "Made", "<95 %", "Change", "Margin", "<Lead", "Ahead"]

    def _cells(self, rows: NDArray[np.int64], form: Format) -> dict[int, list[str]]:
        """Write what stands in the line of each row."""
        cells = {}
        for answers in self.table.answers_of(rows):
            first = int(answers.rows[0])
            texts = self.table.study.rows.texts(first, int(answers.rows[-1]) + 1)
            for at, row in enumerate(answers.rows.tolist()):
                write = self._of_all_bids if self.asked.place is None else self._of_one_bid
                cells[row] = [texts[row - first], *write(answers, at, form)]
        return cells

    def _of_all_bids(self, answers: Answers, at: int, form: Format) -> list[str]:
        makes = answers.at_best(answers.measures.make)[at]
        chances = self._together([Percent(0).of(p).removesuffix(" %") for p in makes], form)
        place = int(answers.limit[at])
        if place < 0:
            return [*chances, pass_label(is_close=answers.close[at].any()), "", ""]
        return [
            *chances,
            self._short(place),
            self._margin(answers, at, place),
            self._lead(answers, at, place),
        ]

    def _of_one_bid(self, answers: Answers, at: int, _: Format) -> list[str]:
        place = self.asked.place or 0
        best = answers.best[at, place]
        low, high = answers.measures.interval
        percent, ahead = percent_for(self.table.deals), answers.ahead[at, place]
        return [
            percent.of(float(answers.measures.make[best, place])),
            percent.between(float(low[best, place]), float(high[best, place])),
            signed(answers.measures.change[best, place]),
            self._margin(answers, at, place),
            self._lead(answers, at, place),
            "" if math.isnan(ahead) else f"{ahead:.2f}",
        ]

    def _margin(self, answers: Answers, at: int, place: int) -> str:
        half = answers.measures.margin_half_width[answers.best[at, place], place]
        return margin_label(float(answers.margin[at, place]), float(half))

    def _lead(self, answers: Answers, at: int, place: int) -> str:
        """Name the lead, and the trump suit where neither it nor the row tells which."""
        best, rules = answers.best[at, place], self.table.study.rules
        lead = lead_label(rules, int(answers.records.leads[best]))
        tells = rules.trump_choice == "pitched" and lead[-1] in SUITS
        if tells or self.table.study.by == "holding":
            return lead
        return f"{SUITS[answers.records.trumps[best]]}, {lead}"

    @property
    def _bids(self) -> tuple[str, ...]:
        return self.table.study.columns.bids

    def _short(self, place: int) -> str:
        """Name a bid in no more room than there is."""
        if self._bids[place] == SMUDGE and len(self._bids) > MANY_BIDS:
            return "sm."
        return bid_label(self.table.study.rules, self._bids[place])

    def _together(self, of_bids: Sequence[str], form: Format) -> list[str]:
        """Put what is said of the bids close together on a terminal."""
        if form is Format.markdown:
            return list(of_bids)
        widths = [max(3, len(self._short(place))) for place in range(len(self._bids))]
        return [" ".join(map(str.rjust, of_bids, widths))]

    def _closing(self, *, is_any_close: bool) -> Iterator[str]:
        """Explain the signs, and say what table it is."""
        if self._chosen[1] is None:
            yield "There may be more; with --sort all are looked through."
        if any(is_forced(self.table.study.rules, bid) for bid in self._bids):
            yield FORCED
        if is_any_close:
            yield CLOSE
        if self.asked.place is not None:
            yield "Ahead is by how much the margin of the next lead is behind."
        yield f"{self.table.place}: {self.table.about}."
