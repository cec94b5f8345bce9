"""`pitchsim deal`: hand records of deals, played out or not."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitchsim.cards import parse_hand
from pitchsim.errors import check_whole
from pitchsim_cli.options import (
    DEFAULT_PLAY,
    DEFAULT_RULES,
    BidOption,
    OutputOption,
    PartnersOption,
    PlayersOption,
    RulesOption,
    SeedOption,
    SetOption,
    WorldsOption,
    rules_and_seating,
    worlds_for,
)
from pitchsim_cli.output import write_text
from pitchsim_cli.repeat import command_again
from pitchsim_cli.values import whole_number
from pitchsim_cli.waiting import make_engine_ready

if TYPE_CHECKING:
    from pitchsim.deals import Deals

#: The parameters that decide what is dealt.
DECIDING = (
    "count",
    "rules",
    "settings",
    "players",
    "partners",
    "hand",
    "pitcher",
    "bid",
    "play",
    "worlds",
    "seed",
)


def deal(
    context: typer.Context,
    *,
    count: Annotated[
        int,
        typer.Option(
            "--count",
            "-n",
            metavar="N",
            parser=whole_number("count"),
            help="How many deals, from number 0 on.",
        ),
    ] = 1,
    seed: SeedOption = None,
    rules: RulesOption = DEFAULT_RULES,
    settings: SetOption = None,
    players: PlayersOption = None,
    partners: PartnersOption = None,
    hand: Annotated[
        str | None,
        typer.Option("--hand", metavar="HAND", help="The six cards of seat 0, in every deal."),
    ] = None,
    pitcher: Annotated[
        int,
        typer.Option(
            "--pitcher",
            metavar="SEAT",
            parser=whole_number("pitcher"),
            help="The seat that pitches, from 0.",
        ),
    ] = 0,
    bid: BidOption = None,
    play: Annotated[
        str | None,
        typer.Option(
            "--play",
            metavar="POLICY",
            help="Play the deals out: random, basic, expert or double-dummy. Default: only deal.",
        ),
    ] = None,
    worlds: WorldsOption = None,  # noqa: ARG001  (read by worlds_for)
    output: OutputOption = None,
) -> None:
    """Deal hands, and with --play play them out: hand records, one JSON object a line.

    Deal 0, 1, ... of a seed are always the same, however many are asked for.
    The pitcher begins with the trump suit and lead that have the best margin
    at the bid in a small simulation that knows the pitcher's cards only; for
    expert and double-dummy play, that goes by basic play.
    pitchsim score accepts what is played out.
    """
    table, seating = rules_and_seating(rules, settings, players, partners)
    own = None if hand is None else parse_hand(hand, jokers=table.jokers)
    from pitchsim.deals import Deals  # noqa: PLC0415  (loads numba)
    from pitchsim.running import MOST_DEALS  # noqa: PLC0415
    from pitchsim.study import random_seed  # noqa: PLC0415

    check_whole("count", count, 1, MOST_DEALS)
    chosen = random_seed() if seed is None else seed
    deals = Deals(table, seating, chosen, own, pitcher, bid, play, worlds_for(context, play))
    if seed is None:
        again = command_again(context, [], DECIDING, {"seed": chosen, "worlds": deals.worlds})
        typer.echo(f"Seed {chosen}. The same deals again:\n{again}", err=True)
    make_engine_ready(play or DEFAULT_PLAY)
    _write(deals, count, output)


def _write(deals: "Deals", count: int, output: Path | None) -> None:
    """Write record after record, or all those that there are into a file at the end."""
    if output is None:
        for line in _lines(deals, count):
            write_text(line)
        return
    kept: list[str] = []
    try:
        kept.extend(_lines(deals, count))
    finally:
        if kept:
            write_text("\n".join(kept), output)


def _lines(deals: "Deals", count: int) -> Iterator[str]:
    for number in range(count):
        yield json.dumps(deals.record(number).to_json())
