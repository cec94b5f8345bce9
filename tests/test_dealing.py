"""The deals themselves: exactly uniform over what is unseen, and free of each other."""

from collections import Counter
from itertools import combinations
from math import comb

import numpy as np
import pytest
from scipy import stats
from statistics_help import ONE_IN_A_MILLION, assert_chi_square, assert_probability

from pitchsim.cards import full_deck, parse_hand
from pitchsim.encoding import encode_plan
from pitchsim.engine import MOST_PLAYERS, deal_hands
from pitchsim.known import Known, read_known, share_of_deals
from pitchsim.presets import load_preset

HAND = "AS JS TS 5S KH 2D"


def deal(rules, seating, known, deals, *, seed=1, first=0):
    """Deal, and give int64[deals, 7] of positions and the unseen cards that they are."""
    positions = np.zeros((deals, MOST_PLAYERS), np.int64)
    deal_hands(np.uint64(seed), first, encode_plan(rules, seating, known), positions)
    return positions, known.unseen(rules)


def table_of(preset="partners", players=None, texts=(), hand=HAND):
    rules = load_preset(preset)
    seating = rules.seating(players)
    known = read_known(parse_hand(hand, jokers=rules.jokers), texts, rules, seating)
    return rules, seating, known


def holds(positions, unseen, card):
    """Say which seat holds a card in each deal: bool[deals, 7]."""
    return (positions >> unseen.index(card) & 1).astype(bool)


@pytest.mark.parametrize("players", range(2, 8))
@pytest.mark.parametrize("preset", ["setback", "ten-point"])
def test_every_hand_is_full_and_no_card_is_dealt_twice(preset, players):
    positions, unseen = deal(*table_of(preset, players), 2_000)
    assert not positions[:, 0].any()
    for seat in range(1, players):
        assert (np.bitwise_count(positions[:, seat]) == 6).all()
    together = np.bitwise_or.reduce(positions, axis=1)
    assert (np.bitwise_count(together) == 6 * (players - 1)).all()
    assert (together < 1 << len(unseen)).all()


@pytest.mark.parametrize("players", range(2, 8))
@pytest.mark.parametrize("preset", ["setback", "six-point"])
def test_a_card_is_in_play_as_often_as_it_should_be(preset, players):
    deals = 100_000
    rules, seating, known = table_of(preset, players)
    positions, unseen = deal(rules, seating, known, deals)
    in_play = holds(positions, unseen, "9C").any(axis=1).sum()
    assert_probability(in_play, deals, 6 * (players - 1) / len(unseen))


@pytest.mark.parametrize("players", range(2, 8))
def test_no_other_trump_is_in_play_as_rarely_as_it_should_be(players):
    deals = 400_000
    rules, seating, known = table_of("setback", players, hand="AS KH QH 3D 4D 5C")
    positions, unseen = deal(rules, seating, known, deals)
    spades = sum(1 << i for i, card in enumerate(unseen) if card[1] == "S")
    alone = (np.bitwise_or.reduce(positions, axis=1) & spades == 0).sum()
    dealt = 6 * (players - 1)
    assert_probability(alone, deals, comb(34, dealt) / comb(46, dealt))


@pytest.mark.parametrize(("players", "seat"), [(2, 1), (4, 1), (4, 3), (7, 1), (7, 6)])
def test_every_unseen_card_is_equally_likely_at_every_seat(players, seat):
    deals = 200_000
    positions, unseen = deal(*table_of("setback", players), deals)
    counts = np.array([holds(positions, unseen, card)[:, seat].sum() for card in unseen])
    n = len(unseen)
    p = 6 / n
    # Hands of a fixed size make the counts of the cards hang together: n - 1 degrees of freedom.
    spread = ((counts - deals * p) ** 2).sum() / (deals * p * (1 - p)) * (n - 1) / n
    assert_chi_square(spread, n - 1)


def test_every_pair_of_cards_is_as_likely_as_another_in_one_hand():
    deals = 200_000
    positions, unseen = deal(*table_of(), deals)
    held = np.stack([positions[:, 2] >> i & 1 for i in range(len(unseen))]).astype(np.float64)
    together = held @ held.T
    p = comb(44, 4) / comb(46, 6)
    pairs = list(combinations(range(len(unseen)), 2))
    worst = max(abs(together[i, j] - deals * p) for i, j in pairs) / np.sqrt(deals * p * (1 - p))
    assert len(pairs) * 2 * stats.norm.sf(worst) > ONE_IN_A_MILLION


