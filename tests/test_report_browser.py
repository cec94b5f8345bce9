"""The report in a real browser, Chromium without a window: shown, sorted, printed."""

import io
import os
import re
import shutil
from pathlib import Path

import pytest
from pitchsim_reports.report.contents import report_document
from pitchsim_reports.report.page import report_page
from reportframes import asked_rules, made_up

CHECKS = (Path(__file__).parent / "pagechecks.js").read_text(encoding="utf-8")
NAMES = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
LONG = "A very long name " + "W" * 180


def missing(what):
    """Skip, or fail where the tests in a browser must run."""
    if os.environ.get("PITCHSIM_BROWSER") == "required":
        pytest.fail(f"{what} is missing, and PITCHSIM_BROWSER is required")
    pytest.skip(f"{what} is missing: the report is not looked at in a browser")


@pytest.fixture(scope="module")
def browser():
    try:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415  (may be missing)
    except ImportError:
        missing("playwright (of the dev dependencies)")
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        missing(f"a browser ({', '.join(NAMES)})")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    """Two reports: a usual one, and one with names as long as they may be."""
    folder = tmp_path_factory.mktemp("report")
    rules = asked_rules("partners", label=LONG[:60])
    usual = made_up(games=500)
    long = made_up(title=LONG, rules=rules, strategies=(LONG[:40], LONG[20:60]))
    for name, gathered in (("usual", usual), ("long", long)):
        page = report_page(report_document(gathered, f"pitchsim report {name}.toml --output x"))
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
    return folder


@pytest.fixture
def show(browser, places):
    """Open a report; whatever it asks for or complains of makes the test fail."""
    contexts, complaints = [], []

    def shown(name="usual", *, wide=1280, scheme="light"):
        contexts.append(
            browser.new_context(viewport={"width": wide, "height": 900}, color_scheme=scheme)
        )
        page = contexts[-1].new_page()
        address = (places / f"{name}.html").as_uri()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("requestfailed", lambda request: complaints.append(f"failed: {request.url}"))
        page.on(
            "request",
            lambda request: request.url == address or complaints.append(f"asked: {request.url}"),
        )
        page.goto(address)
        page.evaluate(CHECKS)
        return page

    yield shown
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.mark.parametrize("name", ["usual", "long"])
@pytest.mark.parametrize("wide", [390, 1280])
def test_it_fits_the_window(show, name, wide):
    assert show(name, wide=wide).evaluate("checks.overflowing()") == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out(show, scheme):
    page = show(scheme=scheme)
    assert page.evaluate("checks.faint(4.5)") == []
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (min(map(int, re.findall(r"\d+", paper))) < 100) == (scheme == "dark")


def test_the_check_of_contrast_finds_what_is_faint(show):
    page = show()
    page.add_style_tag(content="dd { color: #999 } figure svg .ink-fill { fill: #999 !important }")
    found = page.evaluate("checks.faint(4.5)")
    assert any("of 40 hands" in text for text in found)
    assert any(text.startswith("How often a hand") for text in found)


def test_every_picture_is_told_in_words(show):
    page = show()
    assert page.locator("svg").count() >= 8
    assert page.evaluate("checks.withoutWords()") == []


def column(table, place):
    """Return what stands in a column, from the top."""
    return table.locator(f"tbody tr > :nth-child({place})").all_inner_texts()


def number(text):
    return float(text.split()[0].replace(",", "").replace("\N{MINUS SIGN}", "-"))


def sortable(page, title):
    name = page.locator(".caption", has_text=title).first.get_attribute("id")
    return page.locator(f"table[aria-labelledby='{name}']")


