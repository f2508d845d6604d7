from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.lab.stats import wilson
from youju.lab.stats.interval import mean_interval, unseen


def test_wilson_is_the_interval_of_the_textbook():
    # 8 of 10, z = 1.959964: middle (8 + 1.920729) / 13.841459 = 0.716741; half z / 13.841459 * sqrt(1.6 + 0.960365).
    low, high = wilson(8, 10)
    assert low == pytest.approx(0.716741 - 0.226577, abs=1e-5)
    assert high == pytest.approx(0.716741 + 0.226577, abs=1e-5)


def test_a_perfect_rate_has_room_below_and_none_above():
    low, high = wilson(10, 10)
    assert high == 1.0
    assert low == pytest.approx(10 / 13.841459, abs=1e-6)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_holds_the_seen_rate_and_stays_a_rate(drawn):
    hits, n = drawn
    low, high = wilson(hits, n)
    assert 0 <= low <= hits / n <= high <= 1
    assert low < high


@pytest.mark.parametrize("hits,n", [(1, 0), (3, 2), (-1, 4)])
def test_what_is_no_rate_has_no_interval(hits, n):
    with pytest.raises(ValueError, match="no rate"):
        wilson(hits, n)


def test_a_mean_has_students_interval():
    # Mean 2, s = 1, n = 3, t(.975, 2) = 4.302653: half 4.302653 / sqrt(3).
    low, high = mean_interval(np.asarray([1.0, 2.0, 3.0]))
    assert (low, high) == pytest.approx((2 - 2.484138, 2 + 2.484138), abs=1e-5)


def test_a_column_of_ones_is_a_rate_and_not_a_certainty():
    assert mean_interval(np.ones(10)) == wilson(10, 10)


def test_one_value_that_is_no_rate_has_no_interval():
    assert mean_interval(np.asarray([0.4])) is None
    assert mean_interval(np.asarray([])) is None


def test_sixty_cases_without_a_fault_leave_five_percent():
    assert unseen(60) == pytest.approx(0.0487, abs=1e-4)
