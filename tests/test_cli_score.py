import csv
import io
import json
from functools import partial

import pytest
from recordmaking import vectors

ILLEGAL = {vector["kind"]: vector for vector in vectors("records-illegal")}
MADE = vectors("records")[0]
THROWN_IN = next(
    vector for vector in vectors("records") if set(vector["record"]["bids"]) == {"pass"}
)
WON = next(vector for vector in vectors("records") if vector["expect"]["winner"] is not None)


def lines(*chosen):
    return "".join(json.dumps(vector["record"]) + "\n" for vector in chosen)


@pytest.fixture
def run(pitchsim):
    return partial(pitchsim, "score")


def test_json_is_one_object_a_line(run):
    status, out, err = run("-", "--json", text=lines(MADE, THROWN_IN))
    assert (status, err) == (0, "")
    first, second = map(json.loads, out.splitlines())
    assert {key: first[key] for key in MADE["expect"]} == MADE["expect"]
    assert second["pitcher"] is second["bid"] is second["made"] is None
    assert list(first) == [
        "pitcher",
        "bid",
        "trump",
        "tricks",
        "points",
        "card_points",
        "side_points",
        "tricks_won",
        "made",
        "change",
        "scores",
        "winner",
    ]


def test_records_are_read_from_a_file(run, tmp_path):
    path = tmp_path / "hands.jsonl"
    path.write_text(lines(MADE), encoding="utf-8")
    assert run(path, "--format", "json") == run("-", "--json", text=lines(MADE))


def test_the_table_shows_the_hand_at_a_glance(run):
    status, out, err = run("-", text=lines(MADE))
    assert (status, err) == (0, "")
    assert out == TABLE
    assert max(map(len, out.splitlines())) <= 80


TABLE = """\
Line 1: setback, 5 players each alone, dealer seat 3

Seat 1 pitches for 3, diamonds are trump.
Made: 3 points for the bid of 3, scoring 3.

Tricks (> led, * won)
Trick  Seat 0  Seat 1  Seat 2  Seat 3  Seat 4
    1   6D     >2D      4D      7D*     5D
    2   QS      JD*     9D     >TD      3H
    3   TC     >QD      KD*     3D      JH
    4   AH*     5C     >5H      7H      4S
    5  >5S      8S*     QH      6S      3C
    6   9H     >JS*     6C      9S      9C

Point  Worth  By                    Scored by
High       1  KD                    seat 2
Low        1  2D                    seat 1
Jack       1  JD                    seat 1
Game       1  16 card points, tied  seat 1

Side    Tricks  Card points  Points  Change  Score (of 11)
seat 0       1            4       0       0  4 -> 4
seat 1       3           16       3      +3  -5 -> -2
seat 2       1           16       1      +1  -3 -> -2
seat 3       1            0       0       0  -2 -> -2
seat 4       0            0       0       0  7 -> 7
"""


def test_the_widest_table_fits_eighty_columns(run):
    seven = [vector for vector in vectors("records") if vector["record"]["players"] == 7]
    _, out, _ = run("-", text=lines(*seven))
    assert max(map(len, out.splitlines())) <= 80


def test_a_game_that_is_won_and_a_hand_that_is_thrown_in_are_said(run):
    _, out, _ = run("-", text=lines(WON, THROWN_IN))
    assert "has won the game." in out
    assert "Everybody passed: the hand is thrown in, and the scores stay." in out


def test_countdown_shows_what_is_left_to_go(run):
    counted = {"record": MADE["record"] | {"set": {"countdown": True, "target": 21}}}
    _, out, _ = run("-", text=lines(counted))
    assert "Score (down from 21)" in out
    assert "26 -> 23" in out
    _, out, _ = run("-", "--json", text=lines(counted))
    assert json.loads(out)["scores"] == MADE["expect"]["scores"]


