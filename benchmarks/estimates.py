"""What pitchsim/STATISTICS.md says was measured: pairing, stopping, and the best of several leads.

`python -m benchmarks.estimates` prints it, in some minutes. Hands are random ones that are worth a
bid by `basic`, at the highest such bid.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pitchsim.analysis import Analysis
from pitchsim.cards import full_deck
from pitchsim.engine import HAND_SIZE
from pitchsim.evaluating import make_study
from pitchsim.presets import load_preset
from pitchsim.running import Stop, run
from pitchsim.simulation import Simulation
from pitchsim.study import Study
from pitchsim.warmup import warm_up

PRESETS = ("partners", "solo", "ten-point")
SEED = 1
HANDS = 60
LOOK = 20_000  # deals from which a hand's bid is chosen
SURE = 200_000  # deals that stand for the truth about which lead is best
#: Numbers of deals, and how many runs of so many.
LOOKS = ((100, 200), (1_000, 200), (10_000, 20), (100_000, 4))
#: A hand, its lead and bid, whose chance is neither near 0 nor near 1.
STOPPED = ("AS JS TS 5S KH 2D", "AS", "4")
PRECISIONS = ((0.02, 10_000), (0.01, 5_000))


def main() -> None:
    warm_up("basic")
    for preset in PRESETS:
        print(f"== {preset} ==")
        studies = list(hands_worth_a_bid(preset))
        _print_pairing(studies)
        _print_best_of_several(studies)
    print("== stopping at a precision ==")
    _print_stopping()


def hands_worth_a_bid(preset: str) -> Iterator[Study]:
    """Give studies of random hands with two options or more, each of the bid that it is worth."""
    deck, dealer, found = full_deck(load_preset(preset).jokers), random.Random(SEED), 0
    while found < HANDS:
        study = make_study(dealer.sample(deck, HAND_SIZE), preset, seed=SEED)
        limit = counted(study, LOOK).limit
        if limit is not None and len(study.options) > 1:
            found += 1
            yield replace(study, bid=study.bids[limit])


def counted(study: Study, deals: int, seed: int = SEED) -> Analysis:
    """Count so many deals of a study, with another seed."""
    study = replace(study, seed=seed)
    return Analysis(study, Simulation(study).count(0, deals))


def _print_pairing(studies: list[Study]) -> None:
    """Print how wide the lead over the next option is, paired and unpaired."""
    ratios: dict[bool, list[float]] = {True: [], False: []}
    for study in studies:
        analysis = counted(study, LOOK)
        best, other = map(int, analysis.ranking[:2])
        _, paired = analysis.behind(0, best)
        own = analysis.margin_half_width[:, 0]
        same = study.options[best].trump == study.options[other].trump
        ratios[same].append(float(np.hypot(own[best], own[other]) / paired[other]))
    for same, found in ratios.items():
        low, middle, high = np.percentile(found, (25, 50, 75))
        print(
            f"{len(found):3} hands, next option in {'the same suit' if same else 'another suit'}: "
            f"unpaired {middle:.2f} times as wide ({low:.2f} to {high:.2f}), "
            f"that is {middle**2:.1f} times the deals ({low**2:.1f} to {high**2:.1f})"
        )


def _print_best_of_several(studies: list[Study]) -> None:
    """Print by how much the best option's margin is too high, and what choosing it costs.

    Each run chooses an option, and the next run, of other deals, says what it is worth. Both are
    held against the option that is truly best, on the same deals: so only the runs that choose
    another one count, and deals that are good or bad for all options cancel.
    """
    truly_best = [int(counted(study, SURE, seed=2).best[0]) for study in studies]
    for deals, runs in LOOKS:
        found = [_best_of(*pair, deals, runs) for pair in zip(studies, truly_best, strict=True)]
        high, cost, other = np.mean(found, axis=0)
        worst = np.max(found, axis=0)
        print(
            f"{deals:7,} deals: the best option's margin {high:.4f} too high in the mean "
            f"({worst[0]:.3f} for the worst hand), its choice costs {cost:.4f} ({worst[1]:.3f}); "
            f"another option than the best in {other:.1%} of runs"
        )


def _best_of(study: Study, best: int, deals: int, runs: int) -> tuple[float, float, float]:
    margins = np.array([counted(study, deals, seed=10 + i).margin[:, 0] for i in range(runs)])
    ahead = margins - margins[:, [best]]
    chosen = margins.argmax(axis=1)
    place = np.arange(runs)
    seen, real = ahead[place, chosen], np.roll(ahead, -1, axis=0)[place, chosen]
    return float((seen - real).mean()), float((-real).mean()), float((chosen != best).mean())


def _print_stopping() -> None:
    hand, lead, bid = STOPPED
    study = make_study(hand, "partners", lead=lead, bid=bid)
    truth = float(counted(study, 20_000_000, seed=2).make[0, 0])
    print(f"{hand}, {lead} led, a bid of {bid}: {truth:.3%} in 20,000,000 deals")
    for precision, runs in PRECISIONS:
        stop = Stop(precision=precision)
        found = np.array([_stopped(replace(study, seed=10 + i), stop) for i in range(runs)])
        _print_runs(f"until ±{precision:.0%}", found, truth)
        deals = round(float(found[:, 3].mean()))
        stop = Stop(deals=deals)
        found = np.array([_stopped(replace(study, seed=10 + i), stop) for i in range(runs)])
        _print_runs(f"always {deals:,} deals", found, truth)


def _stopped(study: Study, stop: Stop) -> tuple[float, float, float, int]:
    """Run a study: the chance, the ends of its interval, and how many deals it took."""
    finished = run(
        Simulation(study), stop, width=lambda tally: Analysis(study, tally).width, threads=1
    )
    analysis = Analysis(study, finished.tally)
    low, high = analysis.interval
    return float(analysis.make[0, 0]), float(low[0, 0]), float(high[0, 0]), finished.tally.deals


def _print_runs(name: str, found: NDArray[np.float64], truth: float) -> None:
    make, low, high, deals = found.T
    error = make.std(ddof=1) / np.sqrt(len(make))
    holds = ((low <= truth) & (truth <= high)).mean()
    print(
        f"{name}: {len(found):,} runs of {deals.min():,.0f} to {deals.max():,.0f} deals; "
        f"the mean is {make.mean() - truth:+.4%} ± {error:.4%} off (one standard error), "
        f"{holds:.1%} of the intervals hold the truth"
    )


if __name__ == "__main__":
    main()
