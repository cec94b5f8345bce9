"""Who has won: the finish rules for many games at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pitchsim.rules import Rules


def winners(
    rules: Rules,
    pitchers: NDArray[np.int64],
    smudged: NDArray[np.bool_],
    made: NDArray[np.bool_],
    scores: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Return the side that has now won each game, int64[n]; -1 where none has.

    Parameters
    ----------
    pitchers
        int64[n], the seats of those who pitched the last hand.
    smudged, made
        bool[n], whether they bid a smudge, and whether they made their bid.
    scores
        int64[n, sides], after that hand.
    """
    count, sides = scores.shape
    each = np.arange(count)
    ours = pitchers % sides
    there = scores >= rules.target
    won = np.full(count, -1)
    if rules.finish == "pitcher_first":
        best = scores.max(axis=1)
        alone = (scores == best[:, None]).sum(axis=1) == 1
        won = np.where((best >= rules.target) & alone, scores.argmax(axis=1), won)
    at_target = there[each, ours]
    may_finish = made if rules.finish == "made_bid" else np.ones(count, bool)
    won = np.where(at_target, np.where(may_finish, ours, -1), won)
    if rules.smudge_failure == "loses_game":
        others = (ours[:, None] + np.arange(1, sides)) % sides  # clockwise from the pitcher
        first = np.take_along_axis(scores, others, axis=1).argmax(axis=1)
        won = np.where(smudged & ~made, others[each, first], won)
    if rules.smudge_success == "wins_game":
        won = np.where(smudged & made, ours, won)
    return np.asarray(won)
