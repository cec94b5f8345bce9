from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitchsim.errors import RulesError
from pitchsim.presets import (
    as_preset,
    diff,
    find_rules,
    load_preset,
    load_rules_file,
    named_options,
    preset_names,
    read_settings,
)
from pitchsim.rules import Rules
from pitchsim.wording import explain

# What the rule pages say: players, whether as two sides, the bids, and the fields that matter.
PAGES = {
    "setback": (
        "2-7",
        True,
        "1 2 3 4",
        {
            "low_to": "holder",
            "game_tie": "pitcher",
            "void_play": "must_trump",
            "forced_bid": None,
            "dealer_steals": "no",
            "target": 11,
            "finish": "pitcher_first",
        },
    ),
    "partners": (
        "4",
        True,
        "2 3 4 smudge",
        {
            "low_to": "captor",
            "game_tie": "nobody",
            "void_play": "free",
            "smudge": "all_tricks",
            "smudge_value": 5,
            "dealer_steals": "any",
            "forced_bid": 2,
            "target": 21,
            "finish": "made_bid",
        },
    ),
    "solo": (
        "3-7",
        False,
        "1 2 3 4",
        {
            "low_to": "captor",
            "game_tie": "nobody",
            "void_play": "free",
            "forced_bid": 2,
            "dealer_steals": "below_max",
            "target": 7,
            "finish": "as_pitcher",
        },
    ),
    "four-point": (
        "2-7",
        True,
        "2 3 smudge",
        {
            "low_to": "captor",
            "game_tie": "nobody",
            "void_play": "free",
            "smudge": "all_points",
            "smudge_success": "double",
            "smudge_failure": "bid",
            "target": 11,
            "finish": "made_bid",
        },
    ),
    "five-point": ("2-7", True, "2 3 4 smudge", {"points.off_jack": 1, "jokers": 0}),
    "six-point": ("2-7", True, "2 3 4 5 smudge", {"jokers": 2, "points.joker": 1}),
    "seven-point": (
        "2-7",
        True,
        "2 3 4 5 6 smudge",
        {"jokers": 2, "points.joker": 1, "points.off_jack": 1},
    ),
    "nine-point": (
        "2-7",
        True,
        "2 3 4 5 6 7 8 smudge",
        {"jokers": 1, "points.joker": 1, "points.off_jack": 1, "points.trump_three": 3},
    ),
    "ten-point": (
        "2-7",
        True,
        "2 3 4 5 6 7 8 9 smudge",
        {"jokers": 2, "points.joker": 1, "points.off_jack": 1, "points.trump_three": 3},
    ),
    "auction": (
        "3-4",
        False,
        "2 3 4",
        {
            "low_to": "holder",
            "game_tie": "nobody",
            "void_play": "free",
            "forced_bid": None,
            "target": 11,
            "finish": "pitcher_first",
        },
    ),
    "pedro": (
        "4",
        True,
        "2 3 4 5 6 7 8 9",
        {"points.trump_five": 2, "points.off_five": 3, "low_to": "captor"},
    ),
    "ace-of-hearts": (
        "2-7",
        True,
        "1 2 3 4 5",
        {
            "secondary_trump": "hearts",
            "points.ace_of_hearts": 1,
            "low_to": "holder",
            "void_play": "must_trump",
        },
    ),
}


def test_the_presets_are_those_of_the_pages():
    assert preset_names() == tuple(PAGES)


@pytest.mark.parametrize("name", PAGES)
def test_a_preset_plays_as_its_page_says(name):
    players, partners, bids, fields = PAGES[name]
    rules = load_preset(name)
    assert rules.changed({"players": players}) == rules
    assert rules.default_players == 4
    assert rules.partners is partners
    assert rules.bids == tuple(bids.split())
    assert rules.as_dict().items() >= fields.items()


@pytest.mark.parametrize("name", PAGES)
def test_a_preset_tells_its_reading_and_explains_itself(name):
    rules = load_preset(name)
    assert rules.name == name
    assert 20 < len(rules.title) <= 65
    assert len(rules.description) > 100
    sections = explain(rules)
    assert [section.heading for section in sections] == [
        "Deal",
        "Auction",
        "Play",
        "Points",
        "Score",
    ]
    assert all(sentence[-1] in ".:" for section in sections for sentence in section.sentences)


def test_the_wider_presets_differ_from_four_point_only_in_cards_and_points():
    for name in ("five-point", "six-point", "seven-point", "nine-point", "ten-point"):
        changed = {field for field, _, _ in diff(load_preset("four-point"), load_preset(name))}
        assert changed <= {"jokers", "points.off_jack", "points.joker", "points.trump_three"}
    changed = {field for field, _, _ in diff(load_preset("setback"), load_preset("ace-of-hearts"))}
    assert changed == {"secondary_trump", "points.ace_of_hearts"}


