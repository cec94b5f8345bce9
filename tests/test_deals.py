import pytest
from agreement import POLICIES
from recordmaking import rules_of

from pitchsim.analysis import Analysis
from pitchsim.cards import parse_hand
from pitchsim.deals import Deals, choose_option, deal_record
from pitchsim.errors import PitchsimError, RulesError, StudyError
from pitchsim.evaluating import make_study
from pitchsim.presets import preset_names
from pitchsim.records import record_from_json
from pitchsim.reference.basic_play import basic_play
from pitchsim.reference.hand import score_hand
from pitchsim.reference.playout import play_hand
from pitchsim.simulation import Simulation

HAND = "AS JS TS 5S KH 2D"
DRAW = {"trump_choice": "declared", "draw": True}
CHANGES = (
    {},
    {"trump_choice": "declared"},
    DRAW,
    {"joker_lead": "names"},
    {"min_bid": 2, "forced_bid": 1},
    DRAW | {"min_bid": 2, "forced_bid": 1},
    {"secondary_trump": "hearts", "void_play": "must_trump"},
)


def tables(rules):
    for players in sorted(rules.players):
        for partners in (False, True):
            try:
                yield rules.seating(players, partners)
            except RulesError:
                continue


def scored(deals, number):
    """Write a record, read it back and score it."""
    record = deals.record(number)
    assert record_from_json(record.to_json()) == record
    return record, score_hand(record)


def check_all(each, *, every):
    """Score deals of presets, numbers of players, kinds of change and plays; return oddities.

    Of the tables, only one out of so many.
    """
    seen = set()
    seed = 0
    for name in preset_names():
        for changes in CHANGES:
            rules = rules_of(name, **changes)
            low = ("1",) if "forced_bid" in changes else ()
            bids = (*low, *rules.bids)
            for seating in tables(rules):
                for play in POLICIES:
                    seed += 1
                    if seed % every:
                        continue
                    deals = Deals(
                        rules,
                        seating,
                        seed,
                        pitcher=seed % seating.players,
                        bid=bids[seed % len(bids)],
                        play=play,
                    )
                    for number in range(each):
                        record, result = scored(deals, number)
                        assert result.bid == record.bid
                        seen.update(oddities(record))
    return seen


def oddities(record):
    if record.plays[0] in ("HJ", "LJ"):
        yield "joker led"
    if record.bid not in record.rules.bids:
        yield "forced dealer"
    if record.draws and any(len(draw.drawn) < len(draw.out) for draw in record.draws):
        yield "empty stock"


def test_deals_of_all_sorts_of_tables_are_legal():
    assert check_all(1, every=3) == {"joker led", "forced dealer", "empty stock"}


@pytest.mark.long
def test_many_deals_of_every_table_are_legal():
    check_all(20, every=1)


@pytest.mark.parametrize(
    ("name", "players", "changes"),
    [
        ("partners", 4, {}),
        ("ten-point", 4, {"joker_lead": "names"}),
        ("setback", 7, DRAW),
        ("solo", 5, {"trump_choice": "declared"}),
        ("ace-of-hearts", 6, {}),
    ],
)
@pytest.mark.parametrize("play", POLICIES)
def test_the_records_of_a_study_add_up_to_its_counts(name, players, changes, play):
    rules = rules_of(name, **changes)
    study = make_study(HAND, rules, players=players, play=play, seed=5)
    bid = study.bids[1]
    counts = Analysis(study, Simulation(study).count(0, 60))
    for place in (0, len(study.options) - 1):
        moved = []
        for number in range(60):
            record = deal_record(study, number, study.options[place], bid=bid)
            moved.append(score_hand(record).change[0])
        assert sum(moved) == pytest.approx(60 * counts.change[place, 1])


def test_the_table_turns_with_the_pitcher():
    rules = rules_of("partners")
    first, other = (
        Deals(rules, rules.seating(), 3, pitcher=pitcher, play="basic").record(8)
        for pitcher in (0, 3)
    )
    assert first.dealer == 3
    assert other.dealer == 2
    assert other.hands == (*first.hands[1:], first.hands[0])
    assert other.plays == first.plays


