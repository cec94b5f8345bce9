"""Where compiled kernels are kept between runs.

numba notices when a kernel's own file was edited, but not when a function that it calls was, and
would then load old code. So the folder bears a hash of all the engine's sources: edited sources
never meet old code.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from numba import config


def cache_folder() -> Path:
    """Return the folder of this version of the engine, in the user's cache folder."""
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.name.encode())
        digest.update(source.read_bytes())
    return _user_cache() / "pitchsim" / f"engine-{digest.hexdigest()[:16]}"


def _user_cache() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


@contextmanager
def cached_here() -> Iterator[None]:
    """Let the kernels defined inside keep their code in `cache_folder`.

    A `NUMBA_CACHE_DIR` of the user's goes first, and other users of numba in the same process are
    left as they are.
    """
    usual = config.CACHE_DIR
    if not usual:
        config.CACHE_DIR = str(cache_folder())
    try:
        yield
    finally:
        config.CACHE_DIR = usual
