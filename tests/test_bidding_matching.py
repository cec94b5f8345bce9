"""Matches: their statistics, and that nothing but the plan decides the numbers."""

import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from bidding import RANDOM, HighestTrump, at, pairing_of, random_bidder
from builttables import build_table, study_of
from scipy import stats
from statistics_help import ONE_IN_A_MILLION, assert_probability

from pitchsim.bidding import biddingrules
from pitchsim.bidding.biddingrules import AlwaysPass, AtRandom, Margin, PointCount, Threshold
from pitchsim.bidding.holdings import Holdings
from pitchsim.bidding.playing import Player
from pitchsim.bidding.sources import WorthSource
from pitchsim.bidding.strategy import Strategy, facts_of
from pitchsim.errors import StrategyError, StudyError
from pitchsim.intervals import Z95, Estimate, wilson
from pitchsim.matches.matching import MatchPlan, plan_matches, play_matches
from pitchsim.matches.result import Match, difference_of
from pitchsim.matches.tally import D, N, W
from pitchsim.presets import load_preset

COUNT = PointCount({"A": 1.0, "K": 0.8, "J": 0.6, "2": 0.5, "each": 0.3})
COUNTING = Strategy("counting", COUNT)
PASSING = Strategy("passing", AlwaysPass())
AT_RANDOM = Strategy("at random", AtRandom(0.9))


@pytest.fixture(scope="module")
def looking_up(tmp_path_factory):
    """Two strategies that look hands up, in a table whose counts mean nothing."""
    place = tmp_path_factory.mktemp("tables") / "partners.parquet"
    build_table(place, study_of("holding"))
    source = WorthSource(place)
    return [Strategy("bold", Threshold(0.75, source)), Strategy("margin", Margin(1.5, source))]


def plan_of(*strategies, preset="partners", players=None, partners=None, seed=7, **asked):
    rules = load_preset(preset)
    return plan_matches(strategies, rules, rules.seating(players, partners), seed=seed, **asked)


def numbers(result):
    """All that is found, as text."""
    frames = (result.frame, result.levels, result.changes, result.calibration, result.convergence)
    return [frame.to_csv() for frame in frames]


@pytest.mark.parametrize("asked", [{"hands": 1_000}, {"games": 20}])
def test_a_strategy_against_itself_is_even(looking_up, asked):
    for strategy in (*looking_up, COUNTING, PASSING, AT_RANDOM):
        plan = plan_of(strategy, replace(strategy, name="the same"), **asked)
        (match,) = play_matches(plan).matches
        assert match.difference.mean == 0
        assert match.difference.too_close
        assert match.needed is None
        assert match.share is None or match.share.mean == 0.5


def test_the_other_way_round_is_the_opposite(looking_up):
    for asked in ({"hands": 1_000}, {"games": 40}):
        one = play_matches(plan_of(COUNTING, looking_up[0], **asked))
        other = play_matches(plan_of(looking_up[0], COUNTING, **asked))
        assert one.matches[0].difference.mean == -other.matches[0].difference.mean != 0
        assert one.matches[0].difference.half_width == other.matches[0].difference.half_width
        first = one.frame.sort_values("one").reset_index(drop=True)
        second = other.frame.sort_values("one").reset_index(drop=True)
        pd.testing.assert_frame_equal(first, second, rtol=1e-12)


def test_threads_and_chunks_change_nothing(looking_up, monkeypatch):
    def plans():
        return plan_of(*looking_up, COUNTING, hands=900), plan_of(COUNTING, PASSING, games=120)

    expected = [play_matches(plan, threads=1) for plan in plans()]
    for size in (29, 100, 8_192):
        monkeypatch.setattr("pitchsim.matches.matching.CHUNK", size)
        with ThreadPoolExecutor(3) as pool:
            found = [play_matches(plan, executor=pool) for plan in plans()]
        assert [*map(numbers, found)] == [*map(numbers, expected)]
        assert [one.identity for one in found] == [one.identity for one in expected]


def test_what_pitchers_expect_of_a_bid_is_the_mean_of_their_chances(looking_up):
    result = play_matches(plan_of(*looking_up, COUNTING, hands=900))
    sums = result.calibration.assign(sum=result.calibration.eval("predicted * hands"))
    sums = sums.groupby(["strategy", "bid"])[["sum", "hands"]].sum()
    means = sums["sum"] / sums["hands"]
    expected = result.levels.set_index(["strategy", "bid"])["expected"]
    assert len(means) > 2
    assert expected[means.index].to_numpy() == pytest.approx(means.to_numpy())
    assert expected.drop(means.index).isna().all()
    assert expected["counting"].isna().all()


