"""`pitchsim hand --seat …`: what to say at one's turn in the auction."""

import json
from typing import TYPE_CHECKING, Any

import typer

from pitchsim.cards import Card, format_hand
from pitchsim.errors import StudyError, listed
from pitchsim.rules import Rules, Seating
from pitchsim.wording import counted
from pitchsim_cli.interrupt import nothing_to_show
from pitchsim_cli.layout import laid_out
from pitchsim_cli.options import Format, typed_options, worlds_for
from pitchsim_cli.output import refuse_overwriting, write_text
from pitchsim_cli.progress import LiveShare
from pitchsim_cli.repeat import command_again
from pitchsim_cli.waiting import SITTING_DOWN, make_engine_ready, said_after_a_while

if TYPE_CHECKING:
    from pitchsim.bidding.turnstudy import TurnStudy

#: The parameters that decide what is found, beside the seed and the number of deals.
DECIDING = (
    "rules",
    "settings",
    "players",
    "partners",
    "play",
    "worlds",
    "known",
    "auction",
    "seat",
    "strategy",
    "seed",
    "deals",
)
#: What is asked of a pitcher's hand, and not of a turn.
OF_NO_USE = ("--trump", "--lead", "--bid", "--precision", "--max-seconds", "--table", "--leads")


def weigh_turn(
    context: typer.Context, hand: tuple[Card, ...], rules: Rules, seating: Seating
) -> None:
    """Weigh what may be said, and write it as was asked for.

    Raises
    ------
    PitchsimError
        If anything asked for is not possible.
    """
    typed = typed_options(context)
    for option in OF_NO_USE:
        if option in typed:
            raise StudyError(
                f"{option} is of no use with --seat or --auction, which weigh every call: expected "
                f"none of {listed(OF_NO_USE)}"
            )
    asked = context.params
    study = _study(context, hand, rules, seating)
    if study.strategy.table is not None:
        refuse_overwriting(asked["output"], study.strategy.table)
    from pitchsim.bidding.turnstudy import PLACES, weigh_calls  # noqa: PLC0415  (loads numba)
    from pitchsim.warmup import contract_work  # noqa: PLC0415

    make_engine_ready(*contract_work([study.player.play]))
    with nothing_to_show():
        with said_after_a_while(SITTING_DOWN):
            _ = study.bidder
        with LiveShare(counted(study.deals, "deal")) as live:
            answer = weigh_calls(study, threads=asked["threads"], progress=live)
    form = Format.json if asked["as_json"] else asked["format_"]
    if form is Format.json:
        text = json.dumps(answer.to_json())
    elif form is Format.csv:
        text = answer.frame.assign(seed=study.seed).to_csv(index=False, lineterminator="\n")
    else:
        from pitchsim_cli.turntext import TurnText  # noqa: PLC0415

        exact: dict[str, Any] = {
            "seed": study.seed,
            "worlds": study.player.worlds,
            "deals": study.deals,
            "auction": " ".join(study.said) or None,
            "seat": asked["seat"] if study.said else PLACES[0],
        }
        command = command_again(context, [format_hand(hand)], DECIDING, exact)
        text = laid_out(TurnText(answer, command).parts(), form, asked["output"])
    write_text(text, asked["output"])


def _study(
    context: typer.Context, hand: tuple[Card, ...], rules: Rules, seating: Seating
) -> "TurnStudy":
    """Read what was asked."""
    from pitchsim.bidding.playing import Player  # noqa: PLC0415  (loads numba)
    from pitchsim.bidding.strategy import find_strategy  # noqa: PLC0415
    from pitchsim.bidding.turnstudy import (  # noqa: PLC0415
        TurnStudy,
        place_of,
        read_auction,
        usual_deals,
    )
    from pitchsim.known import read_known  # noqa: PLC0415
    from pitchsim.study import random_seed  # noqa: PLC0415

    asked = context.params
    said = read_auction(asked["auction"] or "")
    if asked["seat"] is not None:
        place = place_of(asked["seat"], seating.players)
        if place != len(said):
            raise StudyError(
                f"seat {asked['seat']!r} speaks after {place} others, and --auction has "
                f"{len(said)} calls: expected one for each, such as "
                f'--auction "{" ".join(["pass"] * place)}"'
                if place
                else f"the first to speak speaks after nobody, and --auction has {len(said)} calls"
            )
    play = asked["play"]
    return TurnStudy(
        rules=rules,
        seating=seating,
        known=read_known(hand, asked["known"] or (), rules, seating),
        said=said,
        strategy=find_strategy(asked["strategy"]),
        player=Player(play, worlds_for(context, play)),
        deals=usual_deals(play) if asked["deals"] is None else asked["deals"],
        seed=random_seed() if asked["seed"] is None else asked["seed"],
    )
