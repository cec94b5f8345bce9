"""The README shows what really comes out."""

import doctest
import re
import shlex
from pathlib import Path

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


def test_the_hand_at_the_top(pitchsim):
    (text,) = [block for block in blocks("console") if block.startswith("$ ")]
    command, _, shown = text.partition("\n")
    finished = pitchsim(*shlex.split(command.removeprefix("$ pitchsim ")))
    assert finished.out.startswith(shown.removesuffix("…\n").strip())


def test_every_command_that_is_shown_works(pitchsim, tmp_path):
    (toml,) = blocks("toml")
    (tmp_path / "our-table.toml").write_text(toml, encoding="utf-8")
    lines = [line for block in blocks("console") for line in block.splitlines()]
    commands = [line.partition("#")[0] for line in lines if line.startswith("pitchsim ")]
    assert len(commands) >= 12
    for command in commands:
        words, _, file = command.partition(">")
        finished = pitchsim(*shlex.split(words)[1:])
        assert (finished.status, finished.err) == (0, ""), command
        if file:
            (tmp_path / file.strip()).write_text(finished.out, encoding="utf-8")
