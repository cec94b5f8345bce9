import csv
import io
import json
import re
import shlex
import signal
import subprocess
import sys
import textwrap
from contextlib import suppress

import pytest
from pitchsim_cli.evaluationtext import Percent, plus_minus, signed
from pitchsim_cli.interrupt import ending_at_the_second, not_lost
from pitchsim_cli.progress import LiveEstimate
from pitchsim_cli.values import ValueTextError, read_precision
from pitchsim_cli.waiting import said_after_a_while, short

from pitchsim.evaluating import evaluate, make_study
from pitchsim.running import Stop
from pitchsim.simulation import Simulation
from pitchsim.warmup import WarmUp

HAND = "AS JS TS 5S KH 2D"
QUICK = ("--seed", 7, "--deals", 4000)


def timeless(text):
    """Leave out what depends on the machine, and the line breaks that come of it."""
    return re.sub(
        r"in\s[\d.]+\ss\son\s\d+\sthreads?,\s[\d.]+(?:\s[kMG])?\sa\ssecond;([^:]*):",
        lambda match: f"in TIME; {' '.join(match[1].split())}:",
        text,
    )


def numbers(text):
    """The tables, without the run's own line and command."""
    return text[: text.index("\n\nChange is")]


@pytest.mark.parametrize(
    "arguments",
    [
        (HAND,),
        ("AS QS 8C 6C HJ LJ", "--rules", "ten-point", "--set", "joker_lead=names"),
        ("9S 7H 5H 3D 8C 6C", "--rules", "solo", "--players", 5, "--known", "-:AS,KH"),
        ("AS KS QS JS TS 2S", "--rules", "four-point", "--set", "shoot-the-moon"),
        ("AS QS 5H 3D 8C 6C", "--rules", "setback", "--set", "min_bid=2", "--set", "forced-bid"),
        ("AS QS 8C 6C 2H 2D", "--set", "draw", "--set", "declared-trump", "--trump", "S"),
        ("AS QS 8C 6C 2H 2D", "--play", "random", "--lead", "AS", "--deals", 12),
        ("AS QS 8C 6C 2H 2D", "--format", "markdown", "--leads"),
    ],
)
def test_the_table(pitchsim, snapshot, arguments):
    finished = pitchsim("hand", *QUICK, *arguments)
    assert (finished.status, finished.err) == (0, "")
    *table, command = finished.out.splitlines()
    if "markdown" not in arguments:
        assert max(map(len, table)) <= 80
        assert "\x1b" not in finished.out
        assert shlex.split(command)[:2] == ["pitchsim", "hand"]
    assert timeless(finished.out) == snapshot


def test_the_answer_stands_in_one_row_and_one_sentence(pitchsim):
    out = pitchsim("hand", HAND, *QUICK).out
    assert [line[:3] for line in out.splitlines() if line.startswith(">")] == ["> 4"]
    sentence = " ".join(out.split())
    assert "Bid up to 4 and lead AS: at that bid the hand gains 1." in sentence
    assert "if everybody follows the basic policy under partners rules" in sentence


def test_a_smudge_is_bid_as_one(pitchsim):
    out = pitchsim("hand", "AS KS QS JS TS 2S", *QUICK).out
    assert "Bid up to a smudge and lead AS" in out
    assert "too close to call" in out


def test_a_hand_that_is_worth_nothing_is_passed(pitchsim):
    out = " ".join(pitchsim("hand", "9S 7H 5H 3D 8C 6C", *QUICK).out.split())
    assert "Pass: no bid gains anything; at 2, the cheapest, the hand loses" in out
    assert "If you deal and all the others pass, you must bid: bid 2 and lead" in out
    never = pitchsim("hand", "9S 7H 5H 3D 8C 6C", *QUICK, "--set", "forced_bid=none").out
    assert "If you deal" not in never


