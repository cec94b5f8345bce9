"""The bidding rules: what each says, by hands counted by hand and by the table's own definition."""

from itertools import product

import numpy as np
import pytest
from bidding import BASIC, at, hand_masks, pairing_of, turn_at, words_said
from builttables import build_table, study_of
from scipy import stats
from statistics_help import ONE_IN_A_MILLION, assert_probability

from pitchsim.bidding import margin
from pitchsim.bidding.auction import hold_auctions
from pitchsim.bidding.biddingrules import AlwaysPass, AtRandom, PointCount, Threshold
from pitchsim.bidding.margin import DOUBT, NOBODY, OPPONENT, PARTNER, MarginBidder
from pitchsim.bidding.playing import Deals, Pitched, Seated, gains_of
from pitchsim.bidding.sources import WorthSource
from pitchsim.bidding.worths import Worths
from pitchsim.cards import SUITS
from pitchsim.tables.rows import ANY_LEAD

WEIGHTS = {"A": 4, "K": 3, "Q": 2, "J": 1, "guarded_jack": 5, "T": 0.5, "2": 1.5, "each": 0.25}
SIDE = {"A": 0.1, "T": 0.01}


@pytest.mark.parametrize(
    ("rule", "preset", "hand", "trump", "count"),
    [
        # Trumps of a rank, each of them, and side cards of other suits.
        (PointCount(WEIGHTS), "partners", "AS KS 9S 5H 3H 2C", "S", 4 + 3 + 3 * 0.25),
        (PointCount(WEIGHTS, SIDE), "partners", "AS KS 9S AH TH 2C", "S", 7.75 + 0.1 + 0.01),
        (PointCount(WEIGHTS, SIDE), "partners", "AS KS 9S AH TH 2C", "H", 4.5 + 2 * 0.25 + 0.1),
        (PointCount(WEIGHTS), "partners", "AS TS 2S 5H 3H 4C", "S", 4 + 0.5 + 1.5 + 0.75),
        # A jack alone, and one that has other trumps beside it.
        (PointCount(WEIGHTS), "partners", "JS 9H 8H 5D 3D 2C", "S", 1 + 0.25),
        (PointCount(WEIGHTS), "partners", "JS 9S 8H 5D 3D 2C", "S", 5 + 0.5),
        (PointCount(WEIGHTS, guards=2), "partners", "JS 9S 8H 5D 3D 2C", "S", 1 + 0.5),
        (PointCount(WEIGHTS, guards=2), "partners", "JS 9S 8S 5D 3D 2C", "S", 5 + 0.75),
        (PointCount(WEIGHTS, guards=0), "partners", "JS 9H 8H 5D 3D 2C", "S", 5 + 0.25),
        (PointCount({"J": 1, "each": 0.5}), "partners", "JS 9S 8H 5D 3D 2C", "S", 2),
        # Prizes: the off-jack guards and is one; jokers, the three worth three, pedro and his like.
        (PointCount({"J": 1, "guarded_jack": 5}), "five-point", "JS JC 8H 5D 3D 2H", "S", 5),
        (PointCount({"prize": 2}), "five-point", "JS JC 8H 5D 3D 2H", "S", 2),
        (PointCount({"prize": 2}), "five-point", "JS JC 8H 5D 3D 2H", "C", 2),
        (PointCount({"prize": 2}), "five-point", "JS JC 8H 5D 3D 2H", "H", 0),
        (PointCount({"prize": 2}), "ten-point", "HJ LJ 3S JC 5D 2H", "S", 2 * (1 + 1 + 3 + 1)),
        (PointCount({"prize": 2, "3": 1}), "ten-point", "HJ LJ 3S JC 5D 2H", "S", 13),
        (PointCount({"each": 1}), "ten-point", "HJ LJ 3S JC 5D 2H", "S", 4),
        (PointCount({"prize": 1}), "pedro", "5S 5C 5H AD KD 2D", "S", 2 + 3),
        (PointCount({"prize": 1, "A": 2}), "ace-of-hearts", "AH KH 2H 5D KD 2D", "H", 1 + 2),
        # The off-jack is no side card where it is a trump.
        (PointCount({"J": 1}, {"J": 0.5}), "five-point", "JC AS 8H 5D 3D 2H", "S", 0),
        (PointCount({"J": 1}, {"J": 0.5}), "partners", "JC AS 8H 5D 3D 2H", "S", 0.5),
    ],
)
def test_what_cards_count(rule, preset, hand, trump, count):
    playing = at(preset)
    counts = rule.bidder(playing, BASIC).count(hand_masks(hand))
    assert counts.shape == (4, 1)
    assert counts[SUITS.index(trump), 0] == pytest.approx(count)


