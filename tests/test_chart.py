"""The bid chart: its grid, its words, and the files that it makes."""

import dataclasses
import itertools
import re
import subprocess
import sys
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from builttables import build_table, study_of
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.transforms import BboxBase
from pitchsim_reports import chartfiles
from pitchsim_reports.chart.bidchart import BidChart, rules_words
from pitchsim_reports.chart.weakest import Trumps, weakest
from pitchsim_reports.chartfiles import KINDS, chart_bytes, chart_kind
from pitchsim_reports.figures import bid_chart
from pitchsim_reports.palette import bid_colours, ink_on, luminance

from pitchsim.errors import OutputError, PitchsimError
from pitchsim.presets import load_preset, preset_names
from pitchsim.rules import Rules

SPADES = [rank + "S" for rank in "AKQJT98765432"]
WITH_JOKERS = [*SPADES[:4], "JC", "HJ", "LJ", *SPADES[4:]]
STRENGTH = {"AS": 3.0, "KS": 2.0, "JS": 1.5, "QS": 1.0, "3S": 0.1, "JC": 0.9, "HJ": 0.8}


def table(rules: Rules, trumps: list[str], *, most: int = 40) -> pd.DataFrame:
    """Make a table in which a bid's margin is the holding's strength and length less the bid."""
    bids = list(rules.bids)
    rng = np.random.default_rng(5)
    rows = []
    for count in range(1, 7):
        holdings = list(itertools.combinations(trumps, count))
        if len(holdings) > most * 20:
            holdings = [holdings[i] for i in sorted(rng.choice(len(holdings), most * 20, False))]
        for held in holdings:
            power = sum(STRENGTH.get(card, 0) for card in held) + 0.8 * count
            for place, bid in enumerate(bids):
                margin = power - 3 - place
                rows.append(
                    {
                        "trump": "S",
                        "holding": " ".join(held),
                        "cards": count,
                        "bid": bid,
                        "make": 1 / (1 + np.exp(-margin)),
                        "margin": margin,
                        "margin_half_width": 0.04,
                        "deals": 1000,
                    }
                )
    frame = pd.DataFrame(rows)
    frame["bid"] = pd.Categorical(frame["bid"], bids, ordered=True)
    return frame


def made(preset: str, trumps: list[str]) -> BidChart:
    rules = load_preset(preset)
    return BidChart.of(table(rules, trumps), rules, play="basic", source="seed 7, study 0a1b")


@pytest.fixture(scope="module")
def partners() -> BidChart:
    return made("partners", SPADES)


