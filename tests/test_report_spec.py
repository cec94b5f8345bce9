"""What a report is asked for: read from a file, or refused in one message."""

import re

import pytest
from pitchsim_reports.report.spec import SpecError, example_text, read_spec

from pitchsim.matches.matching import MOST_GAMES, MOST_HANDS
from pitchsim.running import MOST_DEALS

RULES = "[[rules]]\nname = 'partners'\n"
HANDS = "[hands]\nrandom = 20\n"
MATCH = "[match]\nstrategies = ['cautious', 'bold']\nhands = 100\n"
WHOLE = f"title = 'Ours'\n{{}}\n{RULES}{HANDS}{MATCH}"


@pytest.fixture
def read(tmp_path):
    """Read a specification that is written into a file."""

    def reading(text):
        path = tmp_path / "spec.toml"
        path.write_text(text, encoding="utf-8")
        return read_spec(path)

    return reading


def test_example_is_a_specification(read):
    spec = read(example_text())
    assert spec.title
    assert [one.label for one in spec.rules] == ["partners", "setback"]
    assert spec.hands is not None
    assert spec.match is not None
    assert len(spec.match.strategies) == 3


def test_every_key_of_a_specification_is_in_the_example():
    keys = set(re.findall(r"^(?:# )?(\w+) = ", example_text(), re.MULTILINE))
    assert keys >= {"title", "subtitle", "author", "seed", "play", "name", "players", "partners"}
    assert keys >= {"set", "label", "random", "deals", "strategies", "hands", "show"}
    assert 'file = "' in example_text()
    assert "games = " in example_text()


def test_labels_say_what_is_changed(read):
    text = (
        "title = 'x'\n[[rules]]\nname = 'partners'\nset = ['target=15']\n"
        f"[[rules]]\nname = 'setback'\nplayers = 3\n{HANDS}"
    )
    spec = read(text)
    assert [one.label for one in spec.rules] == ["partners, target 15", "setback, 3 players alone"]
    assert spec.match is None


@pytest.mark.parametrize(("what", "most"), [("hands", MOST_HANDS), ("games", MOST_GAMES)])
def test_as_much_may_be_played_as_in_any_match(read, what, most):
    text = WHOLE.format("").replace("hands = 100", f"{what} = {{}}")
    assert getattr(read(text.format(most)).match, what) == most
    with pytest.raises(SpecError, match="is not possible"):
        read(text.format(most + 1))


@pytest.mark.parametrize("what", ["hands", "games"])
def test_an_odd_number_is_made_even_as_in_any_match(read, what):
    text = WHOLE.format("").replace("hands = 100", f"{what} = 301")
    assert getattr(read(text).match, what) == 302


def test_hands_may_be_dealt_as_often_as_in_any_batch(read):
    text = f"title = 'x'\n{RULES}{HANDS}deals = {{}}\n"
    assert read(text.format(MOST_DEALS)).hands.deals == MOST_DEALS
    with pytest.raises(SpecError, match="is not possible"):
        read(text.format(MOST_DEALS + 1))


def test_files_are_looked_for_beside_the_specification(read, tmp_path, monkeypatch):
    (tmp_path / "ours.toml").write_text("extends = 'partners'\nmin_bid = 1\n")
    (tmp_path / "hands.txt").write_text("AS JS TS 5S KH 2D\n")
    monkeypatch.chdir("/")
    text = "title = 'x'\n[[rules]]\nname = 'ours.toml'\n[hands]\nfile = 'hands.txt'\n"
    spec = read(text)
    assert spec.rules[0].rules.min_bid == 1
    assert spec.rules[0].label == "ours"
    assert spec.hands.file == tmp_path / "hands.txt"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (WHOLE.format("sedd = 7"), "there is no 'sedd'; did you mean 'seed'?"),
        (WHOLE.format("seed = '7'"), "seed = '7' is not possible"),
        (WHOLE.format("seed = -1"), "seed = -1 is not possible"),
        (WHOLE.format("play = 'basics'"), "no play 'basics'; did you mean 'basic'?"),
        (WHOLE.format("author = 3"), "author = 3 is not possible"),
        (WHOLE.format("author = 'a\\u0007'").replace("'a\\u0007'", '"a\\u0007"'), "printable"),
        (f"title = '{'x' * 300}'\n{RULES}{HANDS}", "200 letters long"),
        (f"title = ' '\n{RULES}{HANDS}", "not empty"),
        (f"{RULES}{HANDS}", "title is missing"),
        (f"title = 'x'\n{HANDS}", "rules is missing: expected tables headed [[rules]]"),
        (f"title = 'x'\nrules = 'partners'\n{HANDS}", "tables, each headed [[rules]]"),
        (f"title = 'x'\n{RULES}", "nothing to report on"),
        (f"title = 'x'\n{RULES}{RULES}{HANDS}", "rules 1 and 2 are both called 'partners'"),
        (f"title = 'x'\n{RULES}nmae = 2\n{HANDS}", "rules 1: nmae'; did you mean 'name'?"),
        (f"title = 'x'\n{RULES}players = 3\n{HANDS}", "rules 1: players = 3 is not possible"),
        (f"title = 'x'\n{RULES}partners = 1\n{HANDS}", "true or false"),
        (f"title = 'x'\n{RULES}set = ['targt=3']\n{HANDS}", "rules 1: there is no"),
        (f"title = 'x'\n{RULES}set = 'target=3'\n{HANDS}", "a list of texts"),
        ("title = 'x'\n[[rules]]\nname = 'partnrs'\n" + HANDS, "did you mean 'partners'?"),
        ("title = 'x'\n[[rules]]\nname = 'none.toml'\n" + HANDS, "none.toml"),
        (
            f"title = 'x'\n{RULES}[hands]\n",
            "found neither; expected either file, the name of one, or random",
        ),
        (f"title = 'x'\n{RULES}[hands]\nfile = 'no.txt'\n", "hands.file: there is no file"),
        (f"title = 'x'\n{RULES}[hands]\nrandom = 0\n", "hands.random = 0 is not possible"),
        (f"title = 'x'\n{RULES}{HANDS}deals = 2.5\n", "hands.deals = 2.5 is not possible"),
        (f"title = 'x'\n{RULES}[match]\nstrategies = ['bold']\nhands = 9\n", "at least two"),
        (f"title = 'x'\n{RULES}{MATCH}games = 9\n", "found both; expected either hands or games"),
        (f"title = 'x'\n{RULES}{MATCH.replace('cautious', 'bold')}", "'bold' is there twice"),
        (f"title = 'x'\n{RULES}{MATCH.replace('bold', 'bald')}", "did you mean 'bold'?"),
        (f"title = 'x'\n{RULES}{MATCH.replace('bold', 'b.toml')}", "b.toml"),
        ("title = ", "not TOML"),
    ],
)
def test_refused_in_one_message_that_names_the_file(read, text, told):
    with pytest.raises(SpecError) as refused:
        read(text)
    message = str(refused.value)
    assert told in message
    assert "spec.toml" in message
    assert "\n" not in message


def test_a_specification_that_is_not_there(tmp_path):
    with pytest.raises(SpecError, match=r"none\.toml.*No such file"):
        read_spec(tmp_path / "none.toml")
