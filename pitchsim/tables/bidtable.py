"""Reading a bidding table: the answer for a hand, and the rows block by block."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pitchsim.cards import SUITS, Card, format_hand
from pitchsim.errors import RulesError, StudyError, TableError, listed, quoted, quoted_path
from pitchsim.evaluation import Evaluation, LookUp
from pitchsim.hands import mask_of
from pitchsim.known import Known
from pitchsim.presets import as_preset
from pitchsim.study import Option, Study, identity_of
from pitchsim.tables.answers import Answers
from pitchsim.tables.finding import HandFinder, HoldingFinder
from pitchsim.tables.form import KEYS, Source, Span, WholeTable, counts_in
from pitchsim.tables.rows import HandRows, Records
from pitchsim.tables.tablefile import column_values
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
        self._file = WholeTable(place)
        #: What decides its numbers; the seed is that of the first of its sources.
        self.study: TableStudy = self._file.study
        #: From which seeds its deals are, and which deals of each.
        self.sources: list[Source] = self._file.sources
        #: How many deals of every row it holds.
        self.deals: int = self._file.deals
        #: A hash of what decides its numbers, the seeds among it, 16 hexadecimal digits.
        self.identity: str = self._file.identity
        #: How it came to be: versions, command, seconds.
        self.provenance = self._file.provenance

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    @property
    def about(self) -> str:
        """Say what it is a table of, and of which study."""
        return (
            f"study {self.identity}: {self.study.about}, {self.seeds}, {self.deals:,} deals "
            f"of every {self.study.rows.name}"
        )

    @property
    def seeds(self) -> str:
        """Say from which seeds its deals are."""
        word = "seed" if len(self.sources) == 1 else "seeds"
        return f"{word} {listed((source.seed for source in self.sources), 'and')}"

    @property
    def facts(self) -> dict[str, Any]:
        """What it is a table of, as JSON has it."""
        study = self.study
        rules, changes = as_preset(study.rules)
        return {
            "file": self.place,
            "about": self.about,
            "by": study.by,
            "rules": rules,
            "set": changes,
            "players": study.seating.players,
            "partners": study.seating.partners,
            "play": study.play,
            "worlds": study.example.worlds_a_turn if study.example.samples else None,
            "deals": self.deals,
            "seeds": [source.seed for source in self.sources],
            "study": self.identity,
        }

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
            yield Answers(records, counts, self.deals, self.study)

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
            yield Answers(*self._read(some), self.deals, self.study)

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
        wanted = self._finder.find(np.array(list(map(mask_of, hands)), np.int64))
        records, counts = self._read(wanted.rows)
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
        return Answers(renamed, counts[places], self.deals, self.study)

    def read_bid(self, text: str) -> str:
        """Read one of the table's bids, in any case.

        Raises
        ------
        StudyError
            If there is no such bid.
        """
        bids = self.study.columns.bids
        with suppress(RulesError):
            if (bid := self.study.rules.parse_bid(text)) in bids:
                return bid
        raise StudyError(f"bid {quoted(text)} is not in the table: expected {listed(bids)}")

    def evaluation(
        self,
        hand: tuple[Card, ...],
        bid: str | None = None,
        trump: str | None = None,
        lead: Card | None = None,
    ) -> Evaluation:
        """Look up what a hand is worth, as :meth:`evaluations` has it."""
        (evaluation,) = self.evaluations([hand], bid, trump, lead)
        return evaluation

    def evaluations(
        self,
        hands: Sequence[tuple[Card, ...]],
        bid: str | None = None,
        trump: str | None = None,
        lead: Card | None = None,
    ) -> Iterator[Evaluation]:
        """Look up what hands are worth.

        Where one run gives the numbers of a hand, namely in a table by hand of a single seed, the
        tally is of that run's study: the one of the hand's row, whose suits may have other names
        (:attr:`pitchsim.evaluation.LookUp.same_again`). Elsewhere the tally has an identity that no
        study has that is played, and adds to no other.

        Parameters
        ----------
        bid, trump, lead
            If given, only this bid, this trump suit, this lead.

        Raises
        ------
        StudyError
            If the table has no such bid, or nothing like it of a hand.
        CardError, TableError
            As :meth:`answers_to` has them.
        """
        answers = self.answers_to(hands)
        bid = None if bid is None else self.read_bid(bid)
        counts = answers.counts if bid is None else self._counts_at(bid, answers.counts)
        starts = np.searchsorted(answers.records.rows, np.arange(len(hands) + 1)).tolist()
        options, facts = answers.records.options, self.facts
        rows = self._rows_of_runs(hands)
        for hand, row, (start, end) in zip(hands, rows, pairwise(starts), strict=True):
            there = options[start:end]
            kept = [
                place
                for place, option in enumerate(there)
                if trump in (None, option.trump) and lead in (None, option.lead)
            ]
            if not kept:
                raise _no_such_option(hand, there, trump, lead)
            study = Study(
                rules=self.study.rules,
                seating=self.study.seating,
                known=Known({0: frozenset(hand)}),
                options=tuple(there[place] for place in kept),
                play=self.study.play,
                defence=self.study.play,
                seed=self.study.seed,
                bid=bid,
                worlds=self.study.worlds,
            )
            again = None
            if row is not None:
                of_row = self.study.row(row)
                chosen = tuple(of_row.options[place] for place in kept)
                again = replace(of_row, options=chosen, bid=bid)
                study = replace(study, seed=again.seed)
            identity = self._identity_of(study) if again is None else again.identity
            tally = Tally(identity, self.deals, counts[start:end][kept])
            yield Evaluation(study, LookUp(tally, facts, there, again))

    def _identity_of(self, study: Study) -> str:
        """Give an answer an identity that no study has that is played."""
        content = ("looked up", self.identity, study.identity)
        return identity_of(json.dumps(content))

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

    def _rows_of_runs(self, hands: Sequence[tuple[Card, ...]]) -> list[int] | list[None]:
        """Give of each hand the row whose study, played in one run, has the row's numbers."""
        rows, whole = self.study.rows, [Source(self.study.seed, Span(0, self.deals))]
        if not isinstance(rows, HandRows) or self.sources != whole:
            return [None] * len(hands)
        found: list[int] = rows.index.rows_of(
            np.array(list(map(mask_of, hands)), np.int64)
        ).tolist()
        return found


def _no_such_option(
    hand: tuple[Card, ...], options: Sequence[Option], trump: str | None, lead: Card | None
) -> StudyError:
    """Say that nothing is known of a trump suit or a lead, and of which there is."""
    asked = [f"trump {trump}"] * (trump is not None) + [f"lead {lead}"] * (lead is not None)
    there = listed(f"{option.trump} {option.lead or 'any'}" for option in options)
    return StudyError(
        f"the table says nothing of {' and '.join(asked)} with {format_hand(hand)}: expected a "
        f"trump suit and lead of {there}"
    )
