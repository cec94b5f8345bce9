"""Reading TOML files."""

import tomllib
from pathlib import Path
from typing import Any

from pitchsim.errors import PitchsimError


class TomlError(PitchsimError):
    """A file that cannot be read as TOML; the message is the reason, without the file's name."""


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file.

    Raises
    ------
    TomlError
        If the file cannot be read, is not UTF-8, or is not TOML.
    """
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8"))
    except OSError as error:
        reason = error.strerror or str(error)
    except UnicodeDecodeError as error:
        reason = f"expected UTF-8 text, found byte {error.object[error.start]:#04x}"
    except (ValueError, RecursionError) as error:
        reason = f"not TOML: {error}"
    raise TomlError(reason)
