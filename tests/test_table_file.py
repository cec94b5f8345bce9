"""A table file gives back what was written, or says what is wrong with it."""

import errno
import hashlib
import os
import random
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from pitchsim.errors import OutputError, TableError
from pitchsim.tables.tablefile import (
    TableFile,
    TableWriter,
    column_values,
    make_block,
    table_schema,
)
from pitchsim.wholefile import clear_leftovers

HERE = Path(__file__).parent  # where a subprocess finds this module
SCHEMA = table_schema(["row", "trump", "made"])
FACTS = {"study": "partners", "deals": [0, 1000]}
PROVENANCE = {"seconds": 1.5, "command": "pitchsim table « »"}


def block(first, rows, seed=0):
    """Make records of `rows` rows from `first`, two of each."""
    row = np.repeat(np.arange(first, first + rows), 2)
    made = np.random.default_rng([seed, first]).integers(-5, 1000, 2 * rows)
    return make_block(SCHEMA, {"row": row, "trump": np.tile([0, 3], rows), "made": made})


BLOCKS = [block(0, 10), block(10, 1), block(11, 0), block(30, 20)]


def write(place, blocks=BLOCKS, facts=FACTS, provenance=PROVENANCE):
    with TableWriter(place, blocks[0].schema) as writer:
        for each in blocks:
            writer.write(each)
        writer.finish(facts, provenance)
    return place


def read(place):
    """Read everything there is in a file."""
    with TableFile(place) as table:
        table.verify()
        return table.facts, table.provenance, table.digest, table.rows, list(table.blocks())


@pytest.fixture
def place(tmp_path):
    return write(tmp_path / "table.parquet")


def test_what_was_written_is_read(place):
    facts, provenance, digest, rows, blocks = read(place)
    assert (facts, provenance, rows) == (FACTS, PROVENANCE, 62)
    assert blocks == BLOCKS
    assert digest == digest_of(BLOCKS)
    assert list(place.parent.iterdir()) == [place]


def digest_of(blocks):
    """Make the digest by its description."""
    data = b'[["row", "int64"], ["trump", "int64"], ["made", "int64"]]'
    for each in blocks:
        data += len(each).to_bytes(8, "little")
        for column in each.to_pydict().values():
            data += b"".join(value.to_bytes(8, "little", signed=True) for value in column)
    return hashlib.sha256(data).hexdigest()


def test_any_reader_of_parquet_can_read_it(place):
    assert parquet.read_table(place).equals(pa.concat_tables(BLOCKS))
    assert parquet.ParquetFile(place).num_row_groups == len(BLOCKS)


def test_keys_may_be_narrow(tmp_path):
    schema = pa.schema([pa.field("row", "uint32", False), pa.field("lead", "int8", False)])
    narrow = make_block(schema, {"row": np.arange(3, dtype="u4"), "lead": np.full(3, -1, "i1")})
    assert read(write(tmp_path / "narrow", [narrow]))[-1] == [narrow]


@pytest.mark.parametrize(
    "rows", [[0], [9, 10], [29], [49, 3, 3, 30], [], [-1, 50], range(100), np.array([31])]
)
def test_find_gives_the_records_of_the_rows(place, rows):
    everything = pa.concat_tables(BLOCKS).to_pylist()
    with TableFile(place) as table:
        assert table.find(rows).to_pylist() == [one for one in everything if one["row"] in rows]


def test_find_reads_only_blocks_that_may_hold_a_row(place, monkeypatch):
    asked = []
    with TableFile(place) as table:
        read_block = table._block
        monkeypatch.setattr(table, "_block", lambda index: asked.append(index) or read_block(index))
        table.find([10, 20, 29])
        assert asked == [1]


def test_provenance_stands_apart_from_the_data(place, tmp_path):
    other = write(tmp_path / "other", provenance={"seconds": 99.25, "host": "elsewhere"})
    data, other_data = data_of(place), data_of(other)
    assert data == other_data
    assert place.read_bytes() != other.read_bytes()
    assert read(place)[2] == read(other)[2]
    assert write(tmp_path / "again").read_bytes() == place.read_bytes()


def data_of(place):
    """Give all bytes before the footer."""
    data = place.read_bytes()
    return data[: -8 - int.from_bytes(data[-8:-4], "little")]


