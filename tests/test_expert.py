"""The player who samples: as the plain engine has it, and from what it may know alone."""

import random
from dataclasses import replace
from itertools import combinations
from math import comb

import numpy as np
import pytest
from agreement import before_the_first_lead
from experts import EXPERT_PAIRS, assert_experts_agree, random_chances, random_deal
from numba import njit
from recordmaking import rules_of
from scipy import stats
from statistics_help import ONE_IN_A_MILLION

from pitchsim.cards import full_deck
from pitchsim.encoding import encode_setting
from pitchsim.engine import MOST_PLAYERS, deal_hands
from pitchsim.engine.worlds import HOLDS, LACKS, PLAYED, THROWN, deal_worlds, make_worlds
from pitchsim.evaluating import make_study
from pitchsim.known import Known
from pitchsim.order import TrumpOrder
from pitchsim.promise import LEARNING_DEALS, chances_to_make
from pitchsim.reference.draw import trumps_kept
from pitchsim.reference.expert_play import margin
from pitchsim.reference.playout import Situation
from pitchsim.reference.stream import FIRST_TURN_WORD, stream_key, turn_words, word
from pitchsim.reference.trumps import trump_suit
from pitchsim.reference.worlds import Sight
from pitchsim.reference.worlds import deal_worlds as plain_worlds
from pitchsim.running import Stop, run
from pitchsim.simulation import Simulation
from pitchsim.study import Option, Study
from pitchsim.worth import made_table, results_of

LONG = pytest.mark.long


# -- The compiled player and the plain one --------------------------------------------------------


def agree_on_random_deals(seed, deals, most_players=7):
    rng = random.Random(seed)
    done = 0
    while done < deals:
        deal = random_deal(rng, EXPERT_PAIRS[done % len(EXPERT_PAIRS)])
        if deal.table.seating.players <= most_players:
            assert_experts_agree(deal, rng)
            done += 1


@pytest.mark.parametrize("seed", range(3))
def test_experts_play_the_same_cards_in_both_engines(seed):
    agree_on_random_deals(seed, deals=5, most_players=5)


@LONG
@pytest.mark.parametrize("seed", range(1000, 1006))
def test_experts_play_the_same_cards_in_both_engines_at_length(seed):
    agree_on_random_deals(seed, deals=40)


@pytest.mark.parametrize("seed", range(4))
def test_deals_leads_and_bids_side_by_side_are_those_played_one_by_one(seed):
    rng = random.Random(f"side by side {seed}")
    for number in range(10):
        deal = random_deal(rng, EXPERT_PAIRS[number % len(EXPERT_PAIRS)])
        deal.bids = deal.table.rules.bids[-3:]
        deal.chances = random_chances(rng, deal.bids)
        deal.number %= 2**40
        trump, _, _ = before_the_first_lead(deal, rng)
        order = TrumpOrder(deal.table.rules, trump)
        kept = [card for card in deal.table.known.cards_of(0) if card in order.trumps]
        leads = [*kept[:2], None]
        positions = np.zeros((rng.choice([2, 8, 9, 12]), MOST_PLAYERS), np.int64)
        deal_hands(np.uint64(deal.seed), deal.number, deal.table.plan, positions)
        outcomes, _ = deal.played_for(deal.bids, positions, trump, leads)
        for row in range(len(positions)):
            for i, lead in enumerate(leads):
                for place, bid in enumerate(deal.bids):
                    one, _ = deal.played_for((bid,), positions[row : row + 1], trump, [lead])
                    assert one.item() == outcomes[place, i, row], f"{deal} {trump} {lead} {bid}"
            deal.number += 1


# -- What a player may not know -------------------------------------------------------------------


#: Random players share the luck of a trick: how one uses it the next can tell.
NO_LUCK = [pair for pair in EXPERT_PAIRS if "random" not in pair]


def played_with(deal, positions, trump):
    """Who plays what if a deal is played for its first bid, the first lead being chosen too."""
    _, plays = deal.played_for(deal.bids[:1], positions, trump, [None])
    return plays


