import json

import pytest

HAND = "AS JS TS 5S KH 2D"


def test_a_deal_is_shown_trick_by_trick(pitchsim, snapshot):
    finished = pitchsim("replay", HAND, "--seed", 7, "--deal", 12, "--lead", "AS", "--bid", 3)
    assert (finished.status, finished.err) == (0, "")
    assert finished.out == snapshot
    markdown = pitchsim(
        "replay", HAND, "--seed", 7, "--deal", 12, "--lead", "AS", "--format", "markdown"
    )
    assert markdown.out.startswith("## Seed 7, deal 12, basic play: partners")


@pytest.mark.parametrize(
    "arguments",
    [
        ("--lead", "JS"),
        ("--trump", "H"),
        ("--trump", "S", "--set", "declared-trump", "--set", "draw"),
        ("--trump", "C", "--lead", "KH", "--set", "declared-trump", "--play", "random"),
        ("--lead", "5S", "--rules", "setback", "--players", 7, "--known", "1:KS"),
    ],
)
def test_json_is_a_record_that_score_reads(pitchsim, arguments):
    deal = ("--seed", 5, "--deal", 3, *arguments)
    finished = pitchsim("replay", HAND, *deal, "--json", "--output", "x")
    assert (finished.status, finished.out) == (0, "")
    scored = pitchsim("score", "x").out.splitlines()[1:]
    assert pitchsim("replay", HAND, *deal).out.splitlines()[1:] == scored


def test_it_is_the_deal_of_the_study(pitchsim):
    dealt = pitchsim("deal", "--hand", HAND, "--seed", 5, "--count", 4).out.splitlines()
    replayed = pitchsim("replay", HAND, "--seed", 5, "--deal", 3, "--lead", "AS", "--json").out
    assert json.loads(replayed)["hands"] == json.loads(dealt[3])["hands"]


@pytest.mark.parametrize("play", [(), ("--play", "expert", "--worlds", 8)])
def test_replayed_deals_add_up_to_the_evaluation(pitchsim, play):
    options = ("--seed", 5, "--lead", "AS", *play)
    evaluated = json.loads(pitchsim("hand", HAND, *options, "--deals", 20, "--json").out)
    for deal in range(20):
        record = pitchsim("replay", HAND, *options, "--deal", deal, "--bid", 4, "--json").out
        with open("records", "a", encoding="utf-8") as file:  # noqa: PTH123
            file.write(record)
    scored = [json.loads(line) for line in pitchsim("score", "records", "--json").out.splitlines()]
    made = sum(hand["made"] for hand in scored)
    assert made == round(20 * evaluated["options"][0]["make"]["4"]["p"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "can be played in 6 ways: expected --lead with AS, JS, TS, 5S, KH or 2D"),
        (("--trump", "S"), "can be played in 4 ways"),
        (("--set", "declared-trump", "--lead", "AS"), "Expected --trump with spades, hearts"),
        (("--lead", "AS", "--deal", -1), "deal -1 is not possible"),
        (("--lead", "AS", "--deal", "x"), "deal 'x' is not possible: expected a whole number"),
        (("--lead", "AS", "--deal", 2**40), "deal 1099511627776 is not possible"),
        (("--lead", "AS", "--bid", 9), "'9' is not a bid here"),
        (("--lead", "AS", "--bid", "pass"), "bid pass leaves nothing to play for"),
        (("--lead", "AS", "--output", "."), "cannot write '.': it is a folder"),
    ],
)
def test_bad_input_is_one_message(pitchsim, tmp_path, monkeypatch, arguments, said):
    monkeypatch.delattr("pitchsim_cli.replay.make_engine_ready")  # no need to wait for that
    finished = pitchsim("replay", HAND, "--seed", 1, "--deal", 0, *arguments)
    assert (finished.status, finished.out) == (2, "")
    assert finished.err.startswith("error: ")
    assert finished.err.count("\n") == 1
    assert said in finished.err
    assert list(tmp_path.iterdir()) == []