def test_other_data_have_another_digest(tmp_path, place):
    digests = {
        read(place)[2],
        read(write(tmp_path / "a", [block(0, 10, seed=1), *BLOCKS[1:]]))[2],
        read(write(tmp_path / "b", [pa.concat_tables(BLOCKS)]))[2],
        read(write(tmp_path / "c", [BLOCKS[0].select(["row", "made", "trump"])]))[2],
    }
    assert len(digests) == 4


def test_every_byte_cut_off_is_seen(place):
    for length in reversed(range(place.stat().st_size)):
        os.truncate(place, length)
        with pytest.raises(TableError, match=r"table\.parquet'"):
            read(place)


def test_every_altered_byte_is_seen(place):
    for index in range(place.stat().st_size):
        with altered(place, index), pytest.raises(TableError, match=r"table\.parquet'"):
            read(place)


def test_search_checks_the_blocks_it_reads(place):
    for index in range(len(data_of(place))):
        with altered(place, index), suppress(TableError), TableFile(place) as table:
            assert table.find([10]) == BLOCKS[1]


@contextmanager
def altered(place, index):
    """Have another bit in one byte of a file, for a while; written in place, which is quick."""
    right = place.read_bytes()[index]
    with place.open("r+b", buffering=0) as file:
        file.seek(index)
        file.write(bytes([right ^ 1 << index % 8]))
        yield
        file.seek(index)
        file.write(bytes([right]))


def test_damage_is_named(place, tmp_path):
    data = place.read_bytes()
    damage = {
        b"": "it is empty",
        b"row,trump\n1,2\n": "it is not a Parquet file",
        b"PAR1PAR1": "it is cut short",
        data[:-1]: "it is cut short",
        data + data: "belong to no block",
        data[:4] + b"\0" + data[5:]: "block 1 of 4 is damaged, somewhere in bytes 4 to",
        data.replace(b"partners", b"auctions"): "its footer is damaged",
    }
    for content, reason in damage.items():
        place.write_bytes(content)
        with pytest.raises(TableError, match=reason):
            read(place)
    for missing, reason in ((tmp_path / "none", "No such file"), (tmp_path, "Is a directory")):
        with pytest.raises(TableError, match=reason):
            TableFile(missing)


def test_another_parquet_file_is_no_table(tmp_path):
    parquet.write_table(pa.table({"row": [1]}), tmp_path / "other")
    with pytest.raises(TableError, match="not written by pitchsim"):
        TableFile(tmp_path / "other")


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (b'{"study"', b'["study"', "facts are not JSON"),
        (b'{"study": "partners", "deals": [0, 1000]}', b"7".ljust(41), "facts are not a JSON obj"),
        (b"pitchsim.digest", b"pitchsim.diegst", "pitchsim.digest"),
        (b"[[4, ", b"[[5, ", "belong to no block"),
    ],
)
def test_sealed_nonsense_is_refused(place, old, new, reason):
    place.write_bytes(sealed(place.read_bytes().replace(old, new)))
    with pytest.raises(TableError, match=reason):
        read(place)


def test_digest_is_held_to(place):
    digest = read(place)[2].encode()
    place.write_bytes(sealed(place.read_bytes().replace(digest, digest[::-1])))
    with TableFile(place) as table, pytest.raises(TableError, match="digest"):
        table.verify()


def sealed(data):
    """Seal a file anew, by the description of the seal."""
    start = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    seal = data.rindex(b"zeros here: ") + len(b"zeros here: ")
    blank = data[:seal] + b"0" * 64 + data[seal + 64 :]
    return blank.replace(b"0" * 64, hashlib.sha256(blank[start:-8]).hexdigest().encode())


def test_facts_that_look_like_a_seal_do_no_harm(tmp_path):
    facts = {"study": "SHA-256 of this footer with zeros here: " + "0" * 64}
    assert read(write(tmp_path / "table", facts=facts))[0] == facts


def test_nothing_appears_unless_finished(tmp_path):
    place = tmp_path / "table"
    with TableWriter(place, SCHEMA) as writer:
        writer.write(BLOCKS[0])
    with pytest.raises(KeyboardInterrupt):
        interrupted(place)
    with pytest.raises(TypeError, match="JSON"):
        write(place, facts={"study": object()})
    assert list(tmp_path.iterdir()) == []


