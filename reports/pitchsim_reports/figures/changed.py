"""The same hands at two tables: which bids change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pitchsim.errors import PitchsimError, listed, quoted
from pitchsim.rules import PASS
from pitchsim.wording import counted
from pitchsim_reports.figures.frames import in_order, labelled, needing, rank
from pitchsim_reports.figures.lettering import fitting, hundredths, percent, plain, width
from pitchsim_reports.figures.sheet import LEFT, NAME, RIGHT, SMALL, Sheet
from pitchsim_reports.figures.style import style
from pitchsim_reports.palette import FAINT, INK, PAPER, RULE, ink_on, shade

if TYPE_CHECKING:
    import pandas as pd

    from pitchsim_reports.figures.picture import Picture

_ROW, _WIDEST, _HEAD = 0.34, 0.72, 0.6
_SUMS = 0.5


def changed_bids(worth: pd.DataFrame) -> Picture:
    """Draw what the same hands are worth at two tables: a matrix of bid by bid.

    Parameters
    ----------
    worth
        A frame of two rule sets, or of two plays: columns `rules`, `number` (of the hand), `hand`,
        `bid` and `limit` (the highest bid that gains; missing: none), and `play`. Only the hands
        that are in both count.

    Raises
    ------
    PitchsimError
        If there are not two of them, no hand is in both, or columns are missing.
    """
    frame = labelled(needing(worth, "rules", "number", "hand", "bid", "limit"))
    parts = {str(label): group for label, group in frame.groupby("label", sort=False)}
    if len(parts) != 2:
        found = listed(map(quoted, parts), "and")
        raise PitchsimError(f"bids are compared between two rule sets or plays: found {found}")
    one, other = (
        group.drop_duplicates("number").set_index(["number", "hand"])["limit"]
        for group in parts.values()
    )
    both = one.to_frame("one").join(other.rename("other"), how="inner")
    if both.empty:
        raise PitchsimError(f"no hand is in both {listed(map(quoted, parts), 'and')}")
    ladders = [[PASS, *in_order(group["bid"])] for group in parts.values()]
    counts = {
        (one, other): int(((both["one"] == one) & (both["other"] == other)).sum())
        for one in ladders[0]
        for other in ladders[1]
    }
    with style():
        return _drawn(list(parts), ladders, counts)


def _drawn(
    names: Sequence[str], ladders: Sequence[Sequence[str]], counts: Mapping[tuple[str, str], int]
) -> Picture:
    hands = sum(counts.values())
    higher = sum(count for (one, two), count in counts.items() if rank(two) > rank(one))
    lower = sum(count for (one, two), count in counts.items() if rank(two) < rank(one))
    left, top = (fitting(name, SMALL, 2.0) for name in names)
    title = f"{higher + lower:,} of {counted(hands, 'hand')} change their bid"
    lines = [
        f"From {left} to {top}, {higher:,} are worth a higher bid and {lower:,} a lower one.",
        "In the cells: percent of the hands; in a heavy frame the bid is the same.",
    ]
    told = ", ".join(
        f"{one} to {two} {percent(count / hands)}" for (one, two), count in counts.items() if count
    )
    alt = (
        f"Of {counted(hands, 'hand')}, {higher:,} are worth a higher bid under "
        f"{plain(names[1])} than under {plain(names[0])}, {lower:,} a lower one. {told}."
    )
    sheet = Sheet(title, lines, _HEAD + (len(ladders[0]) + 1) * _ROW, alt)
    _matrix(sheet, names, ladders, {pair: count / hands for pair, count in counts.items()})
    return sheet.picture


def _matrix(
    sheet: Sheet,
    names: Sequence[str],
    ladders: Sequence[Sequence[str]],
    shares: Mapping[tuple[str, str], float],
) -> None:
    """Draw the cells, the bids around them, and the sums."""
    left = LEFT + 0.34 + max(width(bid, SMALL, bold=True) for bid in ladders[0]) + 0.1
    step = min(_WIDEST, (RIGHT - _SUMS - left) / len(ladders[1]))
    right, top = left + step * len(ladders[1]), sheet.top + _HEAD
    bottom = top + _ROW * len(ladders[0])
    most = max(shares.values())
    across = fitting(names[1], NAME, RIGHT - left, bold=True)
    sheet.text((left + right) / 2, sheet.top + 0.1, across, size=NAME, bold=True)
    down = fitting(names[0], NAME, max(bottom - top, 0.8), bold=True)
    sheet.text(LEFT + 0.1, (top + bottom) / 2, down, size=NAME, bold=True, turned=True)
    for column, bid in enumerate(ladders[1]):
        fits = width(bid, SMALL, bold=True) < step
        x = left + (column + 0.5) * step if fits or not column else right
        y = top - 0.13 if fits else top - 0.3
        sheet.text(x, y, bid, bold=True, ha="center" if fits or not column else "right")
        total = sum(shares[one, bid] for one in ladders[0])
        sheet.text(left + (column + 0.5) * step, bottom + 0.16, hundredths(total), color=FAINT)
    for row, one in enumerate(ladders[0]):
        y = top + row * _ROW
        sheet.text(left - 0.08, y + _ROW / 2, one, bold=True, ha="right")
        for column, two in enumerate(ladders[1]):
            share = shares[one, two]
            fill = shade(0.75 * (share / most) ** 0.5) if share else PAPER
            look = {"facecolor": fill, "edgecolor": RULE, "linewidth": 0.6}
            x = left + column * step
            sheet.box(x, y, step, _ROW, look)
            if share:
                ink = ink_on(fill)
                sheet.text(x + step / 2, y + _ROW / 2, hundredths(share), size=9.5, color=ink)
        total = sum(shares[one, two] for two in ladders[1])
        sheet.text(right + _SUMS / 2, y + _ROW / 2, hundredths(total), color=FAINT)
    for row, one in enumerate(ladders[0]):
        if one in ladders[1]:
            x, y = left + ladders[1].index(one) * step, top + row * _ROW
            frame = {"facecolor": "none", "edgecolor": INK, "linewidth": 1.8}
            sheet.box(x, y, step, _ROW, frame)
    sheet.text(left - 0.08, bottom + 0.16, "all", color=FAINT, ha="right")
    sheet.text(right + _SUMS / 2, top - 0.13, "all", color=FAINT)
