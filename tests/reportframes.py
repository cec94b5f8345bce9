"""Reports to test with, made up: what hands are worth, matches, and deals played at random."""

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
from figureframes import (
    calibration_frame,
    changes_frame,
    convergence_frame,
    levels_frame,
    matches_frame,
)
from pitchsim_reports.report.gathering import Gathered
from pitchsim_reports.report.partings import Parting
from pitchsim_reports.report.spec import AskedHands, AskedMatch, AskedRules, Spec
from recordmaking import random_record

from pitchsim.bidding.biddingrules import AlwaysPass
from pitchsim.bidding.strategy import Strategy
from pitchsim.cards import format_hand, full_deck
from pitchsim.presets import load_preset

STRATEGIES = ("cautious", "standard", "bold")


def asked_rules(*names, label=None) -> tuple[AskedRules, ...]:
    rules = [load_preset(name) for name in names]
    rules = [replace(one, name=label or one.name) for one in rules]
    return tuple(AskedRules(one.name, one, one.seating()) for one in rules)


def worth_frame(rules, *, hands=40, lift=0.5) -> pd.DataFrame:
    """Make up what hands are worth: strong ones more, and more by each rule set than the last."""
    shuffler, rng = random.Random(5), np.random.default_rng(5)
    texts = [format_hand(shuffler.sample(full_deck(0), 6)) for _ in range(hands)]
    rows = []
    strengths = rng.normal(size=hands)
    for place, one in enumerate(rules):
        noisy = strengths + rng.normal(scale=0.3, size=hands) + lift * place
        for number, power in enumerate(noisy, start=1):
            margins = [1.2 * power + 0.4 - step for step in range(len(one.rules.bids))]
            gains = [b for b, margin in zip(one.rules.bids, margins, strict=True) if margin > 0]
            for bid, margin in zip(one.rules.bids, margins, strict=True):
                make = 1 / (1 + np.exp(-0.7 - margin))
                rows.append(
                    {
                        "rules": one.label,
                        "players": one.seating.players,
                        "partners": one.seating.partners,
                        "play": "basic",
                        "number": number,
                        "hand": texts[number - 1],
                        "bid": bid,
                        "trump": texts[number - 1][1],
                        "lead": texts[number - 1][:2],
                        "make": make,
                        "low": max(make - 0.02, 0),
                        "high": min(make + 0.02, 1),
                        "change": margin + 0.6,
                        "margin": margin,
                        "margin_half_width": 0.09,
                        "mean": 2 + power / 2,
                        **{
                            f"p_{name}": 1 / (1 + np.exp(-power - lift * (name == "low") * place))
                            for name in one.rules.point_values
                        },
                        "limit": gains[-1] if gains else None,
                        "deals": 2000,
                        "seed": 7,
                    }
                )
    return pd.DataFrame(rows)


def match_frames(labels, strategies=STRATEGIES, *, games=0) -> dict[str, pd.DataFrame]:
    calibration = calibration_frame(strategies)
    return {
        "matches": matches_frame(strategies, rules=labels, games=games),
        "calibration": pd.concat([calibration.assign(rules=label) for label in labels]),
        "levels": levels_frame(strategies, rules=labels),
        "changes": changes_frame(strategies, rules=labels),
        "convergence": convergence_frame(strategies, rules=labels),
    }


def partings(rules, count=2, strategies=STRATEGIES) -> list[Parting]:
    """Deal hands, each bid and played at random at two tables."""
    found = []
    for place in range(count):
        one = rules[place % len(rules)]
        records = []
        seed = 11 + place
        while len(records) < 2:
            seed += 100
            record = random_record(random.Random(seed), one.rules, one.seating)
            records += [record] * (record.plays != ())
        first, second = strategies[0], strategies[-1]
        found.append(
            Parting(
                one.label,
                [f"{first} passes where {second} bids 3."],
                [(f"{first} in seats 0 and 2", records[0]), (f"{second} there", records[1])],
            )
        )
    return found


def made_up(
    *,
    presets=("partners", "setback"),
    title="How bold should one bid?",
    strategies=STRATEGIES,
    hands=True,
    match=True,
    rules=None,
    games=0,
    file=None,
    count=40,
) -> Gathered:
    rules = rules or asked_rules(*presets)
    frames = {"worth": worth_frame(rules, hands=count)} if hands else {}
    if match:
        frames |= match_frames([one.label for one in rules], strategies, games=games)
    named = tuple(Strategy(name, AlwaysPass(), title=f"{name}'s way") for name in strategies)
    spec = Spec(
        title,
        "Two tables' rules and three ways of bidding",
        "The Thursday club",
        7,
        "basic",
        rules,
        AskedHands(file and Path(file), None if file else count, 2000) if hands else None,
        AskedMatch(named, None if games else 20_000, games or None, 2) if match else None,
    )
    return Gathered(
        spec,
        frames,
        partings(rules, strategies=strategies) if match else [],
        [("Hands", "0123456789abcdef")],
    )
