"""How a file of results came to be."""

from __future__ import annotations

import math
import platform
import time
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from typing import Any

from pitchsim.errors import quoted

PACKAGES = ("pitchsim", "numba", "numpy", "pyarrow")


def provenance(command: str, seconds: float) -> dict[str, Any]:
    """Say by which command and versions a file is made now, and how long counting took.

    Parameters
    ----------
    seconds
        All threads and machines together.
    """
    return {
        "command": command,
        "seconds": round(seconds, 3),
        "made": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "python": platform.python_version(),
        "versions": versions(),
    }


def seconds_in(provenance: Mapping[str, Any]) -> float:
    """Read how long counting took.

    Raises
    ------
    ValueError
        If it does not say so.
    """
    seconds = provenance.get("seconds")
    if not isinstance(seconds, int | float) or not 0 <= seconds < math.inf:
        raise ValueError(f"its provenance has {quoted(seconds)} as seconds: expected a number")
    return float(seconds)


@cache
def versions() -> dict[str, str]:
    """Name the versions of the packages on which numbers and files depend."""
    return {package: version(package) for package in PACKAGES}
