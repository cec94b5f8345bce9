"""A program that makes a small table and is killed, again and again, until it is left alone.

`python killing.py PLACE BY DEALS KILLS SEED`; prints how often it was killed at work.
"""

import os
import random
import signal
import sys
import time
from pathlib import Path

from smalltables import SMALL, small_study

from pitchsim.errors import TableError
from pitchsim.tables.making import make_table
from pitchsim.warmup import warm_up

LONGEST = 0.15  # seconds until it is killed
REFUSED = 3


def make(place, study, deals):
    try:
        make_table(study, place, deals, threads=2, tell=print)
    except TableError as error:
        if "at work" not in str(error):
            raise
        os._exit(REFUSED)


def start(place, study, deals):
    process = os.fork()
    if process == 0:
        try:
            make(place, study, deals)
        except BaseException as error:
            print(repr(error), file=sys.stderr, flush=True)
            os._exit(1)
        os._exit(0)
    return process


def main(place, by, deals, kills, seed):
    for owner, name, value in SMALL:
        setattr(owner, name, value)
    study = small_study(by)
    warm_up(study.play)
    chance = random.Random(seed)
    killed = 0
    for _ in range(kills):
        processes = [start(place, study, deals) for _ in range(2)]  # one of them is refused
        time.sleep(chance.uniform(0, LONGEST))
        for process in processes:
            os.kill(process, signal.SIGKILL)
        statuses = [os.waitpid(process, 0)[1] for process in processes]
        if any(os.WIFEXITED(status) and os.WEXITSTATUS(status) == 1 for status in statuses):
            sys.exit(1)
        killed += any(map(os.WIFSIGNALED, statuses))
    _, status = os.waitpid(start(place, study, deals), 0)
    print(killed)
    sys.exit(os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], *map(int, sys.argv[3:]))
