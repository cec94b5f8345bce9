"""Laying out headings, sentences and tables, for a terminal or as Markdown."""

import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import typer

NARROWEST, WIDEST = 40, 88  # columns; longer lines are hard to read
STYLES = re.compile("\x1b\\[[0-9]*m")  # as typer.style writes them
#: What means something in Markdown: `>` only in front, and an underscore only around a word.
MARKDOWN_SIGNS = re.compile(r"[\\`*<|~&$\[\]]|^>|(?<!\w)_|_(?!\w)")


@dataclass(frozen=True)
class Heading:
    """What all that follows is about."""

    text: str


@dataclass(frozen=True)
class Paragraph:
    """Some sentences.

    Attributes
    ----------
    strong
        Whether it is what a reader should see first.
    verbatim
        Whether it is to be copied: never broken into lines.
    """

    text: str
    strong: bool = False
    verbatim: bool = False


@dataclass(frozen=True)
class Items:
    """Sentences that each stand for themselves, under a title."""

    title: str
    sentences: Sequence[str]


@dataclass(frozen=True)
class Sheet:
    """A table.

    Attributes
    ----------
    title
        What stands above it; empty for nothing.
    headings
        The columns' headings; those of columns of words begin with `<`, numbers go to the right.
    rows
        The cells.
    strong_row
        The row that a reader should see first, if there is one.
    """

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    strong_row: int | None = None

    @property
    def lines(self) -> list[Sequence[str]]:
        """The headings and then the rows."""
        return [[heading.removeprefix("<") for heading in self.headings], *self.rows]

    @property
    def are_words(self) -> list[bool]:
        """Whether each column holds words."""
        return [heading.startswith("<") for heading in self.headings]


Part = Heading | Paragraph | Items | Sheet


def laid_out(parts: Iterable[Part], form: str, output: Path | None) -> str:
    """Write parts in a format, `markdown` or for a terminal: with styles if they go to one."""
    if form == "markdown":
        return as_markdown(parts)
    return for_terminal(parts, styled=output is None and _has_styles())


def _has_styles() -> bool:
    """Say whether standard output is a terminal that shows bold type, and nobody objects."""
    unwanted = "NO_COLOR" in os.environ or os.environ.get("TERM") in ("dumb", "unknown")
    return sys.stdout.isatty() and not unwanted


def for_terminal(parts: Iterable[Part], *, styled: bool = False) -> str:
    """Write for a terminal, in lines that fit it."""
    width = max(NARROWEST, min(WIDEST, shutil.get_terminal_size().columns))
    text = ""
    for part in parts:
        is_copied = isinstance(part, Paragraph) and part.verbatim
        gap = "" if not text else "\n" if is_copied else "\n\n"
        text += gap + "\n".join(_lines(part, width))
    return text if styled else STYLES.sub("", text)


def _lines(part: Part, width: int) -> Iterator[str]:
    match part:
        case Heading(text):
            yield from map(_bold, _wrapped(text, width))
        case Paragraph(text, verbatim=True):
            yield text
        case Paragraph(text, strong=strong):
            lines = [line for row in text.splitlines() for line in _wrapped(row, width)]
            yield from map(_bold, lines) if strong else lines
        case Items(title, sentences):
            yield _bold(title)
            for sentence in sentences:
                yield from _wrapped(sentence, width, "  ", "    ")
        case Sheet():
            yield from _sheet_lines(part, width)


def _sheet_lines(sheet: Sheet, width: int) -> Iterator[str]:
    """Line up the columns; if the last one holds words, break it where the line ends."""
    if sheet.title:
        yield _bold(sheet.title)
    widths = [max(map(len, column)) for column in zip(*sheet.lines, strict=True)]
    for number, row in enumerate(sheet.lines, start=-1):
        *cells, last = [
            cell.ljust(size) if is_words else cell.rjust(size)
            for cell, size, is_words in zip(row, widths, sheet.are_words, strict=True)
        ]
        start = "".join(f"{cell}  " for cell in cells)
        lines = _wrapped(last, width, start, " " * len(start)) or [start.rstrip()]
        if number < 0:
            yield from (typer.style(line, underline=True) for line in lines)
        else:
            yield from map(_bold, lines) if number == sheet.strong_row else lines


def _bold(line: str) -> str:
    return typer.style(line, bold=True)


def _wrapped(text: str, width: int, first: str = "", rest: str = "") -> list[str]:
    return textwrap.wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_on_hyphens=False,
        break_long_words=False,
    )


def as_markdown(parts: Iterable[Part]) -> str:
    """Write as Markdown."""
    return "\n\n".join("\n".join(_markdown(part)) for part in parts)


def _markdown(part: Part) -> Iterator[str]:
    match part:
        case Heading(text):
            yield f"## {_escaped(text)}"
        case Paragraph(text, verbatim=True):
            yield f"```\n{text}\n```"
        case Paragraph(text, strong=strong):
            yield f"**{_escaped(text)}**" if strong else _escaped(text)
        case Items(title, sentences):
            yield f"### {_escaped(title)}\n"
            yield from (f"- {_escaped(sentence)}" for sentence in sentences)
        case Sheet():
            if part.title:
                yield f"### {_escaped(part.title)}\n"
            headings, *rows = (
                f"| {' | '.join(_escaped(cell.strip()) for cell in row)} |" for row in part.lines
            )
            rules = ["---" if is_words else "---:" for is_words in part.are_words]
            yield from (headings, f"| {' | '.join(rules)} |", *rows)


def _escaped(text: str) -> str:
    return MARKDOWN_SIGNS.sub(r"\\\g<0>", text)