def test_a_suit_that_cannot_be_pitched_counts_nothing():
    bidder = PointCount({"prize": 1, "each": 1}).bidder(at("ten-point"), BASIC)
    counts = bidder.count(hand_masks("HJ LJ AS KS 3D 2D"))[:, 0]
    assert np.isneginf(counts[[SUITS.index("H"), SUITS.index("C")]]).all()
    assert np.isfinite(counts[[SUITS.index("S"), SUITS.index("D")]]).all()


def said_by(rule, hand, *calls, playing=None):
    playing = playing or at()
    bidder = rule.bidder(playing, BASIC)
    return words_said(playing, bidder.call(turn_at(playing, [hand], calls)))[0]


THREE = "AS KS 2S 9H 8D 7C"


def test_a_count_is_what_it_bids():
    rule = PointCount({"A": 1, "K": 1, "2": 1})
    assert said_by(rule, THREE) == "3"
    assert said_by(rule, THREE, "2") == "3"
    assert said_by(rule, THREE, "3") == "pass"
    assert said_by(rule, THREE, "pass", "pass", "3") == "3"  # the dealer steals
    assert said_by(rule, THREE, "pass", "pass", "3", playing=at(dealer_steals="no")) == "pass"
    assert said_by(rule, THREE, "pass", "pass", "pass") == "2"  # and bids no more than needed
    assert said_by(rule, "9S 8S 7S 9H 8D 7C", "pass", "pass", "pass") == "2"  # but must bid so much
    assert said_by(PointCount({"A": 1, "K": 1, "2": 1}, a_point=1.5), THREE) == "2"
    assert said_by(PointCount({"A": 1, "K": 1, "2": 1}, a_point=1.6), THREE) == "pass"


def test_a_smudge_asks_for_so_many_times_all_the_points():
    rule = PointCount({"A": 2, "K": 2, "2": 2})
    assert said_by(rule, THREE) == "smudge"
    assert said_by(PointCount({"A": 2, "K": 2, "2": 2}, smudge=1.5), THREE) == "smudge"
    assert said_by(PointCount({"A": 2, "K": 2, "2": 2}, smudge=1.51), THREE) == "4"
    four_point = at("four-point")  # where the highest number is the smudge
    assert said_by(
        PointCount({"A": 1, "K": 1, "2": 1}, smudge=0.75), THREE, playing=four_point
    ) == ("smudge")


def test_a_count_pitches_the_suit_that_counts_most_and_leaves_the_lead():
    bidder = PointCount({"A": 1, "K": 1}).bidder(at(), BASIC)
    hands = hand_masks("AS 9S 8S AH KH 2C", "AS 9S 8S 7S KH 2C")
    contracts = bidder.contract(hands, np.array([1, 1]), np.array([0, 1]))
    assert [SUITS[trump] for trump in contracts.trumps] == ["H", "S"]
    assert (contracts.leads == ANY_LEAD).all()
    assert np.isnan(contracts.chances).all()


class Known:
    """Worths that are given: the chances and the margins of every hand."""

    def __init__(self, chances=None, margins=None):
        self.chances, self.margins = chances, margins

    def worths(self, hands):
        rows = [
            None if of is None else np.tile(np.array(of, np.float32), (len(hands), 1))
            for of in (self.chances, self.margins)
        ]
        return Worths(*rows)


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    place = tmp_path_factory.mktemp("tables") / "partners.parquet"
    build_table(place, study_of("holding"))
    return WorthSource(place)


