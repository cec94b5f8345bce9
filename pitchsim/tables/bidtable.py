"""Reading a bidding table: the answer for a hand, and the rows block by block."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pitchsim.cards import SUITS, Card, format_hand
from pitchsim.errors import TableError, listed, quoted_path
from pitchsim.evaluation import Evaluation, LookUp
from pitchsim.hands import cards_of, mask_of
from pitchsim.known import Known
from pitchsim.study import Study
from pitchsim.tables.answers import Answers
from pitchsim.tables.finding import HandFinder, HoldingFinder
from pitchsim.tables.form import KEYS, Source, Span, counts_in, sources_of
from pitchsim.tables.rows import HandRows, Records, hand_seed
from pitchsim.tables.tablefile import TableFile, column_values
from pitchsim.tables.tablestudy import TableStudy
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

    @property
    def trumps(self) -> tuple[str, ...]:
        """The suits that are trump in it; in a table by holding, one for all that are alike."""
        rows = self.study.rows
        if isinstance(rows, HandRows):
            return tuple(SUITS)
        return tuple(dict.fromkeys(trump for trump, _ in rows.holdings))

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
        """Put the whole table into a tidy frame (see :meth:`Answers.frame`).

        A table by hand has millions of rows, some gigabytes of them.
        """
        import pandas as pd  # noqa: PLC0415  (slow to load, and only frames need it)

        return pd.concat([answers.frame() for answers in self.answers()], ignore_index=True)

    def answers_of(self, rows: NDArray[np.int64]) -> Iterator[Answers]:
        """Give what some rows say, which are in rising order, block by block."""
        blocks = np.flatnonzero(np.diff(rows // self.study.rows_a_block)) + 1
        for some in np.split(rows, blocks):
            yield Answers(self.study, *self._read(some), self.deals)

    def answers_to(self, hands: Sequence[tuple[Card, ...]]) -> Answers:
        """Look up what hands are worth: the rows of the answers are the places of the hands.

        A table by hand answers for the hand that only the names of suits make another; one by
        holding for the trumps held in each suit, the other cards being any.

        Raises
        ------
        CardError
            If one is no hand of the table's deck.
        TableError
            If the table is damaged, or no suit of a hand can be made trump.
        """
        wanted = self._finder.find(hands)
        records, counts = self._read(np.unique(wanted.rows))
        first = np.searchsorted(records.rows, wanted.rows)
        sizes = np.searchsorted(records.rows, wanted.rows, side="right") - first
        skipped = first - np.cumsum(sizes) + sizes
        places = np.repeat(skipped, sizes) + np.arange(sizes.sum())
        named = np.repeat(wanted.names, sizes)
        renamed = Records(
            np.repeat(wanted.hands, sizes),
            self._finder.suits[named, records.trumps[places]],
            self._finder.cards[named, records.leads[places]],
        )
        return Answers(self.study, renamed, counts[places], self.deals)

    def evaluation(self, hand: tuple[Card, ...]) -> Evaluation:
        """Look up what a hand is worth; errors are those of :meth:`answers_to`."""
        (evaluation,) = self.evaluations([hand])
        return evaluation

    def evaluations(
        self, hands: Sequence[tuple[Card, ...]], bid: str | None = None
    ) -> Iterator[Evaluation]:
        """Look up what hands are worth, at one bid or at all; errors are as `answers_to` has them.

        Raises
        ------
        StudyError
            If there is no such bid.
        """
        answers = self.answers_to(hands)
        counts = answers.counts if bid is None else self._counts_at(bid, answers.counts)
        starts = np.searchsorted(answers.records.rows, np.arange(len(hands) + 1)).tolist()
        options, about = answers.records.options, self.about
        each = zip(hands, pairwise(starts), self._same_again(hands), strict=True)
        for hand, (start, end), again in each:
            study = Study(
                rules=self.study.rules,
                seating=self.study.seating,
                known=Known({0: frozenset(hand)}),
                options=options[start:end],
                play=self.study.play,
                defence=self.study.play,
                seed=self.study.seed,
                bid=bid,
                worlds=self.study.worlds,
            )
            tally = Tally(study.identity, self.deals, counts[start:end])
            yield Evaluation(study, LookUp(tally, self.place, about, again))

    def _counts_at(self, bid: str, counts: NDArray[np.int64]) -> NDArray[np.int64]:
        """Keep what a study of a single bid counts."""
        example = self.study.example
        columns = replace(example, bid=bid).columns  # refuses a bid that there is not
        kept = [example.columns.names.index(name) for name in columns.names]
        play = example.bids.index(bid) if example.plays > 1 else 0
        return counts[:, play : play + 1, kept]

    def _read(self, rows: NDArray[np.int64]) -> tuple[Records, NDArray[np.int64]]:
        """Read some rows, which are all in it."""
        records, counts = self._taken_apart(self._file.find(rows))
        if missing := set(rows.tolist()) - set(records.rows.tolist()):
            raise TableError(
                f"cannot use the table {quoted_path(self.place)}: row {min(missing)} is not in it"
            )
        return records, counts

    @cached_property
    def _finder(self) -> HandFinder | HoldingFinder:
        """What finds the rows of hands."""
        rows = self.study.rows
        return HandFinder(rows) if isinstance(rows, HandRows) else HoldingFinder(rows)

    def _taken_apart(self, block: pa.Table) -> tuple[Records, NDArray[np.int64]]:
        plays = self.study.example.plays
        rows, _, trumps, leads = (column_values(block, name)[::plays] for name in KEYS)
        return Records(rows, trumps, leads), counts_in(block, self.study)

    def _same_again(
        self, hands: Sequence[tuple[Card, ...]]
    ) -> list[tuple[tuple[Card, ...], int] | None]:
        """Give the cards and the seeds with which playing the same deals gives the same numbers."""
        rows, seed = self.study.rows, self.study.seed
        if not isinstance(rows, HandRows) or self.sources != [Source(seed, Span(0, self.deals))]:
            return [None] * len(hands)
        masks = np.array([mask_of(hand) for hand in hands], np.int64)
        same = map(cards_of, rows.index.hands_at(rows.index.rows_of(masks)).tolist())
        return [(cards, hand_seed(format_hand(cards), seed)) for cards in same]