def test_a_single_deal_tells_nothing(pitchsim):
    out = pitchsim("hand", HAND, "--seed", 7, "--deals", 1).out
    assert re.search(r"^  4 .* \+4\.00 ±\?  spades, AS$", out, re.MULTILINE)
    assert "\nSo few deals tell nothing about what to bid: play more, with --deals.\n" in out
    assert not re.search(r"^>|Bid up to|gains or loses", out, re.MULTILINE)


def test_a_margin_that_may_be_zero_is_said_to_be(pitchsim):
    def sentences(deals):
        return " ".join(pitchsim("hand", HAND, "--seed", 7, "--deals", deals).out.split())

    assert "on average (too close to zero to call), if everybody" in sentences(12)
    assert "on average, if everybody" in sentences(4000)


def test_json_is_as_promised(pitchsim):
    finished = pitchsim("hand", HAND, *QUICK, "--json")
    value = json.loads(finished.out)
    assert finished.out.count("\n") == 1
    assert value["hand"] == HAND
    assert (value["rules"], value["set"], value["play"]) == ("partners", {}, "basic")
    assert (value["deals"], value["seed"], value["stopped_by"]) == (4000, 7, "deals")
    assert list(value["bids"]) == ["2", "3", "4", "smudge"]
    assert value["limit"] == {"bid": "4", "by": "margin"}
    best = value["options"][0]
    assert (best["trump"], best["lead"]) == ("S", "AS")
    assert sum(best["pmf"]) == pytest.approx(1)
    assert best["make"]["4"]["low"] < best["make"]["4"]["p"] < best["make"]["4"]["high"]
    assert set(best["points"]) == {"high", "low", "jack", "game"}
    assert value["bids"]["4"]["p"] == best["make"]["4"]["p"]
    every = json.loads(pitchsim("hand", HAND, *QUICK, "--json", "--leads").out)
    assert len(every["options"]) == 6 > len(value["options"])


def test_csv_has_a_row_for_each_trump_lead_and_bid(pitchsim):
    for arguments, options in (((), 3), (("--leads",), 6), (("--trump", "S", "--leads"), 4)):
        out = pitchsim("hand", HAND, *QUICK, "--format", "csv", *arguments).out
        rows = list(csv.DictReader(io.StringIO(out)))
        assert len(rows) == 4 * options
    assert [row["bid"] for row in rows[:4]] == ["2", "3", "4", "smudge"]
    assert (rows[0]["lead"], rows[0]["seed"], rows[0]["stopped_by"]) == ("AS", "7", "deals")
    drawn = ("--set", "declared-trump", "--set", "draw", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(pitchsim("hand", HAND, *QUICK, *drawn).out)))
    for row in rows:
        assert float(row["set"]) == pytest.approx(1 - float(row["make"]))
        assert json.loads(row["rule_changes"]) == {"trump_choice": "declared", "draw": True}
    assert {row["trump"] for row in rows} == set("SHDC")


def test_a_hand_may_be_typed_as_one_likes(pitchsim):
    outputs = {
        timeless(pitchsim("hand", *words, *QUICK).out)
        for words in (
            (HAND,),
            HAND.split(),
            ("asjs10s5skh2d",),
            ("AJT5.K.2.",),
            ("2♦, K♥, A♠ J♠ 10♠ 5♠",),
        )
    }
    assert len(outputs) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("--precision", "2%", "--seed", 3),
        ("--max-seconds", 0.01, "--rules", "ten-point", "--set", "target=21", "--known", "-N:KS"),
        ("--deals", 500, "--rules", "setback", "--cutthroat", "--trump", "hearts", "--leads"),
        ("--deals", 500, "--rules", "six-point", "--players", 6, "--partners", "--threads", 1),
    ],
)
def test_the_command_it_ends_with_gives_the_same_numbers(pitchsim, arguments):
    first = pitchsim("hand", HAND, *arguments).out
    command = shlex.split(first.splitlines()[-1])
    again = pitchsim(*command[1:]).out
    assert numbers(again) == numbers(first)
    assert again.splitlines()[-1] == first.splitlines()[-1]


