"""What to say at one's turn: the deals that count, and what each call leads to."""

import numpy as np
import pytest

from pitchsim import evaluate
from pitchsim.bidding import turnstudy
from pitchsim.bidding.auction import Turn
from pitchsim.bidding.biddingrules import AlwaysPass, Threshold
from pitchsim.bidding.playing import Player
from pitchsim.bidding.sources import WorthSource
from pitchsim.bidding.strategy import Strategy
from pitchsim.bidding.turnstudy import (
    TurnStudy,
    _fitting_deals,
    _Steps,
    place_of,
    read_auction,
    weigh_calls,
)
from pitchsim.cards import parse_hand
from pitchsim.errors import StudyError
from pitchsim.hands import mask_of
from pitchsim.known import Known, read_known
from pitchsim.presets import load_preset, preset_names

HAND = "AS JS TS 5S KH 2D"
PASSER = Strategy("passer", AlwaysPass())
BIDDER = Strategy("bidder", Threshold(0.6, WorthSource(deals=40)))


def turn_study(preset="partners", said=(), *, hand=HAND, strategy=PASSER, **more):
    rules = load_preset(preset).changed(more.pop("changes", {}))
    seating = rules.seating(more.pop("players", None))
    known = Known({0: frozenset(parse_hand(hand, jokers=rules.jokers))})
    usual = {"player": Player("basic"), "deals": 2_000, "seed": 7, "known": known}
    return TurnStudy(
        rules=rules, seating=seating, said=tuple(said), strategy=strategy, **{**usual, **more}
    )


@pytest.mark.parametrize("known", [(), ("-:QS 9S",), ("N:KS", "-E:QS 9S")])
def test_a_dealer_after_passes_gains_what_the_hand_is_worth(known):
    """Where nobody else ever bids, every deal fits, and each bid is worth what `hand` says."""
    answer = weigh_calls(turn_study(said=["pass"] * 3, hand=HAND, known=known_of(*known)))
    assert answer.looked_at == answer.deals == 2_000
    expected = evaluate(HAND, "partners", seed=7, deals=2_000, known=known).analysis
    by_bid = {weighed.call: weighed for weighed in answer.calls}
    assert list(by_bid) == ["2", "3", "4", "smudge"]
    for place, weighed in enumerate(by_bid.values()):
        best = expected.best[place]
        assert weighed.left_in.all()
        assert weighed.margin.mean == pytest.approx(expected.margin[best, place], abs=1e-12)
        assert weighed.make[0] == expected.make[best, place]
        assert weighed.option == expected.study.options[best]
        assert weighed.margin.half_width == pytest.approx(
            expected.margin_half_width[best, place], rel=1e-9
        )
    assert answer.best.call == "2"  # nobody is left to bid over it


@pytest.mark.parametrize("preset", preset_names())
def test_passing_first_where_all_pass_changes_nothing_or_forces_the_dealer(preset):
    hand = "AS JS TS 5S KH 2D"
    answer = weigh_calls(turn_study(preset, hand=hand, deals=200))
    passing = answer.calls[0]
    assert passing.call == "pass"
    if load_preset(preset).forced_bid is None:
        assert passing.thrown_in.all()
        assert not passing.gains.any()
    else:
        assert not passing.thrown_in.any()
        assert passing.shares["outbid"] == 1
    for weighed in answer.calls[1:]:
        assert weighed.left_in.all()


def test_the_deals_that_count_are_those_in_which_the_others_bid_so():
    study = turn_study(said=["pass", "3"], strategy=BIDDER, deals=100)
    kept, looked_at = _fitting_deals(study, _Steps(None))
    words = study.playing.ladder.words
    fitting = []
    hands = study.playing.deal(0, looked_at)
    for number in range(looked_at):
        calls = np.zeros((1, 0), np.int64)
        for seat in (2, 3):  # one's own seat is 0, the dealer's 1
            turn = Turn(
                study.playing.ladder,
                study.seating,
                np.array([number]),
                hands[number, [seat]],
                calls,
                np.zeros((1, 2), np.int64),
            )
            calls = np.column_stack([calls, study.bidder.call(turn)])
        if [words[call] for call in calls[0]] == ["pass", "3"]:
            fitting.append(number)
    assert kept.numbers.tolist() == fitting
    assert len(fitting) == 100
    assert set(kept.hands[:, 0].tolist()) == {mask_of(study.hand)}
    assert study.dealer == 1


def test_those_behind_bid_over_low_bids_and_calls_are_weighed_on_the_same_deals():
    answer = weigh_calls(turn_study(said=["pass"], strategy=BIDDER))
    shares = [weighed.shares for weighed in answer.calls]
    left_in = [share["left_in"] for share in shares]
    assert left_in == sorted(left_in)
    assert 0 < left_in[1] < left_in[2] < left_in[3] <= 1
    assert all(sum(share.values()) == pytest.approx(1) for share in shares)
    for weighed in answer.calls:
        parts = [weighed.gains[weighed.left_in].sum(), weighed.gains[~weighed.left_in].sum()]
        assert sum(parts) / answer.deals == pytest.approx(weighed.margin.mean)
    for weighed in answer.calls:
        behind = answer.behind(weighed)
        apart = answer.best.margin.mean - weighed.margin.mean
        assert behind.mean == pytest.approx(apart)
    assert answer.behind(answer.best).mean == 0
    assert not answer.too_close(answer.best)


def known_of(*texts):
    rules = load_preset("partners")
    return read_known(parse_hand(HAND, jokers=0), texts, rules, rules.seating())


