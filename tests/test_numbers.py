"""The numbers that come out: exact where theory knows them, alike where symmetry says so."""

import json
import random
from itertools import permutations
from math import comb

import numpy as np
import pytest
from recordmaking import rules_of
from scipy import stats
from statistics_help import assert_probability, assert_same_mean, assert_same_probability

from pitchsim import evaluate
from pitchsim.analysis import Analysis
from pitchsim.cards import SUITS, full_deck
from pitchsim.engine.score import OTHERS_SHIFT, POINT_MASK, POINTS
from pitchsim.evaluating import make_study
from pitchsim.presets import load_preset, preset_names
from pitchsim.reference.play import legal_first_leads
from pitchsim.reference.scoring import points_taken, side_points
from pitchsim.reference.table import Table
from pitchsim.running import Stop, run
from pitchsim.simulation import Simulation

DEALS = 50_000
MANY_DEALS = 200_000


def point(result, name, lead):
    analysis = result.analysis
    option = [option.lead for option in result.study.options].index(lead)
    return round(analysis.points[name][option] * analysis.tally.deals)


@pytest.mark.parametrize("players", range(3, 8))
def test_my_king_is_high_if_the_ace_is_not_in_play(players):
    result = evaluate("KS 9S 4H 3D 8C 7C", "solo", players=players, deals=DEALS, seed=1, lead="KS")
    dealt = 6 * (players - 1)
    assert_probability(point(result, "high", "KS"), DEALS, comb(45, dealt) / comb(46, dealt))


@pytest.mark.parametrize("players", range(2, 8))
def test_a_king_under_jokers_is_high_as_often_as_without(players):
    result = evaluate(
        "KS 9S 4H 3D 8C 7C", "six-point", players=players, partners=False, deals=DEALS, seed=2,
        lead="KS",
    )  # fmt: skip
    assert_probability(point(result, "high", "KS"), DEALS, 1 - 6 * (players - 1) / 48)


def test_partners_have_high_unless_an_opponent_holds_the_ace():
    result = evaluate("KS 9S 4H 3D 8C 7C", "partners", deals=DEALS, seed=3, lead="KS")
    assert_probability(point(result, "high", "KS"), DEALS, 1 - 12 / 46)


@pytest.mark.parametrize("low_to", ["holder", "captor"])
def test_the_lowest_trump_of_all_led_is_low_for_its_holder_and_taken_by_its_captor(low_to):
    rules = rules_of("setback", low_to=low_to)
    result = evaluate("2S KH QH 3D 4D 5C", rules, players=2, deals=DEALS, seed=4, lead="2S")
    low = point(result, "low", "2S")
    if low_to == "holder":
        assert low == DEALS
    else:  # led, it is lost to any trump at all
        assert_probability(low, DEALS, comb(34, 6) / comb(46, 6))


@pytest.mark.parametrize("play", ["random", "basic"])
def test_a_lone_trump_in_play_is_high_low_and_jack(play):
    out = " ".join(card for card in full_deck(0) if card[1] == "S" and card != "JS")
    result = evaluate(
        "JS KH QH 3D 4D 5C",
        "auction",
        deals=2_000,
        seed=5,
        lead="JS",
        known=[f"-:{out}"],
        play=play,
    )
    for name in ("high", "low", "jack"):
        assert point(result, name, "JS") == 2_000
    assert result.analysis.make[0, result.study.bids.index("3")] == 1


@pytest.mark.parametrize("preset", preset_names())
def test_every_point_in_play_goes_to_one_side_at_most(preset):
    hand = "AS JS 10S 5S KH 2D"
    study = make_study(hand, preset, seed=6)
    outcomes = np.empty((1, len(study.options), 2_000), np.int32)
    Simulation(study).outcomes(0, outcomes)
    ours, theirs = outcomes & POINT_MASK, outcomes >> OTHERS_SHIFT & POINT_MASK
    assert not (ours & theirs).any()
    for name in ("high", "low"):
        assert ((ours | theirs) >> POINTS.index(name) & 1).all()
    played = sum(1 << POINTS.index(name) for name in study.rules.point_values)
    assert not ((ours | theirs) & ~(played | 3 | 1 << 10)).any()