def test_two_seats_are_dealt_cards_independently_but_for_the_cards_themselves():
    deals = 200_000
    positions, unseen = deal(*table_of(), deals)
    both = holds(positions, unseen, "AH")[:, 1] & holds(positions, unseen, "AD")[:, 3]
    assert_probability(both.sum(), deals, 6 / 46 * 6 / 45)


def nearly_all_known(texts=()):
    """Two players of whom one may hold any six of eight cards: 28 hands in all."""
    rules = load_preset("setback")
    seating = rules.seating(2)
    own = set(parse_hand(HAND, jokers=0))
    out = [card for card in full_deck(0) if card not in own][8:]
    texts = ["-:" + " ".join(out), *texts]
    return rules, seating, read_known(own, texts, rules, seating)


def test_all_hands_of_a_small_deal_are_equally_likely():
    deals = 280_000
    positions, unseen = deal(*nearly_all_known(), deals)
    counts = Counter(positions[:, 1].tolist())
    assert len(unseen) == 8
    assert len(counts) == 28
    expected = deals / 28
    assert_chi_square(sum((n - expected) ** 2 / expected for n in counts.values()), 27)


def test_hands_with_a_barred_card_are_left_out_and_the_rest_stay_equally_likely():
    deals = 70_000
    rules, seating, known = nearly_all_known()
    barred = known.unseen(rules)[3]
    rules, seating, known = nearly_all_known([f"-1:{barred}"])
    positions, unseen = deal(rules, seating, known, deals)
    counts = Counter(positions[:, 1].tolist())
    assert len(counts) == 7
    assert not holds(positions, unseen, barred).any()
    expected = deals / 7
    assert_chi_square(sum((n - expected) ** 2 / expected for n in counts.values()), 6)


def test_what_is_known_is_dealt_and_the_rest_is_uniform():
    deals = 50_000
    rules, seating, known = table_of(texts=["N:AH QC", "-W:KD", "-:9C", "-E:2S 3S"])
    positions, unseen = deal(rules, seating, known, deals)
    assert "9C" not in unseen
    assert "AH" not in unseen
    assert (np.bitwise_count(positions[:, 1:4]) == [6, 4, 6]).all()
    assert not holds(positions, unseen, "KD")[:, 1].any()
    assert not holds(positions, unseen, "2S")[:, 3].any()
    # Given that West lacks KD, it lies with one of the other places of the 43 cards.
    kings = holds(positions, unseen, "KD")[:, 2].sum()
    assert_probability(kings, deals, 4 / (43 - 6))


@pytest.mark.parametrize(
    "texts", [(), ("-W:AH",), ("-W:AH KH",), ("-W:AH", "-N:AH"), ("-W:AD", "-N:AD QC", "-E:QC 2C")]
)
def test_the_share_of_deals_that_fit_is_that_of_deals_without_the_condition(texts):
    deals = 200_000
    hand = "AS JS TS 5S 3H 2D"
    rules, seating, known = table_of(texts=texts, hand=hand)
    positions, unseen = deal(*table_of(hand=hand), deals)
    fits = np.ones(deals, bool)
    for seat, cards in known.barred.items():
        for card in cards:
            fits &= ~holds(positions, unseen, card)[:, seat]
    assert_probability(fits.sum(), deals, share_of_deals(known, rules, seating))


def test_a_hand_that_is_not_known_is_dealt_too():
    rules = load_preset("six-point")
    positions, unseen = deal(rules, rules.seating(7), Known(), 1_000)
    assert len(unseen) == 54
    assert (np.bitwise_count(positions) == 6).all()


def test_any_deal_of_a_study_can_be_dealt_alone():
    table = table_of()
    all_at_once, _ = deal(*table, 100)
    for number in (0, 1, 57, 99):
        alone, _ = deal(*table, 1, first=number)
        assert (alone[0] == all_at_once[number]).all()


def test_other_seeds_and_other_numbers_give_other_deals():
    table = table_of()
    seen = set()
    for seed in range(20):
        for first in (0, 10_000, 2**35):
            positions, _ = deal(*table, 500, seed=seed, first=first)
            seen.update(map(tuple, positions.tolist()))
    # 30,000 deals out of 3e17: any two alike would be no accident.
    assert len(seen) == 20 * 3 * 500
