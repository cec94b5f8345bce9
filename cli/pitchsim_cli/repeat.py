"""The command that gives the same numbers again."""

import shlex
from collections.abc import Mapping
from typing import Any

import typer


def command_again(
    context: typer.Context, arguments: list[str], names: tuple[str, ...], values: Mapping[str, Any]
) -> str:
    """Write the command that was typed so that it does the same anywhere, quoted for a shell.

    Parameters
    ----------
    context
        What was typed.
    arguments
        What stands before the options.
    names
        The parameters that matter. One is left out if it has its usual value, unless the
        environment or a configuration file gives it another.
    values
        Parameters that are to be written with other values than those typed.
    """
    words = ["pitchsim", str(context.info_name), *arguments]
    configured = context.default_map or {}
    for parameter in _options(context, names):
        value = values.get(parameter.name, context.params[parameter.name])
        usual = value in (None, [], parameter.default) and parameter.name not in configured
        if not usual or parameter.name in values:
            words += _words(parameter, value)
    return shlex.join(words)


def _options(context: typer.Context, names: tuple[str, ...]) -> list[Any]:
    known: dict[str, Any] = {str(option.name): option for option in context.command.params}
    return [known[name] for name in names]


def _words(option: Any, value: Any) -> list[str]:
    """Write an option with its value, or with each of them."""
    long = max(option.opts, key=len)
    if value is None or (value is False and not option.secondary_opts):
        return []
    if isinstance(value, bool):
        return [long if value else option.secondary_opts[0]]
    values = value if isinstance(value, list | tuple) else [value]
    return [word for item in values for word in (long, str(item))]