def first_difference(one, other):
    """The place and the seat of the first play that is another."""
    places = range(min(len(one), len(other)))
    return next(((i, one[i][0]) for i in places if one[i] != other[i]), (len(one), None))


def exchange(deal, positions, trump, rng):
    """Exchange a card of one seat with one of another, or in nobody's hand; None if it may not be.

    Where there is a draw, trumps are exchanged for trumps alone, for all see how many were kept.
    """
    table = deal.table
    seat, other = rng.sample(range(table.seating.players), 2)
    places = [place for place in range(56) if positions[0, seat] >> place & 1]
    unseen = table.known.unseen(table.rules)
    everywhere = int(np.bitwise_or.reduce(positions[0]))
    spare = [place for place in range(len(unseen)) if not everywhere >> place & 1]
    theirs = [place for place in range(56) if positions[0, other] >> place & 1]
    if rng.random() < 0.3 and spare and not table.rules.draw:
        theirs, other = spare, None
    if not places or not theirs:
        return None
    mine, yours = rng.choice(places), rng.choice(theirs)
    trumps = trump_suit(table.rules, trump)
    if table.rules.draw and not (unseen[mine] in trumps and unseen[yours] in trumps):
        return None
    barred = [(seat, unseen[yours])] + ([] if other is None else [(other, unseen[mine])])
    if any(card in table.known.barred_to(to) for to, card in barred):
        return None
    exchanged = positions.copy()
    exchanged[0, seat] ^= 1 << mine | 1 << yours
    if other is not None:
        exchanged[0, other] ^= 1 << mine | 1 << yours
    return exchanged, {seat, other}


def test_nobody_looks_at_cards_that_only_others_have_seen():
    """Whoever is the first to play otherwise, after an exchange of cards, has another hand."""
    rng = random.Random("peeking")
    looked_at = differed = 0
    for number in range(160):
        deal = random_deal(rng, NO_LUCK[number % len(NO_LUCK)])
        positions, _ = deal.dealt_by_the_engine()
        trump, _, _ = before_the_first_lead(deal, rng)
        deal.chances = random_chances(rng, deal.bids)
        plays = played_with(deal, positions, trump)
        for _ in range(12):
            exchanged = exchange(deal, positions, trump, rng)
            if exchanged is None:
                continue
            others_positions, seats = exchanged
            others = played_with(deal, others_positions, trump)
            place, seat = first_difference(plays, others)
            assert seat is None or seat in seats, f"{deal} {trump} {plays} {others}"
            looked_at += sum(player not in seats for player, _ in plays[:place])
            differed += seat is not None
    assert looked_at > 2_000
    assert differed > 200


def test_what_the_pitcher_was_told_is_known_to_the_pitcher_alone():
    rng = random.Random("told")
    differed = 0
    for number in range(300):
        deal = random_deal(rng, NO_LUCK[number % len(NO_LUCK)])
        positions, _ = deal.dealt_by_the_engine()
        trump, _, _ = before_the_first_lead(deal, rng)
        deal.chances = random_chances(rng, deal.bids)
        told, untold = (played_with(deal, positions, trump) for deal.informed in (True, False))
        _, seat = first_difference(told, untold)
        assert seat in (0, None), f"{deal} {trump} {told} {untold}"
        differed += seat == 0
    assert differed > 30


# -- Worlds ----------------------------------------------------------------------------------------


def look_at_situations(rng, hands, share, look):
    """Let players play at random tables, and look at a share of their situations; how many."""
    looked_at = 0
    for number in range(hands):
        deal = random_deal(rng, ("random", "random") if number % 3 else ("basic", "basic"))
        deal.chances = random_chances(rng, deal.bids)
        trump, held, lead = before_the_first_lead(deal, rng)
        dealt = deal.dealt_plainly() if deal.table.rules.draw else ()
        policy = deal.plain_policy_for(deal.bids[0], trump)

        def looking_on(situation, *, deal=deal, held=held, dealt=dealt, policy=policy):
            nonlocal looked_at
            if rng.random() < share:
                look(situation, deal, held, dealt)
                looked_at += 1
            return policy(situation)

        deal.tricks_by(looking_on, held, trump, lead, dealt=dealt, pitcher_knows=deal.told)
    return looked_at


