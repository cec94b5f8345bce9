"""Building the C yardsticks, and calling the one of play."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.tables import HAND, SEED
from pitchsim.cards import RANKS, SUITS, Card, parse_hand

BUILD = Path(__file__).with_name("build")
FLAGS = ("-O3", "-march=native", "-shared", "-fPIC")
LANE = 16

#: Deals and plays so many deals from the first on, and returns their outcomes.
PlayDeals = Callable[[int, int], NDArray[np.int32]]


def build(name: str, compiler: str) -> ctypes.CDLL | None:
    """Build a source with `gcc` or `clang`; None where there is no such compiler, or it fails."""
    found = shutil.which(compiler)
    if found is None:
        return None
    BUILD.mkdir(exist_ok=True)
    source = Path(__file__).with_name(name)
    library = BUILD / f"{source.stem}-{compiler}.so"
    if not library.exists() or library.stat().st_mtime < source.stat().st_mtime:
        command = [found, *FLAGS, "-o", str(library), str(source)]
        if subprocess.run(command, check=False).returncode:
            return None
    return ctypes.CDLL(str(library))


def yardstick(
    compiler: str, hand: str = HAND, trump: str = "S", lead: Card = "AS"
) -> PlayDeals | None:
    """Build the yardstick of play; None where that cannot be done."""
    library = build("yardstick.c", compiler)
    if library is None:
        return None
    function = library.play_deals
    function.restype = None
    cards = sum(map(_bit, parse_hand(hand, jokers=0)))

    def play_deals(first: int, deals: int) -> NDArray[np.int32]:
        outcomes = np.zeros(deals, np.int32)
        function(
            ctypes.c_uint64(SEED),
            ctypes.c_int64(first),
            ctypes.c_int64(deals),
            ctypes.c_uint64(cards),
            ctypes.c_uint64(_bit(lead)),
            ctypes.c_int(SUITS.index(trump)),
            ctypes.c_void_p(outcomes.ctypes.data),
        )
        return outcomes

    return play_deals


def _bit(card: Card) -> int:
    """Give a card as the yardstick takes it: a lane of 16 bits for each suit of the deck."""
    return 1 << (LANE * SUITS.index(card[1]) + RANKS.index(card[0]))
