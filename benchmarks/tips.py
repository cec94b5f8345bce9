"""What the tables say of the usual tips: every number of reports/BIDDING.md, in its order.

    python -m benchmarks.tips HOLDINGS HANDS

HOLDINGS is a table of `partners` by holding, HANDS one by hand (`pitchsim table --by hand`), both
of `basic` play. What a mistake costs is the margin of the chart's choice less that of the tip's, at
the same bid, on the deals of the table by hand; a pass is worth 0. Some numbers are taken from
hands that are played here, by other policies too, or card by card.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable

import numpy as np

from benchmarks.tipdata import (
    BIDS,
    FOUR,
    ONE,
    PASS,
    PATTERNS,
    SMUDGE,
    THREE,
    TWO,
    Chart,
    Estimate,
    Floats,
    Hands,
    Ints,
    Mask,
    has,
    patterns_of,
    ways,
)
from benchmarks.tipplay import (
    PLAYED,
    POLICIES,
    SEED,
    ByPlay,
    Hand,
    Played,
    by_policy,
    play_out,
    points_by_policy,
    random_hands,
    share,
    some_pitches,
    suits_held,
)
from pitchsim.analysis import Analysis
from pitchsim.cards import RANKS, Card, format_hand
from pitchsim.engine import HAND_SIZE
from pitchsim.evaluating import make_study
from pitchsim.presets import load_preset
from pitchsim.reference.scoring import low_card
from pitchsim.simulation import Simulation
from pitchsim.study import Option, seed_for
from pitchsim.warmup import warm_up

LOOKS, LOOK_DEALS = 3_000, 4_000  # hands of which every lead is played twice, and deals of each
POINTS = list(load_preset("partners").point_values)
TRUMPS = range(1, HAND_SIZE + 1)
CHART = np.arange(PATTERNS)
N = np.bitwise_count(CHART).astype(np.int64)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tips", description=__doc__)
    parser.add_argument("holdings", metavar="HOLDINGS", help="a table of partners by holding")
    parser.add_argument("hands", metavar="HANDS", help="a table of partners by hand")
    arguments = parser.parse_args()
    chart = Chart.read(arguments.holdings)
    hands = Hands.read(arguments.hands, chart)
    for play in POLICIES:
        warm_up(play)
    print(chart.about, hands.about, sep="\n")
    played = {play: list(play_out(chart, play, number)) for play, number in PLAYED.items()}
    for title, tip in TIPS.items():
        print(f"\n== {title}", flush=True)
        tip(chart, hands, played)


# What every tip is asked


def chart_pitches(hands: Hands, chart: Chart, bid: int) -> Ints:
    """Say which suit of each hand the chart pitches when the bid is asked for; PASS for none."""
    margin = chart.margin[hands.pattern, bid]
    return hands.best_suit(np.where(margin > 0, margin, -np.inf))


def rule_pitches(hands: Hands, chart: Chart, bid: int, allowed: Mask) -> Ints:
    """Let a rule choose among the patterns that it allows: the suit that the chart likes best."""
    margin = chart.margin[hands.pattern, bid]
    return hands.best_suit(np.where(allowed[hands.pattern], margin, -np.inf))


def print_cost(hands: Hands, chart: Chart, bid: int, rule: Ints) -> None:
    """Print what a rule loses against the chart, and on which hands."""
    charted = chart_pitches(hands, chart, bid)
    bids = 100 * hands.share(rule != PASS)
    print(f"  asked for {BIDS[bid]}: the rule bids {bids:.1f} % of hands")
    for name, where in {
        "passes what gains": (rule == PASS) & (charted != PASS),
        "bids what loses": (rule != PASS) & (charted == PASS),
        "another suit": (rule != PASS) & (charted != PASS) & (rule != charted),
        "together": rule != charted,
    }.items():
        if where.any():
            each = _difference(hands, bid, charted, rule, where)
            share = hands.share(where)
            print(
                f"    {name:<18} {100 * share:5.1f} % of hands, costs {each} a hand, "
                f"{each.value * share:.3f} ±{each.half * share:.3f} over all hands"
            )


def _difference(hands: Hands, bid: int, one: Ints, other: Ints, where: Mask) -> Estimate:
    """Estimate how much more one choice of suits brings than another."""

    def take(values: Floats, suits: Ints) -> Floats:
        return np.where(suits == PASS, 0.0, values[suits, bid])

    values = take(hands.worth.margin, one) - take(hands.worth.margin, other)
    noise = take(hands.worth.margin_noise, one) + take(hands.worth.margin_noise, other)
    return hands.mean(values, where, noise)


def make_of(hands: Hands, bid: int, suits: Ints, where: Mask) -> Estimate:
    """Estimate how often some hands make a bid with the suits chosen."""
    make = hands.worth.make[suits, bid]
    return hands.mean(make, where, make * (1 - make) / hands.deals)


def margin_of(hands: Hands, bid: int, suits: Ints, where: Mask) -> Estimate:
    """Estimate the margin of some hands at a bid with the suits chosen."""
    return hands.mean(hands.worth.margin[suits, bid], where, hands.worth.margin_noise[suits, bid])


def point_of(chart: Chart, point: str, where: Mask, bid: int = TWO) -> Estimate:
    """Estimate how often a point is scored with such trumps, whatever else is held."""
    where = where & (ways(CHART) > 0)
    chance = chart.best(bid).points[where, POINTS.index(point)]
    return Estimate.weighted(chance, chance * (1 - chance) / chart.deals, ways(CHART[where]))


def margin_with(chart: Chart, bid: int, where: Mask) -> Estimate:
    """Estimate the margin at a bid with such trumps, whatever else is held."""
    best, where = chart.best(bid), where & (ways(CHART) > 0)
    return Estimate.weighted(
        best.margin[where, bid], best.margin_noise[where, bid], ways(CHART[where])
    )


# The tips


def overall(chart: Chart, hands: Hands, played: ByPlay) -> None:  # noqa: ARG001
    """Print how many hands gain at each bid."""
    for bid, name in enumerate(BIDS):
        suits = chart_pitches(hands, chart, bid)
        where = suits != PASS
        if where.any():
            print(
                f"  {name}: gains with {100 * hands.share(where):.1f} % of hands, which make it "
                f"{make_of(hands, bid, suits, where).percent}, margin "
                f"{margin_of(hands, bid, suits, where)}"
            )


def two_sure_points(chart: Chart, hands: Hands, played: ByPlay) -> None:  # noqa: ARG001
    """Compare with two rules: one strict, and one that also expects Game or Low."""
    strict = has(CHART, "AJ")
    lenient = has(CHART, "AJ") | has(CHART, "A2") | has(CHART, "A") & (N >= 3)
    for name, allowed in (("ace and jack", strict), ("or ace and 2, or ace and two more", lenient)):
        print(f"  {name}:")
        print_cost(hands, chart, TWO, rule_pitches(hands, chart, TWO, allowed))
    rule = rule_pitches(hands, chart, TWO, lenient)
    charted = chart_pitches(hands, chart, TWO)
    passed = (rule == PASS) & (charted != PASS)
    print(f"  hands passed make 2 {make_of(hands, TWO, charted, passed).percent}")
    for name, kind in {
        "ace alone": has(CHART, "A") & (N == 1),
        "ace and one more": has(CHART, "A") & (N == 2),
        "king and one more": _top("K", 2),
        "king and two more": _top("K", 3),
        "queen and two more": _top("Q", 3),
        "jack and two more": _top("J", 3),
        "king and three more": _top("K", 4),
        "queen and three more": _top("Q", 4),
        "lower, four": ~_any("AKQ") & (N == 4),
    }.items():
        print(f"    {name:<22} at 2: margin {margin_with(chart, TWO, kind)}")
    print("  400 hands that the lenient rule passes and the chart bids:")

    def fits(hand: Hand, option: Option, margin: float) -> bool:  # noqa: ARG001
        return margin > 0 and not any(lenient[pattern] for pattern in patterns_of(hand).values())

    by_policy(some_pitches("two sure points", chart, TWO, fits), TWO)


def _top(rank: str, many: int) -> Mask:
    """Say which patterns have this as their highest, and so many cards."""
    place = RANKS.index(rank)
    return np.asarray((CHART >> place == 1) & (many == N))


def _any(ranks: str) -> Mask:
    return np.asarray(np.any([has(CHART, rank) for rank in ranks], axis=0))


def counting_points(chart: Chart, hands: Hands, played: ByPlay) -> None:  # noqa: ARG001
    """Count what looks sure, as the tips have it, and what may come, as hope has it."""
    jack = np.where(has(CHART, "A") | (N >= 3), 1.0, 0.5) * has(CHART, "J")
    game = _any("AT") & (N >= 3)
    print("  sure: ace 1, 2 1, jack 1 with ace or two more or else a half, ")
    print("  Game 1 with ace or ten and two more")
    _count(chart, hands, _total(has(CHART, "A"), has(CHART, "2"), jack, game))
    print("  hoped: ace or king 1, jack 1, 2 or 3 1, ten 1")
    hoped = _total(_any("AK"), has(CHART, "J"), _any("23"), has(CHART, "T"))
    _count(chart, hands, hoped)


def _total(*counts: Floats | Mask) -> Floats:
    return np.asarray(np.sum(counts, axis=0), np.float64)


def _count(chart: Chart, hands: Hands, count: Floats) -> None:
    """Bid as many as are counted in the best suit; of equal counts the chart's choice."""
    tie = chart.margin[hands.pattern, TWO] / 1000
    suits = hands.best_suit(count[hands.pattern] + tie)
    counted = count[hands.pattern[suits]]
    taken = hands.worth.taken[suits]
    for points in np.unique(counted):
        where = counted == points
        bid = max(TWO, BIDS.index(str(int(points)))) if points >= 1 else TWO
        print(
            f"  counts {points}: {100 * hands.share(where):.1f} % of hands, take "
            f"{hands.mean(taken, where).value:.2f} points; make {BIDS[bid]} "
            f"{make_of(hands, bid, suits, where).percent}, margin "
            f"{margin_of(hands, bid, suits, where)}"
        )
    for bid in (TWO, THREE, FOUR):
        print_cost(hands, chart, bid, np.where(counted >= int(BIDS[bid]), suits, PASS))


