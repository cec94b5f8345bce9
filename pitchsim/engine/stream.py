"""Random words, one stream for each deal of a study.

Counter-based: word `i` of deal `d` is the SplitMix64 finaliser (Steele, Lea & Flood, "Fast
splittable pseudorandom number generators", 2014) of ``key + GAMMA * (d * 2**20 + i + 1)``. The
finaliser is a bijection, so no two words of a study come from the same state; and any deal can be
played alone, whatever chunk, thread or machine it falls to.

Words are unsigned; here they are the int64 of the same bits, whose sums and products are the same.
"""

from __future__ import annotations

import numpy as np

from pitchsim.engine.jit import inner
from pitchsim.engine.lanes import Lanes, every, shifted_down

_WRAP = 1 << 64
GAMMA = 0x9E3779B97F4A7C15 - _WRAP
FIRST_FACTOR = 0xBF58476D1CE4E5B9 - _WRAP
SECOND_FACTOR = 0x94D049BB133111EB - _WRAP
WORDS_A_DEAL = 20  # as a power of two

# Where in the words of a deal each use of them begins: far enough apart never to meet.
DEAL_WORDS = 0
DRAW_WORDS = 1 << 19
PLAY_WORDS = (1 << 19) + (1 << 18)
WORLD_WORDS = PLAY_WORDS + (1 << 17)  # one for each turn, which begins a stream of its own


@inner
def mix64(z: Lanes) -> Lanes:
    """Give the words that belong to states."""
    z = (z ^ shifted_down(z, 30)) * FIRST_FACTOR
    z = (z ^ shifted_down(z, 27)) * SECOND_FACTOR
    return z ^ shifted_down(z, 31)


@inner
def upper_bits(word: Lanes, bits: int) -> Lanes:
    """Give the upper bits of words, fewer than 64."""
    return shifted_down(word, 64 - bits)


@inner
def state_at(key: Lanes, deals: Lanes, word: int) -> Lanes:
    """Give the states of a word of some deals; the next word's is GAMMA further on."""
    return key + ((deals << WORDS_A_DEAL) + (word + 1)) * GAMMA


@inner
def key_of(seed: np.uint64) -> Lanes:
    """Give the key of a study from its seed."""
    return mix64(every(np.int64(seed)) + GAMMA)
