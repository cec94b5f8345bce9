"""The rules of thumb by example: seat 0 chooses, seat 2 is its partner, spades are trump."""

import random
from dataclasses import replace
from itertools import permutations

import pytest
from agreement import Deal, before_the_first_lead, random_rules, seatings
from agreement import Table as AtTable
from recordmaking import cards, rules_of

from pitchsim.cards import SUITS, is_joker, same_colour_suit
from pitchsim.known import Known
from pitchsim.reference.basic_play import basic_play
from pitchsim.reference.play import legal_follows, trick_winner
from pitchsim.reference.playout import Situation
from pitchsim.reference.table import Trick
from pitchsim.reference.trumps import trump_suit


def trick(rules, leader, text, players=4):
    plays = cards(text)
    seats = tuple((leader + turn) % players for turn in range(len(plays)))
    winner = seats[trick_winner(rules, "S", plays)]
    return Trick(leader, tuple(plays), winner, seats)


def chosen(hand, in_trick="", tricks=(), *, preset="partners", players=4, pitcher=0, **changes):
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
        pitcher=pitcher,
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
# An opponent wins this trick with the highest trump.
TRUMPS_WON = "4S KS AS"
# Three tricks of which nothing follows but that it is late.
LATE = [(1, "6C 7C 8C 9C"), (1, "6D 7D 8D 9D"), (1, "5H 6H 7H 8H")]


@pytest.mark.parametrize(
    ("hand", "tricks", "lead"),
    [
        ("AS KS JS 4H 3D", (), "AS"),  # L1: the highest of those that cannot be beaten
        ("JS 4S 4H 3D 2C", [(1, "AS KS QS 3S")], "JS"),  # L1: nothing above the jack is out
        ("JS 9H 4H 3D 2C", [(1, "KS 4S QS 3S")], "JS"),  # L2: only the ace is above it
        ("TS 9H 4H 3D 2C", [(1, "KS JS QS 3S")], "TS"),  # L2: likewise a ten
        ("JS 9H 4H 3D 2C", [(1, "KS 4S 5S 3S")], "2C"),  # two are out: no jack
        ("QS 9H KD 3D 4C", (), "QS"),  # L3: forces out what is higher
        ("JS 9S 4H 3D 2C", (), "9S"),  # L3: but no jack
        ("9S 8S 4H 3D 2C", (), "9S"),  # L3: the highest
        ("9S 4H 3D 2C", (), "2C"),  # L3: not the pitcher's last trump, if it is small
        ("QS 4H 3D 2C", (), "QS"),
        ("5S 4S 4H 2D", (), "5S"),  # L3: two lower than the four are unseen: it may be Low
        ("JS AH 3D", LATE, "AH"),  # L4: only a trump can beat it
        ("JS KH 3D", LATE, "KH"),  # L5: the ace can, and may be in the stock
        ("JS KH QD 3D", LATE, "QD"),  # L5: the lowest
        ("JS TH 3D", [(1, "AH KH QH JH"), *LATE], "3D"),  # no ten while trumps are out
        ("JS AH KD 3D 2C", (), "2C"),  # early, no plain winner either
        ("QS TH AD 3D 2C", [(1, "AH KH QH JH"), *TRUMPS_GONE], "TH"),  # L6: now it is safe
        ("QS TH AD 3D 2C", TRUMPS_GONE, "AD"),  # L7: here the ten can be beaten
        ("QS 4S TH 5D 3C", TRUMPS_GONE, "3C"),  # L8: trumps win whenever they are wanted
        ("JS 9H 3D 4C", (), "3D"),  # L8: the lowest by rank
    ],
)
def test_leads(hand, tricks, lead):
    assert chosen(hand, tricks=tricks) == lead


def test_a_defender_leads_the_last_trump_too():
    assert chosen("9S 4H 3D 2C") == "2C"
    assert chosen("9S 4H 3D 2C", pitcher=1) == "9S"


