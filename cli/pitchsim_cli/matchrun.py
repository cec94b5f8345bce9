"""Matches that were played, and how programs read of them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pitchsim.matches.matching import MatchPlan
from pitchsim.matches.result import Match, MatchResult
from pitchsim.presets import as_preset
from pitchsim_cli.output import json_value

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class MatchRun:
    """Matches that were played.

    Attributes
    ----------
    plan, result
        What was asked, and what came of it.
    seconds
        How long they took, after compilation and the making of tables.
    threads
        How many worked on it.
    """

    plan: MatchPlan
    result: MatchResult
    seconds: float
    threads: int

    @property
    def hands(self) -> int:
        """How many hands were played in all."""
        return sum(match.hands for match in self.result.matches)

    @property
    def games(self) -> int | None:
        """How many games each pair played; None if only hands were."""
        return self.result.matches[0].games

    @property
    def hands_a_pair(self) -> int | None:
        """How many hands each pair played; None if games were."""
        return None if self.games else self.result.matches[0].hands

    def to_json(self) -> dict[str, Any]:
        """Return them as `pitchsim match --json` prints them."""
        plan, result = self.plan, self.result
        preset, changes = as_preset(plan.rules)
        return {
            "rules": preset,
            "set": changes,
            "players": plan.seating.players,
            "partners": plan.seating.partners,
            "games": self.games,
            "hands": self.hands_a_pair,
            "interrupted": result.interrupted,
            "seed": plan.seed,
            "match": result.identity,
            "seconds": self.seconds,
            "hands_per_second": round(self.hands / self.seconds),
            "threads": self.threads,
            "strategies": [
                {
                    "name": strategy.name,
                    "title": strategy.title,
                    "play": strategy.player.play,
                    "worlds": strategy.player.worlds_a_turn or None,
                }
                for strategy in plan.strategies
            ],
            "matches": [_match(match) for match in result.matches],
            "standings": [
                {
                    "strategy": standing.name,
                    "difference": standing.difference.mean,
                    "half_width": json_value(standing.difference.half_width),
                    "ahead": standing.ahead,
                    "close": standing.close,
                    "behind": standing.behind,
                }
                for standing in result.standings
            ],
            **{
                name: _records(getattr(result, name))
                for name in ("levels", "changes", "calibration")
            },
        }


def _match(match: Match) -> dict[str, Any]:
    """Write what came of a pair."""
    difference, share = match.difference, match.share
    one, other, nobody = match.tally.games.tolist()
    return {
        "one": match.one,
        "other": match.other,
        "difference": difference.mean,
        "half_width": json_value(difference.half_width),
        "too_close": difference.too_close,
        "needed": match.needed,
        "needed_games": match.needed_games,
        "hands": match.hands,
        "thrown_in": match.tally.thrown_in,
        "games": match.games,
        "share": None if share is None else share.mean,
        "share_half_width": None if share is None else json_value(share.half_width),
        "won": None if share is None else {"one": one, "other": other, "nobody": nobody},
        "hands_a_game": None if match.games is None else match.hands / match.games,
    }


def _records(frame: "pd.DataFrame") -> list[dict[str, Any]]:
    """Write the rows of a frame, but for the rule set, which is the same in all."""
    records = frame.drop(columns="rules").to_dict("records")
    return [{str(name): json_value(value) for name, value in record.items()} for record in records]
