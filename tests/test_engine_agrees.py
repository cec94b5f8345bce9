"""The compiled engine and the plain one, card by card: the same deals, draws, plays and points."""

import random

import numpy as np
import pytest
from agreement import (
    LARGEST_DEAL,
    PAIRS,
    Deal,
    Table,
    assert_agreement,
    possible_leads,
    random_known,
    random_rules,
    seatings,
)
from numba import njit
from recordmaking import rules_of

from pitchsim.cards import SUITS, full_deck
from pitchsim.encoding import encode_policies
from pitchsim.engine import HAND_SIZE, MOST_PLAYERS, deal_hands, play_hands
from pitchsim.engine.deal import FRACTION, subset, unfair
from pitchsim.engine.lanes import WIDTH, load, store
from pitchsim.known import Known
from pitchsim.order import TrumpOrder
from pitchsim.presets import load_preset, preset_names
from pitchsim.reference import dealing
from pitchsim.rules import Seating

LONG = pytest.mark.long


def play_at(table, rng, hands):
    """Play hands of both policies, alone and against each other, with and without a lead given."""
    for number in range(hands):
        deal = Deal(
            table,
            seed=rng.getrandbits(64),
            number=rng.choice([number, rng.randint(0, LARGEST_DEAL)]),
            plays=PAIRS[number % len(PAIRS)],
        )
        assert_agreement(deal, rng, free_lead=number // len(PAIRS) % 3 == 2)


def play_presets(preset, hands):
    rules = load_preset(preset)
    for seating in seatings(rules):
        rng = random.Random(f"{preset} {seating} {hands}")
        for dealer in (0, seating.players - 1):
            play_at(Table(rules, seating, dealer=dealer), rng, hands // 2)


def play_random_rules(seed, tables, hands):
    rng = random.Random(seed)
    for _ in range(tables):
        rules = random_rules(rng)
        seating = rng.choice(list(seatings(rules)))
        known = random_known(rng, seating, full_deck(rules.jokers))
        play_at(Table(rules, seating, known, dealer=rng.randrange(seating.players)), rng, hands)


@pytest.mark.parametrize("preset", preset_names())
def test_presets_for_every_number_of_players(preset):
    play_presets(preset, hands=24)


@LONG
@pytest.mark.parametrize("preset", preset_names())
def test_presets_for_every_number_of_players_at_length(preset):
    play_presets(preset, hands=400)


@pytest.mark.parametrize("seed", range(10))
def test_any_rule_set_and_any_known_cards(seed):
    play_random_rules(seed, tables=30, hands=12)


@LONG
@pytest.mark.parametrize("seed", range(1000, 1020))
def test_any_rule_set_and_any_known_cards_at_length(seed):
    play_random_rules(seed, tables=250, hands=12)


CHANGES = [
    {"joker_rank": "lowest", "low_card": "lowest_trump"},
    {"joker_rank": "lowest", "low_card": "lowest_natural"},
    {"joker_lead": "names"},
    {"void_play": "must_trump"},
    {"secondary_trump": "hearts", "ace_of_hearts": 1},
    {"secondary_trump": "hearts", "void_play": "must_trump"},
    {"trump_choice": "declared"},
    {"trump_choice": "declared", "draw": True},
    {"trump_choice": "declared", "draw": True, "secondary_trump": "hearts"},
    {"game_tie": "pitcher"},
    {"low_to": "holder"},
    {"low_to": "holder", "low_card": "lowest_natural", "joker": 0},
    {"off_jack": 0, "off_five": 3, "trump_five": 2},
    {"joker": 0},
    {"jack": 0, "low": 0},
]


@pytest.mark.parametrize("changes", CHANGES, ids=str)
@pytest.mark.parametrize(
    "seating", [Seating(3, False), Seating(4, True), Seating(6, True), Seating(7, False)], ids=str
)
def test_each_field_of_the_rules_by_itself(changes, seating):
    rules = rules_of("ten-point", **changes)
    play_at(Table(rules, seating), random.Random(str(changes)), hands=12)


@pytest.mark.parametrize("seating", [Seating(6, True), Seating(6, False), Seating(7, False)])
def test_a_draw_that_uses_up_the_stock(seating):
    """Somebody is left with fewer cards, or none: also the pitcher, who deals and draws last."""
    rules = rules_of("setback", trump_choice="declared", draw=True)
    rng = random.Random(4)
    table = Table(rules, seating, dealer=0)
    play_at(table, rng, hands=120)
    deals = [Deal(table, 1, number, PAIRS[0]) for number in range(200)]
    lengths = {len(deal.drawn_plainly(deal.dealt_plainly(), "S")[0]) for deal in deals}
    assert min(lengths) < 2


def test_cards_known_to_be_in_nobodys_hand_can_be_drawn():
    rules = rules_of("partners", trump_choice="declared", draw=True)
    seating = rules.seating()
    known = Known(out=frozenset(full_deck(0)[:22]))
    play_at(Table(rules, seating, known), random.Random(5), hands=60)
    hands = dealing.deal_hands(rules, seating, known, 1, 0)
    assert not known.out & {card for hand in hands for card in hand}
    draws = dealing.draw_cards(rules, known, hands, trump="D", dealer=3, seed=1, deal=0)
    assert known.out & {card for draw in draws for card in draw.drawn}


def test_hands_are_dealt_until_nobody_holds_a_barred_card():
    rules = rules_of("partners")
    known = Known(
        held={0: frozenset(["AS"])}, barred={1: frozenset(["KS", "QS", "JS"]), 2: frozenset(["KS"])}
    )
    play_at(Table(rules, rules.seating(), known), random.Random(6), hands=60)
    for deal in range(300):
        _, west, north, _ = dealing.deal_hands(rules, rules.seating(), known, 1, deal)
        assert not {"KS", "QS", "JS"} & set(west)
        assert "KS" not in north


def dealt_and_played(table, seed, numbers, *, trump, leads, plays):
    """What the engine deals and finds for some deals in a row, made in one call."""
    positions = np.zeros((len(numbers), MOST_PLAYERS), np.int64)
    outcomes = np.zeros((len(leads), len(numbers)), np.int32)
    last = np.zeros(HAND_SIZE * MOST_PLAYERS, np.int64)
    deal_hands(np.uint64(seed), numbers[0], table.plan, positions)
    play_hands(
        encode_policies(
            plays[min(table.seating.side_of(seat), 1)] for seat in range(table.seating.players)
        ),
        np.uint64(seed),
        numbers[0],
        table.plan,
        table.setting(trump),
        positions,
        np.array(leads, np.int64),
        outcomes,
        last,
    )
    return positions, outcomes, last


@pytest.mark.parametrize("seed", range(20, 40))
def test_deals_made_side_by_side_are_those_made_one_by_one(seed):
    """The other tests make one deal a call; here some are dealt again, or draw, beside others."""
    rng = random.Random(seed)
    for _ in range(8):
        rules = random_rules(rng)
        seating = rng.choice(list(seatings(rules)))
        deck = full_deck(rules.jokers)
        table = Table(rules, seating, random_known(rng, seating, deck), dealer=rng.choice([0, 1]))
        hand = table.known.cards_of(0)
        trump = rng.choice(SUITS)
        order = TrumpOrder(rules, trump)
        kept = [card for card in possible_leads(rules, hand, trump) if card in order.trumps]
        leads = [order.mask([card]) for card in kept] + [0]
        plays = rng.choice(PAIRS)
        first = rng.randrange(LARGEST_DEAL - 30)
        numbers = range(first, first + rng.choice([2, 7, 8, 9, 21]))
        assert_the_same_one_by_one(table, seed, numbers, trump=trump, leads=leads, plays=plays)


def assert_the_same_one_by_one(table, seed, numbers, **play):
    positions, outcomes, last = dealt_and_played(table, seed, numbers, **play)
    for row, number in enumerate(numbers):
        one = dealt_and_played(table, seed, [number], **play)
        assert (one[0][0] == positions[row]).all()
        assert (one[1][:, 0] == outcomes[:, row]).all()
    assert (one[2] == last).all()


def test_who_holds_six_trumps_draws_nothing_beside_others_who_draw():
    rules = rules_of("partners", trump_choice="declared", draw=True)
    known = Known({1: frozenset(["AS", "KS", "QS", "JS", "TS"])})
    table = Table(rules, rules.seating(), known, dealer=0)
    play = {"trump": "S", "leads": [0], "plays": ("random", "random")}
    assert_the_same_one_by_one(table, 1, range(80), **play)


@njit
def draw(fractions, size, count, drawn):
    chosen, remainder = subset(load(fractions, 0), size, count)
    store(drawn, 0, chosen)
    store(drawn, 1, unfair(remainder, size, count))


@pytest.mark.parametrize(("size", "count"), [(46, 6), (54, 6), (40, 6), (6, 6), (10, 4), (1, 1)])
def test_the_same_fraction_chooses_the_same_places(size, count):
    rng = random.Random(7)
    fractions = [0, 1, 2, 3, FRACTION, FRACTION - 1, *(rng.getrandbits(57) for _ in range(2_002))]
    drawn = np.zeros((2, WIDTH), np.int64)
    for eight in np.array(fractions, np.int64).reshape(-1, 1, WIDTH):
        draw(eight, size, count, drawn)
        for fraction, chosen, refused in zip(*eight.tolist(), *drawn.tolist(), strict=True):
            places = dealing.places_at(fraction, size, count)
            assert bool(refused) == (places is None)
            if places is not None:
                assert chosen == sum(1 << place for place in places)
    # Where the ways do not divide the number of fractions, the first fraction is one too many.
    assert (dealing.places_at(0, size, count) is None) == (size > 1)


def test_every_set_of_places_comes_of_as_many_ways():
    ways = [frozenset(dealing.floyd(number, 6, 3)) for number in range(6 * 5 * 4)]
    assert {ways.count(places) for places in ways} == {6}


def test_the_random_rule_sets_have_every_value_of_every_field_that_matters_in_play():
    rng = random.Random(8)
    met = [random_rules(rng) for _ in range(300)]
    for name, values in {
        "jokers": 3,
        "joker_rank": 2,
        "joker_lead": 2,
        "low_to": 2,
        "low_card": 2,
        "game_tie": 2,
        "void_play": 2,
        "trump_choice": 2,
        "secondary_trump": 2,
        "draw": 2,
    }.items():
        assert len({getattr(rules, name) for rules in met}) == values
