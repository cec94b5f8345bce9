"""A hand solved double dummy as people read it: each card's worth, the bid, the position."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pitchsim.cards import is_joker
from pitchsim.reference.hand import replay
from pitchsim.reference.scoring import card_points_won, card_takers, side_points, tricks_won
from pitchsim.reference.table import Table
from pitchsim.rules import SMUDGE
from pitchsim.titles import POINT_TITLES
from pitchsim.wording import counted, side_name
from pitchsim_cli.handtext import bid_name, heading, pitches
from pitchsim_cli.layout import Paragraph, Part, Sheet

if TYPE_CHECKING:
    from pitchsim.solving import Solution

MEANING = (
    "Double dummy: everybody sees all cards. Points are those that the pitcher's side ends with, "
    "what it has taken included, when it takes all it can and everybody else plays against it."
)


def solution_parts(title: str, solution: Solution) -> Iterator[Part]:
    """Write a solution part by part, under a title that says where the hand is from."""
    record = solution.record
    played = replay(record)
    yield heading(title, record)
    whose = "for" if solution.is_ours else "against"
    yield Paragraph(
        f"{pitches(solution.pitcher, solution.bid, solution.trump)}\n"
        f"Seat {solution.to_move} is to move, {whose} the pitcher's side."
    )
    yield Paragraph(_verdict(solution), strong=True)
    yield _cards(solution)
    if played.table is not None:
        yield _position(solution, played.table)
        if played.table.tricks and solution.trump is not None:
            yield _taken(solution, played.table, played.hands)
    yield Paragraph(" ".join([MEANING, *_remarks(solution)]))


def _verdict(solution: Solution) -> str:
    """Say whether the bid stands made or set with best play."""
    bid, limit = bid_name(solution.bid), solution.limit
    points = "" if solution.points is None else f": {counted(solution.points, 'point')}"
    if solution.made is None:
        return f"Not solved within {limit:,} positions: whether the {bid} can be made is open."
    end = "made" if solution.made else "set"
    return f"With best play the {bid} is {end}{points}."


def _cards(solution: Solution) -> Sheet:
    """Show each card, best first: the points, and whether the bid and a smudge can be made."""
    asks_for_smudge = solution.smudge and solution.bid != SMUDGE
    rows = []
    for card in solution.ranking:
        points = solution.values[card]
        row = [card, "not solved" if points is None else str(points)]
        row.append(_made_or_set(solution.makes_bid(card)))
        if asks_for_smudge:
            row.append(_made_or_set(solution.smudge[card]))
        rows.append(row)
    headings = ["<Card", "Points", f"<{bid_name(solution.bid).capitalize()}"]
    if asks_for_smudge:
        headings.append("<A smudge")
    return Sheet("What each card comes to, best first", headings, rows)


def _made_or_set(made: bool | None) -> str:
    return "not solved" if made is None else "made" if made else "set"


def _position(solution: Solution, table: Table) -> Sheet:
    """Show the cards that everybody holds, and those of the trick in progress."""
    on_table = dict(zip(table.seats, table.plays, strict=True))
    rows = []
    for seat, hand in enumerate(table.hands):
        card = on_table.get(seat, "")
        led = ">" if card and seat == table.leader else " "
        name = f"seat {seat}" + ("*" if seat == solution.to_move else "")
        rows.append([name, led + card, " ".join(hand)])
    number = len(table.tricks) + 1
    return Sheet(f"Trick {number} (* to move, > led)", ["<Seat", "<Trick", "<Holds"], rows)


def _taken(solution: Solution, table: Table, hands: tuple[tuple[str, ...], ...]) -> Sheet:
    """Show what each side has taken, Game excepted."""
    rules, seating = solution.record.rules, solution.record.seating
    takers = card_takers(
        rules, seating, trump=table.known_trump(), hands=hands, tricks=table.tricks
    )
    points = side_points(rules, seating, takers)
    rows = [
        [
            side_name(seating, side),
            str(tricks),
            str(card_points),
            str(points[side]),
            ", ".join(POINT_TITLES[name] for name, taker in takers.items() if taker == side),
        ]
        for side, (tricks, card_points) in enumerate(
            zip(
                tricks_won(seating, table.tricks),
                card_points_won(seating, table.tricks),
                strict=True,
            )
        )
    ]
    headings = ["<Side", "Tricks", "Card points", "Points", "<Taken"]
    return Sheet("Already taken (Game is settled at the end)", headings, rows)


def _remarks(solution: Solution) -> Iterator[str]:
    if solution.trump is None:
        yield "The first card led makes its own suit trump."
        if any(is_joker(card) for card in solution.values):
            yield "A joker led goes with the suit that is best for the pitcher's side."
    if solution.record.seating.sides > 2:
        yield "All others are one side against the pitcher; Game still goes by each player."