def test_the_command_names_what_matters_and_nothing_else(pitchsim, monkeypatch):
    def command(*arguments):
        return pitchsim("hand", HAND, *arguments).out.splitlines()[-1]

    assert command("--seed", 7) == f"pitchsim hand '{HAND}' --seed 7"
    monkeypatch.setenv("PITCHSIM_RULES", "solo")
    assert command("--seed", 7, "--deals", 99, "--rules", "partners") == (
        f"pitchsim hand '{HAND}' --rules partners --seed 7 --deals 99"
    )


def test_worlds_of_ones_own_are_only_for_a_play_that_samples(pitchsim, monkeypatch):
    monkeypatch.setenv("PITCHSIM_WORLDS", "8")
    few = ("--deals", 20, "--seed", 1, "--lead", "AS")
    assert pitchsim("hand", HAND, *few).out.splitlines()[-1] == (
        f"pitchsim hand '{HAND}' --lead AS --seed 1 --deals 20"
    )
    assert pitchsim("hand", HAND, *few, "--play", "expert").out.splitlines()[-1] == (
        f"pitchsim hand '{HAND}' --play expert --worlds 8 --lead AS --seed 1 --deals 20"
    )


def test_what_is_known_counts(pitchsim):
    def high(*known):
        out = pitchsim("hand", "KS JS TS 5S KH 2D", *QUICK, "--trump", "S", "--json", *known).out
        return json.loads(out)["options"][0]["points"]["high"]

    assert high("--known", "-:AS") == 1
    assert high("--known", "W:AS") == 0
    assert 0 < high("--known", "-N:AS", "--known", "-2:QH") < 1


def test_only_one_bid_may_be_asked_about(pitchsim):
    value = json.loads(pitchsim("hand", HAND, *QUICK, "--bid", 3, "--json").out)
    every = json.loads(pitchsim("hand", HAND, *QUICK, "--json").out)
    assert list(value["bids"]) == ["3"]
    assert value["bids"]["3"] == every["bids"]["3"]
    assert value["limit"] == {"bid": "3", "by": "margin"}
    out = pitchsim("hand", HAND, *QUICK, "--bid", "smudge").out
    assert " ".join(out.split()).count("To bid a smudge and lead AS loses 3.") == 1
    assert "Pass" not in out
    assert shlex.split(out.splitlines()[-1])[3:5] == ["--bid", "smudge"]
    tried = pitchsim("hand", HAND, *QUICK, "--bid", 2, "--lead", "KH").out
    assert "With only KH led tried, to bid 2 and lead KH loses" in " ".join(tried.split())


EXPERT = ("--play", "expert", "--worlds", 8)


def test_an_expert_says_what_was_left_out_and_played_for(pitchsim):
    finished = pitchsim("hand", HAND, *QUICK, *EXPERT)
    text = " ".join(finished.out.split())
    assert "What brings the points: spades, AS, played for a bid of 4" in text
    assert "Left out after a quick look with basic play, which found them far behind: " in text
    assert "the expert policy (8 worlds a turn) under partners rules" in text
    assert "With only" not in text
    again = pitchsim(*shlex.split(finished.out.splitlines()[-1])[1:])
    assert numbers(again.out) == numbers(finished.out)
    for every in (("--leads",), ("--lead", "2D")):
        assert "Left out" not in pitchsim("hand", HAND, *QUICK, *EXPERT, *every).out
    value = json.loads(pitchsim("hand", HAND, *QUICK, *EXPERT, "--json").out)
    assert value["played_for"] == "4"
    assert value["worlds"] == 8
    assert {"trump": "D", "lead": "2D"} in value["screened"]
    out = pitchsim("hand", HAND, *QUICK, *EXPERT, "--format", "csv").out
    row = next(csv.DictReader(io.StringIO(out)))
    assert json.loads(row["screened"]) == value["screened"]
    assert row["played_for"] == "4"


