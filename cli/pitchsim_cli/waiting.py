"""What is said on standard error while one waits."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pitchsim_cli.interrupt import not_lost

if TYPE_CHECKING:
    from rich.progress import Progress

    from pitchsim.warmup import WarmUp

PATIENCE = 1.0  # seconds without a word
PAUSE = 0.2  # seconds from one look to the next
SITTING_DOWN = "seating the strategies (up to half a minute, the first time at a table)"


def make_engine_ready(*work: str) -> "WarmUp":
    """Compile or load the engine for some work, and say so if it takes longer than a moment.

    The work is as in `pitchsim.warmup.warm_up`.
    """
    from pitchsim.warmup import warm_up  # noqa: PLC0415  (loads numba)

    message = "making the engine ready: the first time, that takes a minute or two"
    with said_after_a_while(message), not_lost():
        return warm_up(*work)


@contextmanager
def said_after_a_while(message: str) -> Iterator[None]:
    """Say something if what is done inside takes longer than a moment."""
    timer = threading.Timer(PATIENCE, lambda: print(message, file=sys.stderr, flush=True))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def progress_bar() -> "Progress":
    """Make a line that says something, a bar and the time left, on standard error."""
    from rich.console import Console  # noqa: PLC0415  (not needed for --help)
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True)
    console.width -= len("^C")  # which a terminal adds, and which must not begin another line
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=None),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        auto_refresh=False,
    )


def short(count: float) -> str:
    """Write a large number in three digits: `4.2 M`."""
    for size, letter in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if count >= 0.9995 * size:  # 999,700 is 1 M in three digits
            return f"{count / size:.3g}{letter}"
    return f"{count:.0f}"
