import csv
import io
import json
import os
import shlex
import subprocess
import sys

import pytest
from builttables import build_table, study_of

from pitchsim.cards import sort_hand

COLUMNS = (
    "line,hand,bid,trump,lead,make,low,high,change,margin,margin_half_width,ahead,limit,deals,"
    "rules,rule_changes,players,partners,play,worlds,seeds,study"
)
ENGINE = ("numba", "llvmlite", "pandas", "scipy", "rich", "matplotlib")


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """Tables with counts drawn at random: by holding, and the first block of one by hand."""
    folder = tmp_path_factory.mktemp("tables")
    build_table(folder / "holding.parquet", study_of("holding"))
    build_table(folder / "hand.parquet", study_of("hand"), [0])
    build_table(folder / "ten.parquet", study_of("holding", "ten-point"))
    return folder


@pytest.fixture
def run(pitchsim, tables):
    def lookup(*arguments, table="holding", text=""):
        place = tables / f"{table}.parquet"
        return pitchsim("lookup", *arguments, "--table", place, text=text)

    return lookup


ROWS = study_of("hand").rows
#: In the first block of a table by hand, but for the names of the suits and the order.
IN_BLOCK = [
    " ".join(reversed(text.translate(str.maketrans("SHDC", "CDSH")).split()))
    for text in ROWS.texts(0, 2_000)[::500]
]
HANDS = "AS JS TS 5S KH 2D\nTS 9S 6S 5H QD JC\n2S AD 4D 3D JC 7C\n"


def test_a_line_for_each_hand_and_at_the_end_from_where(run, tables):
    status, out, err = run("-", text=HANDS)
    assert (status, err) == (0, "")
    heading, *lines = out.splitlines()
    assert heading == "Hand               Bid       Made  95 %             Margin  Trump     Lead"
    assert lines[0].startswith("AS JS TS 5S KH 2D  ")
    assert [line[:17] for line in lines[:3]] == HANDS.splitlines()
    assert lines[3] == ""
    said = " ".join(lines[4:])
    assert said.startswith(f"Looked up in {tables / 'holding.parquet'}, and not played now: study ")
    assert "by holding, seed 7, 400 deals of every holding." in said
    assert max(map(len, lines[:3])) <= 80


@pytest.mark.parametrize(
    ("table", "hands"),
    [("holding", HANDS.splitlines()), ("hand", IN_BLOCK)],
    ids=("holding", "hand"),
)
def test_each_line_says_what_the_hand_alone_says(run, pitchsim, tables, table, hands):
    _, out, _ = run("-", "--json", table=table, text="\n".join(hands))
    _, page, _ = run("-", table=table, text="\n".join(hands))
    shown_lines = page.splitlines()[1 : len(hands) + 1]
    for hand, line, shown in zip(hands, out.splitlines(), shown_lines, strict=True):
        alone = pitchsim("hand", hand, "--table", tables / f"{table}.parquet", "--json")
        assert f"{line}\n" == alone.out
        found = json.loads(line)
        bid = found["limit"]["bid"]
        if bid is None:
            assert shown.split()[6:] in (["pass"], ["≈pass"])
            continue
        best = found["bids"][bid]
        assert shown.split()[6] == bid
        assert shown.split()[7] == f"{100 * best['p']:.0f}"
        assert f"{best['margin']:+.2f} ±" in shown
        assert shown.endswith(f"  {best['lead']}")


def test_where_nothing_pays_it_says_pass(run):
    hands = "\n".join(ROWS.texts(0, 40_000)[::1_000])
    _, out, _ = run("-", "--json", text=hands)
    _, page, _ = run("-", text=hands)
    bids = [json.loads(line)["limit"]["bid"] for line in out.splitlines()]
    assert [line.split()[6].lstrip("≈") for line in page.splitlines()[1:41]] == [
        bid or "pass" for bid in bids
    ]
    assert None in bids


