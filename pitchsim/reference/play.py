"""Which cards may be played, and who wins the trick."""

from collections.abc import Sequence

from pitchsim.cards import Card, is_joker
from pitchsim.reference.trumps import plain_suit, second_trumps, suit_of_play, trump_suit
from pitchsim.rules import Rules


def legal_first_leads(rules: Rules, hand: Sequence[Card]) -> list[Card]:
    """Return the cards that the pitcher may lead to the first trick.

    Anything, except that where trump is pitched and ``joker_lead`` is forbidden a joker is not
    allowed while another card is held. Where trump is declared the pitcher may lead anything.
    """
    if rules.trump_choice == "pitched" and rules.joker_lead == "forbidden":
        return [card for card in hand if not is_joker(card)] or list(hand)
    return list(hand)


def legal_follows(rules: Rules, trump: str, hand: Sequence[Card], led: Card) -> list[Card]:
    """Return the cards that may follow the card led.

    Trump led: play a trump if you hold one. A plain suit led: if you hold a card of it, play one
    or any trump; no other suit may be thrown. Void in the suit led (``void_play``): any card, or
    a trump if there is one. A second trump suit counts as trump for "any trump" and when void,
    but a real trump must follow a trump lead.
    """
    suit_led = suit_of_play(rules, trump, led)
    of_suit = [card for card in hand if suit_of_play(rules, trump, card) == suit_led]
    trumps = trump_suit(rules, trump) + second_trumps(rules, trump)
    if of_suit and suit_led == trump:
        return of_suit
    if of_suit:
        return [card for card in hand if card in of_suit or card in trumps]
    if rules.void_play == "must_trump":
        return [card for card in hand if card in trumps] or list(hand)
    return list(hand)


def trick_winner(rules: Rules, trump: str, plays: Sequence[Card]) -> int:
    """Return the place in the trick, 0 for the leader, of the card that wins it.

    The highest trump wins; without a trump the highest card of the second trump suit, where the
    rule set has one; without either the highest card of the suit led.
    """
    suit_led = suit_of_play(rules, trump, plays[0])
    strongest_first = trump_suit(rules, trump) + second_trumps(rules, trump)
    if plays[0] not in strongest_first:
        strongest_first += plain_suit(rules, trump, suit_led)
    return next(plays.index(card) for card in strongest_first if card in plays)


def lacking(rules: Rules, trump: str, led: Card, card: Card | None) -> set[Card]:
    """Return the cards of which a player has shown to have none by putting a card on one led.

    Who did not follow the suit led, and did not play what may always be played either, has none
    of that suit left; where void players must trump, and the card is no trump, no trump either. A
    second trump does not follow a trump, but shows no more than that there was none. None: a
    player who had no card left to play did not follow either.
    """
    suit = suit_of_play(rules, trump, led)
    suit_led = trump_suit(rules, trump) if suit == trump else plain_suit(rules, trump, suit)
    trumps = trump_suit(rules, trump) + second_trumps(rules, trump)
    if card in suit_led or (card in trumps and suit != trump):
        return set()
    if rules.void_play == "must_trump" and card not in trumps:
        return {*suit_led, *trumps}
    return set(suit_led)
