"""Random words, one stream for each deal of a study.

Counter-based: word `i` of deal `d` is the SplitMix64 finaliser (Steele, Lea & Flood, "Fast
splittable pseudorandom number generators", 2014) of ``key + GAMMA * (d * 2**20 + i + 1)``. The
finaliser is a bijection, so no two words of a study come from the same state; and any deal can be
played alone, whatever chunk, thread or machine it falls to.
"""

from __future__ import annotations

import numpy as np

from pitchsim.engine.jit import inner

GAMMA = np.uint64(0x9E3779B97F4A7C15)
WORDS_A_DEAL = 20  # as a power of two

# Where in the words of a deal each use of them begins: far enough apart never to meet.
DEAL_WORDS = 0
DRAW_WORDS = 1 << 19
PLAY_WORDS = (1 << 19) + (1 << 18)


@inner
def mix64(z: np.uint64) -> np.uint64:
    """Give the word that belongs to a state."""
    z ^= z >> np.uint64(30)
    z *= np.uint64(0xBF58476D1CE4E5B9)
    z ^= z >> np.uint64(27)
    z *= np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@inner
def upper_bits(word: np.uint64, bits: int) -> int:
    """Give the upper bits of a word, fewer than 64, as a number that may mix with others."""
    return np.int64(word >> np.uint64(64 - bits))  # type: ignore[return-value]


@inner
def state_at(key: np.uint64, deal: int, word: int) -> np.uint64:
    """Give the state of a word of a deal; the next word's is GAMMA further on."""
    return key + GAMMA * ((np.uint64(deal) << np.uint64(WORDS_A_DEAL)) + np.uint64(word + 1))


@inner
def key_of(seed: np.uint64) -> np.uint64:
    """Give the key of a study from its seed."""
    return mix64(seed + GAMMA)
