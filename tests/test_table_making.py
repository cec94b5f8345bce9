"""Whatever happens while a table is made, its data are those of one made in one go."""

import errno
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import pytest
from smalltables import ROWS, SMALL, data, small_study

from pitchsim.errors import TableError
from pitchsim.rules import Seating
from pitchsim.running import MOST_DEALS
from pitchsim.tables import store
from pitchsim.tables.bidtable import BidTable
from pitchsim.tables.making import make_table
from pitchsim.tables.rows import HandRows
from pitchsim.tables.tablefile import TableFile, TableWriter
from pitchsim.tables.tablestudy import first_difference

DEALS = 10
PARTS = 24  # of the table by hand
COMMAND = ("table", "--by", "hand", "--seed", "7", "--output", "t.parquet")
HERE = Path(__file__).parent


@pytest.fixture(autouse=True)
def small(warm, monkeypatch):
    for owner, name, value in SMALL:
        monkeypatch.setattr(owner, name, value)


@pytest.fixture(scope="module")
def in_one_go(tmp_path_factory):
    """The data of the table by hand, made in one go."""
    place = tmp_path_factory.mktemp("whole") / "t.parquet"
    with pytest.MonkeyPatch.context() as patch:
        for owner, name, value in SMALL:
            patch.setattr(owner, name, value)
        make_table(small_study(), place, DEALS)
    return data(place)


@pytest.fixture
def place(tmp_path):
    return tmp_path / "t.parquet"


def make(place, deals=DEALS, study=None, **how):
    """Make a table; returns what came of it, and what was told."""
    told = []
    made = make_table(study or small_study(), place, deals, tell=told.append, **how)
    return made, told


def begin(place, deals=DEALS, parts=8, study=None):
    """Make some parts of a table; returns their files."""
    calls = 0

    def interrupt(_progress):
        nonlocal calls
        calls += 1
        if calls > parts:
            raise KeyboardInterrupt

    made, _ = make(place, deals, study, progress=interrupt, threads=1)
    assert not made.finished
    return sorted(parts_of(place).glob("rows-*"))


def parts_of(place):
    return place.with_name(place.name + ".parts")


def alone(place):
    """Whether nothing is left beside the table."""
    return list(place.parent.iterdir()) == [place]


