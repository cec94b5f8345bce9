import csv
import io
import json
import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from builttables import build_table, study_of
from pitchsim_cli import tablepage
from pitchsim_cli.tablepage import TablePage

from pitchsim.cards import SUITS
from pitchsim.errors import TableError
from pitchsim.hands import mask_of
from pitchsim.tables.bidtable import BidTable
from pitchsim.tables.pattern import HoldingPattern
from pitchsim.tables.rows import trumps_in

BLOCKS = [0, 100, 300]
SOURCE = ["rules", "rule_changes", "players", "partners", "play", "worlds", "seeds", "study"]
BIDS = ("2", "3", "4", "smudge")


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """Tables with counts drawn at random: by holding, and three blocks of one by hand."""
    folder = tmp_path_factory.mktemp("tables")
    build_table(folder / "holding.parquet", study_of("holding"))
    build_table(folder / "ten.parquet", study_of("holding", "ten-point"))
    build_table(folder / "hand.parquet", study_of("hand"), BLOCKS)
    return folder


@pytest.fixture(scope="module")
def frame(tables):
    with BidTable(tables / "holding.parquet") as table:
        return table.frame()


@pytest.fixture
def show(pitchsim, tables):
    def run(table, *arguments):
        return pitchsim("table", "show", tables / f"{table}.parquet", *arguments)

    return run


def read_csv(out):
    return pd.read_csv(io.StringIO(out), dtype={"bid": str, "limit": str})


def test_a_page_of_holdings(show, frame):
    status, out, err = show("holding", "--holding", "A J x", "--limit", "3")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[:3] == [
        "9 of 4,095 holdings match A J x; 3 are shown",
        "",
        "Chance of each bid in percent, and the highest bid that pays",
    ]
    assert lines[3].split() == ["Holding", "2", "3", "4", "smudge", "Bid", "Margin", "Lead"]
    for line in lines[4:7]:
        holding = line[:8]
        rows = frame[frame["holding"] == holding].set_index("bid")
        assert len(rows) == 4
        chances = line[8:].split()[:4]
        for bid, chance in zip(rows.index, chances, strict=True):
            assert chance.strip("<>") in {f"{100 * rows['make'][bid]:.0f}", "1", "99"}
        limit = rows["limit"].iloc[0]
        if pd.isna(limit):
            assert line.split()[-1] == "pass"
        else:
            assert f"  {limit} " in line
            assert f"{rows['margin'][limit]:+.2f} ±" in line
            assert line.endswith(f"  {rows['lead'][limit]}")
    assert " ".join(lines[8:]).endswith("by holding, seed 7, 400 deals of every holding.")
    assert max(map(len, lines)) <= 80


def test_one_bid(show, frame):
    _, out, _ = show("holding", "--bid", "3", "--sort", "make", "--limit", "4")
    lines = out.splitlines()
    best = frame[frame["bid"] == "3"].sort_values(
        ["make", "row"], ascending=[False, True], kind="stable"
    )
    assert lines[0] == "4,095 holdings; 4 are shown"
    assert lines[2] == "Bid 3"
    assert lines[3].split() == ["Holding", "Made", "95", "%", "Change", "Margin", "Lead", "Ahead"]
    for line, (_, row) in zip(lines[4:8], best.iterrows(), strict=False):
        assert line.startswith(f"{row['holding']} ")
        assert f" {row['change']:+.2f} " in line
        assert f" {row['lead']} " in f"{line} "
        assert f"{row['margin']:+.2f} ±" in line
        assert ("≈" in line) == (abs(row["margin"]) <= row["margin_half_width"])
        assert np.isnan(row["ahead"]) or line.endswith(f"  {row['ahead']:.2f}")


@pytest.mark.parametrize("sort", ["row", "margin", "make", "trumps"])
@pytest.mark.parametrize("bid", [None, "4"])
def test_csv_is_the_frame_in_that_order(show, frame, sort, bid):
    asked = ["--holding", "A x +", "--sort", sort, *(["--bid", bid] if bid else [])]
    _, out, _ = show("holding", *asked, "--format", "csv")
    found = read_csv(out)
    held = frame["holding"].str.split()
    small = held.map(lambda cards: sum(card[0] in "T98765432" for card in cards))
    expected = frame[held.map(lambda cards: "AS" in cards) & (small > 0)]
    expected = expected if bid is None else expected[expected["bid"] == bid]
    assert set(found["row"]) == set(expected["row"])
    order = list(dict.fromkeys(found["row"]))
    rows = expected.set_index(["row", "bid"])
    limits = {row: rows.loc[row]["limit"].iloc[0] for row in order}

    def key(row):
        if sort == "row":
            return (row,)
        if sort == "trumps":
            return (-rows.loc[row]["trumps"].iloc[0], row)
        if bid is None:
            limit = limits[row]
            pays = not pd.isna(limit)
            place = BIDS.index(limit) if pays else -1
            return (-place, -rows.loc[(row, limit if pays else BIDS[0])][sort], row)
        return (-rows.loc[(row, bid)][sort], row)

    assert order == sorted(order, key=key)
    merged = found.merge(expected.astype({"bid": str}), on=["row", "bid"])
    assert len(merged) == len(found) == len(expected)
    assert np.array_equal(merged["margin_x"], merged["margin_y"])
    assert np.array_equal(merged["ahead_x"], merged["ahead_y"], equal_nan=True)
    assert list(found.columns) == [*frame.columns, *SOURCE]
    assert set(map(tuple, found[SOURCE].astype(object).fillna("").astype(str).to_numpy())) == {
        ("partners", "{}", "4", "True", "basic", "", "7", study_of("holding").identity)
    }


