"""Reading TOML files."""

import tomllib
from pathlib import Path
from typing import Any

from pitchsim.errors import PitchsimError

LARGEST_FILE = 1_000_000  # bytes: a device that never ends is no file of rules


class TomlError(PitchsimError):
    """A file that cannot be read as TOML; the message is the reason, without the file's name."""


def is_path(text: str) -> bool:
    """Say whether a text is the path of a file: it has a folder in it, or ends in `.toml`.

    Every other word is the name of something that comes with pitchsim.
    """
    return text.lower().endswith(".toml") or Path(text).name != text


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file.

    Raises
    ------
    TomlError
        If the file cannot be read, is not UTF-8, or is not TOML.
    """
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
        if len(data) > LARGEST_FILE:
            raise ValueError(f"larger than {LARGEST_FILE:,} bytes")
        return tomllib.loads(data.decode("utf-8-sig"))
    except OSError as error:
        reason = error.strerror or str(error)
    except UnicodeDecodeError as error:
        reason = f"expected UTF-8 text, found byte {error.object[error.start]:#04x}"
    except (ValueError, RecursionError) as error:
        reason = f"not TOML: {error}"
    raise TomlError(reason)