@pytest.mark.parametrize(
    ("hand", "tricks", "free", "forced"),
    [
        ("JS AH 3D", LATE, "AH", "3D"),
        ("JS KH 3D", LATE, "KH", "3D"),
        ("9S 8S 4H 3D", (), "9S", "3D"),
        ("QS 8S 4H 3D", (), "QS", "QS"),
    ],
)
def test_neither_plain_honours_nor_small_trumps_are_led_where_void_players_must_trump(
    hand, tricks, free, forced
):
    assert chosen(hand, tricks=tricks) == free
    assert chosen(hand, tricks=tricks, void_play="must_trump") == forced


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
        ("JS QS 5S KH 2D", "3H 4H 9H", "JS"),  # F6: the jack is home
        ("TS 5S KH 2D", "3H 4H 9H", "TS"),  # F7: the ten is home
        ("QS 7S 5S KH 2D", "TH 4H 9H", "KH"),  # F8: the lowest sure card that catches a ten
        ("QS 7S 5S 4H 2D", "TH 3H 9H", "5S"),  # F8: trumps are for catching
        ("QS 7S 5S 4H 2D", "8H 3H 9H", "4H"),  # F8: but not for an empty trick
        ("QS 7S 5S KH 4H", "8H 3H 9H", "KH"),  # F8: a plain card costs nothing
        ("KS QS 7S 2D", "9H TH", "KS"),  # F9: one opponent to come, who may hold the ace
        ("JS TS 4H 2D", "9H TH", "4H"),  # F9: neither jack nor ten is risked
        ("AH 4H 2D", "8H 9H", "AH"),  # F10: only a trump beats it
        ("KH 4H 2D", "8H 9H", "4H"),  # F10: the ace may be behind
        ("AH 4H 2D", "8H", "AH"),  # the partner's seat lies between: one opponent to come
        ("TH 4H 2D", "AH 9H", "4H"),  # F14: nothing to an opponent
        ("AS QS 5S 2D", "KS 4S 6S", "AS"),  # F8: a trump honour is worth taking
        ("KS 7S 2D", "QS", "KS"),  # F9: likewise, with the ace unseen
        ("7S 4H 2D", "KC 3C AC", "7S"),  # F8: the pitcher's side takes an ace
        ("QS 4H 2D", "KC 3C AC", "2D"),  # F8: but with a small trump
        ("TH 4H 2D", "QC", "TH"),  # F13: the partner, who plays last, may trump it
        ("TH 4H 2D", "QS", "2D"),  # F13: not when trumps are led
        ("TH 4H 2D", "QC 3C", "2D"),  # F13: the partner has played
        ("JS 2S", "9S", "JS"),  # F11: two treasures; the jack may hold
    ],
)
def test_against_an_opponent_who_wins(hand, in_trick, card):
    assert chosen(hand, in_trick) == card


@pytest.mark.parametrize(
    ("in_trick", "card"),
    [
        ("KS 9S", "TH"),  # F5: only the ace of trumps beats the king
        ("QS 9S", "TH"),  # F5: two beat the queen
        ("TS 9S", "4H"),  # three beat the ten, besides the jack
        ("KS 4S 9S", "4H"),  # an opponent's king, to whom nothing is given
    ],
)
def test_a_ten_is_trusted_to_a_partner_who_will_hardly_be_beaten(in_trick, card):
    assert chosen("TH 4H 8H", in_trick) == card


def test_only_the_pitchers_side_trumps_an_ace_for_itself():
    assert chosen("7S 4H 2D", "KC 3C AC", pitcher=2) == "7S"
    assert chosen("7S 4H 2D", "KC 3C AC", pitcher=1) == "2D"


def test_a_trump_that_may_be_low_is_brought_home_late():
    """F12: the four may be Low: the three and the deuce are unseen."""
    earlier = [(1, "6D 7D JD 9D"), (1, "6H 7H JH 9H"), (1, "5C 7C JC 9C")]
    assert chosen("4S 5D", "3C KC", tricks=earlier) == "4S"
    assert chosen("4S 5D", "3C KC", tricks=earlier[:2]) == "5D"
    assert chosen("9S 5D", "3C KC", tricks=earlier) == "5D"
    assert chosen("4S 5D", "3C KC", tricks=earlier, low_to="holder") == "5D"


