"""Reading hand records one by one, and writing what comes of each."""

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import typer

from pitchsim.errors import RecordError
from pitchsim_cli.layout import Part, laid_out
from pitchsim_cli.options import Format
from pitchsim_cli.output import csv_text, write_text

if TYPE_CHECKING:
    from pitchsim.records import HandRecord


@dataclass(frozen=True)
class Answer:
    """What came of one record, as each format has it.

    Attributes
    ----------
    value
        The JSON object.
    rows
        The rows of CSV.
    parts
        What people read, as text or Markdown.
    """

    value: Mapping[str, Any]
    rows: Iterable[Sequence[object]]
    parts: Iterable[Part]


#: Answers the record on a line, or raises a RecordError.
Answering: TypeAlias = Callable[[int, "HandRecord"], Answer]


@dataclass(frozen=True)
class Writing:
    """How answers are written.

    Attributes
    ----------
    form
        The format.
    columns
        The headings of CSV.
    output
        The file; None for standard output.
    """

    form: Format
    columns: Sequence[str]
    output: Path | None


def answer_each(source: str, answering: Answering, writing: Writing, *, keep_going: bool) -> None:
    """Answer the records of a file, or of standard input for `-`, as they are read.

    Raises
    ------
    RecordError
        At the first record that cannot be read or answered; those before it are written.
    typer.Exit
        At the end, if there were such records and it kept going: each was said on standard error.
    """
    from pitchsim.records import (  # noqa: PLC0415  (not needed for --help)
        errors_on_line,
        parse_record,
        record_lines,
    )

    answers = _Answers(writing)
    status = 0
    try:
        for line, text in record_lines(source):
            try:
                with errors_on_line(line):
                    answers.add(answering(line, parse_record(text)))
            except RecordError as error:
                if not keep_going:
                    raise
                print(f"error: {error}", file=sys.stderr)
                status = max(status, error.exit_status)
    finally:
        answers.close()
    if status:
        raise typer.Exit(status)


class _Answers:
    """Writes answers as they come, or into a file at the end."""

    def __init__(self, writing: Writing) -> None:
        self.writing = writing
        self.count = 0
        self.kept: list[str] = []

    def add(self, answer: Answer) -> None:
        """Write one answer."""
        text = self._text(answer)
        self.count += 1
        if self.writing.output is None:
            write_text(text)
        else:
            self.kept.append(text if text.endswith("\n") else text + "\n")

    def _text(self, answer: Answer) -> str:
        """Write an answer, and what sets it off from those before it."""
        form, is_first = self.writing.form, self.count == 0
        if form is Format.json:
            return json.dumps(answer.value)
        if form is Format.csv:
            return csv_text([self.writing.columns, *answer.rows] if is_first else answer.rows)
        text = laid_out(answer.parts, form, self.writing.output)
        gap = "\n" if form is Format.markdown else "\n\n"
        return text if is_first else gap + text

    def close(self) -> None:
        """Write the file, if there is one and anything was answered."""
        if self.writing.output is not None and self.kept:
            write_text("".join(self.kept), self.writing.output)
