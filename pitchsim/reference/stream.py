"""The random numbers of a study, one stream for each deal.

A counter-based generator: word `i` of deal `d` is a hash of the seed and of the counter
``(d << 20) + i``, so every deal owns 2**20 words, no two deals of a study share a random number,
and any deal can be made again on its own.

The hash is the finaliser of SplitMix64: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable
pseudorandom number generators", OOPSLA 2014.

What a deal uses its words for has each its own place among them: the hands are dealt out of the
first, a draw out of the words from the middle on, and the play out of those from three quarters
on, one for each trick. From seven eighths on there is one for each turn of the play: the seed of a
stream of its own, for a player who imagines how the unseen cards lie.
"""

from collections.abc import Iterator

MASK = 2**64 - 1
GAMMA = 0x9E3779B97F4A7C15
WORDS_A_DEAL = 20  # as a power of two

FIRST_DEAL_WORD = 0
FIRST_DRAW_WORD = 2**19
FIRST_PLAY_WORD = 2**19 + 2**18
FIRST_TURN_WORD = FIRST_PLAY_WORD + 2**17


def mix64(z: int) -> int:
    """Scramble 64 bits: the finaliser of SplitMix64."""
    z ^= z >> 30
    z = z * 0xBF58476D1CE4E5B9 & MASK
    z ^= z >> 27
    z = z * 0x94D049BB133111EB & MASK
    return z ^ (z >> 31)


def stream_key(seed: int) -> int:
    """Return the key of a seed: what tells the streams of one study from those of another."""
    return mix64((seed + GAMMA) & MASK)


def word(key: int, deal: int, number: int) -> int:
    """Word `number` (from 0) of a deal's stream: 64 uniform bits."""
    counter = ((deal << WORDS_A_DEAL) + number + 1) & MASK
    return mix64((key + GAMMA * counter) & MASK)


def turn_words(seed: int, deal: int, turn: int) -> Iterator[int]:
    """Yield the random words of one turn of a deal: SplitMix64, seeded with the turn's word."""
    state = word(stream_key(seed), deal, FIRST_TURN_WORD + turn)
    while True:
        state = (state + GAMMA) & MASK
        yield mix64(state)


class Stream:
    """The random numbers of one deal, one after another.

    Parameters
    ----------
    seed : int
        The seed of the study.
    deal : int
        The number of the deal in the study, from 0.
    position : int
        The number of the word to begin with, from 0.
    """

    def __init__(self, seed: int, deal: int, position: int = 0) -> None:
        self.key = stream_key(seed)
        self.deal = deal
        self.position = position

    def next_word(self) -> int:
        """Return the next 64 bits."""
        value = word(self.key, self.deal, self.position)
        self.position += 1
        return value
