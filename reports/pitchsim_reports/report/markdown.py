"""A report as Markdown, with its figures beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from pitchsim.cards import ALL_CARDS
from pitchsim_reports.phrasing import card_text
from pitchsim_reports.report.document import (
    Cell,
    Document,
    Figure,
    Findings,
    Items,
    Paragraph,
    Part,
    Section,
    Sheet,
)
from pitchsim_reports.report.playedhand import Deal, Played, PlayedCard

#: What means something in Markdown, anywhere or at the beginning of a line.
_SIGNS = re.compile(r"([\\`*_{}\[\]<>|~&$#])|^(\s*)([-+=]|\d+[.)])(?=\s|$)|(?<=\w)(:)(?=//)|(@)")


def report_markdown(document: Document) -> str:
    """Write a report as Markdown; figure NAME is in `figures/NAME.png`."""
    return "\n\n".join(_document(document)) + "\n"


def escaped(text: str) -> str:
    """Write a text so that nothing in it means anything in Markdown, a bare address included."""
    return _SIGNS.sub(lambda sign: f"{sign[2] or ''}\\{sign[0][len(sign[2] or '') :]}", text)


def _document(document: Document) -> Iterator[str]:
    yield f"# {escaped(document.title)}"
    if document.subtitle:
        yield escaped(document.subtitle)
    if document.author:
        yield escaped(document.author)
    for section in document.sections:
        yield from _section(section, 2)
    yield "## Where this comes from"
    yield "\n".join(f"- {escaped(name)}: {escaped(value)}" for name, value in document.footer)
    yield "The same again, into a folder of any name:"
    yield _code(document.command)


def _section(section: Section, level: int) -> Iterator[str]:
    yield f"{'#' * level} {escaped(section.title)}"
    for part in section.parts:
        yield from _part(part, level)


def _part(part: Part, level: int) -> Iterator[str]:
    match part:
        case Paragraph(text):
            yield escaped(text)
        case Items(sentences):
            yield _bullets(sentences)
        case Findings(findings):
            yield "\n".join(f"- **{escaped(one.about)}**: {escaped(one.text)}" for one in findings)
        case Sheet():
            yield f"**{escaped(part.title)}**"
            yield _table(part.columns, [[_cell(cell) for cell in row] for row in part.rows])
        case Figure(name, picture):
            yield f"![{escaped(' '.join(picture.alt.split()))}](figures/{name}.png)"
        case Section():
            yield from _section(part, level + 1)
        case Deal():
            yield from _deal(part, level + 1)


def _deal(deal: Deal, level: int) -> Iterator[str]:
    yield f"{'#' * level} {escaped(deal.title)}"
    yield from map(escaped, deal.story)
    seats = [[escaped(seat), _cards(hand)] for seat, hand in deal.seats]
    yield _table([("Seat", False), ("Cards", False)], seats)
    for played in deal.tables:
        yield from _played(played, level + 1)


def _played(played: Played, level: int) -> Iterator[str]:
    yield f"{'#' * level} {escaped(played.title)}"
    if played.auction:
        yield escaped(", ".join(played.auction))
    yield escaped(" ".join(played.outcome))
    if not played.tricks:
        return
    seats = [(f"Seat {seat}", False) for seat in range(len(played.tricks[0]))]
    rows = [
        [str(number), *map(_played_card, trick)]
        for number, trick in enumerate(played.tricks, start=1)
    ]
    yield _table([("Trick", True), *seats], rows)
    points = [
        [taken.point, card_text(taken.by) if taken.by in ALL_CARDS else taken.by, taken.side]
        for taken in played.points
    ]
    yield _table([("Point", False), ("By", False), ("Scored by", False)], points)


def _played_card(play: PlayedCard) -> str:
    if play.card is None:
        return ""
    text = card_text(play.card)
    return ("▸" if play.led else "") + (f"**{text}**" if play.won else text)


def _cell(cell: Cell) -> str:
    return _cards(cell.cards) if cell.cards else escaped(cell.text)


def _cards(cards: Iterable[str]) -> str:
    return " ".join(map(card_text, cards))


def _bullets(sentences: Iterable[str]) -> str:
    return "\n".join(f"- {escaped(sentence)}" for sentence in sentences)


def _table(columns: Sequence[tuple[str, bool]], rows: Iterable[Sequence[str]]) -> str:
    lines = [
        [escaped(name) for name, _ in columns],
        ["---:" if is_number else "---" for _, is_number in columns],
        *rows,
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _code(text: str) -> str:
    """Fence code with more backticks than stand together in it."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}"