def test_every_world_fits_what_a_player_has_seen_and_so_does_the_truth():
    rng = random.Random("fits")

    def look(situation, _deal, held, dealt):
        words = turn_words(rng.getrandbits(64), 0, 0)
        worlds = plain_worlds(situation, words, 4)
        assert len(worlds) == 4
        for world in worlds:
            assert world.weight > 0
            assert_fits(situation, world.hands, dealt)
        assert_fits(situation, held, dealt)

    assert 4 * look_at_situations(rng, 60, 0.3, look) > 1_000


def assert_fits(situation, world, dealt):
    """A world has all that a player knows, said once more in the test's own words."""
    rules, seat = situation.rules, situation.seat
    cards = [card for hand in world for card in hand]
    assert len(set(cards)) == len(cards)
    assert set(cards) <= set(full_deck(rules.jokers)) - situation.thrown
    sight = Sight(situation)
    assert sorted(world[seat]) == sorted([*situation.hand, *sight.played(seat)])
    for other, hand in enumerate(world):
        left = set(hand) - set(sight.played(other))
        assert set(sight.played(other)) <= set(hand)
        assert len(left) == situation.held[other]
        if other == seat:
            continue
        assert not left & sight.lacks(other)
        told = situation.known.cards_of((other - seat) % len(world))
        barred = situation.known.barred_to((other - seat) % len(world)) | situation.known.out
        if rules.draw:
            trumps = trump_suit(rules, situation.trump)
            assert {card for card in told if card in trumps} <= set(hand)
            kept = len(trumps_kept(rules, situation.trump, dealt[other]))
            assert len([card for card in hand if card in trumps]) >= kept
        else:
            assert told <= set(hand)
            assert not set(hand) & barred


WORLDS = 40_000


@njit
def compiled_worlds(count, state, setting, player, seen):
    """Worlds of a player, given as its seat, its hand and what it knows to be in no hand."""
    seat, own, gone = player
    worlds = make_worlds(count)
    deal_worlds(worlds, state, setting, seat, own, gone, seen)
    return worlds.hands, worlds.weights


def test_worlds_are_dealt_the_same_in_both_engines():
    rng = random.Random("worlds")

    def look(situation, deal, _held, _dealt):
        assert_worlds_agree(situation, deal.setting(situation.trump), rng)

    assert look_at_situations(rng, 80, 0.25, look) > 300


