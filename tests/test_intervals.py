import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from pitchsim.intervals import Z95, Estimate, half_width, wilson


def test_the_quantile():
    assert pytest.approx(stats.norm.ppf(0.975), abs=1e-12) == Z95


@given(st.integers(1, 10**7).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_is_scipys_and_holds_the_estimate(counts):
    successes, trials = counts
    low, high = wilson(successes, trials)
    expected = stats.binomtest(successes, trials).proportion_ci(method="wilson")
    assert low == pytest.approx(expected.low, abs=1e-9)
    assert high == pytest.approx(expected.high, abs=1e-9)
    assert 0 <= low <= successes / trials <= high <= 1


def test_certain_things_have_an_interval_too():
    low, high = wilson([0, 100], 100)
    assert low[0] == 0
    assert 0 < high[0] < 0.05
    assert high[1] == 1
    assert 0.95 < low[1] < 1


def test_half_width_is_that_of_a_mean():
    sample = np.random.default_rng(1).normal(3, 2, 10_000)
    half = half_width(np.mean(sample**2), sample.mean(), len(sample))
    assert half == pytest.approx(Z95 * stats.sem(sample))


def test_a_mean_that_never_varied_is_not_certain():
    _, unseen = wilson(0, 10)
    assert half_width(4.0, 2.0, 10) == pytest.approx(unseen)
    assert half_width(1 - 1e-16, 1.0, 10) == pytest.approx(unseen)


def test_a_single_deal_tells_nothing():
    assert half_width([4.0, 1.0], [2.0, 1.0], 1).tolist() == [np.inf, np.inf]


@pytest.mark.parametrize(
    ("mean", "half", "too_close"),
    [(1.0, 0.5, False), (-1.0, 0.5, False), (0.5, 0.5, True), (np.nan, np.inf, True)],
)
def test_what_cannot_be_told_from_zero(mean, half, too_close):
    assert Estimate(mean, half).too_close == too_close
