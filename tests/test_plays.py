"""Plays that look at the bid: each bid's numbers come from the hands that were played for it."""

from dataclasses import replace

import numpy as np
import pytest

from pitchsim.analysis import Analysis, frame_of
from pitchsim.counting import Counter
from pitchsim.errors import PitchsimError
from pitchsim.evaluating import evaluate, make_study
from pitchsim.plays import PLAYS
from pitchsim.running import Stop, run
from pitchsim.simulation import Simulation
from pitchsim.study import Study

HAND = "AS JS 10S 5S KH 2D"
DEALS = 1_000


@pytest.fixture
def by_bid(monkeypatch):
    """A play by the rules of thumb that asks to be played once for each bid; its name."""
    monkeypatch.setitem(PLAYS, "by-bid", replace(PLAYS["basic"], by_bid=True))
    return "by-bid"


def outcomes_of(study):
    outcomes = np.empty((study.plays, len(study.options), DEALS), np.int32)
    Simulation(study).outcomes(0, outcomes)
    return outcomes


def counted(study, outcomes):
    tally = Counter.of(study.columns).count(study.identity, outcomes)
    return Analysis(study, tally)


def assert_same_at(bid, one, other):
    """Two analyses say the same of every option at a bid."""
    for name in ("made", "change", "others", "margin", "margin_half_width"):
        assert (getattr(one, name)[:, bid] == getattr(other, name)[:, bid]).all()
    assert one.best[bid] == other.best[bid]
    for mine, theirs in zip(one.behind(bid, 1), other.behind(bid, 1), strict=True):
        assert (mine == theirs).all()


@pytest.mark.parametrize("preset", ["partners", "solo", "ten-point"])
def test_the_same_play_for_every_bid_gives_the_numbers_of_one_play(preset):
    study = make_study(HAND, preset, seed=1)
    outcomes = outcomes_of(study)
    assert study.plays == len(outcomes) == 1
    one = counted(study, outcomes)
    every = counted(study, np.repeat(outcomes, len(study.bids), axis=0))
    assert every.tally.counts.shape[1] == len(study.bids) > 1
    for bid in range(len(study.bids)):
        assert_same_at(bid, one, every)
    assert (one.ranking == every.ranking).all()
    assert (one.pmf == every.pmf).all()
    assert frame_of(one).equals(frame_of(every))


def test_each_bid_has_the_numbers_of_its_own_play():
    studies = [
        make_study(HAND, "partners", play=play, seed=seed)
        for play, seed in (("basic", 1), ("random", 1), ("basic", 2), ("random", 2))
    ]
    alone = [counted(study, outcomes_of(study)) for study in studies]
    assert len({one.made.tobytes() for one in alone}) == 4
    own = counted(studies[0], np.concatenate([outcomes_of(study) for study in studies]))
    for bid, one in enumerate(alone):
        assert_same_at(bid, own, one)
    for bid in range(4):
        deciding = with_deciding_bid(own, bid)
        assert (deciding.pmf == alone[bid].pmf).all()
        assert (deciding.mean == alone[bid].mean).all()
        assert (deciding.points["low"] == alone[bid].points["low"]).all()


def with_deciding_bid(analysis, bid):
    """The same counts, with another bid to decide."""
    other = Analysis(analysis.study, analysis.tally)
    other.__dict__["deciding_bid"] = bid
    return other


def test_a_study_is_played_once_for_each_bid_where_the_play_looks_at_it(by_bid):
    study = make_study(HAND, "partners", play=by_bid, seed=1)
    assert study.plays == 4
    outcomes = outcomes_of(study)
    assert (outcomes == outcomes_of(make_study(HAND, "partners", seed=1))).all()
    whole = Simulation(study).count(0, DEALS)
    parts = run(Simulation(study), Stop(DEALS), width=lambda _: 1, chunk=300).tally
    assert (whole.counts == parts.counts).all()
    assert (whole.products == parts.products).all()
    assert make_study(HAND, "partners", play=by_bid, bid="3").plays == 1


