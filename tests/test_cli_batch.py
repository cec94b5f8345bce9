import json
import os
import shlex
import signal
import subprocess
import sys
import time

import pandas as pd
import pytest

HANDS = "AS JS TS 5S KH 2D\nTS 9S 6S 5H QD JC\n2S AD 4D 3D JC 7C\n"
MIXED = HANDS + "AS KS QS JS TS HJ\nfoo\n"


@pytest.fixture
def run(pitchsim, tmp_path):
    (tmp_path / "hands.txt").write_text(HANDS, encoding="utf-8")
    (tmp_path / "mixed.txt").write_text(MIXED, encoding="utf-8")

    def batch(*arguments, deals=50, seed=7, output="out", text=""):
        others = ("--deals", deals) if deals else ()
        others += ("--seed", seed) if seed is not None else ()
        return pitchsim("batch", *arguments, *others, "--output", output, text=text)

    return batch


def worth(tmp_path, folder="out"):
    return pd.read_parquet(tmp_path / folder / "worth.parquet")


def test_what_is_said_and_written(run, tmp_path):
    status, out, err = run("hands.txt", "--rules", "partners", "--rules", "solo")
    assert (status, err) == (0, "")
    heading, _, title, headings, *rows = out.splitlines()
    assert heading == "3 hands from 'hands.txt', seed 7"
    assert title == "What the hands are worth"
    assert headings.split() == ["Rules", "Play", "Worth", "Hands", "Share", "Made"]
    frame = worth(tmp_path)
    for rules, bids in (("partners", ["2", "3", "4", "smudge"]), ("solo", list("1234"))):
        own = frame[frame["rules"] == rules]
        assert list(own["bid"]) == bids * 3
        begin = next(place for place, row in enumerate(rows) if row.startswith(rules))
        shown = [row.replace(f"{rules:8}  basic", "").split() for row in rows[begin : begin + 5]]
        for bid, cells in zip(["pass", *bids], shown, strict=True):
            limit = own["limit"].fillna("pass")
            at = own[(own["bid"] == bid) & (limit == bid)] if bid != "pass" else own[limit == bid]
            hands = at["number"].nunique()
            assert cells[:2] == [bid, str(hands)]
            if hands and bid != "pass":
                assert cells[4] == f"{100 * at['make'].mean():.1f}"
    said = " ".join(out.split())
    assert "In out: worth.parquet, worth.csv and batch.json (6 hands evaluated in" in said
    assert max(map(len, out.splitlines()[:-1])) <= 80
    about = json.loads((tmp_path / "out" / "batch.json").read_text())
    assert out.splitlines()[-1] == about["command"]
    assert about["seed"] == 7
    assert about["hands"] == {"source": "'hands.txt'", "count": 3, "distinct": 3, "bad_lines": 0}
    assert [case["rules"] for case in about["cases"]] == ["partners", "solo"]


def test_the_seed_of_a_hand_gives_its_numbers(run, pitchsim, tmp_path):
    run("hands.txt", "--rules", "ten-point", "--players", "5")
    for _, rows in worth(tmp_path).groupby("number"):
        row = rows.iloc[0]
        alone = pitchsim(
            *("hand", row["hand"], "--rules", "ten-point", "--players", 5),
            *("--seed", row["seed"], "--deals", 50, "--json"),
        )
        found = json.loads(alone.out)
        assert list(rows["make"]) == [bid["p"] for bid in found["bids"].values()]
        assert list(rows["margin"]) == [bid["margin"] for bid in found["bids"].values()]
        assert row["limit"] == found["limit"]["bid"] or pd.isna(row["limit"])


def test_the_command_that_is_said_does_the_same(run, pitchsim, tmp_path):
    first = run("--random", 30, "--set", "target=15", "--cutthroat", "--play", "random", seed=None)
    command = first.out.splitlines()[-1]
    again = pitchsim(*shlex.split(command.replace("--output out", "--output again"))[1:])
    assert again.status == 0
    for name in ("worth.parquet", "worth.csv"):
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "again" / name).read_bytes()
    # Without a seed it is that of what is there.
    more = run("--random", 40, "--set", "target=15", "--cutthroat", "--play", "random", seed=None)
    assert more.status == 0
    assert "(10 hands evaluated in" in " ".join(more.out.split())


def test_bad_lines(run, tmp_path):
    status, out, err = run("mixed.txt", "--rules", "partners", "--rules", "ten-point")
    assert (status, err) == (0, "")
    said = " ".join(out.split())
    assert (
        "1 line is no hand; 1 hand may not be held under all of these rules: bad-lines.csv has "
        "the numbers and reasons."
    ) in said
    assert "1 hand has a joker that the deck of partners lacks." in said
    bad = pd.read_csv(tmp_path / "out" / "bad-lines.csv", keep_default_na=False)
    assert list(bad) == ["number", "text", "rules", "reason"]
    assert list(zip(bad["number"], bad["text"], bad["rules"], strict=True)) == [
        (4, "AS KS QS JS TS HJ", "partners"),
        (5, "foo", ""),
    ]
    numbers = worth(tmp_path).groupby("rules")["number"].unique()
    assert list(numbers["partners"]) == [1, 2, 3]
    assert list(numbers["ten-point"]) == [1, 2, 3, 4]
    run("mixed.txt", "--rules", "ten-point", output="ten")
    assert "the numbers" not in run("hands.txt", output="none").out
    assert not (tmp_path / "none" / "bad-lines.csv").exists()


