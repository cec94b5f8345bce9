"""The figures of hands' worth and of matches: they say what the frames say, and can be read."""

import hashlib
import html
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from figureframes import (
    STRATEGIES,
    calibration_frame,
    changes_frame,
    convergence_frame,
    ladder,
    levels_frame,
    matches_frame,
    worth_frame,
)
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text
from pitchsim_reports import figures
from pitchsim_reports.figures import Picture, figure_bytes, inline_svg
from pitchsim_reports.figures.lettering import (
    fitting,
    folded,
    hundredths,
    percent,
    told_apart,
    width,
)
from pitchsim_reports.figures.style import DARK, ROLES, recolouring, style
from pitchsim_reports.palette import ACCENT, CONTRAST, FAINT, INK, PAPER, luminance
from pitchsim_reports.phrasing import signed

from benchmarks.gallery import ENTRIES, REPORTS
from pitchsim.errors import OutputError, PitchsimError
from pitchsim.presets import load_preset
from pitchsim.rules import Rules

POINTS = ("high", "low", "jack", "game")
TEN_POINTS = (*POINTS, "off_jack", "high_joker", "low_joker", "trump_three")
HOSTILE = [
    "$x_1$ & <b>bold</b> \"q\" 'a'",
    "a name without end " * 20,
    "a name without end " * 19 + "too",
    "日本語の戦略 стратегия",
    "a\nb\tc\x00d \u202e",
    "",
    "_$_\\frac{1}{2}",
    "--><script>alert(1)</script>",
]


def known(labels: list[str], preset: str = "partners") -> dict[str, Rules]:
    return dict.fromkeys(labels, load_preset(preset))


def hands(rules: int, bids: int, points: tuple[str, ...] = POINTS) -> pd.DataFrame:
    """Return a frame of so many rule sets, with ladders of up to so many bids."""
    lengths = [max(3, bids - place) for place in range(rules)]
    return worth_frame({f"rules-{n}": ladder(n) for n in dict.fromkeys(lengths)}, points=points)


def many_rules(count: int, bids: int) -> pd.DataFrame:
    return worth_frame({f"our rules {n}": ladder(bids) for n in range(count)}, points=POINTS)


def brought(frame: pd.DataFrame, preset: str = "partners") -> Picture:
    return figures.point_contributions(frame, known(list(frame["rules"].unique()), preset))


def strategies(count: int) -> list[str]:
    return [f"a strategy of number {n}" for n in range(count)]


DRAWN: dict[str, Callable[[], Picture]] = {
    "worth, one rule set": lambda: figures.worth_by_bid(hands(1, 3)),
    "worth, twelve of eleven bids": lambda: figures.worth_by_bid(many_rules(12, 11)),
    "worth, ladders that differ": lambda: figures.worth_by_bid(hands(9, 11)),
    "make, one rule set": lambda: figures.make_by_bid(hands(1, 11)),
    "make, two": lambda: figures.make_by_bid(many_rules(2, 6)),
    "make, twelve of ten bids": lambda: figures.make_by_bid(many_rules(12, 10)),
    "points, one rule set": lambda: brought(hands(1, 9, TEN_POINTS), "ten-point"),
    "points, three": lambda: brought(many_rules(3, 4)),
    "points, twelve of eleven bids": lambda: brought(many_rules(12, 11)),
    "changed, few bids": lambda: figures.changed_bids(hands(2, 4)),
    "changed, many bids": lambda: figures.changed_bids(hands(2, 11)),
    "payoffs, two": lambda: figures.payoff_matrix(matches_frame(["bold", "cautious"])),
    "payoffs, four with games": lambda: figures.payoff_matrix(matches_frame(games=100)),
    "payoffs, eight at two tables": lambda: figures.payoff_matrix(
        matches_frame(strategies(8), rules=["partners", "solo"])
    ),
    "calibration, one": lambda: figures.calibration(calibration_frame(["bold"], bids=ladder(11))),
    "calibration, eight": lambda: figures.calibration(calibration_frame(strategies(8))),
    "changes, four": lambda: figures.score_changes(changes_frame()),
    "changes, many points": lambda: figures.score_changes(changes_frame(strategies(8), most=20)),
    "convergence, one pair": lambda: figures.convergence(convergence_frame(["bold", "cautious"])),
    "convergence, many pairs": lambda: figures.convergence(convergence_frame(strategies(5))),
    "levels, four": lambda: figures.bids_by_level(levels_frame()),
    "levels, eleven bids at two tables": lambda: figures.bids_by_level(
        levels_frame(strategies(8), bids=ladder(11), rules=["partners", "solo"])
    ),
    "hostile worth": lambda: figures.worth_by_bid(
        worth_frame({name: ladder(5) for name in HOSTILE})
    ),
    "hostile changes": lambda: figures.changed_bids(
        worth_frame({name: ladder(5) for name in HOSTILE[:2]})
    ),
    "hostile payoffs": lambda: figures.payoff_matrix(matches_frame(HOSTILE, rules=HOSTILE[:2])),
    "hostile calibration": lambda: figures.calibration(calibration_frame(HOSTILE)),
    "hostile levels": lambda: figures.bids_by_level(levels_frame(HOSTILE, rules=HOSTILE[:2])),
    "hostile convergence": lambda: figures.convergence(convergence_frame(HOSTILE[:4])),
}


