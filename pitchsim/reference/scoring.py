"""What a hand is worth: who scores each point, whether the bid was made, who wins the game."""

from collections.abc import Sequence

from pitchsim.cards import HIGH_JOKER, LOW_JOKER, Card, card_points, is_joker
from pitchsim.reference.table import Trick
from pitchsim.reference.trumps import off_five, off_jack, trump_suit
from pitchsim.rules import SMUDGE, Rules, Seating


def trumps_in_play(rules: Rules, trump: str, hands: Sequence[Sequence[Card]]) -> list[Card]:
    """Return the trumps that were dealt to somebody, from the highest down."""
    return [card for card in trump_suit(rules, trump) if any(card in hand for hand in hands)]


def high_card(rules: Rules, trump: str, hands: Sequence[Sequence[Card]]) -> Card | None:
    """High: the highest trump in play."""
    return next(iter(trumps_in_play(rules, trump, hands)), None)


def low_card(rules: Rules, trump: str, hands: Sequence[Sequence[Card]]) -> Card | None:
    """Low: the lowest trump in play, or the lowest that is no joker (``low_card``)."""
    trumps = trumps_in_play(rules, trump, hands)
    if rules.low_card == "lowest_natural":
        trumps = [card for card in trumps if not is_joker(card)]
    return trumps[-1] if trumps else None


def holder(card: Card, hands: Sequence[Sequence[Card]]) -> int:
    """Return the seat that was dealt a card in play."""
    return next(seat for seat, hand in enumerate(hands) if card in hand)


def captor(card: Card, tricks: Sequence[Trick]) -> int | None:
    """Return the seat that won the trick with a card; None where no trick so far holds it."""
    return next((trick.winner for trick in tricks if card in trick.plays), None)


def card_points_won(seating: Seating, tricks: Sequence[Trick]) -> list[int]:
    """Return the card points in the tricks that each side won."""
    totals = [0] * seating.sides
    for trick in tricks:
        totals[seating.side_of(trick.winner)] += sum(map(card_points, trick.plays))
    return totals


def tricks_won(seating: Seating, tricks: Sequence[Trick]) -> list[int]:
    """How many tricks each side won."""
    sides = [seating.side_of(trick.winner) for trick in tricks]
    return [sides.count(side) for side in range(seating.sides)]


def game_side(rules: Rules, pitching_side: int, totals: Sequence[int]) -> int | None:
    """Game: the side with the most card points.

    A tie (``game_tie``): no one scores it, or the pitcher's side does if it is among the tied.
    """
    most = [side for side, total in enumerate(totals) if total == max(totals)]
    if len(most) == 1:
        return most[0]
    if rules.game_tie == "pitcher" and pitching_side in most:
        return pitching_side
    return None


def prize_cards(rules: Rules, trump: str) -> dict[str, Card]:
    """Return the cards that score for the side that wins the trick with them, by their point."""
    cards = {
        "jack": "J" + trump,
        "off_jack": off_jack(trump),
        "high_joker": HIGH_JOKER,
        "low_joker": LOW_JOKER,
        "trump_three": "3" + trump,
        "trump_five": "5" + trump,
        "off_five": off_five(trump),
        "ace_of_hearts": "AH",
    }
    return {name: card for name, card in cards.items() if name in rules.point_values}


def point_cards(
    rules: Rules, trump: str, hands: Sequence[Sequence[Card]]
) -> dict[str, Card | None]:
    """Return the card that brings each point but Game; None: it is not in play.

    A lone trump in play is High and Low, and Jack as well if it is the jack.
    """
    cards = {
        "high": high_card(rules, trump, hands),
        "low": low_card(rules, trump, hands),
        **prize_cards(rules, trump),
    }
    in_play = {card for hand in hands for card in hand}
    return {
        name: card if card in in_play else None
        for name, card in cards.items()
        if name in rules.point_values
    }


def card_takers(
    rules: Rules,
    seating: Seating,
    *,
    trump: str,
    hands: Sequence[Sequence[Card]],
    tricks: Sequence[Trick],
) -> dict[str, int | None]:
    """Return the side that scored each point but Game, as far as the hand was played.

    Every point goes to the side that won the trick with its card, only Low may go to who was
    dealt it (``low_to``). For High the two are one: the holder of the highest trump wins it. None:
    the card is not in play, or in no trick yet.

    Parameters
    ----------
    rules, seating, trump, hands
        As for :func:`points_taken`.
    tricks : sequence of Trick
        The complete tricks so far.
    """
    takers: dict[str, int | None] = {}
    for name, card in point_cards(rules, trump, hands).items():
        if card is None:
            seat = None
        elif name == "low" and rules.low_to == "holder":
            seat = holder(card, hands)
        else:
            seat = captor(card, tricks)
        takers[name] = None if seat is None else seating.side_of(seat)
    return takers


