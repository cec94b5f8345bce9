"""Figures as files: png, svg and pdf, the same bytes for the same figure."""

from __future__ import annotations

import io
import re
from hashlib import sha256
from html import escape
from typing import TYPE_CHECKING, Any

import matplotlib as mpl

from pitchsim.errors import OutputError, listed, quoted
from pitchsim_reports.figures.style import ROLES, style

if TYPE_CHECKING:
    from pitchsim_reports.figures.picture import Picture

DOTS_AN_INCH = 200

# What would differ from one day, or from one release of matplotlib, to the next is left out.
_METADATA: dict[str, dict[str, Any]] = {
    "png": {"Software": None},
    "svg": {"Creator": None, "Date": None},
    "pdf": {"Creator": None, "Producer": None, "CreationDate": None},
}
_ROLE_OF = {colour: role for role, colour in ROLES.items()}
_COLOURED = re.compile(r'\b(fill|stroke)(?:: |=")(#[0-9a-f]{6})\b')


def figure_bytes(picture: Picture, kind: str, *, dots: int = DOTS_AN_INCH) -> bytes:
    """Return a figure as a file, its title and what it shows written into it.

    Parameters
    ----------
    kind
        `png`, `svg` or `pdf`.
    dots
        How many dots of a png make an inch.

    Raises
    ------
    OutputError
        If there is no such kind.
    """
    if kind not in _METADATA:
        raise OutputError(f"a figure cannot be made a {quoted(kind)}: expected {listed(_METADATA)}")
    file = io.BytesIO()
    key = "Subject" if kind == "pdf" else "Description"
    metadata = _METADATA[kind] | {"Title": picture.title, key: picture.alt}
    with style():
        if not picture.fixed:
            mpl.rcParams["svg.fonttype"] = "none"
        picture.savefig(file, format=kind, dpi=dots, metadata=metadata)
    if kind != "svg":
        return file.getvalue()
    svg = _described(file.getvalue().decode(), picture.title, picture.alt)
    return (svg if picture.fixed else _adaptable(svg)).encode()


def inline_svg(picture: Picture) -> str:
    """Return a figure as an element of an HTML page; its names do not clash with another's."""
    svg = figure_bytes(picture, "svg").decode()
    return svg[svg.index("<svg ") :]


def _described(svg: str, title: str, description: str) -> str:
    """Give an SVG the title and description that readers without sight are told."""
    head, tag, rest = svg.partition("<svg ")
    attributes, close, body = rest.partition(">")
    named = ' role="img" aria-labelledby="title description"'
    told = (
        f'\n <title id="title">{escape(title)}</title>'
        f'\n <desc id="description">{escape(description)}</desc>'
    )
    return head + tag + attributes + named + close + told + body


def _adaptable(svg: str) -> str:
    """Make an SVG fit for any page: with classes, names and styles of its own, and any fonts."""
    # The rule for every element, as it stands in the file, would hold for the rest of a page.
    rule = re.compile(r' <defs>\n  <style type="text/css">\*\{(.*?)\}</style>\n </defs>\n')
    found = rule.search(svg)
    if found:
        svg = rule.sub("", svg).replace("<svg ", f'<svg style="{found[1]}" ', 1)
    svg = svg.replace("family: 'DejaVu Sans'", "family: 'DejaVu Sans', Verdana, sans-serif")
    svg = re.sub(r"<(path|rect|use|text)\b([^>]*)>", _with_classes, svg)
    return _with_own_names(svg)


def _with_classes(element: re.Match[str]) -> str:
    """Give an element the classes of the roles of its colours."""
    name, attributes = element.groups()
    roles = [
        f"{_ROLE_OF[colour]}-{part}"
        for part, colour in _COLOURED.findall(attributes)
        # White letters stand on a colour, which stays, and not on paper.
        if colour in _ROLE_OF and not (name == "text" and _ROLE_OF[colour] == "paper")
    ]
    return f'<{name} class="{" ".join(roles)}"{attributes}>' if roles else element[0]


def _with_own_names(svg: str) -> str:
    """Give what is referred to a name that no other figure has, and all else none."""
    used = {*re.findall(r'(?:href="|url\()#([\w.]+)', svg), "title", "description"}
    own = sha256(svg.encode()).hexdigest()[:8]
    svg = re.sub(
        r' id="([\w.]+)"', lambda name: f' id="{own}-{name[1]}"' if name[1] in used else "", svg
    )
    svg = re.sub(r'(href="|url\()#', rf"\1#{own}-", svg)
    return svg.replace(
        'aria-labelledby="title description"',
        f'aria-labelledby="{own}-title {own}-description"',
    )
