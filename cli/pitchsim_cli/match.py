"""`pitchsim match`: strategies against each other, on the same deals with the sides exchanged."""

import json
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from pitchsim.errors import PitchsimError
from pitchsim.presets import name_in_full
from pitchsim.wording import counted
from pitchsim_cli.interrupt import INTERRUPTED, nothing_to_show
from pitchsim_cli.layout import laid_out
from pitchsim_cli.options import (
    DEFAULT_RULES,
    Format,
    FormatOption,
    JsonOption,
    OutputOption,
    PartnersOption,
    PlayersOption,
    RulesOption,
    SeedOption,
    SetOption,
    ThreadsOption,
    rules_and_seating,
    typed_options,
)
from pitchsim_cli.output import refuse_overwriting, write_text
from pitchsim_cli.progress import LiveShare
from pitchsim_cli.repeat import command_again
from pitchsim_cli.values import whole_number
from pitchsim_cli.waiting import SITTING_DOWN, make_engine_ready, said_after_a_while

if TYPE_CHECKING:
    from pitchsim.matches.matching import MatchPlan
    from pitchsim_cli.matchrun import MatchRun

#: The parameters that decide the numbers.
DECIDING = ("rules", "settings", "players", "partners", "games", "hands", "seed")


class MatchUsageError(PitchsimError):
    """A match that is asked for in two ways at once."""


def match(
    context: typer.Context,
    strategies: Annotated[
        list[str],
        typer.Argument(
            metavar="STRATEGY...",
            help="Two or more: names (pitchsim strategies lists them) or TOML files of your own.",
            show_envvar=False,
        ),
    ],
    *,
    rules: RulesOption = DEFAULT_RULES,
    settings: SetOption = None,
    players: PlayersOption = None,
    partners: PartnersOption = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            "-g",
            metavar="N",
            parser=whole_number("games"),
            help="How many whole games each pair plays, at both tables together: an even number, "
            "or one more. Default: 2000, if no number of hands is given.",
        ),
    ] = None,
    hands: Annotated[
        int | None,
        typer.Option(
            "--hands",
            "-n",
            metavar="N",
            parser=whole_number("hands"),
            help="Play so many hands instead, each by itself, at both tables together: an even "
            "number, or one more.",
        ),
    ] = None,
    seed: SeedOption = None,
    threads: ThreadsOption = None,
    format_: FormatOption = Format.table,
    as_json: JsonOption = False,
    output: OutputOption = None,
) -> None:
    """Let strategies meet: who scores how much more a hand, and wins how many games.

    Every pair plays at two tables with the same deals, at the second with the
    sides exchanged, so that neither gains by better cards. Ctrl-C shows what
    was played by then.
    """
    from pitchsim.bidding.strategy import find_strategy  # noqa: PLC0415
    from pitchsim.matches.matching import (  # noqa: PLC0415  (loads numba)
        DEFAULT_GAMES,
        plan_matches,
    )

    rule_set, seating = rules_and_seating(rules, settings, players, partners)
    games, hands = _one_of(context, games, hands)
    found = [find_strategy(strategy) for strategy in strategies]
    refuse_overwriting(output, *(one.table for one in found if one.table is not None))
    plan = plan_matches(
        found,
        rule_set,
        seating,
        games=DEFAULT_GAMES if games is None and hands is None else games,
        hands=hands,
        seed=seed,
    )
    with nothing_to_show():
        run = _play(plan, threads)
    form = Format.json if as_json else format_
    if form is Format.json:
        text = json.dumps(run.to_json())
    elif form is Format.csv:
        named = replace(rule_set, name=name_in_full(rule_set, seating))
        frame = replace(run.result, rules=named).frame.assign(seed=plan.seed)
        text = frame.to_csv(index=False, lineterminator="\n")
    else:
        from pitchsim_cli.matchtext import MatchText  # noqa: PLC0415

        exact = {"games": run.games, "hands": run.hands_a_pair, "seed": plan.seed}
        command = command_again(context, strategies, DECIDING, exact)
        text = laid_out(MatchText(run, command).parts(), form, output)
    write_text(text, output)
    if run.result.interrupted:
        if form in (Format.json, Format.csv):
            typer.echo(f"interrupted after {counted(run.hands, 'hand')}", err=True)
        raise typer.Exit(INTERRUPTED)


def _one_of(
    context: typer.Context, games: int | None, hands: int | None
) -> tuple[int | None, int | None]:
    """Let what is typed outrank a default of one's own for the other.

    Raises
    ------
    MatchUsageError
        If both are typed, or neither of two defaults.
    """
    if games is None or hands is None:
        return games, hands
    typed = {"--games", "--hands"} & set(typed_options(context))
    if len(typed) != 1:
        raise MatchUsageError(
            f"--games {games} and --hands {hands} do not go together: expected one of them"
        )
    return (games, None) if "--games" in typed else (None, hands)


def _asked(plan: "MatchPlan", pairs: int) -> str:
    """Say what is played."""
    asked = counted(plan.games, "game") if plan.games else counted(plan.hands or 0, "hand")
    return asked if pairs == 1 else f"{asked} of each of {pairs} pairs"


def _play(plan: "MatchPlan", threads: int | None) -> "MatchRun":
    """Play what is planned; on a terminal, show how far it is."""
    from pitchsim.matches.matching import play_matches  # noqa: PLC0415
    from pitchsim.running import workers_of  # noqa: PLC0415
    from pitchsim.warmup import contract_work  # noqa: PLC0415
    from pitchsim_cli.matchrun import MatchRun  # noqa: PLC0415

    workers = workers_of(threads)
    make_engine_ready(*contract_work(strategy.player.play for strategy in plan.strategies))
    with said_after_a_while(SITTING_DOWN):
        pairs = len(plan.pairings)
    begun = time.perf_counter()
    with LiveShare(_asked(plan, pairs)) as live:
        result = play_matches(plan, threads=workers, progress=live)
    return MatchRun(plan, result, time.perf_counter() - begun, workers)
