"""`pitchsim table combine`: tables of other seeds added into one."""

import shlex
from pathlib import Path
from typing import Annotated

import typer


def combine(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...", help="Tables of the same study but other seeds.", show_envvar=False
        ),
    ],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FILE", help="Where the new table is kept."),
    ],
) -> None:
    """Add tables of the same study but other seeds into one.

    The tables stay as they are. Those that do not belong together, or that
    have deals in common, are refused.
    """
    from pitchsim.tables.combining import combine_tables  # noqa: PLC0415  (loads pyarrow)

    command = shlex.join(
        ["pitchsim", "table", "combine", *map(str, files), "--output", str(output)]
    )
    sources = combine_tables(files, output, command=command)
    deals = sum(deals.end - deals.first for _, deals in sources)
    typer.echo(f"{output}: {deals:,} deals of every row, of {len(sources)} seeds", err=True)
