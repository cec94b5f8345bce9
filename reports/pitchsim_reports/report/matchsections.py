"""The sections on strategies: who gains on whom, how true their bids are, where they part."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchsim.precision import about, decimals_for, rounded_down, rounded_up
from pitchsim_reports import figures
from pitchsim_reports.phrasing import NONE, between, percent, signed, won
from pitchsim_reports.report.document import Cell, Figure, Paragraph, Part, Section, Sheet, number
from pitchsim_reports.report.findings import CLOSE
from pitchsim_reports.report.playedhand import deal_of
from pitchsim_reports.report.worthviews import records_of

if TYPE_CHECKING:
    import pandas as pd

    from pitchsim_reports.report.gathering import Gathered
    from pitchsim_reports.report.spec import AskedRules


def match_sections(gathered: Gathered) -> Iterator[Section]:
    """Compare the strategies under each rule set."""
    for place, rules in enumerate(gathered.spec.rules, start=1):
        frames = {
            name: frame[frame["rules"] == rules.label] for name, frame in gathered.frames.items()
        }
        title = "Strategies" + (
            f" under {rules.label} rules" if len(gathered.spec.rules) > 1 else ""
        )
        yield Section(f"strategies-{place}", title, list(_parts(frames, place)))


def _parts(frames: dict[str, pd.DataFrame], place: int) -> Iterator[Part]:
    matches = frames["matches"]
    yield Figure(f"payoff-{place}", figures.payoff_matrix(matches))
    if len(frames["calibration"]):  # none of them may see a chance in its bids
        yield Figure(f"calibration-{place}", figures.calibration(frames["calibration"]))
    yield _pairs(matches)
    yield _bids(frames["levels"])
    yield Figure(f"changes-{place}", figures.score_changes(frames["changes"]))
    if np.isfinite(frames["convergence"]["low"]).any():  # a single deal has no interval
        yield Figure(f"convergence-{place}", figures.convergence(frames["convergence"]))


def _pairs(matches: pd.DataFrame) -> Sheet:
    """Show what each strategy gains on each other."""
    has_games = bool(matches["games"].notna().any())
    rows = []
    for row in records_of(matches[matches["one"] != matches["other"]]):
        gap, half = row["difference"], row["half_width"]
        close = abs(gap) <= half
        needed = f"{CLOSE}: {about(row['needed'])} hands" if row["needed"] > 0 else CLOSE
        rows.append(
            [
                Cell(str(row["one"])),
                Cell(str(row["other"])),
                number(signed(gap, decimals_for(gap, half)), gap),
                number(_ends(gap, half), gap - half),
                *([_games(row)] if has_games else []),
                number(f"{int(row['hands']):,}", row["hands"]),
                Cell(needed if close else "ahead" if gap > 0 else "behind"),
            ]
        )
    games = ["Games won"] if has_games else []
    return Sheet(
        "What the first gains on the second, in points a hand",
        ["<Strategy", "<Against", "Gains", "95 %", *games, "Hands", "<Verdict"],
        rows,
    )


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
    rules: dict[str, AskedRules] = {one.label: one for one in gathered.spec.rules}
    deals = [
        deal_of(f"Deal {place}, {rules[parting.rules].label} rules", parting.story, parting.tables)
        for place, parting in enumerate(gathered.partings, start=1)
    ]
    if not deals:
        return None
    legend = Paragraph(
        "The deals that made the largest difference. In a trick ▸ stands before the card that was "
        "led, and the card that won it is in strong type."
    )
    return Section("partings", "Where the strategies part", [legend, *deals])
