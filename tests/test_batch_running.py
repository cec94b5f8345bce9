"""What a batch finds is what each hand alone is worth, however it came to be."""

import random
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from dyingbatch import BATCH, HANDS, run

import pitchsim
from pitchsim.batches import running
from pitchsim.batches.batch import Batch, BatchError, cases_of
from pitchsim.batches.evaluating import worth_of_hands
from pitchsim.batches.hands import given_hands, random_hands
from pitchsim.batches.running import read_worth, run_batch, worth_of
from pitchsim.batches.store import files_in, seed_in
from pitchsim.errors import OutputError, PitchsimError
from pitchsim.presets import find_rules, load_preset

COLUMNS = (
    *("rules", "players", "partners", "play", "number", "hand", "bid", "trump", "lead"),
    *("make", "low", "high", "change", "margin", "margin_half_width", "mean"),
    *("p_high", "p_low", "p_jack", "p_off_jack", "p_high_joker", "p_low_joker", "p_trump_three"),
    *("p_game", "limit", "deals", "seed"),
)
TEXTS = ["AS JS TS 5S KH 2D", "TS 9S 6S 5H QD JC", "2S AD 4D 3D JC 7C", "KH QH 4H 3H AC 7D"]


@pytest.fixture(autouse=True)
def many_parts(warm, monkeypatch):
    monkeypatch.setattr(running, "KEEP_EVERY", 0)


@pytest.fixture(scope="module")
def finished(warm, tmp_path_factory):
    """The folder of a batch made in one go."""
    folder = tmp_path_factory.mktemp("batch") / "results"
    assert run(folder, threads=1).finished
    return folder


def content(folder):
    assert sorted(folder.iterdir()) == sorted(files_in(folder))
    return {place.name: place.read_bytes() for place in folder.iterdir()}


def batch_of(*names, play=("basic",), seed=7, deals=20, **changes):
    rules = [load_preset(name).changed(changes) for name in names]
    return Batch(cases_of([(one, one.seating()) for one in rules], play, deals=deals), seed)


def hands_for(batch, *texts):
    return given_hands(texts or TEXTS, batch.rule_sets)


def same_as_alone(frame, rules, worlds=None):
    """Compare each hand with what it is worth by itself, with the seed that is given."""
    for (play, hand), rows in frame.groupby(["play", "hand"], sort=False):
        alone = pitchsim.evaluate(
            hand,
            rules,
            play=play,
            worlds=worlds if play == "expert" else None,
            seed=int(rows["seed"].iloc[0]),
            deals=int(rows["deals"].iloc[0]),
            threads=1,
        )
        analysis, study = alone.analysis, alone.study
        assert tuple(rows["bid"]) == study.bids
        for place, row in enumerate(rows.itertuples()):
            best = int(analysis.best[place])
            option = study.options[best]
            assert (row.trump, None if pd.isna(row.lead) else row.lead) == (
                option.trump,
                option.lead,
            )
            assert (row.low, row.high) == tuple(ends[best, place] for ends in analysis.interval)
            for name in ("make", "change", "margin", "margin_half_width"):
                assert getattr(row, name) == getattr(analysis, name)[best, place]
            assert (None if pd.isna(row.limit) else row.limit) == alone.limit
            if place == analysis.deciding_bid:
                assert row.mean == analysis.mean[best]
                for name, chances in analysis.points.items():
                    assert getattr(row, f"p_{name}") == chances[best]


@pytest.mark.parametrize("rules", ["partners", "ten-point", "pedro"])
def test_it_says_what_each_hand_alone_says(rules):
    frame = worth_of(TEXTS, rules, seed=7, deals=300, threads=2)
    assert len(frame) == len(TEXTS) * frame["bid"].nunique()
    same_as_alone(frame, rules)


def test_slow_plays_say_so_too():
    rules = load_preset("solo")
    batch = Batch(cases_of([(rules, rules.seating())], ["expert", "double-dummy"], 2, 25), 7)
    frames = [
        worth_of(TEXTS[:2], case.rules, play=case.play, worlds=case.worlds, deals=25, seed=7)
        for case in batch.cases
    ]
    same_as_alone(pd.concat(frames), "solo", worlds=2)


def test_where_the_lead_is_left_to_the_play():
    rules = load_preset("auction").changed({"trump_choice": "declared", "draw": True})
    frame = worth_of(TEXTS, rules, seed=7, deals=50)
    same_as_alone(frame, rules)
    assert frame["lead"].isna().any()


