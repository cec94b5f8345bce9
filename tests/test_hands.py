import doctest
from itertools import pairwise, product
from math import comb

import numpy as np
import pytest

import pitchsim.hands
from pitchsim.cards import ALL_CARDS, SUITS, format_hand, parse_hand, sort_hand
from pitchsim.errors import CardError
from pitchsim.hands import HandIndex, cards_of, mask_of
from pitchsim.presets import find_rules, preset_names

# A renaming of suits is written as what S, H, D and C become. Those that generate every symmetry,
# by what the rules tell of the suits: (colours, hearts).
GENERATORS = {
    (False, False): ["HSDC", "HDCS"],
    (True, False): ["CHDS", "HSCD"],
    (False, True): ["CHDS", "DHSC"],
    (True, True): ["CHDS"],
}
ORDERS = {(False, False): 24, (True, False): 8, (False, True): 6, (True, True): 2}
KINDS = list(GENERATORS)
LANE = (1 << 13) - 1
CHUNK = 1 << 18


def group(colours, hearts):
    found = {"SHDC"}
    while (
        more := {
            "".join(to[SUITS.index(suit)] for suit in then)
            for to, then in product(GENERATORS[colours, hearts], found)
        }
        - found
    ):
        found |= more
    return sorted(found)


def turned(hands, to):
    result = hands >> 52 << 52
    for place, suit in enumerate(to):
        result |= (hands >> 13 * place & LANE) << 13 * SUITS.index(suit)
    return result


def least_turned(hands, kind):
    return np.min([turned(hands, to) for to in group(*kind)], axis=0)


def sets(cards, size):
    """Every set of so many of the first cards, in order."""
    if size == 0:
        return np.zeros(1, np.int64)
    smaller = sets(cards, size - 1)
    return np.concatenate(
        [smaller[: comb(top, size - 1)] | np.int64(1 << top) for top in range(cards)]
    )


def chunks(array):
    return (array[start : start + CHUNK] for start in range(0, len(array), CHUNK))


def random_hands(count, jokers, seed):
    rng = np.random.default_rng(seed)
    places = rng.random((count, 52 + jokers)).argpartition(6)[:, :6]
    return (np.int64(1) << places).sum(axis=1)


def burnside(kind, jokers, size=6):
    """Average the number of hands that a renaming leaves as they are."""
    total = 0
    for to in group(*kind):
        fixed = np.array([comb(jokers, held) for held in range(size + 1)])
        left = set(SUITS)
        while left:
            suit, length = min(left), 0
            while suit in left:
                left.remove(suit)
                suit, length = to[SUITS.index(suit)], length + 1
            same = np.zeros(size + 1, int)
            same[::length] = [comb(13, held) for held in range(size // length + 1)]
            fixed = np.convolve(fixed, same)[: size + 1]
        total += int(fixed[size])
    return total // len(group(*kind))


def assert_joins_what_symmetry_joins(hands, index, kind):
    """Hands have equal rows if and only if their least turned forms are equal."""
    rows, least = index.rows_of(hands), least_turned(hands, kind)
    pairs = np.unique(np.stack([rows, least]), axis=1)
    assert pairs.shape[1] == len(np.unique(rows)) == len(np.unique(least))


def test_the_test_knows_its_groups():
    assert {kind: len(group(*kind)) for kind in KINDS} == ORDERS
    assert len(sets(54, 3)) == len(np.unique(sets(54, 3))) == comb(54, 3)


def test_counts_where_suits_or_colours_are_interchangeable():
    assert HandIndex.of(find_rules("partners")).count == 962_988
    assert HandIndex.of(find_rules("pedro")).count == 2_658_344


@pytest.mark.parametrize("name", preset_names())
def test_the_count_of_every_preset_is_what_burnside_gives(name):
    rules = find_rules(name)
    kind = (
        name in ("five-point", "seven-point", "nine-point", "ten-point", "pedro"),
        "ace" in name,
    )
    assert HandIndex.of(rules).count == burnside(kind, rules.jokers)


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({}, (False, False)),
        ({"jokers": 2, "points.joker": 1, "trump_three": 3}, (False, False)),
        ({"off_jack": 1}, (True, False)),
        ({"off_five": 3}, (True, False)),
        ({"secondary_trump": "hearts"}, (False, True)),
        ({"ace_of_hearts": 1}, (False, True)),
        ({"off_jack": 1, "ace_of_hearts": 1}, (True, True)),
    ],
)
def test_symmetry_is_read_off_the_rules(changes, kind):
    rules = find_rules("partners").changed(changes)
    index = HandIndex.of(rules)
    assert index == HandIndex(*kind, jokers=rules.jokers)
    assert sorted("".join(to[suit] for suit in SUITS) for to in index.symmetries) == group(*kind)
    assert "".join(index.symmetries[0].values()) == SUITS