def test_a_click_sorts_numbers_as_numbers(show):
    table = sortable(show(), "Bids by level")
    before = column(table, 3)
    heading = table.get_by_role("columnheader", name="Pitched")
    assert heading.get_attribute("aria-sort") is None
    heading.get_by_role("button").click()
    assert heading.get_attribute("aria-sort") == "ascending"
    values = [number(text) for text in column(table, 3)]
    assert values == sorted(values)
    assert column(table, 3) != sorted(before), "as words the order would be another"
    heading.get_by_role("button").click()
    assert heading.get_attribute("aria-sort") == "descending"
    assert [number(text) for text in column(table, 3)] == values[::-1]


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_a_key_sorts_and_only_one_column_is_marked(show, key):
    page = show()
    table = sortable(page, "What the first gains on the second")
    for name in ("Gains", "Strategy"):
        table.get_by_role("button", name=name, exact=True).focus()
        page.keyboard.press(key)
    assert column(table, 1) == sorted(column(table, 1))
    marked = table.locator("th[aria-sort]")
    assert marked.all_inner_texts() == ["Strategy"]


def test_what_is_no_number_stays_last(show):
    page = show()
    table = sortable(page, "Hands by the highest bid that pays")
    button = table.get_by_role("button", name="Made, worth it", exact=True)
    for _ in range(2):
        button.click()
        shown = column(table, 6)
        empty = [text == "\N{EM DASH}" for text in shown]
        assert any(empty)
        assert empty == sorted(empty)


def test_rows_stay_whole_when_they_are_sorted(show):
    table = sortable(show(), "What the first gains on the second")
    rows = set(table.locator("tbody tr").all_inner_texts())
    table.get_by_role("button", name="Gains", exact=True).click()
    assert set(table.locator("tbody tr").all_inner_texts()) == rows


def test_the_first_key_leads_past_the_contents(show):
    page = show()
    page.keyboard.press("Tab")
    skip = page.locator(":focus")
    assert skip.inner_text() == "Skip to the report"
    assert skip.bounding_box()["x"] >= 0
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"


def test_wide_tables_scroll_in_a_box_of_their_own(show):
    page = show(wide=390)
    scrolls = "boxes => boxes.filter(box => box.scrollWidth > box.clientWidth).length"
    assert page.locator(".box").evaluate_all(scrolls) > 0


def test_a_table_that_goes_on_says_so_and_keeps_its_first_column(show):
    page = show(wide=390)
    table = sortable(page, "What the first gains on the second")
    box = table.locator("xpath=..")
    assert "gradient" in box.evaluate("box => getComputedStyle(box).backgroundImage")
    first = table.locator("tbody th").first
    before = first.bounding_box()["x"]
    assert box.evaluate("box => box.scrollLeft = 150") == 150
    assert first.bounding_box()["x"] == before


def test_the_contents_lead_to_every_section(show):
    page = show()
    links = page.locator("nav a")
    titles = [title.strip() for title in page.locator("h2").all_inner_texts()]
    assert links.all_inner_texts() == titles
    for link in links.all():
        assert page.locator(link.get_attribute("href")).count() == 1


def test_print_wastes_little_paper(show):
    from pypdf import PdfReader  # noqa: PLC0415  (only where there is a browser)

    sheets = PdfReader(io.BytesIO(show().pdf(format="A4"))).pages
    assert len(sheets) <= 12


def cut(page, **form):
    """Print a page, and give the blocks whose top and bottom are not on the same sheet."""
    from pypdf import PdfReader  # noqa: PLC0415  (only where there is a browser)

    count = page.evaluate("checks.markBlocks()")
    sheets = PdfReader(io.BytesIO(page.pdf(**form))).pages
    found = {}
    for number, sheet in enumerate(sheets):
        for mark in re.findall(r"q(\d+[az])q", sheet.extract_text()):
            found.setdefault(mark, set()).add(number)
    assert len(sheets) > 3
    tops, bottoms = ([found[f"{n}{end}"] for n in range(count)] for end in "az")
    return [n for n in range(count) if tops[n] != bottoms[n]]


@pytest.mark.parametrize("form", ["A4", "Letter"])
def test_print_cuts_no_table_figure_or_hand(show, form):
    assert cut(show(), format=form) == []


def test_the_check_of_print_finds_what_is_cut(show):
    page = show()
    page.add_style_tag(content="* { break-inside: auto !important }")
    assert cut(page, format="A4")


def test_print_keeps_to_the_width_of_the_sheet(show):
    page = show("long", wide=680)  # about A4 less its margins
    page.emulate_media(media="print")
    assert page.evaluate("checks.overflowing()") == []
