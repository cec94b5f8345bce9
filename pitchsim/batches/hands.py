"""The hands of a batch: those of a file, with what is wrong with the others, or random ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitchsim.batches.handfile import Entry, read_entries
from pitchsim.batches.handlines import HandsError, Line, named
from pitchsim.cards import full_deck, parse_hand
from pitchsim.encoding import encode_plan
from pitchsim.engine import MOST_PLAYERS, deal_hands
from pitchsim.errors import CardError, check_whole
from pitchsim.hands import mask_of
from pitchsim.known import Known
from pitchsim.rules import Rules
from pitchsim.study import identity_of, seed_for
from pitchsim.wording import counted

MOST_HANDS = 10_000_000


class BadLine(NamedTuple):
    """A line that is no hand.

    Attributes
    ----------
    number
        Of the line, from 1.
    text
        What stands there.
    rules
        The rule set in which it is none, by name; empty for all of them.
    reason
        What is wrong with it.
    """

    number: int
    text: str
    rules: str
    reason: str


@dataclass(frozen=True, eq=False)
class Hands:
    """The hands that are to be evaluated.

    Attributes
    ----------
    source
        Where they are from, in words.
    numbers
        int64[hands], the number of the line of each, from 1.
    cards
        int64[hands], a bit for each of `pitchsim.cards.ALL_CARDS`.
    fits
        By the number of jokers in a deck, whether it may hold each hand, bool[hands].
    bad
        The lines that are no hand, or not in every rule set.
    """

    source: str
    numbers: NDArray[np.int64]
    cards: NDArray[np.int64]
    fits: Mapping[int, NDArray[np.bool_]]
    bad: tuple[BadLine, ...] = ()

    def under(self, rules: Rules) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Give the numbers and the cards of those hands that may be held under some rules."""
        fits = self.fits[rules.jokers]
        return self.numbers[fits], self.cards[fits]

    @property
    def digest(self) -> str:
        """A hash of the hands and their numbers, 16 hexadecimal digits."""
        fits = [self.fits[jokers].tolist() for jokers in sorted(self.fits)]
        return identity_of(repr((self.numbers.tolist(), self.cards.tolist(), fits)))


def read_hands(source: str, rule_sets: Sequence[Rules]) -> Hands:
    """Read the hands of a file, or of standard input for `-`.

    Parameters
    ----------
    source
        The file: see :func:`pitchsim.batches.handfile.read_entries`.
    rule_sets
        Those under which they are to be held: a hand with a joker is none where there is none.

    Raises
    ------
    HandsError
        If it cannot be read, or holds no hand, or none that a rule set may have.
    """
    return _sorted_out(read_entries(source), named(source), rule_sets)


def given_hands(texts: Iterable[str], rule_sets: Sequence[Rules]) -> Hands:
    """Take hands that are given as text; their numbers count from 1.

    Raises
    ------
    HandsError
        If one of them is no hand in one of the rule sets, or there is none.
    """
    entries = [Entry(number, text) for number, text in enumerate(texts, start=1)]
    if not entries:
        raise HandsError("there is no hand to evaluate: expected one or more")
    hands = _sorted_out(entries, "the list", rule_sets)
    if hands.bad:
        bad = hands.bad[0]
        under = f" under {bad.rules} rules" if bad.rules else ""
        raise HandsError(f"hand {bad.number} is none{under}: {bad.reason}")
    return hands


def random_hands(count: int, seed: int, rule_sets: Sequence[Rules]) -> Hands:
    """Deal hands at random, each as likely as any other of six cards.

    They are of the largest deck among the rule sets. Those of them that a smaller deck may hold are
    at random in it, too. The first ones are the same however many there are.

    Raises
    ------
    StudyError
        If the number is not possible.
    """
    check_whole("random", count, 1, MOST_HANDS)
    jokers = {rules.jokers for rules in rule_sets}
    deck = Rules(jokers=max(jokers))
    positions = np.zeros((count, MOST_PLAYERS), np.int64)
    plan = encode_plan(deck, deck.seating(), Known())
    deal_hands(np.uint64(seed_for("to deal hands", seed)), 0, plan, positions)
    cards = positions[:, 0].copy()  # nothing is known, so positions are those of the deck
    fits = {some: cards >> len(full_deck(some)) == 0 for some in jokers}
    hands = Hands("random", np.arange(1, count + 1), cards, fits)
    for rules in rule_sets:
        if not fits[rules.jokers].any():
            raise HandsError(
                f"all of {counted(count, 'random hand')} have a joker, which {rules.name} rules "
                "have not: expected more hands, or another seed"
            )
    return hands


def _sorted_out(entries: Sequence[Entry], name: str, rule_sets: Sequence[Rules]) -> Hands:
    """Tell hands from what is none, in all rule sets or in some."""
    jokers = sorted({rules.jokers for rules in rule_sets})
    numbers, cards, fits, bad = [], [], [], []
    for entry in entries:
        read = _read(entry, jokers)
        reasons = {some: str(error) for some, error in read.items() if isinstance(error, CardError)}
        text = entry.text if isinstance(entry.text, str) else repr(entry.text)[2:-1]
        if len(reasons) == len(jokers):
            bad.append(BadLine(entry.number, text, "", reasons[jokers[-1]]))
            continue
        numbers.append(entry.number)
        cards.append(next(hand for hand in read.values() if isinstance(hand, int)))
        fits.append([some not in reasons for some in jokers])
        bad += [
            BadLine(entry.number, text, rules.name, reasons[rules.jokers])
            for rules in rule_sets
            if rules.jokers in reasons
        ]
    may_be_held = np.array(fits, bool).reshape(-1, len(jokers))
    hands = Hands(
        name,
        np.array(numbers, np.int64),
        np.array(cards, np.int64),
        dict(zip(jokers, may_be_held.T, strict=True)),
        tuple(bad),
    )
    _refuse_none(hands, rule_sets)
    return hands


def _read(entry: Entry, jokers: Sequence[int]) -> dict[int, int | CardError]:
    """Read a hand as each number of jokers has it; one that none is in is the same for all."""
    read: dict[int, int | CardError] = {}
    for some in jokers:
        try:
            text = entry.text
            if isinstance(text, bytes):
                text = Line(entry.number, text).decoded()
            read[some] = mask_of(parse_hand(text, jokers=some))
        except CardError as error:
            read[some] = error
        if some == 0 and isinstance(read[0], int):
            return dict.fromkeys(jokers, read[0])
    return read


def _refuse_none(hands: Hands, rule_sets: Sequence[Rules]) -> None:
    """Refuse a file without a hand, or without one for some rule set."""
    for rules in rule_sets:
        if not hands.fits[rules.jokers].any():
            first = next(bad for bad in hands.bad if bad.rules in ("", rules.name))
            what = "a hand" if not len(hands.numbers) else f"a hand under {rules.name} rules"
            raise HandsError(
                f"no line of {hands.source} is {what}; the first of them, line {first.number}: "
                f"{first.reason}"
            )
