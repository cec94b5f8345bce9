"""Random play: a player, at every turn but a fixed opening lead, plays any legal card.

All the choices of one trick come out of one random word, taken as a fraction: a player with n
legal cards multiplies it by n, takes the whole part as the choice and leaves the rest to the next
random player. A player with one legal card, as in the last trick, leaves all of it.
"""

from collections.abc import Sequence

from pitchsim.cards import Card
from pitchsim.reference.playout import Situation
from pitchsim.reference.stream import FIRST_PLAY_WORD, stream_key, word
from pitchsim.reference.trumps import plain_suit, trump_suit
from pitchsim.rules import Rules

FRACTION_BITS = 60
UNUSED_BITS = 64 - FRACTION_BITS
ONE = 2**FRACTION_BITS


def engine_order(rules: Rules, trump: str) -> list[Card]:
    """Return all cards from the first to the last that a random choice counts.

    Clubs, diamonds, spades and hearts without the trump suit and its members, each from the 2 up,
    then the trump suit from its lowest card.
    """
    plain = [suit for suit in "CDSH" if suit != trump]
    from_the_lowest = [card for suit in plain for card in reversed(plain_suit(rules, trump, suit))]
    return [*from_the_lowest, *reversed(trump_suit(rules, trump))]


def choose(legal: Sequence[Card], fraction: int) -> tuple[Card, int]:
    """Choose a card by a fraction of 60 bits, and return what is left of the fraction.

    Parameters
    ----------
    legal : sequence of Card
        The legal cards, in the order of :func:`engine_order`.
    fraction : int
        From 0 to ``2**60 - 1``: uniform, as is what is left of it.
    """
    scaled = fraction * len(legal)
    return legal[scaled // ONE], scaled % ONE


class RandomPlay:
    """The random players of one hand, all of them out of the words of one deal.

    Each trick has a word of its own: how many choices were made before does not matter, and so
    random players may sit beside others.

    Parameters
    ----------
    seed, deal : int
        The seed of the study, and the number of the deal in it.
    """

    def __init__(self, seed: int, deal: int) -> None:
        self.key = stream_key(seed)
        self.deal = deal
        self.trick = -1
        self.fraction = 0

    def __call__(self, situation: Situation) -> Card:
        """Play a legal card uniformly at random."""
        if self.trick != len(situation.tricks):
            self.trick = len(situation.tricks)
            self.fraction = word(self.key, self.deal, FIRST_PLAY_WORD + self.trick) >> UNUSED_BITS
        order = engine_order(situation.rules, situation.trump)
        card, self.fraction = choose(sorted(situation.legal, key=order.index), self.fraction)
        return card
