"""A scored hand as people read it: the tricks, who took which point, the bid, the scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitchsim.rules import SMUDGE
from pitchsim.titles import POINT_TITLES, SUIT_NAMES
from pitchsim.wording import counted, manner, side_name
from pitchsim_cli.layout import Heading, Paragraph, Part, Sheet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pitchsim.records import HandRecord
    from pitchsim.reference.hand import HandResult
    from pitchsim.reference.table import Trick
    from pitchsim.rules import Seating


def hand_parts(title: str, record: HandRecord, result: HandResult) -> Iterator[Part]:
    """Write a hand part by part, under a title that says where it is from."""
    yield heading(title, record)
    if result.pitcher is None:
        yield Paragraph("Everybody passed: the hand is thrown in, and the scores stay.")
    else:
        contract = pitches(result.pitcher, result.bid, result.trump)
        yield Paragraph("\n".join([contract, *_verdict(record, result)]))
        yield _tricks(record.seating, result.tricks)
        yield _points(record, result)
    yield _sides(record, result)


def heading(title: str, record: HandRecord) -> Heading:
    """Say where a hand is from and at what table it was played."""
    table = f"{record.rules.name}, {manner(record.seating)}"
    return Heading(f"{title}: {table}, dealer seat {record.dealer}")


def pitches(pitcher: int, bid: str | None, trump: str | None) -> str:
    """Say who pitches for what, and what is trump, or will be."""
    what = "a smudge" if bid == SMUDGE else bid
    suit = "the first lead makes" if trump is None else f"{SUIT_NAMES[trump]} are"
    return f"Seat {pitcher} pitches for {what}, {suit} trump."


def bid_name(bid: str | None) -> str:
    """Name a bid: `bid of 3`, or `smudge`."""
    return SMUDGE if bid == SMUDGE else f"bid of {bid}"


def _tricks(seating: Seating, tricks: Sequence[Trick]) -> Sheet:
    """Show each trick by seat, the card led and the card that won marked."""
    rows = []
    for number, trick in enumerate(tricks, start=1):
        cards = dict(zip(trick.seats, trick.plays, strict=True))
        cells = [
            ("" if seat not in cards else ">" if seat == trick.leader else " ")
            + cards.get(seat, "")
            + ("*" if seat == trick.winner else "")
            for seat in range(seating.players)
        ]
        rows.append([str(number), *cells])
    seats = [f"<Seat {seat}" for seat in range(seating.players)]
    return Sheet("Tricks (> led, * won)", ["Trick", *seats], rows)


def _points(record: HandRecord, result: HandResult) -> Sheet:
    """Show each point: what it is worth, the card that brought it, and who scored it."""
    from pitchsim.reference.scoring import point_cards  # noqa: PLC0415  (not needed for --help)

    cards = point_cards(record.rules, result.trump or "", [trick.plays for trick in result.tricks])
    rows = []
    for name, side in result.points.items():
        if name == "game":
            best = max(result.card_points)
            tied = result.card_points.count(best) > 1
            what = f"{best} card points" + (", tied" if tied else "")
        else:
            what = cards[name] or "not dealt"
        taker = "nobody" if side is None else side_name(record.seating, side)
        rows.append([POINT_TITLES[name], str(record.rules.point_values[name]), what, taker])
    return Sheet("", ["<Point", "Worth", "<By", "<Scored by"], rows)


def _sides(record: HandRecord, result: HandResult) -> Sheet:
    """Show what each side took, and its score before and after."""
    target = record.rules.target
    shown: Callable[[int], int] = (
        (lambda score: target - score) if record.rules.countdown else (lambda score: score)
    )
    rows = [
        [
            side_name(record.seating, side),
            str(result.tricks_won[side]),
            str(result.card_points[side]),
            str(result.side_points[side]),
            f"{result.change[side]:+d}" if result.change[side] else "0",
            f"{shown(record.scores[side])} -> {shown(result.scores[side])}",
        ]
        for side in range(record.seating.sides)
    ]
    score = f"<Score (down from {target})" if record.rules.countdown else f"<Score (of {target})"
    return Sheet("", ["<Side", "Tricks", "Card points", "Points", "Change", score], rows)


def _verdict(record: HandRecord, result: HandResult) -> Iterator[str]:
    """Say whether the bid was made, and whether the game is over."""
    side = record.seating.side_of(result.pitcher or 0)
    bid = bid_name(result.bid)
    took, change = counted(result.side_points[side], "point"), result.change[side]
    if result.bid == SMUDGE:
        took += f" and {counted(result.tricks_won[side], 'trick')}"
    if result.made:
        yield f"Made: {took} for the {bid}, scoring {change}."
    else:
        yield f"Set: {took} for the {bid}, losing {-change}."
    if result.winner is not None:
        yield f"{side_name(record.seating, result.winner).capitalize()} has won the game."
