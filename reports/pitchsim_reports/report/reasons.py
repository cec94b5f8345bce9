"""Why a hand is worth another bid under other rules: read out of the rules and the numbers."""

from __future__ import annotations

import math
from collections import Counter
from typing import NamedTuple

from pitchsim.errors import listed
from pitchsim.presets import diff
from pitchsim.rulefields import write_value
from pitchsim.rules import SMUDGE, Rules
from pitchsim.titles import POINT_TITLES, SUIT_NAMES
from pitchsim.wording import manner
from pitchsim_reports.phrasing import ARROW, card_text, percent, signed
from pitchsim_reports.report.worthviews import Pair, Row, has_same_trump

#: The fields of a rule set that say who scores a point, or how its card ranks.
_FIELDS_OF_POINT = {
    "low": ("low_to", "low_card"),
    "game": ("game_tie",),
    "high_joker": ("joker_rank", "joker_lead", "jokers"),
    "low_joker": ("joker_rank", "joker_lead", "jokers"),
    "ace_of_hearts": ("secondary_trump",),
}
#: Those that change how any hand is played.
_FIELDS_OF_PLAY = ("void_play", "trump_choice", "draw", "secondary_trump", "jokers", "joker_rank")
_FIELDS_OF_SMUDGE = ("smudge", "smudge_value", "smudge_success", "smudge_failure")
_WORDS = {
    ("low_to", "holder"): "Low goes to who was dealt it",
    ("low_to", "captor"): "Low goes to who wins the trick with it",
    ("game_tie", "pitcher"): "the pitcher takes a tie for Game",
    ("game_tie", "nobody"): "nobody takes a tie for Game",
    ("void_play", "must_trump"): "who is void must trump",
    ("void_play", "free"): "who is void may throw any card",
    ("low_card", "lowest_trump"): "a joker can be Low",
    ("low_card", "lowest_natural"): "a joker cannot be Low",
    ("jokers", "0"): "there are no jokers",
    ("jokers", "1"): "there is one joker",
    ("jokers", "2"): "there are two jokers",
    ("joker_rank", "lowest"): "jokers are the lowest trumps",
    ("joker_rank", "below_jack"): "jokers come under the jack",
    ("joker_lead", "names"): "a joker may be led first",
    ("joker_lead", "forbidden"): "a joker may not be led first",
    ("secondary_trump", "hearts"): "hearts are a second trump suit",
    ("secondary_trump", "none"): "hearts are a plain suit",
    ("draw", "yes"): "cards are drawn once trump is named",
    ("draw", "no"): "nothing is drawn",
    ("trump_choice", "declared"): "trump is named",
    ("trump_choice", "pitched"): "the first lead makes trump",
}
#: What changes where a hand is best played in another suit.
ANOTHER_SUIT = "another suit"
#: A point that brings so little more or less, in points a hand, explains nothing.
_TOO_LITTLE = 0.05


class Reason(NamedTuple):
    """Why a hand's highest bid changes: what brings it, in a word or two, and how."""

    what: str
    how: str


def reason(pair: Pair, number: int) -> Reason:
    """Say why a hand's highest bid changes from the one rule set to the other.

    Either one of them lacks the bid in dispute, or a smudge promises something else, or the hand is
    best played in another suit; or some point brings more (and what it brings the others no longer
    have), or what the others score costs less all the same; where it is none of these, the margins
    lie near zero. What points bring is compared only where the suit is the same: elsewhere it is
    the cards that differ, and no rule could be named. Another lead of the same suit is told.
    """
    bid = pair.disputed_bid(number)
    one, other = pair.disputed(number)
    if one is None or other is None:
        return Reason(
            "no such bid", _no_such_bid(bid, pair.one_rules if one is None else pair.other_rules)
        )
    if bid == SMUDGE and (changes := _differing(pair, _FIELDS_OF_SMUDGE)):
        return Reason("the smudge", changes)
    if not has_same_trump(one, other):
        return Reason(ANOTHER_SUIT, f"{_way(one)} {ARROW} {_way(other)} is best")
    up = 1 if other["margin"] > one["margin"] else -1
    gains = {point: up * gain for point, gain in _gains(pair, one, other).items()}
    point = max(gains, key=lambda name: gains[name])
    if gains[point] >= _TOO_LITTLE:
        return Reason(POINT_TITLES[point], _of_point(pair, point, one, other))
    before, after = (float(row["change"] - row["margin"]) for row in (one, other))
    if up * (before - after) >= _TOO_LITTLE:
        return Reason(
            "the others' score", f"{signed(before)} {ARROW} {signed(after)} against a {bid}"
        )
    margins = f"{signed(float(one['margin']))} {ARROW} {signed(float(other['margin']))}"
    return Reason("nothing much", f"the margin of a {bid} goes {margins}")