def test_it_is_said_which_bid_the_points_were_played_for(by_bid):
    asked = {"rules": "partners", "deals": DEALS, "seed": 1}
    usual = evaluate(HAND, **asked).to_json()
    own = evaluate(HAND, play=by_bid, **asked).to_json()
    assert "played_for" not in usual
    assert own.pop("played_for") == own["limit"]["bid"] == "4"
    assert own["options"] == usual["options"]
    assert own["bids"] == usual["bids"]
    assert own.keys() == usual.keys()


def test_a_slow_play_is_handed_out_in_small_pieces(monkeypatch):
    monkeypatch.setitem(PLAYS, "slow", replace(PLAYS["basic"], hands_a_chunk=40))
    monkeypatch.setitem(PLAYS, "slowest", replace(PLAYS["basic"], hands_a_chunk=1, by_bid=True))
    seen = []
    for play, deals in (("slow", 20), ("slowest", 3)):
        study = make_study(HAND, "partners", play=play, seed=1)
        run(
            Simulation(study),
            Stop(deals),
            width=lambda _: 1,
            progress=lambda tally: seen.append(tally.deals),
        )
    assert seen == [6, 12, 18, 20, 1, 2, 3]
    against = replace(make_study(HAND, "partners"), defence="slow")
    assert against.deals_a_chunk == 6 < make_study(HAND, "partners").deals_a_chunk


def test_precision_is_judged_after_the_same_deals_whatever_the_pieces(monkeypatch):
    monkeypatch.setitem(PLAYS, "slow", replace(PLAYS["basic"], hands_a_chunk=300, by_bid=True))
    fast = evaluate(HAND, precision=0.02, seed=3)
    slow = evaluate(HAND, play="slow", precision=0.02, seed=3)
    assert slow.run.tally.deals == fast.run.tally.deals


def test_a_play_for_both_sides_is_not_played_by_one(monkeypatch):
    monkeypatch.setitem(PLAYS, "both", replace(PLAYS["basic"], both_sides=True))
    study = make_study(HAND, "partners", play="both")
    for change in ({"play": "basic"}, {"defence": "basic"}):
        with pytest.raises(PitchsimError, match="both plays for both sides together"):
            replace(study, **change)


@pytest.mark.parametrize(("preset", "bid"), [("partners", "3"), ("solo", "1"), ("setback", "4")])
def test_a_study_of_one_bid_finds_what_that_of_all_finds_of_it(preset, bid):
    every = make_study(HAND, preset, seed=1)
    only = make_study(HAND, preset, seed=1, bid=bid)
    assert only.bids == (bid,)
    assert only.identity != every.identity
    place = every.bids.index(bid)
    one, all_ = (Analysis(study, Simulation(study).count(0, DEALS)) for study in (only, every))
    assert (one.made[:, 0] == all_.made[:, place]).all()
    assert (one.margin[:, 0] == all_.margin[:, place]).all()
    assert one.deciding_bid == 0
    result = evaluate(HAND, preset, seed=1, bid=bid, deals=DEALS).to_json()
    assert list(result["bids"]) == list(result["options"][0]["make"]) == [bid]


def test_a_bid_is_read_as_it_is_typed_anywhere():
    assert make_study(HAND, "four-point", bid=" 4 ").bids == ("smudge",)
    assert make_study(HAND, "partners", bid="Smudge").bids == ("smudge",)
    forced = make_study(HAND, "setback", bid="1")
    assert isinstance(forced, Study)


@pytest.mark.parametrize("bid", ["5", "pass", "1", ""])
def test_a_bid_that_is_none_is_refused(bid):
    with pytest.raises(PitchsimError, match="expected"):
        make_study(HAND, "partners", bid=bid)


def test_a_study_reads_no_bid_that_its_rules_lack():
    with pytest.raises(PitchsimError, match="bid '5' is not one to play for: expected 2, 3, 4"):
        replace(make_study(HAND, "partners"), bid="5")
