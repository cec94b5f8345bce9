"""Findings: sentences that follow from the numbers, and claim no more."""

import re

import numpy as np
import pandas as pd
import pytest
from figureframes import calibration_frame, matches_frame
from pitchsim_reports.report.findings import (
    calibration_findings,
    change_findings,
    match_findings,
    worth_findings,
)
from pitchsim_reports.report.reasons import differences, reason
from pitchsim_reports.report.worthviews import (
    Difference,
    Pair,
    at_limit,
    limit_shares,
    pairs_of,
    point_means,
)
from reportframes import asked_rules, worth_frame


def texts(findings):
    return [finding.text for finding in findings]


def tiny(rules, limits, **columns):
    """Make a frame of a rule set in which hands are worth what is said."""
    rows = []
    for number, limit in enumerate(limits, start=1):
        for bid in rules.rules.bids:
            gains = limit is not None and rules.rules.bid_rank(bid) <= rules.rules.bid_rank(limit)
            row = {
                "rules": rules.label,
                "number": number,
                "hand": "AS KS QS JS TS 9S",
                "bid": bid,
                "trump": "S",
                "lead": "AS",
                "make": 0.8,
                "change": 1.1 if gains else 0.1,
                "margin": 0.5 if gains else -0.5,
                "margin_half_width": 0.1,
                "limit": limit,
                **{f"p_{name}": 0.5 for name in rules.rules.point_values},
            }
            rows.append(row | columns)
    return pd.DataFrame(rows)


PARTNERS, SETBACK = asked_rules("partners", "setback")


def pair_of(frame, other=SETBACK):
    return Pair.of(frame, PARTNERS, other)


def test_counts_of_hands_worth_a_bid():
    frame = tiny(PARTNERS, [None, "2", "2", "3"])
    assert {bid: share.count for bid, share in limit_shares(frame).items()} == {
        "pass": 1,
        "2": 2,
        "3": 1,
        "4": 0,
        "smudge": 0,
    }
    [text] = texts(worth_findings(frame, [PARTNERS], sampled=True))
    assert text.startswith("3 of 4 hands (75 %, 95 % interval 30")
    assert "most often 2 (2 hands)" in text


def test_hands_of_a_file_speak_for_themselves_only():
    frame = pd.concat([tiny(PARTNERS, [None] * 9), tiny(SETBACK, ["2"] * 9)])
    sentences = texts(worth_findings(frame, [PARTNERS, SETBACK], sampled=False))
    sentences += texts(change_findings(pairs_of(frame, [PARTNERS, SETBACK]), sampled=False))
    assert sentences == [
        "0 of 9 hands (0 %) are worth a bid.",
        "9 of 9 hands (100 %) are worth a bid; the highest that pays is most often 2 (9 hands).",
        "9 of 9 hands (100 %) change their highest bid. "
        "What changes most in them: nothing much (9).",
    ]


def test_more_hands_worth_a_bid_is_said_only_where_it_can_be_told():
    few = pd.concat([tiny(PARTNERS, [None, "2"] * 4), tiny(SETBACK, ["2", None] * 4)])
    many = pd.concat([tiny(PARTNERS, [None] * 40), tiny(SETBACK, ["2"] * 30 + [None] * 10)])
    [close] = texts(change_findings(pairs_of(few, [PARTNERS, SETBACK]), sampled=True))
    [told] = texts(change_findings(pairs_of(many, [PARTNERS, SETBACK]), sampled=True))
    assert "is too close to call: here it is partners, by 0.0 \N{PLUS-MINUS SIGN}" in close
    assert "More hands are worth a bid under setback, by 75.0 \N{PLUS-MINUS SIGN}" in told


def test_points_are_those_of_hands_worth_a_bid():
    frame = pd.concat([tiny(PARTNERS, ["2"]), tiny(PARTNERS, [None, None]).assign(number=9)])
    frame.loc[frame["number"] == 9, "p_low"] = 0.1
    assert point_means(frame)["low"] == pytest.approx(0.5)
    assert list(at_limit(tiny(PARTNERS, [None, "3"]))["bid"]) == ["2", "3"]


def test_low_to_its_holder_is_the_reason_where_low_differs():
    frame = pd.concat([tiny(PARTNERS, [None]), tiny(SETBACK, ["2"], p_low=0.9)])
    why = reason(pair_of(frame), 1)
    assert why.what == "Low"
    assert "50 % \N{RIGHTWARDS ARROW} 90 %" in why.how
    assert "Low goes to who was dealt it" in why.how


def test_another_suit_is_a_reason_of_its_own_and_names_no_rule():
    captor = tiny(PARTNERS, ["2", "2", "2"], trump="C", lead="AC", p_high=1.0, p_low=0.8)
    holder = tiny(SETBACK, [None] * 3, trump="C", lead="AC", p_low=0.3)
    holder.loc[holder["number"] == 1, ["trump", "lead"]] = ["S", "QS"]
    holder.loc[holder["number"] == 2, "lead"] = "QC"
    pair = pair_of(pd.concat([captor, holder]))
    arrow = "\N{RIGHTWARDS ARROW}"
    assert reason(pair, 1) == ("another suit", f"clubs, A♣ {arrow} spades, Q♠ is best")
    assert [reason(pair, number).what for number in (2, 3)] == ["High", "High"]
    assert "(led from Q♣, not A♣)" in reason(pair, 2).how
    assert "led from" not in reason(pair, 3).how
    assert pair.alike == [2, 3]