@pytest.fixture(scope="module")
def files(partners: BidChart) -> dict[str, bytes]:
    """The chart as every kind of file, the png with few dots."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chartfiles, "DOTS_AN_INCH", 40)
        return {kind: chart_bytes(partners, kind) for kind in KINDS}


@pytest.fixture(scope="module", params=["partners", "solo", "ten-point"])
def chart(request: pytest.FixtureRequest) -> BidChart:
    return made(request.param, WITH_JOKERS if request.param == "ten-point" else SPADES)


def test_rows_tell_the_cards_of_most_worth_apart(partners: BidChart):
    assert partners.named == ("AS", "KS", "QS", "JS")
    assert len(partners.rows) == 16
    assert partners.rows[0].named == partners.named
    assert partners.rows[-1].named == ()
    assert list(partners.worth) == SPADES
    assert partners.worth["AS"] == pytest.approx(3.0, abs=0.3)


def test_off_jack_and_jokers_may_have_rows():
    chart = made("ten-point", WITH_JOKERS)
    assert chart.label("JC") == "off-J"
    assert [chart.label(card) for card in chart.worth] == [
        *("A", "K", "Q", "J", "off-J", "HJ", "LJ"),
        *("10", "9", "8", "7", "6", "5", "4", "3", "2"),
    ]


def test_a_cell_is_the_mean_of_its_holdings(partners: BidChart):
    frame = table(load_preset("partners"), SPADES)
    inside = frame[
        (frame["cards"] == 2)
        & frame["holding"].str.startswith("AS")
        & ~frame["holding"].str.contains("K|Q|J")
    ]
    means = inside.groupby("bid", observed=True)[["make", "margin"]].mean()
    bid = means.index[means["margin"] > 0][-1]
    row = next(row for row in partners.rows if row.named == ("AS",))
    cell = row.cells[1]
    assert cell is not None
    assert (cell.bid, cell.cards) == (bid, 2)
    assert cell.make == pytest.approx(means["make"][bid])
    assert cell.margin == pytest.approx(means["margin"][bid])


def test_no_cell_for_more_named_cards_than_trumps(partners: BidChart):
    missing = [
        (row.named, i + 1) for row in partners.rows for i, c in enumerate(row.cells) if not c
    ]
    assert missing
    assert all(len(named) > count for named, count in missing)


def test_nothing_that_is_not_certain_is_called_certain(partners: BidChart):
    assert any(cell.chance == ">99%" for cell in partners.cells) or all(
        cell.make < 0.995 for cell in partners.cells
    )
    assert not any(cell.chance == "100%" for cell in partners.cells if cell.make < 1)


def test_a_card_that_lifts_the_bid_is_named():
    rules = load_preset("partners")
    frame = table(rules, SPADES)
    with_ten = frame["holding"].str.contains("TS") & (frame["cards"] == 2)
    frame.loc[with_ten, "margin"] += 1
    chart = BidChart.of(frame, rules, play="basic", source="")
    lone_queen = next(row for row in chart.rows if row.named == ("QS",)).cells[1]
    assert lone_queen is not None
    assert lone_queen.bid is None
    assert [(one.card, one.bid) for one in lone_queen.raises] == [("TS", "2")]


def test_words_list_the_weakest_and_leave_out_none(partners: BidChart):
    words = {bid: [partners.pattern(cell) for cell in cells] for bid, cells in partners.words}
    assert words["2"] == ["A", "J x", "Q x x", "x x x x"]
    assert "A K x x" not in words["2"]
    assert list(words) == [bid for bid in reversed(partners.bids) if bid in words]


def test_a_better_card_that_costs_a_bid_does_not_count_as_better():
    jack, king = frozenset({"JS"}), frozenset({"KS"})
    levels = {Trumps(jack, 1): 1, Trumps(king, 1): 1, Trumps(jack, 2): 3, Trumps(king, 2): 2}
    assert weakest(levels, ["KS", "JS"], 1) == [Trumps(jack, 1), Trumps(king, 1)]
    levels[Trumps(king, 2)] = 3
    assert weakest(levels, ["KS", "JS"], 1) == [Trumps(jack, 1)]


def test_the_order_of_the_rows_does_not_matter(partners: BidChart, files: dict[str, bytes]):
    rules = load_preset("partners")
    shuffled = table(rules, SPADES).sample(frac=1, random_state=3)
    again = BidChart.of(shuffled, rules, play="basic", source=partners.source)
    assert chart_bytes(again, "html") == files["html"]


def test_a_chart_is_for_one_trump_suit():
    rules = load_preset("partners")
    frame = table(rules, SPADES)
    other = frame.assign(trump="H")
    with pytest.raises(PitchsimError, match="one trump suit: found H and S"):
        BidChart.of(pd.concat([frame, other]), rules, play="basic", source="")
    with pytest.raises(PitchsimError, match="found none"):
        BidChart.of(frame[:0], rules, play="basic", source="")


def with_all(chart: BidChart, *, close: bool) -> BidChart:
    """Return the same chart with every cell too close to call, or none."""
    rows = (
        dataclasses.replace(
            row, cells=tuple(cell and dataclasses.replace(cell, close=close) for cell in row.cells)
        )
        for row in chart.rows
    )
    return dataclasses.replace(chart, rows=tuple(rows))


class Drawn:
    """A chart as it was drawn: its texts, and the corners of them, of its boxes and of the page.

    Corners are x0, y0, x1 and y1, a line for each text or box.
    """

    def __init__(self, chart: BidChart) -> None:
        figure = bid_chart(chart)
        renderer = FigureCanvasAgg(figure).get_renderer()
        (axes,) = figure.axes
        self.texts = [text.get_text() for text in axes.texts]
        self.sizes = np.array([text.get_fontsize() for text in axes.texts])
        self.corners = corners(text.get_window_extent(renderer) for text in axes.texts)
        self.boxes = corners(patch.get_window_extent(renderer) for patch in axes.patches)
        self.page = corners([figure.bbox])[0]

    def check(self) -> None:
        """See that texts are large enough, on the page, and none on another."""
        assert self.sizes.min() >= 5.5
        low, high = self.corners[:, :2], self.corners[:, 2:]
        outside = (low <= self.page[:2]) | (low >= high) | (high >= self.page[2:])
        assert [self.texts[place] for place in np.flatnonzero(outside.any(axis=1))] == []
        over = ((low[:, None] < high) & (low < high[:, None])).all(axis=2)
        pairs = np.argwhere(np.triu(over, 1))
        assert [(self.texts[one], self.texts[two]) for one, two in pairs] == []


def corners(boxes: Iterable[BboxBase]) -> np.ndarray:
    return np.array([box.extents for box in boxes])


@pytest.fixture(scope="module")
def drawn(chart: BidChart) -> Drawn:
    return Drawn(chart)


def test_no_text_overlaps_another_or_leaves_the_page(drawn: Drawn):
    drawn.check()


def test_long_names_find_room(partners: BidChart):
    long = dataclasses.replace(partners.rules, title="A title without end " * 20, name="n" * 60)
    Drawn(dataclasses.replace(partners, rules=long, source="a source that says much, " * 8)).check()


def test_rules_with_many_changes_find_room(partners: BidChart):
    changed = dataclasses.replace(load_preset("ten-point"), name="partners")
    Drawn(dataclasses.replace(partners, rules=changed)).check()


def test_texts_stay_inside_the_boxes_they_begin_in(drawn: Drawn):
    middles = (drawn.corners[:, :2] + drawn.corners[:, 2:]) / 2
    low, high = drawn.boxes[:, :2], drawn.boxes[:, 2:]
    inside = ((low < middles[:, None]) & (middles[:, None] < high)).all(axis=2)
    assert inside.sum() > 100
    for text, box in np.argwhere(inside):
        assert drawn.boxes[box, 0] <= drawn.corners[text, 0], drawn.texts[text]
        assert drawn.corners[text, 2] <= drawn.boxes[box, 2], drawn.texts[text]


def test_what_is_too_close_to_call_is_marked_wherever_it_is_told(partners: BidChart):
    chart = with_all(partners, close=True)
    picture = Drawn(chart)
    picture.check()
    told = [text for text in picture.texts if text.endswith(("pass", "%"))]
    in_key = told.index("pass")
    assert all(text.startswith("≈") for place, text in enumerate(told) if place != in_key)
    in_words = sum(len(cells) for _, cells in chart.words)
    assert len(told) == len(list(chart.cells)) + in_words + 1
    page = chart_bytes(chart, "html").decode()
    assert page.count("<small>≈pass</small>") == sum(cell.bid is None for cell in chart.cells) > 0
    assert page.count("<small>(≈") == in_words
    assert chart.in_words.count("(≈") == in_words
    assert "≈: too close to call" in chart.in_words


def test_nothing_is_marked_where_all_is_clear(partners: BidChart):
    chart = with_all(partners, close=False)
    assert not any("≈" in text for text in Drawn(chart).texts)
    assert "≈" not in chart.in_words
    assert "≈" not in chart_bytes(chart, "html").decode()


@pytest.mark.parametrize("name", preset_names())
def test_a_preset_needs_no_more_than_its_name(name: str):
    assert rules_words(load_preset(name)) == name


def test_changes_of_a_preset_are_said(partners: BidChart):
    rules = load_preset("ten-point").changed({"draw": "yes", "trump_choice": "declared"})
    chart = dataclasses.replace(partners, rules=rules)
    words = "ten-point, trump_choice declared, draw yes"
    assert chart.table == f"{words}, 4 players in two sides"
    assert chart.title == words
    assert f"<p>{words}</p>" in chart_bytes(chart, "html").decode()


def test_rules_from_a_file_are_held_against_the_nearest_preset(partners: BidChart):
    house = dataclasses.replace(
        partners.rules.changed({"target": 15, "off_jack": 1}), name="house", title="Ours"
    )
    chart = dataclasses.replace(partners, rules=house)
    assert chart.table == "house (partners, target 15, points.off_jack 1), 4 players in two sides"
    assert chart.title == "Ours"


@pytest.mark.parametrize("count", range(1, 11))
def test_colours_are_apart_in_grey_and_texts_on_them_readable(count: int):
    colours = list(bid_colours([str(bid) for bid in range(count)]).values())
    light = [luminance(colour) ** (1 / 2.4) for colour in colours]
    assert all(lower - higher > 0.02 for lower, higher in itertools.pairwise(light))
    for colour in colours:
        pair = sorted([luminance(colour), luminance(ink_on(colour))])
        assert (pair[1] + 0.05) / (pair[0] + 0.05) >= 4.5


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_chart_makes_the_same_bytes(
    files: dict[str, bytes], kind: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(chartfiles, "DOTS_AN_INCH", 40)
    first = files[kind]
    assert first == chart_bytes(made("partners", SPADES), kind)
    starts = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF", "html": b"<!DOCTYPE html>"}
    assert first.startswith(starts[kind])


def test_an_svg_tells_its_contents_to_those_who_do_not_see_it(files: dict[str, bytes]):
    svg = files["svg"].decode()
    assert 'role="img"' in svg
    assert "<title id=" in svg
    assert "J x: bid 2 (" in svg.split("<desc ", 1)[1].split("</desc>")[0]
    assert "<dc:date>" not in svg


def test_a_page_says_what_it_holds_for_and_needs_no_network(chart: BidChart):
    page = chart_bytes(chart, "html").decode()
    assert "seed 7, study 0a1b" in page
    assert "1,000 deals" in page
    assert f"Rules: {chart.rules.name}" in page
    assert not re.search(r"https?:|src=|url\(|@import", page)
    for bid, cells in chart.words:
        assert f'class="bid-{bid}">{bid}</th>' in page
        for cell in cells:
            assert f"<b>{chart.pattern(cell)}</b>" in page
    assert _unclosed(page) == []


def _unclosed(page: str) -> list[str]:
    """Return the tags that are left open, or closed in another order."""
    stack: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002
            if tag not in {"meta", "br"}:
                stack.append(tag)

        def handle_endtag(self, tag: str) -> None:
            if stack[-1:] == [tag]:
                stack.pop()

        def handle_startendtag(self, tag: str, attrs: object) -> None:
            """It closes itself."""

    Reader().feed(page)
    return stack


def test_a_title_from_a_rules_file_is_no_markup():
    rules = load_preset("partners")
    odd = BidChart.of(
        table(rules, SPADES), rules, play="basic", source="<script>x</script> & $\\alpha$"
    )
    for kind in ("html", "svg"):
        assert b"<script>" not in chart_bytes(odd, kind)


def test_an_ending_asks_for_a_kind_of_file():
    assert chart_kind("a/chart.PNG") == "png"
    with pytest.raises(OutputError, match=r"'a/chart.gif': expected .png, .svg, .pdf or .html"):
        chart_kind(Path("a/chart.gif"))
    with pytest.raises(OutputError):
        chart_kind("chart")


def test_reports_load_matplotlib_only_when_something_is_drawn():
    code = (
        "import sys, pitchsim_reports.chart.bidchart, pitchsim_reports.chartfiles\n"
        "heavy = {'matplotlib', 'jinja2', 'pandas', 'numba'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
        "import pitchsim_reports.figures\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with tables by holding of counts drawn at random."""
    folder = tmp_path_factory.mktemp("tables")
    for rules in ("partners", "ace-of-hearts"):
        build_table(folder / f"{rules}.parquet", study_of("holding", rules))
    return folder


