"""Pages: what figures show, as one HTML file that needs no other and no network."""

from __future__ import annotations

from typing import NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined

from pitchsim_reports.chart.bidchart import CLOSE, CLOSE_MEANS, BidChart, bid_words, points_text
from pitchsim_reports.palette import bid_colours, ink_on

_BARS_TOP, _BARS_BOTTOM = 20, 165


class Bar(NamedTuple):
    """A bar of the picture of what trumps are worth, in its units from the top."""

    label: str
    worth: str
    top: float
    height: float
    over: float


def bid_chart_page(chart: BidChart) -> str:
    """Write a bid chart as a page: the grid and the words as tables, the worth as a picture.

    Tables, and not a picture of the grid, as they suit a telephone's width and are read aloud.
    """
    environment = Environment(
        loader=PackageLoader("pitchsim_reports"), autoescape=True, undefined=StrictUndefined
    )
    environment.filters |= {
        "label": chart.label,
        "pattern": chart.pattern,
        "bid_words": bid_words,
    }
    colours = bid_colours(chart.bids)
    return environment.get_template("bidchart.html").render(
        chart=chart,
        colours=colours,
        inks={bid: ink_on(colour) for bid, colour in colours.items()},
        close_means=f"{CLOSE}: {CLOSE_MEANS}" if any(cell.close for cell in chart.cells) else "",
        any_raises=any(cell.raises for cell in chart.cells),
        bars=_bars(chart),
    )


def _bars(chart: BidChart) -> list[Bar]:
    high, low = max(chart.worth.values()), min(0.0, *chart.worth.values())
    scale = (_BARS_BOTTOM - _BARS_TOP) / (high - low)
    bars = []
    for card, worth in chart.worth.items():
        top = _BARS_TOP + scale * (high - max(worth, 0))
        height = scale * abs(worth)
        bars.append(
            Bar(
                chart.label(card),
                points_text(worth),
                *(round(n, 1) for n in (top, height, top - 5)),
            )
        )
    return bars