def assert_worlds_agree(situation, setting, rng):
    """Both engines deal the same worlds, of the same weights, to a player in a situation."""
    seed, number, turn = rng.getrandbits(64), rng.randrange(2**40), rng.randrange(42)
    count = rng.randint(3, 9)
    worlds = plain_worlds(situation, turn_words(seed, number, turn), count)
    order = TrumpOrder(situation.rules, situation.trump)
    sight = Sight(replace(situation, known=Known()))
    seen = np.zeros((4, MOST_PLAYERS), np.int64)
    for seat in range(len(situation.held)):
        seen[PLAYED, seat] = order.mask(sight.played(seat))
        seen[HOLDS, seat] = situation.held[seat]
        seen[THROWN, seat] = 6 - situation.kept[seat] if situation.kept else 0
        if seat != situation.seat:
            seen[LACKS, seat] = order.mask(sight.lacks(seat))
    state = word(stream_key(seed), number, FIRST_TURN_WORD + turn)
    state -= 2**64 if state >= 2**63 else 0
    player = (situation.seat, order.mask(sight.own), order.mask(situation.thrown))
    hands, weights = compiled_worlds(count, state, setting, player, seen)
    assert weights.tolist() == [world.weight for world in worlds], situation
    for i, world in enumerate(worlds):
        found = [hands[i // 8, seat, i % 8] for seat in range(len(world.hands))]
        assert found == [order.mask(hand) for hand in world.hands], situation


class Few:
    """A few unseen cards, of which four seats hold some, as one of the seats sees it.

    lacks are the cards that each seat has shown to lack, held and thrown how many it holds and how
    many it threw away before a draw, played what it has played.
    """

    def __init__(self, unseen, held, *, lacks=None, thrown=None, played=None, seat=0, known=None):
        changes = {"trump_choice": "declared", "draw": True} if thrown else {}
        self.rules = rules_of("partners", **changes)
        self.known = known or Known()
        self.unseen = unseen.split()
        self.seat = seat
        self.others = [other for other in range(4) if other != seat]
        self.held = held
        self.thrown = thrown or [0] * 4
        self.lacks = [set(text.split()) for text in lacks or [""] * 4]
        self.played = [set(text.split()) for text in played or [""] * 4]

    def compiled(self, state):
        """Where each unseen card lies in some worlds (4: nowhere), and what the worlds weigh."""
        order = TrumpOrder(self.rules, "S")
        seen = np.zeros((4, MOST_PLAYERS), np.int64)
        seen[HOLDS, :4] = self.held
        seen[THROWN, :4] = self.thrown
        seen[LACKS, :4] = [order.mask(cards) for cards in self.lacks]
        seen[PLAYED, :4] = [order.mask(cards) for cards in self.played]
        setting = encode_setting(
            self.rules, self.rules.seating(), Known(), "S", dealer=3, told=self.known
        )
        gone = setting.deck & ~order.mask(self.unseen)
        hands, weights = compiled_worlds(WORLDS, state, setting, (self.seat, 0, gone), seen)
        lies = np.full((len(self.unseen), WORLDS), 4)
        for place, card in enumerate(self.unseen):
            for other in self.others:
                there = hands[:, other].ravel()[:WORLDS] & order.mask([card]) != 0
                lies[place, there] = other
        return lies, weights

    def exact(self):
        """In which share of all the deals that fit each card lies with each seat, [cards, 5]."""
        counts = np.zeros((len(self.unseen), 5))

        def deal(left, others, lies, ways):
            if not others:
                for place in range(len(self.unseen)):
                    counts[place, lies.get(place, 4)] += ways * self.ways_to_throw(left)
                return
            other, *later = others
            for places in combinations(left, self.held[other]):
                hand = {self.unseen[place] for place in places}
                rest = [place for place in left if place not in places]
                there = lies | dict.fromkeys(places, other)
                if ways_to_have := self.ways_to_have(other, hand):
                    deal(rest, later, there, ways * ways_to_have)

        deal(range(len(self.unseen)), self.others, {}, 1)
        return counts / counts[0].sum()

    def ways_to_have(self, seat, hand):
        """In how many ways a seat can have come to a hand."""
        told = self.known.cards_of(seat)
        if hand & self.lacks[seat]:
            return 0
        if not self.rules.draw:
            barred = self.known.barred_to(seat) | self.known.out
            return int(told <= hand and not hand & barred)
        trumps = {card for card in hand | self.played[seat] if card[1] == "S"}
        told_trumps = {card for card in told if card[1] == "S"}
        # Any of the trumps, but those told, may be the others that were kept.
        kept = 6 - self.thrown[seat]
        others = comb(len(trumps - told_trumps), kept - len(told_trumps))
        return others if told_trumps <= trumps else 0

    def ways_to_throw(self, left):
        """In how many ways the cards left can have been thrown away, or not."""
        told = {card for seat in self.others for card in self.known.cards_of(seat)}
        told = told.intersection(card for card in self.unseen if card[1] != "S")
        plain = {self.unseen[place] for place in left if self.unseen[place][1] != "S"}
        if not self.rules.draw:
            return 1
        thrown = sum(self.thrown[seat] for seat in self.others)
        return comb(len(plain - told), thrown - len(told)) if told <= plain else 0


#: Of seats 1 to 3; the third had kept four trumps at least.
PLAYED_TRUMPS = ["", "TS KH", "9S 6S 5S 3S", "8S 7S 4S 2S"]

FEW = {
    "nothing shown": Few("AS KS QH JH TD 9D 8C 7C 6C", [0, 2, 2, 2]),
    "voids": Few(
        "AS KS QS 4H JH TD 9D 8C 7C",
        [0, 2, 2, 2],
        lacks=["", "AS KS QS", "4H JH AS KS QS", "TD 9D"],
    ),
    "hardly a choice": Few(
        "AS KS QS 4H JH TD 9D", [0, 2, 3, 2], lacks=["", "AS KS", "", "4H JH TD 9D"]
    ),
    "a defender's": Few(
        "AS KS QS 4H JH TD 9D 8C", [3, 0, 2, 1], lacks=["TD 9D 8C", "", "AS KS QS", ""], seat=1
    ),
    "told": Few(
        "AS KS QS 4H JH TD 9D 8C 7C",
        [0, 2, 2, 2],
        lacks=["", "4H JH", "", "AS KS QS"],
        known=Known({2: frozenset(["AS"])}, frozenset(["9D"]), {3: frozenset(["8C"])}),
    ),
    "a draw": Few(
        "AS KS QS JS TD 9D 8D 8C 7C 6C 5C 4C 3C",
        [0, 2, 1, 2],
        thrown=[0, 4, 2, 1],
        played=PLAYED_TRUMPS,
    ),
    "a draw, and voids": Few(
        "AS KS QS JS TD 9D 8D 8C 7C 6C 5C 4C 3C",
        [0, 2, 2, 1],
        thrown=[5, 4, 2, 1],
        lacks=["", "TD 9D 8D", "AS KS QS JS", ""],
        played=PLAYED_TRUMPS,
    ),
    "a draw, as a defender saw it": Few(
        "AS KS QS JS TD 9D 8D 8C 7C 6C 5C",
        [2, 0, 1, 1],
        thrown=[4, 5, 1, 1],
        played=["TS", "", "9S 6S 5S 3S", "8S 7S 4S 2S"],
        seat=1,
    ),
    "a draw, told": Few(
        "AS KS QS JS TD 9D 8D 8C 7C 6C 5C 4C 3C",
        [0, 3, 1, 1],
        thrown=[3, 4, 2, 1],
        played=PLAYED_TRUMPS,
        known=Known({1: frozenset(["AS", "TD"]), 3: frozenset(["2S", "8S"])}),
    ),
}


@pytest.mark.parametrize("name", FEW)
def test_worlds_by_their_weights_are_as_likely_as_one_another(name):
    few = FEW[name]
    exact = few.exact()
    lies, weights = few.compiled(state=20)
    assert (weights > 0).all()
    total = weights.sum()
    for place, card in enumerate(few.unseen):
        for seat, share in enumerate(exact[place]):
            there = lies[place] == seat
            if share in (0, 1):
                assert (there == share).all(), f"{card} with {seat}"
                continue
            error = np.sqrt((weights**2 * (there - share) ** 2).sum()) / total
            assert_by_chance((weights * there).sum() / total - share, error, exact.size)


def test_unweighted_worlds_would_not_be():
    """So that the test above can tell."""
    few = FEW["voids"]
    lies, _ = few.compiled(state=20)
    found = np.array([(lies == seat).mean(axis=1) for seat in range(5)]).T
    assert abs(found - few.exact()).max() > 0.02


# -- What a bid says, and what it is worth ---------------------------------------------------------


@pytest.mark.parametrize("preset", ["partners", "solo", "ten-point"])
def test_the_chances_of_hands_are_those_with_which_they_make_their_bids(preset):
    rules = rules_of(preset)
    seating, bids, deals = rules.seating(), rules.bids[:3], 6_000
    study = Study(rules, seating, Known(), (Option("S", None),), seed=99)
    outcomes = np.empty((1, 1, deals), np.int32)
    Simulation(study).outcomes(0, outcomes)
    hands = [Simulation(study).hands(number)[0] for number in range(deals)]
    order = TrumpOrder(rules, "S")
    pitching = [any(card in order.trumps for card in hand) for hand in hands]
    held = np.array([[bit in map(order.bit_of.get, hand) for bit in range(56)] for hand in hands])
    held, results = held[pitching], results_of(outcomes[0, 0])[pitching]
    chances = chances_to_make(rules, seating, "S", bids)
    for bid, row in zip(bids, chances, strict=True):
        made = made_table(rules, bid)[results]
        surprise = made - (row[-1] + held @ row[:-1]) / 1000
        # What it was learned from is a sample as well.
        error = surprise.std() * np.sqrt(1 / len(made) + 1 / LEARNING_DEALS)
        assert_by_chance(surprise.mean(), error, tried=1)
        for bit in order.bit_of.values():
            with_it, without_it = made[held[:, bit]], made[~held[:, bit]]
            adds = with_it.mean() - without_it.mean() - row[bit] / 1000
            share = deals / LEARNING_DEALS
            error = np.sqrt(made.var() * (1 / len(with_it) + 1 / len(without_it)) * (1 + share))
            assert_by_chance(adds, error, tried=len(order.bit_of))


def assert_by_chance(difference, error, tried):
    """Hold a difference against its standard error; one of so many that are tried."""
    z = difference / error
    assert 2 * stats.norm.sf(abs(z)) * tried > ONE_IN_A_MILLION, f"{z:.1f} errors"


def test_a_card_that_is_not_in_the_deck_adds_nothing():
    rules = rules_of("partners")
    bits = set(TrumpOrder(rules, "H").bit_of.values())
    chances = chances_to_make(rules, rules.seating(), "H", rules.bids)
    missing = [bit for bit in range(56) if bit not in bits]
    assert missing
    assert not chances[:, missing].any()
    assert (chances[:, TrumpOrder(rules, "H").bit_of["AH"]] > 0).all()


def test_after_a_draw_a_bid_says_nothing_of_the_hand():
    rules = rules_of("partners", trump_choice="declared", draw=True)
    chances = chances_to_make(rules, rules.seating(), "H", rules.bids)
    assert not chances[:, :-1].any()
    assert (chances[:, -1] == 1000).all()


@pytest.mark.parametrize(
    ("preset", "changes", "bid", "points", "gained"),
    [
        ("partners", {}, "3", [4, 0], 4),
        ("partners", {}, "3", [3, 1], 2),
        ("partners", {}, "3", [2, 2], -5),
        ("solo", {}, "2", [3, 1, 0, 0], (3 - 1) + 3 + 3),
        ("solo", {}, "2", [1, 2, 1, 0], (-2 - 2) + (-2 - 1) - 2),
        ("partners", {"defenders_score": False}, "3", [2, 2], -3),
    ],
)
def test_what_the_pitchers_side_gains_in_a_world(preset, changes, bid, points, gained):
    rules = rules_of(preset, **changes)
    seating = rules.seating(4, partners=len(points) == 2)
    situation = Situation(rules, seating, 0, (), (), 0, bid, "S", (), 0, (), ())
    assert margin(situation, bid, points, [0] * len(points)) == gained


# -- Studies ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("play", "defence"), [("expert", "expert"), ("basic", "expert")])
def test_a_study_gives_the_same_numbers_in_any_pieces_and_threads(play, defence):
    study = make_study("AS JS 10S 5S KH 2D", "partners", play="expert", seed=3, worlds=6)
    study = replace(study, play=play, defence=defence)
    simulation = Simulation(study)
    whole = simulation.count(0, 60)
    for chunk, threads in [(60, 1), (7, 3), (1, 2)]:
        pieces = run(simulation, Stop(60), width=lambda _: 1, chunk=chunk, threads=threads).tally
        assert (pieces.counts == whole.counts).all()
        assert (pieces.products == whole.products).all()
    assert not (whole.counts == Simulation(replace(study, worlds=7)).count(0, 60).counts).all()