BAD = [
    ((HAND.replace("JS", "AS"),), "AS is twice"),
    (("AS JS TS 5S KH",), "is 5 cards: expected 6"),
    (("1S JS TS 5S KH 2D",), "'1S' in"),
    (("HJ JS TS 5S KH 2D",), "HJ is not in the deck"),
    ((HAND, "--rules", "partnrs"), "did you mean 'partners'?"),
    ((HAND, "--players", 8), "players = 8 is not possible"),
    ((HAND, "--players", "four"), "players 'four' is not possible: expected a whole number"),
    ((HAND, "--set", "low_to=nobody"), "low_to = 'nobody' is not possible"),
    ((HAND, "--deals", -5), "deals -5 is not possible"),
    ((HAND, "--deals", "9" * 5000), "expected a whole number"),
    ((HAND, "--precision", 0), "precision '0' is not possible"),
    ((HAND, "--precision", 2), "for percent, write '2%'"),
    ((HAND, "--precision", "nan"), "precision 'nan' is not possible"),
    ((HAND, "--max-seconds", "soon"), "max-seconds 'soon' is not possible"),
    ((HAND, "--max-seconds", -1), "max-seconds '-1' is not possible"),
    ((HAND, "--seed", "abc"), "seed 'abc' is not possible: expected a whole number"),
    (
        (HAND, "--seed", -1),
        "seed -1 is not possible: expected a whole number, 0 to 18446744073709551615",
    ),
    ((HAND, "--seed", 2**64), "seed 18446744073709551616 is not possible"),
    ((HAND, "--threads", 0), "threads 0 is not possible"),
    ((HAND, "--output", "."), "cannot write '.': it is a folder"),
    (
        (HAND, "--play", "experts"),
        "there is no play 'experts': expected random, basic, expert or double-dummy; "
        "did you mean 'expert'?",
    ),
    ((HAND, "--worlds", 20), "20 worlds are of no use to basic play: expected expert"),
    ((HAND, "--play", "expert", "--worlds", 0), "worlds 0 is not possible"),
    ((HAND, "--play", "expert", "--worlds", "many"), "worlds 'many' is not possible"),
    ((HAND, "--known", "nonsense"), "known 'nonsense' is not possible"),
    ((HAND, "--known", "N:AS"), "known 'N:AS' is not possible: AS is in your own hand"),
    ((HAND, "--trump", "X"), "'X' is not a suit"),
    ((HAND, "--trump", "C"), "cannot be the first lead with C as trump"),
    ((HAND, "--lead", "KS"), "KS is not in the hand"),
    ((HAND, "--bid", 5), "'5' is not a bid here"),
    ((HAND, "--bid", "pass"), "bid 'pass' is not one to play for: expected 2, 3, 4 or smudge"),
]


@pytest.mark.parametrize(("arguments", "said"), BAD)
def test_bad_input_is_one_message(pitchsim, tmp_path, monkeypatch, arguments, said):
    monkeypatch.delattr(
        "pitchsim_cli.hand.make_engine_ready"
    )  # it is said before that is waited for
    finished = pitchsim("hand", *arguments, "--json", *(() if "." in arguments else ("-o", "x")))
    assert (finished.status, finished.out) == (2, "")
    assert finished.err.startswith("error: ")
    assert finished.err.count("\n") == 1
    assert said in finished.err
    assert list(tmp_path.iterdir()) == []


def test_usage_errors(pitchsim):
    for arguments in ((), (HAND, "--format", "xml"), (HAND, "--no-such")):
        finished = pitchsim("hand", *arguments)
        assert (finished.status, finished.out) == (2, "")


def test_the_result_goes_to_a_file(pitchsim, tmp_path):
    assert pitchsim("hand", HAND, *QUICK, "--json", "--output", "x.json")[:2] == (0, "")
    assert json.loads((tmp_path / "x.json").read_text(encoding="utf-8"))["deals"] == 4000


