"""What tables count is what `pitchsim hand` counts, and what random hands give."""

import json
import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from builttables import holding_row
from statistics_help import assert_same_mean, assert_same_probability

from pitchsim.cards import ALL_CARDS, SUITS, format_hand, full_deck
from pitchsim.evaluating import make_study
from pitchsim.hands import mask_of
from pitchsim.order import TrumpOrder
from pitchsim.presets import load_preset, preset_names
from pitchsim.simulation import Simulation
from pitchsim.tables.counting import TableCounter
from pitchsim.tables.rows import HandRows
from pitchsim.tables.tablestudy import TableStudy

pytestmark = pytest.mark.usefixtures("warm")

SETTINGS = {
    "pitched": {},
    "declared": {"trump_choice": "declared"},
    "drawn": {"trump_choice": "declared", "draw": True},
}


def study_of(rules, by="hand", players=None, play="basic", seed=7, **settings):
    rule_set = load_preset(rules).changed(settings)
    return TableStudy(rule_set, rule_set.seating(players), by, play=play, seed=seed)


def some_rows(study, count):
    return sorted(random.Random(count).sample(range(study.rows.count), count))


def assert_as_hand_counts(study, row, first, deals):
    """Hold a row to what `pitchsim hand` counts with the row's hand and seed."""
    table = TableCounter(study).count((row, row + 1), (first, first + deals))
    of_row = study.row(row)
    by_hand = make_study(
        format_hand(of_row.known.cards_of(0)),
        study.rules,
        players=study.seating.players,
        partners=study.seating.partners,
        play=study.play,
        seed=of_row.seed,
    )
    assert of_row.identity == by_hand.identity
    assert np.array_equal(table, Simulation(by_hand).count(first, deals).counts)


@pytest.mark.parametrize(
    ("rules", "players", "rows"), [("partners", 4, 100), ("ten-point", 4, 20), ("solo", 5, 20)]
)
def test_random_rows_count_what_a_hand_counts(rules, players, rows):
    study = study_of(rules, players=players)
    for row in some_rows(study, rows):
        assert_as_hand_counts(study, row, 0, 40)
        assert_as_hand_counts(study, row, 1_234_567, 9)


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
@pytest.mark.parametrize("rules", preset_names())
def test_every_preset_counts_what_a_hand_counts(rules, settings):
    study = study_of(rules, **settings)
    for row in some_rows(study, 2):
        assert_as_hand_counts(study, row, 5, 20)


@pytest.mark.parametrize("play", ["random", "double-dummy", "expert"])
def test_every_play_counts_what_a_hand_counts(play):
    study = study_of("partners", play=play)
    for row in some_rows(study, 2):
        assert_as_hand_counts(study, row, 1, 2)


def test_many_rows_at_once_and_many_deals_are_the_sum_of_single_ones():
    counter = TableCounter(study_of("ten-point"))
    whole = counter.count((500_000, 500_040), (3, 2_003))
    rows = [counter.count((row, row + 1), (3, 2_003)) for row in range(500_000, 500_040)]
    assert np.array_equal(whole, np.concatenate(rows))
    deals = [
        counter.count((500_000, 500_040), span) for span in ((3, 4), (4, 1_500), (1_500, 2_003))
    ]
    assert np.array_equal(whole, sum(deals))


def test_pitchsim_hand_says_what_the_row_says(pitchsim):
    study = study_of("partners")
    (row,) = some_rows(study, 1)
    of_row = study.row(row)
    hand = format_hand(of_row.known.cards_of(0))
    said = json.loads(
        pitchsim("hand", hand, "--seed", of_row.seed, "--deals", 500, "--json", "--leads").out
    )
    counts = TableCounter(study).count((row, row + 1), (0, 500))[:, 0]
    taken = counts[:, study.columns.taken] / 500
    found = {(o["trump"], o["lead"]): o["pmf"] for o in said["options"]}
    for option, probabilities in zip(of_row.options, taken, strict=True):
        assert found[option.trump, option.lead] == pytest.approx(probabilities)


