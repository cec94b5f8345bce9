"""Tables of the same study but other seeds, added into one."""

import os
import shutil
from itertools import permutations

import numpy as np
import pytest
from smalltables import SMALL, data, small_study

from pitchsim.errors import TableError
from pitchsim.tables import combining, tablestudy
from pitchsim.tables.bidtable import BidTable
from pitchsim.tables.combining import combine_tables
from pitchsim.tables.form import Source, Span
from pitchsim.tables.making import make_table
from pitchsim.tables.tablefile import TableFile


@pytest.fixture
def tables(warm, monkeypatch, tmp_path):
    """Makes tables of seeds 1, 2, … with 3, 4, … deals, in the folder in which we are."""
    monkeypatch.chdir(tmp_path)
    for owner, name, value in SMALL:
        monkeypatch.setattr(owner, name, value)

    def make(count=2, **study):
        places = [tmp_path / f"{seed}" for seed in range(1, count + 1)]
        for seed, place in enumerate(places, start=1):
            make_table(small_study(**{"seed": seed} | study), place, seed + 2)
        return places

    return make


def counts(place):
    with BidTable(place) as table:
        table.verify()
        return np.concatenate([counts for _, counts in table.blocks()])


@pytest.mark.parametrize("by", ["hand", "holding"])
def test_counts_and_deals_add(tables, tmp_path, by):
    one, other = tables(by=by)
    both = tmp_path / "both"
    combine_tables([one, other], both)
    assert np.array_equal(counts(both), counts(one) + counts(other))
    with BidTable(both) as table:
        assert table.deals == 7
        assert [(seed, *deals) for seed, deals in table.sources] == [(1, 0, 3), (2, 0, 4)]
        taken = table.study.columns.taken
        assert set(counts(both)[..., taken].sum(axis=-1).flat) == {7}


def test_the_order_makes_no_difference_nor_do_the_steps(tables, tmp_path):
    places = tables(3)
    found = []
    for number, order in enumerate(permutations(places)):
        combine_tables(order, tmp_path / f"all{number}")
        found.append(data(tmp_path / f"all{number}"))
    combine_tables([places[2], places[0]], tmp_path / "two")
    combine_tables([tmp_path / "two", places[1]], tmp_path / "three")
    found.append(data(tmp_path / "three"))
    assert len(set(found)) == 1
    with TableFile(tmp_path / "all0") as one, TableFile(tmp_path / "three") as other:
        assert one.facts == other.facts
        assert one.digest == other.digest


def test_the_command(pitchsim, tables, tmp_path):
    one, other = tables()
    finished = pitchsim("table", "combine", one.name, other.name, "--output", "both file")
    assert finished.status == 0, finished.err
    assert finished.err == "both file: 7 deals of every row, of 2 seeds\n"
    with TableFile("both file") as file:
        assert file.provenance["command"] == "pitchsim table combine 1 2 --output 'both file'"
        seconds = [TableFile(place).provenance["seconds"] for place in (one, other)]
        assert file.provenance["seconds"] == pytest.approx(sum(seconds), abs=0.002)
    again = pitchsim("table", "combine", other.name, one.name, "--output", "both file")
    assert again.status == 0
    more = pitchsim("table", "--by", "hand", "--seed", 1, "--deals", 9, "--output", "both file")
    assert more.status == 2
    assert "error: 'both file' was combined from 2 tables: expected one of a single" in more.err


@pytest.mark.parametrize(
    ("other", "difference"),
    [
        ({"play": "random"}, 'play is "basic" and "random"'),
        ({"by": "holding"}, 'by is "hand" and "holding"'),
        ({"rules": "solo", "players": 5}, "the rules are partners and solo"),
    ],
)
def test_other_studies_are_refused(pitchsim, tables, tmp_path, other, difference):
    tables(1)
    make_table(small_study(seed=9, **other), tmp_path / "other", 2)
    finished = pitchsim("table", "combine", "1", "other", "-o", "both")
    assert finished.status == 2
    assert finished.err == f"error: '1' and 'other' are not of the same study: {difference}\n"
    assert not (tmp_path / "both").exists()


