"""How a difference settles as hands are played."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.ticker import MaxNLocator

from pitchsim_reports.chart.bidchart import CLOSE
from pitchsim_reports.figures.frames import differ, needing
from pitchsim_reports.figures.lettering import digits_for, plain
from pitchsim_reports.figures.panels import Panels
from pitchsim_reports.figures.style import style
from pitchsim_reports.palette import ACCENT, INK, PAPER, RULE, mixed
from pitchsim_reports.phrasing import give_or_take, signed

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from pitchsim_reports.figures.picture import Picture


_ROOM = 1.35  # to the right of the last stage, as a factor of hands


def convergence(convergence: pd.DataFrame) -> Picture:
    """Draw the difference between two strategies as hands are played, a panel for each pair.

    Parameters
    ----------
    convergence
        Columns `rules`, `one`, `other`, `hands` (so far), `difference` (mean of score a hand) and
        its 95 % interval from `low` to `high`; without end where it is not known yet, which is left
        out. A pair that is there both ways is drawn once.

    Raises
    ------
    PitchsimError
        If there are no rows with an interval, or not these columns.
    """
    needed = ("rules", "one", "other", "hands", "difference", "low", "high")
    frame = needing(convergence, *needed)
    is_known = np.isfinite(frame["low"]) & np.isfinite(frame["high"])
    frame = needing(frame.loc[is_known], *needed)
    several = differ(frame["rules"])
    pairs: dict[tuple[str, str, str], pd.DataFrame] = {}
    for (rules, one, other), part in frame.groupby(["rules", "one", "other"], sort=False):
        if (str(rules), str(other), str(one)) not in pairs:
            pairs[str(rules), str(one), str(other)] = part.sort_values("hands")
    names = [
        f"{rules}: {one} less {other}" if several else f"{one} less {other}"
        for rules, one, other in pairs
    ]
    words = [
        f"{plain(name)}: {_final(part)} after {int(part['hands'].iloc[-1]):,} hands."
        for name, part in zip(names, pairs.values(), strict=True)
    ]
    title = "How the differences settle"
    lines = [
        "Points a hand (up), with 95 % interval, by the number of hands played (across). What "
        "counts is the last interval: on the way the band may leave zero by chance. "
        f"{CLOSE}: too close to call."
    ]
    with style():
        panels = Panels(
            title,
            lines,
            names,
            f"{title}. {' '.join(words)}",
            columns=1 if len(pairs) == 1 else 2,
            high=1.1 if len(pairs) > 1 else 2.2,
            notes=[_final(part) for part in pairs.values()],
        )
        reach = _reach(pairs.values())
        for part, axes in zip(pairs.values(), panels.plots(), strict=True):
            _settling(axes, part, reach)
    return panels.picture


def _final(part: pd.DataFrame) -> str:
    """Write what a pair has come to: `+0.12 ±0.03`, marked if it is too close to call."""
    last = part.iloc[-1]
    half = (last["high"] - last["low"]) / 2
    digits = digits_for(last["difference"], half)
    text = f"{signed(last['difference'], digits)} {give_or_take(half, digits)}"
    return f"{CLOSE} {text}" if last["low"] <= 0 <= last["high"] else text


def _reach(parts: Iterable[pd.DataFrame]) -> tuple[float, float]:
    """Return from where to where panels reach, zero included: first intervals may be cut."""
    late = [part[part["hands"] >= part["hands"].iloc[-1] / 20] for part in parts]
    low = min(0.0, *(part["low"].min() for part in late))
    high = max(0.0, *(part["high"].max() for part in late))
    spare = 0.08 * (high - low) or 1.0
    return low - spare, high + spare


def _settling(axes: Axes, part: pd.DataFrame, reach: tuple[float, float]) -> None:
    """Draw a panel."""
    axes.set_xscale("log")
    hands, last = part["hands"], part.iloc[-1]
    first = hands.iloc[0] if len(part) > 1 else last["hands"] / 10
    axes.set_xlim(first, last["hands"] * _ROOM)
    axes.set_ylim(*reach)
    axes.minorticks_off()
    powers = [10**power for power in range(1, 10) if first <= 10**power <= last["hands"]]
    axes.set_xticks(powers, [_thousands(power) for power in powers])
    low, high = reach
    ticks = np.asarray(MaxNLocator(6, steps=[1, 2, 5, 10]).tick_values(low, high))
    digits = next(digits for digits in range(1, 9) if np.allclose(ticks, ticks.round(digits)))
    ticks = ticks[(low < ticks) & (ticks < high)]
    axes.set_yticks(ticks, [signed(tick, digits) for tick in ticks])
    axes.fill_between(
        hands,
        part["low"],
        part["high"],
        facecolor=mixed(ACCENT, PAPER, 0.35),
        edgecolor=ACCENT,
        linewidth=0.6,
    )
    axes.axhline(0, color=INK, linewidth=1)
    axes.plot(hands, part["difference"], color=ACCENT, linewidth=2)
    # What it has come to; the only thing to be seen where there is one stage.
    axes.vlines(last["hands"], last["low"], last["high"], color=INK, linewidth=1.2)
    axes.plot(last["hands"], last["difference"], "o", color=ACCENT, mec=INK, mew=0.7, ms=5)
    axes.grid(axis="y", color=RULE, linewidth=0.5)


def _thousands(hands: int) -> str:
    for size, letter in ((1_000_000, " m"), (1_000, " k")):
        if hands >= size:
            return f"{hands // size}{letter}"
    return str(hands)
