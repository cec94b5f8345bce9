"""Hands of which the first cards are given: the policies go on from there as they would have."""

import ast
import random
from pathlib import Path

import numpy as np
import pytest
from agreement import (
    PAIRS,
    Deal,
    Table,
    before_the_first_lead,
    random_known,
    random_rules,
    seatings,
)
from numba import njit
from recordmaking import rules_of

from pitchsim import engine
from pitchsim.cards import full_deck
from pitchsim.encoding import encode_policies
from pitchsim.engine import HAND_SIZE, MOST_PLAYERS
from pitchsim.engine.lanes import WIDTH, every, store
from pitchsim.engine.play import Script, make_space, roll_out
from pitchsim.engine.stream import PLAY_WORDS, key_of, state_at
from pitchsim.order import TrumpOrder
from pitchsim.rules import Seating


@njit
def compiled_roll_out(policies, words, setting, hands, script):
    """Roll out by the words of a seed and deal; returns the plays and the outcomes."""
    seed, deal = words
    space = make_space()
    outcomes = np.zeros((1, WIDTH), np.int64)
    state = state_at(key_of(seed), every(deal), PLAY_WORDS)
    store(outcomes, 0, roll_out(policies, setting, state, hands, script, space))
    return space.plays, outcomes[0]


def rolled_out(deal, trump, worlds, script):
    """The plays, int64[turns, worlds], and outcomes of up to eight worlds after a script."""
    hands = np.zeros((MOST_PLAYERS, WIDTH), np.int64)
    order = TrumpOrder(deal.table.rules, trump)
    for lane in range(WIDTH):
        world = worlds[lane % len(worlds)]
        hands[: len(world), lane] = [order.mask(hand) for hand in world]
    policies = encode_policies(deal.by_seat)
    setting = deal.table.setting(trump)
    words = (np.uint64(deal.seed), deal.number)
    plays, outcomes = compiled_roll_out(policies, words, setting, hands, script)
    turns = HAND_SIZE * deal.table.seating.players
    return plays[:turns, : len(worlds)], outcomes[: len(worlds)]


def script_of(cards, *, given_lead):
    """A script of some masks in a row."""
    script = np.zeros((HAND_SIZE * MOST_PLAYERS, WIDTH), np.int64)
    script[: len(cards)] = np.reshape(cards, (-1, 1))
    return Script(script, len(cards), int(given_lead and len(cards) > 0))


