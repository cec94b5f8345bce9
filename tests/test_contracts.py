"""Deals with a pitcher and lead of their own: what every side took, against the plain engine."""

import random

import numpy as np
import pytest
from agreement import Deal, Table, point_bits, possible_leads, random_rules, seatings
from experts import ExpertDeal, random_chances
from recordmaking import rules_of

from pitchsim.cards import SUITS
from pitchsim.counting import Counter
from pitchsim.encoding import encode_ignorance, encode_policies
from pitchsim.engine import (
    HAND_SIZE,
    MOST_PLAYERS,
    deal_hands,
    play_contracts,
    play_expert_contracts,
)
from pitchsim.engine.expert import Aims
from pitchsim.engine.score import ALL_TRICKS, OTHERS_SHIFT, POINT_MASK, TRICKS_SHIFT
from pitchsim.order import TrumpOrder
from pitchsim.presets import preset_names
from pitchsim.reference.basic_play import basic_play
from pitchsim.reference.random_play import RandomPlay
from pitchsim.reference.scoring import points_taken, tricks_won
from pitchsim.tally import Columns


def played(table, seed, numbers, *, trump, leads, plays):
    """The takings of the compiled engine, int64[deals, 7], each deal dealt by its own number."""
    positions = np.zeros((len(numbers), MOST_PLAYERS), np.int64)
    for number, row in zip(numbers, positions, strict=True):
        deal_hands(np.uint64(seed), number, table.plan, row[None])
    order = TrumpOrder(table.rules, trump)
    takings = np.zeros((len(numbers), MOST_PLAYERS), np.int64)
    play_contracts(
        encode_policies(plays),
        np.uint64(seed),
        np.array(numbers, np.int64),
        table.plan,
        table.setting(trump),
        positions,
        np.array([order.mask([lead]) if lead else 0 for lead in leads], np.int64),
        takings,
        np.zeros(HAND_SIZE * MOST_PLAYERS, np.int64),
    )
    return takings


def takings_plainly(deal, trump, hands, tricks):
    """What each side took in some tricks of the plain engine."""
    rules, seating = deal.table.rules, deal.table.seating
    taken = points_taken(rules, seating, pitcher=0, trump=trump, hands=hands, tricks=tricks)
    takings = [
        point_bits(name for name, taker in taken.items() if taker == side)
        for side in range(seating.sides)
    ]
    every_trick = tricks_won(seating, tricks)[0] == HAND_SIZE
    takings[0] += ALL_TRICKS * every_trick
    return takings


def check(rules, seating, rng, *, deals=20, free_lead=False):
    """Play some deals, every seat by a policy of its own, and compare what every side took."""
    table = Table(rules, seating, dealer=rng.randrange(seating.players))
    seed, trump = rng.randrange(2**64), rng.choice(SUITS)
    plays = [rng.choice(["random", "basic"]) for _ in range(seating.players)]
    numbers, leads, expected = [], [], []
    for number in rng.sample(range(2**44), deals):
        deal = Deal(table, seed, number, ("basic", "basic"))
        hands = deal.dealt_plainly()
        if rules.draw:
            hands = deal.drawn_plainly(hands, trump)
        possible = possible_leads(rules, hands[0], trump)
        if not possible:
            continue
        lead = None if free_lead else rng.choice(possible)
        policies = {"random": RandomPlay(seed, number), "basic": basic_play}
        tricks = deal.tricks_by(
            lambda situation, policies=policies: policies[plays[situation.seat]](situation),
            hands,
            trump,
            lead,
        )
        numbers.append(number)
        leads.append(lead)
        expected.append(takings_plainly(deal, trump, hands, tricks))
    if not numbers:
        return 0
    takings = played(table, seed, numbers, trump=trump, leads=leads, plays=plays)
    unplayed = ~(ALL_TRICKS | point_bits(rules.point_values))
    found = (takings & ~unplayed)[:, : seating.sides].tolist()
    assert found == expected, (rules.as_dict(), seating, seed, numbers, trump, leads, plays)
    return len(numbers)


@pytest.mark.parametrize("preset", preset_names())
def test_every_side_takes_what_the_plain_engine_says(preset):
    rng = random.Random(preset)
    rules = rules_of(preset)
    checked = [
        check(rules, seating, rng, free_lead=free) for seating in seatings(rules) for free in (0, 1)
    ]
    assert sum(checked) > 20


@pytest.mark.parametrize("seed", range(6))
def test_under_any_rules_every_side_takes_what_the_plain_engine_says(seed):
    rng = random.Random(seed)
    rules = random_rules(rng)
    for seating in seatings(rules):
        check(rules, seating, rng, deals=6, free_lead=rng.random() < 0.3)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 400))
def test_under_many_more_rules(seed):
    rng = random.Random(seed)
    rules = random_rules(rng)
    for seating in seatings(rules):
        check(rules, seating, rng, deals=10, free_lead=rng.random() < 0.3)


@pytest.mark.parametrize("seed", range(8))
def test_experts_play_contracts_as_they_play_studies(seed):
    """What the two sides took is what the other kernel, which the plain engine checks, says."""
    rng = random.Random(seed)
    rules = random_rules(rng)
    seating = rng.choice(list(seatings(rules)))
    table = Table(rules, seating, dealer=rng.randrange(seating.players))
    plays = rng.choice([("expert", "expert"), ("basic", "expert"), ("expert", "random")])
    bid = rng.choice(rules.bids)
    deal = ExpertDeal(table, rng.randrange(2**64), 0, plays, bids=(bid,))
    deal.chances = random_chances(rng, deal.bids)
    trump = rng.choice(SUITS)
    numbers = rng.sample(range(2**44), 5)
    positions = np.zeros((len(numbers), MOST_PLAYERS), np.int64)
    expected = []
    for number, row in zip(numbers, positions, strict=True):
        deal.number = number
        deal_hands(np.uint64(deal.seed), number, table.plan, row[None])
        outcomes, _ = deal.played_for((bid,), row[None], trump, [None])
        expected.append(int(outcomes[0, 0, 0]))
    tables = Counter.of(Columns(rules, seating, (bid,))).tables
    takings = np.zeros((len(numbers), MOST_PLAYERS), np.int64)
    play_expert_contracts(
        encode_policies(deal.by_seat),
        np.uint64(deal.seed),
        np.array(numbers, np.int64),
        table.plan,
        (deal.setting(trump), encode_ignorance(deal.setting(trump))),
        positions,
        np.zeros(len(numbers), np.int64),
        deal.worlds,
        Aims(tables.margins, tables.worth, deal.chances),
        takings,
        np.zeros(HAND_SIZE * MOST_PLAYERS, np.int64),
    )
    for sides, outcome in zip(takings, expected, strict=True):
        assert sides[0] & POINT_MASK == outcome & POINT_MASK
        assert (sides[0] & ALL_TRICKS != 0) == (outcome >> TRICKS_SHIFT == HAND_SIZE)
        assert np.bitwise_or.reduce(sides[1:]) == outcome >> OTHERS_SHIFT & POINT_MASK
