import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitchsim.errors import RulesError
from pitchsim.presets import load_preset, preset_names, read_settings
from pitchsim.rulefields import FIELDS, POINT_NAMES, POINT_PREFIX, read_field, write_value
from pitchsim.rules import PASS, SMUDGE, Points, Rules, Seating

presets = st.sampled_from(preset_names()).map(load_preset)


def refusal(**fields):
    with pytest.raises(RulesError) as error:
        Rules().changed(fields)
    return str(error.value)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"low_to": "nobody"}, ["low_to", "'nobody'", "holder or captor"]),
        ({"low_to": "holdr"}, ["did you mean 'holder'?"]),
        ({"target": 0}, ["target", "0", "from 1 to 1000"]),
        ({"target": -11}, ["target", "-11"]),
        ({"target": "soon"}, ["target", "'soon'"]),
        ({"target": 1 << 20000}, ["target", "thousands of digits"]),
        ({"target": 11.0}, ["target", "11.0"]),
        ({"target": True}, ["target", "True"]),
        ({"players": "8"}, ["players", "'8'", "from 2 to 7"]),
        ({"players": "5-3"}, ["players", "'5-3'"]),
        ({"players": []}, ["players", "[]"]),
        ({"default_players": 3}, ["default_players = 3", "it may be 4"]),
        ({"partners": "maybe"}, ["partners", "'maybe'", "yes or no"]),
        ({"players": "3,5"}, ["partners = yes", "four or six", "players = 3 or 5"]),
        ({"hand_size": 7}, ["hand_size", "7", "it may be 6"]),
        ({"jokers": 3}, ["jokers", "3", "0, 1 or 2"]),
        ({"off_jack": -1}, ["points.off_jack", "-1", "from 0 to 20"]),
        ({"joker": 1}, ["points.joker = 1", "jokers = 0"]),
        ({"high": 0, "low": 0, "jack": 0, "game": 0}, ["points", "all 0"]),
        ({"low": 0, "jack": 0, "game": 0}, ["min_bid = 2", "add up to 1"]),
        (
            {"low": 0, "jack": 0, "game": 0, "min_bid": 1, "forced_bid": 2},
            ["forced_bid = 2", "add up to 1"],
        ),
        ({"min_bid": 5}, ["min_bid", "5", "1 or 2"]),
        ({"forced_bid": 0}, ["forced_bid", "0", "none, 1 or 2"]),
        ({"draw": "yes"}, ["draw = yes", "trump_choice = declared", "pitched"]),
        ({"smudge_value": -5}, ["smudge_value", "-5"]),
        ({"targt": 21}, ["'targt'", "did you mean 'target'?"]),
        ({"off_jak": 1}, ["'off_jak'", "did you mean 'off_jack'?"]),
        ({"points": 3}, ["points", "3"]),
        ({"points": {"highest": 1}}, ["'highest'", "did you mean 'high'?"]),
    ],
)
def test_a_refusal_names_the_field_the_value_and_what_it_may_be(fields, said):
    message = refusal(**fields)
    assert all(part in message for part in said), message


@pytest.mark.parametrize(
    "fields",
    [
        {"smudge_value": 5},  # says nothing where nobody smudges
        {"joker_rank": "lowest", "low_card": "lowest_natural"},  # or where there is no joker
        {"trump_choice": "declared", "draw": True},
        {"min_bid": 1, "forced_bid": 2},
        {"forced_bid": 1},
        {"target": 1000, "countdown": True},
        {"partners": False, "players": "2"},
    ],
)
def test_harmless_combinations_are_allowed(fields):
    assert Rules().changed(fields)


def test_a_value_means_the_same_as_text_and_as_data():
    text = {"partners": "no", "target": "21", "forced_bid": "none", "players": "3-5", "low": "0"}
    data = {"partners": False, "target": 21, "forced_bid": None, "players": [5, 4, 3], "low": 0}
    assert Rules().changed(text) == Rules().changed(data)
    assert Rules(partners="no").partners is False  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["off_jack", "points.off_jack", "Off-Jack", "POINTS.off_jack"])
def test_a_point_has_a_flat_name_too(name):
    assert Rules().changed({name: "1"}).points == Points(off_jack=1)


def test_points_may_be_a_mapping():
    assert Rules().changed({"points": {"off_jack": 1}}).points == Points(off_jack=1)
    assert Rules().changed({"points": Points(game=2)}).points == Points(game=2)


def test_the_default_number_of_players_follows_the_players():
    assert load_preset("solo").changed({"players": "5-7"}).default_players == 5
    assert load_preset("solo").changed({"players": "3-5"}).default_players == 4


def test_total_counts_each_joker():
    assert Rules(jokers=2, points=Points(joker=1)).total == 6
    values = Rules(jokers=2, points=Points(joker=2, high=0)).point_values
    assert values == {"low": 1, "jack": 1, "high_joker": 2, "low_joker": 2, "game": 1}
    assert list(Rules(jokers=1, points=Points(joker=1)).point_values)[3] == "high_joker"


