"""Reports: what stands in them, that it is escaped, and that the same makes the same bytes."""

import io
import re
from html.parser import HTMLParser
from itertools import pairwise

import pandas as pd
import pytest
from pitchsim_reports.phrasing import (
    between,
    card_text,
    difference,
    give_or_take,
    percent,
    rules_words,
    signed,
    won,
)
from pitchsim_reports.report.contents import report_document
from pitchsim_reports.report.files import (
    FIGURES,
    MADE_BY,
    check_folder,
    is_figure,
    report_files,
    write_files,
)
from pitchsim_reports.report.gathering import MATCH_FRAMES
from pitchsim_reports.report.markdown import escaped, report_markdown
from pitchsim_reports.report.page import GENERATOR, report_page
from pitchsim_reports.report.playedhand import deal_of
from reportframes import asked_rules, made_up, match_frames, partings

from pitchsim.cards import ALL_CARDS
from pitchsim.errors import OutputError
from pitchsim.reference.hand import score_hand

COMMAND = "pitchsim report spec.toml --output report"
NASTY = "<script>alert(1)</script>\"'&`*_[x](a:b)|"


class Page(HTMLParser):
    """A page as its texts, and what it holds."""

    VOID = ("meta", "br", "wbr", "hr", "img", "input", "link")

    def __init__(self, text):
        super().__init__()
        self.stack, self.texts, self.tags, self.bad = [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if self.stack.pop() != tag:
            self.bad.append(tag)

    def handle_data(self, data):
        if self.stack and self.stack[-1] not in ("script", "style"):
            self.texts.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.texts).split())


@pytest.fixture(scope="module")
def document():
    return report_document(made_up(), COMMAND)


@pytest.fixture(scope="module")
def page(document):
    return Page(report_page(document))


@pytest.fixture(scope="module")
def markdown(document):
    return report_markdown(document)


def test_points_of_different_suits_are_not_compared():
    gathered = made_up(match=False)
    assert "How often each point is scored" in report_markdown(report_document(gathered, COMMAND))
    gathered = made_up(match=False)
    worth = gathered.frames["worth"]
    gathered.frames["worth"] = worth.assign(trump=worth["rules"].map({"partners": "S"}).fillna("H"))
    text = report_markdown(report_document(gathered, COMMAND))
    assert "Where another suit is best, the points are made with other cards" in text
    assert "How often each point is scored" not in text
    assert re.search(r"What changes most in them: .*another suit \\?\(", text)


def titles(document):
    return [section.title for section in document.sections]


def test_every_question_has_its_section(document):
    assert titles(document) == [
        "What was asked",
        "What was found",
        "What hands are worth",
        "The same hands under other rules",
        "Strategies under partners rules",
        "Strategies under setback rules",
        "Where the strategies part",
    ]


def test_a_report_on_hands_alone_has_nothing_on_strategies():
    document = report_document(made_up(presets=("partners",), match=False), COMMAND)
    assert not [title for title in titles(document) if "trateg" in title]
    assert "trateg" not in Page(report_page(document)).text


def test_a_report_on_strategies_alone_has_nothing_on_hands():
    document = report_document(made_up(hands=False, presets=("partners",)), COMMAND)
    assert titles(document) == [
        "What was asked",
        "What was found",
        "Strategies",
        "Where the strategies part",
    ]


def test_one_rule_set_is_compared_with_no_other():
    document = report_document(made_up(presets=("solo",), match=False), COMMAND)
    assert titles(document) == ["What was asked", "What was found", "What hands are worth"]


def test_presets_of_many_points_can_be_reported_on():
    presets = ("ten-point", "ace-of-hearts")
    page = Page(report_page(report_document(made_up(presets=presets, match=False), COMMAND)))
    assert "ten-point to ace-of-hearts" in page.text
    assert not page.bad


def test_page_and_markdown_say_the_same(page, markdown, document):
    plain = re.sub(r"\\(.)", r"\1", markdown)
    for section in document.sections[:2]:
        for part in section.parts:
            for finding in getattr(part, "findings", ()):
                assert finding.text in page.text
                assert finding.text in plain
    assert COMMAND in page.text
    assert COMMAND in markdown
    assert "pitchsim 0." in page.text


def test_page_is_well_formed_and_needs_nothing_else(page):
    assert not page.bad
    assert page.stack == []
    names = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(names) == len(set(names))
    for tag, attrs in page.tags:
        assert tag not in ("link", "img", "iframe", "base")
        assert "src" not in attrs
        assert not [name for name in attrs if name.startswith("on")]
        assert attrs.get("href", "#").startswith("#")
    for _, attrs in page.tags:
        for name in attrs.get("aria-labelledby", "").split():
            assert name in names


