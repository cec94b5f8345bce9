"""Files that are there whole or not at all, whatever ends the writing of them."""

from __future__ import annotations

import errno
import os
import re
import stat
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

from pitchsim.errors import OutputError, quoted_path

if TYPE_CHECKING:
    from types import TracebackType

try:
    import fcntl
except ImportError:  # Windows has no such locks, and lets nobody remove a file that is open
    fcntl = None  # type: ignore[assignment]

UNFINISHED = ".unfinished"
#: What keeps others out of a folder.
LOCK = "lock"


class WholeFile:
    """A file being written under a hidden name beside its place, moved there when complete.

    As a context manager it gives :attr:`file`; what was written takes its place at the end of
    the block, and is thrown away if the block ends in an exception. Whatever happens, the place
    holds the old file (or none) or the new one. A process that is killed leaves the hidden file
    behind: see :func:`clear_leftovers`.

    Parameters
    ----------
    place : path
        Where the file shall be; a link is followed to what it names.

    Attributes
    ----------
    file : binary file
        Open for writing, and for reading what was written.

    Raises
    ------
    OSError
        If it cannot be made or written, or if the place is taken by what is no plain file. The
        place is then as it was.
    """

    def __init__(self, place: str | os.PathLike[str]) -> None:
        self._place = Path(os.path.realpath(place))
        if self._place.exists() and not self._place.is_file():
            raise FileExistsError(errno.EEXIST, "it is not a plain file", str(place))
        descriptor, name = tempfile.mkstemp(
            dir=self._place.parent, prefix=_prefix(self._place), suffix=UNFINISHED
        )
        self._temporary = Path(name)
        self.file: IO[bytes] = os.fdopen(descriptor, "w+b")
        with suppress(OSError):  # a file system without locks
            lock_file(self.file)

    def __enter__(self) -> IO[bytes]:
        return self.file

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:
            self.commit()
        else:
            self.discard()

    def commit(self) -> None:
        """Have everything on the disk, then move it to its place.

        Raises
        ------
        OSError
            If that fails; what was written is then gone, and the place as it was.
        """
        try:
            self.file.flush()
            os.fsync(self.file.fileno())
            self._temporary.chmod(_mode(self._place))
            self.file.close()
            self._temporary.replace(self._place)
        except BaseException:  # an interruption too must not leave the hidden file
            self.discard()
            raise
        _sync_folder(self._place.parent)

    def discard(self) -> None:
        """Throw away what was written; does nothing once it is at its place."""
        with suppress(OSError):  # what could not be written is not wanted any more
            self.file.close()
        self._temporary.unlink(missing_ok=True)


def check_place(place: str | os.PathLike[str]) -> None:
    """Refuse a place where no file can be written, before any work is done for it.

    Raises
    ------
    OutputError
        If it is a folder, lies in a folder that is missing, or may not be written.
    """
    try:
        real = Path(os.path.realpath(place))
        if real.is_dir():
            raise cannot_write(place, "it is a folder; expected a file")
        if not real.parent.is_dir():
            raise cannot_write(place, f"there is no folder {quoted_path(Path(place).parent)}")
        if not os.access(real if real.exists() else real.parent, os.W_OK):
            raise cannot_write(place, "permission denied")
    except (OSError, ValueError) as error:  # a name too long, or one with a null character
        raise cannot_write(place, getattr(error, "strerror", None) or str(error)) from None


def cannot_write(place: str | os.PathLike[str], reason: str) -> OutputError:
    """Say that a file cannot be written, and why."""
    return OutputError(f"cannot write {quoted_path(place)}: {reason}")


def clear_leftovers(place: str | os.PathLike[str]) -> None:
    """Remove what killed processes left of their writing to a place.

    What a living process is writing there is kept, where the file system has locks.

    Raises
    ------
    OSError
        If the folder cannot be read.
    """
    place = Path(os.path.realpath(place))
    leftover = re.compile(re.escape(_prefix(place)) + "[a-z0-9_]{8}" + re.escape(UNFINISHED))
    for path in list(place.parent.iterdir()):
        if leftover.fullmatch(path.name):
            with suppress(OSError), path.open("rb") as file:
                lock_file(file)
                path.unlink()


def _prefix(place: Path) -> str:
    return f".{place.name[:50]}."  # a longer one, with what comes after it, may be too long


def lock_file(file: IO[bytes]) -> None:
    """Mark a file as being written; an OSError if somebody else does. Closing it ends that."""
    if fcntl is not None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Make a folder and keep others out of it; it is removed at the end if it is empty then.

    Raises
    ------
    BlockingIOError
        If somebody else is at work in it.
    OSError
        If it cannot be made.
    """
    with _lock_of(folder):
        try:
            yield
        finally:
            with suppress(OSError):  # what is in it keeps the folder
                (folder / LOCK).unlink()
                folder.rmdir()


def _lock_of(folder: Path) -> IO[bytes]:
    while True:
        folder.mkdir(exist_ok=True)
        with suppress(FileNotFoundError), ExitStack() as stack:
            lock = stack.enter_context((folder / LOCK).open("wb"))
            try:
                lock_file(lock)
            except (BlockingIOError, PermissionError) as error:
                raise BlockingIOError(errno.EWOULDBLOCK, "somebody else is at work") from error
            except OSError:  # a file system without locks
                pass
            # Whoever held it removed it at the end; a lock that nobody finds locks nothing.
            if os.path.samestat(os.fstat(lock.fileno()), (folder / LOCK).stat()):
                stack.pop_all()
                return lock


def _mode(place: Path) -> int:
    """Return the permissions that the file has, or would have if it were made plainly."""
    if place.exists():
        return stat.S_IMODE(place.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _sync_folder(folder: Path) -> None:
    """Have the new name on the disk too, on systems that can."""
    with suppress(OSError):  # the file is whole all the same, under its old content or its new
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
