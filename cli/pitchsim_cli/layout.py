"""Laying out paragraphs and tables, for a terminal or as Markdown."""

import io
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

NARROWEST, WIDEST = 80, 100  # columns; narrower tables and longer lines are hard to read


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
    def columns(self) -> list[tuple[str, bool]]:
        """Each heading, and whether the column holds words."""
        return [(heading.removeprefix("<"), heading.startswith("<")) for heading in self.headings]


Part = Paragraph | Sheet


def for_terminal(parts: Iterable[Part], *, styled: bool) -> str:
    """Write for a terminal: with styles if `styled`, as far as terminal and NO_COLOR allow."""
    from rich.console import Console  # noqa: PLC0415  (not needed for --help)

    columns = shutil.get_terminal_size().columns
    console = Console(
        file=io.StringIO(),
        force_terminal=styled,
        width=max(NARROWEST, min(WIDEST, columns)),
        markup=False,
        highlight=False,
        emoji=False,
    )
    with console.capture() as capture:
        for number, part in enumerate(parts):
            if number and not (isinstance(part, Paragraph) and part.verbatim):
                console.print()
            if isinstance(part, Paragraph):
                style = "bold" if part.strong else None
                console.print(part.text, style=style, soft_wrap=part.verbatim)
            else:
                _print_sheet(console, part)
    return "\n".join(line.rstrip() for line in capture.get().splitlines())


def _print_sheet(console: "Console", sheet: Sheet) -> None:
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    if sheet.title:
        console.print(sheet.title, style="bold")
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="underline")
    for heading, is_words in sheet.columns:
        table.add_column(Text(heading), justify="left" if is_words else "right", no_wrap=True)
    for number, row in enumerate(sheet.rows):
        style = "bold" if number == sheet.strong_row else None
        table.add_row(*map(Text, row), style=style)
    console.print(table)


def as_markdown(parts: Iterable[Part]) -> str:
    """Write as Markdown."""
    return "\n\n".join(map(_markdown, parts))


def _markdown(part: Part) -> str:
    if isinstance(part, Paragraph):
        if part.verbatim:
            return f"```\n{part.text}\n```"
        return f"**{_escaped(part.text)}**" if part.strong else _escaped(part.text)
    headings = [heading for heading, _ in part.columns]
    rules = ["---" if is_words else "---:" for _, is_words in part.columns]
    lines = [f"| {' | '.join(map(_cell, row))} |" for row in (headings, *part.rows)]
    lines.insert(1, f"| {' | '.join(rules)} |")
    title = [f"### {_escaped(part.title)}", ""] if part.title else []
    return "\n".join([*title, *lines])


def _cell(text: str) -> str:
    return _escaped(text.strip())


def _escaped(text: str) -> str:
    for sign in "\\*_|<>`":
        text = text.replace(sign, f"\\{sign}")
    return text


def is_on_terminal(output: object) -> bool:
    """Say whether results go to a terminal: to standard output, and that is one."""
    return output is None and sys.stdout.isatty()