def test_configured_precision_may_be_a_number(pitchsim, tmp_path):
    (tmp_path / "pitchsim.toml").write_text("[hand]\nprecision = 0.02\nseed = 9\n")
    value = json.loads(pitchsim("hand", HAND, "--json").out)
    assert (value["stopped_by"], value["seed"]) == ("precision", 9)
    assert shlex.split(pitchsim("hand", HAND).out.splitlines()[-1])[-2] == "--deals"


@pytest.mark.parametrize("form", ["table", "json", "csv", "markdown"])
def test_an_interruption_shows_what_is_known(pitchsim, monkeypatch, form):
    monkeypatch.setattr(LiveEstimate, "__call__", interrupt_at(8192))
    finished = pitchsim("hand", HAND, "--seed", 7, "--deals", 2**30, "--format", form)
    assert finished.status == 130
    assert re.search(r"INTERRUPTED|\binterrupt\b", finished.out)


def test_an_interrupted_run_can_be_repeated(pitchsim, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(LiveEstimate, "__call__", interrupt_at(8192))
        out = pitchsim("hand", HAND, "--seed", 7, "--deals", 2**30).out
    again = pitchsim(*shlex.split(out.splitlines()[-1])[1:]).out
    heading, mark, table = numbers(out).split("\n\n", 2)
    assert mark.startswith("INTERRUPTED")
    assert f"{heading}\n\n{table}" == numbers(again)


def interrupt_at(deals):
    def look(_, tally):
        if tally.deals == deals:
            signal.raise_signal(signal.SIGINT)

    return look


def test_an_interruption_before_the_first_deal_is_one_message(pitchsim, monkeypatch):
    monkeypatch.setattr(
        "pitchsim_cli.hand.make_engine_ready", lambda *_: signal.raise_signal(signal.SIGINT)
    )
    finished = pitchsim("hand", HAND, "--output", "x")
    assert finished == (130, "", "interrupted, with nothing to show\n")


def test_ctrl_c_in_a_process_of_its_own(tmp_path):
    code = textwrap.dedent(f"""
        import os, signal, sys
        from pitchsim_cli.app import main
        from pitchsim_cli.progress import LiveEstimate
        signal.signal(signal.SIGINT, signal.default_int_handler)
        def look(_, tally):
            if tally.deals > 10_000 and not os.path.exists("done"):
                open("done", "w").close()
                os.kill(os.getpid(), signal.SIGINT)
        LiveEstimate.__call__ = look
        sys.argv = ["pitchsim", "hand", {HAND!r}, "--deals", str(2**30), "--json", "-o", "x.json"]
        main()
    """)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (130, "")
    assert "Traceback" not in done.stderr
    value = json.loads((tmp_path / "x.json").read_text(encoding="utf-8"))
    assert value["stopped_by"] == "interrupt"
    assert 10_000 < value["deals"] < 2**30


def test_a_ctrl_c_whose_error_is_lost_is_heard():
    """As by a callback out of compiled code, where Python drops it."""
    lost = suppress(KeyboardInterrupt)
    with ending_at_the_second(), pytest.raises(KeyboardInterrupt), not_lost(), lost:
        signal.raise_signal(signal.SIGINT)
    with ending_at_the_second(), not_lost():
        pass


def test_a_second_ctrl_c_ends_at_once():
    code = textwrap.dedent(f"""
        import os, signal, sys
        from pitchsim_cli.app import main
        from pitchsim_cli import progress, waiting
        signal.signal(signal.SIGINT, signal.default_int_handler)
        waiting.PATIENCE = 1000  # a busy machine is slow to load the engine
        progress.LiveEstimate.__call__ = lambda *_: os.kill(os.getpid(), signal.SIGINT)
        sys.argv = ["pitchsim", "hand", {HAND!r}, "--deals", str(2**30)]
        main()
    """)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


def test_json_and_tables_need_no_pandas_or_matplotlib():
    code = textwrap.dedent(f"""
        import sys
        from pitchsim_cli.app import main
        sys.argv = ["pitchsim", "hand", {HAND!r}, "--deals", "100"]
        try:
            main()
        except SystemExit:
            print(sorted({{"pandas", "pyarrow", "matplotlib"}} & set(sys.modules)))
    """)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")


def test_progress_is_shown_on_a_terminal_after_a_while(monkeypatch, capsys):
    study = make_study(HAND, seed=1)
    for stop in (Stop(deals=50_000), Stop(precision=0.01), Stop(max_seconds=900.0)):
        with LiveEstimate(study, stop) as estimate:
            estimate(Simulation(study).count(0, 1000))
            monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
            estimate.next_look = 0
            estimate(Simulation(study).count(0, 1000))
        assert "bid 4: " in capsys.readouterr().err


def test_silence_is_explained(monkeypatch, capsys):
    monkeypatch.setattr("pitchsim_cli.waiting.PATIENCE", 0.0)
    with said_after_a_while("soon"):
        while "soon" not in (said := capsys.readouterr().err):
            pass
    assert said == "soon\n"


def test_numbers_are_written_as_precisely_as_they_are_known():
    rough, usual, fine = Percent.fit_for(0.1), Percent.fit_for(0.003), Percent.fit_for(0.0001)
    assert [percent.of(0.7437) for percent in (rough, usual, fine)] == [
        "74 %",
        "74.4 %",
        "74.37 %",
    ]
    assert [usual.of(p) for p in (0.0, 0.0001, 0.9999, 1.0)] == [
        "0 %",
        "<0.1 %",
        ">99.9 %",
        "100 %",
    ]
    assert rough.of(0.001) == "<1 %"
    assert [usual.rest(p) for p in (0.0285, 0.744, 0.9999, 0.0)] == [
        "97.1 %",
        "25.6 %",
        "<0.1 %",
        "100 %",
    ]
    assert usual.between(0.7421, 0.7468) == "74.2-74.7"
    assert usual.between(0.0, 0.00004) == "0-0.1"
    assert usual.between(0.99996, 1.0) == "99.9-100"
    assert [signed(x) for x in (1.234, -0.001, 0.0, -2.0)] == ["+1.23", "0.00", "0.00", "-2.00"]
    assert [plus_minus(x) for x in (0.001, 0.0234, float("inf"))] == ["±0.01", "±0.03", "±?"]
    assert [short(x) for x in (7, 4096, 999_700, 3_456_789, 2e9)] == [
        "7",
        "4.1 k",
        "1 M",
        "3.46 M",
        "2 G",
    ]


def test_precision_is_read_in_percent_or_as_a_part():
    assert read_precision("0.5%") == read_precision("0.005") == read_precision(" 0.5 % ") == 0.005
    for text in ("", "%", "half", "0.5", "5", "1e9"):
        with pytest.raises(ValueTextError, match="is not possible"):
            read_precision(text)


def test_the_engine_is_made_ready_before_the_clock_runs():
    quick = evaluate(HAND, seed=1, deals=10)
    assert quick.run.seconds < 5


def test_warmup_says_if_nothing_is_kept(pitchsim, monkeypatch):
    ready = WarmUp(seconds=12.34, compiled=True, folder=None)
    monkeypatch.setattr("pitchsim_cli.warmup.make_engine_ready", lambda: ready)
    assert pitchsim("warmup").out == "Made ready in 12.3 s; nothing is kept on disk.\n"


def test_warmup_says_where_the_code_lies(pitchsim):
    finished = pitchsim("warmup")
    assert finished.status == 0
    assert re.fullmatch(
        r"(Compiled|Already compiled; loaded) in [\d.]+ s; it lies in\n\S+\n", finished.out
    )
