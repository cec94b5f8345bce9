"""`pitchsim report`: hands, rule sets and strategies in one report to read, print and pass on."""

import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from pitchsim.errors import PitchsimError, quoted_path
from pitchsim_cli.interrupt import INTERRUPTED
from pitchsim_cli.options import ThreadsOption, typed_options
from pitchsim_cli.output import refuse_overwriting, refuse_standard_output, write_text
from pitchsim_cli.progress import LiveBar
from pitchsim_cli.repeat import command_again
from pitchsim_cli.waiting import make_engine_ready


class ReportError(PitchsimError):
    """A report that was not asked for rightly."""


def report(
    context: typer.Context,
    spec: Annotated[
        Path | None,
        typer.Argument(
            metavar="SPEC",
            help="A TOML file that says what to report on; --example shows one.",
            show_envvar=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="DIR",
            help="Required. The folder of the report. The same command again goes on where it was "
            "interrupted.",
        ),
    ] = None,
    example: Annotated[
        bool,
        typer.Option(
            "--example",
            help="Print a specification to begin with, every key of it explained; with --output, "
            "into that file.",
            show_envvar=False,
        ),
    ] = False,
    threads: ThreadsOption = None,
) -> None:
    """Report on hands, rule sets and strategies: a page, Markdown, and the data.

    DIR/report.html needs no other file and no network; DIR/report.md is the same
    with its figures beside it, and DIR/data holds every number as CSV and Parquet.
    """
    from pitchsim_reports.report.spec import example_text, read_spec  # noqa: PLC0415

    # A default of one's own makes no other report into the example, nor its folder a file.
    typed = typed_options(context)
    if example and "--example" in typed:
        if spec is not None:
            raise ReportError(
                f"--example writes a specification and reads none: found {quoted_path(spec)}; "
                "expected one or the other"
            )
        write_text(example_text(), output if "--output" in typed else None)
        return
    if spec is None or output is None:
        missing = "a specification" if spec is None else "--output DIR"
        raise ReportError(f"{missing} is missing: expected pitchsim report SPEC.toml --output DIR")
    refuse_standard_output(output, "a report", "a folder")
    asked = read_spec(spec)
    from pitchsim_reports.report.files import (  # noqa: PLC0415  (loads matplotlib)
        PAGE,
        check_folder,
        report_files,
        write_files,
    )

    check_folder(output, has_hands=asked.hands is not None)
    from pitchsim_reports.report.gathering import (  # noqa: PLC0415  (loads numba)
        DATA,
        gather,
    )

    from pitchsim.batches.store import RESULTS, holds_hands  # noqa: PLC0415

    if asked.hands is not None and asked.hands.file is not None:
        for name in RESULTS:
            refuse_overwriting(output / DATA / name, asked.hands.file)

    make_engine_ready()
    # Its own folder is left out of the report, so that one is as the next wherever it lies.
    command = command_again(context, [str(spec)], ("output",), {"output": "report"})
    begun = time.perf_counter()
    try:
        with _Live() as live:
            gathered = gather(
                asked,
                output,
                command=command,
                threads=threads,
                progress=live,
                tell=lambda message: typer.echo(message, err=True),
            )
            live("drawing", 1.0)
            files = report_files(gathered, command)
    except KeyboardInterrupt:
        is_kept = asked.hands is not None and holds_hands(output / DATA)
        typer.echo(
            "interrupted; the hands evaluated are kept: the same command goes on"
            if is_kept
            else "interrupted, with nothing kept",
            err=True,
        )
        raise typer.Exit(INTERRUPTED) from None
    write_files(files, output)
    seconds = time.perf_counter() - begun
    typer.echo(f"{output / PAGE} ({seconds:.0f} s)", err=True)


class _Live(LiveBar):
    """Shows on a terminal what is being done and how far it is; elsewhere, each thing once."""

    def __init__(self) -> None:
        super().__init__()
        self.doing = ""

    def __call__(self, doing: str, share: float) -> None:
        """Show it."""
        if sys.stderr.isatty():
            self.show(doing, share)
        elif doing != self.doing:
            typer.echo(f"{doing} …", err=True)
            self.doing = doing
