"""The reference of all commands, `cli/COMMANDS.md`, made from the commands themselves.

    python -m pitchsim_cli.reference > cli/COMMANDS.md

What is written depends on the code alone: on no terminal, environment or configuration file.
"""

from collections.abc import Iterator
from enum import Enum
from inspect import cleandoc
from typing import Any

from typer.main import get_command

from pitchsim.errors import IllegalRecordError, PitchsimError
from pitchsim_cli.app import app
from pitchsim_cli.interrupt import INTERRUPTED

REMAKE = "python -m pitchsim_cli.reference > cli/COMMANDS.md"

HEAD = f"""\
# The commands

Every command of `pitchsim`, with its arguments and its options. This page is made from the code:
`{REMAKE}`. How they are used is told in the
guides: [HAND.md](HAND.md), [TABLES.md](TABLES.md) and [REPORTS.md](REPORTS.md).
"""

COMMON = """\
`pitchsim --version` shows the version. Every command knows `--help` (`-h`), which shows on a
terminal what stands here.
"""

DEFAULTS = """\
## Defaults of your own

Any option can have another default, by its long name with `_` for `-`. What is typed comes first,
then the environment, then `./pitchsim.toml`, then the user's own `pitchsim.toml`.

| of | in the environment | in a file |
|---|---|---|
| every command | `PITCHSIM_RULES=ten-point` | `rules = "ten-point"` |
| one command | `PITCHSIM_HAND_PRECISION=0.2%` | `precision = "0.2%"` in the table `[hand]` |
| `table show` and its like | `PITCHSIM_TABLE_SHOW_LIMIT=50` | `limit = 50` in `[table.show]` |

One that may be repeated takes words with spaces between in the environment
(`PITCHSIM_SET="cutthroat target=15"`), and a list in a file.
"""

ENDS = f"""\
## Exit status

| status | what happened |
|---|---|
| 0 | All went well. |
| {IllegalRecordError.exit_status} | A hand record breaks a rule of the game, or something went \
wrong on the way, such as a file that is damaged. |
| {PitchsimError.exit_status} | What was typed, or what stands in a file, cannot be used. One \
message on standard error says what was found and what was expected. |
| {INTERRUPTED} | Ctrl-C. What was found by then is shown or kept where the command says so. |
"""


def reference() -> str:
    """Write the reference, as Markdown."""
    group: Any = get_command(app)
    commands = list(_commands(group, "pitchsim"))
    contents = [
        f"{_indent(name)}- [`{name}`](#{name.replace(' ', '-')}): {_paragraphs(command)[0]}"
        for name, command in commands
    ]
    titles = ("Defaults of your own", "Exit status")
    contents += [f"- [{title}](#{title.lower().replace(' ', '-')})" for title in titles]
    sections = [_section(name, command) for name, command in commands]
    return "\n".join([HEAD, "\n".join(contents), "", COMMON, *sections, DEFAULTS, ENDS])


def _commands(group: Any, before: str) -> Iterator[tuple[str, Any]]:
    """Give every command with its whole name, each before those that belong to it."""
    for name, command in group.commands.items():
        yield f"{before} {name}", command
        if hasattr(command, "commands"):
            yield from _commands(command, f"{before} {name}")


def _indent(name: str) -> str:
    """Indent a command below the one that it belongs to."""
    return "  " * (name.count(" ") - 1)


def _section(name: str, command: Any) -> str:
    """Write all there is to say of a command."""
    arguments = [item for item in command.params if item.param_type_name == "argument"]
    options = [item for item in command.params if item.param_type_name == "option"]
    usage = [name, *(["[OPTIONS]"] if options else []), *map(_usage, arguments)]
    example = (command.epilog or "").removeprefix("Example: ")
    lines = [f"{'#' * (name.count(' ') + 1)} {name}", ""]
    for paragraph in _paragraphs(command):
        lines += [paragraph, ""]
    lines += ["```text", " ".join(usage), "```", ""]
    if example:
        lines += ["Example:", "", "```sh", example, "```", ""]
    if arguments:
        lines += ["| Argument | |", "|---|---|", *map(_argument_row, arguments), ""]
    if options:
        lines += ["| Option | Default | |", "|---|---|---|", *map(_option_row, options), ""]
    return "\n".join(lines)


def _paragraphs(command: Any) -> list[str]:
    """Return the paragraphs of a command's help, each on one line."""
    return [" ".join(text.split()) for text in cleandoc(command.help or "").split("\n\n")]


def _usage(argument: Any) -> str:
    """Write an argument as it stands in a command: `[NAME]...` may be left out or repeated."""
    name = (argument.metavar or argument.name.upper()).removesuffix("...")
    return (name if argument.required else f"[{name}]") + ("..." if argument.nargs == -1 else "")


def _argument_row(argument: Any) -> str:
    return f"| {_code(_usage(argument))} | {_plain(argument.help or '')} |"


def _option_row(option: Any) -> str:
    """Write the names of an option and what it takes; what holds without it; what it does."""
    names = ", ".join(map(_code, sorted(option.opts, key=len, reverse=True)))
    against = "".join(f" / {_code(name)}" for name in option.secondary_opts)
    takes = "" if option.is_flag else f" {_code(option.metavar or 'VALUE')}"
    does, _, told = " ".join((option.help or "").split()).partition(" Default: ")
    default = _plain(told.removesuffix(".")) or _default(option)
    return f"| {names}{against}{takes} | {default} | {_plain(does)} |"


def _default(option: Any) -> str:
    """Write what holds where an option is not given and its help does not say it."""
    if option.required:
        return "required"
    value = option.default.value if isinstance(option.default, Enum) else option.default
    if option.is_flag or value is None:
        return ""
    return _code(" ".join(map(str, value)) if isinstance(value, list | tuple) else str(value))


def _code(text: str) -> str:
    """Write text as code in a cell, where `|` would end it."""
    return "`" + text.replace("|", "\\|") + "`"


def _plain(text: str) -> str:
    """Write text in a cell, on one line, so that Markdown takes none of it for its own signs."""
    plain = " ".join(text.split())
    for sign in "\\|*<`":
        plain = plain.replace(sign, f"\\{sign}")
    return plain


if __name__ == "__main__":
    print(reference(), end="")