def four_needs_five(chart: Chart, hands: Hands, played: ByPlay) -> None:  # noqa: ARG001
    """Compare with that rule, and with bidding one more than the chart."""
    limit = np.zeros(len(hands.cards), np.int64)
    for bid in (TWO, THREE, FOUR, SMUDGE):
        limit = np.where(chart_pitches(hands, chart, bid) != PASS, bid, limit)
    for bid in (0, TWO, THREE, FOUR, SMUDGE):
        name = BIDS[bid] if bid else "nothing"
        print(f"  worth {name} and no more: {100 * hands.share(limit == bid):.2f} % of hands")
    middle = np.sum([has(CHART, rank) for rank in "KQ98765"], axis=0)
    tip = has(CHART, "AJT") & (middle >= 2)
    by_tip = rule_pitches(hands, chart, FOUR, tip)
    print(f"  hands with such a suit: {100 * hands.share(by_tip != PASS):.4f} %")
    print_cost(hands, chart, FOUR, by_tip)
    for bid in (THREE, FOUR):
        one_more = chart_pitches(hands, chart, bid - 1)
        print(f"  bidding {BIDS[bid]} on whatever is worth {BIDS[bid - 1]}:")
        print_cost(hands, chart, bid, one_more)
    print("  never 3:")
    print_cost(hands, chart, THREE, np.full(len(hands.cards), PASS))
    print("  never 4:")
    print_cost(hands, chart, FOUR, np.full(len(hands.cards), PASS))
    charted = chart_pitches(hands, chart, FOUR)
    pattern = hands.pattern[charted]
    for name, kind in {
        "ace and jack": has(pattern, "AJ"),
        "ace, no jack": has(pattern, "A") & ~has(pattern, "J"),
        "jack, no ace": has(pattern, "J") & ~has(pattern, "A"),
        "neither": ~has(pattern, "A") & ~has(pattern, "J"),
    }.items():
        where = (charted != PASS) & kind
        if where.any():
            print(
                f"    worth 4, {name:<13} {100 * hands.share(where):.2f} % of hands, made "
                f"{make_of(hands, FOUR, charted, where).percent}, margin "
                f"{margin_of(hands, FOUR, charted, where)}"
            )
    ten = (charted != PASS) & has(pattern, "T")
    print(f"    worth 4 with the ten: {100 * hands.share(ten):.2f} % of hands")
    for count in TRUMPS:
        where = (charted != PASS) & (np.bitwise_count(pattern) == count)
        if where.any():
            print(f"    worth 4 with {count} trumps: {100 * hands.share(where):.2f} % of hands")
    for bid in (THREE, FOUR):

        def fits(hand: Hand, option: Option, margin: float) -> bool:  # noqa: ARG001
            return margin > 0

        by_policy(some_pitches(f"a bid of {BIDS[bid]}", chart, bid, fits), bid)