def test_a_lead_that_is_left_to_the_play_is_no_other_lead():
    pair = pair_of(pd.concat([tiny(PARTNERS, ["2"], lead=None), tiny(SETBACK, [None])]))
    assert reason(pair, 1).what == "nothing much"


def test_chances_of_points_are_compared_over_hands_played_alike():
    one, other = tiny(PARTNERS, ["2"] * 4), tiny(SETBACK, ["2"] * 4, p_low=0.9)
    other.loc[other["number"] == 4, ["trump", "p_low"]] = ["H", 0.1]
    pair = pair_of(pd.concat([one, other]))
    assert pair.alike == [1, 2, 3]
    assert pair.point_difference("low").mean == pytest.approx(0.4)
    assert pair.point_chances("low") == pytest.approx((0.5, 0.9))


def test_a_bid_that_is_not_there_is_the_reason():
    frame = pd.concat([tiny(PARTNERS, [None]), tiny(SETBACK, ["1"])])
    assert reason(pair_of(frame), 1) == ("no such bid", "partners begins at 2")


def test_a_point_that_only_one_plays_for_is_the_reason():
    five = asked_rules("five-point")[0]
    frame = pd.concat([tiny(PARTNERS, ["2"]), tiny(five, ["4"], p_off_jack=0.9)])
    assert reason(pair_of(frame, five), 1) == ("Off-jack", "only five-point plays for it")


def test_what_the_others_score_is_a_reason():
    frame = pd.concat([tiny(PARTNERS, ["3"], change=1), tiny(SETBACK, [None], change=1)])
    why = reason(pair_of(frame), 1)
    assert why.what == "the others' score"


def test_margins_that_hardly_move_need_no_reason():
    frame = pd.concat(
        [
            tiny(PARTNERS, ["3"], margin=0.02, change=1.0),
            tiny(SETBACK, [None], margin=-0.02, change=1.0),
        ]
    )
    pair = pair_of(frame)
    assert reason(pair, 1).what == "nothing much"
    assert not pair.is_clear(1)


def test_differences_of_rules_are_those_of_the_presets():
    fields = {name: values for name, *values in differences(PARTNERS.rules, SETBACK.rules)}
    assert fields["low_to"] == ["captor", "holder"]
    assert fields["dealer_steals"] == ["any", "no"]


def test_the_largest_difference_is_listed_first():
    rules = asked_rules("partners", "auction")
    pair = pair_of(worth_frame(rules), rules[1])
    changed = pair.changed
    gaps = [abs(pair.disputed(n)[1]["margin"] - pair.disputed(n)[0]["margin"]) for n in changed]
    assert len(changed) > 3
    assert gaps == sorted(gaps, reverse=True)


@pytest.mark.parametrize(
    ("values", "close"), [([1, 1, 1, -1], True), ([1] * 40 + [0] * 40, False), ([], True)]
)
def test_a_difference_is_close_if_its_interval_holds_zero(values, close):
    assert Difference.of(pd.Series(values, dtype=float)).is_close is close


def test_matches_say_who_is_ahead_and_what_is_too_close():
    [text] = texts(match_findings(matches_frame(("a", "b", "c"))))
    assert text.startswith("a gains 0.120 \N{PLUS-MINUS SIGN}0.080 points a hand on c.")
    assert "a and b are too close to call: 0.060 \N{PLUS-MINUS SIGN}0.080" in text
    assert "about 40,000 hands would tell" in text
    assert "c gains" not in text
    assert "of the games" not in text


def test_matches_over_games_say_who_wins_them():
    [text] = texts(match_findings(matches_frame(("a", "c"), games=500).assign(half_width=0.01)))
    assert "of the games it wins 51.5 \N{PLUS-MINUS SIGN}2.0 %, which is too close to call" in text


def test_equal_strategies_are_too_close_to_call():
    frame = matches_frame(("a", "b")).assign(difference=0.0, needed=np.inf)
    [text] = texts(match_findings(frame))
    assert text.startswith("a and b are too close to call: 0.00")
    assert "would tell" not in text


def test_calibration_says_who_expects_too_much():
    [text] = texts(calibration_findings(calibration_frame(("a", "b"))))
    numbers = r"expected [\d.]+ %, made [\d.]+ %: [\d.]+ \u00b1[\d.]+ points of 100"
    assert re.match(rf"b \({numbers} more than were made\) ", text)
    assert "expects too much. a (expected" in text
    assert text.endswith("is too close to call.")


def test_a_strategy_without_predictions_is_not_judged():
    frame = calibration_frame(("a",)).assign(predicted=np.nan)
    assert texts(calibration_findings(frame)) == []
