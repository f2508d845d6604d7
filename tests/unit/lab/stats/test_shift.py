from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.lab.stats.shift import grouped, percentile, shift


def test_each_case_its_own_group_is_plain_student():
    found = shift(np.asarray([1.0, 2.0, 3.0, 6.0]), np.arange(4))
    # s² = 14/3, error sqrt(14/12), df 3, t 3.182446.
    assert found.error == pytest.approx(math.sqrt(14 / 12))
    assert found.df == pytest.approx(3)
    assert found.interval.high - 3 == pytest.approx(3.182446 * math.sqrt(14 / 12), abs=1e-5)


def test_equal_groups_have_the_student_interval_of_their_means():
    d = np.asarray([0.0, 1.0, 2.0, 3.0, 4.0, 8.0])
    by_pair = shift(d, np.asarray([0, 0, 1, 1, 2, 2]))
    of_means = shift(np.asarray([0.5, 2.5, 6.0]), np.arange(3))
    assert by_pair.interval == pytest.approx(of_means.interval)
    assert by_pair.df == pytest.approx(2)


@given(st.lists(st.tuples(st.integers(0, 4), st.floats(-1, 1)), min_size=5, max_size=30))
def test_unequal_groups_have_fewer_degrees_of_freedom_than_groups(drawn):
    groups = grouped([one[0] for one in drawn])
    if groups.max() == 0:
        return
    found = shift(np.asarray([one[1] for one in drawn]), groups)
    assert 0 < found.df <= groups.max() + 1e-9


def test_groups_are_numbered_as_they_come():
    assert grouped(["b", "a", "b", "c"]).tolist() == [0, 1, 0, 2]


def test_resampled_means_lie_about_the_mean_and_are_the_same_each_time():
    d = np.asarray([0.0] * 80 + [1.0] * 40)
    low, high = percentile(d)
    # A third of 120: standard error sqrt(2/9/120) = .0430.
    assert (low, high) == pytest.approx((1 / 3 - 1.96 * 0.0430, 1 / 3 + 1.96 * 0.0430), abs=0.01)
    assert percentile(d) == (low, high)
