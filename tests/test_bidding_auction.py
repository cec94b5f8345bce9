"""Auctions of many deals at once, against the reference auction, one by one."""

import random

import numpy as np
import pytest
from bidding import any_auction, at, random_bidder, turn_at, words_said

from pitchsim.bidding.auction import Contracts, Ladder, checked_calls, hold_auctions
from pitchsim.bidding.bidders import bid_up_to
from pitchsim.bidding.contracts import PossibleContracts
from pitchsim.bidding.playing import Deals, Player, Playing
from pitchsim.cards import ALL_CARDS
from pitchsim.errors import RulesError, StrategyError
from pitchsim.matches.games import winners
from pitchsim.matches.pairing import Pairing
from pitchsim.presets import load_preset, preset_names
from pitchsim.reference.auction import legal_bids, run_auction
from pitchsim.reference.scoring import game_winner

HANDS = ["AS JS TS 5S KH 2D", "KH QH 9H JD 4S 2C"]


@pytest.mark.parametrize("preset", preset_names())
def test_the_ladder_has_the_bids_of_the_preset(preset):
    rules = load_preset(preset)
    ladder = Ladder(rules)
    assert ladder.bids == rules.all_bids
    assert [ladder.read(word.upper()) for word in ladder.words] == list(range(len(ladder.words)))
    with pytest.raises(RulesError, match="'99' is not a bid here"):
        ladder.read("99")


@pytest.mark.parametrize("seed", range(60))
def test_auctions_are_those_of_the_reference(seed):
    rng = random.Random(seed)
    rules, seating = any_auction(rng)
    playing = Playing(rules, seating, seed)
    bidders = [random_bidder(playing, rng.random(), seed), random_bidder(playing, 0.9, seed + 1)]
    pairing = Pairing(playing, bidders, [Player(), Player()], whole_games=False)
    deals = pairing.deals(rng.randrange(10**6), 20, rng.randrange(3))
    scores = np.zeros((len(deals.numbers), seating.sides), np.int64)
    auctions = pairing.bid(deals, pairing.seated(20), scores)
    words = playing.ladder.words
    for dealer, calls, place, highest in zip(
        deals.dealers.tolist(),
        auctions.calls.tolist(),
        auctions.places.tolist(),
        auctions.highest.tolist(),
        strict=True,
    ):
        bids = [words[call] for call in calls]
        won = run_auction(rules, bids, dealer, seating.players)
        if won is None:
            assert (place, highest) == (-1, 0)
        else:
            assert ((dealer + 1 + place) % seating.players, words[highest]) == won


class Watcher:
    """Holds what may be said against the reference, in every turn that comes."""

    def __init__(self, bidder, rules):
        self.bidder, self.rules = bidder, rules
        self.seen = 0

    def call(self, turn):
        words = turn.ladder.words
        for calls, legal, highest, partner in zip(
            turn.calls.tolist(),
            turn.legal.tolist(),
            turn.highest.tolist(),
            turn.partner_is_highest.tolist(),
            strict=True,
        ):
            bids = [words[call] for call in calls]
            expected = legal_bids(self.rules, bids, turn.seating.players)
            assert [word for word, may in zip(words, legal, strict=True) if may] == expected
            made = [place for place, bid in enumerate(bids) if bid != "pass"]
            assert highest == (calls[made[-1]] if made else 0)
            with_us = bool(made) and turn.seating.partners and (made[-1] - turn.place) % 2 == 0
            assert partner == with_us
            self.seen += 1
        assert turn.is_dealer == (turn.place == turn.seating.players - 1)
        return self.bidder.call(turn)


@pytest.mark.parametrize("seed", range(60))
def test_what_may_be_said_is_what_the_reference_says(seed):
    rng = random.Random(-seed)
    rules, seating = any_auction(rng)
    playing = Playing(rules, seating, seed)
    watcher = Watcher(random_bidder(playing, 0.6, seed), rules)
    pairing = Pairing(playing, [watcher, watcher], [Player(), Player()], whole_games=False)
    deals = pairing.deals(0, 20, 0)
    pairing.bid(deals, pairing.seated(20), np.zeros((40, seating.sides), np.int64))
    assert watcher.seen == 40 * seating.players


def test_each_counts_its_own_score_first():
    playing = at("solo", 5)
    seen = {}

    class Reader:
        def call(self, turn):
            seen[turn.place] = turn.scores.tolist()
            return turn.legal.argmax(axis=1)

    pairing = Pairing(playing, [Reader(), Reader()], [Player(), Player()], whole_games=False)
    deals = Deals(np.array([3]), np.array([1]), playing.deal(3, 1))
    seated = pairing.seated(1).at(np.array([True, False]))
    one = type(seated)(seated.bidders, seated.players, seated.who * 0)
    pairing.bid(deals, one, np.array([[10, 11, 12, 13, 14]]))
    assert seen[0] == [[12, 13, 14, 10, 11]]  # the dealer is seat 1: seat 2 begins
    assert seen[4] == [[11, 12, 13, 14, 10]]


def test_auctions_go_on_where_they_are():
    playing = at()
    turn = turn_at(playing, HANDS, ["pass", "2"])
    hands = np.tile(turn.hands[:, None], (1, 4))
    auctions = hold_auctions(
        turn, hands, [random_bidder(playing, 1.0)], hands * 0, np.zeros((2, 4, 2), np.int64)
    )
    assert auctions.calls.tolist() == [[0, 1, 0, 0]] * 2
    assert auctions.places.tolist() == [1, 1]


class Saying:
    def __init__(self, said):
        self.said = said

    def call(self, _turn):
        return self.said