@pytest.mark.parametrize("chance", [0.0, 0.3, 0.7, 1.0])
def test_the_limit_of_a_threshold_is_the_highest_bid_likely_enough(table, chance):
    playing = at()
    hands = pairing_of(playing).deals(0, 300, 0).hands[:, 0]
    chances = table.worths(playing.rules, playing.seating, "basic").worths(hands).chances
    bidder = Threshold(chance, table).bidder(playing, BASIC)
    turn = turn_at(playing, [THREE])
    first = type(turn)(
        playing.ladder,
        playing.seating,
        np.arange(len(hands)),
        hands,
        np.zeros((len(hands), 0), np.int64),
        np.zeros((len(hands), 2), np.int64),
    )
    for said, of in zip(bidder.call(first).tolist(), chances.tolist(), strict=True):
        enough = [place for place, value in enumerate(of, start=1) if value >= np.float32(chance)]
        assert said == max(enough, default=0)


def passing(playing, nobody=0.0, partner=0.0, opponent=0.0, slope=0.0):
    table = np.zeros((playing.seating.players, len(playing.ladder.words), 3, 2))
    for state, gains in ((NOBODY, nobody), (PARTNER, partner), (OPPONENT, opponent)):
        table[..., state, :] = gains, slope
    return table


def margin_says(margins, *calls, edge=0.0, playing=None, **worth):
    playing = playing or at()
    bidder = MarginBidder(Known(margins=margins), passing(playing, **worth), edge)
    return words_said(playing, bidder.call(turn_at(playing, [THREE], calls)))[0]


def test_the_highest_bid_that_gains_more_than_passing():
    margins = [2.0, 1.5, 0.5, -3.0]
    assert margin_says(margins) == "4"
    assert margin_says(margins, nobody=0.5) == "3"  # more, not as much
    assert margin_says(margins, nobody=2.5) == "pass"
    assert margin_says(margins, edge=1.0) == "3"
    assert margin_says(margins, edge=1.4999) == "3"
    assert margin_says(margins, edge=1.5) == "2"
    assert margin_says(margins, edge=-4.0) == "smudge"
    assert margin_says(margins, "3") == "4"
    assert margin_says(margins, "4") == "pass"
    assert margin_says(margins, "4", opponent=-3.5) == "smudge"
    assert margin_says(margins, "2", opponent=1.0) == "3"
    assert margin_says(margins, "2", "pass", partner=1.0) == "3"
    assert margin_says(margins, "2", "pass", partner=1.6, opponent=-9) == "pass"
    assert margin_says(margins, "2", "3", partner=9.0, opponent=0.4) == "4"
    # Passing is worth more with a good hand, whose best bid gains 2 points here.
    assert margin_says(margins, slope=0.5) == "3"
    assert margin_says(margins, slope=0.5, nobody=0.4) == "3"
    assert margin_says(margins, slope=0.5, nobody=0.6) == "2"
    assert margin_says(margins, slope=0.5, nobody=1.0) == "pass"
    alone = at("solo", forced_bid="none")  # there are no partners where each plays alone
    assert margin_says(margins, "2", "pass", partner=9.0, playing=alone) == "3"


def test_the_dealer_takes_what_gains_most():
    margins = [2.0, 1.5, 0.5, -3.0]
    assert margin_says(margins, "pass", "pass", "pass") == "2"
    assert margin_says([-2.0, -1.0, -3.0, -4.0], "pass", "pass", "pass") == "3"  # must bid
    assert margin_says(margins, "pass", "pass", "3") == "3"
    assert margin_says(margins, "pass", "pass", "3", playing=at(dealer_steals="no")) == "4"
    assert margin_says(margins, "pass", "pass", "3", opponent=1.6) == "pass"
    assert margin_says(margins, "pass", "3", "pass", partner=1.6) == "pass"
    may_pass = at(forced_bid="none")
    low = [-2.0, -1.0, -3.0, -4.0]
    assert margin_says(low, "pass", "pass", "pass", playing=may_pass) == "pass"


def test_what_passing_is_worth_is_learned_where_it_comes_up(monkeypatch):
    monkeypatch.setattr(margin, "LEARNING_DEALS", 2_000)
    monkeypatch.setattr(margin, "ROUNDS", 1)
    playing = at(forced_bid="none")
    bidding_three = _Pitching(margins=[1.0, 1.0, -1.0, -1.0], chances=[0.5] * 4)
    learned = margin.what_passing_is_worth(playing, bidding_three, BASIC)
    # All bid 3, and the dealer steals it, an opponent of the first and third. If the dealer passes
    # it is left to the first.
    numbers = np.arange(2_000)
    dealers = numbers % 4
    deals = Deals(numbers, dealers, playing.deal(0, 2_000))
    dealer_gains = _gains_at_three(playing, bidding_three, deals, dealers).sum()
    first_gains = _gains_at_three(playing, bidding_three, deals, (dealers + 1) % 4).sum()
    expected = np.zeros((4, len(playing.ladder.words), 3, 2))
    expected[0, 0, NOBODY] = expected[2, 2, PARTNER] = -dealer_gains
    expected[1, 2, OPPONENT] = dealer_gains
    expected[3, 2, OPPONENT] = -first_gains
    # The best margin is 1 in every deal, and so level and slope have half each.
    assert learned == pytest.approx(expected / (2 * 2_000 + DOUBT), abs=1e-12)
    assert abs(dealer_gains) > 200


