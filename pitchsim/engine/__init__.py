"""The compiled deal-and-play engine: plain numbers in, plain numbers out.

`deal_hands` deals, `play_hands` plays each deal out for each first lead and writes an outcome;
`setting.Setting` and `deal.DealPlan` are what they are told of the table.
"""

from __future__ import annotations

from pitchsim.engine.cache import cached_here

with cached_here():
    from pitchsim.engine.deal import DealPlan, deal_hands
    from pitchsim.engine.play import play_hands
    from pitchsim.engine.score import POINTS
    from pitchsim.engine.setting import HAND_SIZE, MOST_PLAYERS, Setting

__all__ = [
    "HAND_SIZE",
    "MOST_PLAYERS",
    "POINTS",
    "DealPlan",
    "Setting",
    "deal_hands",
    "play_hands",
]
