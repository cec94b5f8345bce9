"""Hand records: one hand as it was dealt, bid and played, one JSON object a line.

A record that cannot be read is a :class:`~pitchsim.errors.RecordError`; one whose cards, seats or
scores cannot be those of a hand is an :class:`~pitchsim.errors.IllegalRecordError`. Whether it was
bid and played by the rules is for the rules engine to say.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from pitchsim.cards import Card, format_hand, full_deck, parse_cards, parse_suit, sort_hand
from pitchsim.errors import (
    CardError,
    IllegalRecordError,
    RecordError,
    RulesError,
    did_you_mean,
    listed,
    quoted,
)
from pitchsim.presets import as_preset, load_preset
from pitchsim.rules import Rules, Seating

KEYS = (
    "rules",
    "set",
    "players",
    "partners",
    "dealer",
    "hands",
    "scores",
    "bids",
    "pitcher",
    "bid",
    "trump",
    "draws",
    "plays",
)
LARGEST_SCORE = 1_000_000

LONGEST_LINE = 100_000  # bytes, some fifty times a record's


@dataclass(frozen=True)
class Draw:
    """What one player threw away (`out`) and drew from the stock (`drawn`; `in` in JSON)."""

    out: tuple[Card, ...]
    drawn: tuple[Card, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "out", sort_hand(self.out))
        object.__setattr__(self, "drawn", sort_hand(self.drawn))


@dataclass(frozen=True)
class HandRecord:
    """One hand.

    Attributes
    ----------
    rules : Rules
        The rule set of the table.
    seating : Seating
        How many play, and whether as two sides.
    dealer : int
        The dealer's seat; seats count clockwise from 0.
    hands : tuple of tuple of Card
        What each seat was dealt; kept sorted.
    scores : tuple of int
        Each side's score before the hand.
    bids : tuple of str or None
        What each player said, from the dealer's left, as written; None where `pitcher` and `bid`
        stand for the auction.
    pitcher, bid : int and str, or None
        The pitcher's seat and the bid, where no auction is recorded.
    trump : str or None
        The trump suit; None where the first play makes it.
    plays : tuple of Card
        The cards in the order played; fewer than all where the hand is still going on.
    draws : tuple of Draw or None
        What each seat exchanged, in rule sets with a draw.

    Raises
    ------
    IllegalRecordError
        A seat that is not at the table, a card twice or not in the deck, a wrong number of
        hands, cards, scores or draws.
    """

    rules: Rules
    seating: Seating
    dealer: int
    hands: tuple[tuple[Card, ...], ...]
    scores: tuple[int, ...]
    bids: tuple[str, ...] | None = None
    pitcher: int | None = None
    bid: str | None = None
    trump: str | None = None
    plays: tuple[Card, ...] = ()
    draws: tuple[Draw, ...] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "hands", tuple(map(sort_hand, self.hands)))
        self._check_seat("dealer", self.dealer)
        if self.pitcher is not None:
            self._check_seat("pitcher", self.pitcher)
        self._check_count("hands", self.hands, "player", self.seating.players)
        self._check_count("scores", self.scores, "side", self.seating.sides)
        if self.draws is not None:
            self._check_count("draws", self.draws, "player", self.seating.players)
        self._check_deal()

    def _check_seat(self, key: str, seat: int) -> None:
        if not 0 <= seat < self.seating.players:
            raise IllegalRecordError(
                f"{key}: {seat} is not a seat; expected 0 to {self.seating.players - 1}", seat=seat
            )

    def _check_count(self, key: str, given: tuple[Any, ...], owner: str, expected: int) -> None:
        if len(given) != expected:
            raise IllegalRecordError(
                f"{key}: found {len(given)}, expected {expected}, one for each {owner}"
            )

    def _check_deal(self) -> None:
        """Refuse a card that the deck lacks, a card dealt twice and a hand of the wrong size."""
        deck = full_deck(self.rules.jokers)
        dealt: dict[Card, int] = {}
        for seat, hand in enumerate(self.hands):
            for card in hand:
                if card not in deck:
                    raise IllegalRecordError(
                        f"hands[{seat}]: {card} is not in the deck of these rules, which has "
                        f"{self.rules.jokers} jokers",
                        seat=seat,
                        card=card,
                    )
                if card in dealt:
                    also = "the same hand" if dealt[card] == seat else f"hands[{dealt[card]}]"
                    raise IllegalRecordError(
                        f"hands[{seat}]: {card} is there twice, also in {also}; every card can "
                        "be dealt once",
                        seat=seat,
                        card=card,
                    )
                dealt[card] = seat
            if len(hand) != self.rules.hand_size:
                raise IllegalRecordError(
                    f"hands[{seat}]: {format_hand(hand) or 'nothing'} is {len(hand)} cards; "
                    f"expected {self.rules.hand_size}",
                    seat=seat,
                )

    def to_json(self) -> dict[str, Any]:
        """Return the record as the JSON object that :func:`record_from_json` reads."""
        preset, changes = as_preset(self.rules)
        optional = {
            "set": changes or None,
            "bids": None if self.bids is None else list(self.bids),
            "pitcher": self.pitcher,
            "bid": self.bid,
            "trump": self.trump,
            "draws": None
            if self.draws is None
            else [
                {"out": format_hand(draw.out), "in": format_hand(draw.drawn)} for draw in self.draws
            ],
        }
        record = {
            "rules": preset,
            "players": self.seating.players,
            "partners": self.seating.partners,
            "dealer": self.dealer,
            "hands": [format_hand(hand) for hand in self.hands],
            "scores": list(self.scores),
            "plays": list(self.plays),
        } | {key: value for key, value in optional.items() if value is not None}
        return {key: record[key] for key in KEYS if key in record}


def record_from_json(value: object) -> HandRecord:
    """Make a record of a JSON value.

    Left out, `set` changes nothing, `players` is the number of hands, `partners` as is usual for
    the rule set, `scores` all 0, `plays` none; null is the same as left out.

    Raises
    ------
    RecordError
        If a key is missing or unknown, or its value is not of the kind that it must be.
    IllegalRecordError
        If it can be read, but cannot be a hand of its rule set.
    """
    if not isinstance(value, dict):
        raise RecordError(f"{quoted(value)} is not a record; expected a JSON object")
    for key in value:
        if key not in KEYS:
            suggestion = did_you_mean(key, KEYS) or f"; expected {listed(KEYS)}"
            raise RecordError(f"there is no key {quoted(key)} in a record{suggestion}")
    given = {key: item for key, item in value.items() if item is not None}
    rules = _read_rules(given)
    hands = _read_hands(given, rules)
    seating = _read_seating(given, rules, len(hands))
    bids, pitcher, bid = _read_auction(given)
    scores = [0] * seating.sides
    if "scores" in given:
        scores = [
            _whole_number(f"scores[{side}]", score)
            for side, score in enumerate(_list("scores", given["scores"]))
        ]
    return HandRecord(
        rules=rules,
        seating=seating,
        dealer=_whole_number("dealer", _required(given, "dealer")),
        hands=hands,
        scores=tuple(scores),
        bids=bids,
        pitcher=pitcher,
        bid=bid,
        trump=_suit("trump", given["trump"]) if "trump" in given else None,
        plays=tuple(
            _one_card(f"plays[{place}]", card, rules)
            for place, card in enumerate(_list("plays", given.get("plays", [])))
        ),
        draws=_read_draws(given, rules),
    )


def _read_rules(given: Mapping[str, Any]) -> Rules:
    name = _text("rules", _required(given, "rules"))
    changes = given.get("set", {})
    if not isinstance(changes, dict):
        raise RecordError(f"set: {quoted(changes)} is not an object of rule fields")
    try:
        return load_preset(name).changed(changes)
    except RulesError as error:
        raise RecordError(f"rules: {error}") from error


def _read_seating(given: Mapping[str, Any], rules: Rules, hands: int) -> Seating:
    players = _whole_number("players", given["players"]) if "players" in given else hands
    partners = given.get("partners")
    if partners is not None and not isinstance(partners, bool):
        raise RecordError(f"partners: {quoted(partners)} is neither true nor false")
    try:
        return rules.seating(players, partners)
    except RulesError as error:
        raise RecordError(str(error)) from error


def _read_hands(given: Mapping[str, Any], rules: Rules) -> tuple[tuple[Card, ...], ...]:
    return tuple(
        _cards(f"hands[{seat}]", hand, rules)
        for seat, hand in enumerate(_list("hands", _required(given, "hands")))
    )


def _read_auction(
    given: Mapping[str, Any],
) -> tuple[tuple[str, ...] | None, int | None, str | None]:
    """Read `bids`, or `pitcher` and `bid` in their place."""
    if "bids" in given:
        both = [key for key in ("pitcher", "bid") if key in given]
        if both:
            raise RecordError(
                f"{both[0]}: the record has bids as well; expected either bids, or pitcher and bid"
            )
        bids = _list("bids", given["bids"])
        return tuple(_bid(f"bids[{turn}]", bid) for turn, bid in enumerate(bids)), None, None
    if "pitcher" not in given and "bid" not in given:
        _required(given, "bids")
    pitcher = _whole_number("pitcher", _required(given, "pitcher"))
    return None, pitcher, _bid("bid", _required(given, "bid"))


def _read_draws(given: Mapping[str, Any], rules: Rules) -> tuple[Draw, ...] | None:
    if "draws" not in given:
        return None
    draws = []
    for seat, draw in enumerate(_list("draws", given["draws"])):
        where = f"draws[{seat}]"
        if not isinstance(draw, dict) or set(draw) != {"out", "in"}:
            raise RecordError(f'{where}: {quoted(draw)} is not {{"out": CARDS, "in": CARDS}}')
        draws.append(
            Draw(
                out=_cards(f"{where}.out", draw["out"], rules),
                drawn=_cards(f"{where}.in", draw["in"], rules),
            )
        )
    return tuple(draws)


def _required(given: Mapping[str, Any], key: str) -> Any:
    if key not in given:
        raise RecordError(f"the key {key!r} is missing")
    return given[key]


def _whole_number(where: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > LARGEST_SCORE:
        raise RecordError(f"{where}: {quoted(value)} is not a whole number of a sensible size")
    return value


def _text(where: str, value: object) -> str:
    if not isinstance(value, str):
        raise RecordError(f"{where}: {quoted(value)} is not a text")
    return value


def _list(where: str, value: object) -> list[Any]:
    if not isinstance(value, list):
        raise RecordError(f"{where}: {quoted(value)} is not a list")
    return value


def _bid(where: str, value: object) -> str:
    """Read a bid as it is written; a number may stand without quotes."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(_whole_number(where, value))
    return _text(where, value)


