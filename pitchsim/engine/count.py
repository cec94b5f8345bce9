"""Counting outcomes, so that what a study keeps is small and adds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pitchsim.engine.jit import inner, kernel
from pitchsim.engine.score import OTHERS_SHIFT, POINT_MASK, TRICKS_SHIFT
from pitchsim.engine.setting import HAND_SIZE

ALL_TRICKS = POINT_MASK + 1
BLOCK = 256  # deals whose columns stay in the fast cache while their products are added up


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
    worth: NDArray[np.int32],
    margins: NDArray[np.int32],
    results: NDArray[np.int64],
    others: NDArray[np.int64],
    products: NDArray[np.int64],
) -> None:
    """Add outcomes, int32[plays, options, deals] (see `score.py`), to counts.

    There is one play for all bids, or one for each.

    worth : int32[2048], by set of points, what counts against the margin.
    margins : int32[bids, 4096], by result (the set of points, and above it whether every trick was
        won), what it is worth to the pitcher's side.
    results : int64[plays, options, 4096]; others : int64[plays, options], the worth of the others'
        points.
    products : int64[bids, options, options], of the margins less that worth.
    """
    plays, options, deals = outcomes.shape
    bids = margins.shape[0]
    result = np.empty((options, BLOCK), np.int32)
    theirs = np.empty((options, BLOCK), np.int32)
    margin = np.empty((options, BLOCK), np.int32)
    for start in range(0, deals, BLOCK):
        size = min(BLOCK, deals - start)
        for play in range(plays):
            for option in range(options):
                for i in range(size):
                    outcome = outcomes[play, option, start + i]
                    all_tricks = outcome >> TRICKS_SHIFT == HAND_SIZE
                    result[option, i] = (outcome & POINT_MASK) | (ALL_TRICKS if all_tricks else 0)
                    theirs[option, i] = worth[outcome >> OTHERS_SHIFT & POINT_MASK]
                    results[play, option, result[option, i]] += 1
                    others[play, option] += theirs[option, i]
            for bid in range(bids) if plays == 1 else range(play, play + 1):
                for option in range(options):
                    for i in range(size):
                        margin[option, i] = margins[bid, result[option, i]] - theirs[option, i]
                    for other in range(option + 1):
                        product = dot(margin[option, :size], margin[other, :size])
                        products[bid, option, other] += product
                        if other != option:
                            products[bid, other, option] += product
