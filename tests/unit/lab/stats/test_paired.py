from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.lab.stats import noninferior, paired
from youju.lab.stats.binary import tango

figures = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=12)


def test_continuous_figures_have_means_a_difference_and_its_students_interval():
    found = paired([0.2, 0.4, 0.6, 0.8], [0.3, 0.4, 0.9, 0.8])
    # d = .1 0 .3 0: mean .1, s² = (0 + .01 + .04 + .01) / 3 = .02, error sqrt(.005).
    assert (found.n, found.wins, found.ties, found.losses) == (4, 2, 2, 0)
    assert (found.mean_a, found.mean_b, found.delta) == pytest.approx((0.5, 0.6, 0.1))
    assert found.high - found.delta == pytest.approx(3.182446 * math.sqrt(0.005), abs=1e-5)
    assert found.p == 0.5  # two that differ: sums of size .4 are 2 of 4
    assert (found.method, found.note) == ("t", "")
    # (t(.975, 3) + t(.8, 3)) * error = (3.182446 + 0.978472) * .070711
    assert found.mde == pytest.approx(4.160918 * math.sqrt(0.005), abs=1e-5)


def test_yes_and_no_have_exact_mcnemar_and_tango():
    found = paired([0] * 8 + [1] * 12, [1] * 7 + [0] + [1] * 11 + [0], binary=True)
    assert (found.wins, found.losses, found.method) == (7, 1, "tango")
    assert found.p == pytest.approx(18 / 256)
    assert (found.low, found.high) == tango(7, 1, 20)


def test_means_of_repeats_are_no_yes_and_no():
    assert paired([0, 1, 1, 0], [1, 1, 0.5, 0], binary=True).method == "t"


def test_where_no_case_differs_the_interval_says_how_often_they_still_may():
    found = paired([0.5] * 20, [0.5] * 20)
    assert (found.delta, found.p, found.note) == (0.0, 1.0, "no_difference")
    assert found.high == -found.low == found.mde == pytest.approx(1 - 0.05 ** (1 / 20))


def test_no_case_and_a_single_one_say_nothing():
    assert paired([], []).note == "no_cases"
    alone = paired([0.0], [1.0])
    assert (alone.n, alone.delta, alone.p, alone.low, alone.high, alone.mde) == (1, 1.0, 1.0, -math.inf, math.inf, None)


def test_columns_that_are_no_pairs_are_a_mistake():
    with pytest.raises(ValueError, match="no pairs"):
        paired([1.0], [1.0, 0.0])
    with pytest.raises(ValueError, match="no pairs"):
        paired([1.0], [1.0], clusters=[])
    with pytest.raises(ValueError, match="not finite"):
        paired([1.0, 2.0], [1.0, math.nan])


def test_from_a_hundred_cases_on_two_ways_agree():
    rng = np.random.default_rng(5)
    a = rng.random(100)
    found = paired(a, a + rng.choice([0.0, 0.2, -0.1], 100))
    assert (found.method, found.note) == ("t+bootstrap", "")


def test_where_the_two_ways_disagree_the_wider_is_reported_and_it_says_so():
    # One huge difference in a hundred: resamples with none of it pull the lower end up to 0.
    found = paired([0.0] * 100, [100.0] + [0.0] * 99)
    assert found.note in {"t_wider", "bootstrap_wider"}
    assert found.high - found.low >= 3.0


def test_cases_of_one_document_count_as_one_when_they_move_together():
    documents = [name for name in "abcdefghij" for _ in range(4)]
    moves = [size for size in (0.3, 0.2, -0.2, 0.1, 0.4, -0.1, 0.3, 0.2, 0.0, 0.1) for _ in range(4)]
    alone, together = paired([0.0] * 40, moves), paired([0.0] * 40, moves, clusters=documents)
    assert together.delta == alone.delta
    assert together.high - together.low > 1.8 * (alone.high - alone.low)
    assert together.p > alone.p
    assert (together.method, together.clusters, together.note) == ("cluster_t", 10, "")


def test_few_documents_are_said_to_be_few():
    found = paired([0.0] * 6, [0.1, 0.2, 0.3, 0.1, 0.1, 0.1], clusters=list("aabbcc"))
    assert (found.note, found.clusters) == ("few_clusters", 3)
    assert found.p == 0.25
    assert paired([0.0] * 3, [0.1] * 3, clusters="aaa").high == math.inf


def test_documents_of_one_case_each_change_nothing():
    a, b = [0.1, 0.5, 0.3], [0.2, 0.4, 0.9]
    assert paired(a, b, clusters="xyz") == paired(a, b)


def test_yes_and_no_of_documents_have_the_wider_of_two_intervals():
    a, b = [0] * 40, [1] + [0] * 39
    found = paired(a, b, binary=True, clusters=[i // 4 for i in range(40)])
    low, high = tango(1, 0, 40)
    assert found.high - found.low >= high - low


@given(figures)
def test_the_sides_turned_round_are_the_same_difference_with_the_other_sign(drawn):
    a, b = [one[0] for one in drawn], [one[1] for one in drawn]
    there, back = paired(a, b), paired(b, a)
    assert (there.delta, there.low, there.high) == pytest.approx((-back.delta, -back.high, -back.low), abs=1e-9)
    assert (there.wins, there.losses) == (back.losses, back.wins)
    assert there.p == pytest.approx(back.p)


@given(figures, st.randoms(use_true_random=False))
def test_the_order_of_the_cases_does_not_matter(drawn, random):
    mixed = random.sample(drawn, len(drawn))
    first, second = (paired([one[0] for one in rows], [one[1] for one in rows]) for rows in (drawn, mixed))
    assert (first.delta, first.low, first.p) == pytest.approx((second.delta, second.low, second.p), abs=1e-9)
    assert 0 < first.p <= 1
    assert first.wins + first.ties + first.losses == first.n


def test_not_worse_is_read_off_the_interval():
    same, lost = paired([1.0] * 100, [1.0] * 100), paired([1.0] * 20, [0.0, 0.1] * 10)
    assert noninferior(same, 0.03) == "yes"
    assert noninferior(same, 0.02) == "unclear"
    assert noninferior(lost, 0.5) == "no"
    assert noninferior(lost, 0.5, lower_is_better=True) == "yes"
