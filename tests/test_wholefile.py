"""A file is there whole or not at all."""

import errno
import os

import pytest

from pitchsim.wholefile import WholeFile, clear_leftovers


@pytest.fixture(params=["absent", "there"])
def place(tmp_path, request):
    place = tmp_path / "table"
    if request.param == "there":
        place.write_bytes(b"old")
        place.chmod(0o640)
    return place


def content(place):
    return place.read_bytes() if place.exists() else None


def test_file_appears_when_the_block_ends(place):
    before = content(place)
    with WholeFile(place) as file:
        file.write(b"new")
        file.flush()
        assert content(place) == before
    assert place.read_bytes() == b"new"
    assert list(place.parent.iterdir()) == [place]


def test_permissions_are_kept_or_the_usual(place):
    plain = place.with_name("plain")
    plain.touch()
    expected = place.stat().st_mode if place.exists() else plain.stat().st_mode
    with WholeFile(place):
        pass
    assert place.stat().st_mode == expected


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit, ValueError, OSError])
def test_exception_leaves_the_place_as_it_was(place, stop):
    before = content(place)
    with pytest.raises(stop):
        stopped(place, stop)
    assert content(place) == before
    assert list(place.parent.iterdir()) == ([place] if before else [])


def stopped(place, stop):
    with WholeFile(place) as file:
        file.write(b"new")
        raise stop


@pytest.mark.parametrize("step", ["fsync", "chmod", "replace"])
def test_failure_at_the_end_leaves_the_place_as_it_was(place, step, monkeypatch):
    def fail(*arguments, **options):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    before = content(place)
    monkeypatch.setattr(os if step != "chmod" else type(place), step, fail)
    with pytest.raises(OSError, match="No space left"), WholeFile(place) as file:
        file.write(b"new")
    assert content(place) == before
    assert list(place.parent.iterdir()) == ([place] if before else [])


def test_link_is_followed(place, tmp_path):
    link = tmp_path / "link"
    link.symlink_to(place)
    with WholeFile(link) as file:
        file.write(b"new")
    assert link.is_symlink()
    assert place.read_bytes() == b"new"


def test_device_is_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for taken in (pipe, tmp_path, os.devnull):
        with pytest.raises(FileExistsError, match="not a plain file"):
            WholeFile(taken)
    assert list(tmp_path.iterdir()) == [pipe]


def test_only_leftovers_of_the_place_are_cleared(place, tmp_path):
    for name in (".table.0a_z9xyz.unfinished", ".table.2.0a_z9xyz.unfinished", ".table.unfinished"):
        (tmp_path / name).write_bytes(b"half")
    with WholeFile(place) as file:
        file.write(b"new")
        clear_leftovers(place)
    assert place.read_bytes() == b"new"
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == [".table.2.0a_z9xyz.unfinished", ".table.unfinished", "table"]


def test_long_names_have_leftovers_too(tmp_path):
    place = tmp_path / ("ü" * 120)
    with WholeFile(place):
        assert len(list(tmp_path.iterdir())) == 1
    assert list(tmp_path.iterdir()) == [place]
