"""A Dask cluster as an executor."""

import logging
import re
import threading
import warnings
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor
from contextlib import contextmanager, suppress
from pkgutil import resolve_name
from typing import Any

import typer

from pitchsim.errors import PitchsimError, quoted
from pitchsim.study import ENGINE_VERSION

ADDRESS = re.compile(r"(tcp|tls)://\S+:\d{1,5}")
SECONDS_TO_ANSWER = 10
SECONDS_TO_PART = 5
#: How often the workers are counted.
SECONDS_OF_PATIENCE = 1
KEPT = "what is counted is kept, and the same command goes on"


class ClusterError(PitchsimError):
    """A cluster that cannot be used, or no longer."""

    exit_status = 1


class BadAddressError(ClusterError):
    """What can be no address."""

    exit_status = 2


@contextmanager
def cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """Connect to a scheduler; gives its executor and how many threads its workers have together.

    That workers are lost is said on standard error; others do their work again.

    Raises
    ------
    ClusterError
        If Dask is not installed, nobody answers, there are no workers, or the scheduler or every
        worker that tries a piece of work fails.
    """
    with _quiet():
        client = _connected(address)
        try:
            workers = client.nthreads()
            if not workers:
                raise ClusterError(
                    f"the scheduler at {quoted(address)} has no workers: expected at least one, "
                    f"started with dask worker {address}"
                )
            with _failures_explained(address), _watched(client, set(workers)):
                _refuse_other_versions(client)
                yield client.get_executor(pure=False), sum(workers.values())
        finally:
            with suppress(Exception):  # nobody may be there any more to part from
                client.close(timeout=SECONDS_TO_PART)


def _connected(address: str) -> Any:
    """Connect to a scheduler."""
    try:
        from distributed import Client  # noqa: PLC0415  (an extra, and slow to load)
    except ImportError:
        raise ClusterError(
            "--scheduler needs Dask, which is not installed: pip install 'pitchsim[dask]'"
        ) from None
    if not ADDRESS.fullmatch(address):  # of which Dask would complain at length, and at leisure
        raise BadAddressError(
            f"{quoted(address)} is no address of a scheduler: expected one such as "
            "tcp://localhost:8786"
        )
    try:
        return Client(address, timeout=SECONDS_TO_ANSWER, set_as_default=False)
    except (OSError, ValueError, TypeError, ImportError, RuntimeError) as error:
        raise ClusterError(
            f"no scheduler answers at {quoted(address)} in {SECONDS_TO_ANSWER} seconds: expected "
            f"a running one, started with dask scheduler ({_first_line(error)})"
        ) from None


def _refuse_other_versions(client: Any) -> None:
    """Refuse workers with another engine or none, before they die of work that they cannot read.

    Those that come later are found out by the work itself.
    """
    engines = client.run(resolve_name, "pitchsim.study:ENGINE_VERSION", on_error="return")
    for worker, engine in engines.items():
        if engine != ENGINE_VERSION:
            found = (
                f"cannot load pitchsim ({_first_line(engine)})"
                if isinstance(engine, BaseException)
                else f"has version {engine} of the engine"
            )
            raise ClusterError(
                f"the worker at {worker} {found}: expected version {ENGINE_VERSION}, as here"
            )


@contextmanager
def _failures_explained(address: str) -> Iterator[None]:
    """Say in a sentence what became of a cluster."""
    from distributed import KilledWorker  # noqa: PLC0415

    try:
        yield
    except PitchsimError:
        raise
    except CancelledError:
        raise ClusterError(
            f"the scheduler at {quoted(address)} does not answer any more; {KEPT}"
        ) from None
    except KilledWorker as error:
        raise ClusterError(
            f"the same piece of work was lost with {error.allowed_failures + 1} workers one after "
            f"another: expected workers that live, and have memory enough; {KEPT}"
        ) from None
    except (ImportError, RuntimeError, OSError) as error:
        raise ClusterError(
            f"the cluster at {quoted(address)} cannot do the work: {_first_line(error)}; expected "
            f"the same pitchsim on all its machines, the scheduler's too; {KEPT}"
        ) from None


@contextmanager
def _watched(client: Any, workers: set[str]) -> Iterator[None]:
    """Say it when workers are lost, once."""
    over = threading.Event()
    watch = threading.Thread(target=_watch, args=(client, workers, over), daemon=True)
    watch.start()
    try:
        yield
    finally:
        over.set()
        watch.join(SECONDS_TO_PART)


def _watch(client: Any, before: set[str], over: threading.Event) -> None:
    said: set[str] = set()
    while not over.wait(SECONDS_OF_PATIENCE):
        try:
            now = set(client.nthreads())
        except Exception:  # the scheduler is lost, which the work will be told of
            return
        message = "the cluster has no workers left: waiting for one" if not now else ""
        if now and before - now:
            message = "the cluster lost a worker: what it was counting is counted again"
        if message and message not in said:
            said.add(message)
            typer.echo(f"warning: {message}", err=True)
        before = now


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the many messages of Dask off standard error."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", module="distributed")
            yield
    finally:
        logging.disable(before)


def _first_line(error: BaseException) -> str:
    """Say in one line what went wrong at the bottom: Dask wraps it in advice."""
    while error.__cause__ is not None:
        error = error.__cause__
    return str(error).strip().split("\n")[0].rstrip(".") or type(error).__name__
