"""A program that works on a small batch and is killed at one point after another.

`python dyingbatch.py FOLDER`; at the end it is left alone to finish.
"""

import os
import signal
import sys
from pathlib import Path

from pitchsim.batches import running, store
from pitchsim.batches.batch import Batch, cases_of
from pitchsim.batches.hands import random_hands
from pitchsim.presets import load_preset
from pitchsim.warmup import warm_up

RULES = [load_preset(name) for name in ("partners", "ten-point")]
BATCH = Batch(cases_of([(rules, rules.seating()) for rules in RULES], ["basic"], deals=20), 7)
HANDS = random_hands(60, 7, RULES)


def run(folder, threads=2):
    running.KEEP_EVERY = 0  # so that there are many parts
    return running.run_batch(BATCH, HANDS, folder, threads=threads)


def dying_at(owner, name, times, *, after):
    """Die at some call of a function, before it has done anything or after."""
    function, calls = getattr(owner, name), 0

    def dying(*arguments, **options):
        nonlocal calls
        calls += 1
        if calls == times and not after:
            os.kill(os.getpid(), signal.SIGKILL)
        result = function(*arguments, **options)
        if calls == times:
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    setattr(owner, name, dying)


POINTS = (
    (store.WholeFile, "commit", 1, False),  # of a part
    (store.WholeFile, "commit", 1, True),
    (store.BatchStore, "keep", 3, True),
    (running, "worth_of_hands", 4, True),
    (store.BatchStore, "finish", 1, False),
    (store, "_write_csv", 2, False),
    (store.BatchStore, "_write_bad_lines", 1, False),  # the results are there, and the parts too
    (Path, "unlink", 3, True),
)


def main(folder):
    warm_up("basic")
    for owner, name, times, after in POINTS:
        process = os.fork()
        if process == 0:
            dying_at(owner, name, times, after=after)
            run(folder)
            os._exit(0)
        _, status = os.waitpid(process, 0)
        if not os.WIFSIGNALED(status):
            sys.exit(f"it did not die at {name}")
    run(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
