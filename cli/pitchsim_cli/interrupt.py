"""Ctrl-C: the first lets a command end in good order, the second ends it at once."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer

#: The exit status of a command that was interrupted.
INTERRUPTED = 130
SHOW_CURSOR = b"\x1b[?25h"


#: Whether a Ctrl-C was heard. Compiled code that is loaded may call back into Python, and an error
#: there, such as that of an interruption, is lost.
_heard = threading.Event()


@contextmanager
def ending_at_the_second() -> Iterator[None]:
    """Raise KeyboardInterrupt at the first Ctrl-C inside, and leave the second to the system.

    Where Ctrl-C is ignored, as behind nohup, or handled by others, that is left as it is.
    """
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, _first)
    _heard.clear()
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def nothing_to_show() -> Iterator[None]:
    """End the command at Ctrl-C where what was done inside shows nothing yet."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo("interrupted, with nothing to show", err=True)
        raise typer.Exit(INTERRUPTED) from None


@contextmanager
def not_lost() -> Iterator[None]:
    """Raise KeyboardInterrupt at the end, if Ctrl-C was heard inside and its error is lost."""
    _heard.clear()
    before = sys.unraisablehook
    sys.unraisablehook = lambda lost: (
        None if issubclass(lost.exc_type, KeyboardInterrupt) else before(lost)
    )
    try:
        yield
    finally:
        sys.unraisablehook = before
    if _heard.is_set():
        raise KeyboardInterrupt


def _first(_signal: int, _frame: Any) -> None:
    _heard.set()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if sys.stderr.isatty():  # a live estimate hides it, and the second may come before it is shown
        os.write(2, SHOW_CURSOR)
    raise KeyboardInterrupt
