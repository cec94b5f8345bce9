"""The `pitchsim` command: its commands, its defaults, and how it ends."""

import io
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from pitchsim.errors import PitchsimError
from pitchsim.tomlfile import is_path
from pitchsim_cli import config
from pitchsim_cli.batch import batch
from pitchsim_cli.deal import deal
from pitchsim_cli.hand import hand
from pitchsim_cli.interrupt import INTERRUPTED, ending_at_the_second
from pitchsim_cli.lookup import lookup
from pitchsim_cli.match import match
from pitchsim_cli.output import refuse_overwriting
from pitchsim_cli.replay import replay
from pitchsim_cli.report import report
from pitchsim_cli.rules import rules
from pitchsim_cli.score import score
from pitchsim_cli.solve import solve
from pitchsim_cli.strategies import strategies
from pitchsim_cli.tablechart import chart
from pitchsim_cli.tablecombine import combine
from pitchsim_cli.tablecommand import table_app
from pitchsim_cli.tableshow import show
from pitchsim_cli.warmup import warmup


class Commands(TyperGroup):
    """The commands, any of which ends at Ctrl-C with a word."""

    def invoke(self, ctx: Any) -> Any:
        """Run the one that was asked for."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:  # of which typer would say nothing
            typer.echo("interrupted", err=True)
            raise typer.Exit(INTERRUPTED) from None


app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

#: The commands, each with an example of its use.
COMMANDS: tuple[tuple[Callable[..., None], str], ...] = (
    (hand, 'pitchsim hand "AS JS 10S 5S KH 2D" --rules ten-point --precision 0.2%'),
    (lookup, "pitchsim lookup hands.txt --table partners.parquet --format csv"),
    (
        batch,
        "pitchsim batch hands.csv --rules partners --rules solo --seed 7 --output results",
    ),
    (deal, "pitchsim deal --count 100 --seed 7 --play basic --output hands.jsonl"),
    (replay, 'pitchsim replay "AS JS 10S 5S KH 2D" --seed 7 --deal 12 --lead AS --bid 3'),
    (score, "pitchsim score hands.jsonl --keep-going"),
    (solve, "pitchsim deal --seed 7 | pitchsim solve -"),
    (report, "pitchsim report --example > spec.toml; pitchsim report spec.toml --output report"),
    (match, "pitchsim match standard bold --rules partners --games 2000 --seed 7"),
    (strategies, "pitchsim strategies bold > mine.toml"),
    (rules, "pitchsim rules --diff setback partners"),
    (warmup, "pitchsim warmup"),
)

TABLE_EXAMPLE = "pitchsim table --rules partners --seed 7 --output partners.parquet"
#: The commands of `pitchsim table`, each with an example of its use.
TABLE_COMMANDS: tuple[tuple[Callable[..., None], str], ...] = (
    (combine, "pitchsim table combine first.parquet second.parquet --output both.parquet"),
    (show, 'pitchsim table show partners.parquet --holding "A J x +" --bid 3 --sort margin'),
    (chart, "pitchsim table chart partners.parquet --output partners.svg"),
)


class Command(TyperCommand):
    """A command that does not write over what it reads."""

    def invoke(self, ctx: Any) -> Any:
        """Look at that before anything is done."""
        _refuse_overwriting(ctx.params)
        return super().invoke(ctx)


class TableCommands(TyperGroup):
    """`pitchsim table`, which is a command too."""

    def invoke(self, ctx: Any) -> Any:
        """Look at what is read before anything is done."""
        _refuse_overwriting(ctx.params)
        return super().invoke(ctx)


def _refuse_overwriting(parameters: Mapping[str, Any]) -> None:
    """Refuse to write over the files of rules, strategies and defaults that a command reads."""
    for name in ("rules", "names", "strategies", "strategy"):
        read = parameters.get(name) or ()
        files = filter(is_path, [read] if isinstance(read, str) else read)
        refuse_overwriting(parameters.get("output"), *files)
    refuse_overwriting(parameters.get("output"), *config.files())


# A command's module loads what is heavy inside its function, so that --help stays quick.
for command, example in COMMANDS:
    app.command(cls=Command, epilog=f"Example: {example}")(command)
for command, example in TABLE_COMMANDS:
    table_app.command(cls=Command, epilog=f"Example: {example}")(command)
app.add_typer(table_app, name="table", cls=TableCommands, epilog=f"Example: {TABLE_EXAMPLE}")


def _show_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version  # noqa: PLC0415  (not needed for --help)

        typer.echo(f"pitchsim {version('pitchsim')}")
        raise typer.Exit


@app.callback()
def pitchsim(
    context: typer.Context,
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Say what a hand of Pitch is worth at your own table's rules.

    Any option can have a default of your own: PITCHSIM_RULES=ten-point in the
    environment, or rules = "ten-point" in ./pitchsim.toml.
    """
    defaults: dict[str, dict[str, Any]] = {}
    for name, values in config.defaults(_options(context.command)).items():
        command, _, own = name.partition(" ")
        place = defaults.setdefault(command, {})
        place.update({own: values} if own else values)
    context.default_map = defaults


def _options(group: Any, before: str = "") -> config.Commands:
    """Return the options of every command by their long names; `table show` is one of `table`."""
    options: dict[str, Mapping[str, config.Option]] = {}
    for name, command in group.commands.items():
        options[before + name] = {
            _long_name(parameter): config.Option(parameter.name, parameter.multiple)
            for parameter in command.params
            if parameter.param_type_name == "option"
        }
        options |= _options(command, f"{name} ") if hasattr(command, "commands") else {}
    return options


def _long_name(parameter: Any) -> str:
    long: str = max(parameter.opts, key=len)
    return long.removeprefix("--").replace("-", "_")


def main() -> None:
    """Run the command; wrong input ends in one message and its exit status."""
    if sys.stderr is None:  # closed by who called: what is said there is not wanted
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  (to the end)
    if sys.stdout is None:
        print("error: standard output is closed; expected somewhere to write", file=sys.stderr)
        sys.exit(PitchsimError.exit_status)
    if isinstance(sys.stdout, io.TextIOWrapper):  # a terminal that lacks a sign shows its number
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        with ending_at_the_second():
            app()
    except PitchsimError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(error.exit_status)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        _abandon_output()
        sys.exit(1)
    except OSError as error:  # a full device, met while writing help or a message
        print(f"error: {error.strerror or error}", file=sys.stderr)
        _abandon_output()
        sys.exit(PitchsimError.exit_status)


def _abandon_output() -> None:
    """Keep Python from complaining, at exit, about a reader that has left."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
