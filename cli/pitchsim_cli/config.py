"""Defaults of options from the environment and from configuration files.

What is typed comes first, then the environment, then `pitchsim.toml` in the working folder, then
the user's own `pitchsim.toml`. In a file, a plain key is an option of every command that has it,
and a table is a command's own:

    rules = "ten-point"
    set = ["target=21"]

    [hand]
    precision = "0.2%"

    [table.show]
    limit = 50

In the environment these are `PITCHSIM_RULES`, `PITCHSIM_SET` (words with spaces between),
`PITCHSIM_HAND_PRECISION` and `PITCHSIM_TABLE_SHOW_LIMIT`.
"""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pitchsim.errors import PitchsimError, did_you_mean, quoted, quoted_path
from pitchsim.tomlfile import TomlError, read_toml

FILE_NAME = "pitchsim.toml"
PREFIX = "PITCHSIM"


@dataclass(frozen=True)
class Option:
    """An option of a command: the parameter that it sets, and whether it may be repeated."""

    parameter: str
    is_repeatable: bool


#: The options of each command (`hand`, `table show`), by the long name as it stands in a file:
#: `max_seconds`.
Commands = Mapping[str, Mapping[str, Option]]

#: Values found for each command, by long name.
Values = dict[str, dict[str, Any]]


class ConfigError(PitchsimError):
    """A configuration file that cannot be read, or that sets what does not exist."""


def defaults(commands: Commands) -> dict[str, dict[str, Any]]:
    """Collect the defaults of every command's parameters.

    Raises
    ------
    ConfigError
        If a file cannot be read, is not TOML, or has an unknown key; the message names both.
    """
    found: Values = {command: {} for command in commands}
    for path in files():
        if path.is_file():
            _add(found, _options_of_file(path, commands))
    _add(found, _environment(commands))
    return {
        command: {
            commands[command][name].parameter: _value(value, commands[command][name])
            for name, value in values.items()
        }
        for command, values in found.items()
    }


def files() -> tuple[Path, Path]:
    """Name the files with defaults, there or not, of which the latter outranks the first."""
    from platformdirs import user_config_path  # noqa: PLC0415  (not needed for --help)

    return user_config_path("pitchsim") / FILE_NAME, Path(FILE_NAME)


def _add(found: Values, more: Values) -> None:
    for command, values in more.items():
        found[command].update(values)


def _value(value: Any, option: Option) -> Any:
    if not option.is_repeatable or isinstance(value, list):
        return value
    return value.split() if isinstance(value, str) else [str(value)]


def _options_of_file(path: Path, commands: Commands) -> Values:
    """Sort the keys of a file by command; a command's own table outranks the plain keys."""
    table = _read(path)
    own = {command: values for command, values in table.items() if isinstance(values, dict)}
    for command in list(own):  # a command of its own is in a table of the one that it belongs to
        for key in [key for key, value in own[command].items() if isinstance(value, dict)]:
            own[f"{command} {key}"] = own[command].pop(key)
    every = {name for options in commands.values() for name in options}
    found: Values = {command: {} for command in commands}
    for key in [key for key, value in table.items() if not isinstance(value, dict)]:
        name = _known(path, "option", key, every)
        for command, options in commands.items():
            if name in options:
                found[command][name] = table[key]
    for command, values in own.items():
        _known(path, "command", command, commands)
        for key, value in values.items():
            name = _known(path, f"option of {command}", key, commands[command])
            found[command][name] = value
    return found


def _known(path: Path, kind: str, key: str, known: Iterable[str]) -> str:
    name = key.replace("-", "_") if kind != "command" else key
    if name not in known:
        raise ConfigError(
            f"configuration file {quoted_path(path)}: there is no {kind} {quoted(key)}"
            f"{did_you_mean(name, sorted(known))}"
        )
    return name


def _read(path: Path) -> dict[str, Any]:
    try:
        return read_toml(path)
    except TomlError as error:
        raise ConfigError(f"configuration file {quoted_path(path)}: {error}") from None


def _environment(commands: Commands) -> Values:
    """Find PITCHSIM_SEED and PITCHSIM_HAND_SEED; the one of a single command comes first."""
    found: Values = {command: {} for command in commands}
    for command, options in commands.items():
        for name in options:
            for variable in (name, f"{command.replace(' ', '_')}_{name}"):
                value = os.environ.get(f"{PREFIX}_{variable.upper()}")
                if value:
                    found[command][name] = value
    return found