def test_an_unknown_preset_suggests_the_nearest():
    with pytest.raises(RulesError, match="'partnrs'; did you mean 'partners'"):
        load_preset("partnrs")
    with pytest.raises(RulesError, match="there are setback, partners"):
        find_rules("whist!")


def test_a_preset_is_found_however_it_is_written():
    assert find_rules(" Ten_Point ") == load_preset("ten-point")


@pytest.mark.parametrize("option", named_options())
@pytest.mark.parametrize("name", PAGES)
def test_every_option_goes_with_every_preset_but_draw_with_pitched_trump(name, option):
    settings = ["declared-trump", option] if option == "draw" else [option]
    rules = load_preset(name).changed(read_settings(settings))
    assert explain(rules)
    if option == "draw":
        with pytest.raises(RulesError, match="draw = yes needs trump_choice = declared"):
            load_preset(name).changed(read_settings(["draw"]))


def test_what_the_options_stand_for():
    shoot = load_preset("setback").changed(read_settings(["Shoot_The_Moon"]))
    assert shoot.bids == ("1", "2", "3", "smudge")
    assert (shoot.smudge_success, shoot.smudge_failure) == ("wins_game", "loses_game")
    countdown = load_preset("solo").changed(read_settings(["countdown", "target=15"]))
    assert (countdown.countdown, countdown.target) == (True, 15)


def test_a_word_that_is_no_setting_suggests_the_nearest():
    with pytest.raises(RulesError, match="'cutthroad' is not a setting; did you mean 'cutthroat'"):
        read_settings(["cutthroad"])


def write(folder, text, name="table.toml"):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_a_file_of_ones_own_extends_a_preset(tmp_path):
    path = write(
        tmp_path,
        """
        extends = "partners"
        title = "Friday nights"
        target = 15
        forced_bid = "none"
        [points]
        off_jack = 1
        """,
    )
    rules = find_rules(str(path))
    assert (rules.name, rules.title) == ("table", "Friday nights")
    assert as_preset(rules) == ("partners", {"forced_bid": None, "target": 15, "off_jack": 1})
    name, changes = as_preset(rules)
    assert load_preset(name).changed(changes).as_dict() == rules.as_dict()


def test_a_file_without_extends_is_the_plain_game(tmp_path):
    assert find_rules(str(write(tmp_path, "target = 11"))).as_dict() == Rules().as_dict()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it is empty; expected fields of a rule set"),
        ("target = ", "not TOML"),
        ("extends = 'our.toml'", "it may be the name of a preset, not a file"),
        ("target = 'x'", "target = 'x'"),
        ("tagret = 3", "did you mean 'target'"),
        ("extends = 'partner'", "did you mean 'partners'"),
        ("extends = 3", "extends = 3"),
        ("title = 3", "title = 3"),
        ("name = ' '", "name = ' '"),
        ("points = 3", "points = 3"),
        ("[points]\nhigh = 'x'", "points.high = 'x'"),
        ("draw = true", "draw = yes needs"),
        (b"target = 3 # \xff", "expected UTF-8 text, found byte 0xff"),
        ("x = " + "[" * 5000, "not TOML"),
        ("target = " + "9" * 5000, "not TOML"),
    ],
)
def test_a_bad_file_is_one_message_that_names_it(tmp_path, text, said):
    path = write(tmp_path, text)
    with pytest.raises(RulesError) as error:
        load_rules_file(path)
    message = str(error.value)
    assert said in message
    assert "rules file" in message
    assert len(message.splitlines()) == 1


def test_a_file_that_starts_with_a_byte_order_mark(tmp_path):
    path = tmp_path / "marked.toml"
    path.write_bytes(b'\xef\xbb\xbfextends = "solo"\n')
    assert load_rules_file(path).target == 7


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"#" * 1_000_001, "larger than 1,000,000 bytes"),
        (b'name = "\\u001b[31mred"', "it may be printable text"),
        (b'name = "' + b"x" * 41 + b'"', "it may be at most 40 letters long"),
    ],
)
def test_a_file_that_is_no_rule_file_of_a_person(tmp_path, content, said):
    path = tmp_path / "rules.toml"
    path.write_bytes(content)
    with pytest.raises(RulesError, match=said):
        load_rules_file(path)


def test_a_file_that_is_not_there(tmp_path):
    for path in (tmp_path / "none.toml", tmp_path, "no\0where.toml"):
        with pytest.raises(RulesError, match="rules file"):
            load_rules_file(path)


lines = st.sampled_from(
    ["extends = 'solo'", "target = 3", "players = [4]", "[points]", "high = 2", "jokers = 1"]
)


@given(st.text() | st.binary() | st.lists(lines | st.text(max_size=15)).map("\n".join))
def test_any_file_is_rules_or_a_rules_error(tmp_path_factory, text):
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    path = write(tmp_path_factory.getbasetemp(), data)
    with suppress(RulesError):
        assert load_rules_file(path).total


@given(st.text())
def test_any_name_is_rules_or_a_rules_error(name):
    with suppress(RulesError):
        assert find_rules(name).total