def test_a_chart_is_written_without_a_word(pitchsim, tables: Path, tmp_path: Path):
    done = pitchsim("table", "chart", tables / "partners.parquet", "-o", "chart.html")
    assert done == (0, "", "")
    page = (tmp_path / "chart.html").read_text(encoding="utf-8")
    assert "Rules: partners, 4 players in two sides." in page


def test_rules_that_tell_suits_apart_need_a_trump_suit(pitchsim, tables: Path, tmp_path: Path):
    place = tables / "ace-of-hearts.parquet"
    done = pitchsim("table", "chart", place, "-o", "chart.html")
    assert done.status != 0
    message = " ".join(done.err.split())
    assert "ace-of-hearts.parquet' tell suits apart: expected --trump S or H as well" in message
    assert pitchsim("table", "chart", place, "--trump", "H", "-o", "chart.html") == (0, "", "")
    assert "Trump: H." in (tmp_path / "chart.html").read_text(encoding="utf-8")


def test_a_chart_does_not_take_the_place_of_its_table(pitchsim, tables: Path, tmp_path: Path):
    place = tmp_path / "table.png"
    place.write_bytes((tables / "partners.parquet").read_bytes())
    (tmp_path / "link.png").symlink_to(place)
    for output in ("table.png", "link.png"):
        done = pitchsim("table", "chart", "table.png", "-o", output)
        assert done.status != 0
        assert f"cannot write '{output}': it is 'table.png', which is read" in " ".join(
            done.err.split()
        )
    assert place.read_bytes() == (tables / "partners.parquet").read_bytes()
