"""Matches of two: what is counted is what the reference scores, hand by hand."""

import random

import numpy as np
import pytest
from agreement import seatings
from bidding import BASIC, RANDOM, HighestTrump, any_auction, at, pairing_of, random_bidder

from pitchsim.bidding.auction import Auctions
from pitchsim.bidding.holdings import Holdings
from pitchsim.bidding.playing import Player, Playing
from pitchsim.matches.matching import Match
from pitchsim.matches.records import _record, disagreements, records
from pitchsim.matches.tally import DD, DN, NN, UNITS, WW, D, N, W
from pitchsim.presets import load_preset, preset_names
from pitchsim.reference.hand import score_hand

UNITS_CHECKED = 6


def check(playing, pairing, first=0, units=UNITS_CHECKED):
    """Play some deals, and count by the reference what the two tables of each brought."""
    tally = pairing.count(first, units)
    seating, words = playing.seating, playing.ladder.words
    differences, thrown_in = [], 0
    levels, changes = np.zeros_like(tally.levels), np.zeros_like(tally.changes)
    most = changes.shape[1] // 2
    for number in range(first, first + units):
        difference = 0.0
        for table, record in enumerate(records(pairing, number)):
            result = score_hand(record)
            who = [(seat + table) % 2 for seat in range(seating.players)]
            of_side = [who[seating.seats_of(side)[0]] for side in range(seating.sides)]
            sums = [[], []]
            for side, change in enumerate(result.change):
                sums[of_side[side]].append(change)
                changes[of_side[side], change + most] += 1
            ones, others = sums
            scale = len(ones) * len(others)
            difference += scale * (np.mean(ones) - np.mean(others))
            if result.pitcher is None:
                thrown_in += 1
                continue
            call = words.index(result.bid)
            levels[who[result.pitcher], call] += 1, int(result.made)
        differences.append(round(difference))
    assert tally.sums[[UNITS, D, N]].tolist() == [units, sum(differences), 2 * units]
    assert tally.sums[DD] == sum(value**2 for value in differences)
    assert tally.sums[[DN, NN]].tolist() == [2 * sum(differences), 4 * units]
    assert tally.thrown_in == thrown_in
    assert np.array_equal(tally.levels, levels)
    assert np.array_equal(tally.changes, changes)
    swings = [[value, number] for number, value in enumerate(differences, start=first)]
    assert (
        tally.swings.tolist() == sorted(swings, key=lambda swing: (-abs(swing[0]), swing[1]))[:24]
    )
    return tally


@pytest.mark.parametrize("preset", preset_names())
def test_every_preset_and_way_of_sitting(preset):
    rules = load_preset(preset)
    for seating in seatings(rules):
        playing = Playing(rules, seating, 11)
        check(playing, pairing_of(playing, players=(BASIC, RANDOM)))


@pytest.mark.parametrize("seed", range(24))
def test_under_any_rules(seed):
    rng = random.Random(seed)
    rules, seating = any_auction(rng)
    playing = Playing(rules, seating, rng.randrange(2**64))
    check(playing, pairing_of(playing, players=(RANDOM, BASIC)), rng.randrange(2**20))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 400))
def test_under_many_more_rules(seed):
    rng = random.Random(seed)
    rules, seating = any_auction(rng)
    playing = Playing(rules, seating, rng.randrange(2**64))
    check(playing, pairing_of(playing, players=(RANDOM, BASIC)), rng.randrange(2**20), 20)


def test_with_leads_that_the_pitcher_chooses():
    for preset in ("partners", "ten-point", "ace-of-hearts", "pedro"):
        playing = at(preset)
        bidder = HighestTrump(Holdings(playing.rules))
        tally = check(playing, pairing_of(playing, [bidder, random_bidder(playing)]), units=30)
        assert tally.chances[0, :, 5, 0].sum() == tally.levels[0, :, 0].sum() > 0
        assert tally.chances[0, :, 5, 1].sum() == tally.levels[0, :, 1].sum()
        assert not tally.chances[1].any()


@pytest.mark.parametrize(
    ("preset", "players", "partners"), [("partners", 4, True), ("solo", 3, False)]
)
def test_experts_beside_others(warm, preset, players, partners):
    playing = at(preset, players, partners)
    pairing = pairing_of(playing, players=(Player("expert", 3), RANDOM))
    check(playing, pairing, units=4)


def played_out(playing, pairing, unit):
    """Play a game of a unit at both tables by the reference: who won, hands and difference."""
    seating = playing.seating
    for table in range(2):
        scores, hand, difference, winner = [0] * seating.sides, 0, 0, None
        while winner is None:
            one_table = _records_of_hand(pairing, unit, hand, table, scores)
            result = score_hand(one_table)
            of_side = [(seating.seats_of(s)[0] + table) % 2 for s in range(seating.sides)]
            ones = [c for c, who in zip(result.change, of_side, strict=True) if who == 0]
            others = [c for c, who in zip(result.change, of_side, strict=True) if who == 1]
            difference += len(others) * sum(ones) - len(ones) * sum(others)
            scores, winner, hand = list(result.scores), result.winner, hand + 1
        yield of_side[winner], hand, difference


def _records_of_hand(pairing, unit, hand, table, scores):
    at_table = np.arange(2) == table
    deals, seated = pairing.deals(unit, 1, hand).of(at_table), pairing.seated(1).at(at_table)
    auctions = Auctions(*pairing.bid(deals, seated, np.array([scores])))
    record = _record(pairing, deals, auctions, seated)
    return type(record)(**{**record.__dict__, "scores": tuple(scores)})


