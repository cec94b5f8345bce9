"""The bid chart as a figure: a page to print."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch, Rectangle

from pitchsim.rules import PASS, SMUDGE
from pitchsim_reports.chart.bidchart import (
    CLOSE,
    CLOSE_MEANS,
    BidChart,
    Cell,
    bid_words,
    points_text,
)
from pitchsim_reports.figures.lettering import width, wrapped
from pitchsim_reports.figures.picture import Picture
from pitchsim_reports.figures.style import style
from pitchsim_reports.palette import FAINT, INK, PAPER, bid_colours, ink_on

#: A chart in inches: it goes on A4 and on Letter, lying, without being made smaller.
WIDTH, HEIGHT = 11.0, 8.2
_LEFT, _RIGHT, _TOP = 0.35, WIDTH - 0.35, HEIGHT - 0.3
_CARD = 0.26
_WORTH_HEIGHT, _MOST_WORTH_HEIGHT = 1.7, 2.5
_TITLE_SIZE, _LIFT_SIZE = 10.5, 6.0
_CELL_WIDTH, _CELL_HEIGHT = 0.84, 0.365
_ROWS_TOP = HEIGHT - 1.4
_LINE = 1.3 / 72  # inches of a line for each point of its type


def bid_chart(chart: BidChart) -> Picture:
    """Draw a bid chart: the grid, the same in words, and what a trump is worth.

    Every text is on the figure's only axes, whose units are inches from the lower left.
    """
    with style():
        title = f"What to bid in Pitch: {chart.table}"
        figure = Picture(WIDTH, HEIGHT, title, chart.in_words, fixed=True)
        axes = figure.add_axes((0, 0, 1, 1), xlim=(0, WIDTH), ylim=(0, HEIGHT))
        axes.set_axis_off()
        _Drawing(axes, chart).draw()
    return figure


class _Drawing:
    """One chart being drawn."""

    def __init__(self, axes: Axes, chart: BidChart) -> None:
        self.axes = axes
        self.chart = chart
        self.colours = bid_colours(chart.bids)
        self.cells_left = _LEFT + len(chart.named) * (_CARD + 0.04) + 0.12
        self.side_left = self.cells_left + len(chart.counts) * _CELL_WIDTH + 0.4

    def draw(self) -> None:
        """Draw everything."""
        self.text(_LEFT, _TOP, "What to bid in Pitch", size=20, weight="bold", va="top")
        self.text(_LEFT, _TOP - 0.4, self.subtitle(), size=_TITLE_SIZE, color=FAINT, va="top")
        bottom = self.grid()
        below = self.key(_TOP - 0.06)
        below = self.words(below - 0.2, bottom + _WORTH_HEIGHT + 0.2)
        self.worth(min(below - 0.2, bottom + _MOST_WORTH_HEIGHT), bottom)
        self.caption(bottom - 0.2)

    def subtitle(self) -> str:
        """Return the title of the rules, as much of it as there is room for."""
        room = self.side_left - _LEFT - 0.4
        first, *more = self.wrapped(self.chart.title, _TITLE_SIZE, room)
        return f"{first}\N{HORIZONTAL ELLIPSIS}" if more else first

    def grid(self) -> float:
        """Draw the rows and their cells; return where they end."""
        chart = self.chart
        middle = self.cells_left + len(chart.counts) * _CELL_WIDTH / 2
        self.text(middle, _ROWS_TOP + 0.36, "How many trumps in all", size=8.5, ha="center")
        self.text(_LEFT, _ROWS_TOP + 0.14, "Trumps held", size=8.5, ha="left")
        for place, count in enumerate(chart.counts):
            x = self.cells_left + (place + 0.5) * _CELL_WIDTH
            self.text(x, _ROWS_TOP + 0.14, str(count), size=11, weight="bold", ha="center")
        y = _ROWS_TOP
        for place, row in enumerate(chart.rows):
            if place == len(chart.rows) // 2:
                y -= 0.09  # from here on without the highest card
            y -= _CELL_HEIGHT
            for slot, card in enumerate(chart.named):
                x = _LEFT + slot * (_CARD + 0.04)
                self.card(x, y + 0.025, chart.label(card) if card in row.named else None)
            for column, cell in enumerate(row.cells):
                if cell is not None:
                    self.cell(self.cells_left + column * _CELL_WIDTH, y, cell)
        return y

    def card(self, x: float, y: float, label: str | None) -> None:
        """Draw a small card with its rank, or its empty place."""
        height = _CELL_HEIGHT - 0.05
        if label is None:
            self.text(x + _CARD / 2, y + height / 2, "\N{MIDDLE DOT}", size=9, color=FAINT)
            return
        self.axes.add_patch(
            FancyBboxPatch(
                (x + 0.03, y + 0.03),
                _CARD - 0.06,
                height - 0.06,
                boxstyle="round,pad=0.03,rounding_size=0.05",
                facecolor=PAPER,
                edgecolor=INK,
                linewidth=0.8,
            )
        )
        *above, rank = label.split("-")
        size = {1: 11.0, 2: 8.5}.get(len(rank), 7.0)
        down = 0.06 if above else 0.0
        if above:
            self.text(x + _CARD / 2, y + height - 0.08, above[0], size=5.5)
        self.text(x + _CARD / 2, y + height / 2 - down, rank, size=size, weight="bold")

    def cell(self, x: float, y: float, cell: Cell) -> None:
        """Draw a cell: its bid, the chance, and what lifts it."""
        fill = PAPER if cell.bid is None else self.colours[cell.bid]
        self.box(x, y, _CELL_WIDTH, _CELL_HEIGHT, fill)
        ink = ink_on(fill)
        centre, middle = x + _CELL_WIDTH / 2, y + _CELL_HEIGHT / 2
        lift = self.lift(cell)
        up = 0.06 if lift else 0.0
        if cell.bid is None:
            self.text(centre, middle + up, cell.marked(PASS), size=8, color=FAINT)
            if lift:
                self.text(centre, middle - 0.1, lift, size=_LIFT_SIZE, color=ink)
            return
        chance = cell.marked(cell.chance)
        if cell.bid == SMUDGE:
            self.text(centre, middle + 0.075, cell.bid, size=8, weight="bold", color=ink)
            self.text(centre, middle - 0.085, chance, size=7, color=ink)
            return
        self.text(x + 0.19, middle, cell.bid, size=14, weight="bold", color=ink)
        self.text(x + 0.55, middle + up, chance, size=8, color=ink)
        if lift:
            self.text(x + 0.56, middle - 0.1, lift, size=_LIFT_SIZE, color=ink)

    def lift(self, cell: Cell) -> str:
        """Say which other trump lifts the bid: `+Q 10→4`, as many of them as there is room for.

        `+10↑` where the bid is too long a word.
        """
        if not cell.raises:
            return ""
        bid = cell.raises[0].bid
        cards = [self.chart.label(one.card) for one in cell.raises if one.bid == bid]
        for shown in range(min(len(cards), 3), 0, -1):
            more = "\N{HORIZONTAL ELLIPSIS}" if shown < len(cards) else ""
            text = f"+{' '.join(cards[:shown])}{more}\N{RIGHTWARDS ARROW}{bid}"
            if width(text, _LIFT_SIZE) < _CELL_WIDTH - 0.34:
                return text
        return f"+{cards[0]}\N{UPWARDS ARROW}"

    def key(self, y: float) -> float:
        """Draw what the colours mean; return where that ends."""
        self.text(self.side_left, y, "Highest bid that pays", size=10, weight="bold", va="top")
        y -= 0.5
        words = {bid: width(bid, 8.5, bold=True) for bid in (PASS, *self.chart.bids)}
        spare = (_RIGHT - self.side_left - sum(words.values())) / len(words)
        x = self.side_left
        for bid, wide in words.items():
            fill = self.colours.get(bid, PAPER)
            self.box(x, y, wide + spare, 0.26, fill)
            middle = x + (wide + spare) / 2
            self.text(middle, y + 0.13, bid, size=8.5, weight="bold", color=ink_on(fill))
            x += wide + spare
        lines = ["The percentage is the chance to make it."]
        if any(cell.close for cell in self.chart.cells):
            lines.append(f"{CLOSE}: {CLOSE_MEANS}")
        if example := next((cell for cell in self.chart.cells if cell.raises), None):
            lift = example.raises[0]
            lines.append(
                f"{self.lift(example)} with the {self.chart.label(lift.card)} among the others, "
                f"{bid_words(lift.bid)}."
            )
        return self.lines(self.side_left, y - 0.08, lines, size=7.5)

    def words(self, y: float, end: float) -> float:
        """Write the grid in words, as large as there is room for; return where they end."""
        self.text(self.side_left, y, "Worth remembering", size=10, weight="bold", va="top")
        y -= 0.22
        y = self.lines(
            self.side_left,
            y,
            self.wrapped(
                "The weakest trumps worth each bid; x is any other trump. What else is worth it "
                "is one of these with more trumps or better ones.",
                7.5,
            ),
            size=7.5,
        )
        y -= 0.08
        for size in (13.0, 12.0, 11.0, 10.0, 9.5, 9.0, 8.5, 8.0, 7.5, 7.0, 6.5, 6.0):
            laid = self.laid_out(size)
            if y - sum(len(lines) * size * _LINE + 0.1 for _, lines in laid) >= end:
                break
        for bid, lines in laid:
            high = len(lines) * size * _LINE + 0.04
            fill = self.colours[bid]
            self.box(self.side_left, y - high, 0.52, high, fill)
            label = min(10.0, 10 * 0.44 / width(bid, 10, bold=True))
            x = self.side_left + 0.26
            self.text(x, y - high / 2, bid, size=label, weight="bold", color=ink_on(fill))
            for number, line in enumerate(lines):
                middle = y - 0.02 - (number + 0.5) * size * _LINE
                x = self.side_left + 0.62
                for pattern, chance in line:
                    self.text(x, middle, pattern, size=size, weight="bold", ha="left")
                    x += width(pattern, size, bold=True) + 0.06
                    self.text(x, middle, chance, size=size - 1, color=FAINT, ha="left")
                    x += width(chance, size - 1) + 0.16
            y -= high + 0.06
        return y

    def laid_out(self, size: float) -> list[tuple[str, list[list[tuple[str, str]]]]]:
        """Break the words of each bid into lines that fit."""
        room = _RIGHT - self.side_left - 0.62
        laid = []
        for bid, cells in self.chart.words:
            lines: list[list[tuple[str, str]]] = [[]]
            x = 0.0
            for cell in cells:
                pattern = self.chart.pattern(cell)
                chance = cell.marked(cell.chance)
                wide = width(pattern, size, bold=True) + width(chance, size - 1) + 0.22
                if lines[-1] and x + wide - 0.16 > room:
                    lines.append([])
                    x = 0.0
                lines[-1].append((pattern, chance))
                x += wide
            laid.append((bid, lines))
        return laid

    def worth(self, top: float, bottom: float) -> None:
        """Draw by how much each trump raises the margin."""
        chart, left = self.chart, self.side_left
        self.text(left, top, "What one trump is worth", size=10, weight="bold", va="top")
        self.text(
            left,
            top - 0.2,
            "Points a hand (margin, mean over the bids) beside a 6, 7, 8 or 9",
            size=7,
            va="top",
            color=FAINT,
        )
        step = (_RIGHT - left) / len(chart.worth)
        values = list(chart.worth.values())
        high, low = max(values), min(0.0, *values)
        room = (top - 0.55) - (bottom + 0.16)
        scale = room / (high - low)
        zero = bottom + 0.16 - low * scale + (0.12 if low < -0.05 * high else 0.0)
        for place, (card, worth) in enumerate(chart.worth.items()):
            x = left + (place + 0.5) * step
            tall = worth * (top - 0.55 - zero) / high
            self.box(x - 0.36 * step, zero, 0.72 * step, tall, INK if worth > 0 else FAINT)
            over = zero + max(tall, 0) + 0.07
            self.text(x, over, points_text(worth), size=5.8)
            self.text(x, bottom + 0.03, chart.label(card), size=self.small(chart.label(card), step))

    def small(self, label: str, room: float) -> float:
        """Return the size at which a label fits its place."""
        return min(8.0, 8 * (room - 0.02) / width(label, 8, bold=True))

    def caption(self, y: float) -> None:
        """Say what the numbers hold for, in letters that leave room for all of it."""
        for size in (7.5, 7.0, 6.5, 6.0, 5.5):
            lines = [
                line
                for paragraph in self.chart.holds_for
                for line in self.wrapped(paragraph, size, _RIGHT - _LEFT)
            ]
            if y - len(lines) * size * _LINE > 0.1:
                break
        self.lines(_LEFT, y, lines, size=size)

    def wrapped(self, text: str, size: float, room: float | None = None) -> list[str]:
        """Break a text into lines that fit the side, or the room given."""
        room = _RIGHT - self.side_left if room is None else room
        return wrapped(text, size, room)

    def lines(self, x: float, y: float, lines: list[str], *, size: float) -> float:
        """Write lines one below the other; return where they end."""
        for line in lines:
            self.text(x, y, line, size=size, va="top", ha="left", color=FAINT)
            y -= size * _LINE
        return y

    def box(self, x: float, y: float, wide: float, high: float, fill: str) -> None:
        """Draw a filled box."""
        self.axes.add_patch(
            Rectangle((x, y), wide, high, facecolor=fill, edgecolor="#b8b8b8", linewidth=0.5)
        )

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float,
        weight: str = "normal",
        color: str = INK,
        ha: str | None = None,
        va: str = "center_baseline",
    ) -> None:
        """Write a text: centred in cells, else from the left."""
        ha = ha or ("left" if va == "top" else "center")
        self.axes.text(x, y, text, fontsize=size, fontweight=weight, color=color, ha=ha, va=va)
