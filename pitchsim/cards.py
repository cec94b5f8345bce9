"""Cards and hands: their names, and reading them from the notations that people type.

A card is its two-letter name, a string: rank then suit (`"AS"`, `"TD"`), or a joker (`"HJ"`,
`"LJ"`). A single joker is the high one.
"""

import re
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from pitchsim.errors import CardError, quoted

Card: TypeAlias = str

RANKS = "23456789TJQKA"
SUITS = "SHDC"
HIGH_JOKER: Card = "HJ"
LOW_JOKER: Card = "LJ"
JOKERS: tuple[Card, ...] = (HIGH_JOKER, LOW_JOKER)

#: All 54 cards; a card's place here is its number wherever cards are numbers.
ALL_CARDS: tuple[Card, ...] = (*(rank + suit for suit in SUITS for rank in RANKS), *JOKERS)

#: What a card counts towards Game, by rank; every other card counts nothing.
CARD_POINTS = {"A": 4, "K": 3, "Q": 2, "J": 1, "T": 10}

_SAME_COLOUR = {"S": "C", "C": "S", "H": "D", "D": "H"}

_CARD_EXPECTED = (
    "expected a rank (2-9, T or 10, J, Q, K, A) and then a suit (S, H, D, C), or a joker (HJ or LJ)"
)
_SUIT_SIGNS = {"♠": "S", "♤": "S", "♥": "H", "♡": "H", "♦": "D", "♢": "D", "♣": "C", "♧": "C"}
_VARIATION_SELECTORS = "\ufe0e\ufe0f"  # follow a suit sign that was copied as text or as a picture
_LETTERS = str.maketrans(
    {small: small.upper() for small in "abcdefghijklmnopqrstuvwxyz"}
    | _SUIT_SIGNS
    | dict.fromkeys(_VARIATION_SELECTORS, "")
)
_ONE_CARD = re.compile(r"JOKER|HJ|LJ|(?:10|[2-9TJQKA])[SHDC]")
_ONE_RANK = re.compile(r"10|[2-9TJQKA]")


def full_deck(jokers: int) -> tuple[Card, ...]:
    """Return the 52 cards and the first `jokers` (0, 1 or 2) of the jokers, in fixed order."""
    return ALL_CARDS[: 52 + jokers]


def is_joker(card: Card) -> bool:
    """Say whether the card is one of the two jokers."""
    return card in JOKERS


def rank_of(card: Card) -> str | None:
    """Return the rank letter printed on a card; a joker has none."""
    return None if is_joker(card) else card[0]


def suit_of(card: Card) -> str | None:
    """Return the natural suit, the letter printed on a card; a joker has none."""
    return None if is_joker(card) else card[1]


def same_colour_suit(suit: str) -> str:
    """Return the other suit of the same colour: spades and clubs, hearts and diamonds."""
    return _SAME_COLOUR[suit]


def card_points(card: Card) -> int:
    """Return what a card counts towards Game: A 4, K 3, Q 2, J 1, 10 10, all others 0."""
    return 0 if is_joker(card) else CARD_POINTS.get(card[0], 0)


