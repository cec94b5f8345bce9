import csv
import dataclasses
import io
import json
from functools import partial

import pytest
from pitchsim_cli.layout import for_terminal
from pitchsim_cli.solutiontext import solution_parts
from recordmaking import vectors

from pitchsim.records import record_from_json
from pitchsim.solving import Solution, solve

ENDINGS = vectors("solve-endings")
ILLEGAL = {vector["kind"]: vector for vector in vectors("records-illegal")}
WHOLE = vectors("records")[0]
THROWN_IN = next(
    vector for vector in vectors("records") if set(vector["record"]["bids"]) == {"pass"}
)
BID_OF_2 = ENDINGS[36]
TOP_TRUMPS = {
    "rules": "partners",
    "players": 4,
    "partners": True,
    "dealer": 3,
    "hands": [
        "AS KS QS JS TS 9S",
        "8H 7H 6H 5H 4H 2S",
        "9C 8C 7C 6C 5C 3H",
        "QD 9D 8D 7D 6D 5D",
    ],
    "pitcher": 0,
    "bid": "4",
    "plays": ["AS", "2S", "5C", "5D", "KS", "4H", "6C", "6D", "QS", "5H", "7C", "7D"],
}


def lines(*records):
    return "".join(json.dumps(record) + "\n" for record in records)


def records(*vectors_):
    return lines(*(vector["record"] for vector in vectors_))


@pytest.fixture
def run(pitchsim):
    return partial(pitchsim, "solve")


def test_json_is_one_object_a_line(run):
    status, out, err = run("-", "--json", text=records(*ENDINGS[:20]))
    assert (status, err) == (0, "")
    for line, vector in zip(out.splitlines(), ENDINGS[:20], strict=True):
        solution = json.loads(line)
        assert list(solution) == ["to_move", "trump", "values", "smudge", "nodes"]
        assert solution["values"] == vector["expect"]


def test_records_are_read_from_a_file(run, tmp_path):
    path = tmp_path / "hands.jsonl"
    path.write_text(records(*ENDINGS[:3]), encoding="utf-8")
    assert run(path, "--format", "json") == run("-", "--json", text=records(*ENDINGS[:3]))


def test_the_table_answers_at_a_glance(run):
    status, out, err = run("-", text=records(BID_OF_2))
    assert (status, err) == (0, "")
    assert out == TABLE


TABLE = """\
Line 1: setback, 5 players each alone, dealer seat 0

Seat 0 pitches for 2, spades are trump.
Seat 0 is to move, for the pitcher's side.

With best play the bid of 2 is made: 2 points.

What each card comes to, best first
Card  Points  Bid of 2
AC         2  made
4C         1  set

Trick 5 (* to move, > led)
Seat     Trick  Holds
seat 0*         AC 4C
seat 1          2D QC
seat 2          KD 7C
seat 3          8C 6C
seat 4          QH TC

Already taken (Game is settled at the end)
Side    Tricks  Card points  Points  Taken
seat 0       1            4       1  Low
seat 1       1            7       2  High, Jack
seat 2       0            0       0
seat 3       1            0       0
seat 4       1            3       0

Double dummy: everybody sees all cards. Points are those that the pitcher's side
ends with, what it has taken included, when it takes all it can and everybody
else plays against it. All others are one side against the pitcher; Game still
goes by each player.
"""


def test_a_smudge_is_shown_beside_another_bid_and_in_its_place(run):
    _, out, _ = run("-", text=lines(TOP_TRUMPS))
    assert "With best play the bid of 4 is made: 4 points." in out
    assert ["JS", "4", "made", "made"] in [line.split() for line in out.splitlines()]
    _, out, _ = run("-", text=lines(TOP_TRUMPS | {"bid": "smudge"}))
    assert "With best play the smudge is made: 4 points." in out
    assert ["JS", "4", "made"] in [line.split() for line in out.splitlines()]
    _, out, _ = run("-", "--json", text=lines(TOP_TRUMPS))
    assert json.loads(out)["smudge"] == {"JS": True, "TS": True, "9S": True}


def test_every_answer_fits_eighty_columns(run):
    status, out, _ = run("-", text=records(*ENDINGS))
    assert status == 0
    assert out.count("Double dummy: everybody sees all cards.") == len(ENDINGS)
    assert max(map(len, out.splitlines())) <= 80


def text_of(solution):
    return for_terminal(solution_parts("Line 1", solution))


def before_the_first_lead(rules="ten-point"):
    record = record_from_json(TOP_TRUMPS | {"rules": rules, "plays": []})
    return Solution(
        record=record,
        pitcher=0,
        bid="4",
        to_move=0,
        trump=None,
        values={"AS": 5, "9S": 3},
        smudge={"AS": True, "9S": False},
        nodes=99,
        limit=1000,
    )


