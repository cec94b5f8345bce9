"""What strategies look up is what the table itself answers."""

import random
from contextlib import nullcontext

import numpy as np
import pytest
from builttables import build_table, study_of

from pitchsim.bidding import sources
from pitchsim.bidding.biddingrules import Margin, Threshold
from pitchsim.bidding.playing import Player, Playing
from pitchsim.bidding.sources import WorthSource
from pitchsim.bidding.worths import worths_in
from pitchsim.cards import ALL_CARDS, SUITS, full_deck
from pitchsim.errors import StrategyError, StudyError, TableError
from pitchsim.hands import mask_of
from pitchsim.presets import load_preset
from pitchsim.tables.bidtable import BidTable
from pitchsim.tables.making import TableMade
from pitchsim.tables.rows import ANY_LEAD, HandRows
from pitchsim.tables.store import TableStore
from pitchsim.tables.tablestudy import TableStudy

DRAW = {"trump_choice": "declared", "draw": True}


def holding_studies():
    for preset in ("partners", "pedro", "ace-of-hearts"):
        yield preset, {}
    yield "auction", DRAW
    yield "partners", {"forced_bid": 1}
    jokers = {"jokers": 2, "points.joker": 1, "joker_lead": "names"}
    yield "partners", jokers
    yield "five-point", {"secondary_trump": "hearts", "ace_of_hearts": 2}
    large = pytest.mark.long
    for preset, changes in (
        ("ten-point", {}),
        ("ten-point", {"secondary_trump": "hearts", "joker_rank": "lowest"}),
        ("nine-point", {"trump_choice": "declared"}),
    ):
        yield pytest.param(preset, changes, marks=large)


def assert_as_the_table_says(table, hands):
    """Hold chances, margins, trump suits and leads of hands at every bid against the table."""
    masks = np.array([mask_of(hand) for hand in hands], np.int64)
    worths = worths_in(table)
    answers = table.answers_to(hands)
    found = worths.worths(masks)
    assert found.chances.dtype == found.margins.dtype == np.float32
    np.testing.assert_allclose(found.margins, answers.margin, atol=1e-5)
    sure = np.isclose(found.chances, answers.at_best(answers.measures.make), atol=1e-6)
    assert sure.mean() > 0.999  # two options may come to the same margin
    options = answers.records.options
    for bid in range(found.margins.shape[1]):
        contracts = worths.contracts(masks, np.full(len(hands), bid + 1))
        for place in range(len(hands)):
            best = options[answers.best[place, bid]]
            lead = int(contracts.leads[place])
            chosen = (
                SUITS[contracts.trumps[place]],
                None if lead == ANY_LEAD else ALL_CARDS[lead],
            )
            if chosen != (best.trump, best.lead):  # then they are worth the same
                ((other,),) = [
                    [
                        number
                        for number, option in enumerate(options)
                        if answers.records.rows[number] == place
                        and (option.trump, option.lead) == chosen
                    ]
                ]
                gap = answers.measures.margin[other, bid] - answers.margin[place, bid]
                assert abs(gap) < 1e-5
            elif sure[place, bid]:
                made = answers.measures.make[answers.best[place, bid], bid]
                assert contracts.chances[place] == pytest.approx(made, abs=1e-6)


@pytest.mark.parametrize(("preset", "changes"), list(holding_studies()), ids=str)
def test_by_holding(tmp_path, preset, changes):
    rules = load_preset(preset).changed(changes)
    study = study_of("holding", preset)
    study = type(study)(rules, rules.seating(), "holding", seed=7)
    build_table(tmp_path / "t.parquet", study)
    rng = random.Random(preset)
    hands = [tuple(rng.sample(full_deck(rules.jokers), 6)) for _ in range(60)]
    with BidTable(tmp_path / "t.parquet") as table:
        assert_as_the_table_says(table, hands)


@pytest.mark.parametrize("preset", ["partners", "ten-point", "ace-of-hearts"])
def test_by_hand(tmp_path, monkeypatch, preset):
    monkeypatch.setattr(HandRows, "count", 600)
    study = study_of("hand", preset)
    build_table(tmp_path / "t.parquet", study)
    rng = random.Random(preset)
    hands = []
    for row in rng.sample(range(600), 60):
        text = study.rows.texts(row, row + 1)[0]
        names = rng.choice(study.rows.index.symmetries)  # called otherwise, and in any order
        cards = [card if card[1] == "J" else card[0] + names[card[1]] for card in text.split()]
        hands.append(tuple(rng.sample(cards, 6)))
    with BidTable(tmp_path / "t.parquet") as table:
        assert_as_the_table_says(table, hands)


