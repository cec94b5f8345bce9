"""`python -m benchmarks.gallery FOLDER`: make `reports/GALLERY.md` and its pictures from frames.

The folder holds frames as Parquet files, by the names that `pitchsim report` gives them in its
folder `data`: `worth` (with the rule sets `partners` and `solo` among others), `matches`,
`calibration`, `changes`, `convergence` and `levels`. Figures of frames that are not there are left
out. Every number on the page is computed, and the code on it is what was run.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
from pitchsim_reports import figures
from pitchsim_reports.figures import Picture, figure_bytes

from pitchsim.errors import listed
from pitchsim.wording import counted

REPORTS = Path(__file__).parents[1] / "reports"
PICTURES = "gallery"


@dataclass(frozen=True)
class Entry:
    """A figure of the gallery: the frame that it needs, the question that it answers, the code."""

    frame: str
    question: str
    code: str

    @property
    def function(self) -> str:
        """The name of the function that draws it."""
        return self.code.removeprefix("figures.").partition("(")[0]

    @property
    def place(self) -> str:
        """The picture's path from the page."""
        return f"{PICTURES}/{self.function.replace('_', '-')}.svg"

    def draw(self, frames: Mapping[str, pd.DataFrame]) -> Picture:
        """Run the code."""
        picture: Picture = eval(self.code, {"figures": figures, **frames})
        return picture


ENTRIES = (
    Entry(
        "worth",
        "How high may I bid with a usual hand, and how does that differ from table to table?",
        "figures.worth_by_bid(worth)",
    ),
    Entry(
        "worth",
        "How surely is a bid made, with any hand and with the hands that should bid it?",
        "figures.make_by_bid(worth)",
    ),
    Entry(
        "worth",
        "Which points make the difference between a hand for a low bid and one for a high bid?",
        "figures.point_contributions(worth)",
    ),
    Entry(
        "worth",
        "Dealt the same cards at another table: do I bid the same?",
        'figures.changed_bids(worth[worth["rules"].isin(["partners", "solo"])])',
    ),
    Entry(
        "matches",
        "Which strategy is best, and is it so for sure?",
        "figures.payoff_matrix(matches)",
    ),
    Entry(
        "calibration",
        "Does a strategy know how good its hands are?",
        "figures.calibration(calibration)",
    ),
    Entry(
        "levels",
        "How high does a strategy bid, and how often is it set?",
        "figures.bids_by_level(levels)",
    ),
    Entry(
        "changes",
        "Does a strategy win by small steps, or by large ones with losses between?",
        "figures.score_changes(changes)",
    ),
    Entry(
        "convergence",
        "Were enough hands played to tell?",
        "figures.convergence(convergence)",
    ),
)

HEAD = """\
# Gallery

The figures of `pitchsim_reports.figures`. Each is a function that takes a tidy frame and returns a
matplotlib `Figure`; its docstring names the columns that it reads. A notebook shows what the
function returns.

```python
import pandas as pd
from pitchsim_reports import figures

worth = pd.read_parquet("report/data/worth.parquet")  # as `pitchsim report` writes it
picture = figures.worth_by_bid(worth)
picture.alt  # what it shows, in words and numbers
figures.figure_bytes(picture, "png")  # or "svg", "pdf": the same frame, the same bytes
figures.inline_svg(picture)  # an <svg> element for a page
```

In an SVG all words are text. A page that inlines it may recolour ink and paper: with the style
sheet `figures.recolouring()` in the page, the variables `--figure-ink`, `--figure-faint`,
`--figure-rule` and `--figure-paper` set the colours, and `figures.DARK` has values of them for a
dark page. Nothing is told by colour alone, so that a print in grey says the same.
"""


def page(frames: Mapping[str, pd.DataFrame], pictures: Mapping[Entry, Picture]) -> str:
    """Write the page."""
    return "\n".join([HEAD, *_drawn_from(frames), *_figures(pictures)])


def _drawn_from(frames: Mapping[str, pd.DataFrame]) -> Iterator[str]:
    """Say what the pictures here are drawn from."""
    if "worth" in frames:
        worth = frames["worth"]
        hands = worth.groupby("rules")["number"].nunique().max()
        deals = counted(int(worth["deals"].min()), "deal")
        play = listed(worth["play"].unique(), "and")
        yield (
            f"The figures of hands are drawn from {counted(int(hands), 'random hand')} a rule set, "
            f"{deals} of each or more, {play} play.\n"
        )
    if "matches" in frames:
        played = counted(int(frames["matches"]["hands"].min()), "hand")
        yield f"The figures of strategies are drawn from {played} or more of each pair.\n"


def _figures(pictures: Mapping[Entry, Picture]) -> Iterator[str]:
    for entry, picture in pictures.items():
        alt = picture.alt.replace("[", r"\[").replace("]", r"\]")
        yield (
            f"## `{entry.function}`\n\n{entry.question}\n\n```python\n{entry.code}\n```\n\n"
            f"![{alt}]({entry.place})\n"
        )


def main() -> None:
    """Make the gallery."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.gallery",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the frames are")
    folder: Path = parser.parse_args().folder
    frames = {
        entry.frame: pd.read_parquet(folder / f"{entry.frame}.parquet")
        for entry in ENTRIES
        if (folder / f"{entry.frame}.parquet").is_file()
    }
    if not frames:
        parser.error(f"{folder} holds no frame: expected worth.parquet or others")
    pictures = {entry: entry.draw(frames) for entry in ENTRIES if entry.frame in frames}
    (REPORTS / PICTURES).mkdir(exist_ok=True)
    for entry, picture in pictures.items():
        (REPORTS / entry.place).write_bytes(figure_bytes(picture, "svg"))
    (REPORTS / "GALLERY.md").write_text(page(frames, pictures), encoding="utf-8")


if __name__ == "__main__":
    main()