@pytest.mark.parametrize(
    ("said", "after", "message"),
    [
        (
            np.array([2, 1]),
            ("3",),
            "Saying bids illegally: with AS JS TS 5S KH 2D after 3 it says 3; expected pass, 4 or "
            "smudge",
        ),
        (
            np.array([0, 9]),
            ("pass", "2"),
            "Saying bids illegally: with 4S KH QH 9H JD 2C after pass and 2 it says 9; expected "
            "pass, 3, 4 or smudge",
        ),
        (
            np.array([-1, 0]),
            (),
            "with AS JS TS 5S KH 2D after nobody it says -1; expected pass, 2, 3, 4 or smudge",
        ),
        (np.array([0, 0]), ("pass",) * 3, "after pass, pass and pass it says pass; expected 2, 3"),
        (np.array([0.0, 0.0]), (), r"calls of shape \(2,\) and type float64: expected one whole"),
        (np.array([0]), (), r"calls of shape \(1,\) and type int64: expected one whole number for"),
        ([[0], [0]], (), r"calls of shape \(2, 1\)"),
        (None, (), r"calls of shape \(\) and type object"),
    ],
)
def test_an_illegal_call_is_refused(said, after, message):
    with pytest.raises(StrategyError, match=message):
        checked_calls(Saying(said), turn_at(at(), HANDS, after))


SPADES, HEARTS, DIAMONDS, CLUBS = range(4)


@pytest.mark.parametrize(
    ("preset", "changes", "trump", "lead", "message"),
    [
        ("partners", {}, SPADES, "AS", None),
        ("partners", {}, SPADES, None, None),
        ("partners", {}, SPADES, "KH", "makes S trump and leads KH; expected a lead of AS JS TS"),
        ("partners", {}, SPADES, "QS", "leads QS; expected a lead of AS JS TS"),
        ("partners", {}, CLUBS, None, "makes C trump and leads any card; expected a suit of which"),
        ("partners", {}, 4, "AS", "makes 4 trump and leads AS"),
        ("partners", {}, SPADES, 77, "makes S trump and leads 77"),
        ("partners", {"trump_choice": "declared"}, CLUBS, None, None),
        ("partners", {"trump_choice": "declared"}, CLUBS, "KH", None),
        ("partners", {"trump_choice": "declared"}, CLUBS, "QH", "leads QH; expected a lead of AS"),
        ("auction", {"trump_choice": "declared", "draw": True}, SPADES, "KH", "expected a lead of"),
        ("auction", {"trump_choice": "declared", "draw": True}, CLUBS, None, None),
    ],
)
def test_what_may_be_pitched(preset, changes, trump, lead, message):
    playing = at(preset, **changes)
    hands = turn_at(playing, HANDS[:1]).hands
    place = -1 if lead is None else ALL_CARDS.index(lead) if isinstance(lead, str) else lead
    contracts = Contracts(np.array([trump]), np.array([place]), np.array([np.nan]))
    possible = PossibleContracts(playing.rules)
    if message is None:
        possible.check(None, hands, contracts)
        return
    with pytest.raises(StrategyError, match=message):
        possible.check(Saying(0), hands, contracts)


def test_contracts_are_numbers():
    playing = at()
    hands = turn_at(playing, HANDS).hands
    good = np.array([0, 1])
    for contracts, message in (
        (Contracts(good[:1], good * 0 - 1, np.ones(2)), r"trumps of shape \(1,\)"),
        (Contracts(good, good - 1.0, np.ones(2)), "leads of shape .* type float64"),
        (Contracts(good, good * 0 - 1, np.array([0.5, 1.5])), "expected a number from 0 to 1"),
    ):
        with pytest.raises(StrategyError, match=message):
            PossibleContracts(playing.rules).check(Saying(0), hands, contracts)


def test_bidding_up_to_a_limit():
    playing = at()  # the dealer steals any bid, and must bid 2

    def said(limit, *calls):
        turn = turn_at(playing, HANDS[:1], calls)
        return words_said(playing, bid_up_to(turn, np.array([limit])))[0]

    assert [said(limit) for limit in range(5)] == ["pass", "2", "3", "4", "smudge"]
    assert said(2, "3") == "pass"  # limit 3, and no more is legal
    assert said(3, "3") == "4"
    assert said(3, "pass", "pass", "2") == "2"  # the dealer, no more than needed
    assert said(3, "pass", "pass", "4") == "4"
    assert said(2, "pass", "pass", "4") == "pass"
    assert said(4, "pass", "pass", "pass") == "2"
    assert said(0, "pass", "pass", "pass") == "2"  # forced
    no_stealing = at(dealer_steals="no")
    turn = turn_at(no_stealing, HANDS[:1], ("pass", "2", "pass"))
    assert words_said(no_stealing, bid_up_to(turn, np.array([3]))) == ["3"]


@pytest.mark.parametrize("seed", range(80))
def test_who_has_won_is_what_the_reference_says(seed):
    rng = random.Random(seed)
    rules, seating = any_auction(rng)
    count = 40
    pitchers = np.array([rng.randrange(seating.players) for _ in range(count)])
    bids = [rng.choice(rules.all_bids) for _ in range(count)]
    made = np.array([rng.random() < 0.6 for _ in range(count)])
    near = rules.target + 3
    scores = np.array([[rng.randint(-4, near) for _ in range(seating.sides)] for _ in bids])
    won = winners(rules, pitchers, np.array(bids) == "smudge", made, scores)
    for place, bid in enumerate(bids):
        expected = game_winner(
            rules,
            seating,
            pitcher=int(pitchers[place]),
            bid=bid,
            made=bool(made[place]),
            scores=scores[place].tolist(),
        )
        assert won[place] == (-1 if expected is None else expected)