def test_the_frame(finished):
    frame = read_worth(finished)
    assert tuple(frame) == COLUMNS
    assert list(frame["bid"].cat.categories) == [*map(str, range(2, 10)), "smudge"]
    assert frame["bid"].cat.ordered
    assert frame["limit"].dtype == frame["bid"].dtype
    counts = frame.groupby("rules")["number"].agg(["nunique", "max"])
    assert list(counts.loc["ten-point"]) == [60, 60]
    assert counts.loc["partners"]["nunique"] == HANDS.fits[0].sum()
    assert frame[frame["rules"] == "partners"]["p_trump_three"].isna().all()
    assert frame[frame["rules"] == "ten-point"]["p_trump_three"].notna().all()
    keys = frame[["rules", "number", "bid"]]
    assert not keys.duplicated().any()
    assert list(frame["rules"].unique()) == ["partners", "ten-point"]
    for _, rows in frame.groupby(["rules"]):
        assert rows["number"].is_monotonic_increasing
    text = pd.read_csv(finished / "worth.csv", dtype={"bid": str, "limit": str, "seed": "uint64"})
    plain = frame.astype({"bid": str, "limit": object})
    pd.testing.assert_frame_equal(text, plain, check_dtype=False)


def test_neither_place_nor_company_nor_threads_matter():
    texts = [TEXTS[0], *TEXTS]  # one of them twice
    frame = worth_of(texts, seed=7, deals=20, threads=1)
    turned = worth_of(texts[::-1], seed=7, deals=20, threads=3)
    for number, text in enumerate(texts, start=1):
        alone = worth_of([text], seed=7, deals=20).drop(columns="number")
        for found, place in ((frame, number), (turned, len(texts) + 1 - number)):
            rows = found[found["number"] == place].drop(columns="number")
            pd.testing.assert_frame_equal(rows.reset_index(drop=True), alone)


def test_pieces_of_hands_and_of_deals(monkeypatch):
    """A hand has the numbers, to the last bit, that it has with others and in one call."""
    case = BATCH.cases[1]
    hands = HANDS.under(case.rules)[1]
    whole = worth_of_hands(case, 7, hands, lambda: False).to_pylist()
    for size in (1, 3):
        parts = np.split(hands, range(size, len(hands), size))
        found = [worth_of_hands(case, 7, part, lambda: False).to_pylist() for part in parts]
        assert [row for rows in found for row in rows] == whole
    monkeypatch.setattr("pitchsim.batches.evaluating.AT_ONCE", 7)
    assert worth_of_hands(case, 7, hands, lambda: False).to_pylist() == whole


def test_the_same_bytes_whatever_the_threads_and_interruptions(finished, tmp_path):
    folder = tmp_path / "results"
    chance, times = random.Random(7), 0
    while True:
        left = chance.randrange(1, 5)

        def interrupt(_progress):
            nonlocal left
            left -= 1
            if left < 0:
                raise KeyboardInterrupt

        made = run_batch(BATCH, HANDS, folder, threads=3, progress=interrupt)
        times += 1
        if made.finished:
            break
        assert not list(folder.glob("worth*"))
    assert times > 3
    assert content(folder) == content(finished)


@pytest.mark.parametrize("play", ["basic", "expert"])
def test_an_interruption_is_heard_in_the_middle_of_a_hand(tmp_path, monkeypatch, play):
    """These deals would take a day."""
    batch = batch_of("partners", play=(play,), deals=10**10)

    def interrupt(_at_work):
        raise KeyboardInterrupt

    monkeypatch.setattr(running._AtWork, "_add_next", interrupt)
    made = run_batch(batch, hands_for(batch), tmp_path)
    assert (made.finished, made.evaluated) == (False, 0)


