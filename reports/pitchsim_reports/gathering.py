"""Gathering what a report tells: the hands evaluated, the strategies matched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

    from pitchsim.records import HandRecord
    from pitchsim_reports.spec import Spec


@dataclass(frozen=True)
class Parting:
    """A deal in which two strategies did not do the same.

    Attributes
    ----------
    rules
        The label of the rule set.
    story
        What each did, in sentences.
    tables
        The record of each table at which the deal was played, with who sat where.
    """

    rules: str
    story: Sequence[str]
    tables: Sequence[tuple[str, HandRecord]]


@dataclass(frozen=True)
class Gathered:
    """Everything that a report is written from.

    Attributes
    ----------
    spec
        What was asked.
    frames
        Tidy frames by their names: `worth`, `matches`, `calibration`, `levels`, `changes` and
        `convergence`, those that were asked for. `rules` is in each the label of the rule set.
    partings
        The deals in which strategies part most.
    studies
        What was simulated, and its identity.
    """

    spec: Spec
    frames: Mapping[str, pd.DataFrame]
    partings: Sequence[Parting] = ()
    studies: Sequence[tuple[str, str]] = field(default_factory=tuple)
