"""What strategies score: the changes of the score, and bids made and set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitchsim_reports.figures.frames import by_rules, in_order, needing, rows_of
from pitchsim_reports.figures.lettering import hundredths, percent, plain
from pitchsim_reports.figures.sheet import FEW, STRIPED, filled
from pitchsim_reports.figures.strips import Bar, Strip, strips
from pitchsim_reports.figures.style import style
from pitchsim_reports.palette import ACCENT
from pitchsim_reports.phrasing import MINUS, signed

if TYPE_CHECKING:
    import pandas as pd

    from pitchsim_reports.figures.picture import Picture


_MOST_MARKS = 11  # that stand over the bars without touching


def score_changes(changes: pd.DataFrame) -> Picture:
    """Draw by how much the score changes in a hand, a row of bars for each strategy.

    Parameters
    ----------
    changes
        Columns `rules`, `strategy`, `change` (of its score in a hand, in points) and `share` (of
        its hands).

    Raises
    ------
    PitchsimError
        If there are no rows, or not these columns.
    """
    frame = needing(changes, "rules", "strategy", "change", "share")
    steps = range(min(0, int(frame["change"].min())), max(0, int(frame["change"].max())) + 1)
    groups: dict[str, list[Strip]] = {}
    words = []
    for heading, strategy, part in by_rules(frame):
        share = dict(zip(part["change"].astype(int), part["share"], strict=True))
        mean = sum(step * value for step, value in share.items())
        bars = {
            _points(step): Bar(
                ((share.get(step, 0.0), STRIPED if step < 0 else filled(ACCENT)),),
                hundredths(share[step]) if step in share else "",
            )
            for step in steps
        }
        groups.setdefault(heading, []).append(Strip(strategy, f"mean {signed(mean)}", bars))
        told = ", ".join(
            f"{_points(step)} {percent(share[step])}" for step in steps if share.get(step)
        )
        words.append(f"{plain(f'{heading} {strategy}')}, mean {signed(mean)}: {told}.")
    title = "How the score changes in a hand"
    lines = ["Of 100 hands so many change its score by so many points; striped: a loss."]
    with style():
        columns = [_points(step) for step in steps]
        every = next(every for every in (1, 2, 5, 10) if len(steps) <= _MOST_MARKS * every)
        marked = columns if every == 1 else [_points(step) for step in steps if step % every == 0]
        alt = f"{title}, of each strategy. {' '.join(words)}"
        return strips(title, lines, groups, columns=columns, axis="Points", alt=alt, marked=marked)


def _points(step: int) -> str:
    return f"{step:+d}".replace("-", MINUS) if step else "0"


def bids_by_level(levels: pd.DataFrame) -> Picture:
    """Draw how often each strategy pitches at each bid, and how often that is made.

    Parameters
    ----------
    levels
        Columns `rules`, `strategy`, `bid`, `hands` (pitched at this bid), `made` (of these) and
        `share` (of all hands dealt to its side).

    Raises
    ------
    PitchsimError
        If there are no rows, or not these columns.
    """
    frame = needing(levels, "rules", "strategy", "bid", "hands", "made", "share")
    frame = frame.assign(bid=frame["bid"].astype(str))
    columns = in_order(frame["bid"])
    groups: dict[str, list[Strip]] = {}
    words = []
    for heading, strategy, part in by_rules(frame):
        bars, told = {}, []
        for row in rows_of(part):
            rate = row.made / row.hands if row.hands else 0.0
            made, missed = row.share * rate, row.share * (1 - rate)
            few = 0 < row.hands < FEW
            label = f"({hundredths(rate)})" if few else hundredths(rate) if row.hands else "0"
            bars[row.bid] = Bar(((made, filled(ACCENT)), (missed, STRIPED)), label)
            if row.hands:
                told.append(
                    f"{row.bid} in {percent(row.share)} of all hands, {percent(rate)} of them made"
                )
        pitched, made = int(part["hands"].sum()), int(part["made"].sum())
        note = f"{percent(made / pitched)} made" if pitched else "never pitched"
        groups.setdefault(heading, []).append(Strip(strategy, note, bars))
        words.append(f"{plain(f'{heading} {strategy}')}, {note}: {'; '.join(told)}.")
    title = "Bids made and set"
    lines = [
        "A bar is as high as the bid is frequent; filled: made; striped: set. "
        "The number says how many of 100 are made; in brackets: of fewer than ten."
    ]
    with style():
        alt = f"{title}, of each strategy. {' '.join(words)}"
        return strips(title, lines, groups, columns=columns, axis="Pitched for", alt=alt)
