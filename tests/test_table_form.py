"""What a whole table's file says of itself is checked before it is believed."""

import copy

import numpy as np
import pytest
from builttables import DEALS, counts_of, study_of

from pitchsim.errors import TableError
from pitchsim.tables.form import Source, Span, WholeTable, block_of, file_facts, schema_of
from pitchsim.tables.tablefile import TableWriter

ROWS = Span(0, 64)


@pytest.fixture(scope="module")
def study():
    return study_of("holding")


def write(place, study, facts, provenance=None, deals=DEALS):
    """Write a sealed file of a few rows."""
    counts = counts_of(study, ROWS, np.random.default_rng(1))
    with TableWriter(place, schema_of(study)) as writer:
        writer.write(block_of(study, ROWS, counts, deals))
        writer.finish(facts, {"seconds": 1.0} if provenance is None else provenance)
    return place


def facts_of(study, *sources):
    sources = sources or (Source(7, Span(0, DEALS)),)
    return copy.deepcopy(file_facts(study.facts, sources))


def test_a_table_says_what_it_is_of(tmp_path, study):
    with WholeTable(write(tmp_path / "t", study, facts_of(study))) as table:
        assert table.study == study
        assert (table.sources, table.deals) == ([Source(7, Span(0, DEALS))], DEALS)
        assert table.seconds == 1
        assert table.identity == study.identity
        table.verify()


def test_the_identity_of_several_seeds_is_none_of_any(tmp_path, study):
    identities = set()
    for other in (Source(8, Span(0, 300)), Source(9, Span(0, 300)), Source(9, Span(0, 301))):
        sources = Source(7, Span(0, 100)), other
        with WholeTable(write(tmp_path / "t", study, facts_of(study, *sources))) as table:
            identities.add(table.identity)
            assert table.identity == table.identity
    assert len(identities) == 3
    assert study.identity not in identities


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sources": None}, "its sources are None: expected some of"),
        ({"sources": []}, "its sources are "),
        ({"sources": [[7, 400]]}, "its sources are "),
        ({"sources": [[7, -1, 399]]}, "its sources are "),
        ({"sources": [[7, 0, 0]]}, "its sources are "),
        ({"sources": [["7", 0, 400]]}, "its sources are "),
        ({"sources": [[7, 0, 300], [7, 200, 300]]}, "its sources overlap"),
        ({"sources": [[8, 0, 300], [7, 0, 100]]}, "its sources overlap, or are not in order"),
        ({"study": None}, "its study is None"),
        ({"study": {}}, "it is of version None of the table: expected 1"),
        ({"engine": 999}, "it is of version 999 of the engine: expected"),
        ({"table": 0}, "it is of version 0 of the table: expected 1"),
        ({"name": None}, "none that this version writes"),
        ({"by": "suit"}, "a table by 'suit' is not possible"),
        ({"players": 9}, "players = 9 is not possible: partners is for 4"),
        ({"play": "best"}, "'best'"),
        ({"rules": None}, ""),
        ({"rules": {}}, "its study is none that this version writes"),
        ({"more": 1}, "its study is none that this version writes"),
    ],
)
def test_facts_that_make_no_sense_are_refused(tmp_path, study, changes, message):
    facts = facts_of(study)
    for name, value in changes.items():
        (facts if name in facts else facts["study"])[name] = value
    place = write(tmp_path / "t", study, facts)
    with pytest.raises(TableError) as refused:
        WholeTable(place)
    assert str(refused.value).startswith(f"cannot use the table '{place}': ")
    assert message in str(refused.value)


def test_facts_that_are_missing_are_named(tmp_path, study):
    for name in ("by", "name", "rules", "players", "partners", "play", "worlds"):
        facts = facts_of(study)
        del facts["study"][name]
        place = write(tmp_path / "t", study, facts)
        with pytest.raises(TableError, match=f"'{place}': its study lacks '{name}'"):
            WholeTable(place)


@pytest.mark.parametrize("provenance", [{}, {"seconds": None}, {"seconds": -1}])
def test_a_table_that_does_not_say_how_long_it_took(tmp_path, study, provenance):
    place = write(tmp_path / "t", study, facts_of(study), provenance)
    with pytest.raises(TableError, match=rf"'{place}': its provenance has .* as seconds"):
        WholeTable(place)


def test_sources_and_records_tell_the_same_deals(tmp_path, study):
    place = write(tmp_path / "t", study, facts_of(study), deals=DEALS - 1)
    with WholeTable(place) as table:
        for read in (table.verify, lambda: list(table.blocks()), lambda: table.find([3])):
            with pytest.raises(TableError, match=f"'{place}': a record has not the 400 deals"):
                read()


def test_the_columns_are_those_of_the_study(tmp_path, study):
    facts = facts_of(study_of("holding", "ten-point"))
    place = write(tmp_path / "t", study, facts)
    with pytest.raises(TableError, match=f"'{place}': its columns are not those of its study"):
        WholeTable(place)
