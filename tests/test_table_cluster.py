"""Tables made on a Dask cluster: a real scheduler, and workers that are processes of their own."""

import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from pitchsim_cli.cluster import _failures_explained
from smalltables import SMALL, data, small_study

from pitchsim.errors import PitchsimError, TableError
from pitchsim.study import ENGINE_VERSION
from pitchsim.tables.making import make_table

distributed = pytest.importorskip(
    "distributed", reason="Dask is not installed: pip install 'pitchsim[dask]'"
)

HERE = Path(__file__).parent
PATIENCE = 180
#: Lets a dead scheduler's silence be noticed at once.
QUICK = {"DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "3s"}


class Cluster:
    """A scheduler and its workers, as somebody would start them by hand."""

    def __init__(self, folder):
        self.folder = folder
        self.stack = ExitStack()
        self.workers = []
        self.scheduler = self.start("scheduler", "--port", "0", "--host", "127.0.0.1")
        self.address = self.said(self.scheduler, r"Scheduler at:\s+(tcp://\S+)")

    def start(self, kind, *arguments, **environment):
        log = self.stack.enter_context((self.folder / f"{kind}{time.monotonic_ns()}").open("w"))
        process = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.dask_{kind}", "--no-dashboard", *arguments],
            cwd=self.folder,
            env=os.environ | environment,
            stdout=log,
            stderr=log,
        )
        process.log = Path(log.name)
        self.stack.callback(process.wait)
        self.stack.callback(process.kill)
        return process

    def add_workers(self, count, **environment):
        new = [
            self.start("worker", self.address, "--nthreads", "1", "--no-nanny", **environment)
            for _ in range(count)
        ]
        for worker in new:
            self.said(worker, r"(Registered to)")
        self.workers += new

    def need_workers(self, count):
        self.workers = [worker for worker in self.workers if worker.poll() is None]
        self.add_workers(count - len(self.workers))

    def remove_worker(self):
        worker = self.workers.pop()
        worker.kill()
        worker.wait()

    def said(self, process, pattern):
        end = time.monotonic() + PATIENCE
        while not (found := re.search(pattern, process.log.read_text())):
            assert process.poll() is None, process.log.read_text()
            assert time.monotonic() < end, process.log.read_text()
            time.sleep(0.05)
        return found[1]


@pytest.fixture(scope="module")
def cluster(warm, tmp_path_factory):
    """One for all tests, which takes seconds to start; the last of them ends its scheduler."""
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    with made.stack:
        yield made


@pytest.fixture
def whole(warm, monkeypatch, tmp_path):
    """Makes the table on threads; returns its data."""
    for owner, name, value in SMALL:
        monkeypatch.setattr(owner, name, value)

    def make(deals):
        place = tmp_path / "whole"
        make_table(small_study(), place, deals)
        return data(place)

    return make


@pytest.fixture
def table(cluster, tmp_path):
    """Makes a table on the cluster, in a process of its own."""
    return lambda deals: making(cluster, deals, tmp_path)


@contextmanager
def making(cluster, deals, folder):
    arguments = ["table", "--by", "hand", "--seed", "7", "--deals", deals, "--output", "t.parquet"]
    command = subprocess.Popen(
        [
            sys.executable,
            HERE / "smalltables.py",
            *map(str, arguments),
            "--scheduler",
            cluster.address,
        ],
        cwd=folder,
        env=os.environ | QUICK,
        stderr=subprocess.PIPE,
        text=True,
    )
    command.place = folder / "t.parquet"
    try:
        yield command
    finally:
        command.kill()
        command.wait()


def parts(command):
    return len(list(command.place.with_name("t.parquet.parts").glob("rows-*")))


def wait_for_parts(command, count):
    end = time.monotonic() + PATIENCE
    while parts(command) < count:
        assert command.poll() is None, command.communicate()
        assert time.monotonic() < end
        time.sleep(0.005)


def ended(command, patience=PATIENCE):
    """Wait for the command; returns what it said but for what it began with."""
    _, said = command.communicate(timeout=patience)
    assert "Traceback" not in said
    assert "distributed" not in said
    return said.splitlines()[1:]


def test_a_cluster_without_workers(cluster, table):
    with table(3) as command:
        assert ended(command) == [
            f"error: the scheduler at '{cluster.address}' has no workers: expected at least one, "
            f"started with dask worker {cluster.address}"
        ]
    assert command.returncode == 1


