"""`python -m benchmarks` runs them all, `python -m benchmarks speed` one."""

from __future__ import annotations

import argparse

from benchmarks import (
    batches,
    bidtable,
    doubledummy,
    expert,
    hands,
    match,
    speed,
    startup,
    strength,
    threads,
)

BENCHMARKS = {
    "speed": speed.main,
    "threads": threads.main,
    "doubledummy": doubledummy.main,
    "expert": expert.main,
    "bidtable": bidtable.main,
    "batches": batches.main,
    "match": match.main,
    "startup": startup.main,
    "strength": strength.main,
    "hands": hands.main,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help=f"which to run, of {', '.join(BENCHMARKS)} (default: all)",
    )
    names = parser.parse_args().names or list(BENCHMARKS)
    for name in names:
        if name not in BENCHMARKS:
            parser.error(f"no benchmark {name!r}: expected one of {', '.join(BENCHMARKS)}")
    for name in names:
        print(f"== {name} ==", flush=True)
        BENCHMARKS[name]()
        print(flush=True)


main()
