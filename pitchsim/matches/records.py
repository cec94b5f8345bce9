"""The deals of a match that made the largest difference, as records of both tables."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pitchsim.bidding.auction import Auctions
from pitchsim.bidding.playing import Deals, Seated, pitch
from pitchsim.cards import SUITS
from pitchsim.deals import as_played
from pitchsim.hands import cards_of
from pitchsim.matches.pairing import TABLES, Pairing
from pitchsim.matches.result import Match
from pitchsim.records import HandRecord


class Disagreement(NamedTuple):
    """A deal that two strategies bid or played differently.

    one, other : their names.
    number : which deal of the match it is.
    difference : by how many points the one's score moved more than the other's, at both tables
        together.
    tables : the records of the first table, where the one has the even seats, and of the second.
    """

    one: str
    other: str
    number: int
    difference: float
    tables: tuple[HandRecord, HandRecord]


def disagreements(match: Match, limit: int) -> list[Disagreement]:
    """Return the deals of a match with the largest difference, those first.

    Of the deals remembered (see :data:`pitchsim.matches.tally.REMEMBERED`), those that brought one
    of the two strategies more than the other.
    """
    found: list[Disagreement] = []
    for difference, number in match.tally.swings.tolist():
        if difference and len(found) < limit:
            first, second = records(match.pairing, number)
            points = difference / match.pairing.scale
            found.append(Disagreement(match.one, match.other, number, points, (first, second)))
    return found


def records(pairing: Pairing, number: int) -> tuple[HandRecord, HandRecord]:
    """Play the first hand of a unit again, at both tables, and write it down."""
    deals, seated = pairing.deals(number, 1, 0), pairing.seated(1)
    scores = np.zeros((TABLES, pairing.playing.seating.sides), np.int64)
    auctions = pairing.bid(deals, seated, scores)
    first, second = (
        _record(
            pairing,
            deals.of(at_table),
            Auctions(*(part[at_table] for part in auctions)),
            seated.at(at_table),
        )
        for at_table in np.eye(TABLES, dtype=bool)
    )
    return first, second


def _record(pairing: Pairing, deals: Deals, auctions: Auctions, seated: Seated) -> HandRecord:
    """Play one deal, and write it down."""
    playing = pairing.playing
    (dealer,), (calls,) = deals.dealers.tolist(), auctions.calls.tolist()
    told = {
        "rules": playing.rules,
        "seating": playing.seating,
        "dealer": dealer,
        "scores": (0,) * playing.seating.sides,
        "bids": tuple(playing.ladder.words[call] for call in calls),
    }
    if auctions.places[0] < 0:
        return HandRecord(hands=tuple(cards_of(hand) for hand in deals.hands[0].tolist()), **told)
    pitched = pitch(playing.possible, deals, auctions, seated)
    trump = SUITS[int(pitched.contracts.trumps[0])]
    played = playing.play_deal(pitched, seated)
    return HandRecord(**as_played(playing.rules, trump, played, int(pitched.pitchers[0])), **told)
