"""Counting outcomes, so that what a study keeps is small and adds."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitchsim.engine.jit import inner, kernel
from pitchsim.engine.score import ALL_TRICKS, OTHERS_SHIFT, POINT_MASK, TRICKS_SHIFT
from pitchsim.engine.setting import HAND_SIZE

RESULTS = 2 * ALL_TRICKS
BLOCK = 256  # deals whose columns stay in the fast cache while their products are added up


class CountTables(NamedTuple):
    """What results are worth.

    A *result* is the set of points that the pitcher's side scored, and above it whether it won
    every trick.

    features : int64[4096, features], by result, what is counted of it.
    worth : int32[2048], by set of points, what counts against the margin.
    margins : int32[bids, 4096], by result, what it is worth to the pitcher's side.
    """

    features: NDArray[np.int64]
    worth: NDArray[np.int32]
    margins: NDArray[np.int32]


class Bins(NamedTuple):
    """Where the deals of one option are counted, all zeros before and after.

    times : int64[4096], how often each result came about.
    theirs : int64[4096], what the others' points were then worth, added up.
    """

    times: NDArray[np.int64]
    theirs: NDArray[np.int64]


@inner
def result_of(outcome: int) -> int:
    """Give the result of an outcome (see `score.py`)."""
    return (outcome & POINT_MASK) | (ALL_TRICKS if outcome >> TRICKS_SHIFT == HAND_SIZE else 0)


@inner
def worth_to_others(outcome: int, tables: CountTables) -> int:
    """Give what the others' points are worth in an outcome."""
    worth: int = tables.worth[outcome >> OTHERS_SHIFT & POINT_MASK]
    return worth


@inner
def count_option(
    outcomes: NDArray[np.int32], tables: CountTables, bins: Bins, counts: NDArray[np.int64]
) -> None:
    """Add the outcomes of one option, int32[deals], to its counts.

    counts : int64[features + 1 + bids], the features, the worth of the others' points, and of each
        bid the squares of the margins less that worth.
    """
    features = tables.features.shape[1]
    bids = tables.margins.shape[0]
    squares = 0
    for i in range(outcomes.shape[0]):
        result = result_of(outcomes[i])
        worth = worth_to_others(outcomes[i], tables)
        bins.times[result] += 1
        bins.theirs[result] += worth
        squares += worth * worth
    for result in range(RESULTS):
        times = bins.times[result]
        if times:
            theirs = bins.theirs[result]
            for feature in range(features):
                counts[feature] += times * tables.features[result, feature]
            counts[features] += theirs
            for bid in range(bids):  # (margin - worth)², added up over the deals of a result
                margin = tables.margins[bid, result]
                counts[features + 1 + bid] += margin * (margin * times - 2 * theirs)
            bins.times[result] = 0
            bins.theirs[result] = 0
    for bid in range(bids):
        counts[features + 1 + bid] += squares


@inner
def dot(x: NDArray[np.int32], y: NDArray[np.int32]) -> int:
    """Add up the products of two columns."""
    total = 0
    for i in range(x.shape[0]):
        total += x[i] * y[i]
    return total


@kernel
def count_outcomes(
    outcomes: NDArray[np.int32],
    tables: CountTables,
    counts: NDArray[np.int64],
    products: NDArray[np.int64],
) -> None:
    """Add outcomes, int32[plays, options, deals] (see `score.py`), to counts.

    There is one play for all bids, or one for each.

    counts : int64[options, plays, columns], as in `count_option`.
    products : int64[bids, options, options], of the margins less the worth of the others' points.
    """
    plays, options, deals = outcomes.shape
    bids = tables.margins.shape[0]
    bins = Bins(np.zeros(RESULTS, np.int64), np.zeros(RESULTS, np.int64))
    for play in range(plays):
        for option in range(options):
            count_option(outcomes[play, option], tables, bins, counts[option, play])
    margin = np.empty((options, BLOCK), np.int32)
    for start in range(0, deals, BLOCK):
        size = min(BLOCK, deals - start)
        for bid in range(bids):
            play = bid if plays > 1 else 0
            for option in range(options):
                for i in range(size):
                    outcome = outcomes[play, option, start + i]
                    own = tables.margins[bid, result_of(outcome)]
                    margin[option, i] = own - worth_to_others(outcome, tables)
                for other in range(option + 1):
                    product = dot(margin[option, :size], margin[other, :size])
                    products[bid, option, other] += product
                    if other != option:
                        products[bid, other, option] += product