def test_headings_go_down_step_by_step(page):
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_what_users_write_is_escaped_in_the_page():
    rules = asked_rules("partners", label=NASTY)
    gathered = made_up(
        title=NASTY, rules=rules, strategies=(NASTY, "<b>bold"), file="<i>hands</i>.txt"
    )
    text = report_page(report_document(gathered, f"pitchsim report '{NASTY}'"))
    page = Page(text)
    assert [tag for tag, _ in page.tags].count("script") == 1
    assert "<script>alert" not in text
    assert "<b>bold" not in text
    assert "<i>hands" not in text
    assert "<script>alert(1)</script>" in page.text
    assert page.bad == []


def test_what_users_write_is_escaped_in_markdown():
    rules = asked_rules("partners", label=NASTY)
    text = report_markdown(
        report_document(made_up(title=NASTY, rules=rules, strategies=(NASTY, "# a")), COMMAND)
    )
    assert not re.search(r"(?<!\\)<script", text)
    assert not re.search(r"(?<!\\)\[x", text)
    for line in text.splitlines():
        if line.startswith("|"):
            assert len(re.findall(r"(?<!\\)\|", line)) >= 3
    tables = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    for table in tables:
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}) == 1


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a_b*c", r"a\_b\*c"),
        ("- no list", r"\- no list"),
        ("12. no list", r"\12. no list"),
        ("-0.12", "-0.12"),
        ("http://x.y", r"http\://x.y"),
        ("a|b<c>", r"a\|b\<c\>"),
        ("3 + 4", "3 + 4"),
    ],
)
def test_escaping_of_markdown(text, written):
    assert escaped(text) == written


def test_command_with_backticks_stays_inside_its_fence():
    text = report_markdown(report_document(made_up(match=False), "pitchsim report '```'"))
    assert "````\npitchsim report '```'\n````" in text


def test_played_hands_show_every_card_of_every_trick():
    [parting] = partings(asked_rules("partners"), count=1)
    deal = deal_of("Deal 1", parting.story, parting.tables)
    for played, (_, record) in zip(deal.tables, parting.tables, strict=True):
        result = score_hand(record)
        shown = [play.card for trick in played.tricks for play in trick if play.card]
        assert sorted(shown) == sorted(record.plays)
        for trick, scored in zip(played.tricks, result.tricks, strict=True):
            assert [seat for seat, play in enumerate(trick) if play.led] == [scored.leader]
            assert [seat for seat, play in enumerate(trick) if play.won] == [scored.winner]
        assert ("Made" in " ".join(played.outcome)) == result.made


def test_played_hands_stand_in_both_forms(page, markdown):
    [parting, _] = made_up().partings
    for card in parting.tables[0][1].plays:
        assert card_text(card) in page.text
        assert card_text(card) in markdown
    assert re.search(r"\| 1 \| .*▸\**\S+ \|", markdown)


def test_suits_are_told_by_signs_not_by_colour_alone():
    assert {card_text(card)[-1] for card in ALL_CARDS[:52]} == set("♠♥♦♣")
    assert card_text("TS") == "10♠"
    assert card_text("HJ") == "HJ"


def test_files_of_a_report():
    files = report_files(made_up(presets=("partners",)), COMMAND)
    figures = {name for name in files if name.startswith("figures/")}
    assert set(re.findall(r"\]\((figures/[\w.-]+)\)", files["report.md"].decode())) == figures
    assert "data/worth.csv" not in files, "that is written as it is evaluated"
    for name in ("matches", "calibration", "levels", "changes", "convergence"):
        read = pd.read_csv(io.BytesIO(files[f"data/{name}.csv"]))
        parquet = pd.read_parquet(io.BytesIO(files[f"data/{name}.parquet"]))
        assert list(read) == list(parquet)
        assert len(read) == len(parquet) > 0
    assert all(data.startswith(b"\x89PNG") for name, data in files.items() if name in figures)


def test_every_figure_of_a_report_is_known():
    names = [figure.name for figure in report_document(made_up(games=500), COMMAND).figures()]
    assert all(map(is_figure, names))
    assert {re.sub(r"-\d+$", "", name) for name in names} == set(FIGURES)


def test_every_frame_of_matches_is_known():
    assert tuple(match_frames(["partners"])) == MATCH_FRAMES


LARGE, SMALL = made_up(), made_up(presets=("partners",), match=False)


def names_in(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}


def test_what_an_earlier_report_left_is_removed_and_nothing_else(tmp_path):
    write_files(report_files(LARGE, COMMAND), tmp_path)
    own = ("figures/points.svg", "figures/photo.png", "figures/changes-2024.png", "data/mine.csv")
    for name in own:
        (tmp_path / name).write_text("mine")
    files = report_files(SMALL, COMMAND)
    write_files(files, tmp_path)
    assert names_in(tmp_path) == {*files, *own}


@pytest.mark.parametrize("name", ["figures/payoff-1.png", "data/levels.csv", "figures/points.png"])
@pytest.mark.parametrize("made", [False, True])
def test_what_is_called_as_a_part_of_a_report_is_not_written_over(tmp_path, name, made):
    if made:  # that has neither matches nor this figure
        write_files({"report.html": GENERATOR.encode(), "report.md": MADE_BY.encode()}, tmp_path)
    (tmp_path / name).parent.mkdir()
    (tmp_path / name).write_text("mine")
    with pytest.raises(OutputError, match=rf"{name}': .* no report.md names as its own; expected"):
        check_folder(tmp_path, has_hands=True)


