import pytest
from recordmaking import rules_of

from pitchsim.reference.scoring import (
    bid_made,
    clockwise_sides,
    game_side,
    game_winner,
    point_cards,
    points_taken,
    score_changes,
)
from pitchsim.reference.table import Trick
from pitchsim.rules import Seating

PAIRS, FOUR_ALONE, SIX_PAIRED = Seating(4, True), Seating(4, False), Seating(6, True)


def trick(winner, cards):
    plays = tuple(cards.split())
    return Trick(0, plays, winner, tuple(range(len(plays))))


def taken(rules, hands, tricks, seating=FOUR_ALONE, pitcher=0):
    hands = [hand.split() for hand in hands]
    return points_taken(rules, seating, pitcher=pitcher, trump="S", hands=hands, tricks=tricks)


def test_low_goes_to_the_holder_or_the_captor():
    hands, tricks = ["AS", "2S", "9D", "3D"], [trick(0, "AS 2S 9D 3D")]
    assert taken(rules_of("setback"), hands, tricks)["low"] == 1
    assert taken(rules_of("solo"), hands, tricks)["low"] == 0


def test_a_joker_may_be_low_or_not():
    hands = [["AS", "LJ"], ["2S", "HJ"]]
    lowest = rules_of("six-point", joker_rank="lowest")
    assert point_cards(lowest, "S", hands)["low"] == "LJ"
    natural = rules_of("six-point", joker_rank="lowest", low_card="lowest_natural")
    assert point_cards(natural, "S", hands)["low"] == "2S"


def test_an_off_jack_is_natural_enough_to_be_low():
    rules = rules_of("seven-point", low_card="lowest_natural")
    assert point_cards(rules, "S", [["JC", "HJ"], ["2H", "LJ"]])["low"] == "JC"


def test_nobody_scores_low_where_only_jokers_are_trump_and_they_cannot():
    rules = rules_of("six-point", low_card="lowest_natural", joker_lead="names")
    points = taken(rules, ["HJ", "2H", "3H", "4H"], [trick(0, "HJ 2H 3H 4H")])
    assert points["high"] == 0
    assert points["low"] is None


def test_nobody_scores_high_where_no_trump_is_in_play():
    points = taken(
        rules_of("partners", trump_choice="declared"),
        ["AH", "2H", "3H", "4H"],
        [trick(0, "AH 2H 3H 4H")],
    )
    assert points == {"high": None, "low": None, "jack": None, "game": 0}


def test_a_lone_jack_is_three_points():
    points = taken(rules_of("solo"), ["JS", "2H", "3H", "4H"], [trick(0, "JS 2H 3H 4H")])
    assert points == {"high": 0, "low": 0, "jack": 0, "game": 0}


def test_the_points_of_pedro():
    rules = rules_of("pedro")
    tricks = [trick(0, "AS 5C 3D 9D"), trick(1, "2S 5S 5D TD")]
    hands = ["AS 2S", "5C 5S", "3D 5D", "9D TD"]
    points = taken(rules, hands, tricks, PAIRS)
    assert points["off_five"] == 0
    assert points["trump_five"] == 1
    assert set(points) == {"high", "low", "jack", "trump_five", "off_five", "game"}


def test_the_ace_of_hearts_scores_whatever_is_trump():
    rules = rules_of("ace-of-hearts")
    assert taken(rules, ["AS", "AH", "2D", "3D"], [trick(0, "AS AH 2D 3D")])["ace_of_hearts"] == 0
    assert point_cards(rules, "H", [["AH"]])["high"] == "AH"
    assert point_cards(rules, "H", [["AH"]])["ace_of_hearts"] == "AH"


@pytest.mark.parametrize(
    ("tie", "totals", "expected"),
    [
        ("nobody", [10, 4, 0, 0], 0),
        ("nobody", [10, 10, 0, 0], None),
        ("pitcher", [10, 10, 0, 0], 0),
        ("pitcher", [4, 10, 10, 0], None),
        ("pitcher", [4, 10, 4, 0], 1),
        ("pitcher", [0, 0, 0, 0], 0),
        ("nobody", [0, 0, 0, 0], None),
    ],
)
def test_a_tie_for_game_with_side_0_pitching(tie, totals, expected):
    assert game_side(rules_of("solo", game_tie=tie), 0, totals) == expected


@pytest.mark.parametrize(
    ("smudge", "points", "tricks", "made"),
    [
        ("all_points", 4, 5, True),
        ("all_points", 3, 6, False),
        ("all_tricks", 3, 6, True),
        ("all_tricks", 4, 5, False),
        ("both", 4, 6, True),
        ("both", 3, 6, False),
        ("both", 4, 5, False),
    ],
)
def test_what_a_smudge_promises(smudge, points, tricks, made):
    rules = rules_of("partners", smudge=smudge)
    assert bid_made(rules, "smudge", points, tricks, 6) is made


def test_any_other_bid_promises_points():
    assert bid_made(rules_of("partners"), "3", 3, 0, 6)
    assert not bid_made(rules_of("partners"), "3", 2, 6, 6)


