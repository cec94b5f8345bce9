import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recordmaking import random_record, rules_of, vectors

from pitchsim.errors import IllegalRecordError, PitchsimError, RecordError
from pitchsim.presets import load_rules_file, preset_names
from pitchsim.records import parse_record, record_from_json, record_lines
from pitchsim.reference.hand import score_hand

GOOD = vectors("records")[1]["record"]


def changed(**keys):
    return GOOD | keys


def without(*keys):
    return {key: value for key, value in GOOD.items() if key not in keys}


def test_what_may_be_left_out():
    record = record_from_json(without("players", "partners", "scores", "plays"))
    assert (record.seating.players, record.seating.partners) == (4, True)
    assert record.scores == (0, 0)
    assert record.plays == ()
    assert record_from_json(changed(set=None, trump=None, draws=None)) == record_from_json(GOOD)


def test_the_notations_of_cards_bids_and_suits():
    spelled = changed(
        hands=[GOOD["hands"][0].lower().replace("t", "10"), *GOOD["hands"][1:]],
        bids=["Smudge", "PASS", "pass", "pass"],
        trump="♥",
        plays=[card.replace("T", "10") for card in GOOD["plays"]],
    )
    assert score_hand(record_from_json(spelled)) == score_hand(record_from_json(GOOD))
    numbers = changed(bids=[4, "pass", "pass", "pass"])
    assert score_hand(record_from_json(numbers)).bid == "4"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([], r"\[\] is not a record"),
        (None, "None is not a record"),
        (without("rules"), "the key 'rules' is missing"),
        (without("dealer"), "the key 'dealer' is missing"),
        (without("hands"), "the key 'hands' is missing"),
        (without("bids"), "the key 'bids' is missing"),
        (without("bids") | {"pitcher": 0}, "the key 'bid' is missing"),
        (without("bids") | {"bid": "2"}, "the key 'pitcher' is missing"),
        (changed(pitcher=0, bid="2"), "pitcher: the record has bids as well"),
        (changed(score=[1, 2]), "there is no key 'score' in a record; did you mean 'scores'"),
        (changed(rules="partnes"), "'partnes'; did you mean 'partners'"),
        (changed(rules=7), "rules: 7 is not a text"),
        (changed(set=[]), r"set: \[\] is not an object"),
        (changed(set={"low_to": "nobody"}), "low_to = 'nobody'"),
        (changed(set={"low": 3, "bogus": 1}), "bogus"),
        (changed(players="4"), "players: '4' is not a whole number"),
        (changed(players=8), "players = 8"),
        (changed(partners="yes"), "partners: 'yes' is neither true nor false"),
        (changed(players=5, rules="setback"), "partners = yes is not possible with 5 players"),
        (changed(dealer=True), "dealer: True is not a whole number"),
        (changed(dealer=1.5), "dealer: 1.5 is not a whole number"),
        (changed(hands="AS"), "hands: 'AS' is not a list"),
        (changed(hands=[["AS"], "2S", "3S", "4S"]), r"hands\[0\]: \['AS'\] is not a text"),
        (changed(hands=["1S 2S 3S 4S 5S 6S", *GOOD["hands"][1:]]), r"hands\[0\]: '1S'"),
        (changed(scores=[1, "2"]), r"scores\[1\]: '2' is not a whole number"),
        (changed(scores=[10**9, 2]), "of a sensible size"),
        (changed(bids=["3", None, "pass", "pass"]), r"bids\[1\]: None is not a text"),
        (changed(trump="X"), "trump: 'X' is not a suit: expected S, H, D or C"),
        (changed(trump="SH"), "trump: 'SH' is not a suit"),
        (changed(plays=[4]), r"plays\[0\]: 4 is not a text"),
        (changed(plays=["4H 5H"]), r"plays\[0\]: '4H 5H' is 2 cards; expected one"),
        (changed(plays=[""]), r"plays\[0\]: '' is 0 cards; expected one"),
        (changed(draws=[{"out": ""}]), r"draws\[0\]: .* is not \{\"out\": CARDS, \"in\": CARDS\}"),
    ],
)
def test_what_cannot_be_read(value, said):
    with pytest.raises(RecordError, match=said) as caught:
        record_from_json(value)
    assert caught.value.exit_status == 2


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (changed(dealer=4), "dealer: 4 is not a seat; expected 0 to 3"),
        (changed(dealer=-1), "dealer: -1 is not a seat"),
        (without("bids") | {"pitcher": 9, "bid": "2"}, "pitcher: 9 is not a seat"),
        (changed(scores=[1, 2, 3]), "scores: found 3, expected 2, one for each side"),
        (changed(hands=GOOD["hands"][:3]), "hands: found 3, expected 4, one for each player"),
        (changed(hands=["AS 2S 3S 4S 5S", *GOOD["hands"][1:]]), "5 cards; expected 6"),
        (changed(hands=["HJ 2S 3S 4S 5S 6S", *GOOD["hands"][1:]]), "HJ is not in the deck"),
        (changed(hands=["AS AS 3S 4S 5S 6S", *GOOD["hands"][1:]]), "AS is there twice"),
        (changed(plays=["LJ"]), r"plays\[0\]: LJ is not in the deck"),
        (changed(draws=[]), "draws: found 0, expected 4"),
    ],
)
def test_what_cannot_be_a_hand(value, said):
    with pytest.raises(IllegalRecordError, match=said) as caught:
        record_from_json(value)
    assert caught.value.exit_status == 1


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (json.dumps(GOOD)[:200], "breaks off"),
        ('{"rules": "partners', "breaks off"),
        ('{"rules" "partners"}', "not JSON: Expecting ':' delimiter at column 10"),
        ("{} {}", "not JSON: Extra data"),
        ('{"dealer": 1, "dealer": 2}', "the key 'dealer' is there twice"),
        ("[" * 100_000, "not a record"),
        ('{"dealer": ' + "9" * 5000 + "}", "not a record"),
        (b'{"rules": "\xff"}', "byte 12 .0xff. is not UTF-8"),
        (b"\xef\xbb\xbfnull", "None is not a record"),
        ("", "breaks off"),
    ],
)
def test_lines_that_are_no_records(line, said):
    with pytest.raises(RecordError, match=said) as caught:
        parse_record(line, 17)
    assert str(caught.value).startswith("line 17: ")
    assert len(str(caught.value)) < 250