def _gains_at_three(playing, worths, deals, pitchers):
    """What the sides of these pitchers gain on the others if they play for 3, deal by deal."""
    calls = np.full(len(pitchers), playing.ladder.words.index("3"))
    contracts = worths.contracts(deals.hands[np.arange(len(pitchers)), pitchers], calls)
    seated = Seated([None], [BASIC], np.zeros(deals.hands.shape, np.int64))
    _, changes = playing.play(Pitched(deals, pitchers, calls, contracts), seated)
    return np.where(pitchers % 2, -1, 1) * (changes[:, 0] - changes[:, 1])


def test_what_passing_is_worth_is_learned_again_with_what_was_learned(monkeypatch):
    monkeypatch.setattr(margin, "LEARNING_DEALS", 2_000)
    playing = at(forced_bid="none")
    hopeful = _Pitching(margins=[0.3, 0.2, 0.1, -1.0], chances=[0.5] * 4)
    monkeypatch.setattr(margin, "ROUNDS", 1)
    once = margin.what_passing_is_worth(playing, hopeful, BASIC)
    monkeypatch.setattr(margin, "ROUNDS", 2)
    twice = margin.what_passing_is_worth(playing, hopeful, BASIC)
    deals = Deals(np.arange(2_000), np.arange(2_000) % 4, playing.deal(0, 2_000))
    knowing = MarginBidder(hopeful, once)
    again = [margin._passing_at(playing, place, knowing, BASIC, deals) for place in range(4)]
    assert np.array_equal(twice, np.stack(again))
    assert not np.array_equal(twice, once)


def test_lines_are_laid_by_least_squares():
    rng = np.random.default_rng(3)
    calls, count = 4, 900
    state = rng.integers(0, calls - 1, count), rng.integers(0, 3, count)
    best = rng.normal(0.5, 2, count)
    gains = 0.3 * state[0] - 0.7 * state[1] + 0.4 * best + rng.normal(0, 1, count)
    lines = margin._lines(state, best, gains, calls)
    assert not lines[-1].any()  # where nothing was seen
    for call, who in product(range(calls - 1), range(3)):
        there = (state[0] == call) & (state[1] == who)
        # Doubt is so many more deals in which a pass gains nothing, for either coefficient.
        seen = np.stack([np.ones(there.sum()), best[there]], axis=1)
        seen = np.concatenate([seen, np.sqrt(DOUBT) * np.eye(2)])
        expected = np.linalg.lstsq(seen, np.append(gains[there], [0, 0]), rcond=None)[0]
        assert lines[call, who] == pytest.approx(expected)


def test_passing_with_a_better_hand_is_worth_more():
    """What is learned in deals foretells what passing brings in other deals, for good and bad."""
    playing = at()
    worths = WorthSource(deals=100).worths(playing.rules, playing.seating, "basic")
    learned = margin.what_passing_is_worth(playing, worths, BASIC)
    bidder = MarginBidder(worths, learned)
    count = 4_000
    numbers = np.arange(count)
    deals = Deals(numbers, numbers % 4, playing.deal(margin.LEARNING_DEALS, count))
    hands = deals.by_place
    everybody = np.zeros(hands.shape, np.int64)
    passed = playing.first_turn(deals).then(np.zeros(count, np.int64))
    auctions = hold_auctions(passed, hands, [bidder], everybody, np.zeros((count, 4, 2), np.int64))
    results = playing.finish(deals, auctions, Seated([bidder], [BASIC], everybody))
    gains = gains_of(results.changes, deals.seats[:, 0])
    best = worths.worths(hands[:, 0]).margins.max(axis=1)
    level, slope = learned[0, 0, NOBODY]
    assert slope > 0
    for half in (best < np.median(best), best >= np.median(best)):
        off = gains[half] - (level + slope * best[half])
        # The learning erred, too: by as much as a sample of its size does.
        error = off.std() * np.sqrt(1 / half.sum() + 2 / margin.LEARNING_DEALS)
        assert abs(off.mean()) < 5 * error