@pytest.mark.parametrize(
    ("fields", "bids"),
    [
        ({}, "2 3 4"),
        ({"min_bid": 1}, "1 2 3 4"),
        ({"smudge": "all_points"}, "2 3 smudge"),
        ({"smudge": "all_tricks"}, "2 3 4 smudge"),
        ({"smudge": "both"}, "2 3 4 smudge"),
        ({"smudge": "all_points", "jack": 0, "game": 0}, "smudge"),
    ],
)
def test_the_bids_of_a_rule_set(fields, bids):
    rules = Rules().changed(fields)
    assert rules.bids == tuple(bids.split())
    ranks = [rules.bid_rank(bid) for bid in (PASS, *rules.bids)]
    assert ranks == sorted(set(ranks))


def test_what_a_bid_counts():
    partners = load_preset("partners")
    assert [partners.bid_value(bid) for bid in partners.bids] == [2, 3, 4, 5]
    assert load_preset("ten-point").bid_value(SMUDGE) == 10


def test_reading_bids():
    four, partners = load_preset("four-point"), load_preset("partners")
    assert four.parse_bid("4") == four.parse_bid(" Smudge ") == four.parse_bid(4) == SMUDGE
    assert partners.parse_bid("4") == "4"
    assert partners.parse_bid("PASS") == PASS
    assert four.changed({"forced_bid": 1}).parse_bid("1") == "1"


@pytest.mark.parametrize("text", ["1", "5", "2.5", "-2", "moon", "", "04", "٣"])
def test_an_unknown_bid_lists_the_bids(text):
    with pytest.raises(RulesError, match=r"expected pass, 2, 3, 4 or smudge"):
        load_preset("partners").parse_bid(text)


def test_seats_and_sides():
    pairs, alone = Seating(4, True), Seating(3, False)
    assert (pairs.sides, alone.sides) == (2, 3)
    assert [pairs.side_of(seat) for seat in range(4)] == [0, 1, 0, 1]
    assert pairs.seats_of(1) == (1, 3)
    assert alone.seats_of(2) == (2,)


def test_seating_is_the_usual_one_unless_asked():
    setback, solo = load_preset("setback"), load_preset("solo")
    assert setback.seating() == Seating(4, True)
    assert setback.seating(3) == Seating(3, False)
    assert setback.seating(6) == Seating(6, False)
    assert setback.seating(6, True) == Seating(6, True)
    assert setback.seating(4, False) == Seating(4, False)
    assert solo.seating() == Seating(4, False)
    assert solo.seating(partners=True) == Seating(4, True)


@pytest.mark.parametrize(
    ("players", "partners", "said"),
    [
        (8, None, "players = 8 is not possible: setback is for 2, 3, 4, 5, 6 or 7"),
        (5, True, "partners = yes is not possible with 5 players"),
        (2, True, "partners = yes is not possible with 2 players"),
    ],
)
def test_a_seating_that_cannot_be(players, partners, said):
    with pytest.raises(RulesError, match=said):
        load_preset("setback").seating(players, partners)


def test_a_change_keeps_the_name_and_leaves_the_original():
    partners = load_preset("partners")
    changed = partners.changed({"target": 11})
    assert (changed.name, changed.target, partners.target) == ("partners", 11, 21)


@given(presets)
def test_a_rule_set_reads_back_from_its_fields(rules):
    fields = rules.as_dict()
    assert Rules(rules.name, rules.title, rules.description).changed(fields) == rules
    assert json.loads(json.dumps(fields)) == fields
    written = {name: write_value(value) for name, value in fields.items()}
    assert Rules(rules.name, rules.title, rules.description).changed(written) == rules


@given(st.frozensets(st.integers(2, 7), min_size=1))
def test_player_counts_read_back(counts):
    assert read_field("players", write_value(counts)) == counts


names = st.sampled_from([*FIELDS, *POINT_NAMES]) | st.text(max_size=12)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=4,
)


@given(presets, st.dictionaries(names | st.just("points"), json_values, max_size=3))
def test_any_changes_make_rules_or_a_rules_error(rules, changes):
    with suppress(RulesError):
        changed = rules.changed(changes)
        assert changed.total >= 1
        assert changed.bids
        assert changed.seating().players in changed.players


@given(
    st.lists(
        st.text(max_size=20) | st.builds("{}={}".format, names, st.text(max_size=6)), max_size=3
    )
)
def test_any_settings_are_changes_or_a_rules_error(settings):
    with suppress(RulesError):
        assert {*read_settings(settings)} <= {*FIELDS, *POINT_NAMES}


@given(presets, st.text(max_size=8) | st.sampled_from(["٣", "²", "smudge", "10"]))
def test_any_text_is_a_bid_or_a_rules_error(rules, text):
    with suppress(RulesError):
        assert rules.parse_bid(text) in (PASS, SMUDGE, *map(str, range(1, rules.total + 1)))


def test_every_field_is_covered_by_the_field_table():
    fields = set(Rules.__dataclass_fields__) - {"name", "title", "description", "points"}
    assert fields == set(FIELDS)
    assert set(Points.__dataclass_fields__) == set(POINT_NAMES)
    assert POINT_PREFIX + "high" in Rules().as_dict()
