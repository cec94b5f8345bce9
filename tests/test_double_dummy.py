"""Studies played double dummy: exact in every deal, and lines in which nobody errs."""

import dataclasses
from functools import partial

import numpy as np
import pytest
from recordmaking import rules_of, vectors
from scipy import stats
from statistics_help import ONE_IN_A_MILLION

from pitchsim.analysis import Analysis
from pitchsim.deals import Deals, deal_record
from pitchsim.engine.score import ALL_TRICKS, POINT_MASK, TRICKS_SHIFT
from pitchsim.errors import StudyError
from pitchsim.evaluating import evaluate, make_study
from pitchsim.records import record_from_json
from pitchsim.reference.hand import score_hand
from pitchsim.rules import SMUDGE
from pitchsim.running import Stop, run
from pitchsim.simulation import Simulation
from pitchsim.solving import DEFAULT_LIMIT, solve
from pitchsim.worth import made_table, worth_of_points

HAND = "AS JS TS 5S KH 2D"
#: Positions looked at for all cards of the whole deals among the vectors, on any machine.
NODES_OF_WHOLE_DEALS = 2_172_817

DRAW = {"trump_choice": "declared", "draw": True}
# A preset, how many play (in sides where it has them), what is changed, and the hand.
TABLES = [
    ("partners", 4, {}, HAND),
    ("partners", 4, {"smudge": "both"}, HAND),
    ("partners", 4, DRAW, HAND),
    ("setback", 2, {}, HAND),
    ("setback", 4, {"game_tie": "nobody", "void_play": "free"}, HAND),
    ("solo", 4, {}, HAND),
    ("solo", 3, {"trump_choice": "declared"}, HAND),
    ("auction", 3, {"smudge": "all_tricks"}, "AH KH 9H 4H AC 3C"),
    ("ten-point", 4, {"joker_lead": "names"}, "AS KS 3S HJ JC 9D"),
    ("pedro", 4, {"low_to": "holder"}, "AS QS 5S 5C KH 2D"),
    ("ace-of-hearts", 3, {}, HAND),
]
over_tables = pytest.mark.parametrize(("name", "players", "changes", "hand"), TABLES)


def study_of(name, players, changes, hand=HAND, **how):
    how = {"play": "double-dummy", "seed": 3} | how
    return make_study(hand, rules_of(name, **changes), players=players, **how)


def outcomes_of(study, deals):
    outcomes = np.empty((1, len(study.options), deals), np.int32)
    Simulation(study).outcomes(0, outcomes)
    return outcomes[0]


def led_options(study):
    """The options, with their places, that say which card is led."""
    return [(i, option) for i, option in enumerate(study.options) if option.lead]


def before_the_lead(record):
    return dataclasses.replace(record, plays=())


@over_tables
def test_an_outcome_is_what_the_lead_is_worth(name, players, changes, hand):
    study = study_of(name, players, changes, hand)
    worth = worth_of_points(study.rules)
    outcomes = outcomes_of(study, 12)
    for number in range(12):
        for i, option in led_options(study):
            dealt = before_the_lead(deal_record(study, number, option, bid=study.bids[0]))
            solution = solve(dealt)
            outcome = outcomes[i, number]
            assert worth[outcome & POINT_MASK] == solution.values[option.lead]
            if study.rules.smudge != "none":
                every_trick = outcome >> TRICKS_SHIFT == 6
                result = (outcome & POINT_MASK) | (ALL_TRICKS if every_trick else 0)
                made = made_table(study.rules, SMUDGE)[result]
                assert made == solution.smudge[option.lead], dealt.to_json()


@over_tables
def test_a_line_is_legal_and_brings_what_is_promised(name, players, changes, hand):
    study = study_of(name, players, changes, hand)
    for bid in study.bids:
        if bid != SMUDGE:
            assert_records_add_up(study, bid)


def assert_records_add_up(study, bid):
    """Hold the hands as they are scored from their records against the counts."""
    counts = Analysis(study, Simulation(study).count(0, 25))
    place = study.bids.index(bid)
    for i in (0, len(study.options) - 1):
        records = [deal_record(study, number, study.options[i], bid=bid) for number in range(25)]
        ends = [score_hand(record) for record in records]
        assert sum(end.made for end in ends) == counts.made[i, place]
        assert sum(end.change[0] for end in ends) == pytest.approx(25 * counts.change[i, place])


@pytest.mark.parametrize("table", [TABLES[2], TABLES[7]])
def test_a_smudge_is_made_in_the_record_just_where_it_can_be_forced(table):
    assert_records_add_up(study_of(*table), SMUDGE)


