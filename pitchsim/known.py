"""What is known of the cards before the deal is simulated: one's own hand, and others' cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pitchsim.cards import Card, format_hand, full_deck, parse_cards
from pitchsim.errors import StudyError, listed, quoted
from pitchsim.rules import Rules, Seating

# Below this share of the deals that fit what seats do not hold, dealing until one fits is too slow.
LEAST_SHARE = 1 / 1000


@dataclass(frozen=True)
class Known:
    """What is known of each card, seats counted clockwise from one's own, 0.

    Attributes
    ----------
    held
        For each seat, the cards that it is known to hold; one's own hand is that of seat 0.
    out
        The cards known to be in nobody's hand.
    barred
        For each seat, the cards that it is known not to hold.
    """

    held: Mapping[int, frozenset[Card]] = field(default_factory=dict)
    out: frozenset[Card] = frozenset()
    barred: Mapping[int, frozenset[Card]] = field(default_factory=dict)

    def cards_of(self, seat: int) -> frozenset[Card]:
        """Return the cards that a seat is known to hold."""
        return self.held.get(seat, frozenset())

    def barred_to(self, seat: int) -> frozenset[Card]:
        """Return the cards that a seat is known not to hold."""
        return self.barred.get(seat, frozenset())

    def texts(self, seating: Seating) -> tuple[str, ...]:
        """Return what is known of others' cards, as :func:`read_known` reads it."""
        known = [(_seat_name(seat, seating), self.cards_of(seat)) for seat in self.held if seat]
        known += [("-" + _seat_name(seat, seating), self.barred_to(seat)) for seat in self.barred]
        known.append(("-", self.out))
        return tuple(f"{name}:{format_hand(cards)}" for name, cards in known if cards)

    def unseen(self, rules: Rules) -> tuple[Card, ...]:
        """Return the cards that may be dealt to somebody, in the fixed order of the deck."""
        seen = self.out.union(*self.held.values())
        return tuple(card for card in full_deck(rules.jokers) if card not in seen)

    def harmless(self, rules: Rules, seating: Seating) -> frozenset[Card]:
        """Return the cards that no opponent of seat 0 can come to hold.

        Those of partners; and, unless somebody may draw them, those that nobody holds or that no
        opponent does.
        """
        ours = frozenset().union(*map(self.cards_of, seating.seats_of(0)))
        if rules.draw:
            return ours
        opponents = [seat for seat in range(seating.players) if seating.side_of(seat) != 0]
        barred = frozenset.intersection(*map(self.barred_to, opponents))
        return ours | self.out | barred


def seat_names(players: int) -> dict[str, int]:
    """Return the names of the other seats: compass points with four players, and numbers.

    You sit South; the turn goes clockwise to West (your left), North (your partner), East.
    """
    names = {str(seat): seat for seat in range(1, players)}
    if players == 4:
        names |= {"W": 1, "N": 2, "E": 3}
    return names


def _seat_name(seat: int, seating: Seating) -> str:
    """Return the last, and most telling, of a seat's names."""
    return [name for name, number in seat_names(seating.players).items() if number == seat][-1]


def read_known(hand: Iterable[Card], texts: Iterable[str], rules: Rules, seating: Seating) -> Known:
    """Read what is known of others' cards.

    Parameters
    ----------
    hand
        One's own cards.
    texts
        Each `SEAT:CARDS` (the seat holds these), `-SEAT:CARDS` (it does not hold these), or
        `-:CARDS` (nobody holds these). See :func:`seat_names`.

    Raises
    ------
    StudyError
        If a text cannot be read, or what it says cannot be together with the rest.
    CardError
        If its cards cannot be read.
    """
    names = seat_names(seating.players)
    own = set(hand)
    held: dict[int, set[Card]] = {0: own}
    barred: dict[int, set[Card]] = {}
    out: set[Card] = set()
    for text in texts:
        seat_text, colon, cards_text = text.partition(":")
        name = seat_text.strip().upper()
        if not colon or (name.removeprefix("-") not in names and name != "-"):
            raise StudyError(
                f"known {quoted(text)} is not possible: expected SEAT:CARDS, -SEAT:CARDS (does "
                f"not hold) or -:CARDS (nobody holds), with a seat {listed(names)}"
            )
        cards = parse_cards(cards_text, jokers=rules.jokers)
        if not cards:
            raise StudyError(f"known {quoted(text)} names no card: expected cards after the colon")
        for place, card in enumerate(cards):
            if card in cards[:place]:
                raise StudyError(f"known {quoted(text)} names {card} twice: expected it once")
            if card in own and (name == "-" or not name.startswith("-")):
                raise StudyError(
                    f"known {quoted(text)} is not possible: {card} is in your own hand"
                )
        if name == "-":
            out.update(cards)
        elif name.startswith("-"):
            barred.setdefault(names[name[1:]], set()).update(cards)
        else:
            held.setdefault(names[name], set()).update(cards)
    known = Known(
        {seat: frozenset(cards) for seat, cards in held.items()},
        frozenset(out),
        {seat: frozenset(cards) for seat, cards in barred.items()},
    )
    check_known(known, rules, seating)
    return known


