"""`pitchsim hand`: what a hand is worth."""

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pitchsim.cards import format_hand, parse_card, parse_hand, parse_suit
from pitchsim.errors import StudyError, quoted
from pitchsim.presets import as_preset
from pitchsim.rulefields import write_value
from pitchsim_cli.handturn import weigh_turn
from pitchsim_cli.interrupt import INTERRUPTED, nothing_to_show
from pitchsim_cli.layout import Part, laid_out
from pitchsim_cli.options import (
    DEFAULT_PLAY,
    DEFAULT_RULES,
    Format,
    FormatOption,
    HandArgument,
    JsonOption,
    KnownOption,
    LeadOption,
    OutputOption,
    PartnersOption,
    PlayersOption,
    PlayOption,
    RulesOption,
    SeedOption,
    SetOption,
    TableOption,
    ThreadsOption,
    TrumpOption,
    WorldsOption,
    rules_and_seating,
    typed_options,
    worlds_for,
)
from pitchsim_cli.output import refuse_overwriting, write_text
from pitchsim_cli.progress import LiveEstimate
from pitchsim_cli.repeat import command_again
from pitchsim_cli.values import read_precision, read_seconds, whole_number
from pitchsim_cli.waiting import make_engine_ready

if TYPE_CHECKING:
    from pitchsim.evaluation import Evaluation, LookUp

#: The parameters that decide what is found and shown, beside the seed and the number of deals.
DECIDING = (
    "rules",
    "settings",
    "players",
    "partners",
    "play",
    "worlds",
    "trump",
    "lead",
    "bid",
    "known",
    "every_lead",
    "seed",
    "deals",
)


def hand(
    context: typer.Context,
    cards: HandArgument,
    *,
    rules: RulesOption = DEFAULT_RULES,
    settings: SetOption = None,
    players: PlayersOption = None,
    partners: PartnersOption = None,
    play: PlayOption = DEFAULT_PLAY,
    worlds: WorldsOption = None,  # noqa: ARG001  (read by worlds_for)
    trump: TrumpOption = None,
    lead: LeadOption = None,
    bid: Annotated[
        str | None,
        typer.Option("--bid", "-b", metavar="BID", help="Only this bid: a number or smudge."),
    ] = None,
    known: KnownOption = None,
    deals: Annotated[
        int | None,
        typer.Option(
            "--deals",
            "-n",
            metavar="N",
            parser=whole_number("deals"),
            help="Stop after so many deals. Default: 100000, if nothing else ends the run; at your "
            "turn in the auction 20000 that fit it, and 400 by expert.",
        ),
    ] = None,
    precision: Annotated[
        float | None,
        typer.Option(
            "--precision",
            metavar="PERCENT",
            parser=read_precision,
            help="Stop when the chance of every bid, with the lead that is best for it, is known "
            "so well, as a 95 % half-width: 0.5%.",
        ),
    ] = None,
    max_seconds: Annotated[
        float | None,
        typer.Option(
            "--max-seconds",
            metavar="SECONDS",
            parser=read_seconds,
            help="Stop after so much time.",
        ),
    ] = None,
    seed: SeedOption = None,
    threads: ThreadsOption = None,
    table: TableOption = None,
    seat: Annotated[
        str | None,
        typer.Option(
            "--seat",
            metavar="SEAT",
            help="Weigh what to say at your turn, first, second, ... or dealer: every call, a "
            "pass too, and what follows.",
        ),
    ] = None,
    auction: Annotated[
        str | None,
        typer.Option(
            "--auction",
            metavar="CALLS",
            help='What was said before your turn, from the dealer\'s left: "pass 2".',
        ),
    ] = None,
    strategy: Annotated[
        str,
        typer.Option(
            "--strategy",
            metavar="NAME|FILE",
            help="How all the others bid, with --seat or --auction: a strategy by its name or "
            "file.",
        ),
    ] = "standard",
    every_lead: Annotated[
        bool, typer.Option("--leads", help="List every trump suit and lead, not only the best.")
    ] = False,
    format_: FormatOption = Format.table,  # noqa: ARG001  (these are read by _write)
    as_json: JsonOption = False,  # noqa: ARG001
    output: OutputOption = None,
) -> None:
    """Say what a hand is worth: for every bid the chance to make it, and what it gains.

    Deals the other cards again and again, and plays every trump suit and lead
    that you might choose on the same deals. Ctrl-C shows what is known by then;
    a second one ends at once. With --seat or --auction, say what to say at your
    turn, passing included; Ctrl-C then ends it with nothing to show.
    """
    if table is not None:
        refuse_overwriting(output, table)
        _write(_looked_up(context, table, cards), context)
        return
    rule_set, seating = rules_and_seating(rules, settings, players, partners)
    own = parse_hand(" ".join(cards), jokers=rule_set.jokers)
    if seat is not None or auction is not None:
        weigh_turn(context, own, rule_set, seating)
        return
    if "--strategy" in typed_options(context):
        raise StudyError(
            f"--strategy {quoted(strategy)} is of no use without --seat or --auction: expected "
            "one of them"
        )
    with nothing_to_show():
        evaluation = _evaluate(
            {
                "hand": own,
                "rules": rule_set,
                "players": seating.players,
                "partners": seating.partners,
                "play": play,
                "worlds": worlds_for(context, play),
                "seed": seed,
                "trump": trump,
                "lead": lead,
                "bid": bid,
                "known": known or (),
            },
            {"deals": deals, "precision": precision, "max_seconds": max_seconds},
            threads,
            every_lead=every_lead,
        )
    _write(evaluation, context)
    if evaluation.run.stopped_by == "interrupt":
        raise typer.Exit(INTERRUPTED)


