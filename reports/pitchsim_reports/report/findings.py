"""Findings: sentences computed from frames, each with its numbers and how sure they are."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pitchsim.errors import listed
from pitchsim.intervals import Z95, Estimate
from pitchsim.precision import telling_decimals
from pitchsim.rules import PASS
from pitchsim.wording import counted
from pitchsim_reports.phrasing import between, difference, give_or_take, percent, won
from pitchsim_reports.report.document import Finding
from pitchsim_reports.report.meetings import Lead, Meeting
from pitchsim_reports.report.reasons import reasons_of
from pitchsim_reports.report.worthviews import (
    Pair,
    Share,
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
        if some.count:
            text += f"; {_most_often(limit_shares(rows))}"
        yield Finding(f"Bids under {one.label}", f"{text}.")


def _most_often(shares: Mapping[str, Share]) -> str:
    """Say which bid is most often the highest that pays; several if they are it equally often."""
    often = {bid: share.count for bid, share in shares.items() if bid != PASS}
    most = max(often.values())
    bids = [bid for bid, count in often.items() if count == most]
    if sum(often.values()) == 1:
        return f"the highest that pays is {bids[0]}"
    if len(bids) > 1:
        return f"{listed(bids, 'and')} are each the highest that pays in {counted(most, 'hand')}"
    return f"the highest that pays is most often {bids[0]} ({counted(most, 'hand')})"


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
            them = "it" if changed == 1 else "them"
            text += f" What changes most in {them}: {reasons_of(pair)}."
        if sampled:
            text += f" {_which_has_more(pair.more_worth_it(), first.label, other.label)}"
        yield Finding(f"{first.label} to {other.label}", text)


def _which_has_more(gap: Estimate, first: str, other: str) -> str:
    """Say under which of two rule sets more hands are worth a bid."""
    if gap.mean == 0:
        return "As many of them are worth a bid under both."
    more = other if gap.mean > 0 else first
    points = f"{_points(gap.mean, gap.half_width)} percentage points"
    if gap.too_close:
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
    """Say under each rule set who is ahead of whom, and what cannot be told."""
    for label, rows in matches.groupby("rules", sort=False):
        pairs = _each_pair_once(rows)
        told = [pair for pair in pairs if pair.is_told]
        close = [pair for pair in pairs if not pair.is_told]
        sentences = [_sentence(pair) for pair in told[:MOST_PAIRS] + close[:MOST_PAIRS]]
        if more := len(pairs) - len(sentences):
            sentences.append(f"{counted(more, 'more pair')} in the table below.")
        yield Finding(f"Strategies under {label}", " ".join(sentences))


def _each_pair_once(rows: pd.DataFrame) -> list[Meeting]:
    """Keep of each pair of strategies the row in which the first is not behind, the largest first.

    Where neither is ahead, the row that comes first.
    """
    pairs: dict[frozenset[str], Meeting] = {}
    for row in records_of(rows.sort_values("difference", ascending=False, kind="stable")):
        if row["one"] != row["other"]:
            pairs.setdefault(frozenset((row["one"], row["other"])), Meeting.of(row))
    return list(pairs.values())


def _sentence(pair: Meeting) -> str:
    """Say who is ahead in points, and in games if any were played."""
    both, points, games = f"{pair.one} and {pair.other}", pair.points, pair.games
    by = difference(*points.by).removeprefix("+")
    if pair.thrown_in == 1:
        return f"{both} never bid: every hand is thrown in."
    if not points.too_close:
        return f"{pair.one} gains {by} points a hand on {pair.other}{_games_besides(pair)}."
    ahead = f"{pair.one} ahead by {by}" if points.by.mean else by
    if games is None:
        return f"{both} are {CLOSE}: {_with_needed(f'{ahead} points a hand', points)}."
    in_points = f"({_with_needed(ahead, points)})"
    if games.too_close:
        in_games = _with_needed(f"{pair.one} wins {_share(games.by)}", games)
        return f"{both} are {CLOSE}, in points a hand {in_points} and in games ({in_games})."
    return f"In points a hand {both} are {CLOSE} {in_points}, but {_winner(pair, games)}."


def _games_besides(pair: Meeting) -> str:
    """Say who wins more games, after who gains points; nothing if none were played."""
    games = pair.games
    if games is None:
        return ""
    if games.too_close:
        share = _with_needed(f"{pair.one} wins {_share(games.by)}", games)
        return f", but in games they are {CLOSE}: {share}"
    if games.by.mean > 0:
        return f" and wins {_share(games.by)} of the games"
    return f", but {_winner(pair, games)}"


def _winner(pair: Meeting, games: Lead) -> str:
    """Name who wins more games."""
    lead, half = games.by
    return (
        f"{pair.one if lead > 0 else pair.other} wins more games: "
        f"{_share(Estimate(abs(lead), half))}"
    )


def _share(lead: Estimate) -> str:
    """Write the share of games of who wins so much more than half of them."""
    return won(0.5 + lead.mean, lead.half_width)


def _with_needed(text: str, lead: Lead) -> str:
    return f"{text}; {lead.would_tell} would tell" if lead.would_tell else text


def calibration_findings(calibration: pd.DataFrame) -> Iterator[Finding]:
    """Say under each rule set whose bids are made less often than expected, or more often."""
    for label, rows in calibration.groupby("rules", sort=False):
        verdicts = list(_verdicts(rows))
        sentences = []
        for verdict in (MUCH, LITTLE, UNTOLD):
            who = [name for told, name in verdicts if told is verdict]
            if who:
                said = verdict.of_one if len(who) == 1 else verdict.of_several
                sentences.append(f"{listed(who, 'and')} {said}.")
        if sentences:
            yield Finding(f"Expected and made under {label}", " ".join(sentences))


class Verdict(NamedTuple):
    """What is found of a strategy's expectations, as it is said of one and of several."""

    of_one: str
    of_several: str


MUCH = Verdict("expects too much", "expect too much")
LITTLE = Verdict("expects too little", "expect too little")
UNTOLD = Verdict("errs too little to tell", "err too little to tell")


def _verdicts(rows: pd.DataFrame) -> Iterable[tuple[Verdict, str]]:
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
        verdict = UNTOLD if abs(gap) <= half else MUCH if gap > 0 else LITTLE
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