def some_deals(rng, hands):
    """Deals at tables of every kind, by every pair of policies."""
    for number in range(hands):
        rules = random_rules(rng)
        seating = rng.choice(list(seatings(rules)))
        known = random_known(rng, seating, full_deck(rules.jokers))
        table = Table(rules, seating, known, dealer=rng.randrange(seating.players))
        yield Deal(table, rng.getrandbits(64), number, PAIRS[number % len(PAIRS)])
    rules = rules_of("setback", trump_choice="declared", draw=True)
    table = Table(rules, Seating(7, False), dealer=0)  # where the draw leaves somebody without
    for number in range(hands // 4):
        yield Deal(table, rng.getrandbits(64), number, PAIRS[number % len(PAIRS)])


@pytest.mark.parametrize("given", [True, False])
def test_from_every_point_of_a_hand_the_rest_is_played_as_it_was(given):
    rng = random.Random(f"resume {given}")
    for deal in some_deals(rng, hands=120):
        trump, hands, lead = before_the_first_lead(deal, rng)
        given_lead = given and lead is not None
        opening = [TrumpOrder(deal.table.rules, trump).mask([lead])] if given_lead else []
        script = script_of(opening, given_lead=given_lead)
        plays, outcome = rolled_out(deal, trump, [hands], script)
        for turns in range(len(opening), len(plays) + 1):
            script = script_of(plays[:turns, 0] >> 3, given_lead=given_lead)
            again, same_outcome = rolled_out(deal, trump, [hands], script)
            assert (again == plays).all(), f"{deal} {trump} {hands} {turns}"
            assert same_outcome == outcome


def after(cards, policy):
    """A policy that the first plays of a hand are laid down for."""
    script = iter(cards)

    def play(situation):
        chosen = policy(situation)
        return next(script, chosen)

    return play


def test_what_others_have_played_is_taken_up_as_the_plain_engine_does():
    """Hands begun by other policies than those that go on, so that the script surprises them."""
    rng = random.Random("taken up")
    for deal in some_deals(rng, hands=240):
        trump, hands, lead = before_the_first_lead(deal, rng)
        rules, seating = deal.table.rules, deal.table.seating
        begun, _ = Deal(deal.table, rng.getrandbits(64), 0, rng.choice(PAIRS)).played_plainly(
            hands, trump, lead
        )
        cards = [card for trick in begun for card in trick.plays]
        given_lead = lead is not None
        done = rng.randrange(given_lead, len(cards) + 1)
        policy = after(cards[given_lead:done], deal.plain_policy())
        expected = deal.tricks_by(policy, hands, trump, lead)
        order = TrumpOrder(rules, trump)
        turns = by_turn(begun, seating, order)
        # The script ends before the next card, not before those who have none.
        places = [turn for turn, card in enumerate(turns) if card] + [len(turns)]
        script = script_of(turns[: places[done]], given_lead=given_lead)
        plays, _ = rolled_out(deal, trump, [hands], script)
        assert (plays[:, 0] >> 3).tolist() == by_turn(expected, seating, order), f"{deal} {done}"


def by_turn(tricks, seating, order):
    """The masks of what was played, turn by turn: 0 for those without a card."""
    turns = []
    for trick in tricks:
        card_of = dict(zip(trick.seats, trick.plays, strict=True))
        for i in range(seating.players):
            seat = (trick.seats[0] + i) % seating.players
            turns.append(order.mask([card_of[seat]] if seat in card_of else []))
    return turns + [0] * (HAND_SIZE * seating.players - len(turns))


def test_worlds_side_by_side_are_played_as_each_by_itself():
    rng = random.Random("worlds")
    for deal in some_deals(rng, hands=60):
        trump, hands, lead = before_the_first_lead(deal, rng)
        order = TrumpOrder(deal.table.rules, trump)
        tricks, _ = deal.played_plainly(hands, trump, lead)
        turns = by_turn(tricks, deal.table.seating, order)
        turns = turns[: rng.randrange(len(turns))]
        script = script_of(turns, given_lead=lead is not None)
        gone = {order.card_of[card] for card in turns if card}
        worlds = [redealt(hands, gone, rng) for _ in range(WIDTH)]
        plays, outcomes = rolled_out(deal, trump, worlds, script)
        for lane, world in enumerate(worlds):
            alone, outcome = rolled_out(deal, trump, [world], script)
            assert (alone[:, 0] == plays[:, lane]).all()
            assert outcome == outcomes[lane]


def redealt(hands, gone, rng):
    """Hands that differ in what their players still hold."""
    left = [card for hand in hands for card in hand if card not in gone]
    rng.shuffle(left)
    return [[card if card in gone else left.pop() for card in hand] for hand in hands]


def test_no_part_of_a_kernel_gives_back_an_array():
    """Nobody counts who holds it, so that it might be thrown away while in use."""
    plain = {"Lanes", "int", "float", "bool", "None", "tuple"}
    sources = Path(engine.__file__).parent.glob("*.py")
    nodes = [node for path in sources for node in ast.walk(ast.parse(path.read_text("utf-8")))]
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    parts = [f for f in functions if "inner" in map(ast.unparse, f.decorator_list)]
    assert len(parts) > 20
    for part in parts:
        names = {name.id for name in ast.walk(part.returns) if isinstance(name, ast.Name)}
        assert names <= plain, part.name
