"""A whole hand, from its record to its score."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pitchsim.cards import Card, suit_of
from pitchsim.errors import IllegalRecordError, RulesError, quoted
from pitchsim.records import HandRecord
from pitchsim.reference.auction import forced_bids, run_auction
from pitchsim.reference.draw import hands_after_draws
from pitchsim.reference.play import legal_first_leads
from pitchsim.reference.scoring import (
    bid_made,
    card_points_won,
    game_winner,
    points_taken,
    score_changes,
    side_points,
    tricks_won,
)
from pitchsim.reference.table import Table, Trick
from pitchsim.reference.trumps import suit_of_play
from pitchsim.rules import PASS, SMUDGE, Rules


@dataclass(frozen=True)
class HandResult:
    """What came of a hand.

    Attributes
    ----------
    pitcher, bid, trump : int, str, str, or None
        Who pitched, for what bid, in which suit; all None where the hand was thrown in.
    tricks : tuple of Trick
        The tricks, in order.
    points : dict of str to int or None
        For each point that the rule set plays, the side that scored it; None: nobody.
    card_points, side_points, tricks_won : tuple of int
        For each side: card points in its tricks, points taken, tricks.
    made : bool or None
        Whether the bid was made.
    change, scores : tuple of int
        For each side: what its score moved by, and the score after the hand.
    winner : int or None
        The side that has now won the game.
    """

    pitcher: int | None
    bid: str | None
    trump: str | None
    tricks: tuple[Trick, ...]
    points: dict[str, int | None]
    card_points: tuple[int, ...]
    side_points: tuple[int, ...]
    tricks_won: tuple[int, ...]
    made: bool | None
    change: tuple[int, ...]
    scores: tuple[int, ...]
    winner: int | None

    def to_json(self) -> dict[str, Any]:
        """Return the result as a JSON object; the bid is a number, or ``smudge``."""
        return {
            "pitcher": self.pitcher,
            "bid": self.bid if self.bid in (None, SMUDGE) else int(self.bid),
            "trump": self.trump,
            "tricks": [
                {"leader": trick.leader, "plays": list(trick.plays), "winner": trick.winner}
                for trick in self.tricks
            ],
            "points": dict(self.points),
            "card_points": list(self.card_points),
            "side_points": list(self.side_points),
            "tricks_won": list(self.tricks_won),
            "made": self.made,
            "change": list(self.change),
            "scores": list(self.scores),
            "winner": self.winner,
        }


@dataclass(frozen=True)
class Replay:
    """A hand played as far as its record goes.

    Attributes
    ----------
    pitcher, bid : int and str, or None
        The outcome of the auction; None where the hand was thrown in.
    hands : tuple of tuple of Card
        What each seat held before the first lead: after the draw, where there is one.
    table : Table or None
        The play so far; None where the hand was thrown in.
    """

    pitcher: int | None
    bid: str | None
    hands: tuple[tuple[Card, ...], ...]
    table: Table | None


def replay(record: HandRecord) -> Replay:
    """Play a record through as far as it goes, checking every bid, draw and play.

    Raises
    ------
    IllegalRecordError
        At the first thing in it that breaks a rule.
    """
    auction = _auction(record)
    if auction is None:
        if record.plays:
            raise IllegalRecordError(
                f"plays[0]: {record.plays[0]} was played, but everybody passed: the hand is "
                "thrown in; expected no plays",
                play=0,
                card=record.plays[0],
            )
        return Replay(None, None, record.hands, None)
    pitcher, bid = auction
    _check_trump(record, pitcher)
    hands = _hands_to_play(record)
    table = Table(record.rules, hands, pitcher, record.trump)
    for number, card in enumerate(record.plays):
        check_play(table, number, card)
        table.play(card)
    return Replay(pitcher, bid, tuple(hands), table)


def score_hand(record: HandRecord) -> HandResult:
    """Play a complete record through and score it.

    Raises
    ------
    IllegalRecordError
        At the first thing in it that breaks a rule, or where plays are missing.
    """
    played = replay(record)
    rules, seating = record.rules, record.seating
    nothing = (0,) * seating.sides
    if played.table is None or played.pitcher is None or played.bid is None:
        no_points: dict[str, int | None] = dict.fromkeys(rules.point_values)
        return HandResult(
            pitcher=None,
            bid=None,
            trump=None,
            tricks=(),
            points=no_points,
            card_points=nothing,
            side_points=nothing,
            tricks_won=nothing,
            made=None,
            change=nothing,
            scores=record.scores,
            winner=None,
        )
    _refuse_missing_plays(played.table, len(record.plays))
    pitcher, bid, tricks = played.pitcher, played.bid, played.table.tricks
    trump = played.table.known_trump()
    ours = seating.side_of(pitcher)
    points = points_taken(
        rules, seating, pitcher=pitcher, trump=trump, hands=played.hands, tricks=tricks
    )
    taken = side_points(rules, seating, points)
    won = tricks_won(seating, tricks)
    made = bid_made(rules, bid, taken[ours], won[ours], len(tricks))
    change = score_changes(rules, ours, bid, made, taken)
    scores = [before + moved for before, moved in zip(record.scores, change, strict=True)]
    return HandResult(
        pitcher=pitcher,
        bid=bid,
        trump=trump,
        tricks=tuple(tricks),
        points=points,
        card_points=tuple(card_points_won(seating, tricks)),
        side_points=tuple(taken),
        tricks_won=tuple(won),
        made=made,
        change=tuple(change),
        scores=tuple(scores),
        winner=game_winner(rules, seating, pitcher=pitcher, bid=bid, made=made, scores=scores),
    )


def check_play(table: Table, number: int, card: Card) -> None:
    """Refuse a card that the player to move may not play, saying why and what was legal."""
    seat = table.to_move
    if seat is None:
        raise IllegalRecordError(
            f"plays[{number}]: {card} was played after the hand was over; expected {number} plays",
            play=number,
            card=card,
        )
    legal = table.legal()
    if card in legal:
        return
    where = f"plays[{number}] (trick {len(table.tricks) + 1}, seat {seat})"
    raise IllegalRecordError(
        f"{where}: {card} {_broken_rule(table, seat, card)}; legal: {' '.join(legal)}",
        play=number,
        seat=seat,
        card=card,
        legal=legal,
    )


def _broken_rule(table: Table, seat: int, card: Card) -> str:
    """Say which rule the card breaks, as the end of a sentence that begins with it."""
    if any(card in trick.plays for trick in table.tricks) or card in table.plays:
        return "was played before"
    if card not in table.hands[seat]:
        return f"is not held by seat {seat}"
    if table.is_first_lead:
        return "may not be the first lead: a joker, while another card is held"
    led, trump = table.plays[0], table.known_trump()
    suit_led = suit_of_play(table.rules, trump, led)
    if all(suit_of_play(table.rules, trump, held) != suit_led for held in table.hands[seat]):
        return f"is not trump: seat {seat} holds a trump, and is void in the suit of {led}, led"
    if suit_led == trump:
        return f"is not trump: seat {seat} holds a trump, and {led}, a trump, was led"
    return f"neither follows {led} nor is trump: seat {seat} holds a card of the suit led"


def _refuse_missing_plays(table: Table, number: int) -> None:
    seat = table.to_move
    if seat is None:
        return
    legal = table.legal()
    expected = number + sum(len(hand) for hand in table.hands)
    raise IllegalRecordError(
        f"plays[{number}] (trick {len(table.tricks) + 1}, seat {seat}) is missing: found "
        f"{number} plays, expected {expected}; legal: {' '.join(legal)}",
        play=number,
        seat=seat,
        legal=legal,
    )


def _auction(record: HandRecord) -> tuple[int, str] | None:
    """Who pitches, and for what: from the bids, or as the record says in their place."""
    if record.bids is not None:
        return run_auction(record.rules, record.bids, record.dealer, record.seating.players)
    if record.pitcher is None or record.bid is None:
        raise IllegalRecordError("the auction is missing: expected bids, or pitcher and bid")
    allowed = possible_bids(record.rules, record.pitcher == record.dealer)
    try:
        bid = record.rules.parse_bid(record.bid)
    except RulesError:
        bid = PASS
    if bid not in allowed:
        raise IllegalRecordError(
            f"bid: {quoted(record.bid)} cannot be the bid of seat {record.pitcher}; "
            f"legal: {', '.join(allowed)}",
            seat=record.pitcher,
            legal=allowed,
        )
    return record.pitcher, bid


def possible_bids(rules: Rules, is_dealer: bool) -> list[str]:
    """Every bid that can win some auction; a forced one below the minimum only the dealer's."""
    if is_dealer and rules.forced_bid is not None and rules.forced_bid < rules.min_bid:
        return forced_bids(rules, rules.forced_bid)
    return list(rules.bids)