@pytest.mark.parametrize("stop", [1, 3, 4, 7, 11])
def test_what_is_interrupted_is_a_shorter_match_of_all_pairs(monkeypatch, stop):
    monkeypatch.setattr("pitchsim.matches.matching.CHUNK", 29)
    shares = []

    def interrupt(share):
        shares.append(share)
        if len(shares) == stop:
            raise KeyboardInterrupt

    three = (COUNTING, AT_RANDOM, PASSING)
    plan = plan_of(*three, hands=600)
    if stop == 1:  # the third pair has not begun
        with pytest.raises(KeyboardInterrupt):
            play_matches(plan, threads=1, progress=interrupt)
        return
    result = play_matches(plan, threads=2, progress=interrupt)
    assert result.interrupted
    hands = {match.hands for match in result.matches}
    assert len(hands) == 1
    assert hands < {*range(0, 600, 2 * plan.chunk)}
    shorter = play_matches(plan_of(*three, hands=hands.pop()))
    assert not shorter.interrupted
    assert result.identity == shorter.identity
    assert result.frame.equals(shorter.frame)
    assert result.levels.equals(shorter.levels)


def test_an_odd_number_is_made_even():
    assert plan_of(COUNTING, PASSING, hands=3).hands == 4
    assert plan_of(COUNTING, PASSING, games=5).games == 6
    assert play_matches(plan_of(COUNTING, PASSING, hands=3)).matches[0].hands == 4


def test_a_table_may_be_gone_at_the_end(tmp_path):
    place = tmp_path / "partners.parquet"
    build_table(place, study_of("holding"))
    plan = plan_of(Strategy("bold", Threshold(0.75, WorthSource(place))), COUNTING, hands=100)
    expected = play_matches(plan)
    gone = play_matches(plan, progress=lambda _: place.unlink(missing_ok=True))
    assert not place.exists()
    assert gone.identity == expected.identity
    assert numbers(gone) == numbers(expected)


def test_arrays_in_a_rule_of_ones_own_decide_by_every_number():
    one, other = np.zeros(2_000), np.zeros(2_000)
    other[1_000] = 1
    assert repr(one) == repr(other)
    assert facts_of([one]) != facts_of([other])
    assert facts_of({"weights": (one[:2], 2)}) == {"weights": [[0.0, 0.0], 2]}


def test_only_what_decides_changes_the_identity(looking_up):
    plans = [
        plan_of(COUNTING, PASSING, hands=20),
        plan_of(COUNTING, PASSING, hands=22),
        plan_of(COUNTING, PASSING, games=20),
        plan_of(PASSING, COUNTING, hands=20),
        plan_of(COUNTING, PASSING, hands=20, seed=8),
        plan_of(COUNTING, PASSING, preset="auction", hands=20),
        plan_of(COUNTING, replace(PASSING, player=RANDOM), hands=20),
        plan_of(replace(COUNTING, bidding=replace(COUNT, guards=2)), PASSING, hands=20),
    ]
    identities = [play_matches(plan).identity for plan in plans]
    assert len(set(identities)) == len(identities)
    assert play_matches(plans[0], threads=2).identity == identities[0]


def test_more_units_are_those_of_fewer_and_others(looking_up):
    small = play_matches(plan_of(COUNTING, PASSING, hands=400)).matches[0]
    large = play_matches(plan_of(COUNTING, PASSING, hands=900)).matches[0]
    rest = large.pairing.count(200, 250)
    assert (small.tally.sums + rest.sums).tolist() == large.tally.sums.tolist()


