"""The weakest of the holdings that are worth a bid: what a learner has to keep in mind."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from pitchsim.cards import Card


class Trumps(NamedTuple):
    """Some trumps: those that are named, and how many they are with the small ones."""

    named: frozenset[Card]
    cards: int


@dataclass(frozen=True)
class Step:
    """A way to better trumps: a named card for others, or one more small trump.

    Attributes
    ----------
    gone
        The named card that is given up; None: a small one.
    come
        The named card that comes for it; None: nothing is given up, a small trump comes.
    """

    gone: Card | None
    come: Card | None

    def __call__(self, trumps: Trumps) -> Trumps | None:
        """Better some trumps; None if it cannot be done with these."""
        named, cards = trumps
        if self.come is None:
            return Trumps(named, cards + 1)
        gives = cards > len(named) if self.gone is None else self.gone in named
        if self.come in named or not gives:
            return None
        return Trumps(named - {self.gone} | {self.come}, cards)


def weakest(
    levels: Mapping[Trumps, int], ranked: Sequence[Card], least: int, close: Collection[Trumps] = ()
) -> list[Trumps]:
    """Find the weakest trumps of a level or more: those that are not others of them bettered.

    What betters trumps is one more small one, a named card for a small one, or a named card for
    one ranked below it; each only if it lowers the level of no trumps, as may well happen where a
    king comes for a jack, which is worth a point of its own.

    Parameters
    ----------
    levels
        What trumps are worth, a number that grows with it.
    ranked
        The named cards from the best down.
    least
        The level asked for.
    close
        Trumps whose level may be one off.
    """
    steps = [Step(None, None), *(Step(None, card) for card in ranked)]
    steps += [Step(lower, higher) for higher, lower in combinations(ranked, 2)]
    good = [step for step in steps if not _lowers(step, levels, close)]
    worth_it = [trumps for trumps, level in levels.items() if level >= least]
    bettered = {step(trumps) for trumps in worth_it for step in good}
    return [trumps for trumps in worth_it if trumps not in bettered]


def _lowers(step: Step, levels: Mapping[Trumps, int], close: Collection[Trumps]) -> bool:
    """Say whether a step lowers the level of any trumps, by two where one may be chance."""
    for trumps, level in levels.items():
        after = step(trumps)
        if after is not None and after in levels:
            doubt = trumps in close or after in close
            if levels[after] < level - doubt:
                return True
    return False
