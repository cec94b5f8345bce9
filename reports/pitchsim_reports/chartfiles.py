"""Charts as files: png, svg, pdf and html, the same bytes for the same chart."""

from __future__ import annotations

import io
import os
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitchsim.errors import OutputError, listed, quoted_path

if TYPE_CHECKING:
    from pitchsim_reports.bidchart import BidChart

#: The kinds of file, by their ending without the dot.
KINDS = ("png", "svg", "pdf", "html")
DOTS_AN_INCH = 200

# What would differ from one day, or from one release of matplotlib, to the next is left out.
_METADATA: dict[str, dict[str, Any]] = {
    "png": {"Software": None},
    "svg": {"Creator": None, "Date": None},
    "pdf": {"Creator": None, "Producer": None, "CreationDate": None},
}


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
        from pitchsim_reports.pages import bid_chart_page  # noqa: PLC0415  (slow to load)

        return bid_chart_page(chart).encode()
    from pitchsim_reports.figures import bid_chart, style  # noqa: PLC0415  (slow to load)

    file = io.BytesIO()
    title = f"What to bid in Pitch: {chart.table}"
    key = "Description" if kind in {"png", "svg"} else "Subject"
    metadata = _METADATA[kind] | {"Title": title, key: chart.in_words}
    with style():
        bid_chart(chart).savefig(file, format=kind, dpi=DOTS_AN_INCH, metadata=metadata)
    return _described(file.getvalue(), title, chart.in_words) if kind == "svg" else file.getvalue()


def _described(svg: bytes, title: str, description: str) -> bytes:
    """Give an SVG the title and description that readers without sight are told."""
    head, tag, rest = svg.partition(b"<svg ")
    attributes, close, body = rest.partition(b">")
    named = b' role="img" aria-labelledby="title description"'
    told = (
        f'\n <title id="title">{escape(title)}</title>'
        f'\n <desc id="description">{escape(description)}</desc>'
    )
    return head + tag + attributes + named + close + told.encode() + body