def test_csv_has_a_row_for_each_hand_and_bid(run):
    status, out, err = run("-", "--format", "csv", text=f"# ours\n\n{HANDS}")
    assert (status, err) == (0, "")
    assert out.splitlines()[0] == COLUMNS
    rows = list(csv.DictReader(io.StringIO(out)))
    _, lines, _ = run("-", "--json", text=HANDS)
    found = list(map(json.loads, lines.splitlines()))
    assert [(row["line"], row["bid"]) for row in rows] == [
        (line, bid) for line in "345" for bid in ("2", "3", "4", "smudge")
    ]
    for place, row in enumerate(rows):
        of_hand = found[place // 4]
        best = of_hand["bids"][row["bid"]]
        assert row["hand"] == of_hand["hand"]
        assert (row["trump"], row["lead"]) == (best["trump"], best["lead"])
        assert float(row["make"]) == best["p"]
        assert float(row["change"]) == best["change"]
        assert float(row["margin"]) == best["margin"]
        assert row["limit"] == (of_hand["limit"]["bid"] or "")
        assert row["deals"] == "400"
        assert f"study {row['study']}:" in of_hand["table"]["about"]
        source = of_hand["table"]
        assert (row["rules"], row["study"]) == (source["rules"], source["study"])
        assert json.loads(row["rule_changes"]) == source["set"]
        assert (row["players"], row["seeds"]) == (str(source["players"]), "7")
        assert source["seeds"] == [7]


def test_what_is_too_close_to_call_is_marked(run):
    """Each line is marked as the margins of its hand have it, and the mark is explained once."""
    hands = "\n".join(ROWS.texts(0, 40_000)[::500])
    for asked in ((), ("--bid", "3")):
        _, page, _ = run("-", *asked, text=hands)
        rows = csv.DictReader(io.StringIO(run("-", *asked, "--format", "csv", text=hands).out))
        close = {}
        for row in rows:
            is_close = abs(float(row["margin"])) <= float(row["margin_half_width"])
            if asked or not row["limit"] or row["bid"] == row["limit"]:
                close[row["line"]] = close.get(row["line"], False) or is_close
        marks = ["≈" in line for line in page.splitlines()[1:81]]
        assert marks == list(close.values())
        assert {True, False} == set(marks)
        said = " ".join(page.splitlines()[81:])
        assert said.count("≈ Too close to zero to call: a margin is within its half-width.") == 1


def test_one_bid(run):
    _, out, _ = run("-", "--bid", "4", "--format", "csv", text=HANDS)
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["bid"] for row in rows] == ["4"] * 3
    _, page, _ = run("-", "--bid", "4", text=HANDS)
    assert [line.split()[6] for line in page.splitlines()[1:4]] == ["4"] * 3
    _, lines, _ = run("-", "--bid", "4", "--json", text=HANDS)
    for row, line in zip(rows, lines.splitlines(), strict=True):
        assert list(json.loads(line)["bids"]) == ["4"]
        assert json.loads(line)["bids"]["4"]["margin"] == float(row["margin"])


def test_a_bid_in_any_case(run):
    shown = run("-", "--bid", "SMUDGE", text=HANDS)
    assert shown.status == 0
    assert shown == run("-", "--bid", "smudge", text=HANDS)


def test_no_name_is_no_table(pitchsim):
    status, out, err = pitchsim("lookup", "-", "--table", "", text=HANDS)
    assert (status, out) == (2, "")
    assert err == "error: '' is no table: expected the name of a file\n"


def test_a_bid_that_there_is_not(run):
    status, out, err = run("-", "--bid", "7", text=HANDS)
    assert (status, out) == (2, "")
    assert err == "error: bid '7' is not in the table: expected 2, 3, 4 or smudge\n"


def test_markdown_is_one_table(run):
    _, out, _ = run("-", "--format", "markdown", text=HANDS)
    lines = out.splitlines()
    assert lines[0] == "| Hand | Bid | Made | 95 % | Margin | Trump | Lead |"
    assert lines[1] == "| --- | --- | ---: | --- | ---: | --- | --- |"
    assert [line[:20] for line in lines[2:5]] == [f"| {hand} " for hand in HANDS.splitlines()]