def reasons_of(pair: Pair) -> str:
    """Count what changes the hands that change: `Low (57), No such bid (38) and High (2)`."""
    counts = Counter(reason(pair, number).what for number in pair.changed)
    return listed([f"{what} ({count:,})" for what, count in counts.most_common()], "and")


def differences(one: Rules, other: Rules) -> list[tuple[str, str, str]]:
    """List the fields in which two rule sets differ, with their values as text."""
    return [(name, write_value(left), write_value(right)) for name, left, right in diff(one, other)]


def point_rule(pair: Pair, point: str) -> str:
    """Say which rules, in which the two differ, bear on a point; empty if none does."""
    fields = (*_FIELDS_OF_POINT.get(point, ()), *_FIELDS_OF_PLAY)
    seating = pair.other_asked.seating
    seated = manner(seating) if seating != pair.one_asked.seating else ""
    return "; ".join(filter(None, (seated, _differing(pair, tuple(dict.fromkeys(fields))))))


def _way(row: Row) -> str:
    """Say in which suit a hand is best played, and from which lead: `clubs, A♣`."""
    lead = row["lead"]
    leads = [card_text(lead)] if isinstance(lead, str) else []
    return ", ".join([SUIT_NAMES[row["trump"]], *leads])


def _no_such_bid(bid: str, rules: Rules) -> str:
    if bid == SMUDGE:
        return f"{rules.name} has no smudge"
    if rules.bid_rank(bid) < rules.min_bid:
        return f"{rules.name} begins at {rules.min_bid}"
    return f"{rules.name} ends at {rules.bids[-1]}"


def _gains(pair: Pair, one: Row, other: Row) -> dict[str, float]:
    """Return how many points a hand more each point brings under the other rule set."""
    names = {**pair.one_rules.point_values, **pair.other_rules.point_values}
    return {
        name: _brings(other, pair.other_rules, name) - _brings(one, pair.one_rules, name)
        for name in names
    }


def _brings(row: Row, rules: Rules, point: str) -> float:
    chance = float(row.get(f"p_{point}", math.nan))
    return 0.0 if math.isnan(chance) else chance * rules.point_values.get(point, 0)


def _of_point(pair: Pair, point: str, one: Row, other: Row) -> str:
    for rules, rest in ((pair.one_rules, pair.other_rules), (pair.other_rules, pair.one_rules)):
        if point not in rest.point_values:
            return f"only {rules.name} plays for it"
    chances = [percent(float(row[f"p_{point}"])) for row in (one, other)]
    rule = point_rule(pair, point)
    leads = [card_text(lead) for lead in (one["lead"], other["lead"]) if isinstance(lead, str)]
    led = f" (led from {leads[1]}, not {leads[0]})" if len(set(leads)) > 1 else ""
    return f"{chances[0]} {ARROW} {chances[1]}{led}" + (f": {rule}" if rule else "")


def _differing(pair: Pair, fields: tuple[str, ...]) -> str:
    """Say in words what the other rule set has in the fields, of some, in which they differ."""
    changes = {name: right for name, _, right in diff(pair.one_rules, pair.other_rules)}
    phrases = []
    for name in fields:
        if name in changes and not (name.startswith("joker_") and not pair.other_rules.jokers):
            text = write_value(changes[name])
            phrases.append(_WORDS.get((name, text), f"{name} is {text}"))
    return "; ".join(phrases)
