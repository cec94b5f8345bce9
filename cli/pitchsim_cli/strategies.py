"""`pitchsim strategies`: list the strategies that come with pitchsim, or write one's file."""

import json
import tomllib
from typing import Annotated

import typer

from pitchsim_cli.layout import Paragraph, Sheet, laid_out
from pitchsim_cli.options import Format, FormatOption, JsonOption, OutputOption
from pitchsim_cli.output import csv_text, write_text


def strategies(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="Write this one's file, as TOML: a beginning for one of your own.",
            show_envvar=False,
        ),
    ] = None,
    *,
    format_: FormatOption = Format.table,
    as_json: JsonOption = False,
    output: OutputOption = None,
) -> None:
    """List the strategies that come with pitchsim, or write the file of one.

    A strategy is a way of bidding and a way of playing, for pitchsim match.
    """
    from pitchsim.bidding.strategy import (  # noqa: PLC0415  (loads numba)
        find_strategy,
        strategy_names,
        strategy_text,
    )

    form = Format.json if as_json else format_
    if name is not None:
        toml = strategy_text(name)
        write_text(json.dumps(tomllib.loads(toml)) if form is Format.json else toml, output)
        return
    titles = {known: find_strategy(known).title for known in strategy_names()}
    if form is Format.json:
        text = json.dumps([{"name": known, "title": title} for known, title in titles.items()])
    elif form is Format.csv:
        text = csv_text([("name", "title"), *titles.items()])
    else:
        parts = (
            Sheet("", ["<Strategy", "<What it does"], list(titles.items())),
            Paragraph(
                "pitchsim strategies NAME writes its file, to be changed; pitchsim match lets "
                "strategies meet."
            ),
        )
        text = laid_out(parts, form, output)
    write_text(text, output)
