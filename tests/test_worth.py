"""The tables of worths, held against the reference engine's scoring for everything possible."""

import numpy as np
import pytest
from recordmaking import rules_of

from pitchsim.engine.score import ALL_TRICKS, POINTS
from pitchsim.presets import preset_names
from pitchsim.reference.scoring import bid_made, pitchers_change
from pitchsim.rules import SMUDGE
from pitchsim.worth import RESULTS, change_table, made_table, worth_of_points

SMUDGES = [
    {},
    {"smudge": "all_tricks", "smudge_value": 5},
    {"smudge": "both", "smudge_success": "double"},
    {"smudge": "all_points", "smudge_success": "wins_game", "smudge_value": 12},
    {"smudge": "none"},
]


@pytest.mark.parametrize("changes", SMUDGES)
@pytest.mark.parametrize("preset", preset_names())
def test_every_result_scores_as_in_the_reference_engine(preset, changes):
    rules = rules_of(preset, **changes)
    worth = worth_of_points(rules)
    for bid in rules.bids:
        made, change = made_table(rules, bid), change_table(rules, bid)
        for result in range(RESULTS):
            names = [name for i, name in enumerate(POINTS) if result >> i & 1]
            points = sum(rules.point_values.get(name, 0) for name in names)
            tricks = 6 if result & ALL_TRICKS else 3
            assert worth[result & (ALL_TRICKS - 1)] == points
            assert made[result] == bid_made(rules, bid, points, tricks, 6)
            if points <= rules.total:
                assert change[result] == pitchers_change(rules, bid, made[result], points)


def test_a_smudge_is_the_only_bid_that_looks_at_tricks():
    rules = rules_of("partners")
    for bid in rules.bids:
        made = made_table(rules, bid)
        same = np.array_equal(made[:ALL_TRICKS], made[ALL_TRICKS:])
        assert same == (bid != SMUDGE)