def test_the_hand_of_seat_0_is_fixed_wherever_the_pitcher_sits():
    rules = rules_of("setback")
    hand = parse_hand(HAND, jokers=0)
    for pitcher in range(5):
        deals = Deals(rules, rules.seating(5), 3, hand, pitcher=pitcher)
        assert [deals.record(number).hands[0] for number in range(5)] == [hand] * 5
        assert len({deals.record(number).hands for number in range(5)}) == 5


def test_a_fixed_hand_is_dealt_to_as_the_study_of_that_hand_does():
    rules = rules_of("partners")
    study = make_study(HAND, rules, seed=9)
    deals = Deals(rules, rules.seating(), 9, parse_hand(HAND, jokers=0))
    assert [deals.record(n).hands for n in range(20)] == [
        Simulation(study).hands(n) for n in range(20)
    ]


def test_a_deal_can_be_made_alone():
    rules = rules_of("ten-point")
    one, other = (Deals(rules, rules.seating(), 4, play="basic") for _ in range(2))
    stream = [one.record(number) for number in range(6)]
    assert other.record(5) == stream[5]
    assert len(set(map(repr, stream))) == 6


def test_the_pitcher_sees_no_other_hand_when_choosing():
    rules = rules_of("partners", trump_choice="declared")
    deals = Deals(rules, rules.seating(), 4, parse_hand(HAND, jokers=0), play="basic")
    records = [deals.record(number) for number in range(10)]
    assert {(record.trump, record.plays[0]) for record in records} == {("S", "AS")}


@pytest.mark.parametrize("pitcher", [1, 2, 3])
def test_the_pitcher_does_not_play_by_a_hand_that_is_fixed_for_another(pitcher):
    rules = rules_of("partners")
    hand = parse_hand("AS QS TS 4S KH 2D", jokers=0)
    deals = Deals(rules, rules.seating(), seed=3, hand=hand, pitcher=pitcher, play="basic")
    for number in range(60):
        record = deals.record(number)
        tricks = play_hand(
            rules,
            record.seating,
            record.hands,
            pitcher=pitcher,
            trump=record.plays[0][1],
            first_lead=record.plays[0],
            policy=basic_play,
        )
        assert record.plays == tuple(card for trick in tricks for card in trick.plays)


def test_the_choice_is_the_best_at_the_bid():
    rules = rules_of("partners")
    study = make_study("AS 4S 9H 8H 7H 2D", rules, seed=1)
    hand = Simulation(study).hands(0)[0]
    best = Analysis(study, Simulation(study).count(0, 20_000)).best
    for place, bid in enumerate(study.bids[:2]):
        chosen = choose_option(rules, rules.seating(), hand, bid=bid, play="basic", seed=1)
        assert chosen.trump == study.options[best[place]].trump


def test_an_unplayed_deal_names_no_trump():
    rules = rules_of("ten-point", trump_choice="declared", draw=True)
    record = Deals(rules, rules.seating(), 1).record(0)
    assert (record.trump, record.plays, record.draws, record.bid) == (None, (), None, "2")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"pitcher": 4}, "pitcher 4 is not a seat: expected 0 to 3"),
        ({"pitcher": -1}, "pitcher -1 is not a seat"),
        ({"bid": "pass"}, "bid pass leaves nothing to play for"),
        ({"bid": "9"}, "'9' is not a bid here"),
        ({"play": "experts"}, "there is no play 'experts'"),
        ({"seed": 2**64}, "seed 18446744073709551616 is not possible"),
    ],
)
def test_what_is_not_possible(wrong, said):
    rules = rules_of("partners")
    with pytest.raises(PitchsimError, match=said):
        Deals(**{"rules": rules, "seating": rules.seating(), "seed": 1} | wrong)


def test_a_number_that_is_no_deal():
    rules = rules_of("partners")
    for number in (-1, 2**40):
        with pytest.raises(StudyError, match=f"deal {number} is not possible"):
            Deals(rules, rules.seating(), 1).record(number)


def test_a_forced_dealer_cannot_have_drawn_first():
    rules = rules_of("setback", min_bid=2, forced_bid=1, **DRAW)
    study = make_study(HAND, rules, trump="S", seed=1)
    with pytest.raises(StudyError, match="bid 1 is only the dealer's"):
        deal_record(study, 0, study.options[0], bid="1")
