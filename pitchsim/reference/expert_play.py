"""Expert play: a player who imagines how the unseen cards may lie, and plays what does best.

At each turn with more than one legal card the player deals some *worlds*: deals that fit what it
knows (see :mod:`pitchsim.reference.worlds`). In each of them it tries every legal card: the hand is
taken up to where it stands, the card is played, and then everybody, the player too, plays on by
the rules of thumb (see :mod:`pitchsim.reference.basic_play`) to the end.

What a world brings is the *gain* of the pitcher's side when the hand is scored at the bid: the
change of its score (the points that it took if it made the bid; if not, minus the bid) less the
change of another side's score, summed over the other sides. Where the others' points do not score,
only the first counts.

Each world counts by its weight times the *trust* in it, which comes of the bid. A hand that pitched
for so much is likely to be good for it: the trust in a world is the chance, in thousandths, with
which the pitcher's hand in it makes the bid, but at least 20 and at most 1000. The chance is a
number for a hand without cards, and a number for each card of the hand more. To the pitcher, who
knows the own hand, all worlds are trusted alike, with 1000.

The player plays the card with the greatest sum of the gains of all worlds, each times what its
world counts; on the other sides the least, all of them being against the pitcher. Of equals it
plays what the rules of thumb would play, if that is among them, then the lowest card in the order
of clubs, diamonds, spades, hearts and trumps.

In its worlds the pitcher goes on knowing what it was told of the others' cards. To everybody else
the pitcher in their worlds knows its hand only, for they have not heard what it was told.

The random words of a turn are its own: neither the cards played before nor the bid moves them. The
turns count all seats from the leader of each trick on, with or without a card left. The sums are
floating-point numbers, added up in the order of the worlds.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from pitchsim.cards import Card
from pitchsim.reference.basic_play import basic_play
from pitchsim.reference.playout import Policy, Situation, play_hand
from pitchsim.reference.random_play import engine_order
from pitchsim.reference.scoring import (
    bid_made,
    points_taken,
    score_changes,
    side_points,
    tricks_won,
)
from pitchsim.reference.stream import turn_words
from pitchsim.reference.worlds import World, deal_worlds

FULL_TRUST, LEAST_TRUST = 1000, 20


class ExpertPlay:
    """The expert players of one hand, all of them out of the words of one deal.

    Parameters
    ----------
    seed, deal : int
        The seed of the study, and the number of the deal in it.
    worlds : int
        How many worlds a player deals at each turn.
    chance : int
        The chance, in thousandths, with which a pitcher's hand without any cards makes the bid.
    chances : mapping of Card to int
        What each card of the pitcher's hand adds to it.
    """

    def __init__(
        self, seed: int, deal: int, worlds: int, chance: int, chances: Mapping[Card, int]
    ) -> None:
        self.seed = seed
        self.deal = deal
        self.worlds = worlds
        self.chance = chance
        self.chances = chances

    def __call__(self, situation: Situation) -> Card:
        """Play what does best in the worlds that fit."""
        if len(situation.legal) == 1:
            return situation.legal[0]
        words = turn_words(self.seed, self.deal, turn_of(situation))
        worlds = deal_worlds(situation, words, self.worlds)
        beliefs = [world.weight * self.trust(situation, world) for world in worlds]
        side_of = situation.seating.side_of
        ours = side_of(situation.seat) == side_of(situation.pitcher)

        def worth(card: Card) -> float:
            total = 0.0
            for belief, world in zip(beliefs, worlds, strict=True):
                total += belief * gain(situation, world, card)
            return total if ours else -total

        order = engine_order(situation.rules, situation.trump)
        by_thumb = basic_play(situation)
        others = [card for card in situation.legal if card != by_thumb]
        # Of equals max takes the first.
        return max([by_thumb, *sorted(others, key=order.index)], key=worth)

    def trust(self, situation: Situation, world: World) -> int:
        """Say how much, in thousandths, the bid lets the player trust in a world."""
        if situation.seat == situation.pitcher:
            return FULL_TRUST
        hand = world.hands[situation.pitcher]
        chance = self.chance + sum(self.chances[card] for card in hand)
        return min(max(chance, LEAST_TRUST), FULL_TRUST)


def turn_of(situation: Situation) -> int:
    """Return the number of the turn, counting all seats in every trick, from 0."""
    players = situation.seating.players
    return len(situation.tricks) * players + (situation.seat - situation.leader) % players


def gain(situation: Situation, world: World, card: Card) -> int:
    """Return what the pitcher's side gains in a world if a card is played next."""
    rules, seating, pitcher = situation.rules, situation.seating, situation.pitcher
    if situation.bid is None:
        raise ValueError("an expert plays for a bid: expected one")
    tricks = play_hand(
        rules,
        seating,
        world.hands,
        pitcher=pitcher,
        trump=situation.trump,
        first_lead=None,
        policy=after([*cards_played(situation), card], basic_play),
        pitcher_knows=situation.known,
    )
    taken = points_taken(
        rules, seating, pitcher=pitcher, trump=situation.trump, hands=world.hands, tricks=tricks
    )
    points = side_points(rules, seating, taken)
    return margin(situation, situation.bid, points, tricks_won(seating, tricks))


def margin(situation: Situation, bid: str, points: Sequence[int], tricks: Sequence[int]) -> int:
    """Return the change of the score of the pitcher's side less another's, summed over those."""
    rules, ours = situation.rules, situation.seating.side_of(situation.pitcher)
    made = bid_made(rules, bid, points[ours], tricks[ours], rules.hand_size)
    changes = score_changes(rules, ours, bid, made, points)
    return sum(changes[ours] - theirs for side, theirs in enumerate(changes) if side != ours)


def cards_played(situation: Situation) -> list[Card]:
    """Return all the cards played, in order."""
    complete = [card for trick in situation.tricks for card in trick.plays]
    return [*complete, *situation.plays]


def after(cards: Iterable[Card], policy: Policy) -> Policy:
    """Return a policy for a hand of which the first plays are given."""
    script: Iterator[Card] = iter(cards)

    def play(situation: Situation) -> Card:
        card = next(script, None)
        return policy(situation) if card is None else card

    return play
