"""A Dask cluster as an executor."""

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

from pitchsim.errors import PitchsimError, quoted

SECONDS_TO_ANSWER = 10


class ClusterError(PitchsimError):
    """A cluster that cannot be used."""


@contextmanager
def cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """Connect to a scheduler; gives its executor and how many threads its workers have together.

    Raises
    ------
    ClusterError
        If Dask is not installed, nobody answers, or there are no workers.
    """
    try:
        from distributed import Client  # noqa: PLC0415  (an extra, and slow to load)
    except ImportError:
        raise ClusterError(
            "--scheduler needs Dask, which is not installed: pip install 'pitchsim[dask]'"
        ) from None
    try:
        client = Client(address, timeout=SECONDS_TO_ANSWER, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ClusterError(
            f"no scheduler answers at {quoted(address)}: expected the address of a running one, "
            f"such as tcp://localhost:8786 ({str(error).splitlines()[0]})"
        ) from None
    with client:
        workers = sum(client.nthreads().values())
        if not workers:
            raise ClusterError(
                f"the scheduler at {quoted(address)} has no workers: expected at least one, "
                f"started with dask worker {address}"
            )
        yield client.get_executor(pure=False), workers