def test_csv_has_a_line_for_each_side(run):
    _, out, _ = run("-", "--format", "csv", text=lines(MADE, THROWN_IN))
    rows = list(csv.DictReader(io.StringIO(out)))
    assert len(rows) == 5 + len(THROWN_IN["record"]["scores"])
    assert rows[1] == {
        "line": "1",
        "rules": "setback",
        "pitcher": "1",
        "bid": "3",
        "trump": "D",
        "made": "true",
        "side": "1",
        "seats": "1",
        "pitched": "true",
        "points": "3",
        "taken": "low jack game",
        "card_points": "16",
        "tricks": "3",
        "change": "3",
        "score": "-2",
        "won": "false",
    }
    assert rows[-1]["made"] == rows[-1]["bid"] == ""


def test_markdown_has_a_heading_and_three_tables_a_hand(run):
    _, out, _ = run("-", "--format", "markdown", text=lines(MADE, MADE))
    assert out.count("## Line ") == 2
    assert out.count("\n| ---") == 6
    assert r"| 1 | 6D | \>2D | 4D | 7D\* | 5D |" in out


@pytest.mark.parametrize("kind", sorted(ILLEGAL))
def test_an_illegal_record_ends_the_run_after_those_before_it(run, kind):
    vector = ILLEGAL[kind]
    status, out, err = run("-", "--json", text=lines(MADE, vector, MADE))
    assert status == 1
    assert len(out.splitlines()) == 1
    assert err.startswith("error: line 2: ")
    assert err.count("\n") == 1
    where = vector["where"]
    for place in ("play", "bid"):
        assert place not in where or f"{place}s[{where[place]}]" in err
    assert all(card in err for card in where.get("legal", [where.get("card", "")]))


def test_keep_going_scores_the_rest_too(run):
    status, out, err = run(
        "-", "--json", "--keep-going", text=lines(ILLEGAL["revoke"], MADE, ILLEGAL["twice"], MADE)
    )
    assert status == 1
    assert len(out.splitlines()) == 2
    assert [line[:14] for line in err.splitlines()] == ["error: line 1:", "error: line 3:"]


def test_a_record_that_cannot_be_read_is_status_2(run):
    status, out, err = run("-", "--json", text=lines(MADE) + lines(MADE)[:300])
    assert (status, len(out.splitlines())) == (2, 1)
    assert "line 2: the record breaks off" in err
    text = lines(ILLEGAL["revoke"]) + "{}\n" + lines(MADE)
    status, out, _ = run("-", "--json", "-k", text=text)
    assert (status, len(out.splitlines())) == (2, 1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "standard input is empty"),
        (b"\xff\xfe", "line 1: byte 1 (0xff) is not UTF-8"),
        ("hello", "line 1: not JSON"),
        ('{"rules": "\\ud800"}', "line 1: rules: "),
    ],
)
def test_input_that_is_no_record(run, text, said):
    status, out, err = run("-", text=text)
    assert (status, out) == (2, "")
    assert said in err


def test_files_that_cannot_be_read(run, tmp_path):
    for path in (tmp_path, tmp_path / "missing.jsonl"):
        status, out, err = run(path)
        assert (status, out) == (2, "")
        assert "cannot be read" in err


def test_output_goes_to_a_file_whole(run, tmp_path):
    path = tmp_path / "scored.jsonl"
    status, out, err = run("-", "--json", "--output", path, text=lines(MADE, THROWN_IN))
    assert (status, out, err) == (0, "", "")
    assert len(path.read_text(encoding="utf-8").splitlines()) == 2


def test_output_holds_the_records_before_an_illegal_one(run, tmp_path):
    path = tmp_path / "scored.jsonl"
    status, out, _ = run("-", "--json", "-o", path, text=lines(MADE, ILLEGAL["short"], MADE))
    assert (status, out) == (1, "")
    assert len(path.read_text(encoding="utf-8").splitlines()) == 1


def test_output_is_left_alone_where_nothing_was_scored(run, tmp_path):
    path = tmp_path / "scored.jsonl"
    path.write_text("before\n", encoding="utf-8")
    assert run("-", "--output", path, text=lines(ILLEGAL["short"]))[0] == 1
    assert path.read_text(encoding="utf-8") == "before\n"
    assert run("-", "--output", tmp_path, text=lines(MADE))[0] == 2


def test_a_format_that_is_unknown(run):
    status, out, err = run("-", "--format", "xml", text=lines(MADE))
    assert (status, out) == (2, "")
    assert "xml" in err
