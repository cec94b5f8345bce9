"""Auctions, strategies and matches, for the tests: bidders that are quick to make."""

import random

import numpy as np
from agreement import random_rules, seatings

from pitchsim.bidding.auction import Contracts, Turn
from pitchsim.bidding.bidders import LongestSuit, RandomBidder
from pitchsim.bidding.contracts import PossibleContracts
from pitchsim.bidding.holdings import Holdings
from pitchsim.bidding.playing import Player, Playing
from pitchsim.hands import mask_of
from pitchsim.matches.pairing import Pairing
from pitchsim.presets import load_preset, preset_names

BASIC, RANDOM = Player("basic"), Player("random")


def hand_masks(*texts):
    return np.array([mask_of(text.split()) for text in texts], np.int64)


def any_auction(rng: random.Random):
    """A preset, often with another auction, and a way of sitting; or any rule set at all."""
    rules = random_rules(rng) if rng.random() < 0.3 else load_preset(rng.choice(preset_names()))
    total = rules.total
    rules = rules.changed(
        {
            "min_bid": rng.randint(1, min(2, total)),
            "forced_bid": rng.choice([None, 1, min(2, total)]),
            "dealer_steals": rng.choice(["no", "below_max", "any"]),
            "smudge": rng.choice(["none", "all_points", "all_tricks", "both"]),
            "smudge_value": rng.choice([0, total + 1]),
            "smudge_success": rng.choice(["score", "double", "wins_game"]),
            "smudge_failure": rng.choice(["bid", "loses_game"]),
            "finish": rng.choice(["pitcher_first", "as_pitcher", "made_bid"]),
            "target": rng.choice([7, 11, 21]),
            "defenders_score": rng.random() < 0.7,
        }
    )
    return rules, rng.choice(list(seatings(rules)))


def turn_at(playing, hands, calls=(), scores=None):
    """The turn after some calls, as words, with each of some hands, given as text."""
    count, sides = len(hands), playing.seating.sides
    said = [playing.ladder.words.index(call) for call in calls]
    return Turn(
        playing.ladder,
        playing.seating,
        np.arange(count),
        hand_masks(*hands),
        np.tile(np.array(said, np.int64), (count, 1)),
        np.zeros((count, sides), np.int64) if scores is None else scores,
    )


def words_said(playing, calls):
    return [playing.ladder.words[call] for call in np.asarray(calls).tolist()]


def at(preset="partners", players=None, partners=None, seed=7, **changes):
    rules = load_preset(preset).changed(changes)
    return Playing(rules, rules.seating(players, partners), seed)


def random_bidder(playing, passes=0.5, seed=1):
    return RandomBidder(Holdings(playing.rules), passes, seed)


def pairing_of(playing, bidders=None, players=(BASIC, BASIC), *, whole_games=False):
    bidders = bidders or [random_bidder(playing, 0.5, 1), random_bidder(playing, 0.7, 2)]
    return Pairing(playing, bidders, list(players), whole_games)


class HighestTrump(LongestSuit):
    """Bids by the number of trumps, and leads the highest: with an opinion on its chances."""

    def call(self, turn):
        longest = np.bitwise_count(self.holdings.of(turn.hands)).max(axis=0)
        least = np.where(turn.legal[:, 0], 0, turn.legal.argmax(axis=1))
        wanted = np.clip(longest.astype(np.int64) - 2, 0, turn.legal.shape[1] - 1)
        may = turn.legal[np.arange(len(wanted)), wanted]
        return np.where(may, wanted, least)

    def contract(self, hands, calls, numbers):
        trumps = super().contract(hands, calls, numbers).trumps
        possible = hands & PossibleContracts(self.holdings.rules).leads[trumps]
        leads = [
            max(card for card in self.holdings.trumps[trump] if hand >> card & 1)
            for hand, trump in zip(possible.tolist(), trumps.tolist(), strict=True)
        ]
        return Contracts(trumps, np.array(leads), np.full(len(hands), 0.5))
