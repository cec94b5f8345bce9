"""A report as one HTML file that needs no other and no network."""

from __future__ import annotations

import base64
import hashlib
import re
from importlib.metadata import version
from textwrap import wrap

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from pitchsim.cards import ALL_CARDS, suit_of
from pitchsim_reports.figures import DARK, inline_svg, recolouring
from pitchsim_reports.phrasing import card_text
from pitchsim_reports.report.document import Document, Figure

#: A word with more letters than these may be broken into lines.
LONG_WORD = 16
#: What a page says it is made by, and any other does not.
GENERATOR = '<meta name="generator" content="pitchsim '


def report_page(document: Document) -> str:
    """Write a report as a page.

    All texts are escaped; only figures, which escape their own, go in as they are. A policy in the
    page itself forbids every request and every script but the one that sorts tables.
    """
    environment = Environment(
        loader=PackageLoader("pitchsim_reports"),
        autoescape=True,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "breakable": _breakable,
        "card_text": card_text,
        "is_card": ALL_CARDS.__contains__,
        "kind": lambda part: type(part).__name__,
        "suit": lambda card: suit_of(card) or "joker",
        "svg": _svg,
    }
    script = Markup(_source(environment, "report.js"))
    style = environment.from_string(_source(environment, "report.css")).render(
        dark=Markup(DARK),
        recolouring=Markup(recolouring()),
    )
    return environment.get_template("report.html").render(
        document=document,
        generator=Markup(f'{GENERATOR}{version("pitchsim")}">'),
        script=script,
        script_hash=_hash(script),
        style=Markup(style),
    )


def _source(environment: Environment, name: str) -> str:
    assert environment.loader is not None
    return environment.loader.get_source(environment, name)[0]


def _hash(script: str) -> str:
    """Return what a content security policy calls a script by."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _breakable(text: str) -> Markup:
    """Let very long words of a table break, and no others."""
    words = [Markup("<wbr>").join(map(escape, wrap(word, LONG_WORD))) for word in text.split(" ")]
    return Markup(" ").join(words)


def _svg(figure: Figure) -> Markup:
    """Return a figure's picture, its names made its own: two figures may look the same."""
    svg = inline_svg(figure.picture)
    labelled = re.search(r'aria-labelledby="(\w+)-title', svg)
    if labelled:
        svg = svg.replace(f"{labelled[1]}-", f"{figure.name}-")
    return Markup(svg)