def jack_without_ace(chart: Chart, hands: Hands, played: ByPlay) -> None:  # noqa: ARG001
    """Measure how often it is scored, and how uncertain each point is."""
    suits = chart_pitches(hands, chart, TWO)
    where = suits != PASS
    for place, name in enumerate(POINTS):
        chance = hands.worth.points[suits, place]
        spread = hands.mean(chance * (1 - chance), where).value
        mean = hands.mean(chance, where, chance * (1 - chance) / hands.deals)
        print(
            f"  {name}: scored {mean.percent} of hands worth 2, uncertain by "
            f"{np.sqrt(spread * hands.deals / (hands.deals - 1)):.3f} points"
        )
    for count in TRUMPS:
        for name, kind in {
            "with the ace": has(CHART, "AJ"),
            "without": _no("A", "J"),
            "with the king, no ace": _no("A", "KJ"),
            "highest": _no("AKQ", "J"),
        }.items():
            held = kind & (count == N)
            if held.any():
                print(f"    {count} trumps, jack {name}: {point_of(chart, 'jack', held).percent}")
    for count in (2, 3):
        pitches = suits_held(f"a jack and {count}", chart, _no("A", "J") & (count == N))
        print(f"    400 hands, jack in {count}, no ace: {points_by_policy(pitches, 'jack')}")
    missing = ~has(CHART, "J")
    print(f"  taken without holding it: {point_of(chart, 'jack', missing).percent}")
    print("  never pitching a suit with the jack and without the ace:")
    with_ace = _gains(chart, TWO) & ~_no("A", "J")
    print_cost(hands, chart, TWO, rule_pitches(hands, chart, TWO, with_ace))