def test_before_the_first_lead_there_is_no_trump_and_nothing_taken():
    text = text_of(before_the_first_lead())
    assert "Seat 0 pitches for 4, the first lead makes trump." in text
    assert "The first card led makes its own suit trump." in text
    assert "Already taken" not in text
    assert "joker" not in text
    with_joker = dataclasses.replace(before_the_first_lead(), values={"HJ": 5}, smudge={"HJ": True})
    assert "A joker led goes with the suit that is best" in " ".join(text_of(with_joker).split())


def test_what_is_not_solved_is_said():
    partly = dataclasses.replace(
        before_the_first_lead(),
        values={"9S": None, "AS": 3},
        smudge={"9S": None, "AS": False},
        limit=5000,
    )
    assert partly.ranking == ["AS", "9S"]
    assert partly.points is partly.made is None
    text = text_of(partly)
    assert "Not solved within 5,000 positions" in text
    assert ["9S", "not", "solved", "not", "solved", "not", "solved"] in [
        line.split() for line in text.splitlines()
    ]


def test_one_card_that_decides_is_enough():
    made = dataclasses.replace(
        before_the_first_lead(), values={"9S": None, "AS": 4}, smudge={"9S": None, "AS": False}
    )
    assert made.made is True
    assert dataclasses.replace(made, to_move=1).made is None
    assert dataclasses.replace(made, to_move=1, values={"9S": None, "AS": 3}).made is False


def test_the_side_to_move_decides_which_card_is_best():
    solution = before_the_first_lead()
    assert (solution.ranking, solution.points, solution.made) == (["AS", "9S"], 5, True)
    against = dataclasses.replace(solution, to_move=3)
    assert (against.ranking, against.points, against.made) == (["9S", "AS"], 3, False)


def test_csv_has_a_line_for_each_card_best_first(run):
    _, out, _ = run("-", "--format", "csv", text=records(BID_OF_2, ENDINGS[0]))
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["line"] for row in rows] == ["1", "1", "2", "2", "2"]
    assert [(row["card"], row["points"], row["makes_bid"]) for row in rows[:2]] == [
        ("AC", "2", "true"),
        ("4C", "1", "false"),
    ]
    assert rows[0]["smudge"] == ""
    assert rows[0]["rules"] == "setback"


def test_markdown_has_a_heading_and_three_tables_a_hand(run):
    _, out, _ = run("-", "--format", "markdown", text=records(BID_OF_2, BID_OF_2))
    assert out.count("## Line ") == 2
    assert out.count("\n| ---") == 6


@pytest.mark.parametrize("kind", sorted(set(ILLEGAL) - {"short"}))
def test_an_illegal_record_is_refused_as_by_score(pitchsim, kind):
    text = records(ENDINGS[0], ILLEGAL[kind], ENDINGS[0])
    status, out, err = pitchsim("solve", "-", "--json", text=text)
    assert (status, len(out.splitlines())) == (1, 1)
    assert err.startswith("error: line 2: ")
    _, _, score_err = pitchsim("score", "-", text=records(WHOLE, ILLEGAL[kind]))
    assert err == score_err


NAMED = {"plays": [], "trump": "C", "pitcher": 0}


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (WHOLE["record"], "the hand is over"),
        (THROWN_IN["record"], "the hand is thrown in"),
        (TOP_TRUMPS | NAMED, "trump: seat 0 cannot make C trump"),
        (TOP_TRUMPS | {"hands": TOP_TRUMPS["hands"][:3]}, "hands: found 3, expected 4"),
        (TOP_TRUMPS | {"hands": [*TOP_TRUMPS["hands"][:3], ""]}, "hands[3]: nothing is 0 cards"),
    ],
)
def test_what_cannot_be_solved_is_refused(run, record, said):
    status, out, err = run("-", text=lines(record))
    assert (status, out) == (1, "")
    assert err.startswith("error: line 1: ")
    assert said in err
    assert err.count("\n") == 1


def test_hands_that_are_missing_cannot_be_read(run):
    record = {key: value for key, value in TOP_TRUMPS.items() if key != "hands"}
    status, out, err = run("-", text=lines(record))
    assert (status, out, err) == (2, "", "error: line 1: the key 'hands' is missing\n")


def test_keep_going_solves_the_rest_too(run):
    text = records(WHOLE, ENDINGS[0], ILLEGAL["revoke"], ENDINGS[1])
    status, out, err = run("-", "--json", "--keep-going", text=text)
    assert status == 1
    assert len(out.splitlines()) == 2
    assert [line[:14] for line in err.splitlines()] == ["error: line 1:", "error: line 3:"]


def test_output_goes_to_a_file_whole(run, tmp_path):
    path = tmp_path / "solved.jsonl"
    status, out, err = run("-", "--json", "--output", path, text=records(*ENDINGS[:2]))
    assert (status, out, err) == (0, "", "")
    assert len(path.read_text(encoding="utf-8").splitlines()) == 2


def test_the_library_solves_too():
    record = record_from_json(BID_OF_2["record"])
    solution = solve(record)
    assert solution.values == BID_OF_2["expect"]
    assert solution.to_json()["to_move"] == solution.to_move == solution.pitcher
