"""How the engine is compiled: three decorators, so that no other module decides it for itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

from pitchsim.engine.cache import FOLDER

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile an entry point: kept on disk, and running without the interpreter lock."""
    return cast("F", njit(cache=FOLDER is not None, nogil=True)(function))


def inner(function: F) -> F:
    """Compile a part of kernels, always inlined so that constants of the caller reach it.

    It may read and write the arrays that it is given, but make none and return none: it does not
    count who holds them, which would cost up to a quarter of a kernel's time.
    """
    return cast("F", njit(forceinline=True, _nrt=False)(function))


def maker(function: F) -> F:
    """Compile a part of kernels that makes the arrays they work in."""
    return cast("F", njit(forceinline=True)(function))


def part(function: F) -> F:
    """Compile a large part of kernels once, to be called rather than inlined."""
    return cast("F", njit(nogil=True)(function))