def test_alone_a_ten_may_go_to_any_defender_when_the_pitcher_is_winning():
    """F13, and not for the pitcher: who plays alone has no other friends."""
    assert chosen("TH 4H 2D", "QC", preset="solo", pitcher=3) == "TH"
    assert chosen("TH 4H 2D", "QC", preset="solo", pitcher=1) == "2D"
    assert chosen("TH 4H 2D", "QC", preset="solo", pitcher=0) == "2D"


def test_alone_a_trick_is_left_to_another_defender_who_keeps_it_from_the_pitcher():
    """Seat 3 is winning: seat 0 gives, and does not overtake, once seat 2 has played."""
    alone = {"preset": "solo", "in_trick": "3H QH"}
    assert chosen("AH TH 4H", **alone, pitcher=2) == "TH"
    assert chosen("AH 9H 4H", **alone, pitcher=2) == "AH"
    assert chosen("AS 9H 4H", **alone, pitcher=2) == "4H"
    assert chosen("AH TH 4H", **alone, pitcher=3) == "AH"
    assert chosen("9H 4H", **alone, pitcher=1) == "4H"


def test_who_sits_second_risks_nothing_when_two_opponents_are_to_come():
    assert chosen("AH 4H 2D", "8H", preset="solo") == "4H"
    assert chosen("AH 4H 2D", "8H 3H", preset="solo") == "AH"


def test_alone_nobody_is_given_anything():
    assert chosen("JS TS 5S KH 2D", "3H AS 4H", preset="solo") == "KH"


@pytest.mark.parametrize(
    ("hand", "card"),
    [
        ("AH KD JC 9C 5D", "5D"),  # the lowest plain card without card points, of whatever suit
        ("AH KD JC", "JC"),
        ("AH QS 9S", "9S"),  # trumps without card points before aces
        ("AH QS TC", "AH"),  # a plain ace lies below a trump
        ("QS TC", "QS"),
        ("TC JS", "TC"),  # treasure goes last
        ("JS 2S", "2S"),  # both are treasure: the deuce may be Low, and is no prize
    ],
)
def test_the_cheapest_card(hand, card):
    """Diamonds are led, and an opponent wins with the highest trump."""
    assert chosen(hand, "3D 4D AS" if "D" not in hand else "AS 4S KS") == card


def test_small_cards_guard_better_ones_of_their_suit():
    """The three is the lowest, but without it the ten would have to follow."""
    assert chosen("5D 7D 3C", "4H KS AS") == "3C"
    assert chosen("TC 3C 7D 5D", "4H KS AS") == "5D"
    assert chosen("TC 3C 7D KD", "4H KS AS") == "3C"


@pytest.mark.parametrize(
    ("hand", "card"),
    [
        ("3C 7C 3D", "3D"),  # nothing but the three is held of diamonds
        ("3C 7C 3D 6D 5D", "3D"),  # the six is lower than the seven
        ("3C 7C 5C 3D 7D", "3D"),  # after the seven, a three instead of a five
        ("3C 7C 3D 7D", "3C"),  # clubs come first where both suits are held alike
        ("3C 7C 3D 7D 9H", "3C"),
        ("3C 7C 3D 7D 8C 8D 8H", "3D"),  # but with an odd number of eights, they come last
    ],
)
def test_of_equal_cards_the_one_of_the_suit_that_is_lowest_as_held(hand, card):
    assert chosen(hand, TRUMPS_WON) == card


def test_former_tricks_tell_too_which_suit_is_first_of_those_held_alike():
    assert chosen("TC TD", TRUMPS_WON) == "TC"
    assert chosen("TC TD", TRUMPS_WON, [(1, "AC KC QC 9C")]) == "TC"
    assert chosen("TC TD", TRUMPS_WON, [(1, "AC KC JC 9C")]) == "TD"