@pytest.fixture(scope="module", params=list(DRAWN))
def picture(request: pytest.FixtureRequest) -> Picture:
    return DRAWN[request.param]()


def texts_of(picture: Picture) -> list[Text]:
    return [text for text in picture.findobj(Text) if text.get_visible() and text.get_text()]


def test_letters_can_be_read_and_none_touches_another(picture: Picture):
    with style():
        canvas = FigureCanvasAgg(picture)
        canvas.draw()
        shown = texts_of(picture)
        boxes = np.array([text.get_window_extent(canvas.get_renderer()).extents for text in shown])
    assert min(text.get_fontsize() for text in shown) >= 9
    low, high = boxes[:, :2], boxes[:, 2:]
    outside = (low < 0).any(axis=1) | (high > picture.bbox.extents[2:]).any(axis=1)
    assert [shown[place].get_text() for place in np.flatnonzero(outside)] == []
    over = ((low[:, None] + 1 < high) & (low + 1 < high[:, None])).all(axis=2)
    pairs = np.argwhere(np.triu(over, 1))
    assert [(shown[one].get_text(), shown[other].get_text()) for one, other in pairs] == []


def test_an_svg_is_whole_and_a_page_can_recolour_it(picture: Picture):
    svg = inline_svg(picture)
    root = ElementTree.fromstring(svg)
    names = re.findall(r' id="([^"]+)"', svg)
    used = re.findall(r'(?:href="|url\()#([^")]+)', svg)
    assert len(names) == len(set(names))
    assert set(used) <= set(names)
    assert len({name.split("-")[0] for name in names}) == 1
    assert "<style" not in svg  # it would hold for the whole page
    assert "<script" not in svg
    title, description = (root.find(f"{{*}}{tag}") for tag in ("title", "desc"))
    assert title is not None
    assert description is not None
    assert root.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"
    for element in root.iter():
        look = f"{element.get('style')}; fill: {element.get('fill')}"
        for role in ("ink", "faint", "rule"):
            for part in ("fill", "stroke"):
                if f"{part}: {ROLES[role]}" in look:
                    assert f"{role}-{part}" in (element.get("class") or "").split()


def test_each_picture_is_told_in_words(picture: Picture):
    assert picture.title
    assert re.search(r"\d", picture.alt)
    assert picture.alt == " ".join(picture.alt.split())
    assert picture.alt.endswith(".")


