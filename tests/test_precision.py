"""Numbers as precise as they are known: what is told from zero is seen to be."""

import math

import pytest

from pitchsim.precision import about, decimals_for, rounded_down, rounded_up, telling_decimals


@pytest.mark.parametrize(
    ("mean", "half", "decimals"),
    [
        (0.2771, 0.0411, 3),
        (-1.5, 0.123, 2),
        (2.0, 1.0, 2),
        (0.00123, 0.00045, 4),
        (0.234, 0.229, 3),  # told, and with two decimals it would be 0.23 ±0.23
        (-0.1999, 0.2, 4),  # not told, and with three decimals it would be 0.200 both
        (0.2, 0.2, 2),
        (0.0, 0.0, 2),
        (1.0, math.inf, 2),
    ],
)
def test_decimals_show_which_is_larger(mean, half, decimals):
    assert decimals_for(mean, half) == decimals


@pytest.mark.parametrize(("mean", "half"), [(0.50004, 0.49996), (0.49996, 0.50004), (0.31, 0.3)])
def test_both_as_written_tell_what_is_true(mean, half):
    decimals = telling_decimals(mean, half, 1)
    written = round(mean, decimals), rounded_up(half, decimals)
    assert (written[0] > written[1]) is (mean > half)
    assert written[0] != written[1]


def test_rounding_goes_outwards_but_not_for_noise():
    assert rounded_up(0.2301, 2) == 0.24
    assert rounded_up(100 * 0.07, 0) == 7
    assert rounded_down(100 * 0.29, 0) == 29
    assert rounded_down(-0.231, 2) == -0.24


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (7, "about 7"),
        (481_234, "about 480,000"),
        (996, "about 1,000"),
        (3e9, "over a hundred million"),
    ],
)
def test_large_numbers_have_two_figures(count, text):
    assert about(count) == text
