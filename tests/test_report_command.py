"""`pitchsim report`: from a specification to the files, and how it ends otherwise."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pandas as pd
import pytest
from pitchsim_reports.report import gathering

from pitchsim.matches import matching

SPEC = """
title = "Our <table>"
seed = 3

[[rules]]
name = "partners"

[[rules]]
name = "solo"
players = 3
"""
HANDS = "[hands]\nrandom = 8\ndeals = 40\n"
MATCH = "[match]\nstrategies = ['point-count', 'random']\nhands = 60\nshow = 1\n"


def files_in(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith(".")
    }


@pytest.fixture
def write(tmp_path):
    """Write a specification."""

    def writing(text):
        (tmp_path / "spec.toml").write_text(text, encoding="utf-8")

    return writing


def test_a_report_and_the_same_again(pitchsim, write, tmp_path):
    write(SPEC + HANDS + MATCH)
    done = pitchsim("report", "spec.toml", "--output", "one")
    assert done.status == 0, done.err
    assert done.out == ""
    assert "one/report.html" in done.err
    made = files_in(tmp_path / "one")
    assert {"report.html", "report.md", "data/worth.parquet", "data/matches.csv"} <= set(made)
    assert b"pitchsim report spec.toml --output report" in made["report.html"]
    assert b"Our &lt;table&gt;" in made["report.html"]
    assert json.loads(made["data/batch.json"])["study"] in made["report.html"].decode()
    worth = pd.read_parquet(tmp_path / "one" / "data" / "worth.parquet")
    assert sorted(worth["rules"].unique()) == ["partners", "solo, 3 players alone"]

    assert pitchsim("report", "spec.toml", "--output", "two").status == 0
    assert files_in(tmp_path / "two") == made
    assert pitchsim("report", "spec.toml", "--output", "one", "--threads", "1").status == 0
    assert files_in(tmp_path / "one") == made


def test_hands_of_a_file_and_lines_that_hold_none(pitchsim, write, tmp_path):
    (tmp_path / "hands.txt").write_text("AS JS TS 5S KH 2D\nAS AS\nQS 4S AH 7D 6C 2C\n")
    write(SPEC + "[hands]\nfile = 'hands.txt'\ndeals = 40\n")
    assert pitchsim("report", "spec.toml", "--output", "out").status == 0
    text = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert "the 2 hands of hands.txt" in text
    assert "1 line holds no hand" in text
    assert (tmp_path / "out" / "data" / "bad-lines.csv").exists()
    assert not (tmp_path / "out" / "data" / "matches.csv").exists()


def test_whole_games_of_strategies_alone(pitchsim, write, tmp_path):
    write(SPEC + MATCH.replace("hands = 60", "games = 20"))
    assert pitchsim("report", "spec.toml", "--output", "out").status == 0
    text = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert "20 games" in text
    assert re.search(r"wins (more games: )?\d", text)
    assert "Deal 1, partners rules" in text
    assert "point-count bids" in text or "random bids" in text
    assert not re.search(r"makes a (bid|smudge)", text)
    assert re.search(r"^#### .* in seats 0 and 2, .* in seat 1$", text, re.MULTILINE)
    assert not (tmp_path / "out" / "data" / "worth.csv").exists()


def test_a_single_deal_is_said_to_tell_nothing(pitchsim, write, tmp_path):
    write(SPEC + MATCH.replace("hands = 60", "hands = 2"))
    assert pitchsim("report", "spec.toml", "--output", "out").status == 0
    text = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert "too close to call" in text
    assert "inf" not in text
    assert not (tmp_path / "out" / "figures" / "convergence-1.png").exists()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (SPEC + HANDS + "[mtach]\n", "did you mean 'match'?"),
        (SPEC + "[hands]\nfile = 'empty.txt'\n", "holds no hand"),
        (SPEC + "[hands]\nfile = 'bad.txt'\n", "is a hand"),
        (SPEC + HANDS + MATCH.replace("'random'", "'other.toml'"), "no-table.parquet"),
    ],
)
def test_what_cannot_be_is_said_before_any_work(pitchsim, write, tmp_path, text, told):
    (tmp_path / "empty.txt").write_text("# nothing\n")
    (tmp_path / "bad.txt").write_text("AS KS\n")
    (tmp_path / "no-table.parquet").write_text("no table")
    (tmp_path / "other.toml").write_text(
        "[bidding]\nrule = 'threshold'\nchance = 0.6\ntable = 'no-table.parquet'\n"
    )
    write(text)
    done = pitchsim("report", "spec.toml", "--output", "out")
    assert done.status in (1, 2)
    error = done.err.splitlines()[-1]
    assert error.startswith("error: ")
    assert told in error
    assert "evaluating hands" not in done.err
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_written_to(pitchsim, write, tmp_path):
    write(SPEC + HANDS)
    (tmp_path / "out").write_text("")
    done = pitchsim("report", "spec.toml", "--output", "out")
    assert done.status == 2
    assert "expected a folder" in done.err


def test_hands_that_are_read_are_not_overwritten(pitchsim, write, tmp_path):
    write(SPEC + HANDS)
    assert pitchsim("report", "spec.toml", "--output", "out").status == 0
    before = (tmp_path / "out" / "data" / "worth.csv").read_bytes()
    write(SPEC + "[hands]\nfile = 'out/data/worth.csv'\n")
    done = pitchsim("report", "spec.toml", "--output", "out")
    assert done.status == 2
    assert "which is read" in done.err
    assert (tmp_path / "out" / "data" / "worth.csv").read_bytes() == before


def test_a_folder_of_another_batch_is_refused_before_strategies_are_seated(
    pitchsim, write, tmp_path
):
    write(SPEC + HANDS)
    assert pitchsim("report", "spec.toml", "--output", "out").status == 0
    before = files_in(tmp_path / "out")
    write(SPEC.replace("seed = 3", "seed = 4") + HANDS + MATCH)
    done = pitchsim("report", "spec.toml", "--output", "out")
    assert done.status == 2
    assert "is of another batch" in done.err
    assert "seating" not in done.err
    assert files_in(tmp_path / "out") == before


def test_what_is_damaged_is_told_once(pitchsim, write, tmp_path):
    write(SPEC + HANDS)
    parts = tmp_path / "out" / "data" / "parts"
    parts.mkdir(parents=True)
    (parts / "notes.txt").write_text("mine")
    done = pitchsim("report", "spec.toml", "--output", "out")
    assert done.status == 0
    assert done.err.count("is no part of a batch") == 1


def test_a_file_that_is_no_report_is_refused_before_any_work(pitchsim, write, tmp_path):
    write(SPEC + HANDS + MATCH)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "report.html").write_text("<p>The annual report")
    done = pitchsim("report", "spec.toml", "--output", "out")
    assert done.status == 2
    assert "report.html': there is a file that is no report of pitchsim; expected" in done.err
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["report.html"]


def test_a_report_takes_the_place_of_a_larger_one(pitchsim, write, tmp_path):
    out = tmp_path / "out"
    write(SPEC + HANDS + MATCH)
    assert pitchsim("report", "spec.toml", "--output", "out").status == 0
    write(SPEC + HANDS)
    assert pitchsim("report", "spec.toml", "--output", "out").status == 0
    assert pitchsim("report", "spec.toml", "--output", "fresh").status == 0
    assert files_in(out) == files_in(tmp_path / "fresh")

    before = files_in(out)
    write(SPEC + MATCH)
    refused = pitchsim("report", "spec.toml", "--output", "out")
    assert (refused.status, refused.out) == (2, "")
    assert "it holds hands that were evaluated, and the specification asks for none" in refused.err
    assert files_in(out) == before


@pytest.mark.parametrize("arguments", [[], ["spec.toml"], ["--output", "out"]])
def test_what_is_missing_is_said(pitchsim, write, arguments):
    write(SPEC + HANDS)
    done = pitchsim("report", *arguments)
    assert done.status == 2
    assert "is missing: expected pitchsim report SPEC.toml --output DIR" in done.err


def test_the_example_can_be_reported_on(pitchsim, tmp_path):
    text = pitchsim("report", "--example").out
    small = text.replace("random = 200", "random = 6").replace("deals = 2000", "deals = 20")
    (tmp_path / "spec.toml").write_text(
        small.replace('"cautious", "standard", "bold"', '"point-count", "random", "always-pass"')
    )
    assert small != text
    assert pitchsim("report", "spec.toml", "--output", "out").status == 0


def test_the_example_is_printed_or_written_whole(pitchsim, tmp_path):
    shown = pitchsim("report", "--example")
    assert pitchsim("report", "--example", "--output", "mine.toml") == (0, "", "")
    assert (tmp_path / "mine.toml").read_text(encoding="utf-8") == shown.out
    done = pitchsim("report", "--example", "--output", "nowhere/mine.toml")
    assert done.status == 2
    assert "cannot write" in done.err


def test_the_example_reads_no_specification(pitchsim, write):
    write(SPEC + HANDS)
    done = pitchsim("report", "--example", "spec.toml")
    assert (done.status, done.out) == (2, "")
    assert "--example writes a specification and reads none: found 'spec.toml'" in done.err


def test_defaults_of_ones_own_are_for_reports_only(pitchsim, write, monkeypatch, tmp_path):
    monkeypatch.setenv("PITCHSIM_EXAMPLE", "1")
    monkeypatch.setenv("PITCHSIM_REPORT_OUTPUT", "out")
    write(SPEC + MATCH.replace("hands = 60", "hands = 2"))
    done = pitchsim("report", "spec.toml")
    assert (done.status, done.out) == (0, "")
    assert (tmp_path / "out" / "report.html").exists()
    assert pitchsim("report", "--example").out.startswith("#")


def test_an_interruption_writes_no_report(pitchsim, write, tmp_path, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(gathering, "_played", interrupted)
    write(SPEC + HANDS + MATCH)
    done = pitchsim("report", "spec.toml", "--output", "out")
    assert done.status == 130
    assert "the same command goes on" in done.err
    assert (tmp_path / "out" / "data" / "worth.parquet").exists()
    assert not (tmp_path / "out" / "report.html").exists()
    monkeypatch.undo()


@pytest.mark.parametrize("text", [SPEC + MATCH, SPEC + HANDS + MATCH])
def test_an_interruption_with_nothing_kept_says_so(pitchsim, write, text, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(gathering, "_plans", interrupted)
    write(text)
    done = pitchsim("report", "spec.toml", "--output", "out")
    assert done.status == 130
    assert "interrupted, with nothing kept" in done.err
    assert "goes on" not in done.err


def test_a_match_that_was_interrupted_is_not_reported_on(pitchsim, write, tmp_path, monkeypatch):
    def interrupted(plan, **_):
        return replace(play_matches(plan), interrupted=True)

    play_matches = matching.play_matches
    monkeypatch.setattr(matching, "play_matches", interrupted)
    write(SPEC + MATCH)
    assert pitchsim("report", "spec.toml", "--output", "out").status == 130
    assert not (tmp_path / "out").exists()


def test_control_c_ends_it_in_good_order(warm, write, tmp_path):
    write(SPEC + HANDS.replace("random = 8", "random = 2000").replace("deals = 40", "deals = 9000"))
    command = "from pitchsim_cli.app import main; main()"
    running = subprocess.Popen(
        [sys.executable, "-c", command, "report", "spec.toml", "--output", "out"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"XDG_CONFIG_HOME": str(tmp_path)},
    )
    for line in running.stderr:
        if "evaluating" in line:
            break
    time.sleep(0.5)
    running.send_signal(signal.SIGINT)
    _, told = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "the same command goes on" in told
    assert "Traceback" not in told
    assert not (tmp_path / "out" / "report.html").exists()
