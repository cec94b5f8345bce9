"""The draw: once trump is declared, everybody changes plain cards for cards of the stock.

Each player from the dealer's left throws away every card that is not trump and draws from the
stock back to six, as far as the stock lasts; who holds six trumps draws nothing.
"""

from collections.abc import Sequence

from pitchsim.cards import Card, format_hand, full_deck, sort_hand
from pitchsim.errors import IllegalRecordError
from pitchsim.records import Draw
from pitchsim.reference.auction import bidding_order
from pitchsim.reference.trumps import trump_suit
from pitchsim.rules import Rules


def trumps_kept(rules: Rules, trump: str, hand: Sequence[Card]) -> list[Card]:
    """Return the cards that a player keeps: the trumps.

    A second trump suit is thrown away too: it counts as trump only for "may always trump" and
    when void.
    """
    return [card for card in hand if card in trump_suit(rules, trump)]


def stock(rules: Rules, hands: Sequence[Sequence[Card]]) -> list[Card]:
    """Return the cards of the deck that were not dealt to anybody."""
    dealt = [card for hand in hands for card in hand]
    return [card for card in full_deck(rules.jokers) if card not in dealt]


def hands_after_draws(
    rules: Rules,
    trump: str,
    dealer: int,
    hands: Sequence[Sequence[Card]],
    draws: Sequence[Draw],
) -> list[tuple[Card, ...]]:
    """Check what each player threw away and drew, and return the hands that are played.

    A hand is shorter than six cards where the stock ran out.

    Raises
    ------
    IllegalRecordError
        Cards thrown away that are not exactly the player's cards that are not trump, cards drawn
        that are not in the stock, or too many or too few of them.
    """
    left = stock(rules, hands)
    after = [tuple(hand) for hand in hands]
    for seat in bidding_order(dealer, len(hands)):
        kept = trumps_kept(rules, trump, hands[seat])
        check_thrown(seat, hands[seat], kept, draws[seat].out)
        check_drawn(seat, rules.hand_size - len(kept), left, draws[seat].drawn)
        left = [card for card in left if card not in draws[seat].drawn]
        after[seat] = sort_hand([*kept, *draws[seat].drawn])
    return after


def check_thrown(
    seat: int, hand: Sequence[Card], kept: Sequence[Card], thrown: Sequence[Card]
) -> None:
    """Refuse to throw away anything but every card that is not trump."""
    plain = [card for card in hand if card not in kept]
    if sorted(thrown) == sorted(plain):
        return
    wrong = [card for card in thrown if card not in plain] or [
        card for card in plain if card not in thrown
    ]
    raise IllegalRecordError(
        f"draws[{seat}].out: {format_hand(thrown) or 'nothing'} is not what seat {seat} must "
        f"throw away, look at {' '.join(wrong or thrown)}; expected every card that is not "
        f"trump: {format_hand(plain) or 'none'}",
        seat=seat,
        card=(wrong or list(thrown))[0],
        legal=plain,
    )


def check_drawn(seat: int, needed: int, left: Sequence[Card], drawn: Sequence[Card]) -> None:
    """Refuse cards that are not in the stock, a card twice, and too many or too few."""
    for place, card in enumerate(drawn):
        if card not in left or card in drawn[:place]:
            raise IllegalRecordError(
                f"draws[{seat}].in: {card} is not in the stock when seat {seat} draws; expected "
                "cards that nobody was dealt or has drawn",
                seat=seat,
                card=card,
            )
    expected = min(needed, len(left))
    if len(drawn) != expected:
        raise IllegalRecordError(
            f"draws[{seat}].in: seat {seat} drew {len(drawn)} cards "
            f"({format_hand(drawn) or 'none'}), expected {expected}: {needed} are needed for a "
            f"full hand and the stock holds {len(left)}",
            seat=seat,
        )
