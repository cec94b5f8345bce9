"""What each point brings: chance times worth, by the bid that the hand is worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from pitchsim.errors import RulesError, listed, quoted
from pitchsim.presets import load_preset, preset_names
from pitchsim.rules import PASS, Rules
from pitchsim.titles import POINT_TITLES
from pitchsim_reports.figures.frames import in_order, labelled, needing
from pitchsim_reports.figures.lettering import plain, width
from pitchsim_reports.figures.panels import Panels, bid_scale, columns_for
from pitchsim_reports.figures.sheet import FEW, LEFT, RIGHT, SMALL, filled
from pitchsim_reports.figures.style import style
from pitchsim_reports.palette import INK, ink_on

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from pitchsim_reports.figures.picture import Picture

# Each point has a sign in its bar, and a colour that in grey differs from those beside it.
_SIGNS = {
    "high": ("H", "#b9dcf2"),
    "low": ("L", "#5ba3d0"),
    "jack": ("J", "#fbe3a6"),
    "off_jack": ("oJ", "#e0b341"),
    "high_joker": ("j1", "#dcd3ee"),
    "low_joker": ("j2", "#a591cf"),
    "trump_three": ("t3", "#f4cfc0"),
    "trump_five": ("t5", "#dd9a7e"),
    "off_five": ("o5", "#f4cfc0"),
    "ace_of_hearts": ("A", "#dd9a7e"),
    "game": ("G", "#a9d8b0"),
}
_KEY_LINE = 0.21


def point_contributions(worth: pd.DataFrame, rules: Mapping[str, Rules] | None = None) -> Picture:
    """Draw what each point contributes to the points taken, a panel for each rule set.

    A bar for each bid: the mean over the hands of which it is the highest that gains, pitched for
    it (for the lowest bid where none gains), of the chance of each point times its worth. A bar is
    as high as the points that such hands take.

    Parameters
    ----------
    worth
        Columns `rules`, `number` (of the hand), `bid`, `limit` (the highest bid that gains;
        missing: none) and `p_high`, `p_low` … (the chance of each point), and `play` if there are
        several.
    rules
        The rule sets by the names that they have in the frame, which say what each point is worth;
        None: they are presets.

    Raises
    ------
    PitchsimError
        If there are no rows or not these columns, or a rule set is not known.
    """
    frame = labelled(needing(worth, "rules", "number", "bid", "limit"))
    groups = {str(label): group for label, group in frame.groupby("label", sort=False)}
    brought = [
        _Brought.of(group, _known(str(group["rules"].iloc[0]), rules)) for group in groups.values()
    ]
    played = [name for name in _SIGNS if any(name in one.points for one in brought)]
    words = [_in_words(label, one.points) for label, one in zip(groups, brought, strict=True)]
    title = "What each point brings"
    lines = ["Points that a hand takes on average, by the highest bid that it is worth."]
    if any(one.few(bid) for one in brought for bid in one.points.index):
        lines.append("In brackets: the mean of fewer than ten hands.")
    with style():
        longest = max(len(one.points) for one in brought)
        columns = columns_for(len(groups), longest)
        key = _key_lines(played)
        panels = Panels(
            title,
            lines,
            list(groups),
            f"{lines[0]} {' '.join(words)}",
            columns=columns,
            high=2.0 if columns == 2 else 2.6,
            above=len(key) * _KEY_LINE + 0.1,
        )
        for number, line in enumerate(key):
            for x, name in line:
                y = panels.sheet.top + number * _KEY_LINE
                sign, colour = _SIGNS[name]
                panels.sheet.box(x, y, 0.24, 0.17, filled(colour))
                panels.sheet.text(x + 0.12, y + 0.085, sign, bold=True, color=ink_on(colour))
                panels.sheet.text(x + 0.3, y + 0.085, POINT_TITLES[name], ha="left")
        for one, axes in zip(brought, panels.plots(), strict=True):
            _stacks(axes, one, panels.wide, panels.high)
    return panels.picture


def _known(name: str, rules: Mapping[str, Rules] | None) -> Rules:
    """Find a rule set by its name in a frame."""
    if rules is not None and name in rules:
        return rules[name]
    if name in preset_names():
        return load_preset(name)
    given = listed(map(quoted, rules), "and") if rules else "none"
    raise RulesError(
        f"what points are worth under {quoted(name)} is not known: expected a rule set of that "
        f"name, given were {given}"
    )


@dataclass(frozen=True)
class _Brought:
    """What points bring under one rule set.

    Attributes
    ----------
    points
        The mean of each point's chance times its worth, a row for each limit; missing: no hands.
    hands
        Of how many hands, by limit.
    total
        What all points are worth together.
    """

    points: pd.DataFrame
    hands: pd.Series[int]
    total: int

    @classmethod
    def of(cls, group: pd.DataFrame, rules: Rules) -> Self:
        """Average over the hands, each pitched for its limit."""
        values = {name: rules.point_values[name] for name in _SIGNS if name in rules.point_values}
        chances = [f"p_{name}" for name in values]
        ladder = in_order(group["bid"])
        bid = group["limit"].where(group["limit"] != PASS, ladder[0])
        deciding = needing(group[group["bid"] == bid], *chances)
        points = deciding.groupby("limit")[chances].mean() * list(values.values())
        points.columns = list(values)
        rows = [PASS, *ladder]
        hands = deciding["limit"].value_counts().reindex(rows, fill_value=0)
        return cls(points.reindex(rows), hands, rules.total)

    def few(self, bid: str) -> bool:
        """Say whether there are hands, but hardly enough for a mean."""
        return bool(0 < self.hands[bid] < FEW)


def _in_words(label: str, table: pd.DataFrame) -> str:
    told = [
        f"hands worth {bid} take {row.sum():.2f}: "
        + ", ".join(f"{POINT_TITLES[str(name)]} {value:.2f}" for name, value in row.items())
        for bid, row in table.dropna().iterrows()
    ]
    return f"{plain(label)}: {'; '.join(told)}."


def _key_lines(played: list[str]) -> list[list[tuple[float, str]]]:
    """Lay the key out: for each line the points and where they stand."""
    lines: list[list[tuple[float, str]]] = [[]]
    x = LEFT
    for name in played:
        wide = 0.3 + width(POINT_TITLES[name], SMALL) + 0.16
        if x + wide - 0.16 > RIGHT:
            lines.append([])
            x = LEFT
        lines[-1].append((x, name))
        x += wide
    return lines


def _stacks(axes: Axes, brought: _Brought, wide: float, high: float) -> None:
    """Draw a panel: a stack for each bid."""
    bids = [str(bid) for bid in brought.points.index]
    bid_scale(axes, bids, wide)
    top = 1.1 * brought.total
    axes.set_ylim(0, top)
    axes.set_yticks(range(0, brought.total + 1, 1 if brought.total < 6 else 2))
    step = wide / len(bids)
    numbers = width("oJ 0.00", SMALL) < 0.8 * step
    totals = width("(0.0)", SMALL, bold=True) < step
    for place, (bid, row) in enumerate(brought.points.iterrows()):
        if row.isna().any():
            continue
        base = 0.0
        for name, value in row.items():
            sign, colour = _SIGNS[str(name)]
            axes.bar(place, value, 0.8, base, **filled(colour))
            if value * high / top > 0.14:
                text = f"{sign} {value:.2f}" if numbers else sign
                _write(axes, place, base + value / 2, text, color=ink_on(colour))
            base += value
        if totals:
            total = f"({base:.1f})" if brought.few(str(bid)) else f"{base:.1f}"
            _write(axes, place, base + 0.05 * top, total, color=INK, weight="bold")


def _write(axes: Axes, x: float, y: float, text: str, **look: Any) -> None:
    axes.text(x, y, text, size=SMALL, ha="center", va="center_baseline", **look)