@pytest.mark.parametrize(
    ("preset", "players", "changes"),
    [
        ("partners", 4, {}),
        ("solo", 3, {}),
        ("setback", 5, {"partners": False}),
        ("setback", 2, {}),
        ("ten-point", 4, {"smudge_success": "wins_game", "smudge_failure": "loses_game"}),
        ("auction", 4, {"finish": "made_bid"}),
    ],
)
def test_whole_games(preset, players, changes):
    playing = at(preset, players, **changes)
    bidder = HighestTrump(Holdings(playing.rules))
    pairing = pairing_of(playing, [bidder, random_bidder(playing, 0.8)], whole_games=True)
    tally = pairing.count(5, 6)
    games = [list(played_out(playing, pairing, unit)) for unit in range(5, 11)]
    winners = [winner for unit in games for winner, _, _ in unit]
    assert tally.games.tolist() == [winners.count(0), winners.count(1), 0]
    hands = [sum(hands for _, hands, _ in unit) for unit in games]
    differences = [sum(difference for _, _, difference in unit) for unit in games]
    halves = [2 * sum(winner == 0 for winner, _, _ in unit) for unit in games]
    assert tally.sums.tolist() == [
        6,
        sum(differences),
        sum(hands),
        np.dot(differences, differences),
        np.dot(differences, hands),
        np.dot(hands, hands),
        sum(halves),
        np.dot(halves, halves),
    ]
    assert (tally.sums[W], tally.sums[WW]) == (sum(halves), np.dot(halves, halves))


def test_a_game_that_nobody_wins_is_nobodys(monkeypatch):
    monkeypatch.setattr("pitchsim.matches.pairing.LONGEST_GAME", 7)
    playing = at("setback")
    passing = random_bidder(playing, 1.0)
    tally = pairing_of(playing, [passing, passing], whole_games=True).count(0, 5)
    assert tally.games.tolist() == [0, 0, 10]
    assert tally.thrown_in == tally.sums[N] == 70
    assert tally.sums[W] == 10  # half of each game


@pytest.mark.parametrize("whole_games", [False, True])
def test_pieces_add_up_to_the_whole(whole_games):
    playing = at("solo", 5)
    pairing = pairing_of(playing, whole_games=whole_games)
    whole = pairing.count(3, 40)
    parts = pairing.count(3, 1) + pairing.count(4, 22) + pairing.count(26, 17)
    for name in ("sums", "games", "thrown_in", "levels", "changes", "chances", "swings"):
        assert np.array_equal(getattr(whole, name), getattr(parts, name)), name
    assert parts.trail.sum(axis=0).tolist() == parts.sums.tolist()
    assert len(parts.trail) == 3


@pytest.mark.parametrize(("players", "partners"), [(4, True), (4, False), (3, False), (7, False)])
@pytest.mark.parametrize("whole_games", [False, True])
def test_against_itself_nothing_is_gained(players, partners, whole_games):
    playing = at("setback", players, partners)
    same = [HighestTrump(Holdings(playing.rules))] * 2
    tally = pairing_of(playing, same, (BASIC, BASIC), whole_games=whole_games).count(0, 50)
    assert not tally.sums[[D, DD, DN]].any()
    assert not tally.swings[:, 0].any()
    assert tally.games[0] == tally.games[1] == 50 * whole_games
    assert np.array_equal(tally.levels[0], tally.levels[1])
    assert tally.levels[0].any()


@pytest.mark.parametrize(("players", "partners"), [(4, True), (2, False), (3, False), (6, False)])
@pytest.mark.parametrize("whole_games", [False, True])
def test_the_other_way_round_all_is_the_other_way_round(players, partners, whole_games):
    playing = at("setback", players, partners)
    bidders = [HighestTrump(Holdings(playing.rules)), random_bidder(playing, 0.9, 2)]
    one = pairing_of(playing, bidders, (BASIC, RANDOM), whole_games=whole_games).count(0, 60)
    other = pairing_of(playing, bidders[::-1], (RANDOM, BASIC), whole_games=whole_games)
    other = other.count(0, 60)
    assert one.sums[[D, DN]].tolist() == (-other.sums[[D, DN]]).tolist()
    assert one.sums[[UNITS, N, DD, NN]].tolist() == other.sums[[UNITS, N, DD, NN]].tolist()
    assert one.games.tolist() == other.games[[1, 0, 2]].tolist()
    halves = 4 * 60 if whole_games else 2 * other.sums[W]
    assert one.sums[W] == halves - other.sums[W]
    assert np.array_equal(one.levels, other.levels[::-1])
    assert np.array_equal(one.changes, other.changes[::-1])


def test_the_largest_disagreements_come_first():
    playing = at()
    pairing = pairing_of(playing, players=(BASIC, RANDOM))
    tally = pairing.count(0, 300)
    found = disagreements(Match("one", "other", pairing, tally), 10)
    sizes = [abs(one.difference) for one in found]
    assert len(found) == 10
    assert sizes == sorted(sizes, reverse=True)
    for one in found:
        at_first, at_second = (score_hand(table).change for table in one.tables)
        assert one.difference == at_first[0] - at_first[1] + at_second[1] - at_second[0]
        assert one.tables[0].hands == one.tables[1].hands
        assert (one.one, one.other) == ("one", "other")
