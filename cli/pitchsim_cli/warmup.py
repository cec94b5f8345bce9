"""`pitchsim warmup`: compile the engine ahead of time."""

import typer

from pitchsim_cli.waiting import make_engine_ready


def warmup() -> None:
    """Compile the engine once, so that later runs begin at once.

    One compilation serves every rule set. It is kept in your cache folder;
    NUMBA_CACHE_DIR chooses another.
    """
    ready = make_engine_ready()
    if ready.folder is None:
        typer.echo(f"Made ready in {ready.seconds:.1f} s; nothing is kept on disk.")
        return
    done = "Compiled" if ready.compiled else "Already compiled; loaded"
    typer.echo(f"{done} in {ready.seconds:.1f} s; it lies in\n{ready.folder}")
