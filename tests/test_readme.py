"""The README shows what really comes out."""

import doctest
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pitchsim

README = Path(__file__).parent.parent / "README.md"


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


def test_the_python_examples():
    (text,) = blocks("python")
    examples = doctest.DocTestParser().get_doctest(text, {}, "README", str(README), 0)
    results = doctest.DocTestRunner().run(examples)
    assert results.attempted >= 4
    assert results.failed == 0


def test_the_modules_examples():
    assert doctest.testmod(pitchsim).failed == 0
    assert doctest.testmod(pitchsim.evaluation).failed == 0


def run(pitchsim, command):
    """Run a command as a shell does, one piping into the next."""
    finished, text = None, ""
    for part in command.split(" | "):
        finished = pitchsim(*shlex.split(part)[1:], text=text)
        assert (finished.status, finished.err) == (0, ""), command
        text = finished.out
    return finished


#: What the README says that there is.
HANDS = "AS JS TS 5S KH 2D\nTS 9S 6S 5H QD JC\n2S AD 4D 3D JC 7C\n"


def commands():
    """Give the commands that are shown without what comes out."""
    lines = [line for block in blocks("console") for line in block.splitlines()]
    return [line.partition("#")[0] for line in lines if line.startswith("pitchsim ")]


def makes_a_table(command):
    return command.startswith("pitchsim table --")


@pytest.fixture(scope="module")
def tables(warm, tmp_path_factory):
    """The folder in which the commands that make tables were run: they say much as they go."""
    folder = tmp_path_factory.mktemp("tables")
    main = [sys.executable, "-c", "from pitchsim_cli.app import main; main()"]
    for command in filter(makes_a_table, commands()):
        subprocess.run([*main, *shlex.split(command)[1:]], cwd=folder, check=True)
    return folder


@pytest.fixture
def pitchsim_there(pitchsim, tables, tmp_path):
    """Run the command in a folder that has what the README says that there is."""
    (tmp_path / "hands.txt").write_text(HANDS, encoding="utf-8")
    shutil.copytree(tables, tmp_path, dirs_exist_ok=True)
    return pitchsim


@pytest.mark.parametrize("block", [text for text in blocks("console") if text.startswith("$ ")])
def test_what_is_shown_comes_out(pitchsim_there, block):
    command, _, shown = block.partition("\n")
    out = run(pitchsim_there, command.removeprefix("$ ")).out
    assert out.startswith(shown.removesuffix("…\n").strip())


def test_every_command_that_is_shown_works(pitchsim_there, tmp_path):
    (toml,) = blocks("toml")
    (tmp_path / "our-table.toml").write_text(toml, encoding="utf-8")
    assert len(commands()) >= 15
    for command in commands():
        if makes_a_table(command):
            continue
        words, _, file = command.partition(">")
        finished = run(pitchsim_there, words)
        if file:
            (tmp_path / file.strip()).write_text(finished.out, encoding="utf-8")