def test_deals_are_never_counted_twice(tables, tmp_path):
    one, other = tables()
    both, copy = tmp_path / "both", tmp_path / "copy"
    shutil.copy(one, copy)
    combine_tables([one, other], both)
    make_table(small_study(seed=2), other, 6)
    for places, deals in (([one, copy], "0 to 2 of seed 1"), ([both, other], "0 to 3 of seed 2")):
        with pytest.raises(TableError) as refused:
            combine_tables(places, tmp_path / "new")
        names = " and in ".join(repr(str(place)) for place in places)
        assert str(refused.value) == f"deals {deals} are in {names}: they would be counted twice"
    (tmp_path / "link").symlink_to(one)
    os.link(one, tmp_path / "hard")
    for same in (one, tmp_path / "link", tmp_path / "hard", tmp_path / "." / "1"):
        with pytest.raises(TableError, match="is given twice"):
            combine_tables([one, other, same], tmp_path / "new")
        with pytest.raises(TableError, match="is to be written"):
            combine_tables([one, other], same)
    with pytest.raises(TableError, match="expected two or more"):
        combine_tables([one], tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_damage_is_named_and_nothing_is_written(tables, tmp_path):
    one, other = tables()
    whole = other.read_bytes()
    new = tmp_path / "new"
    for at in range(0, len(whole), len(whole) // 20):
        other.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with pytest.raises(TableError, match=rf"cannot use the table '{other}'"):
            combine_tables([one, other], new)
    assert sorted(tmp_path.iterdir()) == [one, other]


def test_a_part_is_no_table(tables, tmp_path):
    (one,) = tables(1)
    make_table(small_study(seed=3), tmp_path / "3", 50, progress=interrupting())
    part = next((tmp_path / "3.parts").glob("rows-*"))
    with pytest.raises(TableError, match=rf"cannot use the table '{part}': it is no whole table"):
        combine_tables([one, part], tmp_path / "new")


def interrupting():
    calls = iter([None] * 5)

    def interrupt(_progress):
        if next(calls, "over") == "over":
            raise KeyboardInterrupt

    return interrupt


def test_another_table_is_not_replaced(tables, tmp_path):
    one, other, third = tables(3)
    before = third.read_bytes()
    with pytest.raises(TableError, match="holds deals 0 to 4 of seed 3 that are in none of these"):
        combine_tables([one, other], third)
    assert third.read_bytes() == before
    foreign = tmp_path / "foreign"
    foreign.write_text("mine")
    with pytest.raises(TableError, match="it is not a Parquet file"):
        combine_tables([one, other], foreign)
    assert foreign.read_text() == "mine"


def test_its_own_output_is_replaced_when_one_of_them_got_more_deals(tables, tmp_path):
    one, other = tables()
    both, fewer = tmp_path / "both", tmp_path / "fewer"
    shutil.copy(other, fewer)
    combine_tables([one, other], both)
    make_table(small_study(seed=2), other, 9)
    combine_tables([one, other], both)
    assert np.array_equal(counts(both), counts(one) + counts(other))
    with pytest.raises(TableError, match="holds deals 4 to 8 of seed 2 that are in none of these"):
        combine_tables([one, fewer], both)


@pytest.mark.parametrize(
    ("there", "lost"),
    [
        ([], (0, 10)),
        ([(0, 10)], None),
        ([(0, 4), (4, 12)], None),
        ([(0, 4), (6, 12)], (4, 6)),
        ([(2, 12)], (0, 2)),
        ([(0, 9)], (9, 10)),
        ([(12, 15)], (0, 10)),
    ],
)
def test_the_deals_that_would_be_lost(there, lost):
    sources = [Source(6, Span(0, 99)), *(Source(7, Span(*deals)) for deals in there)]
    sources.append(Source(8, Span(0, 99)))
    found = combining._first_lost(Source(7, Span(0, 10)), sources)
    assert found == (None if lost is None else (7, lost))


def test_a_table_of_another_engine_is_refused_by_name(tables, tmp_path, monkeypatch):
    one, other = tables()
    monkeypatch.setattr(tablestudy, "ENGINE_VERSION", tablestudy.ENGINE_VERSION + 1)
    with pytest.raises(TableError, match=rf"cannot use the table '{one}': it is of version \d+ of"):
        combine_tables([one, other], tmp_path / "new")


def test_what_stops_it_leaves_nothing(tables, tmp_path, monkeypatch):
    one, other = tables()
    for stop in (KeyboardInterrupt, OSError(28, "No space left on device")):

        def fail(*arguments, stop=stop):
            raise stop

        monkeypatch.setattr(combining, "file_facts", fail)
        with pytest.raises((KeyboardInterrupt, OSError)):
            combine_tables([one, other], tmp_path / "new")
        assert sorted(tmp_path.iterdir()) == [one, other]