def test_json_has_the_same_rows(show):
    asked = ("--holding", "A K J +", "--sort", "margin", "--limit", "5")
    _, out, _ = show("holding", *asked, "--json")
    _, table, _ = show("holding", *asked, "--format", "csv")
    page = json.loads(out)
    assert (page["matched"], page["shown"]) == (1 + 10 + 45 + 120, 5)
    assert page["table"]["about"].endswith("400 deals of every holding")
    assert (page["table"]["rules"], page["table"]["seeds"]) == ("partners", [7])
    rows = list(csv.DictReader(io.StringIO(table)))
    assert len(page["rows"]) == len(rows) == 20
    for found, row in zip(page["rows"], rows, strict=True):
        assert [*found, *SOURCE] == list(row)
        assert row["study"] == page["table"]["study"]
        assert found["margin"] == float(row["margin"])
        assert (found["limit"] or "") == row["limit"]


def test_all_of_a_table_by_holding_as_csv(show, frame):
    _, out, _ = show("holding", "--format", "csv")
    assert len(read_csv(out)) == len(frame) == 4_095 * 4


@pytest.mark.parametrize("sort", ["row", "margin", "trumps"])
@pytest.mark.parametrize("form", ["csv", "json"])
def test_many_rows_are_written_some_at_a_time(show, monkeypatch, tmp_path, sort, form):
    asked = ("--holding", "A +", "--sort", sort, "--limit", "700", "--format", form)
    at_once = show("hand", *asked).out
    monkeypatch.setattr(tablepage, "ROWS_AT_ONCE", 100)
    assert show("hand", *asked).out == at_once
    pieces = []
    csv_of = pd.DataFrame.to_csv
    monkeypatch.setattr(
        pd.DataFrame, "to_csv", lambda self, **how: pieces.append(len(self)) or csv_of(self, **how)
    )
    place = tmp_path / "page"
    assert show("hand", *asked, "--output", place).status == 0
    assert place.read_text(encoding="utf-8") == at_once
    assert pieces == ([400] * 7 if form == "csv" else [])


def test_a_file_is_left_as_it_was_if_writing_ends_half_way(show, monkeypatch, tmp_path):
    monkeypatch.setattr(tablepage, "ROWS_AT_ONCE", 100)
    frames = TablePage.frames

    def broken(self):
        yield next(frames(self))
        raise TableError("there is no more")

    monkeypatch.setattr(TablePage, "frames", broken)
    place = tmp_path / "page.csv"
    place.write_text("old", encoding="utf-8")
    done = show("holding", "--format", "csv", "--output", place)
    assert (done.status, done.err) == (1, "error: there is no more\n")
    assert place.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [place]


def test_a_table_by_hand_stops_when_the_page_is_full(show, monkeypatch):
    blocks = []
    answers = BidTable.answers

    def counted(self):
        for block in answers(self):
            blocks.append(block)
            yield block

    monkeypatch.setattr(BidTable, "answers", counted)
    _, out, _ = show("hand", "--limit", "3", "--holding", "A +")
    assert out.startswith("The first 3 of the hands that match A +\n")
    assert "There may be more; with --sort all are looked through." in " ".join(out.split())
    assert len(blocks) == 1
    _, out, _ = show("hand", "--limit", "3", "--holding", "A +", "--sort", "margin")
    assert " of 962,988 hands match A +; 3 are shown\n" in out
    assert len(blocks) == 1 + len(BLOCKS)
    _, out, _ = show("hand", "--limit", "3")
    assert out.startswith("962,988 hands; 3 are shown\n")


