"""Patterns of trumps: what they mean, and what is no pattern."""

from itertools import combinations

import numpy as np
import pytest

from pitchsim.cards import SUITS, parse_cards
from pitchsim.hands import cards_of, mask_of
from pitchsim.order import TrumpOrder
from pitchsim.presets import load_preset
from pitchsim.tables.pattern import HoldingPattern, PatternError
from pitchsim.tables.rows import trumps_in

PARTNERS = load_preset("partners")
TEN_POINT = load_preset("ten-point")


def fits(text, holding, trump="S", rules=PARTNERS):
    pattern = HoldingPattern.read(text, rules)
    holdings = np.array([mask_of(parse_cards(holding))])
    (answer,) = pattern.matches(holdings, np.array([SUITS.index(trump)])).tolist()
    return answer


@pytest.mark.parametrize(
    ("text", "fitting", "others"),
    [
        ("A J x", ["AS JS TS", "AS JS 2S"], ["AS JS", "AS JS QS", "AS JS TS 2S", "AS TS 2S"]),
        ("A J", ["AS JS"], ["AS JS 2S", "AS"]),
        ("A +", ["AS", "AS KS", "AS 2S"], ["KS", "KS 2S"]),
        ("A J x +", ["AS JS TS", "AS JS TS 9S", "AS KS JS 2S"], ["AS JS", "AS KS JS"]),
        ("x x", ["TS 2S", "3S 2S"], ["TS", "JS 2S", "TS 3S 2S"]),
        ("10 x", ["TS 2S"], ["TS", "9S 2S", "TS JS"]),  # the ten is named, and x is another
        ("10 x +", ["TS 2S", "TS 2S AS"], ["TS AS", "TS"]),
        ("+", ["AS", "2S", "AS KS QS JS TS 9S"], []),
    ],
)
def test_what_a_pattern_means(text, fitting, others):
    assert all(fits(text, holding) for holding in fitting)
    assert not any(fits(text, holding) for holding in others)


@pytest.mark.parametrize("text", ["AJx+", "a j X +", "A,J,x,+", "+ x J A", "A+Jx", " A J x  +"])
def test_the_ways_to_write_one_pattern(text):
    read = HoldingPattern.read(text, PARTNERS)
    assert (sorted(read.ranks), read.small, read.more) == (["A", "J"], 1, True)


def test_tens_run_together():
    assert HoldingPattern.read("A10x", PARTNERS) == HoldingPattern("AT", (), 1)


def test_a_pattern_holds_for_the_suit_that_is_trump():
    assert fits("A J", "AH JH", trump="H")
    assert not fits("A J", "AH JH", trump="S")


@pytest.mark.parametrize("text", ["A HJ JC", "A JC HJ", "AHJJC"])
def test_jokers_and_the_off_jack_are_full_cards(text):
    assert HoldingPattern.read(text, TEN_POINT).ranks == "A"
    assert fits(text, "AS HJ JC", rules=TEN_POINT)
    assert not fits(text, "AS HJ LJ", rules=TEN_POINT)


def test_no_joker_and_no_off_jack_is_small():
    assert not fits("A x", "AS HJ", rules=TEN_POINT)
    assert not fits("A x", "AS JC", rules=TEN_POINT)
    assert not fits("A", "AS JC", rules=TEN_POINT)
    assert fits("A +", "AS JC HJ", rules=TEN_POINT)


def test_every_holding_has_one_pattern_of_its_kind():
    """By hand: which top cards, and how many small ones; a holding fits that pattern alone."""
    trumps = TrumpOrder(PARTNERS, "S").trumps
    holdings = [held for size in range(1, 7) for held in combinations(trumps, size)]
    masks = np.array([mask_of(held) for held in holdings])
    spades = np.zeros(len(masks), np.int64)
    found = np.zeros(len(masks), np.int64)
    for top in range(16):
        ranks = "".join(rank for i, rank in enumerate("AKQJ") if top >> i & 1)
        for small in range(7):
            if 0 < len(ranks) + small <= 6:
                pattern = HoldingPattern.read(ranks + "x" * small, PARTNERS)
                found += pattern.matches(masks, spades)
    assert (found == 1).all()


def test_trumps_are_kept_of_hands():
    hands = np.array([mask_of(parse_cards("AS JC KH HJ 2D 3D"))] * 3)
    kept = trumps_in(hands, np.array([SUITS.index(suit) for suit in "SHD"]), TEN_POINT)
    assert [set(cards_of(mask)) for mask in kept.tolist()] == [
        {"AS", "JC", "HJ"},
        {"KH", "HJ"},
        {"HJ", "2D", "3D"},
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("A z", "'z' in 'A z' is no trump: expected ranks"),
        ("", "'' is no pattern: expected ranks"),
        ("A J A", "A is twice in 'A J A': expected different cards"),
        ("A 10 T", "T is twice in 'A 10 T'"),
        ("A x x x x x x", "'A x x x x x x' is 7 trumps: expected no more than 6"),
        ("A HJ", "'A HJ': HJ is not in the deck, which has no joker"),
        ("A KH", "KH in 'A KH' is no trump when S is trump: expected ranks of the trump suit"),
        ("A ♠", "'♠' in 'A ♠' is no trump"),
    ],
)
def test_what_is_no_pattern(text, said):
    with pytest.raises(PatternError) as caught:
        HoldingPattern.read(text, PARTNERS, "S")
    assert str(caught.value).startswith(said)