def test_where_all_pass_a_pass_is_worth_nothing(monkeypatch):
    monkeypatch.setattr(margin, "LEARNING_DEALS", 500)
    playing = at("setback")
    hopeless = _Pitching(margins=[-9.0] * 4, chances=[0.0] * 4)
    assert not margin.what_passing_is_worth(playing, hopeless, BASIC).any()


class _Pitching(Known):
    def contracts(self, hands, _calls):
        return AlwaysPass().bidder(at(), BASIC).contract(hands, None, None)


def test_who_always_passes_pitches_only_when_forced():
    playing = at("partners")
    tally = pairing_of(playing, [AlwaysPass().bidder(playing, BASIC)] * 2).count(0, 100)
    assert tally.levels[:, 1, 0].sum() == 200
    assert tally.thrown_in == 0
    playing = at("setback")
    tally = pairing_of(playing, [AlwaysPass().bidder(playing, BASIC)] * 2).count(0, 100)
    assert tally.thrown_in == 200
    assert not tally.changes[
        :, np.arange(tally.changes.shape[1]) != tally.changes.shape[1] // 2
    ].any()


def test_the_longest_suit_is_pitched():
    bidder = AlwaysPass().bidder(at("ten-point"), BASIC)
    hands = hand_masks("2S 3S 4S AH KH QH", "2S 3S 4S 5S AH KH", "HJ LJ JC AS 2D 3D")
    trumps = bidder.contract(hands, None, None).trumps
    assert [SUITS[trump] for trump in trumps] == ["H", "S", "S"]


@pytest.mark.parametrize(
    ("calls", "passes"), [((), 0.3), (("2",), 0.8), (("pass",) * 3, 0.5), (("4",), 0.0)]
)
def test_at_random_every_legal_bid_is_as_likely(calls, passes):
    playing, trials = at(), 20_000
    turn = turn_at(playing, [THREE] * trials, calls)
    said = AtRandom(passes).bidder(playing, BASIC).call(turn)
    legal = turn.legal[0]
    counts = np.bincount(said, minlength=len(legal))
    assert not counts[~legal].any()
    assert_probability(counts[0], trials, passes if legal[0] else 0.0)
    bids = counts[1:][legal[1:]]
    if len(bids) > 1:
        assert stats.chisquare(bids).pvalue > ONE_IN_A_MILLION


def test_at_random_depends_on_deal_place_and_seed():
    playing = at()
    bidder = AtRandom(0.5).bidder(playing, BASIC)
    first = bidder.call(turn_at(playing, [THREE] * 400))
    second = bidder.call(turn_at(playing, [THREE] * 400, ("pass",)))
    other = AtRandom(0.5).bidder(at(seed=8), BASIC).call(turn_at(playing, [THREE] * 400))
    assert np.array_equal(first, bidder.call(turn_at(playing, [THREE] * 400)))
    for one in (second, other):
        assert 0.2 < (first == one).mean() < 0.6
        table = np.histogram2d(first > 0, one > 0, 2)[0]
        assert stats.fisher_exact(table).pvalue > ONE_IN_A_MILLION


def test_who_passes_for_sure_passes():
    playing = at()
    assert not AtRandom(1.0).bidder(playing, BASIC).call(turn_at(playing, [THREE] * 1000)).any()
    forced = turn_at(playing, [THREE] * 1000, ("pass",) * 3)
    assert AtRandom(1.0).bidder(playing, BASIC).call(forced).all()


def test_decimals_count_as_they_are_written():
    """As binary fractions .9 + .6 + .3 and such sums are a little less than what they say."""
    rule = PointCount({"A": 0.9, "K": 0.6, "J": 0.5, "each": 0.3}, side={"A": 0.1, "T": 0.1})
    hand = "6S AS TD AC TC 6C"  # clubs: .9 + 3 * .3, and .1 each for AS and TD
    assert said_by(rule, hand, "pass") == "2"
