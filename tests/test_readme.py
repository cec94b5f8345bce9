"""The README shows what really comes out."""

import doctest
import re
import shlex
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


@pytest.mark.parametrize("block", [text for text in blocks("console") if text.startswith("$ ")])
def test_what_is_shown_comes_out(pitchsim, block):
    command, _, shown = block.partition("\n")
    out = run(pitchsim, command.removeprefix("$ ")).out
    assert out.startswith(shown.removesuffix("…\n").strip())


def test_every_command_that_is_shown_works(pitchsim, tmp_path):
    (toml,) = blocks("toml")
    (tmp_path / "our-table.toml").write_text(toml, encoding="utf-8")
    lines = [line for block in blocks("console") for line in block.splitlines()]
    commands = [line.partition("#")[0] for line in lines if line.startswith("pitchsim ")]
    assert len(commands) >= 13
    for command in commands:
        words, _, file = command.partition(">")
        finished = run(pitchsim, words)
        if file:
            (tmp_path / file.strip()).write_text(finished.out, encoding="utf-8")