def _no(without: str, having: str) -> Mask:
    """Say which patterns have some ranks, and none of others."""
    return has(CHART, having) & ~_any(without)


def _gains(chart: Chart, bid: int) -> Mask:
    return np.asarray(chart.margin[:, bid] > 0)


def highest_trump(chart: Chart, hands: Hands, played: ByPlay) -> None:  # noqa: ARG001
    """Compare leads of the same hand."""
    pitched = chart_pitches(hands, chart, TWO)
    mine = np.isin(hands.suit, pitched[pitched != PASS])
    suit, rank = hands.suit[mine], hands.rank[mine]
    margin, noise = hands.margin[mine], hands.noise[mine]
    weight = hands.weight[hands.hand[suit]]
    pattern = hands.pattern[suit]
    count = np.bitwise_count(pattern)
    higher = np.bitwise_count(pattern >> rank + 1)
    best = chart.lead[pattern, TWO]
    several = count >= 2
    top = several & (higher == 0)
    print(
        "  hands worth 2 with two trumps or more: "
        f"{100 * weight[top].sum() / hands.weight.sum():.1f} %"
    )

    def cost(of: Mask) -> str:
        """Compare the highest trump with another lead of the same hands, marked."""
        suits = suit[of]
        tops = np.flatnonzero(top)[np.searchsorted(suit[top], suits)]
        each = Estimate.weighted(margin[tops] - margin[of], noise[tops] + noise[of], weight[of])
        part = weight[of].sum() / hands.weight.sum()
        return (
            f"{each} a hand, {100 * weight[of].sum() / weight[top].sum():.1f} % of these, "
            f"{each.value * part:+.3f} over all hands"
        )

    print(f"  second highest instead costs {cost(several & (higher == 1))}")
    middling = (count >= 3) & (higher == count // 2)
    print(f"  a middle one of three or more costs {cost(middling)}")
    print(f"  lowest instead costs {cost(several & (higher == count - 1))}")
    for top_rank in "AKQJT":
        first = np.asarray(pattern >> RANKS.index(top_rank) == 1)
        lowest = several & first & (higher == count - 1)
        print(f"    lowest instead, {top_rank} the highest: {cost(lowest)}")
        print(f"    a middle one, {top_rank} the highest: {cost(middling & first)}")
    another = several & (rank == best) & (higher > 0)
    print(f"  chart leads another, the highest then costs the negative of {cost(another)}")
    for top_rank in "AKQJT9":
        first = np.asarray(pattern >> RANKS.index(top_rank) == 1)
        if (another & first).any():
            print(f"    {top_rank} the highest: {cost(another & first)}")
            most = [
                (RANKS[place], round(float(weight[another & first & (rank == place)].sum())))
                for place in range(len(RANKS))
            ]
            print("     ", sorted(most, key=lambda found: -found[1])[:4])

    def leads_another(hand: Hand, option: Option, margin: float) -> bool:
        return margin > 0 and option.lead != _highest(hand, option.trump)

    def leads_highest(hand: Hand, option: Option, margin: float) -> bool:
        trumps = sum(card[1] == option.trump for card in hand)
        return margin > 0 and option.lead == _highest(hand, option.trump) and trumps >= 3

    print("  400 hands of which the chart leads another; the other lead is the highest:")
    pitches = some_pitches("another lead", chart, TWO, leads_another)
    by_policy(pitches, TWO, [_highest(pitch.hand, pitch.option.trump) for pitch in pitches])
    print("  400 hands of three trumps or more that lead the highest; the other is a middle one:")
    pitches = some_pitches("the highest lead", chart, TWO, leads_highest)
    by_policy(pitches, TWO, [_middle(pitch.hand, pitch.option.trump) for pitch in pitches])


def _suit(hand: Iterable[Card], trump: str) -> list[Card]:
    """Give the cards of a suit from the highest down."""
    return sorted((c for c in hand if c[1] == trump), key=lambda c: -RANKS.index(c[0]))


def _highest(hand: Iterable[Card], trump: str) -> Card:
    return _suit(hand, trump)[0]


def _middle(hand: Iterable[Card], trump: str) -> Card:
    cards = _suit(hand, trump)
    return cards[len(cards) // 2]


def one_is_safe(chart: Chart, hands: Hands, played: ByPlay) -> None:  # noqa: ARG001
    """Bid 1 on every hand."""
    everyone = np.ones(len(hands.cards), bool)
    suits = hands.best_suit(chart.margin[hands.pattern, ONE])
    expected = chart.margin[hands.pattern[suits], ONE]
    chance = chart.best(ONE).make[hands.pattern[suits], ONE]
    print(f"  any hand's best suit takes a point: {make_of(hands, ONE, suits, everyone).percent}")
    print(f"  margin at 1 of all hands: {margin_of(hands, ONE, suits, everyone)}")
    for limit in (0.8, 0.9, 0.95):
        print(f"  below {limit}: {100 * hands.share(chance < limit):.1f} % of hands")
    loses = expected <= 0
    print(
        f"  loses: {100 * hands.share(loses):.1f} % of hands, which make it "
        f"{make_of(hands, ONE, suits, loses).percent}"
    )
    for rank in "AKQJT98765432":
        highest = loses & (hands.pattern[suits] >> RANKS.index(rank) == 1)
        if highest.any():
            lengths = np.bitwise_count(hands.pattern[suits])
            parts = [f"{n}: {100 * hands.share(highest & (lengths == n)):.2f} %" for n in TRUMPS]
            print(f"    its best suit headed by {rank}, by length: {', '.join(parts)}")
    print_cost(hands, chart, ONE, suits)

    def fits(hand: Hand, option: Option, margin: float) -> bool:  # noqa: ARG001
        return margin <= 0

    by_policy(some_pitches("a bid of 1", chart, ONE, fits), ONE)


def half_a_jack(chart: Chart, hands: Hands, played: ByPlay) -> None:  # noqa: ARG001
    """Measure it, and compare with bidding by it."""
    for count in (1, 2):
        thin = has(CHART, "J") & (count == N)
        print(f"  {count} trumps with jack: {point_of(chart, 'jack', thin).percent}")
    for other in "AKQT98765432":
        kind = np.asarray((1 << RANKS.index("J") | 1 << RANKS.index(other)) == CHART)
        print(
            f"    J {other}: jack {point_of(chart, 'jack', kind).percent}, at 2 margin "
            f"{margin_with(chart, TWO, kind)}"
        )
    thin = has(CHART, "J") & (N <= 2)
    print("  so never bidding 2 on such a suit (1 for the ace and a half at most):")
    print_cost(hands, chart, TWO, rule_pitches(hands, chart, TWO, _gains(chart, TWO) & ~thin))
    print("  and bidding 2 on any of them, where the chart has nothing better:")
    print_cost(hands, chart, TWO, rule_pitches(hands, chart, TWO, _gains(chart, TWO) | thin))


def sure_low(chart: Chart, hands: Hands, played: ByPlay) -> None:  # noqa: ARG001
    """Measure how often these are scored."""
    print(f"  High with the ace: {point_of(chart, 'high', has(CHART, 'A')).percent}")
    print(f"  High with king, no ace: {point_of(chart, 'high', _no('A', 'K')).percent}")
    print(f"  High with queen, no higher: {point_of(chart, 'high', _no('AK', 'Q')).percent}")
    for count in TRUMPS:
        parts = [
            f"{name} {point_of(chart, 'low', kind & (count == N)).percent}"
            for name, kind in {
                "with 2 and ace": has(CHART, "2A"),
                "2 without ace": _no("A", "2"),
                "3, no 2": _no("2", "3"),
                "ace, no 2 to 4": _no("234", "A"),
            }.items()
            if (kind & (count == N)).any()
        ]
        print(f"    {count} trumps: {', '.join(parts)}")
    print("  bidding 2 on the 2 and a king, queen or jack, as two likely points:")
    likely = has(CHART, "2") & _any("KQJ")
    print_cost(hands, chart, TWO, rule_pitches(hands, chart, TWO, _gains(chart, TWO) | likely))
    for count in (2, 3):
        kind = _no("A", "2") & (count == N)
        pitches = suits_held(f"the 2 and {count}", chart, kind)
        print(f"    400 hands, 2 in {count} trumps, no ace: {points_by_policy(pitches, 'low')}")
    for name, kind in {
        "2 alone": CHART == 1,
        "2 and one more, no ace": _no("A", "2") & (N == 2),
        "king and 2": (1 | 1 << RANKS.index("K")) == CHART,
        "2 and two more, no ace": _no("A", "2") & (N == 3),
        "ace and 2": (1 | 1 << RANKS.index("A")) == CHART,
    }.items():
        print(f"    {name:<24} at 2: margin {margin_with(chart, TWO, np.asarray(kind))}")


def tens_and_game(chart: Chart, hands: Hands, played: ByPlay) -> None:
    """Look who won tens, and Game."""
    for play, deals in played.items():
        print(f"  {play}")
        print(f"    Game goes to the pitcher's side: {share(d.points['game'] == 0 for d in deals)}")
        for side, name in ((0, "the pitcher's side"), (1, "the others")):
            taken = [deal for deal in deals if deal.ace_took_ten(side)]
            print(f"    an ace of {name} takes a ten: {share(d.ace_took_ten(side) for d in deals)}")
            print(f"      Game then {share(d.points['game'] == side for d in taken)}")
            for tens, other in {"no ten": False, "a ten": True}.items():
                kind = [deal for deal in taken if (deal.tens(1 - side) > 0) == other]
                won = share(deal.points["game"] == side for deal in kind)
                print(f"        the other side takes {tens}: {won}")
        more = [deal for deal in deals if deal.tens(0) != deal.tens(1)]
        wins = [d.points["game"] == (0 if d.tens(0) > d.tens(1) else 1) for d in more]
        print(f"    one side has more tens: {share(d.tens(0) != d.tens(1) for d in deals)}")
        print(f"      and wins Game {share(wins)}")
        none = share(deal.tens(0) + deal.tens(1) == 0 for deal in deals)
        print(f"    no ten in play: {none}")
    for count in TRUMPS:
        parts = [
            f"{name} {point_of(chart, 'game', kind & (count == N)).percent}"
            for name, kind in {
                "any": N > 0,
                "ace": has(CHART, "A"),
                "ten, no ace": _no("A", "T"),
                "ace and ten": has(CHART, "AT"),
                "neither": ~_any("AT") & (N > 0),
            }.items()
            if (kind & (count == N)).any()
        ]
        print(f"    Game with {count} trumps: {', '.join(parts)}")
    print("  ten of trumps taken for Game: bidding 2 on a ten and ace, king or queen:")
    expected = has(CHART, "T") & _any("AKQ")
    print_cost(hands, chart, TWO, rule_pitches(hands, chart, TWO, _gains(chart, TWO) | expected))
    pitches = suits_held("a ten", chart, has(CHART, "T") & (N == 3))
    print(f"  400 hands with the ten in three trumps, Game: {points_by_policy(pitches, 'game')}")


def ace_draws(chart: Chart, hands: Hands, played: ByPlay) -> None:  # noqa: ARG001
    """Look what falls on the ace."""
    rules = load_preset("partners")
    cards: dict[str, Callable[[Played], Card | None]] = {
        "jack": lambda deal: "J" + deal.trump,
        "low": lambda deal: low_card(rules, deal.trump, deal.hands),
    }
    for play, deals in played.items():
        aces = [deal for deal in deals if deal.tricks[0].plays[0][0] == "A"]
        print(f"  {play}: the ace is led on {100 * len(aces) / len(deals):.1f} % of hands")
        for name, card in cards.items():
            theirs = [deal for deal in aces if deal.with_opponents(card(deal))]
            caught = share(card(deal) in deal.tricks[0].plays for deal in theirs)
            taken = share(deal.points[name] == 0 for deal in theirs)
            print(
                f"    opponents hold the {name}: {share(d.with_opponents(card(d)) for d in aces)}"
            )
            print(f"      the ace catches it: {caught}; the side takes it in the end: {taken}")
        either = [
            any(
                deal.with_opponents(card(deal)) and card(deal) in deal.tricks[0].plays
                for card in cards.values()
            )
            for deal in aces
        ]
        print(f"    the ace catches one of them at least: {share(either)}")
    for rank in "AKQ":
        first = np.asarray(CHART >> RANKS.index(rank) == 1) & (N >= 2)
        print(f"  {rank} the highest of two or more: {margin_with(chart, TWO, first)} at 2")


def side_cards(chart: Chart, hands: Hands, played: ByPlay) -> None:  # noqa: ARG001
    """Measure what side cards add within a holding, and how hands with it differ."""
    cards = hands.cards[hands.hand]
    weight = hands.weight[hands.hand]
    total = np.bincount(hands.pattern, weight, PATTERNS)

    def centred(values: Floats) -> Floats:
        """Take away the mean of a holding."""
        sums = np.bincount(hands.pattern, weight * values, PATTERNS)
        return values - (sums / np.maximum(total, 1))[hands.pattern]

    held = np.stack(
        [
            np.bitwise_count(cards & _of_rank(rank)) - (hands.pattern >> RANKS.index(rank) & 1)
            for rank in "AKQJT"
        ],
        axis=1,
    ).astype(float)
    side = np.stack([centred(column) for column in held.T], axis=1)
    count = np.bitwise_count(hands.pattern)
    for name, where in {"1": count == 1, "2": count == 2, "3 or more": count >= 3}.items():
        weights = np.where(where, weight, 0.0)
        normal = (side * weights[:, None]).T @ side
        for bid in (TWO, THREE, FOUR):
            texts = []
            for kind, values, noise in (
                (
                    "made",
                    hands.worth.make[:, bid],
                    hands.worth.make[:, bid] * (1 - hands.worth.make[:, bid]) / (hands.deals - 1),
                ),
                ("margin", hands.worth.margin[:, bid], hands.worth.margin_noise[:, bid]),
            ):
                rest = centred(values)
                slopes = np.linalg.solve(normal, (side * weights[:, None]).T @ rest)
                spread = (weights * (rest**2 - noise)).sum() / weights.sum()
                slopes_text = " ".join(
                    f"{rank} {slope:+.3f}" for rank, slope in zip("AKQJT", slopes, strict=True)
                )
                texts.append(f"{kind} spreads {np.sqrt(max(spread, 0)):.3f}: {slopes_text}")
            print(f"  {name} trumps, bid {BIDS[bid]}: {'; '.join(texts)}")


def _of_rank(rank: str) -> int:
    return sum(1 << len(RANKS) * suit + RANKS.index(rank) for suit in range(4))


def by_holding_or_hand(chart: Chart, hands: Hands, played: ByPlay) -> None:  # noqa: ARG001
    """Bid by the chart, and by the best lead of the hand itself.

    Every lead of a hand is played on two sets of fresh deals: the best is chosen by one, and valued
    by the other, and the other way round.
    """
    rows = []
    limits = []
    for hand, _ in zip(random_hands("looked at twice"), range(LOOKS), strict=False):
        study = make_study(hand, "partners", seed=seed_for(format_hand(hand), SEED))
        looks = [
            Analysis(study, Simulation(study).count(first, LOOK_DEALS)).margin
            for first in (0, LOOK_DEALS)
        ]
        row = []
        for place, bid in enumerate((TWO, THREE, FOUR, SMUDGE)):
            option, expected = chart.option(hand, bid)
            at = study.options.index(option)
            for choose, value in ((0, 1), (1, 0)):
                best = int(looks[choose][:, place].argmax())
                by_hand = looks[value][best, place] if looks[choose][best, place] > 0 else 0.0
                by_chart = looks[value][at, place] if expected > 0 else 0.0
                same_suit = study.options[best].trump == option.trump
                differs = (looks[choose][best, place] > 0) != (expected > 0)
                row.append((by_hand - by_chart, differs, same_suit))
        rows.append(row)
        both = (looks[0] + looks[1]) / 2
        charted = [chart.option(hand, bid)[1] > 0 for bid in (TWO, THREE, FOUR, SMUDGE)]
        limits.append((both.max(axis=0) > 0).tolist() != charted)
    array = np.array(rows, float).reshape(LOOKS, 4, 2, 3).mean(axis=2)
    for place, bid in enumerate((TWO, THREE, FOUR, SMUDGE)):
        print(
            f"  asked for {BIDS[bid]}: loses {Estimate.of(array[:, place, 0])} a hand; bids "
            f"or passes otherwise {Estimate.of(array[:, place, 1]).percent}, another suit "
            f"{Estimate.of(1 - array[:, place, 2]).percent}"
        )
    print(f"  highest bid differs with {share(limits)} of hands")


TIPS = {
    "What hands are worth by the chart": overall,
    "Bid only with two sure points": two_sure_points,
    "Add up the points that look sure": counting_points,
    "Take care with 3; bid 4 only with ace, jack, ten and several middle trumps": four_needs_five,
    "The jack is the most volatile point, hard to keep without the ace": jack_without_ace,
    "Lead the highest trump": highest_trump,
    "A bid of 1 is almost always safe": one_is_safe,
    "With one or two trumps count the jack as half a point": half_a_jack,
    "The ace is a sure High, the 2 a sure Low if kept from the opponents": sure_low,
    "Tens decide Game; an ace that takes a ten nearly always wins it": tens_and_game,
    "Lead the ace of trumps: it draws the others' jack or low trump": ace_draws,
    "How much the other cards matter": side_cards,
    "What is lost by bidding by the holding instead of by the hand": by_holding_or_hand,
}

if __name__ == "__main__":
    main()
