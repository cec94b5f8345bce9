"""Strategies against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pitchsim_reports.chart.bidchart import CLOSE
from pitchsim_reports.figures.frames import needing, rows_of
from pitchsim_reports.figures.lettering import (
    digits_for,
    fitting,
    hundredths,
    percent,
    plain,
    told_apart,
    width,
)
from pitchsim_reports.figures.sheet import LEFT, NAME, RIGHT, SMALL, Sheet
from pitchsim_reports.figures.style import style
from pitchsim_reports.palette import (
    ACCENT,
    BLACK,
    CONTRAST,
    FAINT,
    INK,
    PAPER,
    mixed,
)
from pitchsim_reports.phrasing import give_or_take, signed

if TYPE_CHECKING:
    import pandas as pd

    from pitchsim_reports.figures.picture import Picture

_NAMES, _TURNED = 1.22, 1.1
_WIDEST = 0.9
_LINE = 0.16


def payoff_matrix(matches: pd.DataFrame) -> Picture:
    """Draw what each strategy gains against each other one, the best first.

    A cell holds the mean difference of score a hand of the strategy at the left from that above it,
    its 95 % interval, and the share of games won where games were played. What cannot be told from
    zero has a dashed frame, no colour and the sign of being close.

    Parameters
    ----------
    matches
        Columns `rules`, `one`, `other`, `difference`, `half_width`, `share` (of games won; missing:
        none were played) and `hands`. Several rule sets come below each other.

    Raises
    ------
    PitchsimError
        If there are no rows, or not these columns.
    """
    frame = needing(matches, "rules", "one", "other", "difference", "half_width", "share", "hands")
    tables = {str(rules): _Payoffs(part) for rules, part in frame.groupby("rules", sort=False)}
    title = "What strategies gain against each other"
    lines = [
        "Points a hand by which the one at the left is ahead of the one above, on the same deals, "
        "with 95 % interval.",
        f"{CLOSE} and a dashed frame: too close to call.",
    ]
    if frame["share"].notna().any():
        lines.append("In percent: the share of games won.")
    with style():
        words = " ".join(table.in_words(rules) for rules, table in tables.items())
        heading = 0.3 if len(tables) > 1 else 0.0
        heights = [heading + table.height for table in tables.values()]
        sheet = Sheet(title, lines, sum(heights), f"{title}, in points a hand. {words}")
        y = sheet.top
        for (rules, table), high in zip(tables.items(), heights, strict=True):
            if heading:
                name = fitting(rules, NAME, RIGHT - LEFT, bold=True)
                sheet.text(LEFT, y + 0.12, name, size=NAME, bold=True, ha="left")
            table.draw(sheet, y + heading)
            y += high
    return sheet.picture


class _Payoffs:
    """The matrix of one rule set."""

    def __init__(self, matches: pd.DataFrame) -> None:
        self.cells = {(str(row.one), str(row.other)): row for row in rows_of(matches)}
        means = matches.groupby(matches["one"].astype(str), sort=False)["difference"].mean()
        self.mean = means.sort_values(ascending=False, kind="stable")
        self.names = [*self.mean.index]
        self.names += [name for name in matches["other"].astype(str).unique() if name not in means]
        self.games = bool(matches["share"].notna().any())
        self.most = float(matches["difference"].abs().max()) or 1.0
        self.step = min(_WIDEST, (RIGHT - LEFT - _NAMES) / len(self.names))
        close = any(map(_close, self.cells.values()))
        self.row = max(2 + self.games + close, 3) * _LINE + 0.1

    @property
    def turned(self) -> bool:
        """Whether names are too wide to stand over their columns."""
        return any(width(plain(name), SMALL, bold=True) > self.step - 0.05 for name in self.names)

    @property
    def head(self) -> float:
        """The inches for the names over the columns."""
        if not self.turned:
            return 0.26
        longest = max(width(plain(name), SMALL, bold=True) for name in self.names)
        return min(longest, _TURNED) + 0.12

    @property
    def height(self) -> float:
        """The inches for all of it."""
        return self.head + len(self.names) * self.row + 0.1

    def in_words(self, rules: str) -> str:
        """Say what the cells say, each pair once."""
        told, seen = [], set()
        for (one, other), cell in self.cells.items():
            if (other, one) in seen:
                continue
            seen.add((one, other))
            digits = digits_for(cell.difference, cell.half_width)
            text = (
                f"{plain(one)} against {plain(other)} {signed(cell.difference, digits)} "
                f"{give_or_take(cell.half_width, digits)}"
            )
            if _close(cell):
                text += ", too close to call"
            if cell.share == cell.share:
                text += f", {percent(cell.share)} of games won"
            told.append(f"{text} ({cell.hands:,} hands)")
        return f"{plain(rules)}: {'; '.join(told)}."

    def draw(self, sheet: Sheet, top: float) -> None:
        """Draw names and cells."""
        left = LEFT + _NAMES
        first = top + self.head
        over = told_apart(self.names, SMALL, _TURNED if self.turned else self.step, bold=True)
        beside = told_apart(self.names, NAME, _NAMES - 0.08, bold=True)
        for place, name in enumerate(self.names):
            x = left + (place + 0.5) * self.step
            if self.turned:
                sheet.text(x, first - 0.06, over[name], bold=True, va="bottom", turned=True)
            else:
                sheet.text(x, first - 0.12, over[name], bold=True)
            y = first + (place + 0.5) * self.row
            sheet.text(LEFT, y - 0.09, beside[name], size=NAME, bold=True, ha="left")
            if name in self.mean:
                note = f"mean {signed(float(self.mean[name]))}"
                sheet.text(LEFT, y + 0.09, note, color=FAINT, ha="left")
        for row, one in enumerate(self.names):
            for column, other in enumerate(self.names):
                x, y = left + column * self.step, first + row * self.row
                cell = self.cells.get((one, other))
                if cell is not None:
                    self.cell(sheet, x, y, cell)

    def cell(self, sheet: Sheet, x: float, y: float, cell: Any) -> None:
        """Draw a cell."""
        close = _close(cell)
        colour = ACCENT if cell.difference > 0 else CONTRAST
        fill = mixed(colour, PAPER, 0.15 + 0.5 * abs(cell.difference) / self.most)
        look: dict[str, Any] = {"facecolor": fill, "edgecolor": INK, "linewidth": 0.5}
        if close:
            look = {
                "facecolor": PAPER,
                "edgecolor": FAINT,
                "linewidth": 1.0,
                "linestyle": (0, (3, 2)),
            }
        gap = 0.015
        sheet.box(x + gap, y + gap, self.step - 2 * gap, self.row - 2 * gap, look)
        ink = INK if close else BLACK
        digits = digits_for(cell.difference, cell.half_width) if self.step > 0.6 else 2
        lines = [signed(cell.difference, digits), give_or_take(cell.half_width, digits)]
        if self.games:
            lines.append(f"{hundredths(cell.share)} %" if cell.share == cell.share else "")
        if close:
            lines.append(CLOSE)
        start = y + self.row / 2 - (len(lines) - 1) * _LINE / 2
        for place, line in enumerate(lines):
            bold = not place and width(line, SMALL, bold=True) < self.step - 0.06
            sheet.text(x + self.step / 2, start + place * _LINE, line, bold=bold, color=ink)


def _close(cell: Any) -> bool:
    """Say whether a difference cannot be told from zero."""
    return not abs(cell.difference) > cell.half_width