def test_without_compilation_it_counts_the_same():
    code = (
        "from test_table_counts import *; "
        "print(TableCounter(study_of('ten-point')).count((77_777, 77_778), (2, 5)).tolist())"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parent,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    compiled = TableCounter(study_of("ten-point")).count((77_777, 77_778), (2, 5))
    assert json.loads(run.stdout) == compiled.tolist()


# --- averaged over all hands it is what random hands give ---------------------------------------


class ChosenHands(HandRows):
    """Rows of any hands, also of such as are another's but for the names of suits."""

    def __init__(self, rules, hands):
        super().__init__(rules)
        object.__setattr__(self, "hands", hands)

    def cards(self, first, end):
        return self.hands[first:end]


def played(study, hands, deals=1):
    """Play some deals of each hand; returns int64[options, columns], and what the options are."""
    study = replace(study)  # without what it has worked out, for its rows are to be others
    study.__dict__["rows"] = rows = ChosenHands(study.rules, hands)
    counts = TableCounter(study).count((0, len(hands)), (0, deals))[:, 0]
    return counts, rows.records(0, len(hands))


def means(study, hands):
    """Average a deal of each hand over its options, so that the names of suits mean nothing."""
    counts, records = played(study, hands)
    rows, options = np.unique(records.rows, return_counts=True)
    return np.add.reduceat(counts, np.searchsorted(records.rows, rows)) / options[:, None]


def random_hands(cards, size, count, seed):
    """Deal some of the cards: those for which the least of random numbers were drawn."""
    drawn = np.random.default_rng(seed).random((count, len(cards))).argpartition(size)[:, :size]
    return np.array([mask_of([card]) for card in cards])[drawn].sum(axis=1)


def assert_same_columns(names, ours, theirs):
    for name, one, other in zip(names, ours.T, theirs.T, strict=True):
        if np.ptp(one) or np.ptp(other):
            try:
                assert_same_mean(one, other)
            except AssertionError as error:
                raise AssertionError(f"{name}: {error}") from None


@pytest.mark.parametrize(
    ("rules", "hands"),
    [
        ("partners", 20_000),
        ("ten-point", 20_000),
        ("ace-of-hearts", 20_000),
        *(pytest.param(rules, 100_000, marks=pytest.mark.long) for rules in preset_names()),
    ],
)
def test_rows_by_their_multiplicity_give_what_random_hands_give(rules, hands):
    study = study_of(rules)
    rows = np.random.default_rng(1).choice(study.rows.count, hands, replace=False)
    weights = study.rows.index.multiplicity(rows)[:, None] * 1.0
    weights /= weights.mean()
    ours = means(study, study.rows.index.hands_at(rows))
    mean = (weights * ours).mean(axis=0)
    deck = full_deck(study.rules.jokers)
    theirs = means(study, random_hands(deck, 6, hands, seed=2))
    assert_same_columns(study.columns.names, mean + weights * (ours - mean), theirs)


@pytest.mark.parametrize(
    ("rules", "trump", "holding"),
    [
        ("partners", "S", "AS JS 5S"),
        ("partners", "S", "7S"),
        ("ten-point", "H", "QH JD 9H 3H"),
        ("ace-of-hearts", "C", "KC 2C"),
    ],
)
def test_a_holding_is_worth_what_the_hands_with_it_are_on_average(rules, trump, holding):
    study = study_of(rules, by="holding")
    held = holding.split()
    row, _ = holding_row(study, trump, held)
    options = study.row(row).options
    deals = 20_000
    by_holding = TableCounter(study).count((row, row + 1), (0, deals))[:, 0]

    trump, held = study.rows.holdings[row]
    trumps = TrumpOrder(study.rules, trump).trumps
    others = [card for card in full_deck(study.rules.jokers) if card not in trumps]
    # The same hand twice would have the same deals, so of few hands there are many deals each.
    hands = np.unique(mask_of(held) | random_hands(others, 6 - len(held), deals, seed=3))
    each = max(1, deals // len(hands))
    counts, records = played(study_of(rules), hands, each)
    points = np.arange(study.rules.total + 1)
    for option, ours in zip(options, by_holding, strict=True):
        theirs = counts[
            (records.trumps == SUITS.index(option.trump))
            & (records.leads == ALL_CARDS.index(option.lead))
        ]
        assert len(theirs) == len(hands)
        taken = study.columns.taken
        assert_same_mean(
            np.repeat(points, ours[taken]), np.repeat(points, theirs[:, taken].sum(axis=0))
        )
        for column in range(study.columns.points.start, study.columns.points.stop):
            assert_same_probability(
                int(ours[column]), deals, int(theirs[:, column].sum()), len(hands) * each
            )
