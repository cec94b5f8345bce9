"""Tallies: what a number of deals brought, as integer counts that add in any order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pitchsim.errors import StudyError
from pitchsim.rules import Rules, Seating


@dataclass(frozen=True)
class Columns:
    """What is counted of every hand that is played, by name and place.

    The deals in which the pitcher's side took 0, 1, … points (`taken_0` …); in which it made a
    smudge, played or not (`smudges`); in which it scored each point (`high` …); and the sums of
    what all other sides scored together (`others`) and, for each bid, of the square of its margin
    times (sides - 1) (`squares_2` …), in points.
    """

    rules: Rules
    seating: Seating
    bids: tuple[str, ...]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names, in order."""
        return (
            *(f"taken_{points}" for points in range(self.rules.total + 1)),
            "smudges",
            *self.rules.point_values,
            "others",
            *(f"squares_{bid}" for bid in self.bids),
        )

    @property
    def taken(self) -> slice:
        """The deals by points taken."""
        return slice(0, self.rules.total + 1)

    @property
    def smudges(self) -> int:
        """The deals in which a smudge was made."""
        return self.rules.total + 1

    @property
    def points(self) -> slice:
        """The deals in which each point was scored, in the order of `rules.point_values`."""
        return slice(self.smudges + 1, self.others)

    @property
    def others(self) -> int:
        """What all other sides scored together."""
        return self.smudges + 1 + len(self.rules.point_values)

    @property
    def squares(self) -> slice:
        """The squares of the margins."""
        return slice(self.others + 1, self.others + 1 + len(self.bids))


@dataclass(frozen=True)
class Tally:
    """Counts over the deals of one study.

    Attributes
    ----------
    study
        The identity of the study: only tallies of the same one add.
    deals
        How many deals were counted, the same for every option.
    counts
        int64[options, plays, columns]: see :class:`Columns`. There is one play for all bids, or one
        for each.
    products
        int64[bids, options, options]: the sums, over the deals, of the products of two options'
        margins times (sides - 1)², from which paired differences have their errors; None where
        they were not counted.
    """

    study: str
    deals: int
    counts: NDArray[np.int64]
    products: NDArray[np.int64] | None = None

    def __add__(self, other: Tally) -> Tally:
        """Add the counts of other deals of the same study.

        Raises
        ------
        StudyError
            If the other tally is of another study.
        """
        if other.study != self.study:
            raise StudyError(f"tallies of two studies do not add: {self.study} and {other.study}")
        both = self.products is not None and other.products is not None
        return Tally(
            self.study,
            self.deals + other.deals,
            self.counts + other.counts,
            self.products + other.products if both else None,  # type: ignore[operator]
        )
