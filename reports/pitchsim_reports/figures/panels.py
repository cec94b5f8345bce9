"""Panels: small plots of the same kind side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from matplotlib.axes import Axes

from pitchsim_reports.figures.lettering import told_apart, width
from pitchsim_reports.figures.picture import Picture
from pitchsim_reports.figures.sheet import EDGE, NAME, RIGHT, SMALL, Sheet

_SCALE = 0.42  # inches to the left of a plot
_NAME, _NOTE, _BELOW, _BETWEEN = 0.26, 0.17, 0.46, 0.12


class Panels:
    """A sheet of plots, each under its name.

    Parameters
    ----------
    title, lines, alt
        As of a :class:`Sheet`.
    names
        What the plots are called.
    columns
        How many stand side by side.
    high
        How high each is, in inches.
    notes
        What stands under the names.
    above
        How many inches there are to be above them all, for a key.
    below
        How many inches each needs for what stands under it.
    """

    def __init__(
        self,
        title: str,
        lines: Sequence[str],
        names: Sequence[str],
        alt: str,
        *,
        columns: int,
        high: float,
        notes: Sequence[str] = (),
        above: float = 0.0,
        below: float = _BELOW,
    ) -> None:
        self.names = names
        self.notes = notes
        self.head = _NAME + _NOTE * bool(notes)
        self.columns = columns
        self.high = high
        self.above = above
        #: The width of a plot, in inches.
        self.wide = (RIGHT - EDGE - (columns - 1) * _BETWEEN) / columns - _SCALE
        self.row = self.head + high + below
        rows = -(-len(names) // columns)
        self.sheet = Sheet(title, lines, above + rows * self.row, alt)

    @property
    def picture(self) -> Picture:
        """What is drawn."""
        return self.sheet.picture

    def plots(self) -> Iterator[Axes]:
        """Give the axes of each plot."""
        names = told_apart(self.names, NAME, self.wide + _SCALE, bold=True)
        for place, name in enumerate(names.values()):
            row, column = divmod(place, self.columns)
            x = EDGE + column * (self.wide + _SCALE + _BETWEEN) + _SCALE
            y = self.sheet.top + self.above + row * self.row
            self.sheet.text(x - _SCALE, y + 0.1, name, size=NAME, bold=True, ha="left")
            if self.notes:
                self.sheet.text(x - _SCALE, y + 0.27, self.notes[place], ha="left")
            yield self.sheet.plot(x, y + self.head, self.wide, self.high)


def columns_for(panels: int, bids: int) -> int:
    """Say how many panels over so many bids stand side by side: few long ones have the width."""
    return 1 if panels == 1 or bids > (6 if panels == 2 else 10) else 2


def bid_scale(axes: Axes, bids: Sequence[str], wide: float) -> None:
    """Put bids along the foot of a plot, a word that is too wide for its place a line lower."""
    axes.set_xlim(-0.5, len(bids) - 0.5)
    axes.set_xticks(range(len(bids)), [""] * len(bids))
    step = wide / len(bids)
    for place, bid in enumerate(bids):
        fits = bid.isdigit() or width(bid, SMALL, bold=True) < step
        x = place if fits else (len(bids) - 0.5 if place else -0.5)
        axes.annotate(
            bid,
            (x, 0),
            (0, -11 if fits else -22),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            size=SMALL,
            weight="bold",
            ha="center" if fits else "right" if place else "left",
            va="center_baseline",
        )
