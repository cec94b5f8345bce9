"""How well strategies judge their hands: bids predicted and made."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pitchsim_reports.figures.frames import in_order, needing, rows_of, side_labels
from pitchsim_reports.figures.lettering import percent, plain, width
from pitchsim_reports.figures.panels import Panels
from pitchsim_reports.figures.sheet import LEFT, SMALL, Sheet
from pitchsim_reports.figures.style import style
from pitchsim_reports.palette import FAINT, INK, RULE, bid_colours

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from pitchsim_reports.figures.picture import Picture

# Each bid has a marker of its own, as a print in grey has no colours.
_MARKERS = "osD^vPX*<>hdp8"
_LEAST = 20  # a share of fewer says nothing


def calibration(calibration: pd.DataFrame) -> Picture:
    """Draw predicted chances against the shares of bids made, a panel for each strategy.

    Parameters
    ----------
    calibration
        A row for each bin of predictions: columns `rules`, `strategy`, `bid`, `predicted` (their
        mean), `made` (the share made) with its 95 % interval from `low` to `high`, and `hands`.

    Raises
    ------
    PitchsimError
        If there are no rows, or not these columns.
    """
    needed = ("rules", "strategy", "bid", "predicted", "made", "low", "high", "hands")
    frame = needing(calibration, *needed)
    frame = needing(frame[frame["predicted"].notna()])
    frame = frame.assign(bid=frame["bid"].astype(str), label=side_labels(frame))
    groups = {str(label): part for label, part in frame.groupby("label", sort=False)}
    bids = in_order(frame["bid"])
    means = {label: _means(part) for label, part in groups.items()}
    words = [
        f"{plain(label)}: predicted {percent(said)}, made {percent(made)} of "
        f"{int(groups[label]['hands'].sum()):,} bids."
        for label, (said, made) in means.items()
    ]
    title = "Bids predicted and made"
    lines = [
        "Across: the chance that was predicted, in percent; up: the share made, with 95 % "
        f"interval, of {_LEAST} bids or more. Larger: more bids. Below the diagonal, bids are set "
        "more often than thought."
    ]
    with style():
        panels = Panels(
            title,
            lines,
            list(groups),
            f"{title}. {' '.join(words)}",
            columns=1 if len(groups) == 1 else 2,
            high=1.95 if len(groups) > 1 else 3.4,
            above=0.3,
            below=0.6,
        )
        looks = {
            bid: {"marker": _MARKERS[place % len(_MARKERS)], "color": colour}
            for place, (bid, colour) in enumerate(bid_colours(bids).items())
        }
        _bid_key(panels.sheet, looks)
        shown = frame[frame["hands"] >= _LEAST]
        lowest = min([0.75, *shown["predicted"], *shown["low"]])
        for (label, part), axes in zip(groups.items(), panels.plots(), strict=True):
            enough = part[part["hands"] >= _LEAST]
            _calibrated(axes, enough, looks, float(frame["hands"].max()), 25 * int(4 * lowest))
            said, made = means[label]
            text = f"predicted {percent(said)}, made {percent(made)}"
            axes.set_xlabel(text, fontsize=SMALL, color=INK, labelpad=3)
    return panels.picture


def _means(part: pd.DataFrame) -> tuple[float, float]:
    """Return the mean prediction and the share made, over all bins."""
    return (
        float(np.average(part["predicted"], weights=part["hands"])),
        float(np.average(part["made"], weights=part["hands"])),
    )


def _bid_key(sheet: Sheet, looks: dict[str, dict[str, str]]) -> None:
    """Draw which marker is which bid."""
    x, y = LEFT, sheet.top + 0.08
    sheet.text(x, y, "Bid", color=FAINT, ha="left")
    x += 0.42
    for bid, look in looks.items():
        _dot(sheet.axes, x, y, 45.0, look)
        sheet.text(x + 0.1, y, bid, ha="left")
        x += width(bid, SMALL) + 0.3


def _calibrated(
    axes: Axes, part: pd.DataFrame, looks: dict[str, dict[str, str]], most: float, least: int
) -> None:
    """Draw a panel of :func:`calibration`."""
    axes.set_xlim(least, 103)
    axes.set_ylim(least, 103)
    ticks = range(least, 101, 25 if least < 50 else 10)
    axes.set_xticks(ticks)
    axes.set_yticks(ticks)
    axes.grid(color=RULE, linewidth=0.5)
    axes.plot((0, 100), (0, 100), color=INK, linewidth=1, linestyle=(0, (4, 3)))
    for row in rows_of(part.sort_values("hands", ascending=False)):  # the small ones on top
        x, made = 100 * row.predicted, 100 * row.made
        axes.vlines(x, 100 * row.low, 100 * row.high, color=INK, linewidth=1, zorder=3)
        _dot(axes, x, made, 14 + 110 * row.hands / most, looks[row.bid])


def _dot(axes: Axes, x: float, y: float, size: float, look: dict[str, str]) -> None:
    """Draw a marker; its size is an area."""
    axes.scatter(
        [x],
        [y],
        size,
        marker=look["marker"],
        facecolor=look["color"],
        edgecolor=INK,
        linewidth=0.7,
        zorder=3,
        clip_on=False,
    )