def test_it_is_told_how_far_things_are():
    shares = []
    weigh_calls(turn_study(said=["pass"], strategy=BIDDER), progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert len(set(shares)) > 8


def test_a_dealer_may_steal_where_the_rules_allow_it():
    steals = turn_study(said=["pass", "3", "pass"], strategy=BIDDER)
    may_not = turn_study(
        said=["pass", "3", "pass"], strategy=BIDDER, changes={"dealer_steals": "no"}
    )
    words = steals.playing.ladder.words
    assert [words[call] for call in steals.calls] == ["pass", "3", "4", "smudge"]
    assert [words[call] for call in may_not.calls] == ["pass", "4", "smudge"]


def test_the_same_whatever_the_threads_and_known_cards_stay():
    one, two = (
        weigh_calls(
            turn_study(said=["pass"], strategy=BIDDER, known=known_of("N:KS")), threads=threads
        )
        for threads in (1, 2)
    )
    assert one.to_json() == two.to_json()
    assert one.to_json()["known"] == ["N:KS"]
    blind = weigh_calls(turn_study(said=["pass"], strategy=BIDDER))
    assert one.best.margin.mean > blind.best.margin.mean


@pytest.mark.parametrize("known", [(), ("N:KS", "-E:QS 9S")])
def test_experts_play_it_too(known):
    """They play as in a study of the hand, where the lead that basic players like best is made."""
    answer = weigh_calls(
        turn_study(said=["pass"] * 3, player=Player("expert", 5), deals=100, known=known_of(*known))
    )
    assert answer.deals == 100
    asked = {"play": "expert", "worlds": 5, "seed": 7, "deals": 100, "known": known}
    expected = evaluate(HAND, "partners", **asked).analysis
    for place, weighed in enumerate(answer.calls):
        option = expected.study.options.index(weighed.option)
        assert weighed.margin.mean == pytest.approx(expected.margin[option, place], abs=1e-12)
        assert weighed.make[0] == expected.make[option, place]


def test_the_lead_of_a_call_that_is_hardly_left_in_is_that_of_all_deals(monkeypatch):
    """Where nobody else bids the deals are the same, and every call is left in in all of them."""

    def leads(strategy):
        study = turn_study(hand="KH 9H JD 4D 2C QC", strategy=strategy, deals=400, seed=3)
        return [weighed.option for weighed in weigh_calls(study).calls[1:]]

    assert leads(BIDDER) == leads(PASSER)
    monkeypatch.setattr(turnstudy, "ENOUGH_TO_CHOOSE", 0)
    assert leads(BIDDER) != leads(PASSER)


def test_an_auction_that_can_hardly_occur_is_refused():
    with pytest.raises(
        StudyError, match=r"the auction 2 can hardly occur: in 0 of 1,015,808 deals"
    ):
        weigh_calls(turn_study(said=["2"]))


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (["1"], "'1' cannot be said first: expected pass, 2, 3, 4 or smudge"),
        (["2", "2"], "'2' cannot be said after 2: expected pass, 3, 4 or smudge"),
        (["2", "five"], "'five' cannot be said after 2"),
        (["smudge", "4"], "'4' cannot be said after smudge: expected pass"),
        (["pass"] * 4, "4 calls leave you no turn: expected 3 at most"),
    ],
)
def test_calls_that_are_not_possible_are_refused(said, message):
    with pytest.raises(StudyError) as refused:
        turn_study(said=said)
    assert message in str(refused.value)


def test_seats_and_auctions_are_read():
    assert [place_of(seat, 4) for seat in ("first", "Second", "3", "dealer", "4")] == [
        0,
        1,
        2,
        3,
        3,
    ]
    assert place_of("second", 3) == 1
    with pytest.raises(StudyError, match="expected first, second or dealer"):
        place_of("third", 3)
    assert read_auction("pass, 2-PASS") == ("pass", "2", "PASS")
    assert turn_study(said=["PASS", "Smudge"], strategy=BIDDER).said == ("pass", "smudge")


def test_the_command_says_what_to_say(pitchsim):
    done = pitchsim("hand", HAND, "--seat", "dealer", "--auction", "pass pass pass", "--deals", 500)
    assert done.status == 0
    assert "you deal and speak last, after pass, pass and pass" in " ".join(done.out.split())
    assert "--auction 'pass pass pass'" in done.out


def test_the_first_to_speak_may_be_named_by_an_empty_auction(pitchsim):
    one, other = (
        pitchsim("hand", HAND, *asked, "--deals", 100, "--seed", 7, "--strategy", "always-pass")
        for asked in (("--auction", ""), ("--seat", "first"))
    )
    assert one == other
    assert "--seat first" in one.out


def test_of_a_call_that_is_hardly_left_in_little_is_said(pitchsim):
    done = pitchsim("hand", "KS QS TH 4H 3D 8C", "--seat", "first", "--deals", 400, "--seed", 7)
    (line,) = [line for line in done.out.splitlines() if line.startswith("> 2 ")]
    left_in, _, made, then = line.split()[-6:-2]
    assert (left_in, made, then) == ("7", "-", "-")
    assert "made" not in next(part for part in done.out.split("\n\n") if "Bid 2" in part)
    assert "fewer than 100 deals" in " ".join(done.out.split())


def test_the_command_refuses_what_does_not_go_together(pitchsim):
    assert "of no use with --seat" in pitchsim("hand", HAND, "--seat", "first", "--trump", "S").err
    assert "of no use without" in pitchsim("hand", HAND, "--strategy", "bold").err
    done = pitchsim("hand", HAND, "--seat", "third", "--auction", "pass")
    assert done.status == 2
    assert "speaks after 2 others, and --auction has 1 call" in done.err
