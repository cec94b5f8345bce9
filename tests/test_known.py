"""What is known of others' cards: reading it, refusing what cannot be, counting what fits."""

from contextlib import suppress
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recordmaking import rules_of

from pitchsim.cards import full_deck, parse_hand
from pitchsim.errors import PitchsimError
from pitchsim.known import Known, read_known, share_of_deals

HAND = parse_hand("AS JS TS 5S KH 2D", jokers=0)


def known_of(*texts, rules="partners", players=None, partners=None):
    table = rules_of(rules)
    return read_known(HAND, texts, table, table.seating(players, partners))


def test_seats_by_compass_and_by_number():
    known = known_of("N:AH", "-w:KD qd", "-:KS", "3: 9C")
    assert known.cards_of(0) == set(HAND)
    assert known.cards_of(2) == {"AH"}
    assert known.cards_of(3) == {"9C"}
    assert known.barred_to(1) == {"KD", "QD"}
    assert known.out == {"KS"}


def test_with_other_numbers_of_players_seats_are_numbers():
    assert known_of("6:AH", rules="solo", players=7).cards_of(6) == {"AH"}
    with pytest.raises(PitchsimError, match=r"expected SEAT:CARDS.*1, 2, 3, 4, 5 or 6"):
        known_of("N:AH", rules="solo", players=7)


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["AH"], "'AH' is not possible: expected SEAT:CARDS"),
        (["S:AH"], "'S:AH' is not possible"),
        (["0:AH"], "'0:AH' is not possible"),
        (["4:AH"], "'4:AH' is not possible"),
        (["--:AH"], "'--:AH' is not possible"),
        (["N:"], "names no card"),
        (["N:1S"], "'1S' is not a card"),
        (["N:AS"], "'N:AS' is not possible: AS is in your own hand"),
        (["-:AS"], "'-:AS' is not possible: AS is in your own hand"),
        (["N:AH AH"], "'N:AH AH' names AH twice"),
        (["N:AH", "-:AH"], "AH is known to be in 2 places"),
        (["N:AH", "W:AH"], "AH is known to be in 2 places"),
        (["N:AH", "-N:AH"], "seat N is known to hold and not to hold AH"),
        (["N:2H 3H 4H 5H 6H 7H 8H"], "expected 6 cards at most"),
        (["N:HJ"], "HJ is not in the deck"),
    ],
)
def test_what_cannot_be_is_refused_with_its_reason(texts, message):
    with pytest.raises(PitchsimError, match=message):
        known_of(*texts)


def test_what_no_deal_or_hardly_any_fits_is_refused():
    rest = [card for card in full_deck(0) if card not in HAND]
    with pytest.raises(PitchsimError, match="no deal fits"):
        known_of("-:" + " ".join(rest[:30]))
    with pytest.raises(PitchsimError, match="no deal fits"):
        known_of("-N:" + " ".join(rest))
    with pytest.raises(PitchsimError, match=r"only one deal in .* fits"):
        known_of("-N:" + " ".join(rest[:38]))


def test_the_share_is_that_of_all_deals_counted_one_by_one():
    rules = rules_of("solo")
    seating = rules.seating(3)
    rest = [card for card in full_deck(0) if card not in HAND]
    open_cards = rest[:13]
    known = Known(
        {0: frozenset(HAND)},
        frozenset(rest[13:]),
        {1: frozenset(open_cards[:2]), 2: frozenset(open_cards[1:4])},
    )
    fits = every = 0
    for first in combinations(open_cards, 6):
        left = [card for card in open_cards if card not in first]
        for second in combinations(left, 6):
            every += 1
            fits += not (known.barred_to(1) & set(first) or known.barred_to(2) & set(second))
    assert share_of_deals(known, rules, seating) == pytest.approx(fits / every)


@given(st.lists(st.text(max_size=20), max_size=3))
def test_arbitrary_text_ends_in_one_of_our_errors(texts):
    with suppress(PitchsimError):
        known_of(*texts)
