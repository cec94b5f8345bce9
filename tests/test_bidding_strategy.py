"""Strategies by name, from files and one's own."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from bidding import BASIC, at
from builttables import build_table, study_of

from pitchsim.bidding.auction import Contracts
from pitchsim.bidding.bidders import undecided
from pitchsim.bidding.biddingrules import AlwaysPass, AtRandom, Margin, PointCount, Threshold
from pitchsim.bidding.holdings import Holdings
from pitchsim.bidding.playing import Player
from pitchsim.bidding.sources import WorthSource
from pitchsim.bidding.strategy import (
    Strategy,
    find_strategy,
    load_strategy_file,
    strategy_names,
    strategy_text,
)
from pitchsim.errors import StrategyError, StudyError
from pitchsim.matches.matching import plan_matches, play_matches
from pitchsim.presets import load_preset, preset_names


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Write a file, `mine.toml`, in an empty folder, and read it."""
    monkeypatch.chdir(tmp_path)

    def write(text):
        Path("mine.toml").write_text(text, encoding="utf-8")
        return load_strategy_file("mine.toml")

    return write


def test_what_comes_with_it():
    assert strategy_names() == (
        *("cautious", "standard", "bold", "point-count"),
        *("always-pass", "random"),
    )
    rules = [type(find_strategy(name).bidding) for name in strategy_names()]
    assert rules == [Threshold, Margin, Threshold, PointCount, AlwaysPass, AtRandom]
    for name in strategy_names():
        strategy = find_strategy(name)
        assert (strategy.name, strategy.player) == (name, Player("basic"))
        assert 20 < len(strategy.title) < 100
        assert find_strategy(f" {name.upper().replace('-', '_')}") is strategy


@pytest.mark.parametrize("name", strategy_names())
def test_a_copy_is_the_same(written, name):
    copied = written(strategy_text(name))
    assert copied == replace(find_strategy(name), name="mine")
    assert find_strategy("mine.toml") == copied
    assert find_strategy(Path.cwd() / "mine.toml") == copied


@pytest.mark.parametrize("preset", preset_names())
@pytest.mark.parametrize("name", ["point-count", "always-pass", "random"])
def test_those_without_a_table_fit_every_preset(preset, name):
    find_strategy(name).bidding.bidder(at(preset), BASIC)


def test_all_that_may_stand_in_a_file(written, tmp_path):
    build_table(tmp_path / "t.parquet", study_of("holding"))
    bidding = "rule = 'threshold'\nchance = 0.7\n"
    strategy = written(
        "name = 'Tante Jos'\ntitle = 'zij weet het'\nplay = 'expert'\nworlds = 20\n"
        f"[bidding]\n{bidding}table = 't.parquet'\n"
    )
    assert strategy == Strategy(
        "Tante Jos",
        Threshold(0.7, WorthSource(Path("t.parquet"))),
        Player("expert", 20),
        "zij weet het",
    )
    assert written(f"[bidding]\n{bidding}deals = 50").bidding.source == WorthSource(None, 50)
    assert written("[bidding]\nrule = 'margin'\nedge = -0.5").bidding == Margin(-0.5)
    assert written("[bidding]\nrule = 'random'").bidding == AtRandom(0.5)
    assert written("[bidding]\nrule = 'random'\npasses = 1").bidding == AtRandom(1.0)
    assert written("play = 'random'\n[bidding]\nrule = 'always-pass'") == Strategy(
        "mine", AlwaysPass(), Player("random")
    )
    assert written(
        "[bidding]\nrule = 'points'\nguards = 2\na_point = 0.9\nsmudge = 1.1\n"
        "trumps = { A = 1, guarded_jack = 0.5, prize = 0.2, each = 0.1 }\nside = { A = 0.1 }"
    ).bidding == PointCount(
        {"A": 1.0, "guarded_jack": 0.5, "prize": 0.2, "each": 0.1}, {"A": 0.1}, 2, 0.9, 1.1
    )