@pytest.mark.parametrize("whole_games", [False, True])
def test_the_difference_is_the_ratio_and_its_error_that_of_the_delta_method(whole_games):
    """Against the textbook: the ratio of sums, and the residuals' standard error."""
    playing = at("solo", 5)
    bidder = HighestTrump(Holdings(playing.rules))
    pairing = pairing_of(playing, [bidder, random_bidder(playing, 0.9)], whole_games=whole_games)
    units = 150
    each = [pairing.count(unit, 1).sums for unit in range(units)]
    differences = np.array([sums[D] for sums in each]) / pairing.scale
    hands = np.array([sums[N] for sums in each])
    match = Match("one", "other", pairing, pairing.count(0, units))
    ratio = differences.sum() / hands.sum()
    residuals = differences - ratio * hands
    error = np.sqrt((residuals**2).sum() / units / (units - 1)) / hands.mean()
    assert match.difference.mean == pytest.approx(ratio)
    assert match.difference.half_width == pytest.approx(Z95 * error)
    if whole_games:
        shares = np.array([sums[W] for sums in each]) / 4
        error = Z95 * stats.sem(shares)
        assert match.share == pytest.approx(Estimate(shares.mean(), error))


def matches_of(asked, seeds):
    """The matches of a counting and a passing strategy, one for each seed."""
    for seed in seeds:
        plan = plan_of(COUNTING, PASSING, seed=seed, **asked)
        yield play_matches(plan, threads=1).matches[0]


def test_half_widths_shrink_as_the_root():
    few, many = (
        np.array([match.difference.half_width for match in matches_of(asked, range(8))])
        for asked in ({"hands": 1_000}, {"hands": 16_000})
    )
    # Five standard errors of the ratio of two means, by the delta method.
    off = 5 * np.hypot(stats.sem(few) / few.mean(), stats.sem(many) / many.mean())
    assert off < 0.2
    assert few.mean() / many.mean() == pytest.approx(4, rel=off)


def assert_covers(matches, truths):
    """Hold that 95 % intervals hold the truth in 95 of 100 cases."""
    matches = list(matches)
    for name, truth in truths.items():
        held = sum(
            abs(getattr(match, name).mean - truth) <= getattr(match, name).half_width
            for match in matches
        )
        assert_probability(held, len(matches), 0.95)


def test_intervals_of_hands_hold_the_truth():
    (truth,) = matches_of({"hands": 400_000}, [10**6])
    assert_covers(matches_of({"hands": 400}, range(200)), {"difference": truth.difference.mean})


@pytest.mark.long
def test_intervals_of_games_hold_the_truth():
    (truth,) = matches_of({"games": 100_000}, [10**6])
    truths = {"difference": truth.difference.mean, "share": truth.share.mean}
    assert_covers(matches_of({"games": 200}, range(1_000)), truths)


def test_intervals_of_bids_made_hold_the_truth_where_several_meet():
    """A strategy bids the same against each of four that always pass: it counts only once."""
    truth = made_of(play_matches(plan_of(COUNTING, PASSING, hands=100_000)))
    held = narrow = 0
    for seed in range(200):
        result = play_matches(plan_of(COUNTING, PASSING, hands=200, seed=seed), threads=1)
        (match,) = result.matches
        four = tuple(replace(match, other=f"passing {number}") for number in range(4))
        row = made_of(replace(result, matches=four))
        held += row.low <= truth.made / truth.hands <= row.high
        low, high = map(float, wilson(row.made, row.hands))  # as if all hands were independent
        narrow += low <= truth.made / truth.hands <= high
    assert_probability(held, 200, 0.95)
    with pytest.raises(AssertionError):
        assert_probability(narrow, 200, 0.95)


def made_of(result):
    """What came of the counting strategy's bids of 3."""
    levels = result.levels
    return levels[(levels.strategy == "counting") & (levels.bid == "3")].iloc[0]


def test_what_decides_is_told_wherever_a_table_lies(looking_up, tmp_path):
    bold, _ = looking_up
    place = tmp_path / "elsewhere.parquet"
    shutil.copy(bold.bidding.source.table, place)
    moved = replace(bold, bidding=replace(bold.bidding, source=WorthSource(place)), title="moved")
    assert moved.facts == bold.facts
    build_table(place, study_of("holding", seed=8))
    assert moved.facts != bold.facts
    assert replace(bold, name="other").facts == bold.facts


def test_a_table_that_was_replaced_is_read_anew(tmp_path):
    place = tmp_path / "table.parquet"
    source = WorthSource(place)
    table = load_preset("partners"), load_preset("partners").seating(), "basic"
    build_table(place, study_of("holding"))
    first = source.worths(*table)
    assert source.worths(*table) is first
    build_table(place, study_of("holding", seed=8))
    assert source.worths(*table) is not first


