"""Dealing a study's hands, and the draw from the stock, out of the random words of a deal.

A hand is a set of places in the row of cards that are left: first those that may be dealt, in the
order of the deck, and after them those known to be in nobody's hand, which only a draw can reach.
"""

from collections.abc import Sequence
from math import perm

from pitchsim.cards import Card, full_deck, sort_hand
from pitchsim.known import Known
from pitchsim.records import Draw
from pitchsim.reference.auction import bidding_order
from pitchsim.reference.draw import trumps_kept
from pitchsim.reference.stream import FIRST_DEAL_WORD, FIRST_DRAW_WORD, Stream
from pitchsim.rules import Rules, Seating

FRACTION_BITS = 57
UNUSED_BITS = 64 - FRACTION_BITS
ONE = 2**FRACTION_BITS


def deal_hands(
    rules: Rules, seating: Seating, known: Known, seed: int, deal: int
) -> list[tuple[Card, ...]]:
    """Deal the hands of one deal of a study: what is known, and the rest at random.

    Seats are filled one after another. If a seat then holds a card that it is known not to hold,
    everything is dealt again, so that all deals that fit are as likely as one another.

    Parameters
    ----------
    rules, seating : Rules, Seating
        The table.
    known : Known
        What is known of the cards; some deal must fit it.
    seed, deal : int
        The seed of the study, and the number of the deal in it.
    """
    stream = Stream(seed, deal, FIRST_DEAL_WORD)
    while True:
        left = list(known.unseen(rules))
        hands = []
        for seat in range(seating.players):
            held = known.cards_of(seat)
            dealt, left = take(stream, left, rules.hand_size - len(held))
            hands.append(sort_hand([*held, *dealt]))
        if not any(set(hand) & known.barred_to(seat) for seat, hand in enumerate(hands)):
            return hands


def draw_cards(
    rules: Rules,
    known: Known,
    hands: Sequence[Sequence[Card]],
    *,
    trump: str,
    dealer: int,
    seed: int,
    deal: int,
) -> list[Draw]:
    """Draw for every seat, the dealer's left first, as far as the stock lasts.

    Cards known to be in nobody's hand were not dealt, and so lie in the stock.
    """
    stream = Stream(seed, deal, FIRST_DRAW_WORD)
    dealt = {card for hand in hands for card in hand}
    out_of_play = [card for card in full_deck(rules.jokers) if card in known.out]
    left = [card for card in (*known.unseen(rules), *out_of_play) if card not in dealt]
    draws = [Draw((), ())] * len(hands)
    for seat in bidding_order(dealer, len(hands)):
        kept = trumps_kept(rules, trump, hands[seat])
        drawn, left = take(stream, left, min(rules.hand_size - len(kept), len(left)))
        thrown = [card for card in hands[seat] if card not in kept]
        draws[seat] = Draw(tuple(thrown), tuple(drawn))
    return draws


def take(stream: Stream, left: Sequence[Card], count: int) -> tuple[list[Card], list[Card]]:
    """Take some of the cards that are left at random: those taken, and those left then.

    No word is used up for no card.
    """
    places = random_places(stream, len(left), count) if count else set()
    taken = [card for place, card in enumerate(left) if place in places]
    return taken, [card for card in left if card not in taken]


def random_places(stream: Stream, size: int, count: int) -> set[int]:
    """Choose `count` of the places 0 … `size` - 1, each set of them as likely as any other."""
    while True:
        places = places_at(stream.next_word() >> UNUSED_BITS, size, count)
        if places is not None:
            return places


def places_at(fraction: int, size: int, count: int) -> set[int] | None:
    """Choose `count` of the places 0 … `size` - 1 by a fraction, or None: another is needed.

    There are P = size · (size - 1) ⋯ (size - count + 1) ways to choose places one by one, and the
    fraction, of 57 bits, falls into one of P ranges. Some of these have a fraction more than
    others, for P does not divide 2**57: the first of each that has is not used (D. Lemire, "Fast
    random integer generation in an interval", 2019).

    Parameters
    ----------
    fraction : int
        From 0 to ``2**57 - 1``, uniform.
    size, count : int
        How many places there are, and how many of them to choose.
    """
    ways = perm(size, count)
    number, remainder = divmod(fraction * ways, ONE)
    if remainder < ONE % ways:
        return None
    return floyd(number, size, count)


def floyd(number: int, size: int, count: int) -> set[int]:
    """Turn a way, one of size · (size - 1) ⋯ (size - count + 1), into a set of places.

    R. W. Floyd's algorithm (J. Bentley, R. Floyd, "A sample of brilliance", 1987): one after
    another a place from 0 … `last` is drawn, for each `last` from size - count to size - 1; where
    that is taken already, `last` itself is, which cannot be.
    """
    drawn: list[int] = []
    for last in reversed(range(size - count, size)):
        number, digit = divmod(number, last + 1)
        drawn.insert(0, digit)
    places: set[int] = set()
    for last, place in zip(range(size - count, size), drawn, strict=True):
        places.add(last if place in places else place)
    return places
