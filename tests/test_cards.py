import itertools
import random
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitchsim.cards import (
    ALL_CARDS,
    JOKERS,
    SUITS,
    card_points,
    format_hand,
    full_deck,
    is_joker,
    parse_card,
    parse_cards,
    parse_hand,
    rank_of,
    same_colour_suit,
    sort_hand,
    suit_of,
)
from pitchsim.errors import CardError

HAND = ("AS", "JS", "TS", "5S", "KH", "2D")
SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}

cards = st.sampled_from(ALL_CARDS)
hands = st.lists(cards, min_size=6, max_size=6, unique=True)


def test_a_deck_is_52_cards_and_its_jokers_in_fixed_order():
    assert len(set(ALL_CARDS)) == 54
    assert full_deck(0) == ALL_CARDS[:52]
    assert full_deck(1)[52:] == ("HJ",)
    assert full_deck(2) == ALL_CARDS
    assert ALL_CARDS[:3] == ("2S", "3S", "4S")
    assert ALL_CARDS[13] == "2H"
    assert ALL_CARDS[51:] == ("AC", "HJ", "LJ")


def test_the_deck_holds_80_card_points():
    assert sum(card_points(card) for card in full_deck(2)) == 80
    assert [card_points(rank + "S") for rank in "AKQJT9"] == [4, 3, 2, 1, 10, 0]
    assert card_points("HJ") == 0


def test_jokers_have_neither_rank_nor_suit():
    assert [(rank_of(card), suit_of(card)) for card in JOKERS] == [(None, None)] * 2
    assert (rank_of("TD"), suit_of("TD")) == ("T", "D")
    assert not is_joker("JH")


def test_suits_of_one_colour_pair_off():
    assert [same_colour_suit(suit) for suit in SUITS] == ["C", "D", "H", "S"]


@pytest.mark.parametrize(
    "text",
    [
        "AS JS 10S 5S KH 2D",
        "A♠ J♠ 10♠ 5♠ K♥ 2♦",
        "A♠️J♠️10♠️5♠️K♥️2♦️",
        "as,js , ts,5s kh 2d",
        "ASJSTS5SKH2D",
        "asjs10s5skh2d",
        "AJT5.K.2.",
        "5tja.k.2.",
        "\t2D KH\n5S TS JS AS ",
    ],
)
def test_every_notation_of_a_hand(text):
    assert parse_hand(text, jokers=0) == HAND


@pytest.mark.parametrize(
    ("text", "jokers", "expected"),
    [
        ("HJ lj AS KS QS JS", 2, "AS KS QS JS HJ LJ"),
        ("joker AS KS QS JS 2C", 1, "AS KS QS JS 2C HJ"),
        ("AKQJ... HJ LJ", 2, "AS KS QS JS HJ LJ"),
        ("AKQJ... hjlj", 2, "AS KS QS JS HJ LJ"),
        ("JHJSHJLJJDJC", 2, "JS JH JD JC HJ LJ"),
    ],
)
def test_jokers_in_every_notation(text, jokers, expected):
    assert format_hand(parse_hand(text, jokers=jokers)) == expected


