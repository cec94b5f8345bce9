"""Reading a bidding table: the answer for a hand, and the rows block by block."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pitchsim.cards import SUITS, Card, format_hand
from pitchsim.errors import TableError, listed, quoted_path
from pitchsim.evaluation import Evaluation, LookUp
from pitchsim.hands import mask_of, turn_card
from pitchsim.known import Known
from pitchsim.order import TrumpOrder
from pitchsim.study import Option, Study
from pitchsim.tableanswers import Answers
from pitchsim.tablefile import TableFile, column_values
from pitchsim.tablerows import HandRows, HoldingRows, Records
from pitchsim.tablestore import KEYS, Source, Span, counts_in, sources_of
from pitchsim.tablestudy import TableStudy
from pitchsim.tally import Tally

if TYPE_CHECKING:
    import pandas as pd


class BidTable:
    """A bidding table, open for reading; also a context manager that closes it.

    Parameters
    ----------
    place
        The file.

    Raises
    ------
    TableError
        If it cannot be read, is damaged, or is no table of this version.
    """

    def __init__(self, place: str | os.PathLike[str]) -> None:
        self.place = os.fspath(place)
        self._file = TableFile(place)
        try:
            self.sources: list[Source] = sources_of(self._file)
            self.study = TableStudy.from_facts(self._file.facts["study"], self.sources[0].seed)
        except (TableError, KeyError, IndexError) as error:
            self.close()
            raise TableError(f"cannot use the table {quoted_path(self.place)}: {error}") from None
        #: How it came to be: versions, command, seconds.
        self.provenance = self._file.provenance

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    @cached_property
    def deals(self) -> int:
        """How many deals of every row it holds."""
        return sum(deals.end - deals.first for _, deals in self.sources)

    @property
    def about(self) -> str:
        """Say what it is a table of, and of which study."""
        return (
            f"study {self.study.identity}: {self.study.about}, {self.seeds}, {self.deals:,} deals "
            f"of every {self.study.rows.name}"
        )

    @property
    def seeds(self) -> str:
        """Say from which seeds its deals are."""
        word = "seed" if len(self.sources) == 1 else "seeds"
        return f"{word} {listed((source.seed for source in self.sources), 'and')}"

    def verify(self) -> None:
        """Read everything, and check that nothing in it was altered."""
        self._file.verify()

    def blocks(self) -> Iterator[tuple[Records, NDArray[np.int64]]]:
        """Give the records block by block, and their counts, int64[records, plays, columns]."""
        return map(self._taken_apart, self._file.blocks())

    def answers(self) -> Iterator[Answers]:
        """Give what the rows say, block by block."""
        for records, counts in self.blocks():
            yield Answers(self.study, records, counts, self.deals)

    def frame(self) -> pd.DataFrame:
        """Put the whole table into a tidy frame (see :meth:`pitchsim.tableanswers.Answers.frame`).

        A table by hand has millions of rows, some gigabytes of them.
        """
        import pandas as pd  # noqa: PLC0415  (slow to load, and only frames need it)

        return pd.concat([answers.frame() for answers in self.answers()], ignore_index=True)

    def evaluation(self, hand: tuple[Card, ...]) -> Evaluation:
        """Look up what a hand is worth.

        A table by hand answers for the hand that only the names of suits make another; one by
        holding for the trumps held in each suit, the other cards being any.

        Raises
        ------
        CardError
            If it is no hand of the table's deck.
        TableError
            If the table is damaged, or no suit of the hand can be made trump.
        """
        rows = self.study.rows
        found = self._hand(rows, hand) if isinstance(rows, HandRows) else self._holdings(rows, hand)
        options = tuple(option for option, _ in found)
        counts = np.stack([counts for _, counts in found])
        study = Study(
            rules=self.study.rules,
            seating=self.study.seating,
            known=Known({0: frozenset(hand)}),
            options=options,
            play=self.study.play,
            defence=self.study.play,
            seed=self.study.seed,
            worlds=self.study.worlds,
        )
        tally = Tally(study.identity, self.deals, counts)
        return Evaluation(study, LookUp(tally, self.place, self.about, self._same_again(hand)))

    def _hand(
        self, rows: HandRows, hand: tuple[Card, ...]
    ) -> list[tuple[Option, NDArray[np.int64]]]:
        """Find the options of a hand and their counts."""
        mask = mask_of(hand)
        (row,) = rows.index.rows_of(np.array([mask], np.int64)).tolist()
        return self._found(row, _inverse(rows.index.canonical_suits(mask)))

    def _holdings(
        self, rows: HoldingRows, hand: tuple[Card, ...]
    ) -> list[tuple[Option, NDArray[np.int64]]]:
        """Find the options of the trumps that a hand holds if each suit is trump."""
        found = []
        for trump in SUITS:
            holding = [
                card for card in hand if card in TrumpOrder(rules=rows.rules, trump=trump).trumps
            ]
            row, names = rows.find(trump, holding)
            if row is not None:
                found += self._found(row, _inverse(names))
        if not found:
            raise TableError(f"no suit of {format_hand(hand)} can be made trump with a trump held")
        return found

    def _found(self, row: int, names: Mapping[str, str]) -> list[tuple[Option, NDArray[np.int64]]]:
        """Read a row, and name its suits anew."""
        records, counts = self._taken_apart(self._file.find([row]))
        options = [
            Option(names[option.trump], option.lead and turn_card(option.lead, names))
            for option in records.options
        ]
        return list(zip(options, counts, strict=True))

    def _taken_apart(self, block: pa.Table) -> tuple[Records, NDArray[np.int64]]:
        plays = self.study.example.plays
        rows, _, trumps, leads = (column_values(block, name)[::plays] for name in KEYS)
        return Records(rows, trumps, leads), counts_in(block, self.study)

    def _same_again(self, hand: tuple[Card, ...]) -> tuple[tuple[Card, ...], int] | None:
        """Give the hand and the seed with which playing the same deals gives the same numbers."""
        rows = self.study.rows
        if not isinstance(rows, HandRows) or self.sources != [
            Source(self.study.seed, Span(0, self.deals))
        ]:
            return None
        (row,) = rows.index.rows_of(np.array([mask_of(hand)], np.int64)).tolist()
        study = self.study.row(row)
        return tuple(study.known.cards_of(0)), study.seed


def _inverse(names: Mapping[str, str]) -> dict[str, str]:
    return {new: old for old, new in names.items()}
