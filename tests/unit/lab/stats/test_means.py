from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.lab.score import error, not_applicable, ok
from youju.lab.stats import means, wilson

scores = st.lists(
    st.one_of(st.floats(0, 1).map(ok), st.just(not_applicable("no gold")), st.just(error("crashed"))), max_size=20
)


def test_the_mean_comes_in_three_ways():
    found = means([ok(1), ok(0), ok(1), error("crashed"), not_applicable("no gold")])
    assert (found.n, found.not_applicable, found.errors) == (3, 1, 1)
    assert (found.complete, found.failures_as_zero, found.worst, found.best) == pytest.approx((2 / 3, 0.5, 0.5, 0.75))
    assert (found.low, found.high) == wilson(2, 3)


def test_where_lower_is_better_a_failure_is_the_upper_end():
    found = means([ok(0), ok(0), ok(0), error("crashed")], better="lower")
    assert (found.complete, found.failures_as_zero, found.best) == (0, 0.25, 0)


def test_where_there_is_no_end_it_is_the_worst_seen():
    found = means([ok(2), ok(4), error("crashed")], better="lower", ends=None)
    assert (found.complete, found.worst, found.best) == pytest.approx((3, 10 / 3, 2))


def test_nothing_with_a_value_has_no_mean():
    found = means([error("crashed"), not_applicable("no gold")])
    assert (found.n, found.errors, found.not_applicable, found.complete, found.low) == (0, 1, 1, None, None)


@given(scores)
def test_every_case_is_counted_once_and_the_bounds_hold_the_mean(drawn):
    found = means(drawn)
    assert found.n + found.not_applicable + found.errors == len(drawn)
    if found.complete is not None:
        assert found.worst - 1e-12 <= found.complete <= found.best + 1e-12