def test_the_same_bytes_whenever_it_is_killed(finished, tmp_path):
    program = Path(__file__).with_name("dyingbatch.py")
    done = subprocess.run(
        [sys.executable, program, tmp_path / "results"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert content(tmp_path / "results") == content(finished)


def test_what_is_there_is_not_evaluated_again(finished, tmp_path, monkeypatch):
    folder = tmp_path / "results"
    shutil.copytree(finished, folder)
    before = content(folder)
    monkeypatch.setattr(running, "worth_of_hands", None)  # nobody needs it
    made = run_batch(BATCH, HANDS, folder)
    assert (made.finished, made.evaluated) == (True, 0)
    assert content(folder) == before


def test_hands_rules_and_plays_may_be_added(finished, tmp_path):
    folder = tmp_path / "results"
    shutil.copytree(finished, folder)
    more = random_hands(70, 7, BATCH.rule_sets)
    made = run_batch(BATCH, more, folder)
    new = sum(int(more.fits[jokers][60:].sum()) for jokers in more.fits)
    assert (made.finished, made.evaluated) == (True, new)
    cases = batch_of("partners", "solo", "ten-point", play=("basic", "random"))
    made = run_batch(cases, more, folder)
    assert made.evaluated == sum(
        int(more.fits[case.rules.jokers].sum()) for case in cases.cases if case not in BATCH.cases
    )
    in_one_go = tmp_path / "one"
    run_batch(cases, more, in_one_go)
    assert content(folder) == content(in_one_go)


@pytest.mark.parametrize(
    ("batch", "message"),
    [
        (batch_of("partners", "ten-point", seed=8), "seed is 7 there and 8 here"),
        (batch_of("partners", "ten-point", deals=21), "deals is 20 there and 21 here"),
        (batch_of("partners"), "ten-point rules, basic play are there, and not asked for here"),
        (
            batch_of("partners", "ten-point", play=("random",)),
            "rules, basic play are there, and not asked for here",
        ),
        (
            batch_of("partners", "ten-point", low_to="holder"),
            'the rules\' low_to is "captor" there and "holder" here',
        ),
    ],
)
@pytest.mark.parametrize("state", ["finished", "interrupted"])
def test_another_batch_is_refused(finished, tmp_path, batch, message, state):
    folder = tmp_path / "results"
    if state == "finished":
        shutil.copytree(finished, folder)
    else:
        interrupted(folder, after=7)
    before = sorted(folder.rglob("*"))
    with pytest.raises(BatchError) as caught:
        run_batch(batch, random_hands(60, 7, batch.rule_sets), folder)
    assert message in str(caught.value)
    assert sorted(folder.rglob("*")) == before


def interrupted(folder, after):
    """Begin the batch; returns its parts."""
    left = after

    def interrupt(_progress):
        nonlocal left
        left -= 1
        if left < 0:
            raise KeyboardInterrupt

    assert not run_batch(BATCH, HANDS, folder, threads=1, progress=interrupt).finished
    parts = sorted((folder / "parts").glob("*.parquet"))
    assert parts
    return parts


def test_other_hands_are_refused(finished, tmp_path):
    folder = tmp_path / "results"
    shutil.copytree(finished, folder)
    with pytest.raises(BatchError, match="is of other hands: 1 hand of those there, such as"):
        run_batch(BATCH, random_hands(59, 7, BATCH.rule_sets), folder)


def test_parts_of_other_hands_are_not_lost(tmp_path):
    folder = tmp_path / "results"
    parts = interrupted(folder, after=7)
    with pytest.raises(BatchError, match=r"parts' is of other hands: \d+ hands? of those there"):
        run_batch(BATCH, random_hands(3, 8, BATCH.rule_sets), folder)
    assert sorted((folder / "parts").glob("*.parquet")) == parts


@pytest.mark.parametrize("name", ["worth.csv", "batch.json", "bad-lines.csv"])
def test_files_of_others_are_not_written_over(tmp_path, name):
    (tmp_path / name).write_text("keep", encoding="utf-8")
    with pytest.raises(BatchError, match=f"{name}' is there, and no batch with it: expected"):
        run_batch(BATCH, HANDS, tmp_path)
    assert (tmp_path / name).read_text(encoding="utf-8") == "keep"
    assert sorted(tmp_path.iterdir()) == [tmp_path / name]


def test_the_seed_is_that_of_a_part_that_can_be_read(tmp_path):
    parts = interrupted(tmp_path, after=7)
    assert len(parts) > 1
    parts[0].write_bytes(b"junk")
    assert seed_in(tmp_path) == BATCH.seed
    parts[1].write_bytes(parts[1].read_bytes()[:100])
    for part in parts[2:]:
        part.unlink()
    assert 0 <= seed_in(tmp_path) != BATCH.seed


@pytest.mark.parametrize("damage", ["cut", "altered"])
def test_a_damaged_part_is_evaluated_again(finished, tmp_path, damage):
    folder = tmp_path / "results"
    part = interrupted(folder, after=5)[0]
    data = bytearray(part.read_bytes())
    data[len(data) // 4] ^= 1
    part.write_bytes(data[: len(data) // 2] if damage == "cut" else data)
    told = []
    assert run_batch(BATCH, HANDS, folder, tell=told.append).finished
    assert [f"{str(part)!r} is damaged: its hands are evaluated again"] == told
    assert content(folder) == content(finished)


def test_damaged_results_are_noticed(finished, tmp_path):
    folder = tmp_path / "results"
    shutil.copytree(finished, folder)
    place = folder / "worth.parquet"
    data = place.read_bytes()
    place.write_bytes(data[:1000] + bytes(1000) + data[2000:])
    with pytest.raises(BatchError, match=r"worth.parquet' is damaged: expected what was written"):
        read_worth(folder)
    with pytest.raises(BatchError, match=r"is damaged: .* if you move it away, all is evaluated"):
        run(folder)
    with pytest.raises(BatchError, match="is no file of a batch"):
        read_worth(tmp_path)
    facts = {b"pitchsim batch": b'{"seed": 7}'}  # those of a part, in the place of results
    pq.write_table(pa.table({"a": [1]}).replace_schema_metadata(facts), place)
    with pytest.raises(BatchError, match="is no file of a batch"):
        run(folder)


def test_what_is_no_result_is_not_overwritten(tmp_path):
    (tmp_path / "worth.parquet").write_text("mine", encoding="utf-8")
    with pytest.raises(BatchError, match="is no file of a batch, or damaged"):
        run(tmp_path)
    pd.DataFrame({"a": [1]}).to_parquet(tmp_path / "worth.parquet")
    with pytest.raises(BatchError, match="is no file of a batch"):
        run(tmp_path)


def test_one_at_a_time(tmp_path):
    def again(_progress):
        with pytest.raises(BatchError, match="somebody else is at work in"):
            run(tmp_path)

    run_batch(BATCH, HANDS, tmp_path, progress=again)


def test_a_full_disk(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pitchsim.batches.store.WholeFile.commit", full)
    with pytest.raises(OutputError, match="No space left on device"):
        run(tmp_path)


def test_rules_of_ones_own_and_their_names(tmp_path):
    """A name may need quotes in CSV."""
    for name in ("one", "two"):
        (tmp_path / f"{name}.toml").write_text('extends = "partners"\nname = "my, own"\n')
    own = find_rules(str(tmp_path / "one.toml"))
    batch = Batch(cases_of([(own, own.seating())], ["basic"], deals=5), 7)
    run_batch(batch, hands_for(batch), tmp_path / "results")
    text = pd.read_csv(tmp_path / "results" / "worth.csv")
    assert set(text["rules"]) == {"my, own"}
    other = find_rules(str(tmp_path / "two.toml"))
    with pytest.raises(BatchError, match="rules 'my, own' with basic play are asked for 2 times"):
        Batch(cases_of([(rules, rules.seating()) for rules in (own, other)], ["basic"]), 7)


def test_what_is_asked_must_be_possible():
    for asked, message in (
        ({"play": "wild"}, "there is no play 'wild'"),
        ({"deals": 0}, "deals 0 is not possible"),
        ({"seed": -1}, "seed -1 is not possible"),
        ({"worlds": 5}, "worlds are of no use to basic play"),
        ({"threads": 0}, "threads 0 is not possible"),
        ({"rules": "wild"}, "there is no rule set 'wild'"),
    ):
        with pytest.raises(PitchsimError, match=message):
            worth_of(TEXTS, **asked)


def test_a_hand_that_cannot_be_solved_is_named(monkeypatch):
    monkeypatch.setattr("pitchsim.simulation.MOST_NODES", 10)
    with pytest.raises(
        PitchsimError, match=f"^{TEXTS[0]}, partners rules, double-dummy play: deal"
    ):
        worth_of(TEXTS[:1], play="double-dummy", seed=7, deals=5)


def test_results_can_be_read_by_anybody(finished):
    table = pq.read_table(finished / "worth.parquet")
    assert tuple(table.column_names) == COLUMNS
    assert table["seed"].type == "uint64"
    assert np.unique(table["deals"]) == [20]
    assert replace(BATCH, seed=8).facts() != BATCH.facts()
