"""Numbers as a report writes them."""

from __future__ import annotations

import math

from pitchsim.precision import decimals_for, rounded_down, rounded_up, telling_decimals
from pitchsim.rules import SMUDGE

MINUS = "\N{MINUS SIGN}"
PLUS_MINUS = "\N{PLUS-MINUS SIGN}"
DASH = "\N{EN DASH}"
NONE = "\N{EM DASH}"
ARROW = "\N{RIGHTWARDS ARROW}"
SUIT_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def percent(share: float, digits: int = 0) -> str:
    """Write a share: `31 %`; what is neither none nor all is never written so: `<1 %`, `>99 %`."""
    if math.isnan(share):
        return NONE
    if share in (0, 1):
        return f"{100 * share:.0f} %"
    least = 10.0**-digits
    written = 100 * share
    if 0 < written <= least / 2:
        return f"<{least:.{digits}f} %"
    if 100 - least / 2 <= written < 100:
        return f">{100 - least:.{digits}f} %"
    return f"{written:.{digits}f} %"


def between(low: float, high: float, digits: int = 0) -> str:
    """Write the ends of an interval of shares, rounded outwards: `28-34` with a dash between."""
    if math.isnan(low):
        return NONE
    ends = rounded_down(100 * low, digits), rounded_up(100 * high, digits)
    return DASH.join(f"{end:.0f}" if end in (0, 100) else f"{end:.{digits}f}" for end in ends)


def signed(points: float, digits: int = 2) -> str:
    """Write points with their sign: `+0.12`."""
    if math.isnan(points):
        return NONE
    text = f"{points:+.{digits}f}"
    return f"{0:.{digits}f}" if float(text) == 0 else text.replace("-", MINUS)


def give_or_take(half_width: float, digits: int = 2) -> str:
    """Write a half-width, rounded up: `±0.03`; never as if there were none."""
    if not math.isfinite(half_width):
        return f"{PLUS_MINUS}?"
    least = 10.0**-digits
    return f"{PLUS_MINUS}{max(rounded_up(half_width, digits), least):.{digits}f}"


def difference(mean: float, half_width: float) -> str:
    """Write a difference in points as precisely as it is known: `+0.277 ±0.042`."""
    digits = decimals_for(mean, half_width)
    return f"{signed(mean, digits)} {give_or_take(half_width, digits)}"


def won(share: float, half_width: float) -> str:
    """Write a share of games and how sure it is, in percent: `51.5 ±2.0 %`."""
    digits = telling_decimals(100 * (share - 0.5), 100 * half_width, 1)
    return f"{100 * share:.{digits}f} {give_or_take(100 * half_width, digits)} %"


def bids_words(bid: str) -> str:
    """Say that somebody bids: `bids 3`, `bids a smudge`."""
    return f"bids {'a smudge' if bid == SMUDGE else bid}"


def rules_words(label: str) -> str:
    """Name a rule set in a sentence: `solo rules`, `solo rules, 3 players alone`."""
    name, comma, changes = label.partition(", ")
    return f"{name} rules{comma}{changes}"


def card_text(card: str) -> str:
    """Write a card with the sign of its suit: `10♠`; jokers stay as they are."""
    if card[1:] not in SUIT_SIGNS:
        return card
    return f"{'10' if card[0] == 'T' else card[0]}{SUIT_SIGNS[card[1]]}"
