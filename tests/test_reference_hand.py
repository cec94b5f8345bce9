"""Whole hands of the kinds that the vectors lack."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recordmaking import cards, random_record, rules_of

from pitchsim.cards import card_points
from pitchsim.errors import IllegalRecordError
from pitchsim.presets import preset_names
from pitchsim.records import record_from_json
from pitchsim.reference.hand import replay, score_hand

VARIATIONS = [
    {},
    {"joker_lead": "names", "jokers": 2},
    {"trump_choice": "declared"},
    {"trump_choice": "declared", "draw": True},
    {"secondary_trump": "hearts", "void_play": "must_trump"},
    {"secondary_trump": "hearts", "trump_choice": "declared", "draw": True},
    {"smudge": "both", "smudge_failure": "loses_game"},
    {"forced_bid": 1, "min_bid": 2},
    {"low_card": "lowest_natural", "jokers": 2, "joker_rank": "lowest"},
]


@given(
    st.integers(0, 2**32),
    st.sampled_from(preset_names()),
    st.sampled_from(VARIATIONS),
    st.data(),
)
def test_every_hand_adds_up(seed, preset, changes, data):
    rules = rules_of(preset, **changes)
    players = data.draw(st.sampled_from(sorted(rules.players)))
    seating = rules.seating(players, data.draw(st.booleans()) if players in (4, 6) else None)
    record = random_record(random.Random(seed), rules, seating)
    result = score_hand(record)
    if result.pitcher is None:
        assert set(result.points.values()) == {None}
        return
    played = [card for trick in result.tricks for card in trick.plays]
    assert len(played) == len(set(played))
    assert sum(result.card_points) == sum(map(card_points, played))
    assert sum(result.tricks_won) == len(result.tricks)
    worth = rules.point_values
    scored = sum(worth[name] for name, side in result.points.items() if side is not None)
    assert sum(result.side_points) == scored
    assert [b + c for b, c in zip(record.scores, result.change, strict=True)] == list(result.scores)
    assert record_from_json(record.to_json()) == record
    if not rules.draw:
        assert len(played) == 6 * players


HANDS = [
    "AS KS HJ 4H 5H 6H",
    "2S 3S 4S 7H 8H 9H",
    "5S 6S 7S TH JH QH",
    "8S 9S TS KH AH 2H",
]


def record(preset="six-point", **keys):
    return record_from_json(
        {"rules": preset, "players": 4, "dealer": 3, "hands": HANDS, "bids": ["3", *["pass"] * 3]}
        | keys
    )


def refused(said, **keys):
    with pytest.raises(IllegalRecordError, match=said) as caught:
        score_hand(record(**keys))
    return caught.value


JOKER_NAMES = {"joker_lead": "names"}


def test_a_joker_may_not_be_led_first():
    error = refused("HJ may not be the first lead", plays=["HJ"])
    assert error.legal == ("AS", "KS", "6H", "5H", "4H")
    assert (error.play, error.seat, error.card) == (0, 0, "HJ")


@pytest.mark.parametrize("trump", ["S", "H"])
def test_a_joker_led_first_leaves_the_pitcher_to_name_the_suit(trump):
    table = replay(record(set=JOKER_NAMES, trump=trump, plays=["HJ"])).table
    assert table is not None
    assert table.legal() == [rank + trump for rank in ("432" if trump == "S" else "987")]


def test_a_joker_led_first_needs_a_named_suit():
    refused("makes no suit trump; expected trump to name one", set=JOKER_NAMES, plays=["HJ"])


def test_trump_must_not_contradict_the_first_lead():
    refused("trump: H contradicts the first lead", trump="H", plays=["AS"])
    refused("trump: H contradicts", set=JOKER_NAMES, trump="H", plays=["AS"])
    assert replay(record(trump="S", plays=["AS"])).table is not None


def test_declared_trump_is_needed_and_leaves_the_lead_free():
    declared = {"trump_choice": "declared"}
    refused("trump is missing", set=declared, plays=["4H"])
    table = replay(record(set=declared, trump="S", plays=["4H"])).table
    assert table is not None
    assert table.legal() == cards("4S 3S 2S 9H 8H 7H")
    assert replay(record(set=declared, trump="C", plays=["HJ"])).table is not None


def test_pitcher_and_bid_stand_for_the_auction():
    played = replay(record(bids=None, pitcher=2, bid="3"))
    assert (played.pitcher, played.bid) == (2, "3")
    assert replay(record(bids=None, pitcher=2, bid=6)).bid == "smudge"
    for bid in ("pass", "1", "7", "nonsense"):
        assert refused("cannot be the bid of seat 2", bids=None, pitcher=2, bid=bid).legal


def test_only_the_dealer_can_have_been_forced_below_the_minimum():
    forced = {"forced_bid": 1}
    assert replay(record(set=forced, bids=None, pitcher=3, bid="1")).bid == "1"
    refused("cannot be the bid of seat 2", set=forced, bids=None, pitcher=2, bid="1")


def test_a_hand_that_is_thrown_in_moves_nothing():
    passes = {"bids": ["pass"] * 4, "scores": [12, 3]}
    result = score_hand(record(**passes)).to_json()
    assert result == {
        "pitcher": None,
        "bid": None,
        "trump": None,
        "tricks": [],
        "points": {
            "high": None,
            "low": None,
            "jack": None,
            "high_joker": None,
            "low_joker": None,
            "game": None,
        },
        "card_points": [0, 0],
        "side_points": [0, 0],
        "tricks_won": [0, 0],
        "made": None,
        "change": [0, 0],
        "scores": [12, 3],
        "winner": None,
    }
    refused("everybody passed", plays=["AS"], **passes)


def test_six_players_may_be_two_sides():
    rules = rules_of("setback")
    seating = rules.seating(6, True)
    rng = random.Random(3)
    results = [score_hand(random_record(rng, rules, seating)) for _ in range(20)]
    assert {len(result.scores) for result in results} == {2}
    assert {side for result in results for side in result.points.values()} == {0, 1, None}


def test_countdown_changes_nothing_but_what_is_shown():
    rng = random.Random(4)
    rules = rules_of("partners")
    played = random_record(rng, rules, rules.seating())
    counted = record_from_json(played.to_json() | {"set": {"countdown": True}})
    assert score_hand(counted).to_json() == score_hand(played).to_json()


def test_plays_after_the_last_are_refused():
    rng = random.Random(5)
    rules = rules_of("solo")
    played = random_record(rng, rules, rules.seating()).to_json()
    extra = record_from_json(played | {"plays": [*played["plays"], "AS"]})
    with pytest.raises(IllegalRecordError, match=r"plays\[24\]: AS was played after"):
        score_hand(extra)


def test_a_card_cannot_be_played_twice():
    error = refused("KS was played before", plays=cards("KS 2S 5S 8S KS"))
    assert error.play == 4


def test_a_void_hand_must_trump_where_the_rules_say_so():
    error = refused(
        "4H is not trump: seat 0 holds a trump, and is void",
        preset="six-point",
        set={"void_play": "must_trump", "trump_choice": "declared"},
        trump="S",
        bids=["pass", "3", "pass", "pass"],
        hands=["AS KS HJ 4H 5H 6H", "2S 3S 4S 7D 8D 9D", "5S 6S 7S TD JD QD", "8S 9S TS KD AD 2D"],
        plays=cards("7D TD KD 4H"),
    )
    assert error.legal == ("AS", "KS", "HJ")
