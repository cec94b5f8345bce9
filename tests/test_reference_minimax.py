"""Double dummy by plain minimax: given endings, small ones to check by hand, and by playing out."""

import dataclasses
import random

import pytest
from endings import random_ending
from recordmaking import rules_of, vectors

from pitchsim.records import record_from_json
from pitchsim.reference.hand import Replay, replay, score_hand
from pitchsim.reference.minimax import best_points, smudge_can_be_made
from pitchsim.reference.scoring import bid_made
from pitchsim.reference.table import Table
from pitchsim.rules import SMUDGE, Seating


def opened(rules, *hands, partners=False, trump=None, plays=()):
    """A little hand, pitched by seat 0, as the arguments of the functions that are tested."""
    dealt = tuple(tuple(hand.split()) for hand in hands)
    table = Table(rules, dealt, 0, trump)
    for card in plays:
        table.play(card)
    return rules, Seating(len(hands), partners), Replay(0, rules.bids[0], dealt, table)


def test_given_endings_come_out_exactly():
    for vector in vectors("solve-endings"):
        record = record_from_json(vector["record"])
        assert best_points(record.rules, record.seating, replay(record)) == vector["expect"], vector


def test_the_king_draws_the_jack_and_the_deuce_loses_to_it():
    # After the king the deuce wins the last trick: all four points. The deuce led loses Low and
    # Jack, and leaves High and Game.
    assert best_points(*opened(rules_of("four-point"), "KS 2S", "JS 3D")) == {"KS": 4, "2S": 2}


def test_in_the_middle_of_a_trick_and_after_it_what_was_taken_counts():
    rules, hands = rules_of("four-point"), ("KS 2S", "JS 3D")
    assert best_points(*opened(rules, *hands, plays=["KS"])) == {"JS": 4}
    assert best_points(*opened(rules, *hands, plays=["KS", "JS"])) == {"2S": 4}
    assert best_points(*opened(rules, *hands, plays=["KS", "JS", "2S", "3D"])) == {}


def test_each_first_lead_makes_its_own_suit_trump_and_a_tie_is_as_the_rules_say():
    # Each takes a trick of four card points, whichever suit is led.
    hands = "AS 2H", "3S AH"
    nobody, pitcher = (rules_of("four-point", game_tie=tie) for tie in ("nobody", "pitcher"))
    assert best_points(*opened(nobody, *hands)) == {"AS": 2, "2H": 0}
    assert best_points(*opened(pitcher, *hands)) == {"AS": 3, "2H": 1}
    assert best_points(*opened(nobody, *hands, trump="S")) == {"AS": 2}


def test_a_lead_that_declared_trump_leaves_open():
    rules = rules_of("four-point", trump_choice="declared")
    # The deuce of hearts loses to the ace; the ace of spades then wins the three.
    assert best_points(*opened(rules, "AS 2H", "3S AH", trump="S")) == {"AS": 2, "2H": 2}


def test_game_goes_by_side_or_by_player():
    # The pitcher takes 14 card points; seats 1 and 3 take 9 and 6.
    rules = rules_of("four-point")
    hands = "AS 2H 2D", "3S AH 3D", "4S QH QD", "TS KH AD"
    assert best_points(*opened(rules, *hands, partners=True))["AS"] == 2
    assert best_points(*opened(rules, *hands, partners=False))["AS"] == 3


@pytest.mark.parametrize(("low_to", "deuce"), [("holder", 3), ("captor", 2)])
def test_low_is_its_holders_or_its_captors(low_to, deuce):
    # The deuce falls to the jack; High and Game stay.
    rules = rules_of("four-point", low_to=low_to)
    assert best_points(*opened(rules, "KS 2S", "JS 3D")) == {"KS": 4, "2S": deuce}


def test_a_joker_led_goes_with_the_best_suit():
    # With spades the joker takes High, Low and the three (3), and the ace of hearts then Game:
    # 7 with its own point. With hearts there is no three: 4.
    named = rules_of("ten-point", joker_lead="names")
    hands = "AH HJ", "2H 3S"
    assert best_points(*opened(named, *hands)) == {"AH": 4, "HJ": 7}
    assert best_points(*opened(named, *hands, trump="H")) == {"AH": 4, "HJ": 4}
    assert best_points(*opened(named, *hands, trump="S")) == {"HJ": 7}
    assert best_points(*opened(rules_of("ten-point"), *hands)) == {"AH": 4}


def test_nobody_waits_for_those_without_cards():
    rules = rules_of("four-point", trump_choice="declared", draw=True)
    hands = "AS 2S 4H", "3S", "5H 3H"
    # The ace draws the three, and the deuce is high then: all but the jack, which is not dealt.
    assert best_points(*opened(rules, *hands, trump="S"))["AS"] == 3
    # Seat 1 trumps the four and is out of cards: seat 2 leads, and the ace and the deuce win.
    assert best_points(*opened(rules, *hands, trump="S", plays=["4H"])) == {"3S": 3}


@pytest.mark.parametrize(
    ("smudge", "expected"),
    [
        ("none", {}),
        ("all_tricks", {"AS": True, "2S": False}),
        ("all_points", {"AS": False, "2S": False}),
        ("both", {"AS": False, "2S": False}),
    ],
)
def test_a_smudge_of_all_tricks_needs_no_jack(smudge, expected):
    rules = rules_of("partners", smudge=smudge)
    played = opened(rules, "AS 2S", "3S 3H", "4H 5H", "6H 7H", partners=True)
    assert smudge_can_be_made(*played) == expected
    assert best_points(*played) == {"AS": 3, "2S": 2}


def test_a_smudge_of_all_points_may_lose_a_trick():
    # The ace draws the jack; the deuce wins, and the three of diamonds loses to the four.
    hands = "AS 2S 3D", "JS 3H 4D"
    for smudge, made in (("all_points", True), ("all_tricks", False), ("both", False)):
        rules = rules_of("four-point", smudge=smudge)
        assert smudge_can_be_made(*opened(rules, *hands))["AS"] is made


def by_playing_out(record):
    """The best points, and whether a smudge can be kept, by scoring every way to end the hand."""
    table = replay(record).table
    rules, seating, pitcher = record.rules, record.seating, record.pitcher
    if table.to_move is None:
        result = score_hand(record)
        side = seating.side_of(pitcher)
        points, tricks = result.side_points[side], result.tricks_won[side]
        has_smudge = rules.smudge != "none"
        return points, has_smudge and bid_made(rules, SMUDGE, points, tricks, len(result.tricks))
    ours = seating.side_of(table.to_move) == seating.side_of(pitcher)
    ends = [by_playing_out(after(record, card)) for card in table.legal()]
    return tuple(map(max if ours else min, zip(*ends, strict=True)))


def after(record, card):
    return dataclasses.replace(record, plays=(*record.plays, card))


@pytest.mark.parametrize("players", range(2, 8))
def test_scoring_every_way_to_end_the_hand_says_the_same(players):
    chance = random.Random(players)
    cards_left = 2 if players <= 4 else 1
    for _ in range(25):
        record = random_ending(chance, cards_left=cards_left, players=[players])
        rules, seating, played = record.rules, record.seating, replay(record)
        ends = {card: by_playing_out(after(record, card)) for card in played.table.legal()}
        points = {card: points for card, (points, _) in ends.items()}
        smudge = {card: kept for card, (_, kept) in ends.items()}
        assert best_points(rules, seating, played) == points
        assert smudge_can_be_made(rules, seating, played) in ({}, smudge)