@pytest.mark.parametrize("deals", [30, pytest.param(600, marks=pytest.mark.long)])
def test_a_worker_is_killed_and_the_data_are_the_same(cluster, table, whole, deals):
    cluster.need_workers(3)
    with table(deals) as command:
        wait_for_parts(command, 10)
        cluster.remove_worker()
        assert command.poll() is None  # it is in the middle of its work
        said = ended(command, patience=PATIENCE + deals)
        assert command.returncode == 0, said
    lost = "warning: the cluster lost a worker: what it was counting is counted again"
    assert [line for line in said if line.startswith("warning")] in ([], [lost])
    assert f"t.parquet: {deals:,} deals of every hand" in said[-2]
    assert data(command.place) == whole(deals)
    assert not command.place.with_name("t.parquet.parts").exists()


def test_ctrl_c_with_a_cluster(cluster, table):
    cluster.need_workers(2)
    with table(3_000) as command:
        wait_for_parts(command, 5)
        command.send_signal(signal.SIGINT)
        said = ended(command)
    assert command.returncode == 130
    assert said[0].startswith("interrupted, ")
    assert said[1].endswith(f"--output t.parquet --scheduler {cluster.address}")
    assert parts(command) >= 5


def test_ctrl_c_when_no_workers_are_left(cluster, table):
    cluster.need_workers(1)
    with table(3_000) as command:
        wait_for_parts(command, 2)
        while cluster.workers:
            cluster.remove_worker()
        warning = "warning: the cluster has no workers left: waiting for one"
        assert any(warning in line for line in command.stderr)
        command.send_signal(signal.SIGINT)
        _, said = command.communicate(timeout=PATIENCE)
    assert command.returncode == 130
    assert said.startswith("interrupted, ")
    assert parts(command) >= 2


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            distributed.KilledWorker("part", None, 3),
            "was lost with 4 workers one after another: expected",
        ),
        (CancelledError(), "the scheduler at 'tcp://a:1' does not answer any more; what is"),
        (RuntimeError("at length.\nAnd more"), "'tcp://a:1' cannot do the work: at length; expect"),
        (TableError("as it is"), "^as it is$"),
    ],
)
def test_what_became_of_a_cluster_is_said_in_a_sentence(error, said):
    with pytest.raises(PitchsimError, match=said), _failures_explained("tcp://a:1"):
        raise error


@pytest.mark.parametrize(
    ("startup", "found"),
    [
        ("from pitchsim import study; study.ENGINE_VERSION = 999", "has version 999 of the engine"),
        ("import sys; sys.modules['pitchsim'] = None", r"cannot load pitchsim \(.*\)"),
    ],
)
def test_workers_of_another_pitchsim_or_none(cluster, table, tmp_path, startup, found):
    folder = tmp_path / "startup"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(startup)
    cluster.add_workers(1, PYTHONPATH=str(folder))
    with table(3) as command:
        (said,) = ended(command)
    cluster.remove_worker()
    assert command.returncode == 1
    assert re.fullmatch(
        rf"error: the worker at tcp://\S+ {found}: expected version {ENGINE_VERSION}, as here", said
    )
    assert not list(tmp_path.glob("t.parquet*"))


def test_a_worker_of_another_pitchsim_that_comes_late(whole, tmp_path):
    study = small_study()
    with ThreadPoolExecutor(1) as pool:
        submit = pool.submit
        pool.submit = lambda function, study, facts, part: submit(
            function, study, facts | {"engine": 999}, part
        )
        with pytest.raises(
            TableError, match=rf"engine is 999 here and {ENGINE_VERSION} there; expected"
        ):
            make_table(study, tmp_path / "t.parquet", 3, executor=pool)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("address", ["localhost", "tcp://localhost", "http://a:1", "tcp://a b:1"])
def test_what_is_no_address(pitchsim, address):
    finished = pitchsim("table", "--seed", 7, "--output", "t.parquet", "--scheduler", address)
    assert finished.status == 2
    assert f"error: '{address}' is no address of a scheduler: expected one such as" in finished.err


def test_nobody_answers(pitchsim, monkeypatch):
    monkeypatch.setattr("pitchsim_cli.cluster.SECONDS_TO_ANSWER", 1)
    address = "tcp://127.0.0.1:1"
    finished = pitchsim("table", "--seed", 7, "--output", "t.parquet", "--scheduler", address)
    assert finished.status == 1
    assert f"error: no scheduler answers at '{address}' in 1 seconds: expected" in finished.err
    assert len(finished.err.splitlines()) == 2


def test_a_scheduler_that_is_lost(cluster, table):
    cluster.need_workers(2)
    with table(3_000) as command:
        wait_for_parts(command, 5)
        cluster.scheduler.kill()
        (said,) = [line for line in ended(command) if not line.startswith("warning")]
    assert command.returncode == 1
    assert said == (
        f"error: the scheduler at '{cluster.address}' does not answer any more; what is counted "
        "is kept, and the same command goes on"
    )
    assert parts(command) >= 5
    assert not command.place.exists()
