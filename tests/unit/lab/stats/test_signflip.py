from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.lab.stats.signflip import signflip


def test_five_gains_of_five_are_one_in_sixteen():
    assert signflip(np.asarray([1.0, 1.0, 1.0, 1.0, 1.0, 0.0])) == 2 / 32


def test_where_nothing_differs_chance_explains_everything():
    assert signflip(np.zeros(9)) == 1.0
    assert signflip(np.asarray([])) == 1.0


@given(st.lists(st.sampled_from([-1.0, -0.5, -0.1, 0.0, 0.1, 0.2, 0.5]), min_size=1, max_size=8))
def test_few_cases_are_counted_one_by_one(values):
    d = np.asarray(values)
    sums = [abs(np.dot(signs, np.abs(d))) for signs in product((-1, 1), repeat=len(d))]
    assert signflip(d) == pytest.approx(np.mean(np.asarray(sums) >= abs(d.sum()) - 1e-9))


def test_many_cases_are_drawn_and_never_give_nothing():
    assert signflip(np.ones(40)) == 1 / 10_001


def test_the_draws_are_the_same_each_time_and_others_with_another_seed():
    d = np.random.default_rng(3).normal(0.1, 1, 40)
    assert signflip(d) == signflip(d)
    assert signflip(d) != signflip(d, seed=8)


def test_drawn_and_counted_agree():
    # 17 non-zero: wins 12, losses 5; exact two-sided binomial 2 * P(X <= 5 | 17) = 2 * 9402 / 131072.
    d = np.asarray([1.0] * 12 + [-1.0] * 5)
    assert signflip(d) == pytest.approx(2 * 9402 / 131072, abs=0.01)