def test_any_notation_and_jokers(run):
    text = "AJT5.K.2.\r\nasjs10s5skh2d\nA♠ J♠ 10♠ 5♠ K♥ 2♦"
    _, out, _ = run("-", "--json", text=text)
    assert len(set(out.splitlines())) == 1
    status, out, _ = run("-", table="ten", text="HJ LJ AS KS JC 2D\n")
    assert status == 0
    assert out.splitlines()[1].startswith("AS KS 2D JC HJ LJ")


def test_a_file_is_read(run, tmp_path):
    place = tmp_path / "hands.txt"
    place.write_text(HANDS, encoding="utf-8")
    assert run(place) == run("-", text=HANDS)


BAD = f"{HANDS}AS JS TS\n2S AD 4D 3D JC 7C\nAS AS TS 5S KH 2D\n"
ERRORS = [
    "error: line 4: 'AS JS TS' is 3 cards: expected 6",
    "error: line 6: AS is twice in 'AS AS TS 5S KH 2D': expected different cards",
]


def test_the_first_bad_line_ends_it(run):
    status, out, err = run("-", "--json", text=BAD)
    assert (status, err) == (2, f"{ERRORS[0]}\n")
    assert len(out.splitlines()) == 3


def test_it_keeps_going_if_asked(run):
    status, out, err = run("-", "--json", "--keep-going", text=BAD)
    assert (status, err.splitlines()) == (2, ERRORS)
    assert len(out.splitlines()) == 4


def test_an_output_file_is_whole_or_not_there(run, tmp_path):
    place = tmp_path / "out.csv"
    assert run("-", "--format", "csv", "--output", place, text=BAD).status == 2
    assert not place.exists()
    going = run("-", "--format", "csv", "--output", place, "--keep-going", text=BAD)
    assert (going.status, going.out) == (2, "")
    shown = run("-", "--format", "csv", "--keep-going", text=BAD)
    assert place.read_text(encoding="utf-8") == shown.out


def test_nothing_that_is_read_is_overwritten(pitchsim, tables, tmp_path):
    table, hands, link = tmp_path / "t.parquet", tmp_path / "hands.txt", tmp_path / "link"
    content = (tables / "holding.parquet").read_bytes()
    table.write_bytes(content)
    hands.write_text(HANDS, encoding="utf-8")
    link.symlink_to(table)
    for arguments in [
        ("lookup", hands, "--table", table, "-o", hands),
        ("lookup", hands, "--table", table, "-o", link),
        ("hand", "AS JS TS 5S KH 2D", "--table", table, "-o", table),
        ("table", "show", link, "-o", table),
    ]:
        status, out, err = pitchsim(*arguments)
        assert (status, out) == (2, "")
        assert err.startswith(f"error: cannot write '{arguments[-1]}': it is '")
        assert err.endswith("which is read; expected another file\n")
    assert table.read_bytes() == content
    assert hands.read_text(encoding="utf-8") == HANDS


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"AS JS \xff\n", "line 1: byte 7 (0xff) is not UTF-8 text: expected a hand; found"),
        (b"\n# only this\n", "standard input holds no hand: expected one a line"),
        (b"", "standard input holds no hand"),
        (b"A" * 10_001, "line 1: longer than 10,000 bytes: expected one hand a line"),
        (b"AS JS TS 5S KH HJ\n", "line 1: HJ is not in the deck, which has no joker"),
        (b"AS JS TS 5S KH ZZ\n", "line 1: 'ZZ' in 'AS JS TS 5S KH ZZ' is not a card"),
    ],
)
def test_what_is_no_hand(run, text, said):
    status, out, err = run("-", text=text)
    assert (status, out) == (2, "")
    assert err.startswith(f"error: {said}")
    assert len(err.splitlines()) == 1


def test_files_that_cannot_be_read(run, pitchsim, tmp_path):
    status, _, err = run("none.txt")
    assert (status, err) == (2, "error: 'none.txt' cannot be read: No such file or directory\n")
    status, _, err = pitchsim("lookup", "-", "--table", "none.parquet", text=HANDS)
    assert (status, err) == (
        1,
        "error: cannot use the table 'none.parquet': No such file or directory\n",
    )


HAND = "AS JS TS 5S KH 2D"