def test_the_line_is_named_for_an_illegal_record_too():
    with pytest.raises(IllegalRecordError, match=r"^line 3: dealer: 4 is not a seat"):
        parse_record(json.dumps(changed(dealer=4)), 3)


def test_lines_are_numbered_as_they_stand_in_the_file(tmp_path):
    path = tmp_path / "records.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(GOOD).encode() + b"\r\n\n  \n{}")
    lines = list(record_lines(str(path)))
    assert [number for number, _ in lines] == [1, 4]
    assert parse_record(lines[0][1]) == record_from_json(GOOD)


@pytest.mark.parametrize("content", [b"", b"\n \n"])
def test_an_empty_file_is_an_error(tmp_path, content):
    path = tmp_path / "empty.jsonl"
    path.write_bytes(content)
    with pytest.raises(RecordError, match=r"empty\.jsonl is empty; expected one JSON record"):
        list(record_lines(str(path)))


def test_a_file_that_cannot_be_read(tmp_path):
    for path in (str(tmp_path), str(tmp_path / "missing"), "bad\0name"):
        with pytest.raises(RecordError, match="cannot be read"):
            list(record_lines(path))


def test_rules_of_ones_own_are_written_as_changes_to_a_preset(tmp_path):
    path = tmp_path / "ours.toml"
    path.write_text('extends = "ten-point"\ntarget = 15\n[points]\ngame = 2\n', encoding="utf-8")
    rules = load_rules_file(path)
    record = random_record(random.Random(1), rules, rules.seating())
    written = record.to_json()
    assert written["rules"] in preset_names()
    read = record_from_json(written)
    assert read.rules.as_dict() == rules.as_dict()
    assert score_hand(read) == score_hand(record)


def test_long_texts_are_quoted_in_short():
    for record in (
        changed(bids=["x" * 9999] * 4),
        changed(rules="x" * 9999),
        changed(trump="x" * 9999),
    ):
        with pytest.raises(RecordError) as caught:
            score_hand(record_from_json(record))
        assert len(str(caught.value)) < 400


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


def only_our_own_errors(line):
    message = "none"
    try:
        score_hand(parse_record(line))
    except PitchsimError as error:
        message = str(error)
    assert message
    assert message.isprintable()
    assert len(message) < 1000


@given(st.text() | st.binary())
def test_arbitrary_text_is_refused_politely(line):
    only_our_own_errors(line)


@given(st.sampled_from([*GOOD, "set", "trump", "draws", "pitcher", "bid"]), json_values)
def test_arbitrary_values_in_a_record_are_refused_politely(key, value):
    only_our_own_errors(json.dumps(changed(**{key: value})))


@given(st.sampled_from(sorted(rules_of().as_dict())), json_values)
def test_arbitrary_rules_in_a_record_are_refused_politely(field, value):
    only_our_own_errors(json.dumps(changed(set={field: value})))


@given(st.sampled_from(vectors("records")), st.randoms(use_true_random=False))
def test_mutated_records_are_refused_politely(vector, rng):
    text = list(json.dumps(vector["record"]))
    for _ in range(rng.randint(1, 3)):
        place = rng.randrange(len(text))
        text[place : place + rng.randint(0, 2)] = rng.choice(
            ['"', "A", "0", "[", ",", "", "S", "9"]
        )
    only_our_own_errors("".join(text))


@given(st.integers(0, 2**32), st.sampled_from(preset_names()), st.data())
def test_exchanged_plays_are_refused_politely(seed, preset, data):
    rules = rules_of(preset, trump_choice="declared", draw=True)
    record = random_record(random.Random(seed), rules, rules.seating()).to_json()
    for key in ("plays", "bids", "hands", "scores", "draws"):
        items = record.get(key)
        if items and data.draw(st.booleans()):
            record[key] = data.draw(st.permutations(items))
    only_our_own_errors(json.dumps(record))


def test_a_line_that_never_ends_is_refused(tmp_path):
    path = tmp_path / "endless.jsonl"
    path.write_bytes(b"\n" + b"x" * 200_000)
    with pytest.raises(RecordError, match=r"^line 2: longer than 100,000 bytes"):
        list(record_lines(str(path)))


def test_closed_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(RecordError, match="standard input is closed"):
        list(record_lines("-"))