def test_the_same_frames_give_the_same_bytes_anywhere():
    code = (
        "import hashlib, sys\n"
        "from test_figures import DRAWN, figure_bytes\n"
        "for name in list(DRAWN)[::7]:\n"
        "    print(name, hashlib.sha256(figure_bytes(DRAWN[name](), 'svg')).hexdigest())\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    here = {
        name: hashlib.sha256(figure_bytes(DRAWN[name](), "svg")).hexdigest()
        for name in list(DRAWN)[::7]
    }
    done = subprocess.run(
        [sys.executable, "-W", "error:::pitchsim", "-c", code],
        cwd=Path(__file__).parent,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    there = dict(line.rsplit(" ", 1) for line in done.stdout.splitlines())
    assert there == here


def test_settings_of_the_user_do_not_matter():
    draw = DRAWN["payoffs, two"]
    plain = figure_bytes(draw(), "svg")
    with mpl.rc_context({"font.size": 30, "text.usetex": True, "svg.hashsalt": "other"}):
        assert figure_bytes(draw(), "svg") == plain


def test_a_file_that_cannot_be_made_is_refused():
    picture = DRAWN["payoffs, two"]()
    assert figure_bytes(picture, "png", dots=30).startswith(b"\x89PNG")
    assert picture._repr_svg_() == inline_svg(picture)
    with pytest.raises(OutputError, match="'gif': expected png, svg or pdf"):
        figure_bytes(picture, "gif")


# What they say ------------------------------------------------------------------------------------


def shown(picture: Picture) -> list[str]:
    return [text.get_text() for text in texts_of(picture)]


def test_worth_by_bid_counts_hands_and_not_rows():
    frame = pd.DataFrame(
        {
            "rules": "partners",
            "number": np.repeat([1, 2, 3, 4], 2),
            "bid": ["2", "smudge"] * 4,
            "limit": np.repeat(np.array(["2", None, "2", "2"], dtype=object), 2),
        }
    )
    picture = figures.worth_by_bid(frame)
    assert "partners (4 hands): pass 25 %, 2 75 %, smudge 0 %." in picture.alt
    assert {"pass", "2", "smudge", "25", "75", "0", "4 hands"} <= set(shown(picture))


def test_plays_of_the_same_rules_are_told_apart():
    frame = worth_frame({"partners": ladder(4)})
    both = pd.concat([frame, frame.assign(play="expert", limit="1")])
    picture = figures.worth_by_bid(both)
    assert "partners, expert (40 hands): pass 0 %, 1 100 %," in picture.alt
    assert figures.changed_bids(both).title.endswith("of 40 hands change their bid")


def test_make_by_bid_tells_hands_worth_a_bid_from_all():
    frame = pd.DataFrame(
        {
            "rules": "solo",
            "number": [1, 2, 3],
            "bid": "1",
            "make": [0.2, 0.4, 0.9],
            "limit": [None, None, "1"],
        }
    )
    alt = figures.make_by_bid(frame).alt
    assert "solo: 1 in the median of all hands 40 %, in the mean of those worth it 90 %." in alt


def test_points_bring_their_chance_times_their_worth():
    frame = pd.DataFrame(
        {
            "rules": "pedro",
            "number": [1, 1, 2, 2],
            "bid": ["2", "3"] * 2,
            "limit": ["3", "3", None, None],
            **{f"p_{name}": [0.0, 0.5, 0.25, 1.0] for name in ("trump_five", "off_five", *POINTS)},
        }
    )
    alt = figures.point_contributions(frame).alt
    assert "hands worth pass take 2.25: High 0.25" in alt
    assert "hands worth 3 take 4.50: High 0.50, Low 0.50, Jack 0.50, Trump five 1.00" in alt
    assert "Off-five 1.50" in alt


def test_points_of_unknown_rules_are_asked_for():
    with pytest.raises(PitchsimError, match=r"'rules-3' is not known.*given were none"):
        figures.point_contributions(hands(1, 3))


def test_changed_bids_counts_the_hands_in_both():
    frame = pd.DataFrame(
        {
            "rules": ["one", "one", "one", "two", "two", "two"],
            "number": [1, 2, 3, 1, 2, 4],
            "hand": ["a", "b", "c", "a", "b", "d"],
            "bid": "2",
            "limit": [None, "2", "2", "2", "2", None],
        }
    )
    picture = figures.changed_bids(frame)
    assert picture.title == "1 of 2 hands change their bid"
    assert "1 are worth a higher bid under two than under one, 0 a lower one" in picture.alt
    assert picture.alt.endswith("pass to 2 50 %, 2 to 2 50 %.")
    with pytest.raises(PitchsimError, match=r"found 'one'$"):
        figures.changed_bids(frame[:3])
    with pytest.raises(PitchsimError, match="no hand is in both 'one' and 'two'"):
        figures.changed_bids(frame[2:])


def test_payoffs_too_close_to_call_are_marked_by_more_than_colour():
    picture = figures.payoff_matrix(matches_frame(["one", "two", "three"], games=10))
    assert shown(picture).count("≈") == 4  # of six cells
    dashed = [patch for patch in picture.axes[0].patches if patch.get_linestyle() != "solid"]
    assert len(dashed) == 4
    assert "one against two +0.06 ±0.08, too close to call, 52 % of games won" in picture.alt
    assert "one against three +0.12 ±0.08, 53 % of games won (20,000 hands)" in picture.alt
    assert "three against one" not in picture.alt


def test_the_best_strategy_stands_first():
    picture = figures.payoff_matrix(matches_frame(list(reversed(STRATEGIES))))
    rows = [text for text in shown(picture) if text in STRATEGIES]
    assert rows[0] == "point-count"


def test_calibration_says_what_was_predicted_and_made():
    frame = calibration_frame(["bold"]).assign(predicted=0.8, made=0.7, hands=100)
    assert "bold: predicted 80 %, made 70 % of 2,000 bids." in figures.calibration(frame).alt
    with pytest.raises(PitchsimError, match="nothing to draw"):
        figures.calibration(frame.assign(predicted=np.nan))


def test_score_changes_and_levels_say_their_numbers():
    changes = pd.DataFrame(
        {
            "rules": "solo",
            "strategy": "bold",
            "change": [-2, 0, 3],
            "share": [0.25, 0.5, 0.25],
        }
    )
    alt = figures.score_changes(changes).alt
    assert "bold, mean +0.25: \N{MINUS SIGN}2 25 %, 0 50 %, +3 25 %." in alt
    levels = pd.DataFrame(
        {
            "rules": "solo",
            "strategy": "bold",
            "bid": ["2", "smudge"],
            "hands": [40, 0],
            "made": [30, 0],
            "share": [0.1, 0.0],
        }
    )
    alt = figures.bids_by_level(levels).alt
    assert "bold, 75 % made: 2 in 10 % of all hands, 75 % of them made." in alt


def test_a_pair_converges_once():
    frame = convergence_frame(["bold", "cautious"])
    picture = figures.convergence(frame)
    assert "bold less cautious: " in picture.alt
    assert "cautious less bold" not in picture.alt
    assert picture.alt.count("after 32,768 hands") == 1
    close = figures.convergence(frame.assign(low=-1.0, high=1.0))
    assert "≈ " in close.alt


def test_a_match_of_one_stage_is_a_point_with_its_interval():
    frame = convergence_frame(["bold", "cautious"]).groupby(["one", "other"]).tail(1)
    axes = figures.convergence(frame).axes[1]
    low, high = axes.get_xlim()
    assert low < 32_768 < high
    assert any(line.get_marker() == "o" for line in axes.lines)


@pytest.mark.parametrize("scale", [0.01, 0.1, 0.37, 1, 5, 40])
def test_what_stands_at_a_scale_is_its_value(scale: float):
    frame = convergence_frame(["bold", "cautious"])
    frame[["difference", "low", "high"]] *= scale
    axis = figures.convergence(frame).axes[1].yaxis
    written = [label.get_text().replace("\N{MINUS SIGN}", "-") for label in axis.get_ticklabels()]
    assert [float(text) for text in written] == pytest.approx(axis.get_ticklocs().tolist())
    assert len(written) >= 2


def test_small_differences_are_written_as_well_as_they_are_known():
    frame = matches_frame(["one", "two"]).assign(difference=0.0013, half_width=0.0021)
    assert {"+0.001", "±0.003"} <= set(shown(figures.payoff_matrix(frame)))


def test_shares_of_few_bids_are_marked_or_left_out():
    frame = levels_frame(["bold"], bids=["2"]).assign(hands=8, made=4)
    assert "(50)" in shown(figures.bids_by_level(frame))
    frame = calibration_frame(["bold"], bids=["2"])
    few = frame.assign(hands=[19, 20, 21, 22, 23][: len(frame)])
    assert len(figures.calibration(few).axes[1].collections) == 2 * (len(frame) - 1)


@pytest.mark.parametrize(
    ("draw", "frame"),
    [
        (figures.worth_by_bid, hands(1, 3)),
        (figures.make_by_bid, hands(1, 3)),
        (figures.changed_bids, hands(2, 4)),
        (figures.payoff_matrix, matches_frame()),
        (figures.calibration, calibration_frame()),
        (figures.score_changes, changes_frame()),
        (figures.bids_by_level, levels_frame()),
        (figures.convergence, convergence_frame()),
    ],
)
def test_what_cannot_be_drawn_is_refused(
    draw: Callable[[pd.DataFrame], Picture], frame: pd.DataFrame
):
    with pytest.raises(PitchsimError, match="no rows"):
        draw(frame[:0])
    with pytest.raises(PitchsimError, match="lacks what the figure is drawn from, 'rules':"):
        draw(frame.drop(columns="rules"))


# Letters and colours ------------------------------------------------------------------------------


def test_names_are_shortened_to_their_room_and_stay_apart():
    with style():
        assert fitting("bold", 10, 1.0) == "bold"
        short = fitting("a name that is much too long", 10, 1.0)
        assert short.startswith("a name")
        assert short.endswith("ng")
        assert width(short, 10) <= 1.0
        names = told_apart([f"the strategy of player {n} of us" for n in range(12)], 10, 1.2)
        assert len(set(names.values())) == 12
        assert max(width(name, 10) for name in names.values()) <= 1.2


def test_names_of_rules_are_broken_before_they_are_cut():
    with style():
        names = ["partners", "partners, low_to=holder", "setback, 5 players alone, target=15"]
        shown = folded([*names, "W" * 40], 9.5, 1.2, bold=True)
        assert shown["partners"] == ["partners"]
        assert shown[names[1]] == ["partners,", "low_to=holder"]
        assert shown[names[2]][0].startswith("setback, 5")
        assert len(shown["W" * 40]) == 1
        alike = folded([f"a rule set of players {n} who are alone" for n in range(3)], 9.5, 1.2)
        assert len({tuple(lines) for lines in alike.values()}) == 3
        for line in [line for lines in (*shown.values(), *alike.values()) for line in lines]:
            assert width(line, 9.5) <= 1.2


def test_numbers_are_written_without_false_certainty():
    shares = (0, 0.001, 0.314, 0.9999, 1)
    assert [hundredths(share) for share in shares] == ["0", "<1", "31", ">99", "100"]
    assert percent(0.001) == "under 1 %"
    assert [signed(points) for points in (0.123, -0.123, -0.001)] == [
        *("+0.12", "\N{MINUS SIGN}0.12", "0.00")
    ]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_colours_show_on_light_and_dark_paper():
    dark = dict(re.findall(r"--figure-(\w+): (#\w+)", DARK))
    for paper, ink, faint in ((PAPER, INK, FAINT), ("#1b1b1d", dark["ink"], dark["faint"])):
        assert contrast(ink, paper) >= 7
        assert contrast(faint, paper) >= 4.5
        assert min(contrast(colour, paper) for colour in (ACCENT, CONTRAST)) >= 3
    assert ".ink-fill { fill: var(--figure-ink, #1a1a1a) !important }" in recolouring()


# The gallery --------------------------------------------------------------------------------------


def test_the_gallery_shows_every_figure_and_the_code_that_made_it():
    page = (REPORTS / "GALLERY.md").read_text(encoding="utf-8")
    drawing = {
        name
        for name in figures.__all__
        if getattr(getattr(figures, name), "__annotations__", {}).get("return") == "Picture"
    }
    assert {entry.function for entry in ENTRIES} == drawing - {"bid_chart"}
    for entry in ENTRIES:
        assert f"```python\n{entry.code}\n```" in page
        svg = (REPORTS / entry.place).read_text(encoding="utf-8")
        told = re.search(r"<desc [^>]*>(.*?)</desc>", svg)
        assert told is not None
        assert f"![{html.unescape(told[1])}]({entry.place})" in page