@pytest.mark.parametrize("preset", preset_names())
def test_more_is_never_made_more_often(preset):
    result = evaluate("AS JS 10S 5S KH 2D", preset, deals=4_000, seed=7)
    numbers = [i for i, bid in enumerate(result.study.bids) if bid != "smudge"]
    assert (np.diff(result.analysis.make[:, numbers], axis=1) <= 0).all()
    np.testing.assert_allclose(result.analysis.pmf.sum(axis=1), 1)


def exchanged(hand, mapping):
    return " ".join(card[0] + mapping[card[1]] for card in hand.split())


def exchanged_suits(preset, mapping, play):
    """Evaluate a hand and the same with its suits exchanged, and hold them against each other."""
    hand = "AS JS TS 5S KC 2D"
    mapping = dict(zip(SUITS, mapping, strict=True))
    lead = "A" + mapping["S"]
    one = evaluate(hand, preset, play=play, deals=DEALS, seed=8, lead="AS")
    other = evaluate(exchanged(hand, mapping), preset, play=play, deals=DEALS, seed=9, lead=lead)
    for a, b in zip(one.analysis.made[0], other.analysis.made[0], strict=True):
        assert_same_probability(a, DEALS, b, DEALS)
    for name, p in one.analysis.points.items():
        q = other.analysis.points[name]
        assert_same_probability(round(p[0] * DEALS), DEALS, round(q[0] * DEALS), DEALS)


@pytest.mark.parametrize(
    ("preset", "mapping"),
    [
        ("partners", "DCSH"),
        ("solo", "HSCD"),
        ("ten-point", "DCHS"),  # the colours stay together
        ("ace-of-hearts", "DHCS"),  # hearts stay hearts
    ],
)
def test_exchanging_suits_changes_nothing(preset, mapping):
    exchanged_suits(preset, mapping, "random")


@pytest.mark.parametrize(
    ("preset", "mapping"),
    [("partners", "HSDC"), ("partners", "SDCH"), ("solo", "CHSD"), ("ten-point", "DCHS")],
)
def test_exchanging_suits_changes_nothing_in_basic_play(preset, mapping):
    exchanged_suits(preset, mapping, "basic")


@pytest.mark.parametrize(
    ("preset", "hand"),
    [("partners", "AS JS 9S K{} 4{} 3{}"), ("solo", "AS 2S T{} T{} K{} 5{}")],
)
def test_no_name_of_a_plain_suit_is_worth_anything(preset, hand):
    """It was worth up to 1.3 points of 100, when basic play parted with clubs before hearts."""
    suits = {"partners": (0, 0, 1), "solo": (0, 1, 2, 2)}[preset]
    made = []
    for seed, names in enumerate(permutations("HDC")):
        cards = hand.format(*(names[suit] for suit in suits))
        result = evaluate(cards, preset, deals=MANY_DEALS, seed=seed, trump="S", lead="AS", bid="4")
        made.append(int(result.analysis.made[0, 0]))
    assert_same_probability(max(made), MANY_DEALS, min(made), MANY_DEALS)


def reference_points(rules, seating, hand, lead, rng):
    """Deal and play one hand at random with Python's own random numbers."""
    unseen = [card for card in full_deck(rules.jokers) if card not in hand]
    rng.shuffle(unseen)
    hands = [hand, *(unseen[6 * i : 6 * i + 6] for i in range(seating.players - 1))]
    table = Table(rules, hands, 0, lead[1])
    table.play(lead)
    while table.to_move is not None:
        table.play(rng.choice(table.legal()))
    taken = points_taken(rules, seating, pitcher=0, trump=lead[1], hands=hands, tricks=table.tricks)
    return side_points(rules, seating, taken)