def _check_trump(record: HandRecord, pitcher: int) -> None:
    """Refuse a hand without the trump suit that it needs, or with one that cannot be.

    Trump is named where it is declared; else it is the suit of the first card led, and a joker
    led first (``joker_lead`` names) has no suit: the pitcher names it.
    """
    trump = record.trump
    if record.rules.trump_choice == "declared":
        if trump is None:
            raise IllegalRecordError(
                "trump is missing: these rules have it declared; expected S, H, D or C"
            )
        return
    first = next(iter(record.plays), None)
    if first is None or first not in legal_first_leads(record.rules, record.hands[pitcher]):
        return  # there is nothing to contradict, or the play itself will be refused
    suit = suit_of(first)
    if suit is None and trump is None:
        raise IllegalRecordError(
            f"plays[0] (seat {pitcher}): {first} was led and makes no suit trump; expected "
            "trump to name one: S, H, D or C",
            play=0,
            seat=pitcher,
            card=first,
        )
    if suit is not None and trump not in (None, suit):
        raise IllegalRecordError(
            f"trump: {trump} contradicts the first lead: plays[0] (seat {pitcher}) is {first}, "
            f"and the suit of the first card led is trump: expected {suit}",
            play=0,
            seat=pitcher,
            card=first,
        )


def _hands_to_play(record: HandRecord) -> Sequence[tuple[Card, ...]]:
    """Return the hands that are played: after the draw, where the rule set has one."""
    if not record.rules.draw:
        if record.draws is not None:
            raise IllegalRecordError("draws: these rules have no draw; expected none")
        return record.hands
    if record.draws is None or record.trump is None:
        raise IllegalRecordError("draws are missing: these rules have a draw before the first lead")
    return hands_after_draws(record.rules, record.trump, record.dealer, record.hands, record.draws)
