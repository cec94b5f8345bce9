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
from pitchsim_reports.report.handsections import how_surely, what_bears_on
from pitchsim_reports.report.matchsections import pairs_sheet
from pitchsim_reports.report.reasons import differences, point_rule, reason
from pitchsim_reports.report.worthviews import (
    Pair,
    at_limit,
    limit_shares,
    pairs_of,
    point_means,
)
from reportframes import asked_rules, worth_frame
from scipy import stats

from pitchsim.intervals import Z95, Estimate


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
                "deals": 400,
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


@pytest.mark.parametrize(
    ("limits", "told"),
    [
        ([None, "3"], "1 of 2 hands (50 %) is worth a bid; the highest that pays is 3."),
        (
            ["2", "3", "3"],
            "3 of 3 hands (100 %) are worth a bid; the highest that pays is most often 3 "
            "(2 hands).",
        ),
        (
            ["2", "3", None],
            "2 of 3 hands (67 %) are worth a bid; 2 and 3 are each the highest that pays in "
            "1 hand.",
        ),
    ],
)
def test_the_bid_that_pays_most_often(limits, told):
    frame = tiny(PARTNERS, limits)
    assert texts(worth_findings(frame, [PARTNERS], sampled=False)) == [told]


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
    few = pd.concat([tiny(PARTNERS, [None, "2", "2"] * 3), tiny(SETBACK, ["2", None, None] * 3)])
    many = pd.concat([tiny(PARTNERS, [None] * 40), tiny(SETBACK, ["2"] * 30 + [None] * 10)])
    [close] = texts(change_findings(pairs_of(few, [PARTNERS, SETBACK]), sampled=True))
    [told] = texts(change_findings(pairs_of(many, [PARTNERS, SETBACK]), sampled=True))
    assert "is too close to call: here it is partners, by 33.3 \N{PLUS-MINUS SIGN}" in close
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
    for sampled in (True, False):
        assert pair.point_difference("low", sampled=sampled).mean == pytest.approx(0.4)
    assert pair.point_chances("low") == pytest.approx((0.5, 0.9))


def test_how_surely_chances_of_points_differ():
    """A sample of hands errs as the hands differ, chosen ones as their deals do."""
    rng = np.random.default_rng(4)
    gaps = rng.normal(0.03, 0.04, 60)
    one, other = tiny(PARTNERS, ["2"] * 60), tiny(SETBACK, ["2"] * 60)
    other["p_low"] += gaps[other["number"] - 1]
    pair = pair_of(pd.concat([one, other]))
    sampled = pair.point_difference("low", sampled=True)
    assert sampled == pytest.approx((gaps.mean(), Z95 * stats.sem(gaps)))
    assert not sampled.too_close
    chosen = pair.point_difference("low", sampled=False)
    chance = 0.5 + gaps
    error = np.sqrt((0.25 + chance * (1 - chance)).sum() / 400) / 60
    assert chosen == pytest.approx((gaps.mean(), Z95 * error))
    alone = pair_of(pd.concat([frame[frame["number"] == 1] for frame in (one, other)]))
    assert alone.point_difference("low", sampled=True).half_width == np.inf


def test_a_rule_is_named_where_a_difference_is_told():
    pair = pair_of(pd.concat([tiny(PARTNERS, ["2"]), tiny(SETBACK, ["2"])]))
    assert what_bears_on(pair, "low", Estimate(0.0, 0.1)) == "no difference"
    assert what_bears_on(pair, "low", Estimate(-0.01, 0.02)) == "too close to call"
    assert what_bears_on(pair, "low", Estimate(-0.01, np.inf)) == "too close to call"
    assert what_bears_on(pair, "low", Estimate(-0.05, 0.02)) == point_rule(pair, "low")
    assert "Low goes to who was dealt it" in point_rule(pair, "low")


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


def test_hands_whose_bid_only_one_rule_set_has_are_no_close_calls_and_not_told():
    one, other = tiny(PARTNERS, [None, None, None, "3"]), tiny(SETBACK, ["1", "1", "2", None])
    other.loc[(other["number"] == 4) & (other["bid"] == "3"), "margin"] = 0.05
    pair = pair_of(pd.concat([one, other]))
    numbers = (1, 2, 3, 4)
    assert [pair.is_clear(number) for number in numbers] == [False, False, True, False]
    assert [pair.is_one_sided(number) for number in numbers] == [True, True, False, False]
    assert how_surely(pair) == (
        "in 1 both margins at the higher bid are told from zero; "
        "in 2 only one of the rule sets has the higher bid; in 1 it is a close call"
    )


def test_matches_say_who_is_ahead_and_what_is_too_close():
    [text] = texts(match_findings(matches_frame(("a", "b", "c"))))
    assert text.startswith("a gains 0.120 \N{PLUS-MINUS SIGN}0.080 points a hand on c.")
    assert "a and b are too close to call: a ahead by 0.060 \N{PLUS-MINUS SIGN}0.080" in text
    assert "about 40,000 hands would tell" in text
    assert "c gains" not in text
    assert "of the games" not in text