def interrupted(place):
    with TableWriter(place, SCHEMA) as writer:
        writer.write(BLOCKS[0])
        raise KeyboardInterrupt


def test_old_table_stays_until_the_new_is_finished(place):
    before = read(place)
    with TableWriter(place, SCHEMA) as writer:
        writer.write(block(0, 10, seed=1))
        assert read(place) == before
    assert read(place) == before


def test_table_of_other_things_is_refused(tmp_path):
    for schema in (
        pa.schema([pa.field("row", "int64")]),
        pa.schema([pa.field("row", "float64", False)]),
        table_schema(["made"]),
    ):
        with pytest.raises(TypeError, match="expected whole numbers"):
            TableWriter(tmp_path / "table", schema)
    with pytest.raises(TypeError, match="safe"):
        make_block(table_schema(["row"]), {"row": [0.5]})
    assert list(tmp_path.iterdir()) == []


def test_failing_fsync_is_named_and_leaves_the_old_table(place, monkeypatch):
    def fail(descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    before = place.read_bytes()
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OutputError, match=r"cannot write '.*table.parquet': No space left"):
        write(place, [block(0, 10, seed=1)])
    assert place.read_bytes() == before
    assert list(place.parent.iterdir()) == [place]


def test_missing_folder_is_named(tmp_path):
    with pytest.raises(OutputError, match="No such file or directory"):
        TableWriter(tmp_path / "none" / "table", SCHEMA)


LIMITED = """
import resource, signal, sys
from test_table_file import BLOCKS, SCHEMA, block, write
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), -1))
try:
    write(sys.argv[1], [block(0, 10_000, seed=1)])
except Exception as error:
    print(type(error).__name__, error)
"""


@pytest.mark.parametrize("share", [0, 0.1, 0.5, 0.98, 0.9999])
def test_full_disk_is_named_and_leaves_the_old_table(place, share):
    before = place.read_bytes()
    needed = write(place.with_name("whole"), [block(0, 10_000, seed=1)])
    room = int(share * needed.stat().st_size)
    needed.unlink()
    done = run(LIMITED, place, room)
    assert done.stdout == f"OutputError cannot write {str(place)!r}: File too large\n"
    assert done.stderr == ""
    assert place.read_bytes() == before
    assert list(place.parent.iterdir()) == [place]


def run(program, *arguments):
    command = [sys.executable, "-c", program, *map(str, arguments)]
    return subprocess.run(command, cwd=HERE, capture_output=True, text=True, check=False)


ENDLESS = """
import itertools, sys
from test_table_file import block, write
print("ready", flush=True)
for seed in itertools.count():
    write(sys.argv[1], [block(0, 500, seed), block(500, 500, seed)], facts={"seed": seed})
"""


def test_kill_leaves_the_place_absent_or_complete(tmp_path):
    place = tmp_path / "table"
    chance = random.Random(4)
    killed_while_writing = 0
    for _ in range(8):
        command = [sys.executable, "-c", ENDLESS, str(place)]
        with subprocess.Popen(command, cwd=HERE, stdout=subprocess.PIPE) as process:
            process.stdout.readline()
            time.sleep(chance.uniform(0, 0.05))
            process.kill()
        killed_while_writing += any(path != place for path in tmp_path.iterdir())
        clear_leftovers(place)
        assert list(tmp_path.iterdir()) in ([], [place])
        if place.exists():
            facts, *_, blocks = read(place)
            assert blocks == [block(0, 500, facts["seed"]), block(500, 500, facts["seed"])]
            place.unlink()
    assert killed_while_writing


LOOK_UP = """
import sys
from pitchsim.tables.tablefile import TableFile, column_values
with TableFile(sys.argv[1]) as table:
    print(column_values(table.find([10]), "made"))
print(*sorted({"pandas", "numba", "scipy", "pyarrow.dataset"} & set(sys.modules)))
"""


def test_look_up_loads_nothing_heavy(place):
    done = run(LOOK_UP, place)
    assert done.stdout == f"{column_values(BLOCKS[1], 'made')}\n\n"