def run(folder, *arguments, **environment):
    """Run the command in a process of its own."""
    return subprocess.run(
        [sys.executable, HERE / "smalltables.py", *arguments],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_table_holds_every_row_with_all_its_deals(place, in_one_go):
    made, told = make(place)
    assert (made.finished, made.deals, made.counted) == (True, DEALS, ROWS[HandRows] * DEALS)
    assert told == []
    assert alone(place)
    assert data(place) == in_one_go
    with BidTable(place) as table:
        table.verify()
        rows = [row for records, _ in table.blocks() for row in records.rows]
        assert sorted(set(rows)) == list(range(ROWS[HandRows]))
        taken = table.study.columns.taken
        assert {
            int(n) for _, counts in table.blocks() for n in counts[..., taken].sum(-1).flat
        } == {DEALS}


class AnyOrder(Executor):
    """Finishes what it is given in any order."""

    def __init__(self):
        self.pool = ThreadPoolExecutor(4)
        self.chance = random.Random(1)

    def submit(self, function, *arguments):
        def later(seconds):
            time.sleep(seconds)
            return function(*arguments)

        return self.pool.submit(later, self.chance.uniform(0, 0.02))


def test_threads_and_executors_make_no_difference(place, in_one_go):
    for number, how in enumerate(
        ({"threads": 1}, {"threads": 5}, {"executor": AnyOrder(), "threads": 4})
    ):
        one = place.with_name(f"{number}")
        make(one, **how)
        assert data(one) == in_one_go
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        make(place, executor=pool)
    assert data(place) == in_one_go


@pytest.mark.parametrize("by", ["hand", "holding"])
def test_an_interrupted_table_goes_on_where_it_was(place, by):
    study = small_study(by)
    whole = place.with_name("whole")
    total = make(whole, study=study)[0].counted
    kept = 0
    for parts in (0, 1, 2, 4):
        begin(place, parts=parts, study=study)
        assert not place.exists()
        kept = len(list(parts_of(place).glob("rows-*"))) if parts else 0
        assert kept >= parts
    made, told = make(place, study=study)
    assert 0 < made.counted < total
    assert told == []
    assert data(place) == data(whole)
    whole.unlink()
    assert alone(place)


def test_deals_are_added_to_a_table(place, in_one_go):
    for deals in (1, 4, 5, DEALS):
        before = ROWS[HandRows] * (0 if not place.exists() else BidTable(place).deals)
        made, _ = make(place, deals)
        assert made.counted == ROWS[HandRows] * deals - before
    assert data(place) == in_one_go


def test_deals_are_raised_while_there_are_parts_of_fewer(place, in_one_go):
    elsewhere = place.with_name("elsewhere")
    longer = begin(elsewhere, 7, parts=9)
    begin(place, 4, parts=4)
    begin(place, 5, parts=6)
    for path in longer:
        shutil.copy(path, parts_of(place))
    shutil.rmtree(parts_of(elsewhere))
    overlapping = {name(path) for path in parts_of(place).glob("rows-*")}
    assert {"deals-3-4", "deals-4-5", "deals-3-6", "deals-6-7"} <= overlapping
    make(place, 7)
    assert alone(place)
    begin(place, DEALS, parts=2)
    made, told = make(place)
    assert (made.deals, told) == (DEALS, [])
    assert data(place) == in_one_go
    assert alone(place)


def test_fewer_deals_than_are_counted_lose_nothing(pitchsim, tmp_path, in_one_go):
    place = tmp_path / "t.parquet"
    paths = begin(place, DEALS, parts=7)
    finished = pitchsim(*COMMAND, "--deals", 4)
    assert finished.status == 2
    lost = sum("deals-3-6" in path.name for path in paths)
    assert finished.err.splitlines()[-1] == (
        f"error: 4 deals of every row are too few: {lost} parts in 't.parquet.parts' would be "
        "lost, for there up to 10 are counted; expected 10 deals or more, or the folder moved away"
    )
    assert sorted(parts_of(place).iterdir()) == paths
    made, told = make(place, 3)  # which divides no part
    assert (made.deals, told) == (3, [])
    later = [path for path in paths if "deals-0-3" not in path.name]
    assert sorted(parts_of(place).iterdir()) == later
    make(place)
    assert data(place) == in_one_go
    assert alone(place)


def test_a_part_that_is_half_in_the_file_is_left_alone(place, in_one_go):
    shorter = place.with_name("shorter")
    make(shorter, 4)
    paths = begin(place, DEALS, parts=7)
    shorter.rename(place)
    made, told = make(place)
    assert made.finished
    assert data(place) == in_one_go
    halves = [path for path in paths if "deals-3-6" in path.name]
    assert len(halves) >= 2
    assert all(path.name in message for path, message in zip(halves, told, strict=True))
    make(place)  # now all their deals are in it
    assert alone(place)


def test_any_number_of_deals_can_be_begun(place):
    paths = begin(place, MOST_DEALS, parts=3)
    assert len(paths) >= 3
    assert MOST_DEALS >= 2**40


def test_parts_behind_a_missing_one_are_not_counted_again(place, in_one_go):
    paths = begin(place, parts=18)
    for path in paths[::3]:
        path.unlink()
    made, _ = make(place)
    kept = sum(deals * rows for rows, deals in map(size, set(paths) - set(paths[::3])))
    assert made.counted == ROWS[HandRows] * DEALS - kept
    assert data(place) == in_one_go


def name(path):
    return re.search(r"deals-\d+-\d+", path.name)[0]


def size(path):
    first_row, end_row, first, end = map(int, re.findall(r"\d+", path.name))
    return end_row - first_row, end - first


def test_fewer_deals_change_nothing_and_it_is_said(pitchsim, in_one_go):
    assert pitchsim(*COMMAND, "--deals", DEALS).status == 0
    finished = pitchsim(*COMMAND, "--deals", 4)
    assert finished.status == 0
    assert "10 deals of every hand already, more than 4: nothing to do" in finished.err
    assert data("t.parquet") == in_one_go
    again = pitchsim(*COMMAND, "--deals", DEALS)
    assert "10 deals of every hand (nothing to do)" in again.err


# --- what ends a process ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("by", "kills", "seed"),
    [
        ("hand", 15, 1),
        pytest.param("hand", 300, 2, marks=pytest.mark.long),
        pytest.param("holding", 300, 3, marks=pytest.mark.long),
    ],
)
def test_a_table_that_is_killed_again_and_again(place, by, kills, seed):
    deals = kills  # enough work
    whole = place.with_name("whole")
    make(whole, deals, small_study(by))
    killing = [sys.executable, HERE / "killing.py", place, by, deals, kills, seed]
    finished = subprocess.run(
        list(map(str, killing)), capture_output=True, text=True, timeout=600, check=False
    )
    assert (finished.returncode, finished.stderr) == (0, "")
    *told, killed = finished.stdout.splitlines()
    assert told == []  # a part that is not whole is not there at all
    assert int(killed) > kills / 2
    assert data(place) == data(whole)
    whole.unlink()
    assert alone(place)


