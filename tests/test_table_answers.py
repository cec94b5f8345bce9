"""What a table says of its rows is what the analysis of each row's own study says."""

import numpy as np
import pytest
from builttables import DEALS, build_table, counts_of, holding_row, study_of
from hypothesis import given
from hypothesis import strategies as st

from pitchsim.analysis import Analysis
from pitchsim.cards import ALL_CARDS, SUITS, full_deck, sort_hand
from pitchsim.errors import CardError, StudyError, TableError
from pitchsim.evaluation import Evaluation
from pitchsim.hands import mask_of, turn_card
from pitchsim.order import TrumpOrder
from pitchsim.simulation import Simulation
from pitchsim.tables.answers import Answers
from pitchsim.tables.bidtable import BidTable
from pitchsim.tables.counting import TableCounter
from pitchsim.tables.form import Source, Span, block_of, file_facts, schema_of
from pitchsim.tables.tablefile import TableWriter
from pitchsim.tally import Tally


def analyses_of(study, rows, counts, deals):
    """Analyse each row by itself."""
    records = study.rows.records(*rows)
    for row in range(*rows):
        own = study.row(row)
        yield Analysis(own, Tally(own.identity, deals, counts[records.rows == row]))


def answers_of(study, rows, counts, deals):
    return Answers(study.rows.records(*rows), counts, deals, study)


@pytest.fixture(
    params=[
        ("hand", "partners", (960_000, 960_050)),
        ("hand", "ten-point", (2_000_000, 2_000_020)),
        ("holding", "partners", (2_000, 2_050)),
        ("holding", "solo", (0, 30)),
        ("holding", "pedro", (0, 40)),
    ],
    ids=lambda param: " ".join(map(str, param)),
)
def drawn(request):
    by, rules, rows = request.param
    study = study_of(by, rules)
    return study, rows, counts_of(study, rows, np.random.default_rng(3)), DEALS


@pytest.fixture(params=["hand", "holding"])
def by_experts(request, warm):
    """A play for each bid, counted as a table and as each row's own study."""
    study = study_of(request.param, play="expert", worlds=2)
    rows = (3_000, 3_003)
    counts = TableCounter(study).count(rows, (0, 4))
    assert counts.shape[1] == len(study.columns.bids)
    own = [Simulation(study.row(row)).count(0, 4).counts for row in range(*rows)]
    assert np.array_equal(counts, np.concatenate(own))
    return study, rows, counts, 4


def agree(study, rows, counts, deals):
    answers = answers_of(study, rows, counts, deals)
    frame = answers.frame().set_index(["row", "bid"])
    assert list(answers.rows) == list(range(*rows))
    starts = np.searchsorted(answers.records.rows, answers.rows)
    for at, analysis in enumerate(analyses_of(study, rows, counts, deals)):
        bids = range(len(analysis.study.bids))
        assert list(answers.best[at] - starts[at]) == list(analysis.best)
        assert answers.limit[at] == (-1 if analysis.limit is None else analysis.limit)
        for bid in bids:
            best = analysis.best[bid]
            margins = analysis.margin[:, bid]
            others = np.delete(margins, best)
            ahead = margins[best] - others.max() if len(others) else np.nan
            assert answers.margin[at, bid] == margins[best]
            assert np.array_equal(answers.ahead[at, bid], ahead, equal_nan=True)
            shown = frame.loc[(rows[0] + at, analysis.study.bids[bid])]
            option = analysis.study.options[best]
            assert (shown["trump"], shown["lead"]) == (option.trump, option.lead)
            low, high = analysis.interval
            expected = {
                "make": analysis.make,
                "low": low,
                "high": high,
                "change": analysis.change,
                "margin": analysis.margin,
                "margin_half_width": analysis.margin_half_width,
            }
            for name, values in expected.items():
                assert shown[name] == values[best, bid], name
            play = bid if counts.shape[1] > 1 else 0
            mean = analysis.measures.mean(play)[best]
            assert shown["mean"] == pytest.approx(mean, rel=1e-12)  # summed in another order
            for name, p in analysis.measures.points(play).items():
                assert shown[f"p_{name}"] == p[best]
            assert shown["deals"] == deals
            assert len(shown[study.rows.name].split()) == shown["cards"]
            trumps = TrumpOrder(study.rules, option.trump).trumps
            held = [card for card in shown[study.rows.name].split() if card in trumps]
            assert shown["trumps"] == len(held)
        limits = set(frame.loc[rows[0] + at]["limit"].dropna())
        assert limits == (
            set() if analysis.limit is None else {analysis.study.bids[analysis.limit]}
        )


