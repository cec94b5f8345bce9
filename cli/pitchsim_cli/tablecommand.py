"""`pitchsim table`: making bidding tables, and what can be done with them."""

import shlex
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pitchsim.errors import PitchsimError, TableError
from pitchsim.wording import counted
from pitchsim_cli.interrupt import INTERRUPTED
from pitchsim_cli.options import (
    DEFAULT_PLAY,
    DEFAULT_RULES,
    PartnersOption,
    PlayersOption,
    PlayOption,
    RulesOption,
    SeedOption,
    SetOption,
    ThreadsOption,
    WorldsOption,
    rules_and_seating,
    typed_options,
    worlds_for,
)
from pitchsim_cli.output import refuse_standard_output
from pitchsim_cli.repeat import command_again
from pitchsim_cli.values import whole_number
from pitchsim_cli.waiting import make_engine_ready

if TYPE_CHECKING:
    from pitchsim.tables.making import TableMade
    from pitchsim.tables.tablestudy import TableStudy

#: How many deals of every row, where no number is given.
DEALS = {"hand": 1_000, "holding": 20_000}
#: The parameters that decide what the table is.
DECIDING = ("by", "rules", "settings", "players", "partners", "play", "worlds", "deals", "seed")

table_app = typer.Typer(invoke_without_command=True, no_args_is_help=True)


@table_app.callback()
def table(
    context: typer.Context,
    *,
    by: Annotated[
        str,
        typer.Option(
            "--by",
            metavar="ROWS",
            help="What has a row: holding (every set of trumps, the side cards averaged) or hand "
            "(every hand of six cards; suits that can be renamed into each other count once).",
        ),
    ] = "holding",
    rules: RulesOption = DEFAULT_RULES,
    settings: SetOption = None,
    players: PlayersOption = None,
    partners: PartnersOption = None,
    play: PlayOption = DEFAULT_PLAY,
    worlds: WorldsOption = None,  # noqa: ARG001  (read by worlds_for)
    deals: Annotated[
        int | None,
        typer.Option(
            "--deals",
            "-n",
            metavar="N",
            parser=whole_number("deals"),
            help="How many deals of every row: a table that has fewer gets the others. Default: "
            "20000 by holding, 1000 by hand.",
        ),
    ] = None,
    seed: SeedOption = None,
    threads: ThreadsOption = None,
    scheduler: Annotated[
        str | None,
        typer.Option(
            "--scheduler",
            metavar="ADDRESS",
            help="Let a Dask cluster work instead: tcp://HOST:8786.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Required. Where the table is kept, as Parquet. The same command again goes on "
            "where it was interrupted.",
        ),
    ] = None,
) -> None:
    """Make a bidding table: for every hand or holding what each bid is worth.

    Ctrl-C ends it in good order; the same command goes on. What is counted is
    kept beside the file, in FILE.parts, until the table is complete.
    """
    if context.invoked_subcommand is not None:
        if misplaced := typed_options(context):
            raise TableError(
                f"{misplaced[0]} stands before {context.invoked_subcommand}: expected the options "
                "of a command after its name"
            )
        return
    if output is None:
        raise MissingOutputError("--output FILE is missing: expected where to keep the table")
    refuse_standard_output(output)
    from pitchsim.tables.tablestudy import TableStudy  # noqa: PLC0415  (loads numpy)

    rule_set, seating = rules_and_seating(rules, settings, players, partners)
    study = TableStudy(
        rules=rule_set,
        seating=seating,
        by=by,
        play=play,
        worlds=worlds_for(context, play),
        seed=_seed(seed, output),
    )
    wanted = DEALS[by] if deals is None else deals
    exact: dict[str, Any] = {"by": by, "seed": study.seed, "deals": wanted}
    command = f"{command_again(context, [], DECIDING, exact)} --output {shlex.quote(str(output))}"
    typer.echo(f"{study.about}, seed {study.seed}: {study.rows.count:,} rows", err=True)
    asked = {"deals": wanted, "command": command, "threads": threads}
    made = _make(study, output, asked, scheduler)
    if scheduler is not None:
        command += f" --scheduler {shlex.quote(scheduler)}"
    typer.echo(_said(made, output, command, study, wanted), err=True)
    if not made.finished:
        raise typer.Exit(INTERRUPTED)


class MissingOutputError(PitchsimError):
    """A table that was asked for without saying where it shall be."""


def _make(
    study: "TableStudy",
    output: Path,
    asked: dict[str, Any],
    scheduler: str | None,
) -> "TableMade":
    """Make the table, on threads of this process or on a cluster."""
    from pitchsim.tables.making import make_table  # noqa: PLC0415  (loads numba)
    from pitchsim_cli.progress import LiveTable  # noqa: PLC0415

    def tell(message: str) -> None:
        typer.echo(f"warning: {message}", err=True)

    with ExitStack() as stack:
        if scheduler is None:
            make_engine_ready(study.play)
        else:
            from pitchsim_cli.cluster import cluster  # noqa: PLC0415

            executor, workers = stack.enter_context(cluster(scheduler))
            asked |= {"executor": executor, "threads": workers}
        live = stack.enter_context(LiveTable())
        return make_table(study, output, progress=live, tell=tell, **asked)


def _seed(seed: int | None, output: Path) -> int:
    """Return the seed that was given; else that of the table that is there; else one at random."""
    from pitchsim.study import random_seed  # noqa: PLC0415
    from pitchsim.tables.store import seed_at  # noqa: PLC0415  (loads pyarrow)

    if seed is not None:
        return seed
    found = seed_at(output)
    return random_seed() if found is None else found


def _said(made: "TableMade", output: Path, command: str, study: "TableStudy", wanted: int) -> str:
    """Say what came of it."""
    held = f"{output}: {counted(made.deals, 'deal')} of every {study.rows.name}"
    if made.deals > wanted:
        return f"{held} already, more than {wanted:,}: nothing to do"
    if made.counted:
        rate = made.counted / made.seconds
        spent = f"{counted(made.counted, 'deal')} in {made.seconds:.1f} s, {rate:,.0f} a second"
    elif made.written:
        spent = "put together from what was counted before"
    else:
        spent = "nothing to do" if made.finished else "nothing counted"
    if made.finished:
        return f"{held} ({spent})\n{command}"
    return f"interrupted, {spent}; what is counted is kept. To go on:\n{command}"
