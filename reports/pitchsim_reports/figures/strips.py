"""Strips: rows of small bars over columns that all rows share, so that they can be compared."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pitchsim_reports.figures.lettering import fitting, folded, width
from pitchsim_reports.figures.picture import Picture
from pitchsim_reports.figures.sheet import LEFT, NAME, RIGHT, SMALL, Sheet
from pitchsim_reports.palette import FAINT, INK

_NAMES = 1.3  # inches
_LABEL, _FOOT, _HEADING = 0.17, 0.1, 0.3
_LINE = 0.18
_ROW = 0.62
_FEW_ROWS, _HIGH_ROW = 3, 0.95


@dataclass(frozen=True)
class Bar:
    """A bar: its parts from the bottom up, each with its height and look, and what stands above."""

    parts: tuple[tuple[float, dict[str, Any]], ...]
    label: str

    @property
    def height(self) -> float:
        """The height of all parts together."""
        return sum(height for height, _ in self.parts)


@dataclass(frozen=True)
class Strip:
    """A row: its name, a note under it, and a bar for some of the columns."""

    name: str
    note: str
    bars: Mapping[str, Bar]


def strips(
    title: str,
    lines: Sequence[str],
    groups: Mapping[str, Sequence[Strip]],
    *,
    columns: Sequence[str],
    axis: str,
    alt: str,
    marked: Collection[str] | None = None,
) -> Picture:
    """Draw rows of bars.

    Parameters
    ----------
    title, lines, alt
        As of a :class:`Sheet`.
    groups
        The rows, under headings; an empty heading is not drawn.
    columns
        The columns from the left, by what is written over them.
    axis
        What the columns are.
    marked
        The columns with a name over them; None: all.
    """
    rows = sum(map(len, groups.values()))
    row = _HIGH_ROW if rows <= _FEW_ROWS else _ROW
    headings = sum(_HEADING for heading in groups if heading)
    sheet = Sheet(title, lines, rows * row + headings + 0.42, alt)
    drawing = _Strips(sheet, columns, max(_heights(groups), default=1) or 1, row)
    drawing.scale(sheet.top, axis, columns if marked is None else marked)
    y = sheet.top + 0.42
    for heading, members in groups.items():
        if heading:
            name = fitting(heading, NAME, RIGHT - LEFT, bold=True)
            sheet.text(LEFT, y + 0.14, name, size=NAME, bold=True, ha="left")
            y += _HEADING
        names = folded((one.name for one in members), NAME, _NAMES - 0.1, bold=True)
        for member in members:
            drawing.strip(y, names[member.name], member)
            y += row
    return sheet.picture


def _heights(groups: Mapping[str, Sequence[Strip]]) -> list[float]:
    return [bar.height for rows in groups.values() for row in rows for bar in row.bars.values()]


class _Strips:
    """Rows being drawn."""

    def __init__(self, sheet: Sheet, columns: Sequence[str], highest: float, row: float) -> None:
        self.sheet = sheet
        self.columns = columns
        self.row = row
        self.left = LEFT + _NAMES
        self.step = (RIGHT - self.left) / len(columns)
        self.scaled = (row - _LABEL - _FOOT) / highest

    def middle(self, column: int) -> float:
        """Return where the middle of a column is."""
        return self.left + (column + 0.5) * self.step

    def scale(self, y: float, axis: str, marked: Collection[str]) -> None:
        """Write what the columns are, a word that is too wide for its column a line higher."""
        self.sheet.text(LEFT, y + 0.3, axis, color=FAINT, ha="left")
        for place, column in enumerate(self.columns):
            if column not in marked:
                continue
            if width(column, SMALL, bold=True) < self.step - 0.03 or marked is not self.columns:
                self.sheet.text(self.middle(place), y + 0.3, column, bold=True)
            elif place == 0:
                self.sheet.text(self.left, y + 0.12, column, bold=True, ha="left")
            else:
                self.sheet.text(RIGHT, y + 0.12, column, bold=True, ha="right")

    def strip(self, top: float, name: Sequence[str], strip: Strip) -> None:
        """Draw a row, its name in one line or two."""
        sheet, base = self.sheet, top + self.row - _FOOT
        middle = (top + base + _LABEL) / 2
        for place, line in enumerate([*name, strip.note]):
            y = middle + (place - len(name) / 2) * _LINE
            look = {"size": NAME, "bold": True} if place < len(name) else {"color": FAINT}
            sheet.text(LEFT, y, line, ha="left", **look)
        for place, column in enumerate(self.columns):
            bar = strip.bars.get(column)
            if bar is None:
                continue
            x, y = self.middle(place), base
            for height, look in bar.parts:
                y -= height * self.scaled
                sheet.box(x - 0.36 * self.step, y, 0.72 * self.step, height * self.scaled, look)
            sheet.line((x - 0.5 * self.step, x + 0.5 * self.step), (base, base), color=FAINT)
            if width(bar.label, SMALL) < self.step:
                sheet.text(x, y - 0.075, bar.label, color=INK if bar.height else FAINT)
