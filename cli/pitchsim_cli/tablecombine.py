"""`pitchsim table combine`: tables of other seeds added into one."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from pitchsim.wording import counted
from pitchsim_cli.output import refuse_standard_output


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
    refuse_standard_output(output)
    from pitchsim.tables.combining import combine_tables  # noqa: PLC0415  (loads pyarrow)

    command = shlex.join(
        ["pitchsim", "table", "combine", *map(str, files), "--output", str(output)]
    )
    sources = combine_tables(files, output, command=command)
    deals = counted(sum(deals.end - deals.first for _, deals in sources), "deal")
    seeds = counted(len({seed for seed, _ in sources}), "seed")
    typer.echo(f"{output}: {deals} of every row, of {seeds}", err=True)
