"""Findings: sentences computed from frames, each with its numbers and how sure they are."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchsim.errors import listed
from pitchsim.intervals import Z95
from pitchsim.precision import about, telling_decimals
from pitchsim.rules import PASS
from pitchsim.wording import counted
from pitchsim_reports.phrasing import between, difference, give_or_take, percent, won
from pitchsim_reports.report.document import Finding
from pitchsim_reports.report.reasons import reasons_of
from pitchsim_reports.report.worthviews import (
    Difference,
    Pair,
    limit_shares,
    records_of,
    under,
    worth_a_bid,
)

if TYPE_CHECKING:
    import pandas as pd

    from pitchsim_reports.report.spec import AskedRules

CLOSE = "too close to call"
#: So many pairs of strategies that are told apart, and that are not, are told of in sentences.
MOST_PAIRS = 3


def worth_findings(
    worth: pd.DataFrame, rules: Sequence[AskedRules], *, sampled: bool
) -> Iterator[Finding]:
    """Say under each rule set how many hands are worth a bid, and which bid most often.

    Parameters
    ----------
    worth
        The frame of that name.
    rules
        The rule sets, by the labels of the frame.
    sampled
        Whether the hands are dealt at random: only then do they speak for others.
    """
    for one in rules:
        rows = under(worth, one.label)
        if rows.empty:
            continue
        some = worth_a_bid(rows)
        sure = f", 95 % interval {between(*some.interval)}" if sampled else ""
        text = (
            f"{some.count:,} of {counted(some.total, 'hand')} ({percent(some.share)}{sure}) "
            f"{'is' if some.count == 1 else 'are'} worth a bid"
        )
        often = {bid: share for bid, share in limit_shares(rows).items() if bid != PASS}
        most = max(often, key=lambda bid: often[bid].count)
        if some.count:
            text += f"; the highest that pays is most often {most} ({often[most].count:,} hands)"
        yield Finding(f"Bids under {one.label}", f"{text}.")


def change_findings(pairs: Iterable[Pair], *, sampled: bool) -> Iterator[Finding]:
    """Say how many hands change their highest bid from one rule set to another, and why."""
    for pair in pairs:
        first, other = pair.one_asked, pair.other_asked
        changed = len(pair.changed)
        text = (
            f"{changed:,} of {counted(pair.hands, 'hand')} ({percent(changed / pair.hands)}) "
            f"{'changes its' if changed == 1 else 'change their'} highest bid."
        )
        if changed:
            text += f" What changes most in them: {reasons_of(pair)}."
        if sampled:
            text += f" {_which_has_more(pair.more_worth_it(), first.label, other.label)}"
        yield Finding(f"{first.label} to {other.label}", text)


def _which_has_more(gap: Difference, first: str, other: str) -> str:
    """Say under which of two rule sets more hands are worth a bid."""
    more = other if gap.mean > 0 else first
    points = f"{_points(gap.mean, gap.half_width)} percentage points"
    if gap.is_close:
        return (
            f"Under which of them more hands are worth a bid is {CLOSE}: here it is {more}, by "
            f"{points}."
        )
    return f"More hands are worth a bid under {more}, by {points}."


def _points(gap: float, half_width: float) -> str:
    """Write the size of a difference of shares in points of 100: `3.0 ±1.2`."""
    gap, half_width = 100 * abs(gap), 100 * half_width
    digits = telling_decimals(gap, half_width, 1)
    return f"{gap:.{digits}f} {give_or_take(half_width, digits)}"


def match_findings(matches: pd.DataFrame) -> Iterator[Finding]:
    """Say under each rule set who gains how much on whom, and what cannot be told."""
    for label, rows in matches.groupby("rules", sort=False):
        pairs = _each_pair_once(rows)
        told = [row for row in pairs if abs(row["difference"]) > row["half_width"]]
        close = [row for row in pairs if row not in told]
        sentences = [
            f"{row['one']} gains {_amount(row)} points a hand on {row['other']}{_games(row)}."
            for row in told[:MOST_PAIRS]
        ]
        sentences += [
            f"{row['one']} and {row['other']} are {CLOSE}: {_amount(row)} points a hand"
            f"{_needed(row)}{_games(row)}."
            for row in close[:MOST_PAIRS]
        ]
        if more := len(pairs) - len(sentences):
            sentences.append(f"{counted(more, 'more pair')} in the table below.")
        yield Finding(f"Strategies under {label}", " ".join(sentences))


def _each_pair_once(rows: pd.DataFrame) -> list[dict[str, Any]]:
    """Keep of each pair of strategies the row in which the first is not behind, the largest first.

    Where neither is ahead, the row that comes first.
    """
    pairs: dict[frozenset[str], dict[str, Any]] = {}
    for row in records_of(rows.sort_values("difference", ascending=False, kind="stable")):
        if row["one"] != row["other"]:
            pairs.setdefault(frozenset((row["one"], row["other"])), row)
    return list(pairs.values())


def _amount(row: dict[str, Any]) -> str:
    return difference(row["difference"], row["half_width"]).removeprefix("+")


def _needed(row: dict[str, Any]) -> str:
    if not math.isfinite(row["needed"]):
        return ""
    return f"; {about(row['needed'])} hands would tell"


def _games(row: dict[str, Any]) -> str:
    """Say what part of the games the first strategy of a row wins; nothing if none were played."""
    share, half = row["share"], row["share_half_width"]
    if math.isnan(share):
        return ""
    text = f"; of the games it wins {won(share, half)}"
    return f"{text}, which is {CLOSE}" if abs(share - 0.5) <= half else text


def calibration_findings(calibration: pd.DataFrame) -> Iterator[Finding]:
    """Say under each rule set whose bids are made less often than expected, or more often."""
    for label, rows in calibration.groupby("rules", sort=False):
        verdicts = list(_verdicts(rows))
        sentences = []
        for what in ("expects too much", "expects too little", f"is {CLOSE}"):
            who = [name for verdict, name in verdicts if verdict == what]
            if who:
                verb, rest = what.split(" ", 1)
                several = {"expects": "expect", "is": "are"}[verb]
                sentences.append(
                    f"{listed(who, 'and')} {verb if len(who) == 1 else several} {rest}."
                )
        if sentences:
            yield Finding(f"Expected and made under {label}", " ".join(sentences))


def _verdicts(rows: pd.DataFrame) -> Iterable[tuple[str, str]]:
    """Give for each strategy a verdict, and its name with the numbers."""
    for strategy, of_one in rows.groupby("strategy", sort=False):
        bins = of_one[of_one["hands"] > 0].dropna(subset=["predicted", "made"])
        if bins.empty:
            continue
        gap, half, expected, made = _gap(bins)
        shares = (
            f"expected {percent(expected, 1)}, made {percent(made, 1)}: {_points(gap, half)} "
            f"points of 100 {'more' if gap > 0 else 'fewer'} than were made"
        )
        verdict = f"expects too {'much' if gap > 0 else 'little'}"
        if abs(gap) <= half:
            verdict = f"is {CLOSE}"
        yield verdict, f"{strategy} ({shares})"


def _gap(bins: pd.DataFrame) -> tuple[float, float, float, float]:
    """Return by how much more was expected than made, its half-width, and the two shares.

    The half-width is that of a sum of independent bids, each made with the chance of its bin.
    """
    hands = bins["independent"].to_numpy(float)
    made, predicted = bins["made"].to_numpy(float), bins["predicted"].to_numpy(float)
    # With a hand in each direction, so that a bin in which all were made has a spread too.
    chance = (made * hands + 1) / (hands + 2)
    half = Z95 * math.sqrt(float(np.sum(hands * chance * (1 - chance)))) / float(hands.sum())
    means = [float(np.average(values, weights=hands)) for values in (predicted, made)]
    return means[0] - means[1], half, means[0], means[1]
