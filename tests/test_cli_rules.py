import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pitchsim.presets import load_preset, load_rules_file, preset_names

COMMAND = [sys.executable, "-c", "from pitchsim_cli.app import main; main()"]


@pytest.fixture
def run(tmp_path):
    """Run the command in an empty folder, as from a terminal of 80 columns."""

    def run(*arguments, **variables):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("PITCHSIM_")}
        environment |= {"COLUMNS": "80", "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
        return subprocess.run(
            [*COMMAND, *map(str, arguments)],
            capture_output=True,
            encoding="utf-8",
            cwd=tmp_path,
            env=environment | variables,
            check=False,
        )

    return run


def refused(process, said, status=2):
    assert process.returncode == status
    assert process.stdout == ""
    assert said in process.stderr
    assert "Traceback" not in process.stderr
    assert process.stderr.startswith("error: ")
    assert process.stderr.count("\n") == 1


def test_help_loads_nothing_heavy():
    code = (
        "import sys, contextlib\n"
        "from pitchsim_cli.app import app\n"
        "with contextlib.suppress(SystemExit): app(['--help'])\n"
        "heavy = {'numba', 'numpy', 'pandas', 'scipy', 'matplotlib', 'pyarrow', 'platformdirs'}\n"
        "print('loaded:', sorted(heavy & set(sys.modules)))"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "rules" in said.stdout
    assert said.stdout.endswith("loaded: []\n")


def test_the_version(run):
    assert run("--version").stdout.startswith("pitchsim 0.")


def test_the_list_has_a_line_for_each_preset(run):
    lines = run("rules").stdout.splitlines()
    assert [line.split()[0] for line in lines[1:13]] == list(preset_names())
    assert max(map(len, lines)) <= 80
    assert any(line.startswith("cutthroat ") for line in lines)


def test_a_preset_is_shown_as_played(run):
    said = run("rules", "ten-point")
    lines = said.stdout.splitlines()
    headings = [line for line in lines if line and not line.startswith(" ")]
    assert headings[2:] == ["Deal", "Auction", "Play", "Points", "Score", "How the page was read"]
    assert max(map(len, lines)) <= 80
    assert "Trump three, 3:" in said.stdout
    assert said.stderr == ""


def test_changes_are_shown_first(run):
    said = run("rules", "setback", "--set", "cutthroat", "--set", "target=21").stdout
    assert "Changed here\n  partners = no\n  target = 21\n" in said
    assert "The first player with 21 wins." in said


def test_two_presets_are_compared_field_by_field(run):
    rows = [
        line.split() for line in run("rules", "--diff", "setback", "partners").stdout.splitlines()
    ]
    assert rows[0] == ["Field", "setback", "partners"]
    assert ["void_play", "must_trump", "free"] in rows
    assert ["forced_bid", "none", "2"] in rows
    alone = run("rules", "--diff", "solo", "--set", "target=7").stdout
    assert alone == "solo and solo changed are the same game.\n"


@pytest.mark.parametrize("name", preset_names())
def test_a_preset_written_as_toml_reads_back(name, run, tmp_path):
    assert run("rules", name, "--format", "toml", "--output", "own.toml").returncode == 0
    assert load_rules_file(tmp_path / "own.toml") == load_preset(name)


def test_a_difference_written_as_toml_reads_back(run, tmp_path):
    run("rules", "--diff", "solo", "ten-point", "--format", "toml", "--output", "own.toml")
    own = load_rules_file(tmp_path / "own.toml")
    assert own.as_dict() == load_preset("ten-point").as_dict()
    assert run("rules", "--diff", "own.toml", "ten-point").stdout.endswith("same game.\n")


def test_json(run):
    assert [entry["name"] for entry in json.loads(run("rules", "--json").stdout)] == list(
        preset_names()
    )
    ten = json.loads(run("rules", "ten-point", "--json").stdout)
    assert (ten["total"], ten["bids"][-1], ten["points"]["trump_three"]) == (10, "smudge", 3)
    fields = json.loads(run("rules", "--diff", "solo", "auction", "--json").stdout)
    assert {"field": "target", "values": [7, 11]} in fields


def test_csv_and_markdown(run):
    assert "target,21\n" in run("rules", "partners", "--format", "csv").stdout
    assert "\n### Auction\n\n- " in run("rules", "partners", "--format", "markdown").stdout
    assert (
        "| target | 7 | 11 |"
        in run("rules", "--diff", "solo", "auction", "--format", "markdown").stdout
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["partnrs"], "'partnrs'; did you mean 'partners'?"),
        (["nowhere.toml"], "rules file 'nowhere.toml': No such file"),
        (["solo", "auction"], "expected one, or two with --diff"),
        (["--diff", "solo"], "found 1 and no --set"),
        (["solo", "--set", "low_to=nobody"], "low_to = 'nobody' is not possible"),
        (["solo", "--set", "draw"], "draw = yes needs trump_choice = declared"),
        (["solo", "--output", "."], "cannot write '.': it is a folder"),
        (["solo", "--output", "none/x"], "cannot write 'none/x': there is no folder 'none'"),
        (["solo", "--output", "x" * 300], "cannot write"),
    ],
)
def test_bad_input_is_one_message(arguments, said, run, tmp_path):
    refused(run("rules", *arguments), said)
    assert list(tmp_path.iterdir()) == []


