import json
import shlex

import pytest

from pitchsim.deals import Deals
from pitchsim.presets import load_preset

HAND = "AS JS TS 5S KH 2D"


def records(out):
    return [json.loads(line) for line in out.splitlines()]


def test_records_come_one_a_line(pitchsim):
    finished = pitchsim("deal", "--count", 5, "--seed", 3)
    assert (finished.status, finished.err) == (0, "")
    dealt = records(finished.out)
    assert len(dealt) == 5
    assert [(record["pitcher"], record["bid"], record["plays"]) for record in dealt] == [
        (0, "2", [])
    ] * 5


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--rules", "solo", "--players", 7, "--pitcher", 6, "--bid", 4),
        ("--rules", "ten-point", "--bid", "smudge", "--set", "joker_lead=names"),
        ("--rules", "pedro", "--set", "declared-trump", "--set", "draw"),
        ("--rules", "setback", "--set", "min_bid=2", "--set", "forced-bid", "--bid", 1),
        ("--hand", HAND, "--pitcher", 2, "--play", "random"),
        ("--rules", "setback", "--players", 5, "--play", "expert", "--worlds", 8, "--bid", 3),
    ],
)
def test_score_accepts_what_is_played_out(pitchsim, arguments):
    assert pitchsim("deal", "--count", 10, "--seed", 3, "--play", "basic", *arguments, "-o", "x")[
        :2
    ] == (0, "")
    scored = pitchsim("score", "x", "--json")
    assert scored.status == 0
    assert len(scored.out.splitlines()) == 10


def test_a_deal_is_the_same_however_many_are_asked_for(pitchsim):
    options = ("--seed", 3, "--play", "basic")
    many = pitchsim("deal", "--count", 4, *options).out.splitlines()
    assert pitchsim("deal", *options).out.splitlines() == many[:1]
    assert len(set(many)) == 4
    assert (
        pitchsim("deal", "--count", 4, "--seed", 4).out
        != pitchsim("deal", "--count", 4, "--seed", 3).out
    )


def test_a_seed_that_nobody_gave_is_said(pitchsim):
    first = pitchsim("deal", "--rules", "solo", "--count", 3, "--hand", HAND)
    command = shlex.split(first.err.splitlines()[-1])
    assert pitchsim(*command[1:]) == (0, first.out, "")


def test_the_hand_of_seat_0_is_kept(pitchsim):
    dealt = records(pitchsim("deal", "--hand", HAND, "--count", 3, "--pitcher", 1).out)
    assert [record["hands"][0] for record in dealt] == [HAND] * 3


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--count", 0), "count 0 is not possible"),
        (("--count", "many"), "count 'many' is not possible: expected a whole number"),
        (("--pitcher", 4), "pitcher 4 is not a seat"),
        (("--bid", 7), "'7' is not a bid here"),
        (("--hand", "AS KS"), "is 2 cards: expected 6"),
        (("--play", "experts"), "there is no play 'experts'"),
        (("--seed", -4), "seed -4 is not possible"),
        (("--rules", "solos"), "did you mean 'solo'?"),
        (("--players", 7), "players = 7 is not possible"),
    ],
)
def test_bad_input_is_one_message(pitchsim, tmp_path, monkeypatch, arguments, said):
    monkeypatch.delattr("pitchsim_cli.deal.make_engine_ready")  # no need to wait for that
    finished = pitchsim("deal", *arguments, "--output", "x")
    assert (finished.status, finished.out) == (2, "")
    assert finished.err.startswith("error: ")
    assert finished.err.count("\n") == 1
    assert said in finished.err
    assert list(tmp_path.iterdir()) == []


def test_an_interruption_keeps_the_records_made(pitchsim, monkeypatch, tmp_path):
    make = Deals.record

    def interrupted(deals, number):
        if number == 3:
            raise KeyboardInterrupt
        return make(deals, number)

    monkeypatch.setattr(Deals, "record", interrupted)
    assert pitchsim("deal", "--count", 9, "--seed", 1, "--output", "x").status == 130
    assert len(records((tmp_path / "x").read_text(encoding="utf-8"))) == 3


def test_rules_of_ones_own_become_changes_to_a_preset(pitchsim, tmp_path):
    (tmp_path / "own.toml").write_text('extends = "solo"\ntarget = 15\n')
    (dealt,) = records(pitchsim("deal", "--rules", "own.toml", "--seed", 1).out)
    assert (dealt["rules"], dealt["set"]) == ("solo", {"target": 15})
    assert load_preset("solo").target != 15
