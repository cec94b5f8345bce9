"""The quick look that leaves out options which a costly play need not be asked about."""

from dataclasses import replace

import numpy as np
import pytest

from pitchsim.analysis import Analysis
from pitchsim.deals import choose_option
from pitchsim.evaluating import evaluate, make_study
from pitchsim.plays import PLAYS
from pitchsim.screening import MOST_AT_A_BID, SHARE_BEHIND, screen, worth_a_look
from pitchsim.simulation import Simulation

HAND = "AS JS 10S 5S KH 2D"


@pytest.fixture
def costly(monkeypatch):
    """Random play that says of itself that it is costly; its name."""
    monkeypatch.setitem(PLAYS, "costly", replace(PLAYS["random"], costly=True))
    return "costly"


def names(options):
    return [f"{option.trump} {option.lead}" for option in options]


def test_what_is_not_costly_is_left_alone():
    study = make_study(HAND, "partners", seed=1)
    assert screen(study) == (study, ())


@pytest.mark.parametrize("hand", [HAND, "9S 7H 5H 3D 8C 6C", "AS 4S 9H 8H 7H 2D"])
@pytest.mark.parametrize("preset", ["partners", "ten-point"])
def test_what_the_quick_play_finds_best_stays_and_little_else(costly, preset, hand):
    study = make_study(hand, preset, play=costly, seed=1)
    left, dropped = screen(study)
    assert sorted(names(left.options + dropped)) == sorted(names(study.options))
    assert (left.play, left.seed, left.known) == (study.play, study.seed, study.known)
    quick = make_study(hand, preset, seed=2)
    looked = Analysis(quick, Simulation(quick).count(0, 40_000))
    surely = 0.3  # more than chance moves a margin
    for bid in range(len(study.bids)):
        margins = looked.margin[:, bid]
        best = looked.best[bid]
        if np.partition(margins, -2)[-2] < margins[best] - surely:
            assert study.options[best] in left.options
    for option in dropped:
        place = study.options.index(option)
        behind = looked.margin.max(axis=0) - looked.margin[place]
        rank = (looked.margin > looked.margin[place] - surely).sum(axis=0)
        near = behind < SHARE_BEHIND * study.rules.total - surely
        assert not (near & (rank <= MOST_AT_A_BID)).any()
    assert dropped


def test_at_most_three_stay_for_a_bid_and_the_best_always():
    study = make_study("AS KS QS JS TS 9S", "partners", seed=1)
    analysis = Analysis(study, Simulation(study).count(0, 100))

    def kept(*margins):
        analysis.measures.__dict__["margin"] = np.array(margins).T
        return names(worth_a_look(analysis))

    close = [0.0, -0.1, -0.2, -0.3, -0.1, -0.6]
    assert sorted(kept(close)) == ["S AS", "S KS", "S TS"]
    assert kept([-3.0, -3.6, -3.6, -3.6, -3.6, -2.0]) == ["S 9S"]
    both = kept(close, [-1.0, -5.0, -5.0, -5.0, -5.0, -1.5])
    assert sorted(both) == ["S 9S", "S AS", "S KS", "S TS"]


def test_the_look_is_at_the_bids_and_suits_asked_about_and_always_the_same(costly):
    assert screen(make_study(HAND, play=costly, seed=1)) == screen(
        make_study(HAND, play=costly, seed=1)
    )
    left, _ = screen(make_study(HAND, play=costly, seed=1, bid="4"))
    assert names(left.options) == ["S AS"]
    left, _ = screen(make_study(HAND, play=costly, seed=1, trump="H"))
    assert names(left.options) == ["H KH"]


def test_an_evaluation_says_what_was_left_out(costly):
    asked = {"play": costly, "deals": 500, "seed": 1}
    result = evaluate(HAND, **asked)
    json = result.to_json()
    left = [{"trump": option.trump, "lead": option.lead} for option in result.screened]
    assert json["screened"] == left != []
    assert json["options_played"] == 6 - len(left)
    for bypass in ({"every_lead": True}, {"lead": "2D"}):
        every = evaluate(HAND, **asked, **bypass)
        assert every.to_json()["screened"] == []
    assert "screened" not in evaluate(HAND, deals=500, seed=1).to_json()


def test_a_pitcher_chooses_by_the_quick_play(costly):
    rules = make_study(HAND, "partners").rules
    for hand in (("AS", "4S", "9H", "8H", "7H", "2D"), ("KS", "JS", "4S", "AH", "3H", "7D")):
        chosen = {
            choose_option(rules, rules.seating(), hand, bid="2", play=play, seed=3)
            for play in ("basic", costly)
        }
        assert len(chosen) == 1
