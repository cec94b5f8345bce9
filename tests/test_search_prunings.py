"""The search without each of its prunings finds the same: none of them changes an answer."""

import importlib.util
import random
import sys
from pathlib import Path

import numpy as np
import pytest
from recordmaking import rules_of

from pitchsim.cards import full_deck
from pitchsim.encoding import encode_setting
from pitchsim.engine import MOST_PLAYERS, doubledummy, search, solve_position
from pitchsim.engine.jit import inner
from pitchsim.known import Known
from pitchsim.order import TrumpOrder
from pitchsim.study import options_of

pytestmark = pytest.mark.long

LIMIT = 2_000_000_000


@inner
def nothing_is_above(cards):
    """No trump is sure to win, so that a bound counts on all that is left."""
    return cards & 0


@inner
def no_entry_is_of_it(searched, position, entry):
    return False


@inner
def only_the_same_leads(leads, others):
    return leads == others


@inner
def every_card(searched, setting, position, cards):
    return cards


@inner
def in_no_order(searched, setting, position, plays):
    """Write every card that may be played, from the lowest."""
    seat = search.next_seat(setting, position[search.LEADER], position[search.TURN])
    hand = position[search.LEFT] & searched.hands[seat]
    cards = search.legal_of(setting, hand, position[search.LED], position[search.FOLLOWERS])
    count = 0
    while cards:
        card = search.lowest(cards)
        cards ^= card
        plays[count] = card
        count += 1
    return count


@inner
def judge_at_the_end(searched, setting, position, every_trick):
    """Answer when no card is left, or a trick of every trick is lost: no bounds and no table."""
    position[search.SLOT] = -1
    if every_trick and position[search.WINNER] & setting.side_mask != 0:
        return search.NO
    if position[search.LEFT] != 0:
        return search.UNDECIDED
    need = position[search.NEED]
    totals = position[search.TOTALS]
    lead = (totals & search.TOTAL) - search.most_of_others(setting, totals)
    if position[search.DECIDED] == 0 and lead + setting.tie_to_pitcher > 0:
        need -= setting.game_worth
    return search.YES if need <= 0 else search.NO


PRUNINGS = {
    "the bounds by masters": {"above_all": nothing_is_above},
    "the table": {"is_of": no_entry_is_of_it},
    "more card points never hurt": {"as_good": only_the_same_leads},
    "equals": {"without_equals": every_card},
    "the order": {"order_plays": in_no_order},
}


def load_again(module):
    """Load a module a second time, with nothing of it compiled."""
    spec = importlib.util.spec_from_file_location(f"{module.__name__}_again", Path(module.__file__))
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def solver_without(monkeypatch, replaced):
    """Make a solver whose search has other functions in place of some of its own."""
    with monkeypatch.context() as patch:
        patch.setattr("pitchsim.engine.jit.FOLDER", None)  # never kept in place of the real one
        again = load_again(search)
        for name, function in replaced.items():
            assert hasattr(again, name)
            setattr(again, name, function)
        patch.setitem(sys.modules, search.__name__, again)
        return load_again(doubledummy).solve_position


def whole_deals(name, players, count, **changes):
    """Deal at random: the setting, the hands and the leads of deals, as the solver takes them."""
    rules = rules_of(name, **changes)
    seating = rules.seating(players)
    chance = random.Random(f"{name}, {players}")
    for _ in range(count):
        deck = chance.sample(full_deck(rules.jokers), 6 * players)
        dealt = [deck[6 * seat : 6 * seat + 6] for seat in range(players)]
        option = chance.choice(options_of(rules, dealt[0]))
        order = TrumpOrder(rules, option.trump)
        hands = np.zeros(MOST_PLAYERS, np.int64)
        hands[:players] = [order.mask(hand) for hand in dealt]
        leads = [o.lead for o in options_of(rules, dealt[0], option.trump)]
        setting = encode_setting(rules, seating, Known(), option.trump, dealer=0, told=Known())
        yield setting, hands, np.array([order.mask([lead]) for lead in leads], np.int64)


def solved(solver, setting, hands, leads):
    """What each lead is worth, in points and as a smudge, and the nodes that it took."""
    points, smudges = np.zeros((2, leads.size), np.int64)
    nodes = solver(setting, hands, np.zeros(0, np.int64), leads, LIMIT, points, smudges)
    assert points.min() >= 0
    return (points.tolist(), smudges.tolist()), nodes


def assert_same_answers(monkeypatch, replaced, deals):
    plain = solver_without(monkeypatch, replaced)
    pruned_nodes = plain_nodes = 0
    for deal in deals:
        answers, nodes = solved(solve_position, *deal)
        same_answers, more_nodes = solved(plain, *deal)
        assert same_answers == answers
        pruned_nodes += nodes
        plain_nodes += more_nodes
    assert plain_nodes > pruned_nodes  # the pruning was there, and is off


@pytest.mark.parametrize("pruning", PRUNINGS)
def test_no_pruning_changes_an_answer(monkeypatch, pruning):
    deals = [
        *whole_deals("partners", 4, 30),
        *whole_deals("partners", 4, 10, smudge="both", game_tie="pitcher"),
        *whole_deals("solo", 4, 10),
        *whole_deals("ten-point", 4, 10, joker_rank="lowest"),
        *whole_deals("setback", 3, 20),
        *whole_deals("ace-of-hearts", 3, 20),
    ]
    assert_same_answers(monkeypatch, PRUNINGS[pruning], deals)


def test_without_any_bound_or_table_two_hands_come_out_the_same(monkeypatch):
    names = ("setback", "ten-point", "nine-point", "ace-of-hearts")
    deals = [deal for name in names for deal in whole_deals(name, 2, 40)]
    assert_same_answers(monkeypatch, {"judge": judge_at_the_end}, deals)
