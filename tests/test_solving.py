"""Solving whole deals and endings, through the library."""

import dataclasses
import random

import pytest
from endings import random_ending
from recordmaking import rules_of, vectors

from pitchsim.cards import parse_cards
from pitchsim.records import HandRecord, record_from_json
from pitchsim.reference.hand import replay
from pitchsim.reference.minimax import best_points, smudge_can_be_made
from pitchsim.rules import Seating
from pitchsim.solving import solve


@pytest.mark.parametrize("name", ["solve-endings", "solve-deals"])
def test_given_hands_come_out_exactly(name):
    for vector in vectors(name):
        record = record_from_json(vector["record"])
        assert solve(record).values == vector["expect"], vector


# How many cards are left, how many players, how many endings: plain minimax takes so long.
@pytest.mark.parametrize(
    ("cards_left", "players", "count"),
    [(1, [2, 3, 4, 5, 6, 7], 200), (2, [2, 3, 4, 5, 6, 7], 200), (3, [2, 3, 4], 200), (4, [2], 50)],
)
def test_endings_of_every_rule_set_agree_with_plain_minimax(cards_left, players, count):
    chance = random.Random(cards_left)
    for _ in range(count):
        record = random_ending(chance, cards_left=cards_left, players=players)
        played, solution = replay(record), solve(record)
        assert solution.values == best_points(record.rules, record.seating, played), record
        assert solution.smudge == smudge_can_be_made(record.rules, record.seating, played), record
        assert solution.to_move == played.table.to_move
        assert solution.trump == played.table.trump


def whole_deal(rules, *hands, **changes):
    return HandRecord(
        rules=rules,
        seating=Seating(len(hands), partners=False),
        dealer=0,
        hands=tuple(map(parse_cards, hands)),
        scores=(0,) * len(hands),
        pitcher=0,
        bid=rules.bids[0],
        **changes,
    )


def test_before_the_first_lead_the_cards_are_those_that_may_be_led():
    hands = "AS KS QS JS TS HJ", "AH KH QH JH TH 9H"
    forbidden = whole_deal(rules_of("ten-point"), *hands)
    assert set(solve(forbidden).values) == {"AS", "KS", "QS", "JS", "TS"}
    assert solve(forbidden).trump is None


def test_a_joker_that_is_led_goes_with_the_best_suit_or_the_one_named():
    hands = "AS KS QS JS TS HJ", "AH KH QH JH TH 9H"
    record = whole_deal(rules_of("ten-point", joker_lead="names"), *hands)
    named = {
        suit: solve(dataclasses.replace(record, trump=suit)).values for suit in ("S", "H", "D", "C")
    }
    assert set(named["S"]) == {"AS", "KS", "QS", "JS", "TS", "HJ"}
    assert [set(named[suit]) for suit in "HDC"] == [{"HJ"}] * 3
    assert solve(record).values["HJ"] == max(values["HJ"] for values in named.values())