def test_a_margin_strategy_with_costly_play_sits_down_at_once(looking_up, monkeypatch):
    _, margin = looking_up
    played = []
    monkeypatch.setattr(
        biddingrules,
        "what_passing_is_worth",
        lambda _playing, _worths, player: played.append(player) or np.zeros((4, 5, 3, 2)),
    )
    plan = plan_of(replace(margin, player=Player("expert", 2)), COUNTING, hands=2)
    assert plan.pairings
    assert played == [Player("basic")]


def test_the_same_deals_tell_more_than_others():
    """The spread of a unit beside that of two hands dealt apart, each at one table only."""
    playing = at()
    bidders = [random_bidder(playing, 0.9, 1), random_bidder(playing, 0.9, 2)]
    pairing = pairing_of(playing, bidders)
    units = 2_000
    deals, seated = pairing.deals(0, units, 0), pairing.seated(units)
    scores = np.zeros((2 * units, 2), np.int64)
    results = playing.finish(deals, pairing.bid(deals, seated, scores), seated)
    tables = np.repeat([0, 1], units)
    first, second = pairing.difference(results.changes, tables).reshape(2, units)
    # What luck brings at the one table it takes at the other.
    assert stats.pearsonr(first, second, alternative="less").pvalue < ONE_IN_A_MILLION


def test_needed_hands_would_tell_four_times_in_five():
    rng = np.random.default_rng(3)
    told = 0
    for match in matches_of({"hands": 200}, range(40)):
        if match.difference.too_close:
            mean, half = match.difference
            assert match.needed >= match.hands
            error = half / Z95 * np.sqrt(match.hands / match.needed)
            again = rng.normal(mean, error, 500)  # what so many hands would show
            told += (again * np.sign(mean) > Z95 * error).sum() / 500
        else:
            assert match.needed is None
    close = sum(match.difference.too_close for match in matches_of({"hands": 200}, range(40)))
    assert told / close == pytest.approx(0.8, abs=5 * 0.4 / np.sqrt(500 * close))


def test_one_deal_tells_nothing():
    (match,) = play_matches(plan_of(COUNTING, PASSING, hands=2)).matches
    assert match.difference.half_width == np.inf
    assert match.needed is None


def test_what_never_differed_is_not_known_for_sure():
    nothing = np.array([50, 0, 100, 0, 0, 200, 0, 0])
    # A unit, of two hands, may have differed by a point.
    assert difference_of(nothing, 1).half_width == pytest.approx(Z95**2 / (50 + Z95**2) / 2)


def test_the_frames(looking_up):
    result = play_matches(plan_of(*looking_up, COUNTING, games=24))
    assert result.names == ("bold", "margin", "counting")
    frame = result.frame
    columns = "rules one other difference half_width share share_half_width hands games needed"
    assert list(frame) == [*columns.split(), "needed_games", "thrown_in"]
    assert len(frame) == 6
    pairs = frame.set_index(["one", "other"])
    for (one, other), row in pairs.iterrows():
        back = pairs.loc[(other, one)]
        assert row.difference == -back.difference
        assert row.share == pytest.approx(1 - back.share)
    assert (frame.games == 24).all()
    levels = result.levels
    columns = "rules strategy bid hands made low high share expected"
    assert list(levels) == columns.split()
    assert (levels.made <= levels.hands).all()
    pitched = sum(match.hands - match.tally.thrown_in for match in result.matches)
    assert levels.hands.sum() == pitched
    at_table = {
        name: sum(m.hands for m in result.matches if name in (m.one, m.other))
        for name in result.names
    }
    assert np.allclose(levels.share, levels.hands / levels.strategy.map(at_table))
    assert result.changes.groupby("strategy").share.sum().to_numpy() == pytest.approx(1)
    calibration = result.calibration
    assert set(calibration.strategy) == {"bold", "margin"}  # a count has no opinion
    given = calibration.groupby("strategy").hands.sum()
    of_bids = levels[levels.strategy != "counting"].groupby("strategy").hands.sum()
    assert given.equals(of_bids)
    assert ((calibration.low <= calibration.made) & (calibration.made <= calibration.high)).all()
    assert calibration.independent.equals(calibration.hands / 2)  # each met two others
    for _, bins in calibration.groupby(["strategy", "bid"]):
        tenths = np.floor(bins.predicted.to_numpy() * 10 - 1e-6)
        assert (np.diff(tenths) >= 0).all()
        assert len(bins) <= 10
    last = result.convergence.groupby(["one", "other"]).last()
    for match in result.matches:
        row = last.loc[(match.one, match.other)]
        assert (row.hands, row.difference) == (match.hands, match.difference.mean)
        assert row.high - row.low == pytest.approx(2 * match.difference.half_width)


