import pytest
from recordmaking import rules_of

from pitchsim.errors import IllegalRecordError
from pitchsim.reference.auction import legal_bids, run_auction


def legal(rules, *bids, players=4):
    return " ".join(legal_bids(rules, bids, players))


def test_every_bid_must_be_higher_than_the_last():
    rules = rules_of("auction")
    assert legal(rules) == "pass 2 3 4"
    assert legal(rules, "2", "pass") == "pass 3 4"
    assert legal(rules, "4", "pass") == "pass"


def test_a_smudge_is_above_every_number():
    assert legal(rules_of("partners"), "4") == "pass smudge"
    equal = rules_of("partners", smudge_value=0)  # it counts four, and still outbids a four
    assert legal(equal, "4") == "pass smudge"
    assert run_auction(equal, ["4", "smudge", "pass", "pass"], 3, 4) == (1, "smudge")


def test_where_it_promises_all_points_the_highest_number_is_the_smudge():
    rules = rules_of("four-point")
    assert legal(rules) == "pass 2 3 smudge"
    for word in ("4", "smudge", "Smudge"):
        assert run_auction(rules, [word, "pass", "pass", "pass"], 3, 4) == (0, "smudge")


@pytest.mark.parametrize(
    ("steals", "after", "expected"),
    [
        ("no", ("3", "pass", "pass"), "pass 4 smudge"),
        ("any", ("3", "pass", "pass"), "pass 3 4 smudge"),
        ("any", ("smudge", "pass", "pass"), "pass smudge"),
        ("below_max", ("4", "pass", "pass"), "pass 4 smudge"),
        ("below_max", ("smudge", "pass", "pass"), "pass"),
        ("any", ("3", "pass"), "pass 4 smudge"),  # not the dealer yet
    ],
)
def test_the_dealer_may_equal_the_highest_bid(steals, after, expected):
    assert legal(rules_of("partners", dealer_steals=steals), *after) == expected


def test_below_max_counts_the_highest_number_where_there_is_no_smudge():
    rules = rules_of("solo")
    assert legal(rules, "4", "pass", "pass") == "pass"
    assert legal(rules, "3", "pass", "pass") == "pass 3 4"


def test_the_last_to_say_the_highest_bid_has_the_hand():
    assert run_auction(rules_of("partners"), ["pass", "3", "pass", "3"], 0, 4) == (0, "3")
    assert run_auction(rules_of("partners"), ["pass", "3", "pass", "pass"], 0, 4) == (2, "3")


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"min_bid": 2, "forced_bid": None}, "pass 2 3 4"),
        ({"min_bid": 2, "forced_bid": 2}, "2 3 4"),
        ({"min_bid": 2, "forced_bid": 1}, "1 2 3 4"),
        ({"min_bid": 1, "forced_bid": 2}, "2 3 4"),
        ({"min_bid": 1, "forced_bid": None}, "pass 1 2 3 4"),
    ],
)
def test_what_the_dealer_must_bid_when_all_others_pass(changes, expected):
    rules = rules_of("auction", **changes)
    assert legal(rules, "pass", "pass", "pass") == expected


def test_a_forced_bid_below_the_minimum_wins_the_auction():
    rules = rules_of("auction", forced_bid=1)
    assert run_auction(rules, ["pass", "pass", "pass", "1"], 2, 4) == (2, "1")
    with pytest.raises(IllegalRecordError, match="too low") as caught:
        run_auction(rules, ["1", "pass", "pass", "pass"], 2, 4)
    assert caught.value.legal == ("pass", "2", "3", "4")


def test_a_hand_that_everybody_passes_is_thrown_in():
    assert run_auction(rules_of("setback"), ["pass"] * 5, 0, 5) is None


@pytest.mark.parametrize(
    ("bids", "said", "place"),
    [
        (["pass", "pass", "pass", "pass"], "2 is forced", 3),
        (["2", "2", "pass", "pass"], "'2' is too low after 2", 1),
        (["1", "2", "pass", "pass"], "not a bid in these rules", 0),
        (["2", "pass", "pass"], "missing: found 3 bids", 3),
        (["2", "pass", "pass", "pass", "3"], "out of turn", 4),
        (["5", "pass", "pass", "pass"], "not a bid in these rules", 0),
    ],
)
def test_illegal_auctions(bids, said, place):
    with pytest.raises(IllegalRecordError, match=said) as caught:
        run_auction(rules_of("partners"), bids, 3, 4)
    assert caught.value.bid == place
    assert f"bids[{place}]" in str(caught.value)