def _suit(where: str, value: object) -> str:
    try:
        return parse_suit(_text(where, value))
    except CardError as error:
        raise RecordError(f"{where}: {error}") from error


def _cards(where: str, value: object, rules: Rules) -> tuple[Card, ...]:
    """Read cards; what is no card at all cannot be read, what the deck lacks is illegal."""
    text = _text(where, value)
    try:
        cards = parse_cards(text)
    except CardError as error:
        raise RecordError(f"{where}: {error}") from error
    try:
        return parse_cards(text, jokers=rules.jokers)
    except CardError as error:
        missing = [card for card in cards if card not in full_deck(rules.jokers)]
        raise IllegalRecordError(f"{where}: {error}", card=next(iter(missing), None)) from error


def _one_card(where: str, value: object, rules: Rules) -> Card:
    cards = _cards(where, value, rules)
    if len(cards) != 1:
        raise RecordError(f"{where}: {quoted(value)} is {len(cards)} cards; expected one")
    return cards[0]


def parse_record(line: str | bytes, number: int | None = None) -> HandRecord:
    """Read one line of JSON Lines.

    Parameters
    ----------
    line : str or bytes
        The line; bytes are UTF-8.
    number : int or None
        The number of the line, from 1, for the error.

    Raises
    ------
    RecordError
        If the line is not a record; IllegalRecordError if it cannot be a hand of its rule set.
    """
    with errors_on_line(number):
        return record_from_json(_read_json(line))