def test_usage_errors(run):
    for arguments in (["--no-such"], ["--format", "xml"], ["--set"]):
        process = run("rules", *arguments)
        assert process.returncode == 2
        assert "Traceback" not in process.stderr


def test_an_output_file_is_replaced_whole(run, tmp_path):
    target = tmp_path / "rules.txt"
    target.write_text("old")
    target.chmod(0o640)
    run("rules", "--output", "rules.txt")
    assert target.read_text(encoding="utf-8").startswith("Rules ")
    assert target.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [target]


def test_an_output_that_is_a_link_writes_what_it_points_to(run, tmp_path):
    (tmp_path / "real.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to("real.txt")
    run("rules", "--output", "link.txt")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text(encoding="utf-8").startswith("Rules ")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_and_a_reader_that_leaves(tmp_path):
    with Path("/dev/full").open("w") as full:
        process = subprocess.run(
            [*COMMAND, "rules"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert process.returncode == 2
    assert process.stderr == "error: cannot write to standard output: No space left on device\n"
    reading, writing = os.pipe()
    os.close(reading)
    process = subprocess.run(
        [*COMMAND, "rules"], stdout=writing, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(writing)
    assert process.stderr == ""


def test_ctrl_c_ends_with_130_and_no_traceback():
    code = (
        "import pitchsim_cli.rules\n"
        "def stop(*_): raise KeyboardInterrupt\n"
        "pitchsim_cli.rules.write_text = stop\n"
        "from pitchsim_cli.app import main\n"
        "main()"
    )
    process = subprocess.run(
        [sys.executable, "-c", code, "rules"], capture_output=True, text=True, check=False
    )
    assert process.returncode == 130
    assert "Traceback" not in process.stderr


def test_a_terminal_without_a_sign_shows_its_number(run, tmp_path):
    (tmp_path / "own.toml").write_text('title = "♠ first"', encoding="utf-8")
    said = run("rules", "own.toml", PYTHONIOENCODING="ascii").stdout
    assert said.startswith("own\n\n\\u2660 first\n")


def test_defaults_come_from_files_and_the_environment_in_order(run, tmp_path):
    def first_target(**variables):
        said = run("rules", "solo", "--json", *variables.pop("typed", ()), **variables)
        return json.loads(said.stdout)["target"]

    user = tmp_path / "pitchsim" / "pitchsim.toml"
    user.parent.mkdir()
    user.write_text('set = "target=11"\n', encoding="utf-8")
    assert first_target() == 11
    (tmp_path / "pitchsim.toml").write_text('set = ["target=12"]\n', encoding="utf-8")
    assert first_target() == 12
    (tmp_path / "pitchsim.toml").write_text('[rules]\nset = ["target=13"]\n', encoding="utf-8")
    assert first_target() == 13
    assert first_target(PITCHSIM_SET="target=14") == 14
    assert first_target(PITCHSIM_SET="target=14", PITCHSIM_RULES_SET="target=15") == 15
    assert first_target(PITCHSIM_SET="target=14", typed=["--set", "target=16"]) == 16


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("sett = 1", "there is no option 'sett'; did you mean 'set'?"),
        ("[ruels]\n", "there is no command 'ruels'; did you mean 'rules'?"),
        ("[rules]\nsett = 1", "there is no option of rules 'sett'"),
        ("set = ", "not TOML"),
        ("set = 3", "'3' is not a setting"),
        ("set = ['low_to=nobody']", "low_to = 'nobody'"),
    ],
)
def test_a_bad_configuration_file_is_one_message(text, said, run, tmp_path):
    (tmp_path / "pitchsim.toml").write_text(text, encoding="utf-8")
    refused(run("rules", "solo"), said)


def test_a_configuration_file_that_is_not_text(run, tmp_path):
    (tmp_path / "pitchsim.toml").write_bytes(b"\xff\xfe")
    refused(run("rules"), "expected UTF-8 text")


def test_few_bids_are_named_one_by_one(run):
    def bids(name, *settings):
        words = " ".join(run("rules", name, *settings).stdout.split())
        return words.partition("The bids are ")[2].partition(".")[0]

    assert bids("four-point") == "2, 3 and smudge"
    assert bids("partners") == "2 to 4 and smudge"
    assert bids("four-point", "--set", "smudge=none") == "2 to 4"
