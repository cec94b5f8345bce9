"""The frame of results, `worth`: a row for each rule set and play, hand and bid."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pitchsim.batches.batch import Batch, BatchError, Case
from pitchsim.batches.hands import Hands
from pitchsim.engine import POINTS
from pitchsim.errors import quoted_path
from pitchsim.rules import SMUDGE
from pitchsim.tables.rows import hand_texts

if TYPE_CHECKING:
    import pandas as pd

#: Where the facts stand in the metadata of a Parquet file.
FACTS = b"pitchsim batch"
#: How many rows are put together at once.
ROWS_AT_ONCE = 100_000


def schema_of(batch: Batch) -> pa.Schema:
    """Return the columns of the frame and their types.

    `rules` and `play`, which with `players` and `partners` say how was played; `number`, of the
    hand's line, and `hand`; `bid`, and at it the best `trump` and `lead` (missing where it is left
    to the play); `make` with the ends `low` and `high` of its 95 % interval; `change` and
    `margin`, in points, with `margin_half_width`; `mean`, the points taken, and `p_high` …, the
    chance of each point (missing where the rules have it not), when that bid is played for;
    `limit`, the highest bid that gains (missing: none); `deals`; and `seed`, with which
    `pitchsim hand` has the same numbers.
    """
    played = {name for case in batch.cases for name in case.rules.point_values}
    texts, numbers = pa.string(), pa.float64()
    return pa.schema(
        {
            "rules": texts,
            "players": pa.int64(),
            "partners": pa.bool_(),
            "play": texts,
            "number": pa.int64(),
            "hand": texts,
            "bid": texts,
            "trump": texts,
            "lead": texts,
            "make": numbers,
            "low": numbers,
            "high": numbers,
            "change": numbers,
            "margin": numbers,
            "margin_half_width": numbers,
            "mean": numbers,
            **{f"p_{name}": numbers for name in POINTS if name in played},
            "limit": texts,
            "deals": pa.int64(),
            "seed": pa.uint64(),
        }
    )


def tables_of(case: Case, hands: Hands, found: pa.Table, schema: pa.Schema) -> Iterator[pa.Table]:
    """Put together what was found of a case: a row for each of the hands, in order, and each bid.

    Parameters
    ----------
    found
        What :func:`pitchsim.batches.evaluating.worth_of_hands` says of all these hands, in any
        order.
    schema
        Of the frame.
    """
    bids = len(case.bids)
    places = {hand: place for place, hand in enumerate(hands_in(found, case))}
    numbers, cards = hands.under(case.rules)
    at_once = max(1, ROWS_AT_ONCE // bids)
    for first in range(0, len(cards), at_once):
        texts = hand_texts(cards[first : first + at_once])
        starts = np.array([places[hand] for hand in texts]) * bids
        rows = found.take(pa.array((starts[:, None] + np.arange(bids)).ravel()))
        count = len(rows)
        said = {
            "rules": pa.array([case.rules.name]).take(pa.array(np.zeros(count, np.int64))),
            "players": pa.array(np.full(count, case.seating.players)),
            "partners": pa.array(np.full(count, case.seating.partners)),
            "play": pa.array([case.play]).take(pa.array(np.zeros(count, np.int64))),
            "number": pa.array(np.repeat(numbers[first : first + at_once], bids)),
            **{name: rows[name] for name in rows.column_names},
        }
        columns = [
            said[field.name] if field.name in said else pa.nulls(count, field.type)
            for field in schema
        ]
        yield pa.table(columns, schema=schema)


def hands_in(found: pa.Table, case: Case) -> list[str]:
    """Return the hands of rows of a case, each once for all its bids."""
    hands: list[str] = (
        found["hand"].take(pa.array(np.arange(0, len(found), len(case.bids)))).to_pylist()
    )
    return hands


def found_schema(case: Case, batch: Batch) -> pa.Schema:
    """Return the columns of what is found of a case, before it is put together."""
    own = {f"p_{name}" for name in case.rules.point_values}
    outer = {"rules", "players", "partners", "play", "number"}
    return pa.schema(
        field
        for field in schema_of(batch)
        if field.name not in outer and (field.name in own or not field.name.startswith("p_"))
    )


def with_facts(schema: pa.Schema, facts: object) -> pa.Schema:
    """Give a file's schema the facts that say what is in it."""
    return schema.with_metadata({FACTS: json.dumps(facts)})


def facts_in(place: Path, needed: str) -> Mapping[str, Any]:
    """Read the facts of a file, among which one is needed: `cases` of results, `seed` of a part.

    Raises
    ------
    BatchError
        If it is none of a batch's, or another kind of file.
    """
    try:
        facts = json.loads(pq.read_schema(place).metadata[FACTS])
        if isinstance(facts, dict) and facts[needed] is not None:
            return facts
    except (pa.ArrowException, OSError, KeyError, TypeError, ValueError):
        pass
    raise BatchError(
        f"{quoted_path(place)} is no file of a batch, or damaged: expected another folder, or "
        "that file moved away"
    )


def frame_of(table: pa.Table) -> pd.DataFrame:
    """Return the frame, with `bid` and `limit` as categories in the order of bids."""
    import pandas as pd  # noqa: PLC0415  (slow to load, and only frames need it)

    bids = sorted(pc.unique(table["bid"]).to_pylist(), key=_rank)
    ordered = pd.CategoricalDtype(bids, ordered=True)
    frame: pd.DataFrame = table.to_pandas()
    return frame.astype({"bid": ordered, "limit": ordered})


def _rank(bid: str) -> tuple[bool, int]:
    return (True, 0) if bid == SMUDGE else (False, int(bid))
