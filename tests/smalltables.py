"""Small tables, for tests of how tables are made; also a command that makes only such.

Run as a program it is `pitchsim` with tables of few rows, in many parts, and does what `TROUBLE`
in the environment says.
"""

import os
import sys
from pathlib import Path

from pitchsim_cli.app import main

from pitchsim.presets import load_preset
from pitchsim.tables import store
from pitchsim.tables.rows import HandRows, HoldingRows
from pitchsim.tables.tablestudy import TableStudy

ROWS = {HandRows: 48, HoldingRows: 20}
#: What makes tables small: of these classes, what these names stand for.
SMALL = (
    *((rows, "count", count) for rows, count in ROWS.items()),
    (TableStudy, "rows_a_block", 16),
    (TableStudy, "rows_a_part", 8),
    (TableStudy, "deals_a_part", 3),
)


def small_study(by="hand", rules="partners", players=None, **others):
    rule_set = load_preset(rules)
    return TableStudy(rule_set, rule_set.seating(players), by, **{"seed": 7} | others)


def data(place):
    """Everything before the footer: what does not depend on how the table came to be."""
    content = Path(place).read_bytes()
    return content[: -8 - int.from_bytes(content[-8:-4], "little")]


def die(*_arguments):
    os.kill(os.getpid(), 9)


def limit_files():
    """Let no file grow beyond some kilobytes, as if the disk were full."""
    import resource  # noqa: PLC0415  (Unix has it)

    size = int(os.environ["LARGEST"])
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


TROUBLE = {
    "": lambda: None,
    "full": limit_files,
    # The finished file is at its place, and the parts are not yet removed.
    "dies": lambda: setattr(store.TableStore, "_remove_parts", die),
}

if __name__ == "__main__":
    for owner, name, value in SMALL:
        setattr(owner, name, value)
    TROUBLE[os.environ.get("TROUBLE", "")]()
    sys.argv[0] = "pitchsim"
    main()
