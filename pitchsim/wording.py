"""A rule set in plain sentences, as one would explain it at the table."""

from collections.abc import Iterator
from dataclasses import dataclass

from pitchsim.errors import listed
from pitchsim.rules import PARTNERSHIP_COUNTS, SMUDGE, Rules, Seating

_NUMBERS = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)


@dataclass(frozen=True)
class Section:
    """One part of the rules: its heading and its sentences."""

    heading: str
    sentences: tuple[str, ...]


def explain(rules: Rules) -> tuple[Section, ...]:
    """Explain a rule set under the headings Deal, Auction, Play, Points and Score."""
    parts = (
        ("Deal", _deal),
        ("Auction", _auction),
        ("Play", _play),
        ("Points", _points),
        ("Score", _score),
    )
    return tuple(Section(heading, tuple(sentences(rules))) for heading, sentences in parts)


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def counted(count: int, noun: str) -> str:
    """Write a number of things in figures: `1 point`, `2,000 deals`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def manner(seating: Seating) -> str:
    """Say how many play, and how."""
    return f"{seating.players} players " + ("in two sides" if seating.partners else "each alone")


def side_name(seating: Seating, side: int) -> str:
    """Name a side: by its seats, or as the seat that it is."""
    seats = seating.seats_of(side)
    return f"seats {listed(seats, 'and')}" if len(seats) > 1 else f"seat {side}"


def _number_of(count: int, noun: str) -> str:
    return f"{_number(count)} {noun}" + ("" if count == 1 else "s")


def _capital(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]


def _side(rules: Rules) -> str:
    return "side" if rules.partners else "player"


def _pitcher(rules: Rules) -> str:
    return "the pitcher's side" if rules.partners else "the pitcher"


def count_range(counts: frozenset[int]) -> str:
    """Write a set of player counts in words: `two to seven`, `three or four`."""
    low, high = min(counts), max(counts)
    if len(counts) > 2 and len(counts) == high - low + 1:
        return f"{_number(low)} to {_number(high)}"
    return listed(_number(count) for count in sorted(counts))


def _deal(rules: Rules) -> Iterator[str]:
    usual = _number(rules.default_players)
    together = rules.seating().partners
    manner = "in two sides, partners sitting alternately" if together else "each alone"
    comma = "" if together else ","
    if len(rules.players) == 1:
        yield f"{_capital(usual)} play, {manner}."
    else:
        yield f"{_capital(count_range(rules.players))} play, usually {usual}{comma} {manner}."
        if together and rules.players - PARTNERSHIP_COUNTS:
            yield (
                "Other numbers play alone; six may also be three against three."
                if (6 in rules.players and rules.default_players == 4)
                else "Other numbers play alone."
            )
    jokers = {0: "", 1: " and one joker", 2: " and two jokers"}[rules.jokers]
    dealt = rules.hand_size * rules.default_players
    yield (
        f"Each is dealt six of the 52 cards{jokers}: with {usual}, {dealt} of "
        f"{52 + rules.jokers} cards are in play and the rest stay in the stock."
    )


def _auction(rules: Rules) -> Iterator[str]:
    numbers = [bid for bid in rules.bids if bid != SMUDGE]
    span = [f"{numbers[0]} to {numbers[-1]}"] if len(numbers) > 2 else numbers
    bids = listed([*span, SMUDGE] if rules.smudge != "none" else span, "and")
    yield (
        "From the dealer's left each player speaks once: pass, or bid more than the last bid. "
        f"The bids are {bids}."
    )
    yield from _smudge_bid(rules)
    if rules.forced_bid is not None:
        yield f"If all the others pass, the dealer must bid at least {rules.forced_bid}."
    else:
        yield "If everybody passes, the hand is thrown in."
    if rules.dealer_steals == "any":
        yield "The dealer, who speaks last, may take the hand by equalling the highest bid."
    elif rules.dealer_steals == "below_max":
        highest = "a smudge" if rules.bids[-1] == SMUDGE else f"a bid of {rules.bids[-1]}"
        yield (
            "The dealer, who speaks last, may take the hand by equalling the highest bid, "
            f"but not {highest}."
        )


def _smudge_bid(rules: Rules) -> Iterator[str]:
    worth = rules.bid_value(SMUDGE)
    if rules.smudge == "all_points":
        yield (
            f"A smudge is the bid of all {_number(rules.total)} points, and {rules.total} is "
            "another name for it: every point must have been dealt, and taken."
        )
    elif rules.smudge == "all_tricks":
        yield f"A smudge promises all six tricks and counts {worth}."
    elif rules.smudge == "both":
        yield (
            f"A smudge promises all six tricks and all {_number(rules.total)} points, which must "
            f"have been dealt; it counts {worth}."
        )


def _play(rules: Rules) -> Iterator[str]:
    if rules.trump_choice == "pitched":
        yield "The highest bidder, the pitcher, leads first, and the suit of that card is trump."
        if rules.jokers:
            yield (
                "The pitcher may lead a joker first, and then names the trump suit."
                if rules.joker_lead == "names"
                else "That first card may not be a joker while another card is held."
            )
    else:
        yield "The highest bidder, the pitcher, names the trump suit and leads any card."
    if rules.draw:
        yield (
            "Before the first lead each player, from the dealer's left, throws away all cards "
            "that are not trump and draws back to six, as far as the stock lasts."
        )
    yield "When trump is led, play a trump if you hold one."
    yield "When another suit is led and you hold it, follow suit or play a trump, as you like."
    yield (
        "When you are void in the suit led, play a trump if you hold one, otherwise any card."
        if rules.void_play == "must_trump"
        else "When you are void in the suit led, play any card."
    )
    yield f"Trumps rank {_trump_order(rules)}; in the other suits the ace is high."
    yield from _odd_trumps(rules)
    yield "The highest trump wins the trick, or else the highest card of the suit led."
    if rules.secondary_trump == "hearts":
        yield (
            "Hearts are a second trump suit: any heart beats any plain card, loses to any trump, "
            "and may be played wherever a trump may, except that a trump led must be followed "
            "with a trump if one is held."
        )


def _trump_order(rules: Rules) -> str:
    jokers = ("high joker", "low joker") if rules.jokers == 2 else ("joker",) * rules.jokers
    inserted = (["off-jack"] if rules.points.off_jack else []) + (
        list(jokers) if rules.joker_rank == "below_jack" else []
    )
    middle = f", {', '.join(inserted)}, " if inserted else " "
    low = "10 9 8 7 6 5, off-five, 4 3 2" if rules.points.off_five else "10 9 8 7 6 5 4 3 2"
    end = "".join(f", {joker}" for joker in jokers) if rules.joker_rank == "lowest" else ""
    return f"A K Q J{middle}{low}{end}"


def _odd_trumps(rules: Rules) -> Iterator[str]:
    odd = [
        name
        for name, worth in (("jack", rules.points.off_jack), ("five", rules.points.off_five))
        if worth
    ]
    for name in odd:
        yield (
            f"The off-{name} is the {name} of the other suit of the trump's colour; it belongs to "
            "the trump suit and no longer to the suit it bears."
        )


def _points(rules: Rules) -> Iterator[str]:
    yield f"{_capital(_number_of(rules.total, 'point'))} in all:"
    points = rules.points
    low = "lowest trump in play"
    if rules.jokers and rules.low_card == "lowest_natural":
        low += ", jokers apart"
    tie = f"{_pitcher(rules)} if among them" if rules.game_tie == "pitcher" else "nobody"
    joker = "each joker" if rules.jokers == 2 else "the joker"
    won = "to the winner of the trick with"
    sentences = (
        (points.high, "High", "to the holder of the highest trump in play"),
        (
            points.low,
            "Low",
            f"to the player dealt the {low}" if rules.low_to == "holder" else f"{won} the {low}",
        ),
        (points.jack, "Jack", f"{won} the jack of trumps"),
        (points.off_jack, "Off-jack", f"{won} the off-jack"),
        (points.joker, "Joker", f"{won} {joker}"),
        (points.trump_three, "Trump three", f"{won} the three of trumps"),
        (points.trump_five, "Trump five", f"{won} the five of trumps"),
        (points.off_five, "Off-five", f"{won} the off-five"),
        (points.ace_of_hearts, "Ace of hearts", f"{won} that card, whatever is trump"),
        (points.game, "Game", f"to the most card points in tricks won; of equals, to {tie}"),
    )
    for worth, name, whose in sentences:
        if worth:
            yield f"{name}, {worth}: {whose}."
    if points.game:
        yield "Card points: ace 4, king 3, queen 2, jack 1, ten 10."


def _score(rules: Rules) -> Iterator[str]:
    side = _side(rules)
    yield (
        f"{_capital(_pitcher(rules))} scores all it took if that reaches the bid; "
        "otherwise it scores nothing and the bid is taken off."
    )
    yield from _smudge_score(rules)
    others = "The other side scores" if rules.partners else "The others score"
    yield f"{others} what they took." if rules.defenders_score else f"{others} nothing."
    yield from _finish(rules, side)
    if rules.countdown:
        yield f"Scores are shown from {rules.target} down to 0."


def _smudge_score(rules: Rules) -> Iterator[str]:
    if rules.smudge == "none":
        return
    worth = rules.bid_value(SMUDGE)
    scored = rules.total if rules.smudge == "all_points" else worth
    made = {
        "score": f"A smudge that is made scores {scored}",
        "double": f"A smudge that is made scores double, {2 * scored}",
        "wins_game": "A smudge that is made wins the game on the spot",
    }[rules.smudge_success]
    failed = {
        "bid": f"one that fails costs {worth}",
        "loses_game": f"one that fails costs {worth} and loses the game on the spot",
    }[rules.smudge_failure]
    yield f"{made}; {failed}."


def _finish(rules: Rules, side: str) -> Iterator[str]:
    target = rules.target
    if rules.finish == "pitcher_first":
        yield (
            f"The first {side} with {target} wins. If several get there in one hand, the pitcher "
            "is counted first; among others the higher score wins, and a tie takes another hand."
        )
    elif rules.finish == "as_pitcher":
        yield (
            f"A {side} wins with {target} or more at the end of a hand that it pitched, whether or "
            "not it made the bid; any other plays on."
        )
    else:
        yield (
            f"A {side} wins with {target} or more at the end of a hand that it pitched and made; "
            "any other plays on."
        )
