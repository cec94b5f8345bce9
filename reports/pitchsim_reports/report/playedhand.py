"""A hand as it was bid and played at two tables, ready to be shown card by card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pitchsim.cards import Card
from pitchsim.records import HandRecord
from pitchsim.reference.hand import HandResult, score_hand
from pitchsim.reference.scoring import point_cards
from pitchsim.reference.table import Trick
from pitchsim.rules import SMUDGE
from pitchsim.titles import POINT_TITLES, SUIT_NAMES
from pitchsim.wording import counted, side_name
from pitchsim_reports.phrasing import card_text, signed


class PlayedCard(NamedTuple):
    """A card in a trick; who has none left plays None."""

    card: Card | None
    led: bool
    won: bool


class Taken(NamedTuple):
    """A point: its name, the card (or card points) that brought it, and who scored it."""

    point: str
    by: Card | str
    side: str


@dataclass(frozen=True)
class Played:
    """What came of a deal at one table.

    Attributes
    ----------
    title
        Who sat where, such as `Bold in seats 0 and 2`.
    auction
        What each seat said, in turn, as `seat 1: pass`.
    outcome
        Sentences on who pitched, and what came of it.
    tricks
        The cards of each trick by seat.
    points
        Who scored what.
    """

    title: str
    auction: Sequence[str]
    outcome: Sequence[str]
    tricks: Sequence[Sequence[PlayedCard]]
    points: Sequence[Taken]


@dataclass(frozen=True)
class Deal:
    """A deal, and the tables at which it was played.

    Attributes
    ----------
    title
        What it is called.
    story
        Sentences on what happened.
    seats
        What each seat is called, and its cards as dealt.
    """

    title: str
    story: Sequence[str]
    seats: Sequence[tuple[str, tuple[Card, ...]]]
    tables: Sequence[Played]


def deal_of(title: str, story: Sequence[str], tables: Sequence[tuple[str, HandRecord]]) -> Deal:
    """Show a deal as it went at several tables, each with its title."""
    record = tables[0][1]
    seats = [
        (f"Seat {seat}" + (", dealer" if seat == record.dealer else ""), hand)
        for seat, hand in enumerate(record.hands)
    ]
    return Deal(title, story, seats, [_played(name, record) for name, record in tables])


def _played(title: str, record: HandRecord) -> Played:
    result = score_hand(record)
    return Played(
        title,
        list(_auction(record)),
        list(_outcome(record, result)),
        [
            [_played_card(trick, seat) for seat in range(record.seating.players)]
            for trick in result.tricks
        ],
        list(_points(record, result)) if result.pitcher is not None else [],
    )


def _played_card(trick: Trick, seat: int) -> PlayedCard:
    cards = dict(zip(trick.seats, trick.plays, strict=True))
    return PlayedCard(cards.get(seat), seat == trick.leader, seat == trick.winner)


def _auction(record: HandRecord) -> Iterator[str]:
    if record.bids is None:
        return
    for turn, bid in enumerate(record.bids, start=1):
        yield f"seat {(record.dealer + turn) % record.seating.players}: {bid}"


def _outcome(record: HandRecord, result: HandResult) -> Iterator[str]:
    if result.pitcher is None or result.bid is None:
        yield "Everybody passed: the hand is thrown in."
        return
    seating, side = record.seating, record.seating.side_of(result.pitcher)
    yield (
        f"Seat {result.pitcher} pitches for {'a smudge' if result.bid == SMUDGE else result.bid}; "
        f"{SUIT_NAMES[result.trump or 'S']} are trump."
    )
    for seat, draw in enumerate(record.draws or ()):
        if draw.out:
            yield f"Seat {seat} throws {_cards(draw.out)} and draws {_cards(draw.drawn) or 'none'}."
    took = counted(result.side_points[side], "point")
    if result.bid == SMUDGE:
        took += f" and {counted(result.tricks_won[side], 'trick')}"
    yield f"{'Made' if result.made else 'Set'}: {took}."
    changes = [
        f"{side_name(seating, one)} {signed(change, 0)}" for one, change in enumerate(result.change)
    ]
    yield f"Scores move: {', '.join(changes)}."


def _points(record: HandRecord, result: HandResult) -> Iterator[Taken]:
    cards = point_cards(record.rules, result.trump or "", [trick.plays for trick in result.tricks])
    for name, side in result.points.items():
        if name == "game":
            best = max(result.card_points)
            by = f"{best} card points" + (", tied" if result.card_points.count(best) > 1 else "")
        else:
            by = cards[name] or "not dealt"
        yield Taken(
            POINT_TITLES[name], by, "nobody" if side is None else side_name(record.seating, side)
        )


def _cards(cards: Iterable[Card]) -> str:
    return " ".join(map(card_text, cards))