@pytest.mark.parametrize("kind", KINDS[:2])
def test_every_row_is_a_hand_of_its_own(kind):
    index = HandIndex(*kind, jokers=0)
    hands = 0
    for rows in chunks(np.arange(index.count)):
        np.testing.assert_array_equal(index.rows_of(index.hands_at(rows)), rows)
        hands += index.multiplicity(rows).sum()
    assert hands == comb(52, 6) == 20_358_520


@pytest.mark.parametrize("size", [1, 2, 3, 4])
@pytest.mark.parametrize("kind", KINDS)
def test_every_small_hand_has_the_row_of_those_that_symmetry_joins_it_to(kind, size):
    index = HandIndex(*kind, jokers=2, hand_size=size)
    hands = sets(54, size)
    assert_joins_what_symmetry_joins(hands, index, kind)
    every = np.arange(index.count)
    assert index.count == burnside(kind, 2, size)
    np.testing.assert_array_equal(np.bincount(index.rows_of(hands)), index.multiplicity(every))


@pytest.mark.parametrize("kind", KINDS)
def test_every_hand_of_few_ranks_has_the_row_of_those_that_symmetry_joins_it_to(kind):
    kept = sum(1 << i for i, card in enumerate(ALL_CARDS) if card[0] in "A92" or i >= 52)
    places = np.flatnonzero(kept >> np.arange(54) & 1)
    few = sets(len(places), 6)
    hands = sum((few >> i & 1) << place for i, place in enumerate(places))
    assert_joins_what_symmetry_joins(hands, HandIndex(*kind, jokers=2), kind)


@pytest.mark.parametrize("jokers", [0, 1, 2])
@pytest.mark.parametrize("kind", KINDS)
def test_random_hands_have_equal_rows_exactly_if_symmetry_joins_them(kind, jokers):
    hands = random_hands(5_000, jokers, seed=1)
    of_group = [turned(hands, to) for to in group(*kind)]
    of_others = [turned(hands, to) for to in group(False, False)]
    index = HandIndex(*kind, jokers=jokers)
    assert_joins_what_symmetry_joins(np.concatenate(of_group), index, kind)
    assert_joins_what_symmetry_joins(np.concatenate(of_others), index, kind)
    canonical = index.hands_at(index.rows_of(hands))
    assert np.any([canonical == other for other in of_group], axis=0).all()
    np.testing.assert_array_equal(index.rows_of(canonical), index.rows_of(hands))


@pytest.mark.parametrize("kind", KINDS)
def test_multiplicity_counts_the_different_hands(kind):
    hands = random_hands(300, 2, seed=2)
    index = HandIndex(*kind, jokers=2)
    forms = np.stack([turned(hands, to) for to in group(*kind)], axis=1)
    different = [len(set(forms_of_one)) for forms_of_one in forms.tolist()]
    assert index.multiplicity(index.rows_of(hands)).tolist() == different


@pytest.mark.parametrize("kind", KINDS)
def test_rows_do_not_depend_on_jokers_that_are_not_held(kind):
    hands = random_hands(1_000, 0, seed=3)
    rows = HandIndex(*kind, jokers=0).rows_of(hands)
    for jokers in (1, 2):
        np.testing.assert_array_equal(HandIndex(*kind, jokers=jokers).rows_of(hands), rows)


def test_a_canonical_hand_has_its_longest_and_highest_suits_first():
    index = HandIndex.of(find_rules("partners"))
    hands = index.hands_at(np.arange(0, index.count, 7))
    suits = [hands >> 13 * place & LANE for place in range(4)]
    keys = [np.bitwise_count(suit).astype(int) << 13 | suit for suit in suits]
    assert all((first >= second).all() for first, second in pairwise(keys))


def test_a_canonical_hand_of_colours_has_its_longest_suit_in_spades():
    index = HandIndex.of(find_rules("ten-point"))
    hands = index.hands_at(np.arange(0, index.count, 7))
    lengths = [np.bitwise_count(hands >> 13 * place & LANE) for place in range(4)]
    np.testing.assert_array_equal(lengths[0], np.max(lengths, axis=0))
    assert (lengths[1] >= lengths[2]).all()


