from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.lab.stats import bh, holm


def test_holm_multiplies_by_what_is_left_and_never_falls():
    # Sorted .01 .03 .04: .01*3 = .03, .03*2 = .06, .04*1 = .04 but not below .06.
    assert holm([0.03, 0.01, 0.04]) == pytest.approx((0.06, 0.03, 0.06))


def test_bh_multiplies_by_the_number_over_the_rank():
    # .01*4/1 = .04, .02*4/2 = .04, .03*4/3 = .04, .5*4/4 = .5
    assert bh([0.5, 0.02, 0.01, 0.03]) == pytest.approx((0.5, 0.04, 0.04, 0.04))


def test_nothing_asked_is_nothing_answered():
    assert holm([]) == bh([]) == ()


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_corrected_values_are_no_smaller_keep_the_order_and_stay_probabilities(ps):
    for corrected in (holm(ps), bh(ps)):
        assert all(0 <= p <= q + 1e-12 and q <= 1 for p, q in zip(ps, corrected, strict=True))
        by_p = [q for _, q in sorted(zip(ps, corrected, strict=True))]
        assert by_p == sorted(by_p)
    assert all(q <= h + 1e-12 for q, h in zip(bh(ps), holm(ps), strict=True))