THRESHOLD = "[bidding]\nrule = 'threshold'\n"
POINTS = "[bidding]\nrule = 'points'\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bidding = [", "not TOML: "),
        ("", r"it has no table \[bidding\]: expected one with a rule, points, threshold, margin, "),
        ("bidding = 3", "bidding = 3 is not possible: it may be a table"),
        ("[bidding]\n", "bidding.rule is missing: expected points, threshold, margin"),
        (
            "[bidding]\nrule = 'treshold'",
            "'treshold' is not .*; did you mean 'threshold'",
        ),
        ("[bidding]\nrule = 3", "bidding.rule = 3 is not possible: it may be printable text"),
        (THRESHOLD, "bidding.chance is missing: expected a number, 0 to 1"),
        (THRESHOLD + "chance = 1.5", "bidding.chance = 1.5 is not possible: it may be a number, 0"),
        (THRESHOLD + "chance = nan", "bidding.chance = nan is not possible"),
        (THRESHOLD + "chance = true", "bidding.chance = True is not possible"),
        (THRESHOLD + "chance = '0.5'", "bidding.chance = '0.5' is not possible"),
        (THRESHOLD + "chance = 0.5\nedge = 1", "there is no 'bidding.edge'; expected rule, chance"),
        (THRESHOLD + "chance = 0.5\ndeal = 9", "there is no 'bidding.deal'; did you mean 'deals'"),
        (
            THRESHOLD + "chance = 0.5\ndeals = 0",
            "bidding.deals = 0 is not possible: it may",
        ),
        (THRESHOLD + "chance = 0.5\ntable = 't.parquet'", "'t.parquet': there is no file 't.parq"),
        (THRESHOLD + "chance = 0.5\ntable = 't'\ndeals = 9", "table and bidding.deals do not go"),
        ("[bidding]\nrule = 'margin'\nedge = inf", "bidding.edge = inf is not possible"),
        ("[bidding]\nrule = 'random'\npasses = 2", "bidding.passes = 2 is not possible"),
        ("[bidding]\nrule = 'always-pass'\nx = 1", "there is no 'bidding.x'; expected rule"),
        (POINTS, "bidding.trumps is missing: expected a table of what each trump counts"),
        (POINTS + "trumps = 3", "bidding.trumps = 3 is not possible: it may be a table"),
        (POINTS + "trumps = { B = 1 }", "there is no 'bidding.trumps.B'; expected 2, 3, 4, "),
        (POINTS + "trumps = { jack = 1 }", "'bidding.trumps.jack'; did you mean 'guarded_jack'"),
        (
            POINTS + "trumps = { A = 'x' }",
            "bidding.trumps.A = 'x' is not possible: it may be a num",
        ),
        (POINTS + "trumps = { A = 1 }\nside = { each = 1 }", "there is no 'bidding.side.each'"),
        (POINTS + "trumps = { A = 1 }\na_point = 0", "bidding.a_point = 0 is not possible"),
        (POINTS + "trumps = { A = 1 }\nguards = 6", "bidding.guards = 6 is not possible"),
        (
            "plays = 'basic'\n" + THRESHOLD + "chance = 1",
            "no 'plays'; did you mean 'play'",
        ),
        ("play = 'basik'\n" + THRESHOLD + "chance = 1", "play = 'basik' .*; did you mean 'basic'?"),
        ("play = 'double-dummy'\n" + THRESHOLD + "chance = 1", "which plays for one side: it may"),
        ("worlds = 9\n" + THRESHOLD + "chance = 1", "worlds = 9 is of no use to basic play"),
        (
            "worlds = 'x'\n" + THRESHOLD + "chance = 1",
            "worlds = 'x' is not possible: it may be",
        ),
        (
            "name = ''\n" + THRESHOLD + "chance = 1",
            "name = '' is not possible: it may be",
        ),
        ('name = "a\\nb"\n' + THRESHOLD + "chance = 1", "it may be printable text"),
        (f"name = '{'x' * 41}'\n" + THRESHOLD + "chance = 1", "it may be at most 40 letters long"),
        (
            f"title = '{'x' * 201}'\n" + THRESHOLD + "chance = 1",
            "it may be at most 200 letters long",
        ),
    ],
)
def test_what_may_not_stand_in_a_file(written, text, message):
    with pytest.raises(StrategyError, match=f"^strategy file 'mine.toml': .*{message}"):
        written(text)