@pytest.mark.parametrize(
    ("text", "jokers", "said"),
    [
        ("1S AS KS QS JS 2C", 0, ["'1S'", "a rank (2-9, T or 10, J, Q, K, A)"]),
        ("AX AS KS QS JS 2C", 0, ["'AX'"]),
        ("ASKSQSJSXX2C", 0, ["'XX'"]),
        ("10 AS KS QS JS 2C", 0, ["'10'"]),
        ("AS AS KS QS JS 2C", 0, ["AS is twice"]),
        ("10S TS KS QS JS 2C", 0, ["TS is twice"]),
        ("joker HJ KS QS JS 2C", 1, ["HJ is twice"]),
        ("AS KS QS JS 2C", 0, ["5 cards", "expected 6"]),
        ("AS", 0, ["1 card:", "expected 6"]),
        ("", 0, ["0 cards", "expected 6"]),
        ("AS KS QS JS 2C 3C 4C", 0, ["7 cards", "expected 6"]),
        ("HJ AS KS QS JS 2C", 0, ["HJ is not in the deck", "no joker"]),
        ("LJ AS KS QS JS 2C", 1, ["LJ is not in the deck", "only the joker HJ"]),
        ("joker AS KS QS JS 2C", 2, ["'joker'", "HJ or LJ"]),
        ("AKQ.J.2", 0, ["3 suits", "expected four"]),
        ("AKX.J.2.", 0, ["'AKX'"]),
        ("AKQ.J.2. AS", 0, ["AS", "expected a joker"]),
        ("AKQJ.A.1.", 0, ["'1'"]),
    ],
)
def test_a_bad_hand_names_the_card_and_what_was_expected(text, jokers, said):
    with pytest.raises(CardError) as error:
        parse_hand(text, jokers=jokers)
    assert all(part in str(error.value) for part in said)
    assert error.value.exit_status == 2


def test_a_hand_of_any_size():
    assert parse_hand("KH AS", jokers=0, size=None) == ("AS", "KH")
    assert parse_hand("", jokers=0, size=None) == ()


def test_one_card_is_one_card():
    assert parse_card(" 10♥ ") == "TH"
    for text in ("", "AS KS", "ASKS"):
        with pytest.raises(CardError, match="expected one"):
            parse_card(text)


def test_cards_keep_the_order_typed_and_may_repeat():
    assert parse_cards("2D AS 2D") == ("2D", "AS", "2D")


@given(cards)
def test_a_card_reads_back(card):
    assert parse_card(card) == card
    assert parse_card(card.lower()) == card


@given(hands, st.randoms(use_true_random=False))
def test_a_hand_reads_back_from_every_notation(hand, chance: random.Random):
    shown = sort_hand(hand)
    separator = chance.choice([" ", ",", ", ", "", "\n"])
    written = [card.replace("T", "10") if chance.random() < 0.5 else card for card in hand]
    signed = [card if is_joker(card) else card[0] + SIGNS[card[1]] for card in hand]
    assert parse_hand(format_hand(hand), jokers=2) == shown
    assert parse_hand(separator.join(written), jokers=2) == shown
    assert parse_hand(separator.join(signed), jokers=2) == shown
    by_suit = ".".join("".join(card[0] for card in hand if suit_of(card) == suit) for suit in SUITS)
    jokers = "".join(f" {card}" for card in hand if is_joker(card))
    assert parse_hand(by_suit + jokers, jokers=2) == shown


@given(hands)
def test_output_order_is_suits_then_ranks_from_the_top_then_jokers(hand):
    shown = sort_hand(hand)
    assert sorted(shown) == sorted(hand)
    for before, after in itertools.pairwise(shown):
        if is_joker(before):
            assert (before, after) == JOKERS
        elif not is_joker(after) and before[1] == after[1]:
            assert ALL_CARDS.index(before) > ALL_CARDS.index(after)
        elif not is_joker(after):
            assert SUITS.index(before[1]) < SUITS.index(after[1])


texts = st.text() | st.text(alphabet="AKQJT1029SHDCLjokersß♠♥♦♣., \u017f\ufe0f\ud800", max_size=30)


@given(texts, st.sampled_from([None, 0, 1, 2]))
def test_any_text_is_cards_or_a_card_error(text, jokers):
    with suppress(CardError):
        assert set(parse_cards(text, jokers=jokers)) <= set(ALL_CARDS)
    with suppress(CardError):
        assert parse_card(text, jokers=jokers) in ALL_CARDS


@given(texts)
def test_any_text_is_a_hand_or_a_card_error(text):
    with suppress(CardError):
        assert len(set(parse_hand(text, jokers=1))) == 6


@given(texts)
def test_an_error_is_one_line(text):
    try:
        parse_hand(text, jokers=0)
    except CardError as error:
        message = str(error)
    else:
        return
    assert len(message.splitlines()) == 1
