"""How figures look: letters, and colours that a page may change.

A colour of :data:`ROLES` is not only a colour but has a part to play, such as that of ink. In an
SVG whatever is drawn in it bears a class, `ink-fill` or `ink-stroke` for one; the style sheet that
:func:`recolouring` returns lets a page, or a part of it, set these colours by variables::

    <style>{{ recolouring() }} @media (prefers-color-scheme: dark) {:root { {{ DARK }} }}</style>

A page without it shows the figures as they are printed, on white paper. All other colours are
middling ones or have an outline of ink, and show on white and on black.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import matplotlib as mpl

from pitchsim_reports.palette import FAINT, INK, PAPER, RULE

#: Colours with a part to play, by its name.
ROLES = {"ink": INK, "faint": FAINT, "rule": RULE, "paper": PAPER}
#: What the variables are to be where the page is dark; `none` lets the page itself be the paper.
DARK = (
    "--figure-ink: #e9e9e6; --figure-faint: #a9aaa6; --figure-rule: #4a4b4d; --figure-paper: none;"
)


@contextmanager
def style() -> Iterator[None]:
    """Draw and write as pitchsim does, whatever the user's own matplotlib settings."""
    with mpl.rc_context(), warnings.catch_warnings():
        # A name may be in letters that the font lacks; in an SVG the reader's own fonts have them.
        warnings.filterwarnings("ignore", r"Glyph \d+")
        mpl.rcdefaults()
        mpl.rcParams.update(
            {
                "font.family": ["DejaVu Sans"],  # comes with matplotlib: the same everywhere
                "svg.hashsalt": "pitchsim",
                "svg.fonttype": "path",
                "pdf.fonttype": 42,
                "text.parse_math": False,  # names and titles come from users' files
                "hatch.linewidth": 0.8,
                "text.color": INK,
            }
        )
        yield


def recolouring() -> str:
    """Return the style sheet by which a page sets the colours of the figures inlined in it.

    The variables are `--figure-ink`, `--figure-faint`, `--figure-rule` and `--figure-paper`.
    """
    return "\n".join(
        f".{role}-{part} {{ {part}: var(--figure-{role}, {colour}) !important }}"
        for role, colour in ROLES.items()
        for part in ("fill", "stroke")
    )
