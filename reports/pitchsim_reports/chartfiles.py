"""Charts as files: png, svg, pdf and html, the same bytes for the same chart."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from pitchsim.errors import OutputError, listed, quoted_path

if TYPE_CHECKING:
    from pitchsim_reports.chart.bidchart import BidChart

#: The kinds of file, by their ending without the dot.
KINDS = ("png", "svg", "pdf", "html")
DOTS_AN_INCH = 200


def chart_kind(path: str | os.PathLike[str]) -> str:
    """Return the kind of file that a path asks for by its ending.

    Raises
    ------
    OutputError
        If there is no such kind, listing those that there are.
    """
    kind = Path(path).suffix.removeprefix(".").lower()
    if kind not in KINDS:
        endings = listed(f".{known}" for known in KINDS)
        raise OutputError(f"a chart cannot be written to {quoted_path(path)}: expected {endings}")
    return kind


def chart_bytes(chart: BidChart, kind: str) -> bytes:
    """Return a bid chart as a file of one of the `KINDS`."""
    if kind == "html":
        from pitchsim_reports.chartpage import bid_chart_page  # noqa: PLC0415  (slow to load)

        return bid_chart_page(chart).encode()
    from pitchsim_reports.figures import bid_chart, figure_bytes  # noqa: PLC0415  (slow to load)

    return figure_bytes(bid_chart(chart), kind, dots=DOTS_AN_INCH)
