"""Two tables of `partners` side by side, for `tips`: the chart, and every hand that may follow it.

A table by holding is what a player can learn: the *chart* says for the trumps of a suit which lead
is best at each bid, and whether it gains. A table by hand says what became of that, hand by hand,
on other deals. So what a choice is worth is never read off the deals by which it was chosen.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitchsim.cards import RANKS, SUITS, Card
from pitchsim.engine import HAND_SIZE
from pitchsim.hands import HandIndex
from pitchsim.intervals import Z95
from pitchsim.measures import Measures
from pitchsim.study import Option
from pitchsim.tables.bidtable import BidTable
from pitchsim.tally import Columns

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]

BIDS = ("1", "2", "3", "4", "smudge")  # 1 is asked about too, though `partners` begins at 2
ONE, TWO, THREE, FOUR, SMUDGE = range(len(BIDS))
PATTERNS = 1 << len(RANKS)  # what is held of a suit: bit i stands for RANKS[i]
PASS = -1


@dataclass(frozen=True)
class Estimate:
    """A number with the half-width of its 95 % interval."""

    value: float
    half: float

    @classmethod
    def weighted(cls, values: Floats, noise: Floats, weights: Floats) -> Estimate:
        """Take a weighted mean of independent values, with the variance of each."""
        total = weights.sum()
        error = math.sqrt(float((weights**2 * noise).sum())) / total
        return cls(float((weights * values).sum() / total), Z95 * float(error))

    @classmethod
    def of(cls, values: Floats) -> Estimate:
        """Take the mean of independent values."""
        return cls(float(values.mean()), Z95 * float(values.std(ddof=1) / np.sqrt(len(values))))

    def __str__(self) -> str:
        return f"{self.value:+.3f} ±{self.half:.3f}"

    @property
    def percent(self) -> str:
        """Write it as a percentage."""
        return f"{100 * self.value:.1f} ±{100 * self.half:.2f} %"


class Worth(NamedTuple):
    """What records are worth at each of `BIDS`, float64[..., bids], and the points they take.

    margin, make : means over the deals.
    margin_noise : the variance of the first, which at a bid of 1 is no more than at 2.
    points : float64[..., points], the probability that the pitcher's side scores each.
    taken : float64[...], how many points it takes.
    """

    margin: Floats
    make: Floats
    margin_noise: Floats
    points: Floats
    taken: Floats

    @classmethod
    def of(cls, columns: Columns, counts: Ints, deals: int) -> Worth:
        """Work it out from counts, int64[..., plays, columns]."""
        measures = Measures(columns, counts, deals)
        pmf, others = measures.pmf(0), measures.others[..., 0]
        taken = measures.mean(0)
        squares = counts[..., 0, columns.squares] / deals
        noise = (squares - measures.margin**2) / deals
        return cls(
            _with_one(taken - pmf[..., 0] - others, measures.margin),
            _with_one(1 - pmf[..., 0], measures.make),
            _with_one(noise[..., 0], noise),
            np.stack(list(measures.points(0).values()), axis=-1),
            taken,
        )

    def at(self, places: tuple[Ints, Ints]) -> Worth:
        """Choose records."""
        return Worth(*(values[places] for values in self))

    def as_led(self, leads: Mask) -> Worth:
        """Choose at each bid the records that lead so, bool[records, bids]; points as at 2."""
        places = [np.flatnonzero(at_bid) for at_bid in leads.T]
        margin, make, noise = (
            np.stack([values[at, bid] for bid, at in enumerate(places)], axis=1)
            for values in (self.margin, self.make, self.margin_noise)
        )
        return Worth(margin, make, noise, self.points[places[TWO]], self.taken[places[TWO]])


def _with_one(one: Floats, others: Floats) -> Floats:
    return np.concatenate([one[..., None], others], axis=-1)


@dataclass(frozen=True)
class Chart:
    """What the table by holding says, by pattern and the rank that is led.

    Attributes
    ----------
    worth
        Of each, [patterns, ranks]; a margin of minus infinity where that cannot be led.
    deals
        How many were counted.
    about
        Of which study.
    """

    worth: Worth
    deals: int
    about: str

    @classmethod
    def read(cls, place: str) -> Chart:
        """Read a table by holding."""
        with BidTable(place) as table:
            shape = (PATTERNS, len(RANKS))
            counts = np.zeros((*shape, 1, len(table.study.columns.names)), np.int64)
            known = np.zeros(shape, bool)
            for records, block in table.blocks():
                first, end = int(records.rows[0]), int(records.rows[-1]) + 1
                patterns = table.study.rows.cards(first, end)[records.rows - first]
                places = _pattern(patterns, records.trumps), records.leads % len(RANKS)
                counts[places], known[places] = block, True
            worth = Worth.of(table.study.columns, counts, table.deals)
            worth.margin[~known] = -np.inf
            return cls(worth, table.deals, table.about)

    @cached_property
    def lead(self) -> Ints:
        """The place in `RANKS` of the best lead, int64[patterns, bids]."""
        return np.asarray(self.worth.margin.argmax(axis=1), np.int64)

    @cached_property
    def margin(self) -> Floats:
        """The margin of the best lead, float64[patterns, bids]."""
        return np.asarray(self.worth.margin.max(axis=1), np.float64)

    def best(self, bid: int) -> Worth:
        """Give what every pattern is worth with its best lead at a bid."""
        return self.worth.at((np.arange(PATTERNS), self.lead[:, bid]))

    def option(self, hand: Iterable[Card], bid: int) -> tuple[Option, float]:
        """Choose suit and lead of a hand, and say what the chart expects of them."""
        patterns = patterns_of(hand)
        suit = max(patterns, key=lambda suit: self.margin[patterns[suit], bid])
        pattern = patterns[suit]
        rank = RANKS[self.lead[pattern, bid]]
        return Option(suit, rank + suit), float(self.margin[pattern, bid])


@dataclass(frozen=True)
class Hands:
    """Every hand, the suits that it may pitch, and the leads of these.

    Attributes
    ----------
    deals, about
        How many deals were counted of each, and of which study.
    cards, weight
        Of each hand: a bit for each of `ALL_CARDS`; of how many hands it stands for one.
    hand, pattern
        Of each suit of a hand: whose it is, and what is held of it.
    worth
        Of each suit of a hand: what the chart's best lead at each bid brings; points and taken are
        those of the best lead at 2.
    suit, rank, margin, noise
        Of each lead: its suit of a hand, its place in `RANKS`, its margin and the variance of that
        at a bid of 2.
    """

    deals: int
    about: str
    cards: Ints
    weight: Floats
    hand: Ints
    pattern: Ints
    worth: Worth
    suit: Ints
    rank: Ints
    margin: Floats
    noise: Floats

    @classmethod
    def read(cls, place: str, chart: Chart) -> Hands:
        """Read a table by hand, and follow the chart."""
        parts = []
        with BidTable(place) as table:
            study, deals, about = table.study, table.deals, table.about
            index = HandIndex.of(study.rules)
            suits = 0
            for records, counts in table.blocks():
                rows = np.arange(records.rows[0], records.rows[-1] + 1)
                cards = index.hands_at(rows)
                patterns = _pattern(cards[records.rows - rows[0]], records.trumps)
                ranks = records.leads % len(RANKS)
                new = np.diff(records.rows * len(SUITS) + records.trumps, prepend=-1) != 0
                starts, suit = np.flatnonzero(new), np.cumsum(new) - 1 + suits
                suits += len(starts)
                worth = Worth.of(study.columns, counts, deals)
                parts.append(
                    (
                        (cards, index.multiplicity(rows).astype(float)),
                        (records.rows[starts], patterns[starts]),
                        worth.as_led(ranks[:, None] == chart.lead[patterns]),
                        (suit, ranks, worth.margin[:, TWO], worth.margin_noise[:, TWO]),
                    )
                )
        hands, held, worths, leads = (
            [np.concatenate(column) for column in zip(*part, strict=True)]
            for part in zip(*parts, strict=True)
        )
        cards, weight = hands
        hand, pattern = held
        suit, rank, margin, noise = leads
        worth = Worth(*worths)
        return cls(deals, about, cards, weight, hand, pattern, worth, suit, rank, margin, noise)

    def best_suit(self, score: Floats) -> Ints:
        """Choose of each hand the suit with the highest score; PASS where all are -inf."""
        starts = np.searchsorted(self.hand, np.arange(len(self.cards)))
        highest = np.maximum.reduceat(score, starts)
        places = np.where(score == highest[self.hand], np.arange(len(score)), len(score))
        return np.where(highest > -np.inf, np.minimum.reduceat(places, starts), PASS)

    def mean(self, values: Floats, where: Mask, noise: Floats | None = None) -> Estimate:
        """Take the mean over some hands, each as often as it is dealt."""
        none = np.zeros(len(values))
        return Estimate.weighted(
            values[where], (none if noise is None else noise)[where], self.weight[where]
        )

    def share(self, where: Mask) -> float:
        """Say how often such hands are dealt."""
        return float(self.weight[where].sum() / self.weight.sum())


def _pattern(cards: Ints, trumps: Ints) -> Ints:
    return cards >> len(RANKS) * trumps & PATTERNS - 1


def patterns_of(hand: Iterable[Card]) -> dict[str, int]:
    """Say what a hand holds of each suit that it may pitch."""
    return {
        suit: sum(1 << RANKS.index(card[0]) for card in hand if card[1] == suit)
        for suit in SUITS
        if any(card[1] == suit for card in hand)
    }


def has(patterns: Ints, ranks: str) -> Mask:
    """Say which patterns hold all of some ranks."""
    wanted = sum(1 << RANKS.index(rank) for rank in ranks)
    return np.asarray(patterns & wanted == wanted)


def ways(patterns: Ints) -> Floats:
    """Say how many hands hold just this of a suit."""
    table = np.array([math.comb(39, HAND_SIZE - n) if n <= HAND_SIZE else 0 for n in range(14)])
    return table[np.bitwise_count(patterns)].astype(float)