def met(games=500, **columns):
    """Make up what two strategies, of which the first is not behind, gained on each other."""
    frame = matches_frame(("a", "b"), games=games).assign(**columns)
    return frame[frame["one"] == "a"]


ABOUT_HANDS, ABOUT_GAMES = {"needed": 15_000.0}, {"needed_games": 1_200.0}
CLOSE_POINTS = {"difference": 0.08, "half_width": 0.19, **ABOUT_HANDS}
TOLD_POINTS = {"difference": 0.12, "half_width": 0.08, "needed": np.nan}
CLOSE_GAMES = {"share": 0.515, "share_half_width": 0.02, **ABOUT_GAMES}
TOLD_GAMES = {"share": 0.63, "share_half_width": 0.057, "needed_games": np.nan}
LOST_GAMES = TOLD_GAMES | {"share": 0.37}


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        (
            CLOSE_POINTS | TOLD_GAMES,
            "In points a hand a and b are too close to call (a ahead by 0.08 ±0.19; about 15,000 "
            "hands would tell), but a wins more games: 63.0 ±5.7 %.",
        ),
        (
            CLOSE_POINTS | LOST_GAMES,
            "In points a hand a and b are too close to call (a ahead by 0.08 ±0.19; about 15,000 "
            "hands would tell), but b wins more games: 63.0 ±5.7 %.",
        ),
        (
            CLOSE_POINTS | CLOSE_GAMES,
            "a and b are too close to call, in points a hand (a ahead by 0.08 ±0.19; about 15,000 "
            "hands would tell) and in games (a wins 51.5 ±2.0 %; about 1,200 games would tell).",
        ),
        (
            TOLD_POINTS | TOLD_GAMES,
            "a gains 0.120 ±0.080 points a hand on b and wins 63.0 ±5.7 % of the games.",
        ),
        (
            TOLD_POINTS | LOST_GAMES,
            "a gains 0.120 ±0.080 points a hand on b, but b wins more games: 63.0 ±5.7 %.",
        ),
        (
            TOLD_POINTS | CLOSE_GAMES,
            "a gains 0.120 ±0.080 points a hand on b, but in games they are too close to call: "
            "a wins 51.5 ±2.0 %; about 1,200 games would tell.",
        ),
    ],
)
def test_matches_over_games_say_who_is_ahead_in_points_and_in_games(columns, told):
    assert texts(match_findings(met(**columns))) == [told]


def test_pairs_that_are_told_in_games_alone_come_before_those_that_are_not():
    frame = matches_frame(("a", "b", "c"), games=500).assign(half_width=1.0)
    one_way = (frame["one"] == "b") & (frame["other"] == "c")
    frame.loc[one_way, ["share", "needed_games"]] = [0.63, np.nan]
    [text] = texts(match_findings(frame))
    assert text.index("b and c are too close to call") < text.index("a and b are too close to call")


@pytest.mark.parametrize(
    ("columns", "verdicts"),
    [
        (CLOSE_POINTS | TOLD_GAMES, ["too close to call: about 15,000 hands", "ahead"]),
        (CLOSE_POINTS | LOST_GAMES, ["too close to call: about 15,000 hands", "behind"]),
        (TOLD_POINTS | CLOSE_GAMES, ["ahead", "too close to call: about 1,200 games"]),
    ],
)
def test_the_table_of_pairs_judges_points_and_games_each(columns, verdicts):
    sheet = pairs_sheet(met(**columns))
    assert [name for name, _ in sheet.columns][-3:] == ["In points", "Games won", "In games"]
    [row] = sheet.rows
    assert [row[-3].text, row[-1].text] == verdicts


def test_the_table_of_pairs_has_nothing_on_games_that_were_not_played():
    sheet = pairs_sheet(met(games=0, **TOLD_POINTS))
    assert sheet.headings[-1] == "<In points"
    assert [row[-1].text for row in sheet.rows] == ["ahead"]


def test_strategies_that_never_bid_are_said_to():
    [text] = texts(match_findings(met(difference=0.0, share=0.5, thrown_in=1.0)))
    assert text == "a and b never bid: every hand is thrown in."


def test_where_nothing_changes_no_rule_set_has_more():
    same = pd.concat([tiny(rules, ["2", None]) for rules in (PARTNERS, SETBACK)])
    [text] = texts(change_findings([pair_of(same)], sampled=True))
    assert text.startswith("0 of 2 hands (0 %) change their highest bid. As many of them are")


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
    assert text.endswith(" errs too little to tell.")


def test_a_strategy_without_predictions_is_not_judged():
    frame = calibration_frame(("a",)).assign(predicted=np.nan)
    assert texts(calibration_findings(frame)) == []
