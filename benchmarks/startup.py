"""What somebody waits for at the prompt, and the memory it takes."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks.tables import HAND

ROUNDS = 7
HEAVY = ("numba", "pandas")
EVALUATE = ["hand", HAND, "--deals", "100000", "--leads", "--seed", "7"]
HAND_SECONDS, HAND_MIB, HELP_SECONDS, COMPILE_SECONDS = 1.5, 400, 0.4, 30
# ru_maxrss counts KiB on Linux and bytes on macOS.
MAXRSS_A_MIB = 2**20 if sys.platform == "darwin" else 2**10


@dataclass(frozen=True)
class Cost:
    """What a command took from start to exit."""

    seconds: float
    mebibytes: float


def main() -> None:
    command = shutil.which("pitchsim", path=str(Path(sys.executable).parent))
    if command is None:
        print("  pitchsim is not installed beside this Python: skipped")
        return
    _report("pitchsim --help", [command, "--help"], HELP_SECONDS)
    loaded = _heavy_modules()
    print(f"  --help loads {' and '.join(loaded) or 'neither ' + ' nor '.join(HEAVY)}")
    with tempfile.TemporaryDirectory() as folder:
        empty = {**os.environ, "NUMBA_CACHE_DIR": folder}
        first = _run([command, *EVALUATE], empty)
        print(
            f"  first run ever, compiling: {first.seconds:.1f} s (target {COMPILE_SECONDS}), "
            f"{first.mebibytes:.0f} MiB"
        )
        _report(f"pitchsim {' '.join(EVALUATE)}, warm", [command, *EVALUATE], HAND_SECONDS, empty)


def _report(
    title: str, command: list[str], target: float, environment: dict[str, str] | None = None
) -> None:
    costs = [_run(command, environment) for _ in range(ROUNDS)]
    seconds = [cost.seconds for cost in costs]
    print(
        f"  {title}: {statistics.median(seconds):.2f} s "
        f"({min(seconds):.2f} to {max(seconds):.2f}; target {target}), "
        f"{max(cost.mebibytes for cost in costs):.0f} MiB (target {HAND_MIB})"
    )


def _run(command: list[str], environment: dict[str, str] | None = None) -> Cost:
    """Run a command; a process of its own waits for it, so that the memory is that one's alone."""
    measured = subprocess.run(
        [sys.executable, "-c", _MEASURE, *command],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if measured.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{measured.stderr}")
    seconds, maxrss = measured.stdout.split()
    return Cost(float(seconds), int(maxrss) / MAXRSS_A_MIB)


_MEASURE = """
import resource, subprocess, sys, time
begun = time.perf_counter()
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)
seconds = time.perf_counter() - begun
print(seconds, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(done.returncode)
"""


def _heavy_modules() -> list[str]:
    """Say which heavy modules the command has loaded by the time it has printed its help."""
    code = (
        "import sys\n"
        "from pitchsim_cli.app import main\n"
        "sys.argv = ['pitchsim', '--help']\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        f"print(*(name for name in {HEAVY} if name in sys.modules), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stderr.split()