@pytest.mark.parametrize(("hands", "stages"), [(2, 1), (60, 30), (480, 60), (20_000, 60)])
def test_how_the_difference_settled_is_told_at_some_sixty_points(hands, stages):
    frame = play_matches(plan_of(COUNTING, PASSING, hands=hands)).convergence
    assert len(frame) == pytest.approx(stages, abs=1)
    assert frame.hands.is_monotonic_increasing
    assert frame.hands.iloc[-1] == hands


def test_standings(looking_up):
    result = play_matches(plan_of(*looking_up, COUNTING, PASSING, hands=2_000))
    frame = result.frame
    means = frame.groupby("one").difference.mean().sort_values(ascending=False)
    assert [standing.name for standing in result.standings] == list(means.index)
    for standing in result.standings:
        mine = frame[frame.one == standing.name]
        assert standing.difference.mean == pytest.approx(means[standing.name])
        assert standing.difference.half_width == pytest.approx(mine.half_width.mean())
        told = abs(mine.difference) > mine.half_width
        expected = [
            (told & (mine.difference > 0)).sum(),
            (~told).sum(),
            (told & (mine.difference < 0)).sum(),
        ]
        assert [standing.ahead, standing.close, standing.behind] == expected


def test_progress_comes_to_the_end():
    shares = []
    play_matches(plan_of(COUNTING, PASSING, AT_RANDOM, hands=4_000), progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1


@pytest.mark.parametrize(
    ("strategies", "asked", "message"),
    [
        ([PASSING], {}, "found 'passing' to play a match: expected two strategies or more"),
        ([], {}, "found nobody to play a match"),
        ([PASSING, replace(COUNTING, name="passing")], {}, "two strategies are named 'passing'"),
        ([PASSING, COUNTING], {"hands": 1}, "hands 1 is not possible"),
        ([PASSING, COUNTING], {"games": 10**9}, "games 1000000000 is not possible"),
        ([PASSING, COUNTING], {"hands": 4, "games": 4}, "4 hands and 4 games do not go together"),
        ([PASSING, COUNTING], {"seed": -1}, "seed -1 is not possible"),
        (
            [
                Strategy("a", AlwaysPass(), Player("expert", 3)),
                Strategy("b", AlwaysPass(), Player("expert")),
            ],
            {},
            "experts with 3 and 100 worlds a turn cannot sit at one table",
        ),
    ],
)
def test_no_such_match(strategies, asked, message):
    with pytest.raises((StrategyError, StudyError), match=message):
        plan_of(*strategies, **asked)


def test_a_table_of_another_game_is_named_before_anything_is_played(looking_up):
    with pytest.raises(StrategyError, match=r"strategy 'bold': the table .* is of another game"):
        plan_of(*looking_up, preset="setback")


def test_a_plan_says_what_decides(looking_up):
    plan = plan_of(*looking_up, hands=20)
    assert isinstance(plan, MatchPlan)
    facts = json.loads(json.dumps(plan.facts))
    assert (facts["hands"], facts["games"], facts["seed"]) == (20, None, 7)
    assert facts["players"] == 4


def test_experts_and_others_meet(warm):
    experts = replace(COUNTING, name="experts", player=Player("expert", 2))
    plan = plan_of(experts, COUNTING, hands=60)
    result = play_matches(plan, threads=2)
    assert result.matches[0].hands == 60
    assert numbers(result) == numbers(play_matches(plan, threads=1))


class Failing(AlwaysPass):
    def bidder(self, *_):
        return 1 / 0


def test_what_fails_in_a_strategy_of_ones_own_is_named():
    with pytest.raises(StrategyError, match=r"strategy 'mine' fails: ZeroDivisionError: division"):
        play_matches(plan_of(Strategy("mine", Failing()), PASSING, hands=20))


def test_a_result_is_shown_as_a_small_table():
    text = str(play_matches(plan_of(COUNTING, PASSING, hands=20)))
    assert text.startswith("partners rules, points a hand\n")
    assert len(text.splitlines()) == 5
