"""What hands are worth: how often which bid, and how surely it is made.

These read a frame with a row for each rule set, hand and bid (of several plays, too).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pitchsim.rules import PASS
from pitchsim.wording import counted
from pitchsim_reports.figures.frames import in_order, labelled, needing
from pitchsim_reports.figures.lettering import hundredths, percent, plain
from pitchsim_reports.figures.panels import Panels, bid_scale, columns_for
from pitchsim_reports.figures.sheet import HOLLOW, SMALL, STRIPED, filled
from pitchsim_reports.figures.strips import Bar, Strip, strips
from pitchsim_reports.figures.style import style
from pitchsim_reports.palette import ACCENT, INK, RULE

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from pitchsim_reports.figures.picture import Picture


def worth_by_bid(worth: pd.DataFrame) -> Picture:
    """Draw how often a hand is worth each bid, a row of bars for each rule set.

    Parameters
    ----------
    worth
        Columns `rules`, `number` (of the hand), `bid` and `limit` (the highest bid that gains;
        missing: none), and `play` if there are several.

    Raises
    ------
    PitchsimError
        If there are no rows, or not these columns.
    """
    frame = labelled(needing(worth, "rules", "number", "bid", "limit"))
    rows, words = [], []
    for label, group in frame.groupby("label", sort=False):
        hands = group.drop_duplicates("number")
        shares = hands["limit"].value_counts(normalize=True)
        ladder = [PASS, *in_order(group["bid"])]
        share = {bid: float(shares.get(bid, 0.0)) for bid in ladder}
        bars = {
            bid: Bar(((value, STRIPED if bid == PASS else filled(ACCENT)),), hundredths(value))
            for bid, value in share.items()
        }
        rows.append(Strip(str(label), counted(len(hands), "hand"), bars))
        told = ", ".join(f"{bid} {percent(value)}" for bid, value in share.items())
        words.append(f"{plain(label)} ({counted(len(hands), 'hand')}): {told}.")
    columns = [PASS, *in_order(frame["bid"])]
    title = "How often a hand is worth each bid"
    lines = ["The highest bid that gains points on average, for so many of 100 hands."]
    with style():
        alt = f"{lines[0]} {' '.join(words)}"
        return strips(title, lines, {"": rows}, columns=columns, axis="Highest bid", alt=alt)


def make_by_bid(worth: pd.DataFrame) -> Picture:
    """Draw how the chance to make each bid is spread over hands, a panel for each rule set.

    For each bid a hollow box for all hands, and a filled one for those of which it is the highest
    bid that gains: from the lowest quarter to the highest, with lines to the lowest and highest
    twentieth. Of fewer than five hands each is a dot.

    Parameters
    ----------
    worth
        Columns `rules`, `number` (of the hand), `bid`, `make` (the chance to make it) and `limit`
        (the highest bid that gains; missing: none), and `play` if there are several.

    Raises
    ------
    PitchsimError
        If there are no rows, or not these columns.
    """
    frame = labelled(needing(worth, "rules", "number", "bid", "make", "limit"))
    groups = {str(label): group for label, group in frame.groupby("label", sort=False)}
    ladders = {label: in_order(group["bid"]) for label, group in groups.items()}
    words = [_made_in_words(label, group, ladders[label]) for label, group in groups.items()]
    title = "How surely each bid is made"
    lines = [
        "The chance to make it, in percent: the box holds the middle half of the hands, the line "
        "nine in ten, the bar across is the median. The number: the mean of hands worth that bid."
    ]
    with style():
        alt = f"{title}. {' '.join(words)}"
        columns = columns_for(len(groups), max(map(len, ladders.values())))
        panels = Panels(title, lines, list(groups), alt, columns=columns, high=1.6, above=0.26)
        panels.sheet.key([("all hands", HOLLOW), ("hands worth that bid, no more", filled(ACCENT))])
        for (label, group), axes in zip(groups.items(), panels.plots(), strict=True):
            _make(axes, group, ladders[label], panels.wide)
    return panels.picture


def _made_in_words(label: str, group: pd.DataFrame, ladder: list[str]) -> str:
    told = []
    for bid in ladder:
        rows = group[group["bid"] == bid]
        worth_it = rows[rows["limit"] == bid]
        text = f"{bid} in the median of all hands {percent(rows['make'].median())}"
        if len(worth_it):
            text += f", in the mean of those worth it {percent(worth_it['make'].mean())}"
        told.append(text)
    return f"{plain(label)}: {'; '.join(told)}."


def _make(axes: Axes, group: pd.DataFrame, ladder: list[str], wide: float) -> None:
    """Draw a panel of :func:`make_by_bid`."""
    bid_scale(axes, ladder, wide)
    axes.set_ylim(0, 118)
    axes.set_yticks([0, 25, 50, 75, 100], ["0", "", "50", "", "100"])
    axes.grid(axis="y", color=RULE, linewidth=0.6)
    for place, bid in enumerate(ladder):
        rows = group[group["bid"] == bid]
        worth_it = rows.loc[rows["limit"] == bid, "make"]
        _spread(axes, place - 0.2, rows["make"], HOLLOW)
        if len(worth_it):
            _spread(axes, place + 0.2, worth_it, filled(ACCENT))
            mean = hundredths(worth_it.mean())
            axes.text(
                place + 0.2, 110, mean, size=SMALL, weight="bold", ha="center", va="center_baseline"
            )


def _spread(axes: Axes, x: float, make: pd.Series[float], look: dict[str, Any]) -> None:
    """Draw how chances are spread."""
    if len(make) < 5:
        axes.plot([x] * len(make), 100 * make, "o", color=look["facecolor"], mec=INK, mew=0.6, ms=5)
        return
    low, first, median, third, high = (100 * make.quantile([0.05, 0.25, 0.5, 0.75, 0.95])).tolist()
    axes.plot((x, x), (low, high), color=INK, linewidth=1, solid_capstyle="butt")
    axes.bar(x, max(third - first, 0.8), 0.3, first, **look)
    axes.plot((x - 0.2, x + 0.2), (median, median), color=INK, linewidth=2, solid_capstyle="butt")
