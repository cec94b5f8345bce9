"""The bid chart: what may be bid with which top trumps, how many trumps, and how often it is made.

Pitch's answer to the starting-hand grid of poker. :class:`BidChart` holds the grid and the words,
from a table by holding; how they look is the business of the figure and the page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise, product
from typing import TYPE_CHECKING, Self

from pitchsim.cards import Card, is_joker
from pitchsim.errors import PitchsimError, listed
from pitchsim.presets import as_preset, changes_in_words
from pitchsim.rules import SMUDGE, Rules, Seating
from pitchsim.wording import manner
from pitchsim_reports.chart.weakest import Trumps, weakest

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

#: So many cards have rows of their own, held or not: sixteen rows fit on a page.
NAMED_CARDS = 4
#: The trumps that no rule set gives a point: what others are worth is told beside the mean of them.
ORDINARY_RANKS = "6789"
#: What stands for any trump without rows of its own.
SMALL = "x"
#: What stands before that of which more deals may make another bid, and what it means.
CLOSE = "\N{ALMOST EQUAL TO}"
CLOSE_MEANS = "too close to call, more deals may change the bid."


@dataclass(frozen=True)
class Raise:
    """A small trump that lifts a cell to a higher bid, and that bid."""

    card: Card
    bid: str


@dataclass(frozen=True)
class Cell:
    """The holdings of so many trumps with the same named cards among them, on the average.

    Attributes
    ----------
    named
        The named cards held, from the strongest.
    cards
        How many trumps are held, these included.
    bid
        The highest bid with a positive margin; None: none has.
    make
        The chance that it is made, or that the lowest is, where none pays.
    margin
        The margin of that bid, in points a hand.
    close
        Whether the margin that decided, or the one that should have, cannot be told from zero.
    raises
        The other cards that lift the bid when they are among the rest, those of most worth first.
    """

    named: tuple[Card, ...]
    cards: int
    bid: str | None
    make: float
    margin: float
    close: bool
    raises: tuple[Raise, ...]

    @property
    def chance(self) -> str:
        """The chance in whole percent; what is not certain is not called 100%."""
        if self.make < 1 and round(100 * self.make) == 100:
            return ">99%"
        return f"{100 * self.make:.0f}%"

    def marked(self, text: str) -> str:
        """Mark what is written about the cell, if it is too close to call: `≈62%`, `≈pass`."""
        return f"{CLOSE}{text}" if self.close else text


@dataclass(frozen=True)
class Row:
    """One choice of the named cards, and its cell for each number of trumps, from one up.

    None: no such holding, or none that may be played in that suit.
    """

    named: tuple[Card, ...]
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True)
class BidChart:
    """What to bid: a grid, the same in words, and what each trump is worth.

    Attributes
    ----------
    rules, seating
        The table that it holds for.
    play
        The play policy.
    source
        Where the numbers come from, such as the seed and the study.
    trump
        The suit of the holdings.
    deals
        The fewest and the most deals behind a lead.
    bids
        The bids asked about, from the lowest.
    named
        The cards with rows of their own, from the strongest trump down: those of most worth.
    rows
        From all of them held to none.
    worth
        For every trump, from the strongest down: by how many points a hand the margin of holdings
        with it is above that of those without it, averaged over the bids and over the numbers of
        trumps, less the mean of that for a 6, 7, 8 and 9.
    """

    rules: Rules
    seating: Seating
    play: str
    source: str
    trump: str
    deals: tuple[int, int]
    bids: tuple[str, ...]
    named: tuple[Card, ...]
    rows: tuple[Row, ...]
    worth: Mapping[Card, float]

    @classmethod
    def of(
        cls,
        frame: pd.DataFrame,
        rules: Rules,
        *,
        play: str,
        source: str,
        seating: Seating | None = None,
    ) -> Self:
        """Gather a table by holding into a chart.

        Parameters
        ----------
        frame
            A row for each holding and bid, with the columns `trump`, `holding` (its cards from the
            strongest down), `cards` (their number), `bid` (an ordered category), `make`, `margin`,
            `margin_half_width` and `deals`. Holdings of as many cards are equally likely.
        seating
            Who played; None for the usual seating of the rule set.

        Raises
        ------
        PitchsimError
            If there is no row, or more than one trump suit.
        """
        trumps = sorted(set(frame["trump"]))
        if len(trumps) != 1:
            found = listed(trumps, "and") if trumps else "none"
            raise PitchsimError(f"a chart is for one trump suit: found {found}")
        holdings = _Holdings.of(frame)
        worth = holdings.worth()
        most = sorted(worth, key=lambda card: -abs(worth[card]))[:NAMED_CARDS]
        named = tuple(card for card in worth if card in most)
        return cls(
            rules=rules,
            seating=seating or rules.seating(),
            play=play,
            source=source,
            trump=trumps[0],
            deals=(int(frame["deals"].min()), int(frame["deals"].max())),
            bids=holdings.bids,
            named=named,
            rows=tuple(holdings.rows(named, worth)),
            worth=worth,
        )

    @property
    def cells(self) -> Iterator[Cell]:
        """All cells, row by row."""
        return (cell for row in self.rows for cell in row.cells if cell is not None)

    @property
    def counts(self) -> range:
        """The numbers of trumps, from one up."""
        return range(1, len(self.rows[0].cells) + 1)

    @property
    def words(self) -> tuple[tuple[str, tuple[Cell, ...]], ...]:
        """The bids worth making, the highest first, each with the weakest cells worth it.

        All other cells worth the bid are one of these with more or better trumps (see
        :func:`pitchsim_reports.chart.weakest.weakest`).
        """
        cells = {Trumps(frozenset(cell.named), cell.cards): cell for cell in self.cells}
        levels = {trumps: self._level(cell) for trumps, cell in cells.items()}
        close = {trumps for trumps, cell in cells.items() if cell.close}
        ranked = sorted(self.named, key=lambda card: -self.worth[card])
        words = []
        for level, bid in reversed(list(enumerate(self.bids))):
            found = [cells[trumps] for trumps in weakest(levels, ranked, level, close)]
            of_this_bid = [cell for cell in found if cell.bid == bid]
            if of_this_bid:
                words.append((bid, tuple(sorted(of_this_bid, key=lambda cell: cell.cards))))
        return tuple(words)

    def _level(self, cell: Cell) -> int:
        return -1 if cell.bid is None else self.bids.index(cell.bid)

    def label(self, card: Card) -> str:
        """Write a trump as players do: by its rank alone, `10`, `HJ`, `off-J`."""
        if is_joker(card):
            return card
        rank = "10" if card[0] == "T" else card[0]
        return rank if card[1] == self.trump else f"off-{rank}"

    def pattern(self, cell: Cell) -> str:
        """Write the trumps of a cell: `A J x x`."""
        small = (cell.cards - len(cell.named)) * (SMALL,)
        return " ".join([*map(self.label, cell.named), *small])

    @property
    def in_words(self) -> str:
        """Write the words as one text, and what they hold for."""
        told = [(bid, cell) for bid, cells in self.words for cell in cells]
        bids = "; ".join(
            f"{self.pattern(cell)}: {bid_words(bid)} ({cell.marked(cell.chance)})"
            for bid, cell in told
        )
        key = [f"{CLOSE}: {CLOSE_MEANS}"] if any(cell.close for _, cell in told) else []
        return " ".join([f"{bids}.", *key, *self.holds_for])

    @property
    def title(self) -> str:
        """Name the rules in a heading: by their own title, unless that is of others."""
        rules = self.rules
        return rules_words(rules) if changes_in_words(rules) else rules.title or rules.name

    @property
    def table(self) -> str:
        """Say which rules are played and who plays: `partners, 4 players in two sides`."""
        return f"{rules_words(self.rules)}, {manner(self.seating)}"

    @property
    def _others(self) -> str:
        if self.seating.partners:
            return "the other side"
        return "the other player" if self.seating.players == 2 else "another player"

    @property
    def holds_for(self) -> tuple[str, ...]:
        """Say in sentences how to read the numbers and what they hold for."""
        fewest, most = self.deals
        deals = f"{fewest:,}" if fewest == most else f"{fewest:,} to {most:,}"
        second = "" if self.rules.secondary_trump == "none" else f" Trump: {self.trump}."
        return (
            f"Rules: {self.table}. Play: {self.play}. {deals} deals for every holding and lead; "
            f"{self.source}.{second}",
            "A bid pays if its margin is positive: what the hand brings the pitcher's side on the "
            "average, a set counted, less what it brings "
            f"{self._others}. Each cell is "
            "the mean of its holdings, with their best lead and random side cards. Nothing is "
            "known of the auction, and the score plays no part.",
        )


def rules_words(rules: Rules) -> str:
    """Name rules and how they differ from a preset: `partners`, `partners, target 15`.

    Rules from a file are held against the nearest preset: `house (partners, target 15)`.
    """
    preset, _ = as_preset(rules)
    words = ", ".join([preset, *changes_in_words(replace(rules, name=preset))])
    return words if rules.name == preset else f"{rules.name} ({words})"


def bid_words(bid: str) -> str:
    """Name a bid in a sentence: `bid 3`, `smudge`."""
    return bid if bid == SMUDGE else f"bid {bid}"


def points_text(points: float) -> str:
    """Write points to a tenth, `1.4` or `0`, with a true minus sign."""
    rounded = round(points, 1)
    return "0" if rounded == 0 else f"{rounded:.1f}".replace("-", "\N{MINUS SIGN}")


class _Holdings:
    """A table's holdings: what is held, and for each bid its chance and margin."""

    def __init__(
        self,
        bids: tuple[str, ...],
        held: list[frozenset[Card]],
        order: tuple[Card, ...],
        values: dict[str, NDArray[np.float64]],
    ) -> None:
        import numpy as np  # noqa: PLC0415  (slow to load, and only charts need it)

        self.bids = bids
        self.order = order
        self.cards = np.array([len(cards) for cards in held])
        self.holds = {card: np.array([card in cards for cards in held]) for card in order}
        self.make = values["make"]
        self.margin = values["margin"]
        self.half_width = values["margin_half_width"]

    @classmethod
    def of(cls, frame: pd.DataFrame) -> Self:
        """Spread the tidy rows: a line for each holding, a column for each bid."""
        bids = tuple(map(str, frame["bid"].cat.categories))
        wide = frame.assign(bid=frame["bid"].astype(str)).pivot(  # noqa: PD010  (no doubles)
            index="holding", columns="bid", values=["make", "margin", "margin_half_width"]
        )
        held = [text.split() for text in wide.index]
        values = {
            name: wide[[(name, bid) for bid in bids]].to_numpy(float)
            for name in ("make", "margin", "margin_half_width")
        }
        return cls(bids, [frozenset(cards) for cards in held], _merged(held), values)

    def worth(self) -> dict[Card, float]:
        """Return what each trump is worth (see `BidChart.worth`)."""
        gain = {card: self._gain(card) for card in self.order}
        ordinary = [gain[card] for card in self.order if card[0] in ORDINARY_RANKS]
        level = sum(ordinary) / len(ordinary)
        return {card: gain[card] - level for card in self.order}

    def _gain(self, card: Card) -> float:
        """Compare holdings with and without a card, as many trumps for as many."""
        margin = self.margin.mean(axis=1)
        gains = []
        for count in sorted(set(self.cards.tolist())):
            held = self.holds[card] & (self.cards == count)
            missing = ~self.holds[card] & (self.cards == count)
            if held.any() and missing.any():
                gains.append(float(margin[held].mean() - margin[missing].mean()))
        return sum(gains) / len(gains)

    def rows(self, named: tuple[Card, ...], worth: Mapping[Card, float]) -> Iterator[Row]:
        """Make the rows of a chart, from all the named cards held to none."""
        others = sorted(set(self.order) - set(named), key=lambda card: (-worth[card], card))
        for choice in product((True, False), repeat=len(named)):
            held = tuple(card for card, chosen in zip(named, choice, strict=True) if chosen)
            rest = set(named) - set(held)
            counts = range(1, int(self.cards.max()) + 1)
            yield Row(held, tuple(self._cell(held, rest, count, others) for count in counts))

    def _cell(
        self, held: tuple[Card, ...], rest: Iterable[Card], count: int, others: list[Card]
    ) -> Cell | None:
        import numpy as np  # noqa: PLC0415

        inside = self.cards == count
        for card in held:
            inside = inside & self.holds[card]
        for card in rest:
            inside = inside & ~self.holds[card]
        if not inside.any():
            return None
        make, margin = self.make[inside].mean(axis=0), self.margin[inside].mean(axis=0)
        # Holdings may share their deals, so that the error of a mean may be as large as of one.
        error = self.half_width[inside].mean(axis=0)
        paying = np.flatnonzero(margin > 0)
        best = int(paying[-1]) if len(paying) else -1
        above = np.abs(margin[best + 1 :]) <= error[best + 1 :]
        close = bool(above.any() or (best >= 0 and margin[best] <= error[best]))
        raises = []
        for card in others:
            within = inside & self.holds[card]
            if within.any():
                mean, half = self.margin[within].mean(axis=0), self.half_width[within].mean(axis=0)
                sure = np.flatnonzero(mean > half)
                if len(sure) and sure[-1] > best:
                    raises.append(Raise(card, self.bids[sure[-1]]))
        shown = max(best, 0)
        return Cell(
            named=held,
            cards=count,
            bid=self.bids[best] if best >= 0 else None,
            make=float(make[shown]),
            margin=float(margin[shown]),
            close=close,
            raises=tuple(raises),
        )


def _merged(held: list[list[Card]]) -> tuple[Card, ...]:
    """Bring the cards of holdings into the one order that all of them are written in."""
    from graphlib import TopologicalSorter  # noqa: PLC0415

    sorter: TopologicalSorter[Card] = TopologicalSorter()
    for cards in held:
        for higher, lower in pairwise(cards):
            sorter.add(lower, higher)
    return tuple(sorter.static_order())