@pytest.mark.parametrize("form", ["text", "csv"])
def test_standard_input(run, tmp_path, form):
    text = HANDS if form == "text" else "hand,x\n" + HANDS.replace("\n", ",1\n")
    assert run("-", text=text).status == 0
    assert worth(tmp_path)["hand"].nunique() == 3


def test_every_play_with_every_rule_set_and_deals_to_suit(run, tmp_path):
    shown = run(
        "hands.txt", *["--rules", "solo", "--play", "double-dummy", "--play", "basic"], deals=None
    )
    assert "200 deals by double-dummy and 1,000 deals by basic." in " ".join(shown.out.split())
    frame = worth(tmp_path)
    assert frame.groupby("play")["deals"].unique().map(list).to_dict() == {
        "basic": [1000],
        "double-dummy": [200],
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["hands.txt", "--rules", "partnres"], "there is no rule set 'partnres'; did you mean"),
        (["hands.txt", "--play", "wild"], "there is no play 'wild'"),
        (["hands.txt", "--rules", "partners", "--players", "5"], "players"),
        (["hands.txt", "--rules", "solo", "--rules", "solo"], "are asked for 2 times"),
        (["hands.txt", "--worlds", "5"], "5 worlds are of use to no play here"),
        (["hands.txt", "--threads", "0"], "threads 0 is not possible"),
        (["hands.txt", "--deals", "0"], "deals 0 is not possible"),
        (["hands.txt", "--seed", "-1"], "seed -1 is not possible"),
        (["hands.txt", "--random", "5"], "expected a file of hands or --random N, and found both"),
        ([], "expected a file of hands or --random N, and found neither"),
        (["--random", "0"], "random 0 is not possible"),
        (["missing.txt"], "'missing.txt' cannot be read: No such file or directory"),
        (["-"], "standard input holds no hand: expected one a line"),
        (["hands.txt", "--output", "hands.txt"], "'hands.txt' is no folder; expected one"),
        (["hands.txt", "--output", "hands.txt/deeper"], "'hands.txt' is no folder; expected one"),
        (["hands.txt", "--output", "-"], "a batch cannot go to standard output ('-'): expected a"),
        (["hands.txt", "--output", "x" * 300], "File name too long"),
    ],
)
def test_what_is_wrong_is_said_before_any_work(run, pitchsim, tmp_path, arguments, message):
    others = [] if "--output" in arguments else ["--output", "out"]
    status, out, err = pitchsim("batch", *arguments, *others)
    assert (status, out) == (2, "")
    assert message in " ".join(err.split())
    assert err.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_another_batch_in_the_folder_is_refused(run, tmp_path):
    run("hands.txt")
    before = worth(tmp_path)
    status, out, err = run("hands.txt", seed=8)
    assert (status, out) == (2, "")
    assert "'out/worth.parquet' is of another batch: seed is 7 there and 8 here" in err
    pd.testing.assert_frame_equal(worth(tmp_path), before)


def test_rules_are_named_with_what_is_changed_in_them(run, tmp_path):
    finished = run("hands.txt", "--set", "low_to=holder")
    assert "low_to holder" in finished.out.split("\n\n")[1]
    assert set(worth(tmp_path)["rules"]) == {"partners, low_to holder"}


def test_results_that_are_read_are_not_overwritten(run, tmp_path):
    run("hands.txt")
    status, _, err = run("out/worth.csv")
    assert status == 2
    assert "cannot write 'out/worth.csv': it is 'out/worth.csv', which is read" in err
    # In another folder the hands of results are hands as any others.
    assert run("out/worth.parquet", output="again").status == 0


def test_ctrl_c_keeps_what_is_done(warm, tmp_path):
    main = [sys.executable, "-c", "from pitchsim_cli.app import main; main()"]
    command = ["batch", "--random", "300", "--deals", "20000", "--seed", "7", "--output", "out"]
    begun = subprocess.Popen([*main, *command], cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    parts = tmp_path / "out" / "parts"
    deadline = time.monotonic() + 60
    while not list(parts.glob("[!.]*.parquet")) and time.monotonic() < deadline:
        time.sleep(0.05)
    os.kill(begun.pid, signal.SIGINT)
    _, err = begun.communicate(timeout=60)
    assert begun.returncode == 130
    assert "what is evaluated is kept. To go on:\npitchsim batch --random 300 --deals 20000" in err
    assert list(parts.glob("*.parquet"))
    assert not list((tmp_path / "out").glob("worth*"))