def test_no_such_strategy(tmp_path):
    with pytest.raises(StrategyError, match="no strategy 'bould'; did you mean 'bold'"):
        find_strategy("bould")
    with pytest.raises(StrategyError, match="no strategy 'x'; there are cautious, standard, bold"):
        find_strategy("x")
    with pytest.raises(StrategyError, match="no strategy 'x'"):
        strategy_text("x")
    with pytest.raises(StrategyError, match=r"strategy file 'x.toml': No such file"):
        find_strategy("x.toml")
    with pytest.raises(StrategyError, match=r"strategy file '.*': Is a directory"):
        find_strategy(tmp_path)


@pytest.mark.parametrize(
    ("name", "player", "message"),
    [
        ("", BASIC, "name = '' is not possible"),
        ("\x1b[1m", BASIC, "name = .* is not possible: it may be printable text"),
        (7, BASIC, "name = 7 is not possible"),
        ("x", Player("expert", 0), "worlds 0 is not possible"),
        ("x", Player("best"), "play = 'best' is not possible for a strategy"),
    ],
)
def test_no_such_strategy_of_ones_own(name, player, message):
    with pytest.raises((StrategyError, StudyError), match=message):
        Strategy(name, AlwaysPass(), player)


@dataclass(frozen=True)
class LongSuits:
    """A rule of one's own: bids 3 on so many trumps, and 2 on one fewer."""

    trumps: int = 4
    illegal_at: int = 99
    wrong_lead: bool = False

    def bidder(self, playing, _player):
        return LongSuitsBidder(self, Holdings(playing.rules), playing.ladder)


@dataclass(frozen=True)
class LongSuitsBidder:
    rule: LongSuits
    holdings: Holdings
    ladder: object

    def call(self, turn):
        longest = np.bitwise_count(self.holdings.of(turn.hands)).max(axis=0).astype(int)
        wanted = np.select([longest >= self.rule.trumps, longest == self.rule.trumps - 1], [2, 1])
        may = turn.legal[np.arange(len(wanted)), wanted]
        calls = np.where(may, wanted, turn.legal.argmax(axis=1))
        return calls + 99 * (turn.place == self.rule.illegal_at)

    def contract(self, hands, _calls, _numbers):
        trumps = np.bitwise_count(self.holdings.of(hands)).argmax(axis=0)
        contracts = undecided(trumps)
        if self.rule.wrong_lead:
            return Contracts(contracts.trumps, contracts.leads + 1, contracts.chances)
        return contracts


def meet(*bidding, preset="partners"):
    rules = load_preset(preset)
    strategies = [Strategy(f"number {place}", rule) for place, rule in enumerate(bidding)]
    return play_matches(plan_matches(strategies, rules, rules.seating(), hands=400, seed=7))


def test_a_rule_of_ones_own_meets_others():
    result = meet(LongSuits(), LongSuits(5), AlwaysPass())
    levels = result.levels.set_index(["strategy", "bid"]).hands
    assert levels["number 0", "3"] > levels["number 1", "3"] > 0
    assert levels["number 2", "3"] == 0
    assert result.calibration.empty


def test_one_that_bids_illegally_is_refused_by_name():
    with pytest.raises(
        StrategyError,
        match=r"^strategy 'number 1': LongSuitsBidder bids illegally: with .* after pass and pass "
        r"it says \d+; expected pass, 2, 3, 4 or smudge$",
    ):
        meet(AlwaysPass(), LongSuits(9, illegal_at=2))


def test_one_that_leads_what_it_does_not_hold_is_refused():
    with pytest.raises(StrategyError, match="'number 0': LongSuitsBidder pitches illegally: with"):
        meet(LongSuits(wrong_lead=True), AlwaysPass())
