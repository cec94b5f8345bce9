import csv
import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time

import pytest
from builttables import build_table, study_of
from pitchsim_cli.matchtext import ahead_by
from pitchsim_cli.progress import LiveShare

from pitchsim.bidding.strategy import strategy_names, strategy_text
from pitchsim.intervals import Z95, Estimate

COUNT = '[bidding]\nrule = "points"\na_point = 1.0\ntrumps = { A = 1, K = 0.8, J = 0.6, 2 = 0.6 }\n'
FILES = {
    "count.toml": f'title = "A small count"\n{COUNT}',
    "more.toml": f'title = "A braver one"\n{COUNT.replace("1.0", "0.7")}',
    "pass.toml": '[bidding]\nrule = "always-pass"\n',
    "long.toml": f'name = "one whose name is nearly forty letters"\n{COUNT.replace("1.0", "0.8")}',
    "slow.toml": 'play = "expert"\nworlds = 2\n[bidding]\nrule = "always-pass"\n',
    "looking.toml": '[bidding]\nrule = "threshold"\nchance = 0.5\ntable = "t.parquet"\n',
}
QUICK = ("--hands", 2_000, "--seed", 7)


@pytest.fixture
def match(pitchsim, tmp_path):
    """Let strategies meet whose files are there."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return lambda *arguments: pitchsim("match", *arguments)


def timeless(text):
    """Leave out what depends on the machine, and the line breaks that come of it."""
    return re.sub(
        r"\sin\s[\d.]+\ss\son\s\d+\sthreads?,\s[\d.]+(?:\s[kMG])?\sa\ssecond\.([^:]*):",
        lambda found: f" in TIME.{' '.join(found[1].split())}:",
        text,
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ("count.toml", "more.toml", *QUICK),
        ("count.toml", "more.toml", "--games", 100, "--seed", 7),
        ("count.toml", "more.toml", "--hands", 2, "--seed", 7),
        ("count.toml", "more.toml", "pass.toml", *QUICK, "--rules", "setback", "--players", 5),
        ("count.toml", "more.toml", "pass.toml", "long.toml", "random", *QUICK),
        ("count.toml", "pass.toml", *QUICK, "--set", "forced_bid=1", "--format", "markdown"),
    ],
    ids=["hands", "games", "nothing", "setback", "five", "markdown"],
)
def test_what_people_read(match, snapshot, arguments):
    finished = match(*arguments)
    assert (finished.status, finished.err) == (0, "")
    *lines, _command = finished.out.splitlines()
    if "markdown" not in arguments:
        assert max(map(len, lines)) <= 80
        assert "\x1b" not in finished.out
    assert timeless(finished.out) == snapshot


def test_the_command_that_is_shown_finds_the_same(match, pitchsim):
    first = match("count.toml", "more.toml", "--games", 30)
    command = first.out.splitlines()[-1]
    assert command.startswith("pitchsim match count.toml more.toml --games 30 --seed ")
    again = pitchsim(*shlex.split(command)[1:])
    assert timeless(again.out) == timeless(first.out)


def test_2000_games_are_played_where_nothing_is_said(match):
    value = json.loads(match("count.toml", "more.toml", "--json", "--seed", 7).out)
    assert (value["games"], value["hands"]) == (2_000, None)
    assert value["matches"][0]["games"] == 2_000


def test_what_is_typed_outranks_a_default_for_the_other(match, tmp_path, monkeypatch):
    (tmp_path / "pitchsim.toml").write_text("[match]\nhands = 50\n", encoding="utf-8")
    by_hands = match("count.toml", "more.toml", "--seed", 7)
    assert by_hands.out.splitlines()[-1].endswith("--hands 50 --seed 7")
    by_games = match("count.toml", "more.toml", "--games", 10, "--seed", 7)
    assert by_games.out.splitlines()[-1].endswith("more.toml --games 10 --seed 7")
    assert "of 10 games" in by_games.out
    monkeypatch.setenv("PITCHSIM_MATCH_GAMES", "20")
    assert "--games 20 and --hands 50 do not go together" in match("count.toml", "more.toml").err


def test_json_has_all_that_is_found(match):
    finished = match("count.toml", "more.toml", "pass.toml", "--games", 40, "--seed", 7, "--json")
    value = json.loads(finished.out)
    assert finished.out.count("\n") == 1
    assert (value["rules"], value["set"], value["players"]) == ("partners", {}, 4)
    assert (value["seed"], value["partners"], len(value["match"])) == (7, True, 16)
    assert [one["name"] for one in value["strategies"]] == ["count", "more", "pass"]
    assert value["strategies"][0] == {
        "name": "count",
        "title": "A small count",
        "play": "basic",
        "worlds": None,
    }
    assert [(one["one"], one["other"]) for one in value["matches"]] == [
        ("count", "more"),
        ("count", "pass"),
        ("more", "pass"),
    ]
    first = value["matches"][0]
    assert first["won"]["one"] + first["won"]["other"] + first["won"]["nobody"] == 40
    assert first["share"] == pytest.approx(first["won"]["one"] / 40)
    assert first["hands_a_game"] == pytest.approx(first["hands"] / 40)
    assert first["too_close"] == (abs(first["difference"]) <= first["half_width"])
    assert (first["needed"] is None) != first["too_close"]
    assert [one["strategy"] for one in value["standings"]][-1] in ("count", "more", "pass")
    assert set(value["levels"][0]) == {
        *("strategy", "bid", "hands", "made", "low", "high", "share", "expected")
    }
    assert {row["expected"] for row in value["levels"]} == {None}
    assert value["changes"]
    assert value["calibration"] == []


def test_json_of_next_to_nothing_can_be_read_by_all(match):
    text = match("count.toml", "more.toml", "--hands", 2, "--json").out
    assert "NaN" not in text  # which Python reads, and hardly anybody else
    assert "Infinity" not in text
    value = json.loads(text)
    assert {row["low"] for row in value["levels"] if row["hands"] == 0} == {None}
    assert value["matches"][0]["half_width"] is None
    assert value["matches"][0]["share"] is None


def test_csv_has_a_row_for_each_ordered_pair(match):
    finished = match("count.toml", "more.toml", "pass.toml", *QUICK, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(finished.out)))
    assert [(row["one"], row["other"]) for row in rows] == [
        *(("count", "more"), ("more", "count")),
        *(("count", "pass"), ("pass", "count")),
        *(("more", "pass"), ("pass", "more")),
    ]
    assert all(row["rules"] == "partners" and row["games"] == "" for row in rows)
    assert float(rows[0]["difference"]) == -float(rows[1]["difference"])


def test_a_file_is_written_whole(match, tmp_path):
    shown = match("count.toml", "more.toml", *QUICK, "--format", "csv").out
    finished = match("count.toml", "more.toml", *QUICK, "--format", "csv", "--output", "m.csv")
    assert finished == (0, "", "")
    assert (tmp_path / "m.csv").read_text(encoding="utf-8") == shown


def test_threads_change_nothing_but_the_time(match):
    one, two = (
        match("count.toml", "slow.toml", "--hands", 60, "--seed", 7, "--threads", threads).out
        for threads in (1, 2)
    )
    assert timeless(one) == timeless(two)


def test_a_table_of_ones_own(match, tmp_path):
    build_table(tmp_path / "t.parquet", study_of("holding"))
    finished = match("looking.toml", "count.toml", *QUICK)
    assert finished.status == 0
    assert "Expected" in finished.out
    wrong = match("looking.toml", "count.toml", *QUICK, "--rules", "setback")
    assert wrong.status == 2
    assert "error: strategy 'looking': the table 't.parquet' is of another game" in wrong.err


def test_names_that_come_with_it(match):
    out = match("standard", "bold", "--games", 100, "--seed", 7).out
    assert "standard against bold: partners rules" in out
    assert "Bids whatever gains more on the other sides than passing does" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("standrad", "bold"), "there is no strategy 'standrad'; did you mean 'standard'?"),
        (("bold",), "to play a match: expected two strategies or more"),
        (("bold", "bold"), "two strategies are named 'bold': expected names that tell them apart"),
        (("bold", "none.toml"), "strategy file 'none.toml': No such file or directory"),
        (("bold", "looking.toml"), "there is no file 't.parquet'"),
        (("bold", "pass.toml", "--games", "3", "--hands", "4"), "--games 3 and --hands 4 do not"),
        (("bold", "pass.toml", "--hands", "1"), "hands 1 is not possible: expected a whole number"),
        (("bold", "pass.toml", "--games", "x"), "games 'x' is not possible: expected a whole"),
        (("bold", "pass.toml", "--threads", "0"), "threads 0 is not possible"),
        (("bold", "pass.toml", "--rules", "bridge"), "there is no rule set 'bridge'"),
        (("bold", "pass.toml", "--players", "3"), "players = 3 is not possible"),
        (("bold", "pass.toml", "--output", "pass.toml"), "cannot write 'pass.toml': it is 'pass.t"),
    ],
)
def test_what_cannot_be_played_ends_in_one_message(match, arguments, message):
    finished = match(*arguments)
    assert (finished.status, finished.out) == (2, "")
    assert finished.err.startswith("error: ")
    assert finished.err.count("\n") == 1
    assert message in finished.err


@pytest.mark.parametrize("form", ["json", "table"])
def test_an_interruption_shows_what_was_played(match, monkeypatch, form):
    class Interrupted(LiveShare):
        already = False

        def __call__(self, share):
            if share > 0.3 and not self.already:
                self.already = True
                signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("pitchsim.matches.matching.CHUNK", 50)
    asked = "count.toml", "more.toml", "--seed", 7, "--format", form
    with monkeypatch.context() as patch:
        patch.setattr("pitchsim_cli.match.LiveShare", Interrupted)
        finished = match(*asked, "--hands", 2_000)
    assert finished.status == 130
    assert finished.err == ("" if form == "table" else f"interrupted after {played(finished)}\n")
    if form == "table":
        assert "INTERRUPTED: this is what" in finished.out
        hands = re.search(r"--hands (\d+)", finished.out)[1]
        assert 600 < int(hands) < 2_000
        again = match(*asked, "--hands", hands)
        assert "INTERRUPTED" not in again.out
        table = finished.out[finished.out.index("What was pitched for") :].split("second")[0]
        assert table.rsplit(" in ")[0] in again.out
        return
    value = json.loads(finished.out)
    assert value["interrupted"]
    again = json.loads(match(*asked, "--hands", value["hands"]).out)
    assert not again["interrupted"]
    assert [again[name] for name in ("match", "matches", "levels")] == [
        value[name] for name in ("match", "matches", "levels")
    ]


def test_of_several_the_games_won_are_shown_pair_by_pair(match):
    asked = "count.toml", "more.toml", "pass.toml", "--games", 100, "--seed", 7
    value = json.loads(match(*asked, "--json").out)
    out = match(*asked).out
    table = out[out.index("Percent of games") :].split("\n\n")[0].splitlines()
    assert len(table) == 2 + 3
    for one in value["matches"]:
        names = [row["name"] for row in value["strategies"]]
        row = table[2 + names.index(one["one"])]
        assert f"{100 * one['share']:.0f} " in row
    by_hands = match("count.toml", "more.toml", "pass.toml", *QUICK).out
    assert "Percent of games" not in by_hands


def test_names_in_a_matrix_are_shortened_to_fit(match, tmp_path):
    for number in range(8):
        name = f'name = "{number} is called by a name of 39 letters"\n'
        weight = COUNT.replace("1.0", f"0.{number + 2}")
        (tmp_path / f"{number}.toml").write_text(name + weight, encoding="utf-8")
    finished = match(*(f"{number}.toml" for number in range(8)), "--hands", 200, "--seed", 7)
    assert finished.status == 0
    *lines, _ = finished.out.splitlines()
    assert max(map(len, lines)) <= 80
    assert (
        sum(
            line.startswith(f"{n} ") and "\N{HORIZONTAL ELLIPSIS}" in line
            for line in lines
            for n in range(1, 9)
        )
        == 8
    )


def test_how_many_games_would_tell(match):
    value = json.loads(match("more.toml", "long.toml", "--games", 40, "--seed", 7, "--json").out)
    (one,) = value["matches"]
    lead, half = one["share"] - 0.5, one["share_half_width"]
    assert abs(lead) < half  # they are too close to call
    expected = 40 * (half / lead * (Z95 + 0.84162) / Z95) ** 2
    assert one["needed_games"] == pytest.approx(expected, abs=1)
    out = match("more.toml", "long.toml", "--games", 40, "--seed", 7).out
    assert "too close to one half to call; if it is so, about" in " ".join(out.split())


def test_rules_in_csv_are_named_with_what_is_changed_in_them(match):
    asked = "count.toml", "pass.toml", *QUICK, "--set", "forced_bid=1", "--players", 4
    rows = list(csv.DictReader(io.StringIO(match(*asked, "--format", "csv").out)))
    assert {row["rules"] for row in rows} == {"partners, forced_bid 1"}
    assert {row["seed"] for row in rows} == {"7"}


def played(finished):
    return f"{json.loads(finished.out)['hands']:,} hands"


@pytest.mark.parametrize("output", ["own-rules.toml", "pitchsim.toml"])
def test_rules_and_defaults_are_not_written_over(match, pitchsim, tmp_path, output):
    (tmp_path / "own-rules.toml").write_text('extends = "partners"\n', encoding="utf-8")
    (tmp_path / "pitchsim.toml").write_text("seed = 3\n", encoding="utf-8")
    match("count.toml", "more.toml", "--hands", 2)  # writes the files
    before = (tmp_path / output).read_text(encoding="utf-8")
    hand = "AS KS QS JS TS 2S"
    for asked in (
        ("match", "count.toml", "more.toml", "--hands", 2, "--rules", "own-rules.toml"),
        ("hand", hand, "--deals", 100, "--rules", "own-rules.toml"),
        ("deal", "--rules", "own-rules.toml"),
        ("replay", hand, "--deal", 1, "--rules", "own-rules.toml"),
        ("rules", "own-rules.toml", "--format", "toml"),
        ("table", "--deals", 2, "--rules", "own-rules.toml"),
    ):
        finished = pitchsim(*asked, "--output", output)
        assert (finished.status, finished.out) == (2, "")
        assert f"it is '{output}', which is read; expected another file" in finished.err
    assert (tmp_path / output).read_text(encoding="utf-8") == before


def test_a_file_may_be_called_as_rules_and_strategies_are(match, pitchsim, tmp_path):
    for name in ("partners", "always-pass"):
        for _ in range(2):
            asked = ("count.toml", "always-pass", "--hands", 2, "--rules", "partners")
            assert match(*asked, "--output", name).status == 0
        turn = ("hand", "AS KS QS JS TS 2S", "--seat", "first", "--strategy", "always-pass")
        assert pitchsim(*turn, "--deals", 100, "--output", name).status == 0
    hands = ("batch", "--random", 2, "--deals", 10, "--seed", 7, "--output", "setback")
    for _ in range(2):
        assert pitchsim(*hands, "--rules", "setback").status == 0


def test_a_hyphen_is_standard_output(match, tmp_path):
    asked = ("count.toml", "more.toml", "--hands", 2, "--seed", 7)
    assert timeless(match(*asked, "--output", "-").out) == timeless(match(*asked).out)
    assert not (tmp_path / "-").exists()


@pytest.mark.parametrize(
    "command",
    [
        ("batch", "--random", 2, "--output", "out"),
        ("table", "--deals", 2, "--output", "t.parquet"),
        ("replay", "AS KS QS JS TS 2S", "--deal", 1, "--seed", 7, "--lead", "AS", "--bid", 2),
    ],
)
def test_an_interruption_is_never_silent(pitchsim, monkeypatch, command):
    def interrupt(*_work):
        raise KeyboardInterrupt

    for module in ("batch", "tablecommand", "replay"):
        monkeypatch.setattr(f"pitchsim_cli.{module}.make_engine_ready", interrupt)
    finished = pitchsim(*command)
    assert (finished.status, finished.out) == (130, "")
    assert finished.err.endswith("interrupted\n")


def test_ctrl_c_ends_it(warm, tmp_path):
    (tmp_path / "slow.toml").write_text(FILES["slow.toml"], encoding="utf-8")
    (tmp_path / "pass.toml").write_text(FILES["pass.toml"], encoding="utf-8")
    main = "import sys; from pitchsim_cli.app import main; sys.argv[0] = 'pitchsim'; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", main, "match", "slow.toml", "pass.toml", "--hands", "10000000"],
        cwd=tmp_path,
        env={**os.environ, "XDG_CONFIG_HOME": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    time.sleep(8)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"INTERRUPTED: this is what" in out
    assert err.decode().splitlines()[1:] == []


@pytest.mark.parametrize("output", ["t.parquet", "looking.toml"])
def test_what_is_read_is_not_written_over(match, pitchsim, tmp_path, output):
    build_table(tmp_path / "t.parquet", study_of("holding"))
    match("count.toml", "more.toml", "--hands", 2)  # writes the files
    before = (tmp_path / output).read_bytes()
    turn = ("hand", "AS KS QS JS TS 2S", "--seat", "first", "--strategy", "looking.toml")
    for asked in (("match", "looking.toml", "pass.toml", *QUICK), turn):
        finished = pitchsim(*asked, "--output", output)
        assert (finished.status, finished.out) == (2, "")
        assert "which is read; expected another file" in finished.err
    assert (tmp_path / output).read_bytes() == before


def test_ctrl_c_while_a_table_is_made_ends_it_too(match, monkeypatch):
    from pitchsim.bidding import sources  # noqa: PLC0415
    from pitchsim.tables.making import TableMade  # noqa: PLC0415

    interrupted = TableMade(finished=False, written=False, counted=0, deals=0, seconds=0)
    monkeypatch.setattr(sources, "make_table", lambda *_: interrupted)
    sources._worths_made.cache_clear()
    finished = match("cautious", "pass.toml", "--rules", "pedro", *QUICK)
    assert finished == (130, "", "interrupted, with nothing to show\n")


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_is_shown_once_it_takes_a_while(monkeypatch):
    monkeypatch.setattr("sys.stderr", Terminal())
    with LiveShare("2,000 games") as live:
        live(0.1)
        assert sys.stderr.getvalue() == ""
        live.next_look = 0
        live(0.42)
    assert "42% of 2,000 games" in sys.stderr.getvalue()


@pytest.mark.parametrize(
    ("mean", "half", "text"),
    [
        (0.2771, 0.0411, "+0.277 ±0.042"),
        (-1.5, 0.123, "-1.50 ±0.13"),
        (2.0, 1.0, "+2.00 ±1.00"),
        (0.234, 0.229, "+0.234 ±0.229"),
        (0.00123, 0.00045, "+0.0012 ±0.0005"),
        (1.0, float("inf"), "+1.00 ±?"),
    ],
)
def test_differences_are_written_as_precisely_as_they_are_known(mean, half, text):
    assert ahead_by(Estimate(mean, half)) == text


def test_the_strategies_are_listed(pitchsim):
    out = pitchsim("strategies").out
    for name in strategy_names():
        assert re.search(rf"^{name} +[A-Z]", out, re.M)
    assert max(map(len, out.splitlines())) <= 80
    listed = json.loads(pitchsim("strategies", "--json").out)
    assert [one["name"] for one in listed] == list(strategy_names())
    rows = list(csv.reader(io.StringIO(pitchsim("strategies", "--format", "csv").out)))
    assert rows == [["name", "title"], *([one["name"], one["title"]] for one in listed)]
    assert "| bold | Bids" in pitchsim("strategies", "--format", "markdown").out


def test_the_file_of_one_is_written_to_be_changed(pitchsim, tmp_path):
    for name in strategy_names():
        assert pitchsim("strategies", name) == (0, strategy_text(name), "")
    assert pitchsim("strategies", "bold", "--output", "mine.toml") == (0, "", "")
    text = (tmp_path / "mine.toml").read_text(encoding="utf-8")
    assert text == strategy_text("bold")
    assert json.loads(pitchsim("strategies", "bold", "--json").out)["bidding"]["chance"] == 0.5
    assert "did you mean 'bold'" in pitchsim("strategies", "bould").err
