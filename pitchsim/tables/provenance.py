"""How a file of results came to be."""

from __future__ import annotations

import platform
import time
from functools import cache
from importlib.metadata import version
from typing import Any

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
        "versions": _versions(),
    }


@cache
def _versions() -> dict[str, str]:
    return {package: version(package) for package in PACKAGES}
