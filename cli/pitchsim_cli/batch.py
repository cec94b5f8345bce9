"""`pitchsim batch`: what many hands are worth, under many rules and plays."""

import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pitchsim.errors import PitchsimError
from pitchsim.presets import name_in_full
from pitchsim.wording import counted
from pitchsim_cli.interrupt import INTERRUPTED
from pitchsim_cli.layout import laid_out
from pitchsim_cli.options import (
    DEFAULT_PLAY,
    DEFAULT_RULES,
    PartnersOption,
    PlayersOption,
    SeedOption,
    SetOption,
    ThreadsOption,
    WorldsOption,
    rules_and_seating,
    typed_options,
)
from pitchsim_cli.output import refuse_overwriting, refuse_standard_output, write_text
from pitchsim_cli.repeat import command_again
from pitchsim_cli.values import whole_number
from pitchsim_cli.waiting import make_engine_ready

if TYPE_CHECKING:
    from pitchsim.batches.batch import Batch
    from pitchsim.batches.hands import Hands
    from pitchsim.batches.running import BatchMade

#: The parameters that decide what is found.
DECIDING = (
    "random",
    "rules",
    "settings",
    "players",
    "partners",
    "play",
    "worlds",
    "deals",
    "seed",
)


class NoHandsError(PitchsimError):
    """A batch without hands, or with hands from two places."""


def batch(
    context: typer.Context,
    hands: Annotated[
        str | None,
        typer.Argument(
            metavar="HANDS",
            help="A file of hands: text, one a line in any notation, blank lines and those that "
            "begin with # skipped; CSV or Parquet with a column hand; - reads standard input.",
            show_envvar=False,
        ),
    ] = None,
    *,
    random: Annotated[
        int | None,
        typer.Option(
            "--random",
            metavar="N",
            parser=whole_number("random"),
            help="Deal so many hands at random instead: all equally likely, jokers among them if "
            "any of the rule sets has some.",
        ),
    ] = None,
    rules: Annotated[
        list[str],
        typer.Option(
            "--rules",
            "-r",
            metavar="NAME|FILE",
            help="A preset (pitchsim rules lists them) or a TOML file of your own. Repeatable.",
        ),
    ] = [DEFAULT_RULES],  # noqa: B006  (nobody changes it)
    settings: SetOption = None,
    players: PlayersOption = None,
    partners: PartnersOption = None,
    play: Annotated[
        list[str],
        typer.Option(
            "--play",
            metavar="POLICY",
            help="How everybody plays: random, basic, expert or double-dummy. Repeatable.",
        ),
    ] = [DEFAULT_PLAY],  # noqa: B006
    worlds: WorldsOption = None,
    deals: Annotated[
        int | None,
        typer.Option(
            "--deals",
            "-n",
            metavar="N",
            parser=whole_number("deals"),
            help="How many deals of every hand. Default: 1000, and 200 by expert or double-dummy.",
        ),
    ] = None,
    seed: SeedOption = None,
    threads: ThreadsOption = None,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="DIR",
            help="The folder for the results: worth.parquet, worth.csv, batch.json, and "
            "bad-lines.csv. The same command again goes on where it was interrupted.",
        ),
    ],
) -> None:
    """Evaluate many hands, under every rule set and play: what each bid is worth.

    Lines that are no hand are listed in a file of their own, and the rest goes
    on. Ctrl-C ends it in good order; the same command goes on. More hands, rules
    and plays can be asked for later: what is there is not evaluated again.
    """
    from pitchsim.batches.batch import Batch, cases_of  # noqa: PLC0415  (loads numba)
    from pitchsim.batches.store import RESULTS, check_folder, seed_in  # noqa: PLC0415

    refuse_standard_output(output, "a batch", "a folder")
    if (hands is None) == (random is None):
        found = "neither" if hands is None else "both"
        raise NoHandsError(f"expected a file of hands or --random N, and found {found}")
    check_folder(output)
    for name in RESULTS:
        refuse_overwriting(output / name, *filter(None, [hands]))
    tables = [
        (replace(one, name=name_in_full(one, seating)), seating)
        for one, seating in (rules_and_seating(name, settings, players, partners) for name in rules)
    ]
    sampled = _of_use(worlds, play, context)
    chosen = seed_in(output) if seed is None else seed
    asked = Batch(cases_of(tables, play, sampled, deals), chosen)
    given = _hands(hands, random, asked)
    exact: dict[str, Any] = {"seed": asked.seed}
    command = command_again(context, [] if hands is None else [hands], DECIDING, exact)
    command += f" --output {shlex.quote(str(output))}"
    made = _run(asked, given, output, command, threads)
    if not made.finished:
        typer.echo(
            f"interrupted after {counted(made.evaluated, 'hand')}; what is evaluated is kept. "
            f"To go on:\n{command}",
            err=True,
        )
        raise typer.Exit(INTERRUPTED)
    from pitchsim_cli.batchtext import parts  # noqa: PLC0415

    write_text(laid_out(parts(asked, given, made, command), "table", None))


def _of_use(worlds: int | None, plays: Sequence[str], context: typer.Context) -> int | None:
    """Return the number of worlds that was asked for, unless it is a default of no use here."""
    from pitchsim.plays import PLAYS  # noqa: PLC0415  (loads numba)

    is_of_use = any(play in PLAYS and PLAYS[play].samples for play in plays)
    return worlds if is_of_use or "--worlds" in typed_options(context) else None


def _hands(source: str | None, random: int | None, asked: "Batch") -> "Hands":
    from pitchsim.batches.hands import random_hands, read_hands  # noqa: PLC0415

    if source is not None:
        return read_hands(source, asked.rule_sets)
    assert random is not None
    return random_hands(random, asked.seed, asked.rule_sets)


def _run(
    asked: "Batch", hands: "Hands", output: Path, command: str, threads: int | None
) -> "BatchMade":
    from pitchsim.batches.running import run_batch  # noqa: PLC0415
    from pitchsim.running import check_threads  # noqa: PLC0415
    from pitchsim_cli.progress import LiveBatch  # noqa: PLC0415

    def tell(message: str) -> None:
        typer.echo(f"warning: {message}", err=True)

    check_threads(threads)
    make_engine_ready(*sorted({case.play for case in asked.cases}))
    with LiveBatch() as live:
        return run_batch(
            asked, hands, output, command=command, threads=threads, progress=live, tell=tell
        )
