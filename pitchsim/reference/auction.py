"""The auction: one turn each from the dealer's left, the dealer last."""

from collections.abc import Sequence

from pitchsim.errors import IllegalRecordError, RulesError, quoted
from pitchsim.rules import PASS, Rules


def bidding_order(dealer: int, players: int) -> list[int]:
    """Return the seats in the order in which they bid: from the dealer's left, the dealer last."""
    return [(dealer + turn) % players for turn in range(1, players + 1)]


def highest_bid(rules: Rules, bids: Sequence[str]) -> str | None:
    """Return the highest bid made so far, or None where everybody has passed."""
    made = [bid for bid in bids if bid != PASS]
    return max(made, key=rules.bid_rank) if made else None


def legal_bids(rules: Rules, bids: Sequence[str], players: int) -> list[str]:
    """Return what the next bidder may say, from pass and the lowest bid to the highest.

    Parameters
    ----------
    rules : Rules
        The rule set.
    bids : sequence of str
        What was said so far, from the dealer's left, each legal in its turn.
    players : int
        How many players there are: the last of them to bid is the dealer.

    Notes
    -----
    Every bid must be higher than the highest before it. The dealer, who bids last, may also
    equal it where ``dealer_steals`` allows; and where all others passed must bid at least
    ``forced_bid``, which may lie below or above what an ordinary bidder may say.
    """
    highest = highest_bid(rules, bids)
    is_dealer = len(bids) == players - 1
    if is_dealer and highest is None and rules.forced_bid is not None:
        return forced_bids(rules, rules.forced_bid)
    if highest is None:
        return [PASS, *rules.bids]
    steal = [highest] if is_dealer and dealer_may_equal(rules, highest) else []
    rank = rules.bid_rank(highest)
    return [PASS, *steal, *(bid for bid in rules.bids if rules.bid_rank(bid) > rank)]


def forced_bids(rules: Rules, least: int) -> list[str]:
    """Return what the dealer may bid when all others passed and at least `least` is forced."""
    below_the_minimum = [str(number) for number in range(least, rules.min_bid)]
    return below_the_minimum + [bid for bid in rules.bids if rules.bid_value(bid) >= least]


def dealer_may_equal(rules: Rules, highest: str) -> bool:
    """Whether the dealer may take the hand by equalling the highest bid (``dealer_steals``)."""
    if rules.dealer_steals == "below_max":
        return highest != rules.bids[-1]
    return rules.dealer_steals == "any"


def run_auction(
    rules: Rules, bids: Sequence[str], dealer: int, players: int
) -> tuple[int, str] | None:
    """Check every bid in its turn and find the pitcher.

    Returns
    -------
    tuple of int and str, or None
        The pitcher's seat and the bid, in the rule set's own words; None where everybody passed
        and the hand is thrown in.

    Raises
    ------
    IllegalRecordError
        A bid that is unknown, too low or out of turn, or too few bids.
    """
    order = bidding_order(dealer, players)
    said: list[str] = []
    for number, text in enumerate(bids):
        if number == players:
            raise IllegalRecordError(
                f"bids[{number}] ({quoted(text)}) is out of turn: each of the {players} players "
                "bids once, and all have",
                bid=number,
            )
        said.append(check_bid(rules, said, text, order))
    if len(said) < players:
        allowed = legal_bids(rules, said, players)
        raise IllegalRecordError(
            f"bids[{len(said)}] (seat {order[len(said)]}) is missing: found {len(said)} bids, "
            f"expected one from each of the {players} players; legal here: {', '.join(allowed)}",
            bid=len(said),
            seat=order[len(said)],
            legal=allowed,
        )
    highest = highest_bid(rules, said)
    if highest is None:
        return None
    # A dealer who steals has said the highest bid again, and later: the last to say it has it.
    last = max(turn for turn, bid in enumerate(said) if bid == highest)
    return order[last], highest


def check_bid(rules: Rules, said: Sequence[str], text: str, order: Sequence[int]) -> str:
    """Return the bid `text` in the rule set's own words, checked against the bids before it."""
    number, players = len(said), len(order)
    allowed = legal_bids(rules, said, players)
    try:
        bid = text if text == PASS else rules.parse_bid(text)
    except RulesError:
        bid = None
    if bid in allowed:
        return bid
    if bid is None:
        reason = "is not a bid in these rules"
    elif bid == PASS:
        reason = f"is not open to the dealer: all others passed, and {allowed[0]} is forced"
    elif (highest := highest_bid(rules, said)) is not None:
        reason = f"is too low after {highest}"
    else:
        reason = f"is too low: the lowest bid here is {next(b for b in allowed if b != PASS)}"
    raise IllegalRecordError(
        f"bids[{number}] (seat {order[number]}): {quoted(text)} {reason}; "
        f"legal: {', '.join(allowed)}",
        bid=number,
        seat=order[number],
        legal=allowed,
    )
