"""A picture: a matplotlib figure that can be told in words."""

from __future__ import annotations

from matplotlib.figure import Figure

from pitchsim_reports.figures.files import figure_bytes, inline_svg
from pitchsim_reports.palette import PAPER


class Picture(Figure):
    """A figure, what it is of, and what it shows.

    Parameters
    ----------
    wide, high
        In inches.
    title
        What it is a picture of.
    alt
        What it shows, in sentences, for those who do not see it.
    fixed
        Whether an SVG of it is to look the same everywhere: letters as outlines, and colours that
        a page cannot change. Otherwise letters are text, in the fonts that the reader has.
    """

    def __init__(
        self, wide: float, high: float, title: str, alt: str, *, fixed: bool = False
    ) -> None:
        super().__init__(figsize=(wide, high), facecolor=PAPER)
        self.title = title
        self.alt = alt
        self.fixed = fixed

    def _repr_svg_(self) -> str:
        """Show it in a notebook."""
        return inline_svg(self)

    def _repr_png_(self) -> bytes:
        """Show it where a notebook shows no SVG."""
        return figure_bytes(self, "png")
