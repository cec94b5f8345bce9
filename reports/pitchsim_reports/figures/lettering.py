"""Letters: how wide texts are, names that fit, and numbers as they are written."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath

from pitchsim.precision import telling_decimals

ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"


@cache
def width(text: str, size: float, *, bold: bool = False) -> float:
    """Return how wide a text is, in inches."""
    if not text.strip():
        return 0.0  # there are no outlines
    font = FontProperties(family="DejaVu Sans", weight="bold" if bold else "normal")
    outline = TextPath((0, 0), text, size=size, prop=font)
    return float(outline.vertices[:, 0].max()) / 72  # no less than its extents, which are slow


def plain(name: object) -> str:
    """Return a name as it can be written on a line: without what is no letter, however long."""
    return (
        " ".join("".join(c if c.isprintable() else " " for c in str(name)).split()) or "(no name)"
    )


def fitting(name: object, size: float, room: float, *, bold: bool = False) -> str:
    """Shorten a name to the inches that there are; its end may tell it from others, so it stays."""
    text = plain(name)[:500]
    if width(text, size, bold=bold) <= room:
        return text
    for kept in range(min(len(text), 80) - 1, 1, -1):
        start = text[: (kept + 1) * 2 // 3].rstrip()
        shortened = f"{start}{ELLIPSIS}{text[len(text) - kept // 3 :].lstrip()}"
        if width(shortened, size, bold=bold) <= room:
            return shortened
    return ELLIPSIS


def told_apart(
    names: Iterable[str], size: float, room: float, *, bold: bool = False
) -> dict[str, str]:
    """Shorten names to the inches that there are; those that then look alike are numbered."""
    shown: dict[str, str] = {}
    for name in names:
        short = fitting(name, size, room, bold=bold)
        number = 1
        while short in shown.values():
            number += 1
            end = f" ({number})"
            short = fitting(name, size, room - width(end, size, bold=bold), bold=bold) + end
        shown[name] = short
    return shown


def folded(
    names: Iterable[str], size: float, room: float, *, bold: bool = False
) -> dict[str, list[str]]:
    """Break names that are too wide into two lines, of which the second is shortened if it must be.

    What is then not told apart, or has no place to be broken at, stays on one line.
    """
    names = list(names)
    shown = {name: [short] for name, short in told_apart(names, size, room, bold=bold).items()}
    broken = {
        name: wrapped(plain(name), size, room, bold=bold)
        for name, lines in shown.items()
        if lines != [plain(name)]
    }
    rests = {name: " ".join(lines[1:]) for name, lines in broken.items() if lines[0] and lines[1:]}
    short = told_apart(dict.fromkeys(rests.values()), size, room, bold=bold)
    return shown | {name: [broken[name][0], short[rest]] for name, rest in rests.items()}


def wrapped(text: str, size: float, room: float, *, bold: bool = False) -> list[str]:
    """Break a text into lines that fit the room, in inches."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if width(longer, size, bold=bold) <= 0.98 * room:  # some renderers round widths up
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def hundredths(share: float) -> str:
    """Write a share as whole percent without the sign: `31`, `0`; what is between, `<1`, `>99`."""
    if 0 < share <= 0.005:  # a half rounds to the even number
        return "<1"
    if 0.995 <= share < 1:
        return ">99"
    return f"{100 * share:.0f}"


def percent(share: float) -> str:
    """Write a share as whole percent in a sentence: `31 %`, `under 1 %`, `over 99 %`."""
    return hundredths(share).replace("<", "under ").replace(">", "over ") + " %"


def digits_for(difference: float, half_width: float) -> int:
    """Say how many decimals of points to write: so many that a told difference looks so."""
    return min(4, telling_decimals(difference, half_width, 3 if half_width < 0.0095 else 2))
