"""Leaving out what is hardly worth a look, where playing it takes long."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pitchsim.analysis import Analysis
from pitchsim.plays import QUICK
from pitchsim.simulation import Simulation
from pitchsim.study import Option, Study, seed_for
from pitchsim.warmup import warm_up

#: Deals of the quick look: tens of milliseconds, and margins good to some hundredths of a point.
SCREENING_DEALS = 10_000
# Random and basic play, which should differ more than basic play and a strong one, were put to
# screen for each other, over 200 hands in each of partners, solo, setback and ten-point. An eighth
# of the points and three options a bid kept half of the options, the best one among them at 98 % of
# bids or more; the mean loss was less than 0.01 points. Two options a bid lost the best about twice
# as often as three, and so did a fixed half point in ten-point.
SHARE_BEHIND = 1 / 8
MOST_AT_A_BID = 3


def screen(study: Study) -> tuple[Study, tuple[Option, ...]]:
    """Take a quick look at a study whose play is costly, and leave out options far behind.

    At each bid the best option by the quick play stays, and at most two more whose margin is no
    more than an eighth of all the points behind it. What stays for one bid is played for all. The
    deals of the quick look are others than the study's own.

    Returns
    -------
    study
        What is left of it; a study whose play is not costly stays as it is.
    dropped
        The options left out.
    """
    if not study.costly:
        return study, ()
    warm_up(QUICK)
    seed = seed_for("to screen", study.seed)
    quick = replace(study, play=QUICK, defence=QUICK, worlds=None, seed=seed)
    kept = worth_a_look(Analysis(quick, Simulation(quick).count(0, SCREENING_DEALS)))
    options = tuple(option for option in study.options if option in kept)
    dropped = tuple(option for option in study.options if option not in kept)
    return replace(study, options=options), dropped


def worth_a_look(analysis: Analysis) -> set[Option]:
    """Choose the options that are best, or close behind the best, at some bid."""
    options, rules = analysis.study.options, analysis.study.rules
    kept: set[Option] = set()
    for margins in analysis.margin.T:
        best = np.argsort(-margins, kind="stable")[:MOST_AT_A_BID]
        near = margins[best] >= margins[best[0]] - SHARE_BEHIND * rules.total
        kept.update(options[place] for place in best[near])
    return kept
