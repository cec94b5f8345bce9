"""The reference of the commands is that of the commands there are."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pitchsim_cli.app import COMMANDS, TABLE_COMMANDS
from pitchsim_cli.reference import REMAKE, reference

PAGE = Path(__file__).parent.parent / "cli" / "COMMANDS.md"


def test_the_page_is_current():
    current = PAGE.read_text(encoding="utf-8") == reference()
    assert current, f"cli/COMMANDS.md is not of these commands; remake it: {REMAKE}"


def test_every_command_stands_in_it_with_its_example():
    page = reference()
    for command, example in (*COMMANDS, *TABLE_COMMANDS):
        assert f"\n{example}\n" in page
        assert page.count(f"# pitchsim {example.split(' | ')[-1].split()[1]}\n") == 1, command


@pytest.mark.parametrize("surroundings", [{"COLUMNS": "40"}, {"PITCHSIM_RULES": "solo"}])
def test_nothing_around_it_changes_it(tmp_path, surroundings):
    (tmp_path / "pitchsim.toml").write_text('play = "random"\n', encoding="utf-8")
    made = subprocess.run(
        [sys.executable, "-m", "pitchsim_cli.reference"],
        cwd=tmp_path,
        env={**os.environ, **surroundings, "XDG_CONFIG_HOME": str(tmp_path)},
        capture_output=True,
        check=True,
    )
    assert made.stdout.decode() == reference()
