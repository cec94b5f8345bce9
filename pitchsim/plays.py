"""The play policies by name, and what the running of each has to heed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Play:
    """What is to be known of a play policy before anything is played by it.

    Attributes
    ----------
    policy
        The engine's word for how a player chooses; None for double dummy, which has a way of its
        own.
    by_bid
        Whether it looks at the bid, so that a deal is played once for each bid.
    both_sides
        Whether it plays for both sides together or not at all.
    hands_a_chunk
        How many hands make a piece of work for a thread: some milliseconds of it for a quick play,
        beside which handing it out costs little; no more than a tenth of a second for a slow one
        (at the usual number of worlds), so that progress is seen and an interruption heard.
    samples
        Whether its players deal worlds that fit what they have seen.
    costly
        Whether a hand takes so long that leads which a quicker play finds far behind are left out
        (see :mod:`pitchsim.screening`).
    """

    policy: str | None
    by_bid: bool = False
    both_sides: bool = False
    hands_a_chunk: int = 24_576
    samples: bool = False
    costly: bool = False

    @property
    def is_quick(self) -> bool:
        """Whether a hand is played in less time than it takes to ask for it."""
        return not (self.both_sides or self.samples)


#: The play that takes a quick look where another is costly.
QUICK = "basic"
DOUBLE_DUMMY = "double-dummy"
#: How many worlds a player deals at each turn. Four times as many gain it 0.03 to 0.12 points a
#: hand (`benchmarks/README.md`), and a fifth of them lose it 0.07 to 0.36.
DEFAULT_WORLDS = 100
MOST_WORLDS = 10_000
PLAYS = {
    "random": Play("random"),
    "basic": Play("basic"),
    "expert": Play("expert", by_bid=True, hands_a_chunk=120, samples=True, costly=True),
    DOUBLE_DUMMY: Play(None, both_sides=True, hands_a_chunk=480),
}
