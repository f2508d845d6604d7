from __future__ import annotations

import pytest
from scipy import special, stats

from youju.lab.stats import cases_needed, cases_to_exclude
from youju.lab.stats.power import visible_shift


@pytest.mark.parametrize("n", [10, 30, 100])
def test_the_visible_shift_is_seen_in_four_of_five_tries(n):
    error = 0.25 / n**0.5
    critical = stats.t.ppf(0.975, n - 1)
    assert 1 - special.nctdtr(n - 1, visible_shift(error, n - 1) / error, critical) == pytest.approx(0.8, abs=0.01)


def test_cases_are_those_of_the_textbook():
    # ((1.959964 + 0.841621) * .25 / .05)² = 196.2
    assert cases_needed(0.25, 0.05) == 197
    # A truth of −.02 leaves .03 of the margin: 545.05
    assert cases_needed(0.25, 0.05, -0.02) == 546


def test_what_cannot_be_told_apart_is_a_mistake():
    for spread, effect, assumed in ((0.2, 0.05, -0.05), (0.0, 0.1, 0.0)):
        with pytest.raises(ValueError, match="no sample"):
            cases_needed(spread, effect, assumed)


def test_ninety_nine_clean_cases_exclude_three_percent():
    assert cases_to_exclude(0.03) == 99