def sort_hand(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Put cards in the order of output: suits S H D C, ranks from the top, jokers last."""
    return tuple(sorted(cards, key=_place))


def format_hand(cards: Iterable[Card]) -> str:
    """Write cards as output does: `AS JS TS 5S KH 2D`."""
    return " ".join(sort_hand(cards))


def _place(card: Card) -> tuple[int, int]:
    if is_joker(card):
        return len(SUITS), JOKERS.index(card)
    return SUITS.index(card[1]), -RANKS.index(card[0])


def parse_card(text: str, *, jokers: int | None = None) -> Card:
    """Read one card in any notation; see :func:`parse_cards`.

    Raises
    ------
    CardError
        If the text is not exactly one card.
    """
    cards = parse_cards(text, jokers=jokers)
    if len(cards) != 1:
        raise CardError(f"{quoted(text)} is {len(cards)} cards: expected one")
    return cards[0]


def parse_cards(text: str, *, jokers: int | None = None) -> tuple[Card, ...]:
    """Read any number of cards, in the order typed.

    Parameters
    ----------
    text
        Cards with spaces or commas between (`AS 10s, K♥`), run together (`ASJSTS`), or by suit
        in the order spades.hearts.diamonds.clubs with jokers after a space (`AJT5.K.2. HJ`).
    jokers
        How many jokers the deck holds; None takes any card.

    Raises
    ------
    CardError
        If something is not a card, or is a card that the deck lacks.
    """
    words = [word for word in re.split(r"[\s,]+", text) if word]
    if any("." in word for word in words):
        cards = list(_cards_by_suit(words, text))
    else:
        cards = [card for word in words for card in _cards_in(word, text)]
    if jokers is not None:
        _refuse_missing_jokers(cards, jokers, text)
    return tuple(cards)


def parse_suit(text: str) -> str:
    """Read a suit: its letter, sign or English name.

    Raises
    ------
    CardError
        If the text is none of these.
    """
    letters = text.strip().translate(_LETTERS)
    names = {name: name[0] for name in ("SPADES", "HEARTS", "DIAMONDS", "CLUBS")}
    suit = names.get(letters.removesuffix("S") + "S", letters)
    if suit not in SUITS or len(suit) != 1:
        raise CardError(f"{quoted(text)} is not a suit: expected S, H, D or C")
    return suit


def parse_hand(text: str, *, jokers: int, size: int | None = 6) -> tuple[Card, ...]:
    """Read a hand and sort it.

    Parameters
    ----------
    text
        The cards, in any notation of :func:`parse_cards`.
    jokers
        How many jokers the deck holds (0, 1 or 2).
    size
        How many cards the hand must have; None takes any number.

    Raises
    ------
    CardError
        Naming the card that is unreadable, twice there or not in the deck, or the number of cards.
    """
    cards = parse_cards(text, jokers=jokers)
    for place, card in enumerate(cards):
        if card in cards[:place]:
            raise CardError(f"{card} is twice in {quoted(text)}: expected different cards")
    if size is not None and len(cards) != size:
        count = f"{len(cards)} card" + ("" if len(cards) == 1 else "s")
        raise CardError(f"{quoted(text)} is {count}: expected {size}")
    return sort_hand(cards)


def _cards_in(word: str, text: str) -> Iterator[Card]:
    """Read the cards of one word, which may be several run together."""
    letters = word.translate(_LETTERS)
    start = 0
    while start < len(letters):
        match = _ONE_CARD.match(letters, start)
        if match is None:
            rest = letters[start:]
            raise _not_a_card(rest if len(rest) <= 3 else rest[:2], text)
        yield _card_named(match.group())
        start = match.end()


def _cards_by_suit(words: list[str], text: str) -> Iterator[Card]:
    """Read `AJT5.K.2.`: the ranks of each suit, then jokers as words of their own."""
    suits = words[0].translate(_LETTERS).split(".")
    if len(suits) != len(SUITS):
        raise CardError(
            f"{quoted(words[0])} has {len(suits)} suits: expected four, "
            "spades.hearts.diamonds.clubs, with a dot for a suit that is empty"
        )
    for suit, ranks in zip(SUITS, suits, strict=True):
        if _ONE_RANK.sub("", ranks):
            raise CardError(
                f"{quoted(ranks)} in {quoted(text)} is not the ranks of a suit: "
                "expected 2-9, T or 10, J, Q, K, A"
            )
        for rank in _ONE_RANK.findall(ranks):
            yield _card_named(rank + suit)
    for word in words[1:]:
        for card in _cards_in(word, text):
            if not is_joker(card):
                raise CardError(
                    f"{card} in {quoted(text)} follows a hand written by suit: expected a joker"
                )
            yield card


def _card_named(letters: str) -> Card:
    return HIGH_JOKER if letters == "JOKER" else letters.replace("10", "T")


def _not_a_card(part: str, text: str) -> CardError:
    where = "" if part == text else f" in {quoted(text)}"
    return CardError(f"{quoted(part)}{where} is not a card: {_CARD_EXPECTED}")


def _refuse_missing_jokers(cards: list[Card], jokers: int, text: str) -> None:
    """Refuse jokers that the deck lacks, and `joker` where it could be either of two."""
    if jokers == 2 and "joker" in text.lower():
        raise CardError(f"'joker' in {quoted(text)} may be either of two: expected HJ or LJ")
    for card in cards:
        if is_joker(card) and card not in JOKERS[:jokers]:
            held = "no joker" if jokers == 0 else f"only the joker {HIGH_JOKER}"
            raise CardError(f"{card} is not in the deck, which has {held}")
