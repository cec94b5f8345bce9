"""Numbers as a report writes them."""

from __future__ import annotations

import math

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
    least = 10.0**-digits
    written = 100 * share
    if 0 < written <= least / 2:
        return f"<{least:.{digits}f} %"
    if 100 - least / 2 <= written < 100:
        return f">{100 - least:.{digits}f} %"
    return f"{written:.{digits}f} %"


def between(low: float, high: float, digits: int = 0) -> str:
    """Write the ends of an interval of shares, `28-34` with a dash between."""
    if math.isnan(low):
        return NONE
    return f"{100 * low:.{digits}f}{DASH}{100 * high:.{digits}f}"


def signed(points: float, digits: int = 2) -> str:
    """Write points with their sign: `+0.12`."""
    if math.isnan(points):
        return NONE
    text = f"{points:+.{digits}f}"
    return f"{0:.{digits}f}" if float(text) == 0 else text.replace("-", MINUS)


def give_or_take(half_width: float, digits: int = 2) -> str:
    """Write a half-width: `±0.03`; never as if there were none."""
    if not math.isfinite(half_width):
        return f"{PLUS_MINUS}?"
    least = 10.0**-digits
    return f"{PLUS_MINUS}{max(half_width, least):.{digits}f}"


def bid_words(bid: str) -> str:
    """Name a bid in a sentence: `a bid of 3`, `a smudge`."""
    return "a smudge" if bid == SMUDGE else f"a bid of {bid}"


def card_text(card: str) -> str:
    """Write a card with the sign of its suit: `10♠`; jokers stay as they are."""
    if card[1:] not in SUIT_SIGNS:
        return card
    return f"{'10' if card[0] == 'T' else card[0]}{SUIT_SIGNS[card[1]]}"