def test_of_small_trumps_the_one_that_may_be_low_goes_last():
    assert chosen("6S 4S QS", "3H 5S AS") == "6S"
    assert chosen("6S 4S QS", "3H 5S AS", low_to="holder") == "4S"
    assert chosen("9S 7S QS", "3H KS AS") == "7S"  # more than three lower ones are unseen
    assert chosen("4S QS", "3H 5S AS") == "4S"


def test_low_is_treasure_where_it_is_for_winning_it():
    """With the deuce gone from the unseen cards, the four has at most one lower."""
    caught = {"in_trick": "3S 9H 4H", "hand": "QS 8S 4D", "tricks": [(1, "2S 5H 7H 6H")]}
    assert chosen(**caught) == "8S"
    assert chosen("5S KS 2D 9H", "4H 9D 3H", low_to="captor") == "9H"
    assert chosen("3S KS 2D", "4H 9D 6H", low_to="captor") == "3S"
    assert chosen("3S KS 2D", "4H 9D 6H", low_to="holder") == "2D"


def test_voids_are_remembered():
    """Better hearts are unseen: once both opponents threw others on hearts, the nine wins."""
    earlier = [(1, "6C 7C JC 9C"), (1, "6D 7D JD 9D")]
    assert chosen("9H 5S 4D 3C", tricks=[*earlier, (2, "8H 7H 5H 8D")]) == "3C"
    shown = [*earlier, (2, "8H 8C 5H 8D")]
    assert chosen("9H 5S 4D 3C", tricks=shown) == "9H"
    assert chosen("9H 5S 4D 3C", tricks=shown, preset="solo") == "3C"


def renamed(value, suits):
    """Cards, hands and tricks with their suits exchanged."""
    if isinstance(value, str):
        return value if is_joker(value) else value[0] + suits[value[1]]
    if isinstance(value, Trick):
        return replace(value, plays=renamed(value.plays, suits))
    if isinstance(value, Known):
        held = {seat: frozenset(renamed(tuple(cards), suits)) for seat, cards in value.held.items()}
        return Known(held)
    return tuple(renamed(each, suits) for each in value)


def exchanges(rules, trump):
    """Every exchange of suits that leaves the rules, and what is trump, as they are."""
    fixed = {trump}
    if rules.secondary_trump == "hearts" or "ace_of_hearts" in rules.point_values:
        fixed.add("H")
    if {"off_jack", "off_five"} & set(rules.point_values):
        fixed.add(same_colour_suit(trump))
    for suits in permutations(SUITS):
        mapping = dict(zip(SUITS, suits, strict=True))
        if all(mapping[suit] == suit for suit in fixed):
            yield mapping


def held_alike(situation):
    """Whether two plain suits of the hand have the same ranks, so that names may decide."""
    trumps = trump_suit(situation.rules, situation.trump)
    plain = [card for card in situation.hand if card not in trumps]
    ranks = [frozenset(card[0] for card in plain if card[1] == suit) for suit in SUITS]
    return any(one and ranks.count(one) > 1 for one in ranks)


def asked_and_renamed(situation):
    """Play basic, and hold the choice against that from the same hand with its suits renamed."""
    card = basic_play(situation)
    if held_alike(situation):
        return card
    for suits in exchanges(situation.rules, situation.trump):
        other = replace(
            situation,
            hand=renamed(situation.hand, suits),
            legal=renamed(situation.legal, suits),
            tricks=renamed(situation.tricks, suits),
            plays=renamed(situation.plays, suits),
            known=renamed(situation.known, suits),
        )
        assert basic_play(other) == renamed(card, suits), f"{situation} {suits}"
    return card


@pytest.mark.parametrize("seed", range(4))
def test_the_names_of_suits_decide_nothing_but_between_suits_held_alike(seed):
    rng = random.Random(f"names {seed}")
    for number in range(100):
        rules = random_rules(rng)
        table = AtTable(rules, rng.choice(list(seatings(rules))))
        deal = Deal(table, rng.getrandbits(64), number, ("basic", "basic"))
        trump, hands, lead = before_the_first_lead(deal, rng)
        deal.tricks_by(asked_and_renamed, hands, trump, lead)
