"""The rules of thumb by example: seat 0 chooses, seat 2 is its partner, spades are trump."""

import pytest
from recordmaking import cards, rules_of

from pitchsim.reference.basic_play import basic_play
from pitchsim.reference.play import legal_follows, trick_winner
from pitchsim.reference.playout import Situation
from pitchsim.reference.table import Trick


def trick(rules, leader, text, players=4):
    plays = cards(text)
    seats = tuple((leader + turn) % players for turn in range(len(plays)))
    winner = seats[trick_winner(rules, "S", plays)]
    return Trick(leader, tuple(plays), winner, seats)


def chosen(hand, in_trick="", tricks=(), *, preset="partners", players=4, **changes):
    """The card that seat 0 plays from a hand, after tricks given as (leader, cards)."""
    rules = rules_of(preset, **changes)
    held, plays = cards(hand), cards(in_trick)
    leader = -len(plays) % players
    situation = Situation(
        rules=rules,
        seating=rules.seating(players),
        seat=0,
        hand=tuple(held),
        legal=tuple(legal_follows(rules, "S", held, plays[0]) if plays else held),
        pitcher=0,
        bid=None,
        trump="S",
        tricks=tuple(trick(rules, first, text, players) for first, text in tricks),
        leader=leader,
        plays=tuple(plays),
        seats=tuple((leader + turn) % players for turn in range(len(plays))),
    )
    return basic_play(situation)


# The two opponents, seats 1 and 3, show that they have no trump.
TRUMPS_GONE = [(0, "2S 2H 3S 3H")]


@pytest.mark.parametrize(
    ("hand", "tricks", "lead"),
    [
        ("AS KS JS 4H 3D", (), "AS"),  # L1: the highest of those that cannot be beaten
        ("JS 4S 4H 3D 2C", [(1, "AS KS QS 3S")], "JS"),  # L1: nothing above the jack is out
        ("JS 9H 4H 3D 2C", [(1, "KS 4S QS 3S")], "2C"),  # the ace may be out: no jack
        ("JS AH KD 3D 2C", (), "AH"),  # L2: only a trump can beat it
        ("JS KH AC 3D 2C", (), "AC"),
        ("JS TH 4H 3D 2C", [(1, "AH KH QH JH")], "2C"),  # L2: no ten while trumps are out
        ("QS TH AD 3D 2C", [(1, "AH KH QH JH"), *TRUMPS_GONE], "TH"),  # L3: now it is safe
        ("QS TH AD 3D 2C", TRUMPS_GONE, "AD"),  # L4: here the ten can be beaten
        ("QS 4S TH 5D 3C", TRUMPS_GONE, "QS"),  # L5: every trump wins
        ("QS 9H KD 3D 4C", (), "4C"),  # L6: the lowest by clubs, diamonds, spades, hearts
    ],
)
def test_leads(hand, tricks, lead):
    assert chosen(hand, tricks=tricks) == lead


def test_no_plain_card_is_led_to_void_players_who_must_trump():
    assert chosen("JS AH KD 3D 2C") == "AH"
    assert chosen("JS AH KD 3D 2C", void_play="must_trump") == "2C"


@pytest.mark.parametrize(
    ("hand", "in_trick", "card"),
    [
        ("JS TS 5S KH 2D", "3H AS 4H", "JS"),  # F1: the jack, safe with a partner's ace
        ("AS TS 5S KH 2D", "3H KS 4H", "TS"),  # F2: the ten of trumps
        ("QS TH KH 2H", "3H AS 4H", "TH"),  # F2: a plain ten
        ("AH KH 2H", "3H AS 4H", "AH"),  # F3
        ("QH KH 2H", "3H AS 4H", "QH"),  # F4: the lowest honour
        ("JH 9H", "3H AS 4H", "9H"),  # F10: nothing worth giving
        ("TH 9H", "AH 4H", "9H"),  # the last opponent may still trump the ace
        ("TS 5S 2D", "3S AS 4S", "TS"),  # a trump ten to a partner's ace
    ],
)
def test_gifts_to_a_partner_who_wins(hand, in_trick, card):
    assert chosen(hand, in_trick) == card