def test_evaluated_hands_are_not_thrown_away(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "worth.parquet").write_text("")
    check_folder(tmp_path, has_hands=True)
    with pytest.raises(OutputError, match=r"data': it holds hands that were evaluated, and"):
        check_folder(tmp_path, has_hands=False)


@pytest.mark.parametrize("name", ["report.html", "report.md"])
def test_a_file_that_is_no_report_is_not_written_over(tmp_path, name):
    (tmp_path / name).write_text("<!DOCTYPE html><title>The annual report</title>")
    with pytest.raises(OutputError, match=rf"{name}': .* no report of pitchsim; expected another"):
        check_folder(tmp_path, has_hands=True)


def test_a_report_may_be_made_again(tmp_path):
    write_files(report_files(SMALL, COMMAND), tmp_path)
    check_folder(tmp_path, has_hands=True)


def test_the_page_says_what_it_was_made_by(page, document):
    made = [attrs["content"] for tag, attrs in page.tags if attrs.get("name") == "generator"]
    assert [text.partition(" ")[0] for text in made] == ["pitchsim"]
    assert report_page(document).count(GENERATOR) == 1


@pytest.mark.parametrize(
    ("count", "question"),
    [
        (40, "What are 40 hands dealt at random worth under the rules below? Each is dealt"),
        (1, "What is 1 hand dealt at random worth under the rules below? It is dealt"),
    ],
)
def test_the_question_agrees_with_the_number_of_hands(count, question):
    gathered = made_up(presets=("partners",), match=False, count=count)
    assert question in report_markdown(report_document(gathered, COMMAND))


@pytest.mark.parametrize(
    ("label", "words"),
    [
        ("partners", "partners rules"),
        ("solo, 3 players alone", "solo rules, 3 players alone"),
        ("setback, target 15, 3 players alone", "setback rules, target 15, 3 players alone"),
    ],
)
def test_rule_sets_are_named_in_sentences(label, words):
    assert rules_words(label) == words
    gathered = made_up(rules=asked_rules("partners", label=label))
    text = report_markdown(report_document(gathered, COMMAND))
    assert f"### Under {words}\n" in text
    assert f"### Deal 1, {words}\n" in text


def test_hands_that_change_their_bid_are_counted_by_how_surely(markdown):
    found = re.search(
        r"(\d+) hands of 40 change their highest bid: in (\d+) both margins at the higher bid are "
        r"told from zero; in (\d+) only one of the rule sets has the higher bid; in (\d+) it is a "
        r"close call\.",
        markdown,
    )
    assert found is not None
    changed, *groups = map(int, found.groups())
    assert changed == sum(groups)


def test_the_same_report_has_the_same_bytes():
    one, other = (
        report_files(made_up(presets=("partners",), match=False), COMMAND) for _ in range(2)
    )
    assert one == other


def test_files_are_written_into_their_folders(tmp_path):
    write_files({"data/a.csv": b"1", "report.html": b"2"}, tmp_path / "new")
    assert (tmp_path / "new" / "data" / "a.csv").read_bytes() == b"1"
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["data", "report.html"]


def test_a_folder_that_cannot_be_one_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="expected a folder"):
        check_folder(tmp_path / "file", has_hands=True)
    with pytest.raises(OutputError, match="there is no folder"):
        check_folder(tmp_path / "none" / "report", has_hands=True)
    check_folder(tmp_path / "report", has_hands=True)
    (tmp_path / "data").write_text("")
    with pytest.raises(OutputError):
        check_folder(tmp_path, has_hands=True)


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (percent(0.314), "31 %"),
        (percent(0.0001), "<1 %"),
        (percent(0.9999), ">99 %"),
        (percent(0.9999, 1), ">99.9 %"),
        (percent(1.0), "100 %"),
        (percent(float("nan")), "\N{EM DASH}"),
        (signed(-0.125, 1), "\N{MINUS SIGN}0.1"),
        (signed(-0.001), "0.00"),
        (give_or_take(0.0001), "\N{PLUS-MINUS SIGN}0.01"),
        (give_or_take(float("inf")), "\N{PLUS-MINUS SIGN}?"),
        (give_or_take(0.0301), "\N{PLUS-MINUS SIGN}0.04"),
        (between(0.281, 0.34), "28\N{EN DASH}34"),
        (between(0.8225, 0.8475, 1), "82.2\N{EN DASH}84.8"),
        (between(0.0, 0.0004, 1), "0\N{EN DASH}0.1"),
        (percent(0.0, 1), "0 %"),
        (percent(0.0004, 1), "<0.1 %"),
        (difference(0.234, 0.229), "+0.234 \N{PLUS-MINUS SIGN}0.229"),
        (won(0.5154, 0.0152), "51.54 \N{PLUS-MINUS SIGN}1.52 %"),
    ],
)
def test_numbers_as_they_are_written(written, text):
    assert written == text