@pytest.mark.parametrize(
    ("preset", "players"), [("partners", 4), ("setback", 3), ("ten-point", 5), ("ace-of-hearts", 4)]
)
def test_random_play_means_the_same_to_the_reference_engine(preset, players):
    rules = load_preset(preset)
    seating = rules.seating(players)
    hand, lead = ["KS", "JS", "4S", "QH", "TH", "2D"], "KS"
    assert lead in legal_first_leads(rules, hand)
    rng = random.Random(10)
    plain = np.array([reference_points(rules, seating, hand, lead, rng) for _ in range(1_500)])
    result = evaluate(
        " ".join(hand), rules, players=players, play="random", deals=DEALS, seed=11, lead=lead
    )
    compiled = np.repeat(
        np.arange(rules.total + 1), np.round(result.analysis.pmf[0] * DEALS).astype(int)
    )
    assert_same_mean(plain[:, 0], compiled)
    counts = result.run.tally.counts
    others = counts[0, 0, result.study.columns.others] / DEALS
    error = stats.sem(plain[:, 1:].sum(axis=1))
    assert abs(plain[:, 1:].sum(axis=1).mean() - others) < 5.2 * error


def as_text(result):
    content = result.to_json(every_lead=True)
    for changing in ("seconds", "deals_per_second", "threads"):
        del content[changing]
    return json.dumps(content)


@pytest.mark.parametrize("precision", [None, 0.01])
def test_the_same_seed_gives_the_same_bytes_whatever_the_threads_and_chunks(precision):
    study = make_study("AS JS 10S 5S KH 2D", "partners", seed=12)
    stop = Stop(deals=20_000, precision=precision)
    tallies = [
        run(
            Simulation(study),
            stop,
            width=lambda t: Analysis(study, t).width,
            threads=threads,
            chunk=chunk,
        ).tally
        for threads, chunk in [(1, 4096), (2, 4096), (7, 4096), (1, 999), (7, 123), (2, 100_000)]
    ]
    for tally in tallies:
        assert tally.deals == tallies[0].deals
        for name in ("counts", "products"):
            assert (getattr(tally, name) == getattr(tallies[0], name)).all()
    texts = {
        as_text(
            evaluate(
                "AS JS 10S 5S KH 2D", deals=9_000, seed=12, threads=threads, precision=precision
            )
        )
        for threads in (1, 2, 7)
    }
    assert len(texts) == 1


def test_another_seed_gives_other_numbers():
    one = evaluate("AS JS 10S 5S KH 2D", deals=5_000, seed=13)
    other = evaluate("AS JS 10S 5S KH 2D", deals=5_000, seed=14)
    assert (one.analysis.made != other.analysis.made).any()


def coverage(samples, deals, truth_deals):
    """Count how often the 95 % intervals hold the truth: of P(make), and of a paired difference.

    Every sample is so many deals of one study, whose deals are all independent.
    """
    hand, leads = "KS JS 4S AH 3H 7D", ("KS", "AH")
    study = make_study(hand, "partners", play="random", seed=1)
    other_seed = make_study(hand, "partners", play="random", seed=1_000_000)
    truth = Analysis(study, run(Simulation(other_seed), Stop(truth_deals), width=lambda _: 0).tally)
    bid = study.bids.index("3")
    first, second = ([option.lead for option in study.options].index(lead) for lead in leads)
    true_ahead, _ = truth.behind(bid, first)
    inside = pairs_inside = 0
    for sample in range(samples):
        one = Analysis(study, Simulation(study).count(sample * deals, deals))
        low, high = one.interval
        inside += low[first, bid] <= truth.make[first, bid] <= high[first, bid]
        ahead, half = one.behind(bid, first)
        pairs_inside += abs(ahead[second] - true_ahead[second]) <= half[second]
    return inside, pairs_inside


def assert_coverage(samples, deals, truth_deals):
    for inside in coverage(samples, deals, truth_deals):
        # Five standard errors for chance; half a percent for counts being whole and truth a sample.
        assert abs(inside / samples - 0.95) < 5 * np.sqrt(0.95 * 0.05 / samples) + 0.005


def test_intervals_hold_the_truth_at_about_their_rate():
    assert_coverage(samples=4_000, deals=500, truth_deals=4_000_000)


@pytest.mark.long
def test_intervals_hold_the_truth_at_their_rate():
    assert_coverage(samples=40_000, deals=1_000, truth_deals=100_000_000)
