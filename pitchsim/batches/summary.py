"""How many hands are worth each bid."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pyarrow.compute as pc

from pitchsim.batches.batch import Batch, Case
from pitchsim.batches.store import WORTH, read_table

if TYPE_CHECKING:
    import pyarrow as pa


class Worth(NamedTuple):
    """The hands that are worth the same bid in a case.

    Attributes
    ----------
    bid
        The highest bid that gains something; None for hands that are worth none.
    hands
        How many they are.
    make
        The mean chance with which they make that bid; None for no hands, or no bid.
    """

    bid: str | None
    hands: int
    make: float | None


def summary_of(folder: Path, batch: Batch) -> dict[Case, tuple[Worth, ...]]:
    """Count the hands in a folder's results by case and the bid that they are worth."""
    columns = ["rules", "play", "bid", "limit", "make"]
    rows = read_table(folder / WORTH, columns)
    return {case: tuple(_by_worth(rows, case)) for case in batch.cases}


def _by_worth(rows: pa.Table, case: Case) -> list[Worth]:
    ours = rows.filter(
        pc.and_(pc.equal(rows["rules"], case.rules.name), pc.equal(rows["play"], case.play))
    )
    counted = []
    for bid in case.bids:
        worth = ours.filter(pc.and_(pc.equal(ours["bid"], bid), pc.equal(ours["limit"], bid)))
        counted.append(Worth(bid, len(worth), pc.mean(worth["make"]).as_py()))
    none = pc.sum(pc.is_null(ours["limit"])).as_py() or 0
    return [Worth(None, none // len(case.bids), None), *counted]