def test_answers_are_those_of_each_row_alone(drawn):
    agree(*drawn)


def test_answers_are_those_of_each_row_alone_with_a_play_for_each_bid(by_experts):
    agree(*by_experts)


def test_of_equal_leads_the_first_is_best(drawn):
    study, rows, counts, deals = drawn
    answers = answers_of(study, rows, np.repeat(counts[:1], len(counts), axis=0), deals)
    starts = np.searchsorted(answers.records.rows, answers.rows)
    assert (answers.best == starts[:, None]).all()
    has_others = np.diff(starts, append=len(counts)) > 1
    assert (answers.ahead[has_others] == 0).all()
    assert np.isnan(answers.ahead[~has_others]).all()


# Reading them from a file


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Tables by hand (three blocks of them) and by holding, each with its rows and counts."""
    tables = {}
    for by, rules, blocks in [
        ("hand", "partners", [0, 200, 470]),
        ("holding", "partners", None),
        ("holding", "seven-point", None),
        ("hand", "ten-point", [3, 1300]),
    ]:
        place = tmp_path_factory.mktemp("built") / "t.parquet"
        study = study_of(by, rules)
        written = build_table(place, study, blocks)
        tables[by, rules] = (BidTable(place), study, written)
    yield tables
    for table, _, _ in tables.values():
        table.close()


def canonical_names(index, hand):
    """What the suits are renamed to when a hand is turned into its canonical hand."""
    canonical = index.hands_at(index.rows_of(np.array([mask_of(hand)])))[0]
    return next(names for names in index.symmetries if mask_of(renamed(hand, names)) == canonical)


def renamed(cards, names):
    return sort_hand(turn_card(card, names) for card in cards)


@pytest.mark.parametrize("rules", ["partners", "ten-point"])
def test_a_hand_is_answered_by_its_row_whatever_its_suits_are_called(built, rules):
    table, study, written = built["hand", rules]
    index = study.rows.index
    (rows, counts), random = written[1], np.random.default_rng(5)
    records = study.rows.records(*rows)
    chosen = random.integers(*rows, 60)
    hands = []
    for row in chosen.tolist():
        names = index.symmetries[random.integers(len(index.symmetries))]
        hands.append(renamed(study.row(row).known.cards_of(0), names))
    for row, hand, evaluation in zip(chosen, hands, table.evaluations(hands), strict=True):
        names = canonical_names(index, hand)
        own = study.row(int(row))
        there = {
            (option.trump, option.lead): count
            for option, count in zip(own.options, counts[records.rows == row], strict=True)
        }
        assert evaluation.study.known.cards_of(0) == set(hand)
        assert len(evaluation.study.options) == len(own.options)
        for option, count in zip(
            evaluation.study.options, evaluation.run.tally.counts, strict=True
        ):
            lead = option.lead and turn_card(option.lead, names)
            assert np.array_equal(there[names[option.trump], lead], count)
        assert evaluation.run.same_again == own
        assert evaluation.run.tally.study == own.identity
        assert evaluation.study.seed == evaluation.seed == own.seed


@given(data=st.data())
@pytest.mark.parametrize("rules", ["partners", "seven-point"])
def test_a_hand_is_answered_by_its_holdings(built, rules, data):
    table, study, written = built["holding", rules]
    deck = full_deck(study.rules.jokers)
    hand = sort_hand(data.draw(st.sets(st.sampled_from(deck), min_size=6, max_size=6)))
    evaluation = table.evaluation(hand)
    for option, count in zip(evaluation.study.options, evaluation.run.tally.counts, strict=True):
        trumps = set(hand) & set(TrumpOrder(study.rules, option.trump).trumps)
        row, names = holding_row(study, option.trump, trumps)
        rows, counts = written[row // study.rows_a_block]
        records = study.rows.records(*rows)
        lead = ALL_CARDS.index(turn_card(option.lead, names))
        record = (records.rows == row) & (records.leads == lead)
        assert np.array_equal(counts[record], count[None])
        assert (records.trumps[record] == SUITS.index(names[option.trump])).all()
    led = {card for card in hand if card in deck[:52]}
    assert {option.lead for option in evaluation.study.options} == led
    assert evaluation.run.same_again is None
    assert evaluation.seed is None
    assert evaluation.to_json()["seed"] is None
    assert evaluation.run.tally.study != evaluation.study.identity  # a played study has that


@pytest.mark.parametrize("by", ["hand", "holding"])
def test_many_hands_are_answered_as_each_alone(built, by):
    table, _, _ = built[by, "partners"]
    texts = study_of("hand").rows.texts(0, 2_048)
    places = np.random.default_rng(2).integers(0, len(texts), 30)
    hands = [tuple(texts[place].split()) for place in places]
    answers = table.answers_to(hands)
    assert list(answers.rows) == list(range(len(hands)))
    for at, (hand, one) in enumerate(zip(hands, table.evaluations(hands), strict=True)):
        alone = table.evaluation(hand)
        assert one.to_json() == alone.to_json()
        assert np.array_equal(answers.margin[at], alone.analysis.margin.max(axis=0))
        best = [alone.study.options[option] for option in alone.analysis.best]
        shown = [answers.records.options[record] for record in answers.best[at]]
        assert shown == best


def test_one_bid_is_a_study_of_that_bid(built):
    table, study, _ = built["hand", "partners"]
    hand = tuple(study.rows.texts(5, 6)[0].split())
    every = table.evaluation(hand)
    for place, bid in enumerate(study.columns.bids):
        (one,) = table.evaluations([hand], bid)
        assert one.study.bids == (bid,)
        assert np.array_equal(one.analysis.margin[:, 0], every.analysis.margin[:, place])
        assert np.array_equal(
            one.analysis.margin_half_width[:, 0], every.analysis.margin_half_width[:, place]
        )
    with pytest.raises(StudyError, match="bid '9' is not in the table: expected 2, 3, 4 or smudge"):
        next(table.evaluations([hand], "9"))


def test_what_was_looked_up_is_what_playing_the_row_gives(warm, tmp_path):
    study = study_of("hand")
    rows = Span(0, study.rows_a_block)
    small = counts_but_for(study, (5, 6))
    with TableWriter(tmp_path / "t.parquet", schema_of(study)) as writer:
        writer.write(block_of(study, rows, small, 40))
        writer.finish(file_facts(study.facts, [Source(study.seed, Span(0, 40))]), {"seconds": 1.0})
    (hand,) = study.rows.texts(5, 6)
    other_names = hand.translate(str.maketrans("SHDC", "CDSH"))
    with BidTable(tmp_path / "t.parquet") as table:
        for text in (hand, other_names):
            for chosen in ({}, {"bid": "SMUDGE"}, {"trump": "S"}, {"lead": text.split()[2]}):
                found = table.evaluation(tuple(text.split()), **chosen)
                again = found.run.same_again
                played = Simulation(again).count(0, 40)
                assert np.array_equal(played.counts, found.run.tally.counts)
                assert (played + found.run.tally).deals == 80
                said = found.to_json()
                assert (said["seed"], said["study"]) == (again.seed, again.identity)
                assert said["table"]["same_again"] == {
                    "hand": hand,
                    "seed": again.seed,
                    "deals": 40,
                }


def counts_but_for(study, rows):
    """Count some rows of the first block really, the others not at all."""
    records = study.rows.records(0, study.rows_a_block)
    counts = np.zeros((len(records.rows), 1, len(study.columns.names)), np.int64)
    counts[:, 0, 0] = 40
    counts[np.isin(records.rows, range(*rows))] = TableCounter(study).count(rows, (0, 40))
    return counts


def test_only_some_trumps_and_leads(built):
    table, study, _ = built["hand", "partners"]
    hand = tuple(study.rows.texts(5, 6)[0].split())
    every = table.evaluation(hand)
    for chosen in ({"trump": hand[0][1]}, {"lead": hand[0]}):
        some = table.evaluation(hand, **chosen)
        kept = [every.study.options.index(option) for option in some.study.options]
        assert 0 < len(kept) < len(every.study.options)
        assert np.array_equal(some.analysis.margin, every.analysis.margin[kept])
        assert some.run.options == every.study.options
    with pytest.raises(StudyError, match="the table says nothing of lead 2C with "):
        table.evaluation(hand[:6], lead="2C" if "2C" not in hand else "3C")


def test_no_one_run_has_the_numbers_of_several_seeds(tmp_path):
    study = study_of("hand")
    build_table(tmp_path / "two.parquet", study, [0], seeds=[7, 8])
    build_table(tmp_path / "one.parquet", study, [0])
    hand = tuple(study.rows.texts(5, 6)[0].split())
    with BidTable(tmp_path / "two.parquet") as two, BidTable(tmp_path / "one.parquet") as one:
        both, single = two.evaluation(hand), one.evaluation(hand)
        said = both.to_json()
        assert (said["seed"], said["table"]["seeds"]) == (None, [7, 8])
        assert said["table"]["same_again"] is None
        assert said["table"]["study"] == two.identity != one.identity
        assert both.run.tally.study not in {single.run.tally.study, both.study.identity}
        with pytest.raises(StudyError, match="tallies of two studies do not add"):
            both.run.tally + single.run.tally


def test_print_says_from_where(built):
    table, _, _ = built["holding", "partners"]
    said = str(table.evaluation(("AS", "JS", "TS", "5S", "KH", "2D"))).splitlines()[-1]
    assert said == f"looked up in {table.place}: {table.about}"


def test_one_bid_of_a_play_for_each(tmp_path):
    study = study_of("holding", play="expert", worlds=2)
    build_table(tmp_path / "t.parquet", study)
    with BidTable(tmp_path / "t.parquet") as table:
        hand = ("AS", "JS", "TS", "5S", "KH", "2D")
        every = table.evaluation(hand)
        (one,) = table.evaluations([hand], "4")
        place = study.columns.bids.index("4")
        assert np.array_equal(one.analysis.make[:, 0], every.analysis.make[:, place])
        assert np.array_equal(one.analysis.pmf, every.analysis.measures.pmf(place))
        assert isinstance(one, Evaluation)


def test_rows_are_read_block_by_block(built):
    table, _, written = built["hand", "partners"]
    rows = np.array([3, 2_000, written[1][0].first, written[2][0].end - 1])
    read = list(table.answers_of(rows))
    assert [list(answers.rows) for answers in read] == [list(rows[:2]), [rows[2]], [rows[3]]]
    assert np.array_equal(read[1].counts, written[1][1][: len(read[1].counts)])


def test_hands_that_are_not_answered(built):
    table, _, _ = built["hand", "partners"]
    with pytest.raises(TableError, match=r"row \d+ is not in it"):
        table.answers_to([("AS", "KS", "QH", "JH", "TD", "9C")])
    with pytest.raises(CardError, match="is not a hand here: expected 6 cards"):
        table.answers_to([("AS", "KS")])
    by_holding, _, _ = built["holding", "seven-point"]
    with pytest.raises(TableError, match="no suit of HJ LJ can be made trump"):
        by_holding.evaluation(("HJ", "LJ"))


def test_the_suits_that_are_trump(built):
    assert built["hand", "partners"][0].trumps == tuple("SHDC")
    assert built["holding", "partners"][0].trumps == ("S",)
