"""Gathering what a report tells: the hands evaluated, the strategies matched."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from pitchsim_reports.report.partings import Parting, partings_of
from pitchsim_reports.report.spec import AskedHands, AskedMatch, Spec
from pitchsim_reports.report.worthviews import Pair, pairs_of

if TYPE_CHECKING:
    import pandas as pd

    from pitchsim.batches.batch import Batch
    from pitchsim.batches.hands import Hands
    from pitchsim.batches.running import BatchProgress
    from pitchsim.matches.matching import MatchPlan
    from pitchsim.matches.result import MatchResult

#: The folder of a report in which its data are, and what is done of an unfinished one.
DATA = "data"
#: The frames of what came of matches.
MATCH_FRAMES = ("matches", "calibration", "levels", "changes", "convergence")

#: Called with what is being done, and with the share of that which is done.
Progress = Callable[[str, float], None]


@dataclass(frozen=True)
class Gathered:
    """Everything that a report is written from.

    Attributes
    ----------
    spec
        What was asked.
    frames
        Tidy frames by their names: `worth` and those of `MATCH_FRAMES`, if they were asked for.
        `rules` is in each the label of the rule set.
    partings
        The deals in which strategies part most.
    studies
        What was simulated, and its identity.
    bad_lines
        How many lines of the file of hands hold none.
    """

    spec: Spec
    frames: Mapping[str, pd.DataFrame]
    partings: Sequence[Parting] = ()
    studies: Sequence[tuple[str, str]] = ()
    bad_lines: int = 0

    @cached_property
    def pairs(self) -> list[Pair]:
        """The hands under the first rule set, paired with the same under each other one."""
        return pairs_of(self.frames["worth"], self.spec.rules)


def gather(
    spec: Spec,
    folder: Path,
    *,
    command: str,
    threads: int | None = None,
    progress: Progress | None = None,
    tell: Callable[[str], None] | None = None,
) -> Gathered:
    """Evaluate the hands and play the matches that a specification asks for.

    Whatever can be refused is refused before the long work: hands that are none, a folder that
    holds another batch, strategies that do not fit a table. The hands that are evaluated are kept
    in the folder as they come, so that the same again goes on with them.

    Parameters
    ----------
    folder
        That of the report.
    command
        What the data say they were made by.
    threads
        How many work; None for as many as there are processors.
    progress
        Called again and again.
    tell
        Is told of damage that was found; None warns of it.

    Raises
    ------
    PitchsimError
        If anything asked for is not possible, or the folder holds another batch.
    KeyboardInterrupt
        If interrupted.
    """
    say = progress or (lambda _doing, _share: None)
    to_evaluate = None
    if spec.hands is not None:
        hands, batch = _hands(spec, spec.hands), _batch(spec, spec.hands)
        to_evaluate = _ToEvaluate(batch, hands, folder / DATA, _Once(tell or warnings.warn))
        to_evaluate.look()
    plans = [] if spec.match is None else list(_plans(spec, spec.match, say))
    frames: dict[str, pd.DataFrame] = {}
    studies: list[tuple[str, str]] = []
    bad_lines = 0
    if to_evaluate is not None:
        frames["worth"] = to_evaluate.evaluate(command, threads, say)
        studies.append(("Hands", _study_in(folder / DATA)))
        bad_lines = len({bad.number for bad in to_evaluate.hands.bad})
    results = list(_played(plans, threads, say))
    if spec.match is not None:
        frames |= _match_frames(results)
        studies += [(f"Match, {result.rules.name}", result.identity) for result in results]
        shown = [part for result in results for part in partings_of(result, spec.match.show)]
        return Gathered(spec, frames, shown, studies, bad_lines)
    return Gathered(spec, frames, (), studies, bad_lines)


def _hands(spec: Spec, asked: AskedHands) -> Hands:
    from pitchsim.batches.hands import random_hands, read_hands  # noqa: PLC0415  (loads numba)

    rule_sets = [one.rules for one in spec.rules]
    if asked.file is not None:
        return read_hands(str(asked.file), rule_sets)
    return random_hands(asked.count or 0, spec.seed, rule_sets)


def _batch(spec: Spec, asked: AskedHands) -> Batch:
    from pitchsim.batches.batch import Batch, cases_of  # noqa: PLC0415  (loads numba)

    tables = [(one.rules, one.seating) for one in spec.rules]
    return Batch(cases_of(tables, [spec.play], deals=asked.deals), spec.seed)


@dataclass(frozen=True)
class _ToEvaluate:
    """The hands of a report, and the folder that they are kept in."""

    batch: Batch
    hands: Hands
    folder: Path
    tell: Callable[[str], None]

    def look(self) -> None:
        """Refuse a folder that holds another batch."""
        from pitchsim.batches.store import BatchStore  # noqa: PLC0415  (loads numba)

        if self.folder.exists():
            with BatchStore(self.folder, self.batch, self.hands, self.tell):
                pass

    def evaluate(self, command: str, threads: int | None, say: Progress) -> pd.DataFrame:
        """Evaluate them."""
        from pitchsim.batches.running import run_batch  # noqa: PLC0415  (loads numba)

        def show(progress: BatchProgress) -> None:
            say("evaluating hands", progress.done / progress.total)

        made = run_batch(
            self.batch,
            self.hands,
            self.folder,
            command=command,
            threads=threads,
            progress=show,
            tell=self.tell,
        )
        if not made.finished:
            raise KeyboardInterrupt
        return made.frame


@dataclass(frozen=True)
class _Once:
    """Tells everything once, however often it is found."""

    tell: Callable[[str], None]
    told: set[str] = field(default_factory=set)

    def __call__(self, message: str) -> None:
        if message not in self.told:
            self.told.add(message)
            self.tell(message)


def _study_in(folder: Path) -> str:
    """Return the identity of the hands that were evaluated."""
    from pitchsim.batches.store import ABOUT  # noqa: PLC0415  (loads numba)

    return str(json.loads((folder / ABOUT).read_text(encoding="utf-8"))["study"])


def _plans(spec: Spec, match: AskedMatch, say: Progress) -> Iterator[MatchPlan]:
    """Plan the match under each rule set; every strategy is seated and watched for a while."""
    from pitchsim.matches.matching import plan_matches  # noqa: PLC0415  (loads numba)

    for place, one in enumerate(spec.rules):
        say("seating the strategies", place / len(spec.rules))
        plan = plan_matches(
            match.strategies,
            one.rules,
            one.seating,
            hands=match.hands,
            games=match.games,
            seed=spec.seed,
        )
        plan.pairings  # noqa: B018  (refuses strategies that do not fit)
        yield plan


def _played(
    plans: Sequence[MatchPlan], threads: int | None, say: Progress
) -> Iterator[MatchResult]:
    from pitchsim.matches.matching import play_matches  # noqa: PLC0415  (loads numba)

    for place, plan in enumerate(plans):

        def show(share: float, place: int = place) -> None:
            say("playing matches", (place + share) / len(plans))

        result = play_matches(plan, threads=threads, progress=show)
        if result.interrupted:
            raise KeyboardInterrupt
        yield result


def _match_frames(results: Sequence[MatchResult]) -> dict[str, pd.DataFrame]:
    import pandas as pd  # noqa: PLC0415  (slow to load)

    frames = {}
    for name in MATCH_FRAMES:
        each = [getattr(result, "frame" if name == "matches" else name) for result in results]
        frames[name] = pd.concat([one for one in each if len(one)] or each[:1], ignore_index=True)
    return frames
