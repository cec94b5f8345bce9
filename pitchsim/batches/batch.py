"""What a batch asks: the rule sets and plays, and how many deals of every hand."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pitchsim.cards import ALL_CARDS
from pitchsim.errors import PitchsimError, StudyError, check_whole, quoted
from pitchsim.plays import PLAYS, QUICK
from pitchsim.presets import as_preset
from pitchsim.rules import Rules, Seating
from pitchsim.running import MOST_DEALS
from pitchsim.study import ENGINE_VERSION, LARGEST_SEED, Study, identity_of
from pitchsim.tables.rows import HAND_SIZE, hand_study
from pitchsim.tables.tablestudy import first_difference
from pitchsim.tally import Columns

#: Raised when the form of results changes, so that older ones are not misread.
BATCH_VERSION = 1
#: Deals of a hand where no number is given: P(make) to within 3 points of 100, or 7.
QUICK_DEALS, SLOW_DEALS = 1_000, 200


class BatchError(PitchsimError):
    """A batch that is not possible, or results that are of another one."""


@dataclass(frozen=True)
class Case:
    """A rule set and a play: every hand is evaluated under it.

    Attributes
    ----------
    rules, seating
        The table at which is played.
    play
        How everybody plays.
    worlds
        How many worlds a player who samples deals at each turn; None for the usual number.
    deals
        How many deals of each hand; None for the usual number, which is lower for a slow play.

    Raises
    ------
    StudyError
        If there is no such play, or the worlds or the deals are not possible.
    """

    rules: Rules
    seating: Seating
    play: str = "basic"
    worlds: int | None = None
    deals: int | None = None

    def __post_init__(self) -> None:
        self.example  # refuses a play or worlds that are not possible  # noqa: B018
        if self.deals is not None:
            check_whole("deals", self.deals, 1, MOST_DEALS)

    @cached_property
    def example(self) -> Study:
        """The study of some hand, which has bids, plays and columns as those of all."""
        return self.study(ALL_CARDS[:HAND_SIZE], seed=0)

    def study(self, hand: Iterable[str], seed: int) -> Study:
        """Give the study of a hand, with a seed derived from the batch's."""
        return hand_study(
            hand, self.rules, self.seating, play=self.play, worlds=self.worlds, seed=seed
        )

    @property
    def name(self) -> str:
        """What it is called in messages."""
        return f"{self.rules.name} rules, {self.play} play"

    @property
    def columns(self) -> Columns:
        """What is counted of each option."""
        return self.example.columns

    @property
    def bids(self) -> tuple[str, ...]:
        """The bids that are asked about, the lowest first."""
        return self.example.bids

    @property
    def deals_a_hand(self) -> int:
        """How many deals of each hand."""
        if self.deals is not None:
            return self.deals
        return QUICK_DEALS if PLAYS[self.play].is_quick else SLOW_DEALS

    @property
    def work_a_hand(self) -> int:
        """How much work a hand is, in deals of about as much work by a quick play."""
        study = self.example
        costs = PLAYS[QUICK].hands_a_chunk / study.hands_a_chunk
        return math.ceil(self.deals_a_hand * study.plays * costs)

    def facts(self, seed: int) -> dict[str, Any]:
        """Give what decides its numbers, as JSON has it."""
        return {
            "batch": BATCH_VERSION,
            "engine": ENGINE_VERSION,
            "name": self.rules.name,
            "rules": json.loads(json.dumps(self.rules.as_dict())),
            "players": self.seating.players,
            "partners": self.seating.partners,
            "play": self.play,
            "worlds": self.example.worlds_a_turn if self.example.samples else None,
            "deals": self.deals_a_hand,
            "seed": seed,
        }

    def identity(self, seed: int) -> str:
        """Hash what decides its numbers, to 16 hexadecimal digits."""
        return identity_of(json.dumps(self.facts(seed), sort_keys=True))

    def said(self, seed: int) -> dict[str, Any]:
        """Say what it is for readers: the preset and what is changed in it."""
        preset, changes = as_preset(self.rules)
        facts = {
            name: fact
            for name, fact in self.facts(seed).items()
            if name in ("players", "partners", "play", "worlds", "deals")
        }
        of_rules = {"rules": self.rules.name, "preset": preset, "set": changes}
        return {**of_rules, **facts, "bids": self.bids, "identity": self.identity(seed)}


@dataclass(frozen=True)
class Batch:
    """Some cases, and the seed from which every hand has its own.

    Attributes
    ----------
    cases
        Each with another rule set, by name, or another play.
    seed
        From 0 to 2**64 - 1.

    Raises
    ------
    BatchError
        If two cases cannot be told apart, or there is none.
    StudyError
        If the seed is not possible.
    """

    cases: tuple[Case, ...]
    seed: int

    def __post_init__(self) -> None:
        if not self.cases:
            raise BatchError("there is nothing to evaluate: expected a rule set and a play")
        check_whole("seed", self.seed, 0, LARGEST_SEED)
        names = Counter((case.rules.name, case.play) for case in self.cases)
        (rules, play), times = names.most_common(1)[0]
        if times > 1:
            raise BatchError(
                f"rules {quoted(rules)} with {play} play are asked for {times} times: expected "
                "rule sets of different names, each play once"
            )

    @property
    def rule_sets(self) -> tuple[Rules, ...]:
        """The rule sets, each once."""
        return tuple({case.rules.name: case.rules for case in self.cases}.values())

    def facts(self) -> list[dict[str, Any]]:
        """Give what decides the numbers, as JSON has it."""
        return [case.facts(self.seed) for case in self.cases]


def cases_of(
    tables: Iterable[tuple[Rules, Seating]],
    plays: Iterable[str],
    worlds: int | None = None,
    deals: int | None = None,
) -> tuple[Case, ...]:
    """Give every rule set every play, the quick plays first.

    Parameters
    ----------
    worlds
        For those plays that sample.

    Raises
    ------
    StudyError
        If there is no such play, or none that samples and yet worlds are given.
    """
    plays = list(plays)
    if worlds is not None and not any(play in PLAYS and PLAYS[play].samples for play in plays):
        raise StudyError(f"{worlds} worlds are of use to no play here: expected expert among them")
    return tuple(
        Case(rules, seating, play, worlds if play in PLAYS and PLAYS[play].samples else None, deals)
        for rules, seating in tables
        for play in plays
    )


def difference_to(facts: Mapping[str, Any], batch: Batch) -> str | None:
    """Say why some case, by its facts, is none of a batch's; None if it is one of them."""
    name, play = facts.get("name"), facts.get("play")
    ours = [case for case in batch.cases if (case.rules.name, case.play) == (name, play)]
    if not ours:
        return f"{name} rules, {play} play are there, and not asked for here"
    return first_difference(facts, ours[0].facts(batch.seed), ("there", "here"))