@pytest.fixture
def hand_in(pitchsim, tables):
    def look_up(*arguments, table="holding", cards=HAND):
        return pitchsim("hand", cards, "--table", tables / f"{table}.parquet", *arguments)

    return look_up


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("--deals", "10"),
            "--deals is of no use with --table, out of which nothing is played: expected only "
            "--rules, --set, --players, --partners, --play, --worlds, --bid, --trump, --lead, "
            "--table, --leads, --format, --json and --output",
        ),
        (("--rules", "ten-point"), "the table '{}' is of partners rules, and ten-point was asked"),
        (
            ("--set", "min_bid=1"),
            "the table '{}' is of another game: min_bid is 2 there, and 1 was",
        ),
        (("--bid", "9"), "bid '9' is not in the table: expected 2, 3, 4 or smudge"),
        (("--lead", "3C"), f"the table says nothing of lead 3C with {HAND}: expected a trump"),
    ],
)
def test_what_a_table_does_not_answer(hand_in, tables, arguments, said):
    status, out, err = hand_in(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith(f"error: {said.format(tables / 'holding.parquet')}")


def test_one_bid_trump_and_lead_of_a_hand(hand_in):
    every = json.loads(hand_in("--json", "--leads").out)
    _, out, _ = hand_in("--bid", "SMUDGE", "--trump", "s", "--lead", "AS", "--json")
    found = json.loads(out)
    assert list(found["bids"]) == ["smudge"]
    ((option,), (same,)) = (
        found["options"],
        [option for option in every["options"] if (option["trump"], option["lead"]) == ("S", "AS")],
    )
    assert option["margin"]["smudge"] == same["margin"]["smudge"]
    assert "With only AS led tried, " in hand_in("--lead", "AS").out
    assert "tried" not in hand_in().out


def test_the_command_that_plays_the_same_again(hand_in):
    out = hand_in("--trump", IN_BLOCK[1][1], "--bid", "3", table="hand", cards=IN_BLOCK[1]).out
    command = shlex.split(out.splitlines()[-1])
    study = ROWS.study(500, study_of("hand").seating, "basic", None, 7)
    assert command[2].split() == list(sort_hand(study.known.cards_of(0)))
    at = command.index("--trump")
    assert command[at + 1] in {option.trump for option in study.options}
    assert command[-6:] == ["--bid", "3", "--seed", str(study.seed), "--deals", "400"]


def test_a_hand_that_a_part_of_a_table_lacks(run):
    status, out, err = run("-", table="hand", text=HANDS)
    assert (status, out) == (1, "")
    assert "is not in it" in err


def command(*arguments):
    words = [sys.executable, "-c", "from pitchsim_cli.app import main; main()", *arguments]
    return [str(word) for word in words]


def test_hands_are_answered_as_they_come(tables, tmp_path):
    process = subprocess.Popen(
        command("lookup", "-", "--table", tables / "holding.parquet", "--json"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=tmp_path,
    )
    with process:
        for line in HANDS.splitlines():
            process.stdin.write(f"{line}\n".encode())
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["hand"]  # or it would wait for ever
        process.stdin.close()
        assert process.stdout.read() == b""
    assert process.returncode == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("lookup", "-"),
        ("lookup", "-", "--format", "csv"),
        ("lookup", "-", "--json"),
        ("hand", "AS JS TS 5S KH 2D"),
        ("hand", "AS JS TS 5S KH 2D", "--json"),
    ],
)
def test_a_look_up_loads_nothing_heavy(tables, tmp_path, arguments):
    """Neither the engine nor what takes as long to load as all the rest together."""
    words = ["pitchsim", *arguments, "--table", str(tables / "holding.parquet")]
    program = (
        "import contextlib, sys\n"
        "from pitchsim_cli.app import main\n"
        f"sys.argv = {words!r}\n"
        "with contextlib.suppress(SystemExit): main()\n"
        f"print(sorted(sys.modules.keys() & set({ENGINE!r})), file=sys.stderr)\n"
    )
    finished = subprocess.run(
        [sys.executable, "-c", program],
        input=HANDS,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"XDG_CONFIG_HOME": str(tmp_path)},
        check=True,
    )
    assert "AS JS TS 5S KH 2D" in finished.stdout
    assert finished.stderr == "[]\n"
