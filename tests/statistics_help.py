"""Statistical assertions: each fails about once in a million runs by chance alone."""

import numpy as np
from scipy import stats

ONE_IN_A_MILLION = 1e-6


def assert_probability(successes, trials, p):
    """Hold a count against an exact probability: a two-sided binomial test."""
    chance = stats.binomtest(int(successes), int(trials), p).pvalue
    assert chance > ONE_IN_A_MILLION, f"{successes} of {trials}, expected {p * trials:.1f}"


def assert_chi_square(statistic, degrees):
    chance = stats.chi2.sf(statistic, degrees)
    assert chance > ONE_IN_A_MILLION, f"chi-square {statistic:.1f} on {degrees} degrees"
    # Far too good a fit is as suspicious as a bad one.
    assert stats.chi2.cdf(statistic, degrees) > ONE_IN_A_MILLION


def assert_same_mean(first, second):
    """Hold two independent samples against each other: their means differ by chance only."""
    error = np.hypot(stats.sem(first), stats.sem(second))
    z = (np.mean(first) - np.mean(second)) / error
    assert 2 * stats.norm.sf(abs(z)) > ONE_IN_A_MILLION, f"means differ by {z:.1f} errors"


def assert_same_probability(first, first_trials, second, second_trials):
    """Hold two independent counts against each other."""
    table = [[first, first_trials - first], [second, second_trials - second]]
    if min(map(sum, zip(*table, strict=True))) == 0:
        return
    chance = stats.fisher_exact(table).pvalue
    assert chance > ONE_IN_A_MILLION, f"{first}/{first_trials} against {second}/{second_trials}"