def check_known(known: Known, rules: Rules, seating: Seating) -> None:
    """Refuse what cannot all be true.

    Raises
    ------
    StudyError
        Naming the card that is in two places or barred where it is held, the seat with too many
        cards, or that hardly any deal fits.
    """
    places = Counter(card for cards in known.held.values() for card in cards)
    places.update(known.out)
    for card, count in places.items():
        if count > 1:
            raise StudyError(f"{card} is known to be in {count} places: expected one")
    for seat, cards in known.held.items():
        if len(cards) > rules.hand_size:
            raise StudyError(
                f"seat {_seat_name(seat, seating)} is known to hold {format_hand(cards)}: "
                f"expected {rules.hand_size} cards at most"
            )
        if both := cards & known.barred_to(seat):
            raise StudyError(
                f"seat {_seat_name(seat, seating)} is known to hold and not to hold "
                f"{format_hand(both)}"
            )
    share = share_of_deals(known, rules, seating)
    if share < LEAST_SHARE:
        found = "no deal fits" if share == 0 else f"only one deal in {1 / share:,.0f} fits"
        raise StudyError(
            f"{found} what is known of the others' cards: "
            f"expected at least one in {1 / LEAST_SHARE:,.0f}"
        )


def share_of_deals(known: Known, rules: Rules, seating: Seating) -> float:
    """Return the share of the deals of the unseen cards that gives no seat a card barred to it.

    The cards barred to some seat are dealt one after another, each to one of the other seats or to
    nobody, counting the ways for every number of them that the seats may have got by then; the
    other cards then fill the hands in as many ways as a multinomial coefficient says.
    """
    unseen = known.unseen(rules)
    counts = np.array(
        [rules.hand_size - len(known.cards_of(seat)) for seat in range(seating.players)]
    )
    if counts.sum() > len(unseen):
        return 0.0
    barred = [card for card in unseen if any(card in cards for cards in known.barred.values())]
    ways = np.zeros(counts + 1)
    ways[(0,) * len(counts)] = 1
    for card in barred:
        before = ways.copy()
        for seat, count in enumerate(counts):
            if count and card not in known.barred_to(seat):
                np.moveaxis(ways, seat, 0)[1:] += np.moveaxis(before, seat, 0)[:-1]
    places = np.indices(ways.shape).reshape(len(counts), -1)
    with_room = (places.sum(axis=0) >= counts.sum() - (len(unseen) - len(barred))) & (
        ways.ravel() > 0
    )
    left = counts[:, np.newaxis] - places[:, with_room]
    log_share = _log_ways(len(unseen) - len(barred), left) - _log_ways(len(unseen), counts)
    return float((ways.ravel()[with_room] * np.exp(log_share)).sum())


def _log_ways(cards: int, hands: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the logarithm of the number of ways to deal hands of these sizes, along axis 0."""
    log_factorial = np.cumsum(np.log(np.maximum(np.arange(cards + 1), 1)))
    fewer = log_factorial[hands].sum(axis=0) + log_factorial[cards - hands.sum(axis=0)]
    return np.asarray(log_factorial[cards] - fewer, np.float64)