def points_taken(
    rules: Rules,
    seating: Seating,
    *,
    pitcher: int,
    trump: str,
    hands: Sequence[Sequence[Card]],
    tricks: Sequence[Trick],
) -> dict[str, int | None]:
    """Return the side that scored each point, or None: not in play, or tied.

    Parameters
    ----------
    rules, seating : Rules, Seating
        The rule set and who plays with whom.
    pitcher : int
        The pitcher's seat.
    trump : str
        The suit that is trump.
    hands : sequence of sequences of Card
        What each seat held before the first lead (after the draw, where there is one).
    tricks : sequence of Trick
        The tricks of the whole hand.
    """
    sides = card_takers(rules, seating, trump=trump, hands=hands, tricks=tricks)
    sides["game"] = game_side(rules, seating.side_of(pitcher), card_points_won(seating, tricks))
    return {name: sides[name] for name in rules.point_values}


def side_points(rules: Rules, seating: Seating, points: dict[str, int | None]) -> list[int]:
    """Return what each side took, in points."""
    values = rules.point_values
    return [
        sum(values[name] for name, taker in points.items() if taker == side)
        for side in range(seating.sides)
    ]


def bid_made(rules: Rules, bid: str, points: int, tricks: int, all_tricks: int) -> bool:
    """Whether the pitcher's side, with its points and tricks, kept what the bid promised.

    A smudge promises all the points of the rule set (all must have been dealt, too), all the
    tricks, or both; any other bid that many points.
    """
    if bid != SMUDGE:
        return points >= rules.bid_value(bid)
    has_points = points == rules.total
    has_tricks = tricks == all_tricks
    if rules.smudge == "both":
        return has_points and has_tricks
    return has_points if rules.smudge == "all_points" else has_tricks


def pitchers_change(rules: Rules, bid: str, made: bool, points: int) -> int:
    """Return what the score of the pitcher's side moves by.

    All it took if the bid was made, otherwise the bid is lost. A made smudge of all the tricks (or
    both) scores its value instead of what was taken; ``smudge_success`` double doubles what is
    scored.
    """
    if not made:
        return -rules.bid_value(bid)
    if bid != SMUDGE:
        return points
    scored = points if rules.smudge == "all_points" else rules.bid_value(bid)
    return 2 * scored if rules.smudge_success == "double" else scored


def score_changes(
    rules: Rules, pitching_side: int, bid: str, made: bool, taken: Sequence[int]
) -> list[int]:
    """Return what each side's score moves by: the others score what they took, or never score."""
    changes = [points if rules.defenders_score else 0 for points in taken]
    changes[pitching_side] = pitchers_change(rules, bid, made, taken[pitching_side])
    return changes


def clockwise_sides(seating: Seating, pitcher: int) -> list[int]:
    """Return the other sides in the order in which they sit, clockwise from the pitcher."""
    sides: list[int] = []
    for turn in range(1, seating.players):
        side = seating.side_of((pitcher + turn) % seating.players)
        if side not in (*sides, seating.side_of(pitcher)):
            sides.append(side)
    return sides


def game_winner(
    rules: Rules, seating: Seating, *, pitcher: int, bid: str, made: bool, scores: Sequence[int]
) -> int | None:
    """Return the side that has now won the game, or None.

    Parameters
    ----------
    rules, seating, pitcher, bid, made
        The hand: its rules, players, pitcher, bid and whether that was made.
    scores : sequence of int
        Each side's score after the hand.
    """
    ours = seating.side_of(pitcher)
    if bid == SMUDGE and made and rules.smudge_success == "wins_game":
        return ours
    if bid == SMUDGE and not made and rules.smudge_failure == "loses_game":
        # max takes the first of equals: the first one clockwise from the pitcher.
        return max(clockwise_sides(seating, pitcher), key=lambda side: scores[side])
    if scores[ours] >= rules.target:
        return ours if made or rules.finish != "made_bid" else None
    if rules.finish == "pitcher_first":
        return first_past_the_target(rules, scores)
    return None


def first_past_the_target(rules: Rules, scores: Sequence[int]) -> int | None:
    """Of the sides at the target the one with the higher score; a tie needs another hand."""
    best = max(scores)
    return scores.index(best) if best >= rules.target and scores.count(best) == 1 else None
