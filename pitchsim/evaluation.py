"""What a hand is worth: the answer, as numbers, as a frame, as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pitchsim.analysis import Analysis, frame_of
from pitchsim.cards import format_hand
from pitchsim.presets import as_preset
from pitchsim.running import Run
from pitchsim.study import Option, Study
from pitchsim.tally import Tally

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class LookUp:
    """An answer out of a table, for which nothing was played.

    Attributes
    ----------
    tally
        What the table has counted, of the study `same_again`; where there is none, of an identity
        that no study has that is played.
    table
        The table: its `file`, what it is `about`, and what decides its numbers, as JSON has it.
    options
        Every trump suit and lead of which the table knows something with the hand.
    same_again
        The study whose playing gives the same numbers, the options in the same order: that of the
        hand's row, in which suits may have other names. None where that is not one run.
    """

    tally: Tally
    table: Mapping[str, Any]
    options: tuple[Option, ...]
    same_again: Study | None

    @property
    def stopped_by(self) -> str:
        """What ended it: there is no more in the table."""
        return "table"

    def to_json(self, options: int) -> dict[str, Any]:
        """Say how the answer was found, as `pitchsim hand --json` does."""
        again = self.same_again
        return {
            "stopped_by": self.stopped_by,
            "table": {
                **self.table,
                "same_again": again
                and {
                    "hand": format_hand(again.known.cards_of(0)),
                    "seed": again.seed,
                    "deals": self.tally.deals,
                },
            },
            "seconds": None,
            "deals_per_second": None,
            "threads": None,
            "options_played": options,
        }


@dataclass(frozen=True)
class Evaluation:
    """What a hand is worth.

    Attributes
    ----------
    study
        What was asked, in full.
    run
        What was counted, and what ended it; or where it was looked up.
    screened
        The trump suits and leads left out after a quick look (see :mod:`pitchsim.screening`).
    """

    study: Study
    run: Run | LookUp
    screened: tuple[Option, ...] = ()

    @cached_property
    def analysis(self) -> Analysis:
        """The numbers as arrays."""
        return Analysis(self.study, self.run.tally)

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The numbers as a tidy frame: a row for each trump suit, lead and bid, best first.

        See :func:`pitchsim.analysis.frame_of` for its columns.
        """
        return frame_of(self.analysis)

    @property
    def best(self) -> pd.DataFrame:
        """The best option at each bid: the rows of `frame` that nothing is ahead of."""
        frame = self.frame.sort_values(["bid", "margin"], ascending=[True, False], kind="stable")
        return frame.drop_duplicates("bid").reset_index(drop=True)

    @property
    def limit(self) -> str | None:
        """The highest bid that gains more than it loses; None if the hand is worth none."""
        limit = self.analysis.limit
        return None if limit is None else self.study.bids[limit]

    @property
    def seed(self) -> int | None:
        """The seed with which playing gives these numbers; None where no one run does.

        After a look-up it goes with the hand of :attr:`LookUp.same_again`.
        """
        if isinstance(self.run, LookUp):
            return None if self.run.same_again is None else self.run.same_again.seed
        return self.study.seed

    def to_json(self, *, every_lead: bool = False) -> dict[str, Any]:
        """Return the evaluation as `pitchsim hand --json` prints it.

        Parameters
        ----------
        every_lead
            Whether to list all options, or only those worth listing.
        """
        analysis, study, run = self.analysis, self.study, self.run
        preset, changes = as_preset(study.rules)
        listed = list(map(int, analysis.ranking)) if every_lead else analysis.listed
        return {
            "hand": format_hand(study.known.cards_of(0)),
            "rules": preset,
            "set": changes,
            "players": study.seating.players,
            "partners": study.seating.partners,
            "known": list(study.known.texts(study.seating)),
            "play": study.play,
            "deals": run.tally.deals,
            "seed": self.seed,
            "study": run.tally.study,
            **run.to_json(len(study.options)),
            **self.about_the_play(),
            "options": [self._option_json(option) for option in listed],
            "bids": {bid: self._bid_json(place) for place, bid in enumerate(study.bids)},
            "limit": {"bid": self.limit, "by": "margin"},
        }

    def about_the_play(self) -> dict[str, Any]:
        """Say what only some plays need said, as in `to_json`.

        Of one that samples, how many `worlds` a turn; of one that looks at the bid, for which one
        `pmf`, `mean` and `points` hold (`played_for`); of a costly one, what was left out after a
        quick look (`screened`).
        """
        said: dict[str, Any] = {}
        if self.study.samples:
            said["worlds"] = self.study.worlds_a_turn
        if self.study.by_bid:
            said["played_for"] = self.study.bids[self.analysis.deciding_bid]
        if self.study.costly:
            said["screened"] = [
                {"trump": option.trump, "lead": option.lead} for option in self.screened
            ]
        return said

    def _option_json(self, option: int) -> dict[str, Any]:
        analysis, bids = self.analysis, self.study.bids
        low, high = analysis.interval
        return {
            "trump": self.study.options[option].trump,
            "lead": self.study.options[option].lead,
            "mean": float(analysis.mean[option]),
            "pmf": analysis.pmf[option].tolist(),
            "make": {
                bid: {
                    "p": float(analysis.make[option, place]),
                    "low": float(low[option, place]),
                    "high": float(high[option, place]),
                }
                for place, bid in enumerate(bids)
            },
            "change": dict(zip(bids, analysis.change[option].tolist(), strict=True)),
            "margin": dict(zip(bids, analysis.margin[option].tolist(), strict=True)),
            "points": {name: float(p[option]) for name, p in analysis.points.items()},
        }

    def _bid_json(self, bid: int) -> dict[str, Any]:
        analysis = self.analysis
        option = int(analysis.best[bid])
        return {
            "trump": self.study.options[option].trump,
            "lead": self.study.options[option].lead,
            "p": float(analysis.make[option, bid]),
            "change": float(analysis.change[option, bid]),
            "margin": float(analysis.margin[option, bid]),
        }

    def __str__(self) -> str:
        """Show the best option at each bid, as a terminal shows a frame."""
        head = f"{format_hand(self.study.known.cards_of(0))}, {self.study.rules.name} rules"
        columns = ["bid", "trump", "lead", "make", "low", "high", "change", "margin"]
        table = self.best[columns].to_string(index=False, float_format="{:.3f}".format)
        study = self.study
        if isinstance(self.run, LookUp):
            found = self.run.table
            return f"{head}\n{table}\nlooked up in {found['file']}: {found['about']}"
        play = f"{study.play} play{study.note_on_worlds}"
        return f"{head}\n{table}\n{play}, {self.run.tally.deals:,} deals, seed {study.seed}"

    def _repr_html_(self) -> str:
        """Show the best option at each bid, as a notebook shows a frame."""
        columns = ["bid", "trump", "lead", "make", "low", "high", "change", "margin"]
        return self.best[columns].to_html(index=False, float_format="{:.3f}".format)
