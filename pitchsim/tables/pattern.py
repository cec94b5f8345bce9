"""Patterns of trumps: `A J x` for the ace, the jack and a small trump; `+` for any more."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pitchsim.cards import SUITS, Card, is_joker, parse_card
from pitchsim.errors import CardError, PitchsimError, listed, quoted
from pitchsim.hands import mask_of
from pitchsim.order import TrumpOrder
from pitchsim.rules import Rules
from pitchsim.tables.rows import HAND_SIZE

#: The ranks that `x` stands for.
SMALL = "23456789T"
_EXPECTED = (
    "expected ranks (2-9, T or 10, J, Q, K, A), x for a small trump, cards such as JC or HJ, and + "
    "for any more"
)
# An H before a J is a joker's, not the suit of what comes before it.
_SIGN = re.compile(r"\+|X|JOKER|HJ|LJ|(?:10|[2-9TJQKA])(?:[SDC♠♤♥♡♦♢♣♧]|H(?!J))?")


class PatternError(PitchsimError):
    """Text that is no pattern of trumps."""


@dataclass(frozen=True)
class HoldingPattern:
    """Which trumps a holding must have.

    Attributes
    ----------
    ranks
        Ranks of the trump suit that it has.
    cards
        Cards that it has, whatever suit is trump: a joker, an off-jack.
    small
        How many other trumps of the trump suit it has from the 10 down to the 2; with `more`, at
        least so many.
    more
        Whether it may have any more.
    """

    ranks: str
    cards: tuple[Card, ...] = ()
    small: int = 0
    more: bool = False

    @classmethod
    def read(cls, text: str, rules: Rules, trumps: Iterable[str] = SUITS) -> HoldingPattern:
        """Read a pattern: `A J x +`, `AJx+`, `10 5`, `A HJ JC`.

        Parameters
        ----------
        text
            The signs, with spaces or commas between or run together, `+` anywhere.
        rules
            The rule set, which says what is a trump.
        trumps
            The suits that may be trump.

        Raises
        ------
        PatternError
            If it cannot be read, names a card twice or one that is no trump, or more cards than a
            hand has.
        """
        signs = list(_signs(text))
        named = [sign for sign in signs if sign not in ("+", "X")]
        for place, sign in enumerate(named):
            if sign in named[:place]:
                raise PatternError(f"{sign} is twice in {quoted(text)}: expected different cards")
        cards = len(named) + signs.count("X")
        if cards > HAND_SIZE:
            raise PatternError(
                f"{quoted(text)} is {cards} trumps: expected no more than {HAND_SIZE}"
            )
        if not signs:
            raise PatternError(f"{quoted(text)} is no pattern: {_EXPECTED}")
        full = tuple(_trump(sign, text, rules, trumps) for sign in named if len(sign) > 1)
        return cls("".join(s for s in named if len(s) == 1), full, signs.count("X"), "+" in signs)

    def matches(self, holdings: NDArray[np.int64], trumps: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Say which holdings fit.

        Parameters
        ----------
        holdings
            int64[n], a bit for each of `pitchsim.cards.ALL_CARDS`: trumps, and no other cards.
        trumps
            int64[n], the places in `SUITS` of the suits that are trump.
        """
        named = np.array([self._named(suit) for suit in SUITS])[trumps]
        small = np.array([_small(suit) for suit in SUITS])[trumps] & ~named
        has_named = holdings & named == named
        others = holdings & ~named
        count = np.bitwise_count(others & small)
        if self.more:
            return np.asarray(has_named & (count >= self.small))
        return np.asarray(has_named & (count == self.small) & (others & ~small == 0))

    def _named(self, suit: str) -> int:
        return mask_of([*(rank + suit for rank in self.ranks), *self.cards])


def _small(suit: str) -> int:
    return mask_of(rank + suit for rank in SMALL)


def _signs(text: str) -> Iterable[str]:
    """Take a pattern apart, the tens as T."""
    for word in re.split(r"[\s,]+", text):
        letters = word.upper()
        start = 0
        while start < len(letters):
            match = _SIGN.match(letters, start)
            if match is None:
                where = "" if letters[start:] == text.upper() else f" in {quoted(text)}"
                raise PatternError(f"{quoted(word[start:])}{where} is no trump: {_EXPECTED}")
            yield match.group().replace("10", "T")
            start = match.end()


def _trump(sign: str, text: str, rules: Rules, suits: Iterable[str]) -> Card:
    """Read a full card that is a trump when one of the suits is."""
    try:
        card = parse_card(sign, jokers=rules.jokers)
    except CardError as error:
        raise PatternError(f"{quoted(text)}: {error}") from None
    if not any(card in TrumpOrder(rules, suit).trumps for suit in suits):
        names = listed(suits)
        raise PatternError(
            f"{card} in {quoted(text)} is no trump when {names} is trump: expected ranks of the "
            "trump suit"
            + ("" if is_joker(card) else ", or a card that joins it, such as its off-jack")
        )
    return card
