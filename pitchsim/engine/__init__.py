"""The compiled deal-and-play engine: plain numbers in, plain numbers out.

`deal_hands` deals, `play_hands` plays each deal out for each first lead and writes an outcome, and
`count_outcomes` counts those. `DealPlan` and `Setting` are what they are told of the table.
"""

from __future__ import annotations

from pitchsim.engine.cache import cached_here

with cached_here():
    from pitchsim.engine.count import count_outcomes
    from pitchsim.engine.deal import DealPlan, deal_hands
    from pitchsim.engine.play import BASIC, RANDOM, play_hands
    from pitchsim.engine.score import POINTS
    from pitchsim.engine.setting import HAND_SIZE, MOST_PLAYERS, Setting

#: What is compiled, and kept on disk.
KERNELS = (deal_hands, play_hands, count_outcomes)

__all__ = [
    "BASIC",
    "HAND_SIZE",
    "KERNELS",
    "MOST_PLAYERS",
    "POINTS",
    "RANDOM",
    "DealPlan",
    "Setting",
    "count_outcomes",
    "deal_hands",
    "play_hands",
]
