"""What the points of a hand are worth to the pitcher's side at each bid, as tables for counting.

A *result* numbers what happened to the pitcher's side in a hand: the set of points it scored (the
low eleven bits, in the order of :data:`pitchsim.engine.score.POINTS`), and whether it won every
trick (the bit above).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pitchsim.engine.count import RESULTS
from pitchsim.engine.score import ALL_TRICKS, POINT_MASK, POINTS, TRICKS_SHIFT
from pitchsim.engine.setting import HAND_SIZE
from pitchsim.rules import SMUDGE, Rules


def results_of(outcomes: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the results of some outcomes (see `pitchsim.engine.score`)."""
    every_trick = np.where(outcomes >> TRICKS_SHIFT == HAND_SIZE, ALL_TRICKS, 0)
    return outcomes & POINT_MASK | every_trick.astype(np.int32)


def point_weights(rules: Rules) -> NDArray[np.int64]:
    """Return what each point is worth, int64[11], 0 for those not played."""
    return np.array([rules.point_values.get(name, 0) for name in POINTS], np.int64)


def worth_of_points(rules: Rules) -> NDArray[np.int64]:
    """Return what each set of points is worth together, int64[2048]."""
    sets = np.arange(ALL_TRICKS)
    weights = point_weights(rules)
    return np.asarray(sum((sets >> i & 1) * worth for i, worth in enumerate(weights)), np.int64)


def made_table(rules: Rules, bid: str) -> NDArray[np.bool_]:
    """Say of each result whether it makes a bid, bool[4096]."""
    results = np.arange(RESULTS)
    points = worth_of_points(rules)[results & POINT_MASK]
    if bid != SMUDGE:
        return np.asarray(points >= rules.bid_value(bid))
    all_points = np.asarray(points == rules.total)
    all_tricks = np.asarray((results & ALL_TRICKS) != 0)
    if rules.smudge == "all_points":
        return all_points
    return all_tricks if rules.smudge == "all_tricks" else np.asarray(all_points & all_tricks)


def change_table(rules: Rules, bid: str) -> NDArray[np.int64]:
    """Return how each result changes the score of the pitcher's side at a bid, int64[4096].

    Made: the points taken; a smudge of all the tricks its value instead; a smudge doubled where the
    rule set says so. Missed: minus the bid.
    """
    value = rules.bid_value(bid)
    taken = worth_of_points(rules)[np.arange(RESULTS) & POINT_MASK]
    if bid == SMUDGE:
        if rules.smudge != "all_points":
            taken = np.full(RESULTS, value)
        if rules.smudge_success == "double":
            taken = 2 * taken
    return np.where(made_table(rules, bid), taken, -value)
