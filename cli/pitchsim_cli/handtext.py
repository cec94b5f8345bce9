"""A scored hand as people read it: the tricks, who took which point, the bid, the scores."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from pitchsim.errors import listed
from pitchsim.records import HandRecord
from pitchsim.reference.hand import HandResult
from pitchsim.reference.scoring import point_cards
from pitchsim.reference.table import Trick
from pitchsim.rules import SMUDGE, Seating

SUIT_NAMES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
POINT_TITLES = {
    "high": "High",
    "low": "Low",
    "jack": "Jack",
    "off_jack": "Off-jack",
    "high_joker": "High joker",
    "low_joker": "Low joker",
    "trump_three": "Trump three",
    "trump_five": "Trump five",
    "off_five": "Off-five",
    "ace_of_hearts": "Ace of hearts",
    "game": "Game",
}


@dataclass(frozen=True)
class Grid:
    """A table: the headings of its columns, and its rows."""

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]


def hand_text(title: str, record: HandRecord, result: HandResult) -> str:
    """Write a hand for a terminal, under a title that says where it is from."""
    return "\n\n".join(_parts(title, record, result, _plain))


def hand_markdown(title: str, record: HandRecord, result: HandResult) -> str:
    """Write a hand as Markdown."""
    heading, *rest = _parts(title, record, result, _markdown)
    return "\n\n".join([f"### {heading}", *rest])


def _parts(
    title: str, record: HandRecord, result: HandResult, write: Callable[[Grid], str]
) -> Iterator[str]:
    """Write a hand part by part: sentences, and tables as `write` does."""
    yield _heading(title, record)
    if result.pitcher is None:
        yield "Everybody passed: the hand is thrown in, and the scores stay."
    else:
        yield "\n".join([_contract(result), *_verdict(record, result)])
        yield write(_tricks(record.seating, result.tricks))
        yield write(_points(record, result))
    yield write(_sides(record, result))


def _heading(title: str, record: HandRecord) -> str:
    manner = "in two sides" if record.seating.partners else "each alone"
    table = f"{record.rules.name}, {record.seating.players} players {manner}"
    return f"{title}: {table}, dealer seat {record.dealer}"


def _contract(result: HandResult) -> str:
    bid = "a smudge" if result.bid == SMUDGE else result.bid
    suit = SUIT_NAMES[result.trump or ""]
    return f"Seat {result.pitcher} pitches for {bid}, {suit} are trump."


def _tricks(seating: Seating, tricks: Sequence[Trick]) -> Grid:
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
    return Grid(
        ["Trick (> led, * won)", *(f"Seat {seat}" for seat in range(seating.players))], rows
    )


def _points(record: HandRecord, result: HandResult) -> Grid:
    """Show each point: what it is worth, the card that brought it, and who scored it."""
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
    return Grid(["Point", "Worth", "By", "Scored by"], rows)


def _sides(record: HandRecord, result: HandResult) -> Grid:
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
    score = f"Score (down from {target})" if record.rules.countdown else f"Score (of {target})"
    return Grid(["Side", "Tricks", "Card points", "Points", "Change", score], rows)


def _verdict(record: HandRecord, result: HandResult) -> Iterator[str]:
    """Say whether the bid was made, and whether the game is over."""
    side = record.seating.side_of(result.pitcher or 0)
    bid = "smudge" if result.bid == SMUDGE else f"bid of {result.bid}"
    took, change = _counted(result.side_points[side], "point"), result.change[side]
    if result.bid == SMUDGE:
        took += f" and {_counted(result.tricks_won[side], 'trick')}"
    if result.made:
        yield f"Made: {took} for the {bid}, scoring {change}."
    else:
        yield f"Set: {took} for the {bid}, losing {-change}."
    if result.winner is not None:
        yield f"{side_name(record.seating, result.winner).capitalize()} has won the game."


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def side_name(seating: Seating, side: int) -> str:
    """Name a side: by its seats, or as the seat that it is."""
    seats = seating.seats_of(side)
    return f"seats {listed(seats, 'and')}" if len(seats) > 1 else f"seat {side}"


def _plain(grid: Grid) -> str:
    """Line up the columns, those of numbers to the right."""
    columns = []
    for heading, *cells in zip(grid.headings, *grid.rows, strict=True):
        width = max(map(len, (heading, *cells)))
        is_numbers = all(cell.lstrip("+-").isdigit() for cell in cells)
        columns.append(
            [cell.rjust(width) if is_numbers else cell.ljust(width) for cell in (heading, *cells)]
        )
    return "\n".join("  ".join(line).rstrip() for line in zip(*columns, strict=True))


def _markdown(grid: Grid) -> str:
    lines = [grid.headings, ["---"] * len(grid.headings), *grid.rows]
    return "\n".join(
        f"| {' | '.join(cell.strip().replace('*', chr(92) + '*') for cell in line)} |"
        for line in lines
    )
