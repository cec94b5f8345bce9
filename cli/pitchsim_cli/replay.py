"""`pitchsim replay`: one deal of a study, trick by trick."""

import json
from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from pitchsim.cards import parse_hand
from pitchsim.errors import StudyError, check_whole, listed
from pitchsim.titles import SUIT_NAMES
from pitchsim_cli.handtext import hand_parts
from pitchsim_cli.layout import laid_out
from pitchsim_cli.options import (
    DEFAULT_PLAY,
    DEFAULT_RULES,
    BidOption,
    HandArgument,
    JsonOption,
    KnownOption,
    LeadOption,
    OutputOption,
    PartnersOption,
    PlayersOption,
    PlayOption,
    RulesOption,
    SetOption,
    TrumpOption,
    WorldsOption,
    rules_and_seating,
    worlds_for,
)
from pitchsim_cli.output import write_text
from pitchsim_cli.values import whole_number
from pitchsim_cli.waiting import make_engine_ready

if TYPE_CHECKING:
    from pitchsim.study import Option, Study


class ReplayFormat(StrEnum):
    """How a deal is written."""

    table = "table"
    json = "json"
    markdown = "markdown"


def replay(
    context: typer.Context,
    cards: HandArgument,
    *,
    seed: Annotated[
        int,
        typer.Option(
            "--seed",
            "-s",
            metavar="N",
            parser=whole_number("seed"),
            help="The seed of the study.",
        ),
    ],
    deal: Annotated[
        int,
        typer.Option(
            "--deal",
            "-d",
            metavar="N",
            parser=whole_number("deal"),
            help="The number of the deal, from 0.",
        ),
    ],
    rules: RulesOption = DEFAULT_RULES,
    settings: SetOption = None,
    players: PlayersOption = None,
    partners: PartnersOption = None,
    play: PlayOption = DEFAULT_PLAY,
    worlds: WorldsOption = None,  # noqa: ARG001  (read by worlds_for)
    trump: TrumpOption = None,
    lead: LeadOption = None,
    known: KnownOption = None,
    bid: BidOption = None,
    format_: Annotated[
        ReplayFormat,
        typer.Option(
            "--format", metavar="FORMAT", help=f"How to write the deal: {listed(ReplayFormat)}."
        ),
    ] = ReplayFormat.table,
    as_json: JsonOption = False,
    output: OutputOption = None,
) -> None:
    """Show one deal of a study, trick by trick, as pitchsim hand plays it.

    Give what was given there, and the trump suit and lead to follow. You are
    seat 0. With --json, the deal is a hand record, which pitchsim score reads.
    """
    table, seating = rules_and_seating(rules, settings, players, partners)
    own = parse_hand(" ".join(cards), jokers=table.jokers)
    from pitchsim.deals import check_bid, deal_record  # noqa: PLC0415  (loads numba)
    from pitchsim.evaluating import make_study  # noqa: PLC0415
    from pitchsim.reference.hand import score_hand  # noqa: PLC0415
    from pitchsim.running import MOST_DEALS  # noqa: PLC0415

    study = make_study(
        own,
        table,
        players=seating.players,
        partners=seating.partners,
        play=play,
        worlds=worlds_for(context, play),
        seed=seed,
        trump=trump,
        lead=lead,
        known=known or (),
    )
    option = _only(study, own)
    chosen_bid = check_bid(table, bid)
    check_whole("deal", deal, 0, MOST_DEALS - 1)
    make_engine_ready(study.play)
    record = deal_record(study, deal, option, bid=chosen_bid)
    form = ReplayFormat.json if as_json else format_
    if form is ReplayFormat.json:
        text = json.dumps(record.to_json())
    else:
        title = f"Seed {seed}, deal {deal}, {study.play} play{study.note_on_worlds}"
        parts = hand_parts(title, record, score_hand(record))
        text = laid_out(parts, form, output)
    write_text(text, output)


def _only(study: "Study", hand: Sequence[str]) -> "Option":
    """Return the option to play: the only one, or of one suit the one that leaves the lead open.

    Raises
    ------
    StudyError
        If there are several, naming them.
    """
    options = study.options
    suits = {option.trump for option in options}
    if len(options) == 1 or (len(suits) == 1 and options[0].lead is None):
        return options[0]
    leads = list(dict.fromkeys(option.lead for option in options if option.lead))
    if len(leads) < 2:
        names = [SUIT_NAMES[suit] for suit in SUIT_NAMES if suit in suits]
        raise StudyError(f"with which suit as trump? Expected --trump with {listed(names)}")
    raise StudyError(
        f"{' '.join(hand)} can be played in {len(options)} ways: expected --lead with "
        f"{listed(leads)}, or --trump if that leaves one"
    )
