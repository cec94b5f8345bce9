"""What each field of a rule set may hold, and how its value is read from text.

Values come from Python, TOML, JSON records and `--set FIELD=VALUE`; all of them are read here, so
that `partners = true`, `"partners": "yes"` and `--set partners=yes` mean the same.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from pitchsim.errors import RulesError, did_you_mean, listed, quoted

JokerRank = Literal["below_jack", "lowest"]
JokerLead = Literal["forbidden", "names"]
LowTo = Literal["holder", "captor"]
LowCard = Literal["lowest_trump", "lowest_natural"]
GameTie = Literal["nobody", "pitcher"]
VoidPlay = Literal["free", "must_trump"]
TrumpChoice = Literal["pitched", "declared"]
SecondaryTrump = Literal["none", "hearts"]
DealerSteals = Literal["no", "below_max", "any"]
Smudge = Literal["none", "all_points", "all_tricks", "both"]
SmudgeSuccess = Literal["score", "double", "wins_game"]
SmudgeFailure = Literal["bid", "loses_game"]
Finish = Literal["pitcher_first", "as_pitcher", "made_bid"]

#: The points that a rule set may play, in the order in which they are shown.
POINT_NAMES = (
    "high",
    "low",
    "jack",
    "off_jack",
    "joker",
    "trump_three",
    "trump_five",
    "off_five",
    "ace_of_hearts",
    "game",
)

PLAYER_COUNTS = range(2, 8)

_YES = ("yes", "true", "on", "y")
_NO = ("no", "false", "off", "n")


@dataclass(frozen=True)
class Field:
    """One field of a rule set: what it may be, in words, and the reading of a value."""

    expected: str
    read: Callable[[Any], Any]  # the value, or ValueError
    choices: tuple[str, ...] = ()


def _whole_number(low: int, high: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        if isinstance(value, str) and re.fullmatch(r"\s*[+-]?[0-9]{1,9}\s*", value):
            value = int(value)
        if type(value) is not int or not low <= value <= high:
            raise ValueError
        return value

    return read


def _number(low: int, high: int) -> Field:
    expected = listed(range(low, high + 1)) if high - low < 3 else f"from {low} to {high}"
    return Field(expected, _whole_number(low, high))


def _number_or_none(low: int, high: int) -> Field:
    read_number = _whole_number(low, high)

    def read(value: Any) -> int | None:
        if value is None or (isinstance(value, str) and value.strip().lower() in ("none", *_NO)):
            return None
        return read_number(value)

    return Field(f"none, {listed(range(low, high + 1))}", read)


def _yes_or_no() -> Field:
    def read(value: Any) -> bool:
        if isinstance(value, str):
            value = {**dict.fromkeys(_YES, True), **dict.fromkeys(_NO, False)}.get(
                value.strip().lower()
            )
        if not isinstance(value, bool):
            raise ValueError
        return value

    return Field("yes or no", read)


def _word(literal: Any) -> Field:
    choices: tuple[str, ...] = get_args(literal)

    def read(value: Any) -> str:
        if value is None and "none" in choices:
            return "none"
        if value is False and "no" in choices:  # a bare `no` typed into JSON or TOML as false
            return "no"
        word = value.strip().lower().replace("-", "_") if isinstance(value, str) else ""
        if word not in choices:
            raise ValueError
        return word

    return Field(listed(choices), read, choices)


def _read_players(value: Any) -> frozenset[int]:
    """Read a set of player counts: 4, "3-5", "3,4" or a list of numbers."""
    if isinstance(value, str):
        parts: list[Any] = value.split(",")
    elif isinstance(value, (list, tuple, set, frozenset, range)):
        parts = list(value)
    else:
        parts = [value]
    read_count = _whole_number(PLAYER_COUNTS[0], PLAYER_COUNTS[-1])
    counts: set[int] = set()
    for part in parts:
        first, dash, last = part.partition("-") if isinstance(part, str) else (part, "", "")
        low = read_count(first)
        counts.update(range(low, read_count(last) + 1) if dash else [low])
    if not counts:
        raise ValueError
    return frozenset(counts)


#: The fields of a rule set that `--set` may change, without the points.
FIELDS: Mapping[str, Field] = {
    "players": Field("numbers from 2 to 7, such as 4, 3-5 or 3,4", _read_players),
    "default_players": _number(2, 7),
    "partners": _yes_or_no(),
    "hand_size": Field("6", _whole_number(6, 6)),
    "jokers": _number(0, 2),
    "joker_rank": _word(JokerRank),
    "joker_lead": _word(JokerLead),
    "low_to": _word(LowTo),
    "low_card": _word(LowCard),
    "game_tie": _word(GameTie),
    "void_play": _word(VoidPlay),
    "trump_choice": _word(TrumpChoice),
    "secondary_trump": _word(SecondaryTrump),
    "draw": _yes_or_no(),
    "min_bid": _number(1, 2),
    "forced_bid": _number_or_none(1, 2),
    "dealer_steals": _word(DealerSteals),
    "smudge": _word(Smudge),
    "smudge_value": _number(0, 100),
    "smudge_success": _word(SmudgeSuccess),
    "smudge_failure": _word(SmudgeFailure),
    "defenders_score": _yes_or_no(),
    "target": _number(1, 1000),
    "finish": _word(Finish),
    "countdown": _yes_or_no(),
}

POINT_FIELD = _number(0, 20)

#: How a point is named in `--set`: `off_jack` or `points.off_jack`.
POINT_PREFIX = "points."


def field_name(name: str) -> str:
    """Find the field or point that a name means; points come back as `points.off_jack`.

    Raises
    ------
    RulesError
        If there is no such field, suggesting the nearest.
    """
    word = name.strip().lower().replace("-", "_")
    point = word.removeprefix(POINT_PREFIX)
    if point in POINT_NAMES:
        return POINT_PREFIX + point
    if word in FIELDS:
        return word
    suggestion = did_you_mean(word, [*FIELDS, *POINT_NAMES])
    raise RulesError(f"there is no rule field {quoted(name)}{suggestion}")


def read_field(name: str, value: Any) -> Any:
    """Read the value of a field (`target`) or point (`points.off_jack`) from text or data.

    Raises
    ------
    RulesError
        Naming the field, the value and what it may be.
    """
    field = POINT_FIELD if name.startswith(POINT_PREFIX) else FIELDS[name]
    try:
        return field.read(value)
    except ValueError:
        shown = value.strip() if isinstance(value, str) else value
        suggestion = did_you_mean(shown, field.choices) if isinstance(shown, str) else ""
        raise RulesError(
            f"{name} = {quoted(shown)} is not possible: it may be {field.expected}{suggestion}"
        ) from None


def write_value(value: Any) -> str:
    """Write the value of a field as `--set` reads it: `yes`, `none`, `3-5`."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (frozenset, list)):
        counts = sorted(value)
        is_run = len(counts) > 2 and counts[-1] - counts[0] == len(counts) - 1
        return f"{counts[0]}-{counts[-1]}" if is_run else ",".join(map(str, counts))
    return str(value)
