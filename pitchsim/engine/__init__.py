"""The compiled deal-and-play engine: plain numbers in, plain numbers out.

`deal_hands` deals. `play_hands` plays each deal out for each first lead and writes an outcome; so
do `play_expert`, where players sample, and `play_double_dummy`, where all cards are seen.
`count_outcomes` counts those; `count_hands` does all three for many hands. `play_contracts` and
`play_expert_contracts` play deals that each have a pitcher and lead of their own, and say what
every side took. `solve_position` says what each card is worth double dummy.
`DealPlan`, `Setting`, `Aims` and `CountTables` are what they are told of the table.
"""

from __future__ import annotations

from pitchsim.engine.cache import cached_here

with cached_here():
    from pitchsim.engine.contracts import play_contracts, play_expert_contracts
    from pitchsim.engine.count import CountTables, count_outcomes
    from pitchsim.engine.deal import DealPlan, deal_hands
    from pitchsim.engine.doubledummy import NOT_SOLVED, play_double_dummy, solve_position
    from pitchsim.engine.expert import EXPERT, Aims, play_expert
    from pitchsim.engine.many import count_hands
    from pitchsim.engine.play import BASIC, POLICY_BITS, RANDOM, play_hands
    from pitchsim.engine.score import POINTS
    from pitchsim.engine.setting import HAND_SIZE, MOST_CARDS, MOST_PLAYERS, Setting

#: What is compiled, and kept on disk.
KERNELS = (
    deal_hands,
    play_hands,
    count_outcomes,
    count_hands,
    play_double_dummy,
    play_expert,
    play_contracts,
    play_expert_contracts,
    solve_position,
)

__all__ = [
    "BASIC",
    "EXPERT",
    "HAND_SIZE",
    "KERNELS",
    "MOST_CARDS",
    "MOST_PLAYERS",
    "NOT_SOLVED",
    "POINTS",
    "POLICY_BITS",
    "RANDOM",
    "Aims",
    "CountTables",
    "DealPlan",
    "Setting",
    "count_hands",
    "count_outcomes",
    "deal_hands",
    "play_contracts",
    "play_double_dummy",
    "play_expert",
    "play_expert_contracts",
    "play_hands",
    "solve_position",
]