@contextmanager
def errors_on_line(number: int | None) -> Iterator[None]:
    """Tell the record errors that are raised inside on which line the record stands."""
    try:
        yield
    except RecordError as error:
        error.line = number
        raise


def _read_json(line: str | bytes) -> object:
    try:
        text = line.decode("utf-8-sig") if isinstance(line, bytes) else line
        return json.loads(text, object_pairs_hook=_object_without_repeats)
    except UnicodeDecodeError as error:
        raise RecordError(
            f"byte {error.start + 1} ({error.object[error.start]:#04x}) is not UTF-8 text"
        ) from error
    except json.JSONDecodeError as error:
        if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated"):
            found = "the record breaks off: its JSON object is not closed"
        else:
            found = f"not JSON: {error.msg} at column {error.colno}"
        raise RecordError(f"{found}; found {quoted(text.strip())}") from error
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, deep nesting
        raise RecordError(f"not a record: {error}; found {quoted(text.strip())}") from error


def _object_without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for key, value in pairs:
        if key in table:
            raise ValueError(f"the key {quoted(key)} is there twice")
        table[key] = value
    return table


def record_lines(source: str) -> Iterator[tuple[int, bytes]]:
    """Read the lines of a file, or of standard input for `-`, that are not blank.

    Yields
    ------
    tuple of int and bytes
        The number of the line, from 1, and the line, for :func:`parse_record`.

    Raises
    ------
    RecordError
        If the file cannot be read, or holds no record.
    """
    if source == "-":
        if sys.stdin is None:
            raise RecordError("standard input is closed; expected hand records")
        yield from _lines_with_text(sys.stdin.buffer, "standard input")
        return
    try:
        with Path(source).open("rb") as file:
            yield from _lines_with_text(file, source)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise RecordError(f"{quoted(source)} cannot be read: {reason}") from error


def _lines_with_text(file: BinaryIO, name: str) -> Iterator[tuple[int, bytes]]:
    is_empty = True
    for number, line in enumerate(iter(lambda: file.readline(LONGEST_LINE + 1), b""), start=1):
        if len(line) > LONGEST_LINE:
            raise RecordError(
                f"longer than {LONGEST_LINE:,} bytes; expected one JSON record a line", line=number
            )
        if line.strip():
            is_empty = False
            yield number, line
    if is_empty:
        raise RecordError(f"{name} is empty; expected one JSON record a line")
