"""How likely some hands are to make their bid, by each play policy: the table of PLAY.md.

Every hand pitches the suit and leads the card that come out best when everybody plays `basic`, for
the highest bid that then gains more than it loses; a hand that is worth none, for the lowest bid.
"""

from __future__ import annotations

from dataclasses import dataclass

from pitchsim.cards import format_hand, parse_hand
from pitchsim.evaluating import evaluate
from pitchsim.plays import DOUBLE_DUMMY
from pitchsim.presets import load_preset

SEED = 7
# A 95 % half-width of 0.3 points at most, and of 1.1.
DEALS = {"random": 100_000, "basic": 100_000, "expert": 8_000, DOUBLE_DUMMY: 8_000}


@dataclass(frozen=True)
class Group:
    """Hands of a kind at one table."""

    kind: str
    hands: tuple[str, ...]
    preset: str = "partners"


GROUPS = (
    Group(
        "Long and strong: four trumps or more, with the ace",
        ("AS KS QS JS 2S KH", "AS KS QS 9S 5D 3C", "AS JS TS 5S KH 2D", "AS 9S 8S 7S 6S 4S"),
    ),
    Group(
        "Short, with the ace",
        (
            "AS KS 2S AH TH 4D",
            "AS JS 7D 6H 4C 3C",
            "AS 2S TH TD KC 5C",
            "AS TS KH QD 9C 3C",
            "AS AH AD AC 7S 6H",
            "AS KH QD JC 9D 4H",
        ),
    ),
    Group(
        "Long, without the ace",
        (
            "KS JS TS 4S AH 6D",
            "KS QS TS 2S AD TD",
            "KH QH 4H 3H AC 7D",
            "QS JS 3S 2S 8H 5C",
            "JS TS 9S 8S 7S 5S",
        ),
    ),
    Group(
        "Short, without the ace",
        (
            "KS JS 9H 8D 5D 4C",
            "KS 2S 9H 8H 5D 4C",
            "JS 2S TH 9D 6C 4C",
            "QS TS 6S KH 8D 3C",
            "TS 9S 5S AH JD 4C",
            "9H 8D 7C 6S 5H 3D",
        ),
    ),
    Group(
        "*solo*, each alone",
        ("AS JS TS 5S KH 2D", "AS 2S TH TD KC 5C", "KH QH 4H 3H AC 7D"),
        "solo",
    ),
    Group(
        "*ten-point*, with jokers, off-jack and three",
        ("AS KS JS HJ 3S 5D", "AS JC TS 2S 9H 8D", "HJ LJ JS 4S KH 6D"),
        "ten-point",
    ),
)


def main() -> None:
    print(f"| Hand | Bid | Lead | {' | '.join(DEALS)} |")
    print(f"|---|---|---|{'--:|' * len(DEALS)}")
    for group in GROUPS:
        print(f"| **{group.kind}** |{' |' * (2 + len(DEALS))}")
        for hand in group.hands:
            print(_row(hand, group.preset), flush=True)


def _row(hand: str, preset: str) -> str:
    usual = evaluate(hand, preset, seed=SEED).analysis
    bid = usual.study.bids[usual.deciding_bid]
    option = usual.study.options[int(usual.best[usual.deciding_bid])]
    chances = [
        evaluate(
            hand,
            preset,
            play=play,
            deals=deals,
            seed=SEED,
            trump=option.trump,
            lead=option.lead,
            bid=bid,
        ).analysis.make[0, 0]
        for play, deals in DEALS.items()
    ]
    cells = [
        format_hand(parse_hand(hand, jokers=load_preset(preset).jokers)),
        bid if usual.limit is not None else f"{bid}, not worth it",
        str(option.lead),
        *(f"{100 * chance:.1f}" for chance in chances),
    ]
    return f"| {' | '.join(cells)} |"
