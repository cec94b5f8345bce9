"""Reading the frames that figures are drawn from."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from pitchsim.errors import PitchsimError, listed, quoted
from pitchsim.rules import PASS, SMUDGE

if TYPE_CHECKING:
    import pandas as pd


def needing(frame: pd.DataFrame, *columns: str) -> pd.DataFrame:
    """Return a frame if it has rows and these columns.

    Raises
    ------
    PitchsimError
        If there is nothing to draw, or a column is missing.
    """
    if frame.empty:
        raise PitchsimError("there is nothing to draw: the frame has no rows")
    missing = [quoted(column) for column in columns if column not in frame.columns]
    if missing:
        found = listed(map(quoted, frame.columns), "and")
        raise PitchsimError(
            f"the frame lacks what the figure is drawn from, {listed(missing, 'and')}: "
            f"its columns are {found}"
        )
    return frame


def differ(values: pd.Series[Any]) -> bool:
    """Say whether values are not all the same."""
    return len(values.unique()) > 1


def rows_of(frame: pd.DataFrame) -> Iterator[Any]:
    """Give the rows of a frame, with its columns as attributes."""
    return iter(frame.itertuples())


def labelled(worth: pd.DataFrame) -> pd.DataFrame:
    """Add to a frame of what hands are worth what its rules, and its plays if several, are called.

    The columns added: `label`; `limit` as text, `pass` where no bid gains.
    """
    several = "play" in worth.columns and differ(worth["play"])
    rules = worth["rules"].astype(str)
    return worth.assign(
        label=rules + ", " + worth["play"].astype(str) if several else rules,
        bid=worth["bid"].astype(str),
        limit=worth["limit"].astype(object).where(worth["limit"].notna(), PASS).astype(str),
    )


def side_labels(frame: pd.DataFrame) -> pd.Series[str]:
    """Name strategies in a frame of matches: by the rules as well where there are several."""
    names = frame["strategy"].astype(str)
    if not differ(frame["rules"]):
        return names
    return frame["rules"].astype(str) + ": " + names


def by_rules(frame: pd.DataFrame) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """Give each strategy under each rule set: the rules if there are several, its name, its rows.

    What is given of the rules is empty where there is one rule set.
    """
    several = differ(frame["rules"])
    for rules, part in frame.groupby("rules", sort=False):
        for strategy, rows in part.groupby("strategy", sort=False):
            yield (str(rules) if several else "", str(strategy), rows)


def in_order(bids: Iterable[str]) -> list[str]:
    """Put bids in order, each once: a pass first, a smudge last."""
    return sorted(set(bids), key=rank)


def rank(bid: str) -> float:
    """Return by what bids are compared: a pass is below every number, a smudge above."""
    return {PASS: -1.0, SMUDGE: math.inf}.get(bid) or float(bid)