@pytest.mark.parametrize(
    ("name", "hand", "canonical"),
    [
        ("partners", "2S AD JD TD 5D KC", "AS JS TS 5S KH 2D"),
        ("partners", "AC KC AD KD AH KH", "AS KS AH KH AD KD"),
        ("five-point", "2S AD JD TD 5D KH", "AS JS TS 5S 2H KC"),
        ("ace-of-hearts", "2S AH JH 7D 5C 4C", "5S 4S AH JH 7D 2C"),
        ("ten-point", "HJ LJ 2D 3D KH JC", "3S 2S KC JH HJ LJ"),
    ],
)
def test_canonical_hands(name, hand, canonical):
    rules = find_rules(name)
    index = HandIndex.of(rules)
    mask = mask_of(parse_hand(hand, jokers=rules.jokers))
    rows = index.rows_of(np.array([mask]))
    assert format_hand(cards_of(int(index.hands_at(rows)[0]))) == format_hand(
        parse_hand(canonical, jokers=rules.jokers)
    )


def test_masks_and_cards_are_each_others_inverse():
    assert mask_of(["2S", "3S", "LJ"]) == 3 | 1 << 53
    for hand in random_hands(100, 2, seed=5):
        cards = cards_of(int(hand))
        assert cards == sort_hand(cards)
        assert mask_of(reversed(cards)) == hand


def test_the_example_holds():
    assert doctest.testmod(pitchsim.hands).failed == 0


def test_no_hands_have_no_rows():
    index, none = HandIndex.of(find_rules("partners")), np.zeros(0, np.int64)
    assert (
        len(index.rows_of(none)) == len(index.hands_at(none)) == len(index.multiplicity(none)) == 0
    )


@pytest.mark.parametrize("hand", ["AS KS", "AS KS QS JS TS 9S 8S", "AS KS QS JS TS LJ"])
def test_what_is_not_a_hand_of_the_rules_is_refused(hand):
    index = HandIndex(colours=False, hearts=False, jokers=1)
    good = mask_of(["AS", "KS", "QS", "JS", "TS", "HJ"])
    with pytest.raises(CardError, match=f"'{hand}' is not a hand here: expected 6 cards of a deck"):
        index.rows_of(np.array([good, mask_of(hand.split())]))


@pytest.mark.parametrize("row", [-1, 962_988])
def test_a_row_past_the_last_is_refused(row):
    index = HandIndex.of(find_rules("partners"))
    for method in (index.hands_at, index.multiplicity):
        with pytest.raises(CardError, match=f"no row {row}: expected 0 to 962987"):
            method(np.array([0, row]))


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_every_hand_has_the_row_of_those_that_symmetry_joins_it_to(kind):
    """Rows do not change under a generator, and no two classes share one: they are as many."""
    index = HandIndex(*kind, jokers=2)
    seen = np.zeros(index.count, np.int64)
    smaller = sets(53, 5)
    for top in range(5, 54):
        for five in chunks(smaller[: comb(top, 5)]):
            hands = five | np.int64(1 << top)
            rows = index.rows_of(hands)
            for to in GENERATORS[kind]:
                np.testing.assert_array_equal(index.rows_of(turned(hands, to)), rows)
            np.add.at(seen, rows, 1)
    assert seen.sum() == comb(54, 6)
    assert index.count == burnside(kind, 2)
    for rows in chunks(np.arange(index.count)):
        np.testing.assert_array_equal(index.multiplicity(rows), seen[rows])
        np.testing.assert_array_equal(index.rows_of(index.hands_at(rows)), rows)


@pytest.mark.long
def test_every_hand_of_52_cards_turns_into_its_suits_in_order():
    index = HandIndex.of(find_rules("partners"))
    smaller = sets(51, 5)
    for top in range(5, 52):
        for five in chunks(smaller[: comb(top, 5)]):
            hands = five | np.int64(1 << top)
            suits = np.stack([hands >> 13 * place & LANE for place in range(4)])
            keys = np.sort(np.bitwise_count(suits).astype(np.int64) << 13 | suits, axis=0)[::-1]
            in_order = sum((key & LANE) << 13 * place for place, key in enumerate(keys))
            np.testing.assert_array_equal(index.hands_at(index.rows_of(hands)), in_order)