def test_a_process_that_dies_before_the_parts_are_removed(place, in_one_go):
    arguments = (*COMMAND, "--deals", str(DEALS))
    assert run(place.parent, *arguments, TROUBLE="dies").returncode == -signal.SIGKILL
    assert data(place) == in_one_go
    assert len(list(parts_of(place).glob("rows-*"))) == PARTS
    made, told = make(place)
    assert (made.counted, told) == (0, [])
    assert data(place) == in_one_go
    assert alone(place)


def test_ctrl_c_keeps_what_is_counted_and_says_how_to_go_on(place):
    deals = "3000"
    arguments = [sys.executable, HERE / "smalltables.py", *COMMAND, "--deals", deals]
    command = subprocess.Popen(arguments, cwd=place.parent, stderr=subprocess.PIPE, text=True)
    wait_until(lambda: len(list(parts_of(place).glob("rows-*"))) > 3, command)
    command.send_signal(signal.SIGINT)
    _, said = command.communicate(timeout=60)
    assert command.returncode == 130
    assert "what is counted is kept. To go on:\npitchsim table --by hand" in said
    assert said.endswith(f"--deals {deals} --seed 7 --output t.parquet\n")
    assert "Traceback" not in said
    assert not place.exists()
    parts = len(list(parts_of(place).glob("rows-*")))
    assert parts > 3
    made, told = make(place, 30)  # fewer, for the sake of time
    assert (made.finished, told) == (True, [])
    assert made.counted < ROWS[HandRows] * 30
    whole = place.with_name("whole")
    make(whole, 30)
    assert data(place) == data(whole)


def wait_until(true, process, seconds=60):
    end = time.monotonic() + seconds
    while not true():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end
        time.sleep(0.01)


def test_interrupted_while_the_file_is_written(place, in_one_go, monkeypatch):
    def interrupt(*arguments):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(store, "file_facts", interrupt)
        made, _ = make(place)
    assert not made.finished
    assert not place.exists()
    made, _ = make(place)
    assert (made.written, made.counted) == (True, 0)
    assert data(place) == in_one_go
    assert alone(place)


# --- damage ----------------------------------------------------------------------------------