def _write(evaluation: "Evaluation", context: typer.Context) -> None:
    """Write an evaluation as was asked for."""
    asked = context.params
    form = Format.json if asked["as_json"] else asked["format_"]
    if form is Format.json:
        text = json.dumps(evaluation.to_json(every_lead=asked["every_lead"]))
    elif form is Format.csv:
        text = _csv(evaluation, asked["every_lead"])
    else:
        text = laid_out(_parts(evaluation, context), form, asked["output"])
    write_text(text, asked["output"])


def _looked_up(context: typer.Context, place: Path, cards: list[str]) -> "Evaluation":
    """Look the hand up, in a table that is of what was asked for."""
    from pitchsim_cli.askedtable import asked_table  # noqa: PLC0415  (loads pyarrow)

    asked = context.params
    with asked_table(context, place) as table:
        jokers = table.study.rules.jokers
        return table.evaluation(
            parse_hand(" ".join(cards), jokers=jokers),
            asked["bid"],
            None if asked["trump"] is None else parse_suit(asked["trump"]),
            None if asked["lead"] is None else parse_card(asked["lead"], jokers=jokers),
        )


def _evaluate(
    asked: dict[str, Any], stop: dict[str, Any], threads: int | None, *, every_lead: bool
) -> "Evaluation":
    from pitchsim.evaluating import evaluate_study, make_study  # noqa: PLC0415  (loads numba)
    from pitchsim.running import Stop, check_threads  # noqa: PLC0415
    from pitchsim.screening import screen  # noqa: PLC0415

    study, until = make_study(**asked), Stop(**stop)
    check_threads(threads)
    make_engine_ready(study.play)
    study, screened = (study, ()) if every_lead or asked["lead"] else screen(study)
    with LiveEstimate(study, until) as estimate:
        return evaluate_study(study, until, screened=screened, threads=threads, progress=estimate)


def _csv(evaluation: "Evaluation", every_lead: bool) -> str:
    """Write a row for each trump suit, lead and bid, and in each how it was found."""
    frame = evaluation.frame
    if not every_lead:
        listed, bids = evaluation.analysis.listed, evaluation.study.bids
        frame = frame[[option in listed for option in evaluation.analysis.ranking for _ in bids]]
    study, run = evaluation.study, evaluation.run
    found: dict[str, Any] = {
        "hand": format_hand(study.known.cards_of(0)),
        "rules": study.rules.name,
        "rule_changes": json.dumps(as_preset(study.rules)[1]),
        "known": " ".join(study.known.texts(study.seating)),
        "players": study.seating.players,
        "partners": study.seating.partners,
        "play": study.play,
        "seed": evaluation.seed,
        "stopped_by": run.stopped_by,
        **{name: _cell(value) for name, value in evaluation.about_the_play().items()},
    }
    text: str = frame.assign(**found).to_csv(index=False, lineterminator="\n")
    return text


def _cell(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _parts(evaluation: "Evaluation", context: typer.Context) -> Iterator[Part]:
    """Write an evaluation for people, with the command that gives the same numbers again."""
    from pitchsim.evaluation import LookUp  # noqa: PLC0415
    from pitchsim.running import DEFAULT_DEALS  # noqa: PLC0415
    from pitchsim_cli.evaluationtext import EvaluationText  # noqa: PLC0415

    study, run = evaluation.study, evaluation.run
    if isinstance(run, LookUp):
        return EvaluationText(
            evaluation,
            _played_again(run, context),
            every_lead=context.params["every_lead"],
        ).parts()
    ends = {"deals", "precision", "max_seconds"} & set(context.default_map or {})
    exact: dict[str, Any] = {"seed": study.seed, "worlds": study.worlds}
    if run.tally.deals != DEFAULT_DEALS or ends:
        exact["deals"] = run.tally.deals
    names = tuple(name for name in DECIDING if name != "deals" or "deals" in exact)
    own = format_hand(study.known.cards_of(0))
    return EvaluationText(
        evaluation,
        command_again(context, [own], names, exact),
        known=context.params["known"] or (),
        every_lead=context.params["every_lead"],
    ).parts()


def _played_again(run: "LookUp", context: typer.Context) -> str:
    """Write the command that plays what a table counted; nothing where no one command does."""
    study = run.same_again
    if study is None:
        return ""
    preset, changes = as_preset(study.rules)
    hand = format_hand(study.known.cards_of(0))
    words = ["pitchsim", str(context.info_name), hand, "--rules", preset]
    for name, value in changes.items():
        words += ["--set", f"{name}={write_value(value)}"]
    words += ["--players", str(study.seating.players)]
    words += ["--partners" if study.seating.partners else "--cutthroat", "--play", study.play]
    words += [] if study.worlds is None else ["--worlds", str(study.worlds)]
    if len(study.options) < len(run.options):
        trumps = {option.trump for option in study.options}
        leads = {option.lead for option in study.options}
        words += ["--trump", *trumps] if len(trumps) == 1 else []
        words += ["--lead", *filter(None, leads)] if len(leads) == 1 and None not in leads else []
    words += [] if study.bid is None else ["--bid", study.bid]
    return shlex.join([*words, "--seed", str(study.seed), "--deals", str(run.tally.deals)])
