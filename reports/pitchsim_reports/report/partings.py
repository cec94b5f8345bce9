"""The deals in which strategies part most, each told in a sentence or two."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pitchsim.errors import listed
from pitchsim.rules import PASS
from pitchsim_reports.phrasing import bids_words, card_text

if TYPE_CHECKING:
    from pitchsim.matches.records import Disagreement
    from pitchsim.matches.result import MatchResult
    from pitchsim.records import HandRecord


@dataclass(frozen=True)
class Parting:
    """A deal in which two strategies did not do the same.

    Attributes
    ----------
    rules
        The label of the rule set.
    story
        What each did, in sentences.
    tables
        The record of each table at which the deal was played, with who sat where.
    """

    rules: str
    story: Sequence[str]
    tables: Sequence[tuple[str, HandRecord]]


def partings_of(result: MatchResult, limit: int) -> list[Parting]:
    """Return the deals that made the largest difference between any two of the strategies."""
    from pitchsim.matches.records import disagreements  # noqa: PLC0415  (loads numba)

    found = [deal for match in result.matches for deal in disagreements(match, limit)]
    found.sort(key=lambda deal: -abs(deal.difference))
    return [_parting(result.rules.name, deal) for deal in found[:limit]]


def _parting(rules: str, deal: Disagreement) -> Parting:
    first, second = deal.tables
    seats = [_seats(range(start, first.seating.players, 2)) for start in (0, 1)]
    titles = (
        f"{one} in {seats[0]}, {other} in {seats[1]}"
        for one, other in ((deal.one, deal.other), (deal.other, deal.one))
    )
    return Parting(rules, list(_story(deal)), list(zip(titles, (first, second), strict=True)))


def _seats(seats: Sequence[int]) -> str:
    return f"seat{'' if len(seats) == 1 else 's'} {listed(seats, 'and')}"


def _story(deal: Disagreement) -> Iterator[str]:
    first, second = deal.tables
    yield _bids_apart(deal, first, second) or _plays_apart(deal, first, second)
    ahead, behind = (deal.one, deal.other) if deal.difference > 0 else (deal.other, deal.one)
    points = f"{round(abs(deal.difference), 2):g}"
    yield (
        f"At both tables together {ahead} gains {points} point{'' if points == '1' else 's'} on "
        f"{behind}."
    )


def _bids_apart(deal: Disagreement, first: HandRecord, second: HandRecord) -> str:
    """Say at which turn the bids part; nothing if they do not."""
    for turn, (one, other) in enumerate(zip(first.bids or (), second.bids or (), strict=True)):
        if one != other:
            seat = (first.dealer + 1 + turn) % first.seating.players
            who = (deal.one, deal.other) if seat % 2 == 0 else (deal.other, deal.one)
            return f"In seat {seat} {who[0]} {_said(one)}, and {who[1]} {_said(other)}."
    return ""


def _said(bid: str) -> str:
    return "passes" if bid == PASS else bids_words(bid)


def _plays_apart(deal: Disagreement, first: HandRecord, second: HandRecord) -> str:
    """Say at which card the play parts, after the same bids."""
    pairs = enumerate(zip(first.plays, second.plays, strict=False))
    place = next((place for place, (one, other) in pairs if one != other), None)
    if place is None:
        return "The first hand is the same at both tables."
    card = first.plays[place]
    seat = next(seat for seat, hand in enumerate(first.hands) if card in hand)
    who = (deal.one, deal.other) if seat % 2 == 0 else (deal.other, deal.one)
    return (
        f"The bids are the same. In seat {seat} {who[0]} plays {card_text(card)}, and {who[1]} "
        f"{card_text(second.plays[place])}."
    )
