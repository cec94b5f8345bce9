"""What decides the numbers of a bidding table."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from pitchsim.errors import StudyError, TableError, check_whole, did_you_mean, listed, quoted
from pitchsim.plays import PLAYS
from pitchsim.presets import changes_in_words, diff, load_preset, preset_names
from pitchsim.rules import Rules, Seating
from pitchsim.study import ENGINE_VERSION, LARGEST_SEED, Study, identity_of
from pitchsim.tables.rows import HAND_SIZE, ROWS, HandRows, HoldingRows
from pitchsim.tally import Columns
from pitchsim.wording import manner

#: Raised when the form of tables changes, so that older ones are not misread.
TABLE_VERSION = 1
#: How many times the work that a thread is given for a single hand makes a part of a table.
CHUNKS_A_PART = 1000


@dataclass(frozen=True)
class TableStudy:
    """Everything that affects the numbers of a bidding table, but for how many deals there are.

    Attributes
    ----------
    rules, seating
        The table at which is played.
    by
        What has a row: `hand` or `holding`.
    play
        How everybody plays.
    worlds
        How many worlds a player who samples deals at each turn; None for the usual number.
    seed
        From 0 to 2**64 - 1; every row derives a seed of its own from it.

    Raises
    ------
    StudyError
        If there are no such rows or play, or the seed or the worlds are not possible.
    """

    rules: Rules
    seating: Seating
    by: str
    play: str = "basic"
    worlds: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if self.by not in ROWS:
            raise StudyError(
                f"a table by {quoted(self.by)} is not possible: "
                f"expected {listed(ROWS)}{did_you_mean(self.by, ROWS)}"
            )
        check_whole("seed", self.seed, 0, LARGEST_SEED)
        self.row(0)  # refuses a play or worlds that are not possible

    @cached_property
    def rows(self) -> HandRows | HoldingRows:
        """What the rows are."""
        return ROWS[self.by](self.rules)

    def row(self, number: int) -> Study:
        """Give the study of a row."""
        return self.rows.study(number, self.seating, self.play, self.worlds, self.seed)

    @cached_property
    def example(self) -> Study:
        """The study of the first row, which has bids, plays and columns as those of all."""
        return self.row(0)

    @property
    def columns(self) -> Columns:
        """What is counted of each record."""
        return self.example.columns

    @property
    def rows_a_block(self) -> int:
        """How many rows make a block of the table's file."""
        return 2048 if self.by == "hand" else 64

    @property
    def rows_a_part(self) -> int:
        """How many rows make a piece of work; as many again, and again, make a block."""
        return 32 if self.by == "hand" and not self.is_quick else self.rows_a_block

    @property
    def deals_a_part(self) -> int:
        """How many deals of each row make a piece of work: a second or two, or a minute at most."""
        options = HAND_SIZE * self.rows_a_part
        return max(1, CHUNKS_A_PART * self.example.hands_a_chunk // (options * self.example.plays))

    @property
    def is_quick(self) -> bool:
        """Whether a hand is played in less time than it takes to ask for it."""
        return PLAYS[self.play].is_quick

    @cached_property
    def facts(self) -> dict[str, Any]:
        """What decides the numbers but for the seed, as JSON has it: tables that share it add."""
        return {
            "table": TABLE_VERSION,
            "engine": ENGINE_VERSION,
            "by": self.by,
            "name": self.rules.name,
            "rules": json.loads(json.dumps(self.rules.as_dict())),
            "players": self.seating.players,
            "partners": self.seating.partners,
            "play": self.play,
            "worlds": self.example.worlds_a_turn if self.example.samples else None,
        }

    @cached_property
    def identity(self) -> str:
        """A hash of what decides the numbers, 16 hexadecimal digits."""
        content = {**self.deciding_facts, "seed": self.seed}
        return identity_of(json.dumps(content, sort_keys=True))

    @property
    def deciding_facts(self) -> dict[str, Any]:
        """The facts but for the name, which decides nothing."""
        return {name: fact for name, fact in self.facts.items() if name != "name"}

    @property
    def about(self) -> str:
        """Say in a few words what it is a table of."""
        changes = ", ".join(changes_in_words(self.rules))
        return (
            f"{self.rules.name} rules{changes and f' ({changes})'}, {manner(self.seating)}, "
            f"{self.play} play{self.example.note_on_worlds}, by {self.by}"
        )

    def __getstate__(self) -> dict[str, Any]:
        """Pickle what it is made of: what follows from that may be large, or differ elsewhere."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any], seed: int) -> TableStudy:
        """Read what :attr:`facts` wrote.

        Raises
        ------
        TableError
            If it is of another version of the table or the engine.
        PitchsimError
            If something in it is not possible.
        """
        for name, version in (("table", TABLE_VERSION), ("engine", ENGINE_VERSION)):
            if facts.get(name) != version:
                raise TableError(
                    f"it is of version {quoted(facts.get(name))} of the {name}: expected {version}"
                )
        rules = Rules(name=facts["name"]).changed(facts["rules"])
        if rules.name in preset_names() and not diff(load_preset(rules.name), rules):
            rules = load_preset(rules.name)  # which has a title too
        return cls(
            rules=rules,
            seating=rules.seating(facts["players"], facts["partners"]),
            by=facts["by"],
            play=facts["play"],
            worlds=facts["worlds"],
            seed=seed,
        )


def first_difference(
    one: Mapping[str, Any], other: Mapping[str, Any], where: tuple[str, str] = ("", "")
) -> str | None:
    """Name the first thing in which two tables' facts differ, with both values; None if in none.

    Rule sets that differ are told apart by their names, if they have different ones.

    Parameters
    ----------
    where
        What is said after each value, such as `there` and `here`.
    """
    # Rules have fields of the same name as facts (`players`), so each kind is compared by itself.
    of_facts = _differing(_without_rules(one), _without_rules(other))
    of_rules = _differing(one["rules"], other["rules"])
    names = one.get("name"), other.get("name")
    if of_rules is not None and names[0] != names[1]:
        what, verb, values = "the rules", "are", names
    elif of_facts is not None:
        what, verb, values = of_facts, "is", (one.get(of_facts), other.get(of_facts))
    elif of_rules is not None:
        what, verb = f"the rules' {of_rules}", "is"
        values = one["rules"].get(of_rules), other["rules"].get(of_rules)
    else:
        return None
    said = [value if verb == "are" else json.dumps(value) for value in values]
    first, second = (f"{value} {place}".rstrip() for value, place in zip(said, where, strict=True))
    return f"{what} {verb} {first} and {second}"


def _differing(one: Mapping[str, Any], other: Mapping[str, Any]) -> str | None:
    """Name the first field in which two mappings differ."""
    return next((name for name in {**one, **other} if one.get(name) != other.get(name)), None)


def _without_rules(facts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: fact for name, fact in facts.items() if name not in {"rules", "name"}}
