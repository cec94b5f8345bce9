"""How what a table says is written: bids, leads, margins, and from which table it is."""

import json
from typing import Any

from pitchsim.cards import ALL_CARDS
from pitchsim.intervals import wilson
from pitchsim.rules import Rules
from pitchsim.tables.bidtable import BidTable
from pitchsim.tables.rows import ANY_LEAD
from pitchsim_cli.evaluationtext import Percent, plus_minus, signed

FORCED = "* Only a dealer who must bid can bid so little."
#: What stands before a margin, or a pass, that may as well be on the other side of zero.
CLOSE_MARK = "\N{ALMOST EQUAL TO}"
CLOSE = f"{CLOSE_MARK} Too close to zero to call: a margin is within its half-width."


def percent_for(deals: int) -> Percent:
    """Write probabilities as precisely as so many deals tell the most doubtful of them."""
    low, high = wilson(deals / 2, deals)
    return Percent.fit_for(float(high - low) / 2)


def is_forced(rules: Rules, bid: str) -> bool:
    """Say whether only a dealer who must bid can make a bid."""
    return bid not in rules.bids


def bid_label(rules: Rules, bid: str) -> str:
    """Name a bid in a column."""
    return f"{bid}*" if is_forced(rules, bid) else bid


def lead_label(rules: Rules, lead: int) -> str:
    """Name a lead in a column, by its place in `ALL_CARDS`."""
    if lead == ANY_LEAD:
        return "drawn" if rules.draw else "any"
    return ALL_CARDS[lead]


def margin_label(margin: float, half_width: float) -> str:
    """Write a margin, marked where it is too close to zero to call."""
    close = abs(margin) <= half_width
    return f"{CLOSE_MARK if close else ''}{signed(margin)} {plus_minus(half_width)}"


def pass_label(*, is_close: bool) -> str:
    """Write that no bid pays, marked where that is too close to call."""
    return f"{CLOSE_MARK}pass" if is_close else "pass"


def source_columns(table: BidTable) -> dict[str, Any]:
    """Say in columns of CSV of what the table is, and of which seeds, as `pitchsim hand` does."""
    facts = table.facts
    return {
        "rules": facts["rules"],
        "rule_changes": json.dumps(facts["set"]),
        **{name: facts[name] for name in ("players", "partners", "play", "worlds")},
        "seeds": " ".join(map(str, facts["seeds"])),
        "study": facts["study"],
    }