@over_tables
def test_nobody_gives_anything_away_along_a_line(name, players, changes, hand):
    study = study_of(name, players, changes, hand, seed=8)
    _, option = led_options(study)[0]
    record = deal_record(study, 0, option, bid=study.bids[0])
    for count in range(1, len(record.plays)):
        solution = solve(dataclasses.replace(record, plays=record.plays[:count]))
        assert solution.values[record.plays[count]] == solution.points
    solution = solve(before_the_lead(record))
    assert solution.values[option.lead] == score_hand(record).side_points[0]


@pytest.mark.parametrize("smudge", ["all_tricks", "both"])
def test_a_smudge_is_kept_up_along_its_line(smudge):
    study = study_of("partners", 4, {"smudge": smudge}, "AS KS JS 4S 7H 7D", seed=4)
    _, option = led_options(study)[0]
    made = 0
    for number in range(12):
        record = deal_record(study, number, option, bid=SMUDGE)
        promised = solve(before_the_lead(record)).smudge[option.lead]
        if promised:
            assert score_hand(record).made
            made += 1
            for count in range(1, len(record.plays)):
                solution = solve(dataclasses.replace(record, plays=record.plays[:count]))
                assert solution.smudge[record.plays[count]]
    assert 0 < made < 12


def test_the_play_leads_the_best_card_where_the_lead_is_left_to_it():
    study = study_of("partners", 4, DRAW)
    free = next(i for i, option in enumerate(study.options) if option.lead is None)
    worth = worth_of_points(study.rules)
    outcomes = outcomes_of(study, 30)
    for number in range(30):
        record = deal_record(study, number, study.options[free], bid="2")
        solution = solve(before_the_lead(record))
        assert worth[outcomes[free, number] & POINT_MASK] == solution.points
        assert solution.values[record.plays[0]] == solution.points


@pytest.mark.parametrize("players", [2, 3, 4])
def test_deals_can_be_played_double_dummy(players):
    rules = rules_of("solo" if players > 2 else "setback")
    deals = Deals(rules, rules.seating(players), 5, pitcher=1, bid="2", play="double-dummy")
    for number in range(3):
        assert score_hand(deals.record(number)).bid == "2"


@pytest.mark.parametrize(("chunk", "threads"), [(7, 1), (16, 2), (100, 2)])
def test_the_numbers_do_not_depend_on_how_the_work_is_shared_out(warm, chunk, threads):
    study = study_of("ten-point", 4, {})
    whole = Simulation(study).count(0, 100)
    finished = run(
        Simulation(study), Stop(deals=100), width=lambda _: 1.0, chunk=chunk, threads=threads
    )
    for counts in ("counts", "products"):
        assert np.array_equal(getattr(finished.tally, counts), getattr(whole, counts))


# Another program found these, to two places.
@pytest.mark.parametrize(
    ("hand", "bid", "published"),
    [("AS KS 4S TD 9H 3C", "3", 0.90), ("AS 2S TH TD KC 5C", "2", 0.78)],
)
def test_chances_known_from_elsewhere(warm, hand, bid, published):
    deals = 4_000
    result = evaluate(
        hand, "partners", play="double-dummy", lead="AS", bid=bid, deals=deals, seed=2
    )
    error = np.sqrt(published * (1 - published) / deals)
    # Rounded as they are, and found by a sample of as many.
    tolerance = 0.005 + np.sqrt(2) * stats.norm.isf(ONE_IN_A_MILLION / 2) * error
    assert result.analysis.make[0, 0] == pytest.approx(published, abs=tolerance)


def test_a_search_that_is_cut_short_answers_nothing():
    record = record_from_json(vectors("solve-deals")[0]["record"])
    solution = solve(record, limit=10)
    assert set(solution.values.values()) == {None}
    assert (solution.points, solution.made) == (None, None)
    assert solution.nodes <= 2 * 11 * len(solution.values)


def test_what_is_cut_short_is_said(pitchsim, tmp_path, monkeypatch):
    monkeypatch.setattr("pitchsim.solving.solve", partial(solve, limit=10))
    dealt = pitchsim("deal", "--seed", 7).out
    finished = pitchsim("solve", "-", text=dealt)
    assert finished.status == 0
    assert "Not solved within 10 positions: whether the bid of 2 can be made is open." in (
        finished.out
    )


def test_a_deal_that_is_too_hard_is_named(monkeypatch):
    monkeypatch.setattr("pitchsim.simulation.MOST_NODES", 10)
    with pytest.raises(StudyError, match="deal 40 with S as trump is too hard to solve"):
        Simulation(study_of("partners", 4, {})).count(40, 5)


def test_the_search_looks_at_no_more_positions_than_it_did():
    nodes = sum(solve(record_from_json(v["record"])).nodes for v in vectors("solve-deals"))
    assert nodes <= 1.05 * NODES_OF_WHOLE_DEALS
    assert nodes < DEFAULT_LIMIT
