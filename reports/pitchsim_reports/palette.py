"""Colours that stay apart in print, in grey and to the colour-blind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

#: From light to dark, yellow over green to blue (ColorBrewer's YlGnBu): as grey an even ramp, and
#: without red against green.
_RAMP = ("#f3f9c6", "#c7e9b4", "#7fcdbb", "#41b6c4", "#1d91c0", "#225ea8", "#1c2f7e", "#081d58")
INK = "#1a1a1a"
BLACK = "#000000"
PAPER = "#ffffff"
FAINT = "#6b6b6b"  # still 5 to 1 against the paper
RULE = "#c9c9c9"  # lines that lead the eye
#: A colour for what is to be seen first and one for its opposite: 3 to 1 and more against white and
#: against black, and in grey the second is the lighter.
ACCENT, CONTRAST = "#2277ad", "#d5803a"


def bid_colours(bids: Sequence[str]) -> dict[str, str]:
    """Give each bid a colour, the darker the higher."""
    steps = max(len(bids) - 1, 1)
    return {bid: shade(place / steps) for place, bid in enumerate(bids)}


def ink_on(colour: str) -> str:
    """Return black or white, whichever is easier to read on a colour: at least 4.5 to 1."""
    light = luminance(colour)
    return BLACK if (light + 0.05) / 0.05 > 1.05 / (light + 0.05) else PAPER


def mixed(colour: str, other: str, share: float) -> str:
    """Mix so much of a colour into another one."""
    pairs = zip(_parts(colour), _parts(other), strict=True)
    return _hex(share * one + (1 - share) * two for one, two in pairs)


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour, 0 (black) to 1 (white), as WCAG 2 has it."""
    red, green, blue = (_linear(part / 255) for part in _parts(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def shade(place: float) -> str:
    """Return the colour at a place of the ramp, 0 (light) to 1 (dark)."""
    whole, rest = divmod(place * (len(_RAMP) - 1), 1)
    low = int(whole)
    high = min(low + 1, len(_RAMP) - 1)
    return mixed(_RAMP[high], _RAMP[low], rest)


def _hex(parts: Iterable[float]) -> str:
    return "#" + "".join(f"{round(part):02x}" for part in parts)


def _parts(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)