def cut(path):
    os.truncate(path, path.stat().st_size // 2)


def flip(path, at=None):
    content = bytearray(path.read_bytes())
    content[random.Random(path.name).randrange(len(content)) if at is None else at] ^= 4
    path.write_bytes(content)


def empty(path):
    path.write_bytes(b"")


def foreign(path):
    path.write_text("something else")


def another(path):
    """Put another part in its place."""
    other = next(other for other in path.parent.glob("rows-*") if other != path)
    shutil.copy(other, path)


@pytest.mark.parametrize("damage", [cut, flip, empty, foreign, another])
def test_a_damaged_part_is_named_and_counted_again(place, in_one_go, damage):
    paths = begin(place)
    for path in paths[2:5]:
        damage(path)
    made, told = make(place)
    assert [path.name in message for path, message in zip(paths[2:5], told, strict=True)] == [
        True
    ] * 3
    assert all(message.endswith("it is counted again") for message in told)
    assert made.finished
    assert data(place) == in_one_go
    assert alone(place)


def test_the_command_warns_of_a_damaged_part(pitchsim, tmp_path, in_one_go):
    path = begin(tmp_path / "t.parquet")[0]
    flip(path)
    finished = pitchsim(*COMMAND, "--deals", DEALS)
    assert finished.status == 0
    assert f"warning: cannot use the table '{path.resolve()}'" in finished.err.replace(
        "'t.parquet.parts", f"'{tmp_path}/t.parquet.parts"
    )
    assert data("t.parquet") == in_one_go


def test_a_file_that_is_no_part_is_left_alone(place, in_one_go):
    begin(place)
    note, folder = parts_of(place) / "notes.txt", parts_of(place) / "rows.parquet"
    note.write_text("mine")
    folder.mkdir()
    made, told = make(place)
    assert [path.name in message for path, message in zip((note, folder), told, strict=True)]
    assert made.finished
    assert data(place) == in_one_go
    assert note.read_text() == "mine"
    assert sorted(parts_of(place).iterdir()) == [note, folder]


@pytest.mark.parametrize(
    ("other", "difference"),
    [
        ({"seed": 8}, "seed is 8 there and 7 here"),
        ({"play": "random"}, 'play is "random" there and "basic" here'),
        ({"rules": "four-point"}, "the rules are four-point there and partners here"),
        ({"by": "holding"}, 'by is "holding" there and "hand" here'),
    ],
)
def test_another_table_at_the_place_is_refused(place, other, difference):
    make(place, 2, small_study(**other))
    before = place.read_bytes()
    with pytest.raises(TableError) as refused:
        make(place)
    assert str(refused.value) == f"{str(place)!r} is of another table: {difference}"
    assert place.read_bytes() == before
    assert alone(place)


def test_another_number_of_players_is_refused(place):
    make(place, 2, small_study(rules="solo", players=4))
    with pytest.raises(TableError, match="players is 4 there and 5 here"):
        make(place, study=small_study(rules="solo", players=5))
    alone_there = place.with_name("alone")
    study = small_study(rules="setback", players=4)
    make(alone_there, 2, study)
    with pytest.raises(TableError, match="partners is true there and false here"):
        make(alone_there, study=replace(study, seating=Seating(4, partners=False)))


def test_every_fact_is_told_apart():
    facts = small_study().facts
    for name in facts.keys() - {"name", "rules"}:
        assert first_difference(facts | {name: "x"}, facts).startswith(f"{name} is ")
    for name in facts["rules"]:
        changed = facts | {"rules": facts["rules"] | {name: "x"}}
        assert first_difference(facts, changed).startswith(f"the rules' {name} is ")
        fewer = {field: value for field, value in facts["rules"].items() if field != name}
        assert first_difference(facts | {"rules": fewer}, facts).startswith(f"the rules' {name} is")
    assert first_difference(facts, facts | {"name": "x"}) is None
    other = small_study(rules="ten-point").facts
    assert first_difference(facts | {"play": "x"}, other, ("there", "here")) == (
        "the rules are partners there and ten-point here"
    )


@pytest.mark.parametrize("other", [{"seed": 8}, {"play": "random"}])
def test_a_part_of_another_table_is_refused(place, other):
    begin(place)
    elsewhere = place.with_name("other")
    strange = begin(elsewhere, study=small_study(**other))[0]
    path = parts_of(place) / strange.name
    shutil.copy(strange, path)
    before = sorted(parts_of(place).iterdir())
    with pytest.raises(TableError, match=rf"{path.name}' is of another table: \w+ is .* here"):
        make(place)
    assert sorted([*parts_of(place).iterdir(), parts_of(place) / "lock"]) == sorted(
        {*before, parts_of(place) / "lock"}
    )


def test_a_whole_table_among_the_parts_is_refused_and_kept(place):
    path = begin(place)[0]
    whole = place.with_name("whole")
    make(whole)
    shutil.copy(whole, path)
    with pytest.raises(TableError, match="is no part of a table"):
        make(place)
    assert path.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("damage", [cut, flip, empty, foreign])
def test_a_damaged_table_is_named_and_never_touched(place, damage):
    make(place, 4)
    damage(place)
    before = place.read_bytes()
    for deals in (4, DEALS):
        with pytest.raises(TableError, match=rf"cannot use the table '{place}': .* move it away"):
            make(place, deals)
    assert place.read_bytes() == before
    assert alone(place)


def test_the_table_is_whole_at_every_moment_while_deals_are_added(place):
    make(place, 4)
    before = place.read_bytes()
    begin(place, DEALS)
    assert place.read_bytes() == before


# --- a full disk, folders, others at work ----------------------------------------------------


@pytest.mark.parametrize(("largest", "parts"), [(2_000, 0), (12_000, PARTS)])
def test_a_full_disk_ends_in_one_message_and_loses_nothing(place, in_one_go, largest, parts):
    arguments = (*COMMAND, "--deals", str(DEALS))
    full = run(place.parent, *arguments, TROUBLE="full", LARGEST=str(largest))
    assert full.returncode not in (0, -signal.SIGXFSZ)
    _, *messages = (line for line in full.stderr.splitlines() if "engine ready" not in line)
    assert len(messages) == 1
    assert messages[0].startswith("error: cannot write 't.parquet")
    assert messages[0].endswith(": File too large")
    assert not place.exists()
    assert len(list(parts_of(place).glob("rows-*"))) == parts if parts else alone_or_nothing(place)
    made, told = make(place)
    assert made.counted == (0 if parts else ROWS[HandRows] * DEALS)
    assert told == []
    assert data(place) == in_one_go
    assert alone(place)


def alone_or_nothing(place):
    return list(place.parent.iterdir()) == []


@pytest.mark.parametrize("failing", [5, 30, 2 * PARTS + 1])
def test_a_disk_that_fails_at_any_moment(pitchsim, tmp_path, in_one_go, monkeypatch, failing):
    calls = 0
    fsync = os.fsync

    def full(descriptor):
        nonlocal calls
        calls += 1
        if calls >= failing:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        fsync(descriptor)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        finished = pitchsim(*COMMAND, "--deals", DEALS)
    if finished.status:
        assert re.search(
            r"^error: cannot write 't\.parquet.*: No space", finished.err, re.MULTILINE
        )
    assert not list(tmp_path.rglob("*.unfinished"))
    assert pitchsim(*COMMAND, "--deals", DEALS).status == 0
    assert data("t.parquet") == in_one_go


def test_two_cannot_work_on_the_same_table(place, in_one_go):
    refused = []

    def second(_progress):
        with pytest.raises(TableError, match=rf"somebody else is at work on '{place}'") as error:
            make(place)
        refused.append(error)

    link = place.with_name("link")
    link.symlink_to(place)
    make(link, progress=second)
    assert len(refused) > 10
    assert link.is_symlink()
    assert data(place) == in_one_go


def test_places_where_no_table_can_be(place, pitchsim, tmp_path):
    parts_of(place).write_text("mine")
    finished = pitchsim(*COMMAND)
    assert finished.status == 2
    assert "error: cannot work in 't.parquet.parts': File exists" in finished.err
    assert parts_of(place).read_text() == "mine"
    for output in ("no/t.parquet", ".", "x" * 300, "x" * 252, "/dev/null"):
        finished = pitchsim(*COMMAND[:-1], output)
        assert finished.status in (1, 2), output
        assert finished.err.splitlines()[-1].startswith("error: "), output
    assert list(tmp_path.iterdir()) == [parts_of(place)]


@pytest.mark.parametrize("name", ["a b'c\"[1]*.parquet", "größe\n.x", "-t", ".hidden", "x" * 240])
def test_any_name_will_do(tmp_path, in_one_go, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    begin(Path(name))
    make(Path(name))
    assert data(Path(name)) == in_one_go
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_what_came_of_it_is_said(pitchsim, tmp_path, monkeypatch):
    said = pitchsim(*COMMAND, "--deals", 1).err.splitlines()
    assert said[0] == "partners rules, 4 players in two sides, basic play, by hand, seed 7: 48 rows"
    assert re.fullmatch(
        r"t\.parquet: 1 deal of every hand \(48 deals in \d+\.\d s, [\d,]+ a second\)", said[1]
    )
    with monkeypatch.context() as patch:
        patch.setattr(store.TableStore, "finish", lambda *_: os.kill(os.getpid(), signal.SIGINT))
        stopped = pitchsim(*COMMAND, "--deals", 2)
    assert stopped.status == 130
    again = pitchsim(*COMMAND, "--deals", 2).err.splitlines()
    assert again[1] == (
        "t.parquet: 2 deals of every hand (put together from what was counted before)"
    )


def test_what_is_no_place_for_a_table_is_named(pitchsim, tmp_path):
    part = begin(tmp_path / "t.parquet")[0]
    refused = pitchsim("table", "--by", "hand", "--deals", 20, "--output", part)
    assert refused.err == f"error: cannot use the table '{part}': it is no whole table\n"
    for command in (("table",), ("table", "combine", "t.parquet", "u.parquet")):
        refused = pitchsim(*command, "--output", "-")
        assert refused.status == 2
        assert refused.err == (
            "error: a table cannot go to standard output ('-'): expected a file\n"
        )


def test_a_table_says_which_rules_were_changed():
    study = small_study(rules="ten-point", by="holding")
    changed = replace(study, rules=study.rules.changed({"trump_choice": "declared", "draw": "yes"}))
    assert changed.about == (
        "ten-point rules (trump_choice declared, draw yes), 4 players in two sides, basic play, "
        "by holding"
    )
    mine = replace(study, rules=replace(changed.rules, name="mine"), seating=Seating(4, False))
    assert mine.about == "mine rules, 4 players each alone, basic play, by holding"


PART_FACTS = {
    "study": [None, {}, {"rules": None}],
    "seed": [None, -1, "7", True],
    "rows": [None, [0], [8, 0], [0, 8, 9], ["0", "8"]],
    "deals": [None, [-3, 0], 3],
}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in PART_FACTS.items() for value in values]
)
def test_a_part_whose_facts_make_no_sense_is_refused(place, name, value):
    path = begin(place, parts=1)[0]
    with TableFile(path) as file:
        facts, blocks, schema = file.facts | {name: value}, list(file.blocks()), file.schema
    with TableWriter(path, schema) as writer:
        writer.write(blocks[0])
        writer.finish(facts, {"seconds": 1})
    before = path.read_bytes()
    with pytest.raises(TableError, match=f"'{path}' is no part of a table"):
        make(place)
    assert path.read_bytes() == before


def test_the_seed_is_that_of_what_is_there(pitchsim, tmp_path, in_one_go):
    place = tmp_path / "t.parquet"
    begin(place)
    seedless = [word for word in COMMAND if word not in ("--seed", "7")]
    assert pitchsim(*seedless, "--deals", 3).status == 0
    assert pitchsim(*seedless, "--deals", DEALS).status == 0
    assert data(place) == in_one_go


def test_provenance_says_how_it_came_to_be(pitchsim, tmp_path):
    pitchsim(*COMMAND, "--deals", 4)
    with TableFile("t.parquet") as file:
        before = file.provenance
    pitchsim(*COMMAND, "--deals", DEALS)
    with TableFile("t.parquet") as file:
        after = file.provenance
    assert before["command"].endswith("--deals 4 --seed 7 --output t.parquet")
    assert after["command"].endswith(f"--deals {DEALS} --seed 7 --output t.parquet")
    assert after["seconds"] >= before["seconds"] > 0
    assert set(after["versions"]) == {"pitchsim", "numba", "numpy", "pyarrow"}