def test_a_pattern_is_for_the_trump_suit_that_is_best_at_the_bid(show, tables):
    pattern = HoldingPattern.read("A x", study_of("hand").rules)
    _, out, _ = show("hand", "--holding", "A x", "--bid", "3", "--sort", "margin", "--json")
    page = json.loads(out)
    with BidTable(tables / "hand.parquet") as table:
        place = table.study.columns.bids.index("3")
        expected = []
        for answers in table.answers():
            best = answers.best[:, place]
            for at, row in enumerate(answers.rows.tolist()):
                trump = answers.records.trumps[best[at]]
                (text,) = table.study.rows.texts(row, row + 1)
                held = np.array([mask_of(text.split())])
                if pattern.matches(trumps_in(held, np.array([trump]), table.study.rules), trump):
                    expected.append((-answers.margin[at, place], row, text, SUITS[trump]))
    expected.sort()
    assert page["matched"] == len(expected)
    assert page["shown"] == 20
    assert [(row["row"], row["hand"], row["trump"]) for row in page["rows"]] == [
        wanted[1:] for wanted in expected[:20]
    ]


def test_nothing_that_matches(show):
    status, out, _ = show("holding", "--holding", "A K Q J T 9", "--format", "csv")
    assert (status, len(read_csv(out))) == (0, 4)
    status, out, _ = show("hand", "--holding", "A K Q J T 9", "--sort", "margin")
    assert (status, out.splitlines()[0]) == (0, "0 of 962,988 hands match A K Q J T 9")
    status, out, _ = show("hand", "--holding", "A K Q J T 9", "--format", "csv", "--sort", "row")
    assert status == 0
    assert len(out.splitlines()) == 1


def test_markdown_and_files(show, tmp_path):
    _, out, _ = show("holding", "--holding", "A J +", "--limit", "2", "--format", "markdown")
    heading, rule, *rows = [line for line in out.splitlines() if line.startswith("|")]
    assert heading == "| Holding | 2 | 3 | 4 | smudge | Bid | Margin | Lead |"
    assert rule == "| --- | ---: | ---: | ---: | ---: | --- | ---: | --- |"
    assert len(rows) == 2
    place = tmp_path / "page.md"
    show("holding", "--holding", "A J +", "--limit", "2", "--format", "markdown", "-o", place)
    assert place.read_text(encoding="utf-8") == out


def test_many_bids_fit_eighty_columns(show):
    _, out, _ = show("ten", "--sort", "trumps", "--limit", "30")
    lines = out.splitlines()
    assert lines[3].split()[:10] == ["Holding", *"23456789", "sm."]
    assert max(map(len, lines)) <= 80
    assert len(lines[4:]) >= 30


def test_full_cards_are_those_of_the_table(show):
    _, out, _ = show("ten", "--holding", "A JC HJ", "--format", "csv")
    assert set(read_csv(out)["holding"].map(lambda text: tuple(sorted(text.split())))) == {
        ("AS", "HJ", "JC")
    }


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--holding", "A z"), "'z' in 'A z' is no trump: expected ranks"),
        (("--holding", "A KH"), "KH in 'A KH' is no trump when S is trump"),
        (("--holding", "HJ"), "'HJ': HJ is not in the deck, which has no joker"),
        (("--bid", "7"), "bid '7' is not in the table: expected 2, 3, 4 or smudge"),
        (("--limit", "0"), "limit 0 is not possible: expected 1 or more"),
        (("--limit", "few"), "limit 'few' is not possible: expected a whole number"),
    ],
)
def test_what_is_not_possible(show, arguments, said):
    status, out, err = show("holding", *arguments)
    assert (status, out) == (2, "")
    assert err.startswith(f"error: {said}")
    assert len(err.splitlines()) == 1


def test_damage_is_one_message(pitchsim, tables, tmp_path):
    content = bytearray((tables / "holding.parquet").read_bytes())
    content[1_000] ^= 1
    place = tmp_path / "damaged.parquet"
    place.write_bytes(content)
    status, out, err = pitchsim("table", "show", place, "--sort", "margin")
    assert (status, out) == (1, "")
    assert err.startswith(f"error: cannot use the table '{place}': block 1 of 64 is damaged")
    assert len(err.splitlines()) == 1


def test_a_page_loads_neither_the_engine_nor_pandas(tables, tmp_path):
    words = ["pitchsim", "table", "show", str(tables / "holding.parquet"), "--limit", "1"]
    program = (
        "import contextlib, sys\n"
        "from pitchsim_cli.app import main\n"
        f"sys.argv = {words!r}\n"
        "with contextlib.suppress(SystemExit): main()\n"
        "print(sorted(sys.modules.keys() & {'numba', 'pandas', 'matplotlib'}), file=sys.stderr)\n"
    )
    finished = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"XDG_CONFIG_HOME": str(tmp_path)},
        check=True,
    )
    assert finished.stdout.startswith("4,095 holdings; 1 are shown")
    assert finished.stderr == "[]\n"
