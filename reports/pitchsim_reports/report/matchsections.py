"""The sections on strategies: who gains on whom, how true their bids are, where they part."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchsim.precision import decimals_for, rounded_down, rounded_up
from pitchsim_reports import figures
from pitchsim_reports.phrasing import NONE, between, percent, rules_words, signed, won
from pitchsim_reports.report.document import Cell, Figure, Paragraph, Part, Section, Sheet, number
from pitchsim_reports.report.findings import CLOSE
from pitchsim_reports.report.meetings import Lead, Meeting
from pitchsim_reports.report.playedhand import deal_of
from pitchsim_reports.report.worthviews import records_of

if TYPE_CHECKING:
    import pandas as pd

    from pitchsim_reports.report.gathering import Gathered


def match_sections(gathered: Gathered) -> Iterator[Section]:
    """Compare the strategies under each rule set."""
    for place, rules in enumerate(gathered.spec.rules, start=1):
        frames = {
            name: frame[frame["rules"] == rules.label] for name, frame in gathered.frames.items()
        }
        title = "Strategies" + (
            f" under {rules_words(rules.label)}" if len(gathered.spec.rules) > 1 else ""
        )
        yield Section(f"strategies-{place}", title, list(_parts(frames, place)))


def _parts(frames: dict[str, pd.DataFrame], place: int) -> Iterator[Part]:
    matches = frames["matches"]
    yield Figure(f"payoff-{place}", figures.payoff_matrix(matches))
    if len(frames["calibration"]):  # none of them may see a chance in its bids
        yield Figure(f"calibration-{place}", figures.calibration(frames["calibration"]))
    yield pairs_sheet(matches)
    yield _bids(frames["levels"])
    yield Figure(f"changes-{place}", figures.score_changes(frames["changes"]))
    if np.isfinite(frames["convergence"]["low"]).any():  # a single deal has no interval
        yield Figure(f"convergence-{place}", figures.convergence(frames["convergence"]))


def pairs_sheet(matches: pd.DataFrame) -> Sheet:
    """Show what each strategy gains on each other, and what part of the games it wins."""
    has_games = bool(matches["games"].notna().any())
    rows = []
    for row in records_of(matches[matches["one"] != matches["other"]]):
        pair = Meeting.of(row)
        gap, half = pair.points.by
        rows.append(
            [
                Cell(pair.one),
                Cell(pair.other),
                number(f"{int(row['hands']):,}", row["hands"]),
                number(signed(gap, decimals_for(gap, half)), gap),
                number(_ends(gap, half), gap - half),
                _verdict(pair.points),
                *([_games(row), _verdict(pair.games)] if has_games else []),
            ]
        )
    games = ["Games won", "<In games"] if has_games else []
    return Sheet(
        "What the first gains on the second, in points a hand",
        ["<Strategy", "<Against", "Hands", "Gains", "95 %", "<In points", *games],
        rows,
    )


def _verdict(lead: Lead | None) -> Cell:
    """Say whether the first is ahead, or what it would take to tell."""
    if lead is None:
        return Cell(NONE)
    if lead.too_close:
        return Cell(f"{CLOSE}: {lead.would_tell}" if lead.would_tell else CLOSE)
    return Cell("ahead" if lead.by.mean > 0 else "behind")


def _ends(gap: float, half: float) -> str:
    if not math.isfinite(half):
        return NONE
    digits = decimals_for(gap, half)
    low, high = rounded_down(gap - half, digits), rounded_up(gap + half, digits)
    return f"{signed(low, digits)} to {signed(high, digits)}"


def _games(row: dict[str, Any]) -> Cell:
    return number(won(row["share"], row["share_half_width"]), row["share"])


def _bids(levels: pd.DataFrame) -> Sheet:
    """Show at which bids each strategy pitched, how often it expected to make them, and did."""
    rows = []
    for place, row in enumerate(records_of(levels)):
        hands, low, high = row["hands"], row["low"], row["high"]
        rows.append(
            [
                Cell(str(row["strategy"])),
                number(str(row["bid"]), place),
                number(f"{int(hands):,}", hands),
                _chance(row["share"]),
                _chance(row["expected"]),
                _chance(row["made"] / hands if hands else math.nan),
                number(between(float(low), float(high), 1), float(low)),
            ]
        )
    return Sheet(
        "Bids by level: how often of all hands dealt to its side, and how many were made",
        ["<Strategy", "<Bid", "Pitched", "Share", "Expected", "Made", "95 %"],
        rows,
    )


def _chance(share: float) -> Cell:
    return number(percent(share, 1), share)


def parting_section(gathered: Gathered) -> Section | None:
    """Show the hands in which strategies part most, card by card; None if there are none."""
    deals = [
        deal_of(f"Deal {place}, {rules_words(parting.rules)}", parting.story, parting.tables)
        for place, parting in enumerate(gathered.partings, start=1)
    ]
    if not deals:
        return None
    legend = Paragraph(
        "The deals that made the largest difference. In a trick ▸ stands before the card that was "
        "led, and the card that won it is in strong type."
    )
    return Section("partings", "Where the strategies part", [legend, *deals])
