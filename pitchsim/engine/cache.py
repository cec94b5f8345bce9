"""Where compiled kernels are kept between runs.

numba notices when a kernel's own file was edited, but not when a function that it calls was, and
would then load old code. So the folder bears a hash of all the engine's sources: edited sources
never meet old code.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from numba import config


def cache_folder() -> Path | None:
    """Return the folder of this version of the engine; None where nothing can be kept.

    It lies in the user's `NUMBA_CACHE_DIR` where that is set, else in the user's cache folder,
    or, where that cannot be written, among temporary files.
    """
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.name.encode())
        digest.update(source.read_bytes())
    name = f"engine-{digest.hexdigest()[:16]}"
    return next((root / name for root in _roots() if _is_ours(root / name)), None)


def _roots() -> Iterator[Path]:
    if config.CACHE_DIR:
        yield Path(config.CACHE_DIR)
    with suppress(RuntimeError):  # a user without a home
        yield _user_cache() / "pitchsim"
    yield Path(tempfile.gettempdir()) / f"pitchsim-{_user_number()}"


def _user_cache() -> Path:
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    if sys.platform == "darwin":
        return home / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")


def _user_number() -> int:
    return os.getuid() if sys.platform != "win32" else 0


def _is_ours(folder: Path) -> bool:
    """Make the folder if it is not there; say whether only its owner, the user, may write to it.

    Code is loaded from it, and among temporary files others might have made it first.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            return False
        return sys.platform == "win32" or folder.stat().st_uid == _user_number()
    except (OSError, ValueError):
        return False


FOLDER = cache_folder()


def forget() -> None:
    """Throw away the code that is kept, for it cannot be read; it will be compiled again."""
    if FOLDER is not None:
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir(mode=0o700, parents=True, exist_ok=True)


@contextmanager
def cached_here() -> Iterator[None]:
    """Let the kernels defined inside keep their code in `FOLDER`.

    Other users of numba in the same process are left as they are.
    """
    usual = config.CACHE_DIR
    if FOLDER is not None:
        config.CACHE_DIR = str(FOLDER)
    try:
        yield
    finally:
        config.CACHE_DIR = usual
