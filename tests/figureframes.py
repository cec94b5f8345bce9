"""Frames to draw figures from, made up: of any number of rule sets, bids and strategies."""

from collections.abc import Sequence
from itertools import permutations, product

import numpy as np
import pandas as pd

from pitchsim.intervals import wilson
from pitchsim.rules import SMUDGE

STRATEGIES = ("cautious", "standard", "bold", "point-count")


def worth_frame(
    ladders: dict[str, Sequence[str]], *, hands: int = 40, points: Sequence[str] = ("high", "low")
) -> pd.DataFrame:
    """Make up what hands are worth: strong ones more."""
    rng = np.random.default_rng(5)
    strength = rng.normal(size=hands)
    rows = []
    for rules, bids in ladders.items():
        noisy = strength + rng.normal(scale=0.3, size=hands)
        for number, power in enumerate(noisy, 1):
            margins = [1.2 * power + 0.5 - place for place in range(len(bids))]
            gains = [bid for bid, margin in zip(bids, margins, strict=True) if margin > 0]
            rows += [
                {
                    "rules": rules,
                    "play": "basic",
                    "number": number,
                    "hand": f"hand {number}",
                    "bid": bid,
                    "make": 1 / (1 + np.exp(-0.7 - margin)),
                    "limit": gains[-1] if gains else None,
                    **{f"p_{name}": 1 / (1 + np.exp(-power)) for name in points},
                }
                for bid, margin in zip(bids, margins, strict=True)
            ]
    return pd.DataFrame(rows)


def ladder(bids: int, lowest: int = 1) -> list[str]:
    """Return so many bids, a smudge among them."""
    return [*map(str, range(lowest, lowest + bids - 1)), SMUDGE]


def matches_frame(
    strategies: Sequence[str] = STRATEGIES, *, rules: Sequence[str] = ("partners",), games: int = 0
) -> pd.DataFrame:
    """Make up what strategies gain: each 0.06 a hand more than the next."""
    rows = []
    for name, (one, other) in product(rules, permutations(range(len(strategies)), 2)):
        difference = 0.06 * (other - one)
        rows.append(
            {
                "rules": name,
                "one": strategies[one],
                "other": strategies[other],
                "difference": difference,
                "half_width": 0.08,
                "share": 0.5 + difference / 4 if games else np.nan,
                "share_half_width": 0.02 if games else np.nan,
                "hands": 20_000,
                "games": games or np.nan,
                "needed": 40_000 if abs(difference) < 0.08 else np.nan,
                "needed_games": 9_000 if games and abs(difference) / 4 < 0.02 else np.nan,
                "thrown_in": 0.0,
            }
        )
    return pd.DataFrame(rows)


def calibration_frame(
    strategies: Sequence[str] = STRATEGIES, *, bids: Sequence[str] = ("2", "3", "4", SMUDGE)
) -> pd.DataFrame:
    """Make up predictions, the later strategies more hopeful."""
    rng = np.random.default_rng(5)
    rows = []
    for place, strategy in enumerate(strategies):
        for step, bid in enumerate(bids):
            for predicted in np.arange(0.55, 0.99, 0.1):
                said = predicted + 0.015 * step
                made = min(said - 0.04 * place + rng.normal(scale=0.02), 0.99)
                hands = int(40 + 4000 * np.exp(-1.3 * step))
                half = 1.96 * (made * (1 - made) / hands) ** 0.5
                ends = made - half, made + half
                rows.append(("partners", strategy, bid, said, made, *ends, hands, hands))
    columns = ["rules", "strategy", "bid", "predicted", "made", "low", "high", "hands"]
    return pd.DataFrame(rows, columns=[*columns, "independent"])


def levels_frame(
    strategies: Sequence[str] = STRATEGIES,
    *,
    bids: Sequence[str] = ("2", "3", "4", SMUDGE),
    rules: Sequence[str] = ("partners",),
) -> pd.DataFrame:
    """Make up bids, the later strategies higher ones that are made less often."""
    rows = []
    for name, (place, strategy) in product(rules, enumerate(strategies)):
        for step, bid in enumerate(bids):
            hands = int(9000 * np.exp(-abs(step - 0.4 * place) * 1.2)) if step < 4 + place else 0
            made = int(hands * (0.84 - 0.06 * step - 0.05 * place))
            made = max(made, 0)
            ends = wilson(made, hands) if hands else (np.nan, np.nan)
            expected = 0.9 - 0.06 * step if hands else np.nan
            rows.append(
                (name, strategy, bid, hands, made, *map(float, ends), hands / 40_000, expected)
            )
    columns = ["rules", "strategy", "bid", "hands", "made", "low", "high", "share", "expected"]
    return pd.DataFrame(rows, columns=columns)


def changes_frame(
    strategies: Sequence[str] = STRATEGIES,
    *,
    most: int = 4,
    rules: Sequence[str] = ("partners",),
) -> pd.DataFrame:
    """Make up changes of the score, from minus the most to the most."""
    rows = []
    steps = np.arange(-most, most + 1)
    for name, (place, strategy) in product(rules, enumerate(strategies)):
        weights = np.exp(-((steps - 1) ** 2) / (2 + place)) * np.where(steps == -1, 0, 1)
        shares = weights / weights.sum()
        rows += [
            (name, strategy, int(step), share) for step, share in zip(steps, shares, strict=True)
        ]
    return pd.DataFrame(rows, columns=["rules", "strategy", "change", "share"])


def convergence_frame(
    strategies: Sequence[str] = STRATEGIES, *, rules: Sequence[str] = ("partners",)
) -> pd.DataFrame:
    """Make up how differences settle."""
    rng = np.random.default_rng(5)
    rows = []
    for name, (one, other) in product(rules, permutations(range(len(strategies)), 2)):
        for hands in (2 ** np.arange(7, 16)).tolist():
            half = 6 / hands**0.5
            difference = 0.06 * (other - one) + rng.normal(scale=half / 3)
            pair = (strategies[one], strategies[other])
            rows.append((name, *pair, hands, difference, difference - half, difference + half))
    columns = ["rules", "one", "other", "hands", "difference", "low", "high"]
    return pd.DataFrame(rows, columns=columns)