@pytest.mark.parametrize(
    ("hand", "in_trick", "card"),
    [
        ("JS QS 5S KH 2D", "3H 4H 9H", "JS"),  # F5: the jack is home
        ("TS 5S KH 2D", "3H 4H 9H", "TS"),  # F6: the ten is home
        ("QS 7S 5S KH 2D", "TH 4H 9H", "KH"),  # F7: the lowest sure card that catches a ten
        ("QS 7S 5S 4H 2D", "TH 3H 9H", "5S"),  # F7: trumps are for catching
        ("QS 7S 5S 4H 2D", "8H 3H 9H", "4H"),  # F7: but not for an empty trick
        ("QS 7S 5S KH 4H", "8H 3H 9H", "KH"),  # F7: a plain card costs nothing
        ("KS QS 7S 2D", "9H TH", "KS"),  # F8: one opponent to come, who may hold the ace
        ("JS TS 4H 2D", "9H TH", "4H"),  # F8: neither jack nor ten is risked
        ("AH 4H 2D", "8H 9H", "AH"),  # F9: only a trump beats it
        ("KH 4H 2D", "8H 9H", "4H"),  # F9: the ace may be behind
        ("AH 4H 2D", "8H", "AH"),  # the partner's seat lies between: one opponent to come
        ("TH 4H 2D", "AH 9H", "4H"),  # F10: nothing to an opponent
    ],
)
def test_against_an_opponent_who_wins(hand, in_trick, card):
    assert chosen(hand, in_trick) == card


def test_who_sits_second_risks_nothing_when_two_opponents_are_to_come():
    assert chosen("AH 4H 2D", "8H", preset="solo") == "4H"
    assert chosen("AH 4H 2D", "8H 3H", preset="solo") == "AH"


def test_alone_nobody_is_given_anything():
    assert chosen("JS TS 5S KH 2D", "3H AS 4H", preset="solo") == "KH"


@pytest.mark.parametrize(
    ("hand", "card"),
    [
        ("AH KD JC 9C 5D", "9C"),  # the lowest plain card without card points, by suit
        ("AH KD JC", "JC"),
        ("AH QS 9S", "9S"),  # trumps without card points before aces
        ("AH QS TC", "AH"),  # the order of suits: an ace of hearts lies below a trump
        ("QS TC", "QS"),
        ("TC JS", "TC"),  # treasure goes last
        ("JS 2S", "2S"),  # both are treasure: the deuce may be Low, and is no prize
    ],
)
def test_the_cheapest_card(hand, card):
    """Diamonds are led, and an opponent wins with the highest trump."""
    assert chosen(hand, "3D 4D AS" if "D" not in hand else "AS 4S KS") == card


def test_low_is_treasure_where_it_is_for_winning_it():
    """With the deuce gone from the unseen cards, the four has at most one lower."""
    caught = {"in_trick": "3S 9H 4H", "hand": "QS 8S 4D", "tricks": [(1, "2S 5H 7H 6H")]}
    assert chosen(**caught) == "8S"
    assert chosen("5S KS 2D 9H", "4H 9D 3H", low_to="captor") == "9H"
    assert chosen("3S KS 2D", "4H 9D 6H", low_to="captor") == "3S"
    assert chosen("3S KS 2D", "4H 9D 6H", low_to="holder") == "2D"


def test_voids_are_remembered():
    """The ace of hearts is unseen: once both opponents threw other suits on hearts, all is well."""
    assert chosen("KH 5S 4D 3C", tricks=[(2, "9H 7H 5H 8D")]) == "3C"
    shown = [(2, "9H 8C 5H 8D")]
    assert chosen("KH 5S 4D 3C", tricks=shown) == "KH"
    assert chosen("KH 5S 4D 3C", tricks=shown, preset="solo") == "3C"
