"""The guides show what really comes out, and name what there is."""

import doctest
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from pitchsim_cli.reference import reference

ROOT = Path(__file__).parent.parent
NAMES = (
    "cli/HAND.md",
    "cli/TABLES.md",
    "cli/REPORTS.md",
    "pitchsim/STATISTICS.md",
    "pitchsim/PLAYS.md",
)
PAGES = [ROOT / name for name in NAMES]


def blocks(page, language):
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


def shown():
    """Give the commands that are shown with what comes out, each with the lines of it."""
    for page in PAGES:
        for block in blocks(page, "console"):
            if block.startswith("$ "):
                command, _, out = block.removeprefix("$ ").partition("\n")
                yield pytest.param(command, out, id=f"{page.name}: {command}")


@pytest.fixture(scope="module")
def folder(warm, tmp_path_factory):
    """Make what the guides say that there is: the files that they show, and their tables."""
    folder = tmp_path_factory.mktemp("guides")
    main = [sys.executable, "-c", "from pitchsim_cli.app import main; main()"]
    for page in PAGES:
        for text in blocks(page, "(?:toml|text)"):
            if name := re.match(r"# (\S+\.\w+)\n", text):
                (folder / name[1]).write_text(text, encoding="utf-8")
        for block in blocks(page, "console"):
            command = block.removeprefix("$ ").partition("\n")[0]
            if " --output " in command:
                subprocess.run([*main, *shlex.split(command)[1:]], cwd=folder, check=True)
    return folder


@pytest.fixture
def there(folder, tmp_path, monkeypatch):
    """Be in a folder with what the guides say that there is."""
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(("command", "out"), list(shown()))
def test_what_is_shown_comes_out(pitchsim, there, command, out):
    finished = pitchsim(*shlex.split(command)[1:])
    if out.startswith("error: "):
        assert finished == (2, "", out)
        return
    assert (finished.status, finished.err) == (0, "")
    around = map(re.escape, out.split("…\n"))  # which stands for any number of lines
    assert re.fullmatch(r"(?:.*\n)*?".join(around), finished.out), finished.out


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_the_python_examples(there, page):
    text = "\n".join(blocks(page, "python"))
    examples = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    results = doctest.DocTestRunner().run(examples)
    assert results.attempted > 0
    assert results.failed == 0


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_there_are_such_commands_and_options(page):
    sections = dict(re.findall(r"^##+ (pitchsim .*?)\n(.*?)(?=^##)", reference(), re.M | re.DOTALL))
    for line in "".join(blocks(page, "sh")).splitlines():
        for command in line.partition("#")[0].split(" | "):
            if command.startswith("pitchsim "):
                name = max((name for name in sections if f"{command} ".startswith(name)), key=len)
                for option in re.findall(r" (--?[a-z][a-z-]*)", command):
                    assert f"`{option}`" in sections[name], command


@pytest.mark.parametrize("name", [*NAMES, "README.md", "cli/COMMANDS.md"])
def test_what_is_linked_is_there(name):
    page = ROOT / name
    for link in re.findall(r"\]\((?!https?:)([^)\s]+)\)", page.read_text(encoding="utf-8")):
        place, _, heading = link.partition("#")
        linked = page.parent / place if place else page
        assert linked.exists(), link
        if heading:
            titles = re.findall(r"^#+ (.*)$", linked.read_text(encoding="utf-8"), re.M)
            anchors = [re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles]
            assert heading in anchors, link
