"""A report as its parts, before it is known whether they become HTML or Markdown.

All texts are plain: whoever writes them into a page escapes them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pitchsim.cards import Card
from pitchsim_reports.report.playedhand import Deal

if TYPE_CHECKING:
    from pitchsim_reports.figures import Picture


#: So many letters in a row fill the width of a telephone.
_WIDE = 45


class Finding(NamedTuple):
    """A sentence or two computed from numbers, and what it is about."""

    about: str
    text: str


@dataclass(frozen=True)
class Paragraph:
    """Some sentences; `quiet` ones are for who wants to know exactly."""

    text: str
    quiet: bool = False


@dataclass(frozen=True)
class Items:
    """Sentences that each stand for themselves."""

    sentences: Sequence[str]


@dataclass(frozen=True)
class Findings:
    """What was found, each with a word or two on what it is about."""

    findings: Sequence[Finding]


@dataclass(frozen=True)
class Cell:
    """What stands in a table at one place.

    Attributes
    ----------
    text
        What is read.
    value
        The number by which it is sorted; None: it is sorted as text, or, among numbers, last.
    cards
        If there are any, they are shown in the text's place.
    """

    text: str
    value: float | None = None
    cards: tuple[Card, ...] = ()


def number(text: str, value: float) -> Cell:
    """Make a cell of a number as it is written; what is no number is sorted last."""
    return Cell(text, None if math.isnan(value) else float(value))


@dataclass(frozen=True)
class Sheet:
    """A table.

    Attributes
    ----------
    title
        What it shows.
    headings
        The columns' headings; those of columns of words begin with `<`, numbers go to the right.
    rows
        Its cells; the first of each row says what the row is about.
    """

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[Cell]]

    @property
    def columns(self) -> list[tuple[str, bool]]:
        """The headings as they are read, each with whether the column holds numbers."""
        return [(name.removeprefix("<"), not name.startswith("<")) for name in self.headings]

    @property
    def is_wide(self) -> bool:
        """Whether it needs the width of a page to be read with ease."""
        longest = [
            max(len(cell.text) for cell in column) for column in zip(*self.rows, strict=True)
        ]
        return sum(longest) > _WIDE or len(self.headings) > 5


@dataclass(frozen=True)
class Figure:
    """A figure: its picture, and the name that a file of it bears."""

    name: str
    picture: Picture


@dataclass(frozen=True)
class Section:
    """A heading and what stands under it.

    Attributes
    ----------
    name
        A word that no other section has, for references.
    """

    name: str
    title: str
    parts: Sequence[Part]


Part: TypeAlias = "Paragraph | Items | Findings | Sheet | Figure | Deal | Section"


@dataclass(frozen=True)
class Document:
    """A whole report.

    Attributes
    ----------
    title, subtitle, author
        Its head; the last two may be empty.
    sections
        What it says.
    footer
        Where it comes from: names and what they stand for.
    command
        What makes it again.
    """

    title: str
    subtitle: str
    author: str
    sections: Sequence[Section]
    footer: Sequence[tuple[str, str]]
    command: str

    def figures(self) -> list[Figure]:
        """Return all figures in their order."""
        return [part for section in self.sections for part in _figures(section)]


def _figures(section: Section) -> list[Figure]:
    found: list[Figure] = []
    for part in section.parts:
        if isinstance(part, Figure):
            found.append(part)
        elif isinstance(part, Section):
            found += _figures(part)
    return found
