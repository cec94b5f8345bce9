"""Settings of all tests."""

import io
import os
import signal
import sys
from typing import NamedTuple

import pytest
from hypothesis import settings
from pitchsim_cli.app import main

# A test that interrupts a command must be able to, also where make runs behind nohup.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Compilation and shared machines make times mean nothing. The usual run tries the same examples
# every time; the long run tries new ones, and many more.
settings.register_profile("usual", deadline=None, derandomize=True)
settings.register_profile("long", deadline=None, max_examples=3_000)
settings.load_profile("usual")


@pytest.fixture(scope="session")
def warm(tmp_path_factory):
    """Have the engine compiled, so that no command says that it must wait for that.

    The tables that strategies make on the spot are made anew: what the user has proves nothing.
    """
    from pitchsim.bidding import sources  # noqa: PLC0415  (tests of text alone need no engine)
    from pitchsim.plays import PLAYS  # noqa: PLC0415
    from pitchsim.warmup import OTHERS, warm_up  # noqa: PLC0415

    # Every other process begins at the other end, and finds what its neighbour has compiled.
    work = (*PLAYS, *OTHERS)
    number = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    warm_up(*(work if number % 2 == 0 else reversed(work)))
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:  # one folder for all of them
        folder = folder.parent
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sources, "tables_folder", lambda: folder / "tables")
        yield


@pytest.fixture
def pitchsim(warm, monkeypatch, capsys, tmp_path):
    """Run the command in an empty folder, with `text` to read: its status and what it wrote.

    That one must wait on a busy machine is not said.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("pitchsim_cli.waiting.PATIENCE", 1000)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "80")

    def run(*arguments, text=""):
        data = text if isinstance(text, bytes) else text.encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        monkeypatch.setattr(sys, "argv", ["pitchsim", *map(str, arguments)])
        status = 0
        try:
            main()
        except SystemExit as exit_:
            status = exit_.code or 0
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return Finished(status, captured.out, captured.err)

    return run


class Finished(NamedTuple):
    """What came of a command."""

    status: int
    out: str
    err: str