@pytest.mark.parametrize(
    ("changes", "bid", "made", "took", "change"),
    [
        ({}, "2", True, [3, 1], [3, 1]),
        ({}, "4", False, [3, 1], [-4, 1]),
        ({"defenders_score": False}, "2", True, [3, 1], [3, 0]),
        ({"defenders_score": False}, "4", False, [3, 1], [-4, 0]),
        # The smudge counts five, made with all the tricks and three points.
        ({}, "smudge", True, [3, 0], [5, 0]),
        ({}, "smudge", False, [3, 1], [-5, 1]),
        ({"smudge": "both"}, "smudge", True, [4, 0], [5, 0]),
        ({"smudge_success": "double"}, "smudge", True, [3, 0], [10, 0]),
        ({"smudge_success": "double"}, "4", True, [4, 0], [4, 0]),
        ({"smudge_success": "wins_game"}, "smudge", True, [3, 0], [5, 0]),
        ({"smudge_value": 0}, "smudge", True, [3, 0], [4, 0]),
        ({"smudge_value": 3}, "smudge", False, [3, 0], [-4, 0]),
    ],
)
def test_what_the_scores_move_by_in_partners(changes, bid, made, took, change):
    assert score_changes(rules_of("partners", **changes), 0, bid, made, took) == change


def test_a_smudge_of_all_points_doubles_them():
    rules = rules_of("four-point")
    assert score_changes(rules, 1, "smudge", True, [0, 4]) == [0, 8]
    assert score_changes(rules, 1, "smudge", False, [1, 3]) == [1, -4]


def winner(rules, scores, *, pitcher=0, bid="2", made=True, seating=FOUR_ALONE):
    return game_winner(rules, seating, pitcher=pitcher, bid=bid, made=made, scores=scores)


@pytest.mark.parametrize(
    ("scores", "pitcher", "expected"),
    [
        ([10, 3, 3, 3], 0, None),
        ([11, 3, 3, 3], 0, 0),
        ([11, 15, 3, 3], 0, 0),  # the pitcher is counted first
        ([3, 15, 12, 3], 0, 1),  # then the higher score
        ([3, 12, 12, 3], 0, None),  # a tie is settled by another hand
        ([3, 12, 12, 11], 0, None),
        ([11, 12, 12, 3], 0, 0),
        ([3, 12, 12, 3], 2, 2),
    ],
)
def test_pitcher_first(scores, pitcher, expected):
    assert winner(rules_of("auction"), scores, pitcher=pitcher) == expected


def test_pitcher_first_counts_a_pitcher_who_was_set():
    assert winner(rules_of("auction"), [11, 14, 0, 0], made=False) == 0


def test_as_pitcher_only_the_pitcher_can_win_made_or_not():
    rules = rules_of("solo")
    assert winner(rules, [7, 9, 0, 0]) == 0
    assert winner(rules, [7, 9, 0, 0], made=False) == 0
    assert winner(rules, [6, 9, 0, 0]) is None


def test_made_bid_only_a_pitcher_who_made_the_bid_can_win():
    rules = rules_of("four-point")
    assert winner(rules, [11, 15], seating=PAIRS) == 0
    assert winner(rules, [11, 15], seating=PAIRS, made=False) is None
    assert winner(rules, [10, 15], seating=PAIRS) is None


@pytest.mark.parametrize(("success", "scored"), [("score", 4), ("double", 8), ("wins_game", 4)])
def test_a_smudge_of_all_points_scores_what_was_taken_whatever_it_counts_as_a_bid(success, scored):
    rules = rules_of("partners", smudge="all_points", smudge_success=success)
    assert rules.bid_value("smudge") == 5
    assert score_changes(rules, 0, "smudge", True, [4, 0]) == [scored, 0]
    assert score_changes(rules, 0, "smudge", False, [3, 1]) == [-5, 1]


def test_a_made_smudge_may_win_the_game_on_the_spot():
    rules = rules_of("four-point", smudge_success="wins_game")
    assert winner(rules, [-4, 10], seating=PAIRS, bid="smudge") == 0
    assert winner(rules, [-4, 10], seating=PAIRS, bid="3") is None


@pytest.mark.parametrize(
    ("scores", "pitcher", "expected"),
    [
        ([0, 3, 9, 5], 0, 2),
        ([20, 3, 3, 3], 0, 1),  # of equals the first clockwise from the pitcher
        ([3, 3, 20, 3], 2, 3),
        ([3, 3, 20, 1], 2, 0),
        ([3, 2, 3, 20], 3, 0),
        ([2, 3, 3, 20], 3, 1),
    ],
)
def test_a_failed_smudge_may_lose_the_game_to_the_best_of_the_others(scores, pitcher, expected):
    rules = rules_of("four-point", smudge_failure="loses_game", partners=False)
    assert winner(rules, scores, pitcher=pitcher, bid="smudge", made=False) == expected


def test_the_other_sides_clockwise():
    assert clockwise_sides(FOUR_ALONE, 2) == [3, 0, 1]
    assert clockwise_sides(PAIRS, 2) == [1]
    assert clockwise_sides(SIX_PAIRED, 3) == [0]