@pytest.fixture
def place(tmp_path):
    build_table(tmp_path / "t.parquet", study_of("holding"))
    return tmp_path / "t.parquet"


@pytest.mark.parametrize("rule", [Threshold(0.5), Margin()])
def test_a_table_of_ones_own_is_read(place, rule):
    source = WorthSource(place)
    rules = load_preset("partners").changed({"target": 15, "dealer_steals": "no"})
    playing = Playing(rules, rules.seating(), 1)
    bidder = type(rule)(0.3, source).bidder(playing, Player())
    assert bidder.worths is source.worths(rules, rules.seating(), "basic")


@pytest.mark.parametrize(
    ("changes", "seating", "message"),
    [
        ({"low_to": "holder"}, (), "of another game: low_to is captor there, and holder here"),
        ({"off_jack": 1}, (), "points.off_jack is 0 there, and 1 here"),
        ({"players": "4,6"}, (6, True), "of another game: players is 4 there, and 6 here"),
        ({}, (4, False), "of another game: partners is yes there, and no here"),
        ({"defenders_score": "no"}, (), "defenders_score is yes there, and no here"),
        ({"forced_bid": 1}, (), "forced_bid is 2 there, and 1 here"),
    ],
)
def test_a_table_of_another_game_is_refused(place, changes, seating, message):
    rules = load_preset("partners").changed(changes)
    table, source = (rules, rules.seating(*seating)), WorthSource(place)
    with pytest.raises(StrategyError, match=message):
        source.check(*table)
    with pytest.raises(StrategyError, match=message):
        source.worths(*table, "basic")


def test_a_damaged_table_is_refused(place):
    rules = load_preset("partners")
    place.write_bytes(place.read_bytes()[:5000])
    with pytest.raises(TableError, match="cut short"):
        WorthSource(place).check(rules, rules.seating())


@pytest.fixture
def kept(monkeypatch, tmp_path):
    """Let tables be made in no time, and kept in a folder; how many were made, and where."""
    made = []

    def make_table(study, place, deals):
        with alone_if_kept(place):
            if not place.exists():
                build_table(place, study)
                made.append(place)
            with BidTable(place):
                return TableMade(True, True, deals, deals, 0.0)

    def alone_if_kept(place):
        return TableStore(place, TABLE, print) if place.parent == folder else nullcontext()

    folder = tmp_path / "cache" / "tables"
    monkeypatch.setattr(sources, "tables_folder", lambda: folder)
    monkeypatch.setattr(sources, "make_table", make_table)
    return folder, made


RULES = load_preset("partners")
TABLE = TableStudy(RULES, RULES.seating(), "holding")


def look_up(deals=77):
    sources._worths_made.cache_clear()
    return WorthSource(None, deals).worths(RULES, RULES.seating(), "basic")


def test_a_table_made_on_the_spot_is_kept(kept):
    folder, made = kept
    look_up()
    look_up()
    assert made == [folder / f"{TABLE.identity}-77.parquet"]
    look_up(78)
    assert len(made) == 2


def test_one_that_is_damaged_is_made_anew(kept):
    _, made = kept
    look_up()
    made[0].write_bytes(made[0].read_bytes()[:4000])
    look_up()
    assert made == [made[0]] * 2
    look_up()
    assert len(made) == 2


def test_one_that_is_there_is_read_whoever_is_at_work(kept):
    _, made = kept
    look_up()
    with TableStore(made[0], TABLE, print):
        look_up()
    assert len(made) == 1
    assert made[0].exists()


def test_while_somebody_else_makes_it_one_is_made_elsewhere(kept):
    folder, made = kept
    folder.mkdir(parents=True)
    with TableStore(folder / f"{TABLE.identity}-77.parquet", TABLE, print):
        look_up()
    assert made[0].parent != folder
    assert not made[0].parent.exists()


def test_where_nothing_can_be_kept_it_is_made_each_time(kept):
    folder, made = kept
    folder.parent.write_text("no folder", encoding="utf-8")
    look_up()
    look_up()
    assert len(made) == 2
    assert folder not in (made[0].parent, made[1].parent)


@pytest.mark.parametrize("deals", [0, -1, 100_001, 2.5, True])
def test_so_many_deals_are_not_possible(deals):
    with pytest.raises(StudyError, match="expected a whole number, 1 to 100000"):
        WorthSource(None, deals)
