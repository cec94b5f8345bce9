import pytest
from pitchsim_cli.layout import (
    Heading,
    Items,
    Paragraph,
    Sheet,
    as_markdown,
    for_terminal,
    laid_out,
)

PARTS = [
    Heading("A_hand: <AS>"),
    Paragraph("> one of low_to, _this_ and *that*"),
    Items("The rules", ["Follow suit, or play a trump, as you like it best.", "Lead."]),
    Sheet("Seats", ["<Seat", "Points", "<What"], [["N", "7", "a*b"], ["East", "-10", ""]], 1),
    Paragraph("Again:", strong=True),
    Paragraph("pitchsim hand 'AS JS TS 5S KH 2D' --seed 7", verbatim=True),
]


def test_a_terminal_gets_lines_that_fit(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    assert (
        for_terminal(PARTS)
        == """\
A_hand: <AS>

> one of low_to, _this_ and *that*

The rules
  Follow suit, or play a trump, as you
    like it best.
  Lead.

Seats
Seat  Points  What
N          7  a*b
East     -10

Again:
pitchsim hand 'AS JS TS 5S KH 2D' --seed 7"""
    )


def test_markdown_shows_what_is_written():
    assert (
        as_markdown(PARTS)
        == r"""## A_hand: \<AS>

\> one of low_to, \_this\_ and \*that\*

### The rules

- Follow suit, or play a trump, as you like it best.
- Lead.

### Seats

| Seat | Points | What |
| --- | ---: | --- |
| N | 7 | a\*b |
| East | -10 |  |

**Again:**

```
pitchsim hand 'AS JS TS 5S KH 2D' --seed 7
```"""
    )


def test_the_last_column_of_words_is_broken_where_the_line_ends(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    sheet = Sheet("", ["<Option", "<What it does"], [["draw", "throw away what is not trump"] * 1])
    assert for_terminal([sheet, sheet]).count("\n") == 4
    wide = Sheet("", ["<Option", "<What"], [["draw", "throw away what is not trump and draw"]])
    assert for_terminal([wide]).splitlines()[1:] == [
        "draw    throw away what is not trump and",
        "        draw",
    ]


@pytest.mark.parametrize(
    ("terminal", "variables", "styled"),
    [
        (True, {}, True),
        (False, {}, False),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"TERM": "dumb"}, False),
    ],
)
def test_styles_only_where_they_are_wanted(monkeypatch, terminal, variables, styled):
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in ({"TERM": "xterm"} | variables).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdout.isatty", lambda: terminal)
    assert ("\x1b[1m" in laid_out(PARTS, "table", None)) is styled
    assert "\x1b" not in laid_out(PARTS, "table", "file.txt")
