"""A sheet: five inches of paper with a heading, measured in inches from its upper left corner."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from pitchsim_reports.figures.lettering import width, wrapped
from pitchsim_reports.figures.picture import Picture
from pitchsim_reports.palette import FAINT, INK, PAPER, RULE

#: At this width an inch of the page of a telephone is an inch: letters come out as large as here.
WIDTH = 5.0
EDGE = 0.12
LEFT, RIGHT = EDGE, WIDTH - EDGE
#: Sizes of letters, in points: headings, names, all other words.
HEADING, NAME, SMALL = 12.5, 10.0, 9.0
#: A share or a mean of fewer is in brackets.
FEW = 10
_LINE = 1.32 / 72  # inches of a line for each point of its type

#: How boxes are filled: by a colour; by nothing; by stripes, which stay in a print in grey.
HOLLOW: dict[str, Any] = {"facecolor": PAPER, "edgecolor": INK, "linewidth": 0.7}
STRIPED: dict[str, Any] = {**HOLLOW, "hatch": "/////"}


def filled(colour: str) -> dict[str, Any]:
    """Fill a box with a colour, inside an outline that shows on any paper."""
    return {"facecolor": colour, "edgecolor": INK, "linewidth": 0.5}


class Sheet:
    """A picture being drawn.

    Parameters
    ----------
    title
        The heading, which is also the picture's title.
    lines
        What stands under it: how to read the picture.
    body
        How many inches are needed below the heading.
    alt
        What the picture shows, in words.
    """

    def __init__(self, title: str, lines: Iterable[str], body: float, alt: str) -> None:
        headings = wrapped(title, HEADING, RIGHT - LEFT, bold=True)
        words = [part for line in lines for part in wrapped(line, SMALL, RIGHT - LEFT)]
        #: Where the body begins.
        self.top = EDGE + (len(headings) * HEADING + len(words) * SMALL) * _LINE + 0.12
        self.high = self.top + body + EDGE
        self.picture = Picture(WIDTH, self.high, title, alt)
        self.axes = self.picture.add_axes((0, 0, 1, 1), xlim=(0, WIDTH), ylim=(self.high, 0))
        self.axes.set_axis_off()
        y = EDGE
        for heading in headings:
            self.text(LEFT, y, heading, size=HEADING, bold=True, ha="left", va="top")
            y += HEADING * _LINE
        for line in words:
            self.text(LEFT, y, line, color=FAINT, ha="left", va="top")
            y += SMALL * _LINE

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = SMALL,
        bold: bool = False,
        color: str = INK,
        ha: str = "center",
        va: str = "center_baseline",
        turned: bool = False,
    ) -> None:
        """Write a text, with its middle at a place unless something else is said."""
        self.axes.text(
            x,
            y,
            text,
            fontsize=size,
            fontweight="bold" if bold else "normal",
            color=color,
            ha=ha,
            va="center" if turned and va == "center_baseline" else va,
            rotation=90 if turned else 0,
        )

    def box(self, x: float, y: float, wide: float, high: float, look: dict[str, Any]) -> None:
        """Draw a box from its upper left corner."""
        self.axes.add_patch(Rectangle((x, y), wide, high, **look))

    def key(self, entries: Iterable[tuple[str, dict[str, Any]]], y: float = 0.0) -> None:
        """Say in a line, so far below the top of the body, what the looks of boxes mean."""
        x, y = LEFT, self.top + y
        for words, look in entries:
            self.box(x, y, 0.24, 0.15, look)
            self.text(x + 0.31, y + 0.075, words, ha="left")
            x += 0.31 + width(words, SMALL) + 0.22

    def line(
        self,
        xs: Sequence[float],
        ys: Sequence[float],
        *,
        color: str = RULE,
        wide: float = 0.8,
        dashed: bool = False,
    ) -> None:
        """Draw a line."""
        self.axes.plot(
            xs, ys, color=color, linewidth=wide, linestyle=(0, (4, 3)) if dashed else "-"
        )

    def plot(self, x: float, y: float, wide: float, high: float) -> Axes:
        """Return axes for a plot with scales of its own, whose frame fills this box."""
        place = (x / WIDTH, 1 - (y + high) / self.high, wide / WIDTH, high / self.high)
        axes = self.picture.add_axes(place, facecolor="none")
        axes.spines[["top", "right"]].set_visible(False)
        axes.spines[["left", "bottom"]].set_color(FAINT)
        axes.tick_params(colors=FAINT, labelcolor=INK, labelsize=SMALL, length=2.5, pad=2)
        axes.tick_params(axis="x", pad=4)
        axes.set_axisbelow(True)
        return axes
