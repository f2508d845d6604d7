from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.lab.stats.binary import mcnemar, mcnemar_power, rejecting, tango
from youju.lab.stats.interval import wilson
from youju.lab.stats.power import visible_rate

counts = st.integers(0, 30).flatmap(lambda w: st.tuples(st.just(w), st.integers(0, 30), st.integers(1, 60)))


def test_mcnemar_is_a_coin_thrown_for_each_differing_pair():
    # 1 of 8: 2 * (1 + 8) / 256.
    assert mcnemar(7, 1) == mcnemar(1, 7) == pytest.approx(18 / 256)
    assert mcnemar(0, 0) == 1.0
    assert mcnemar(3, 3) == 1.0


def test_where_no_pair_goes_the_other_way_the_upper_end_is_that_of_wilson():
    assert tango(1, 0, 44).high == pytest.approx(wilson(1, 44).high)
    assert tango(9, 0, 20).high == pytest.approx(wilson(9, 20).high)


def test_the_ends_are_where_the_score_test_just_rejects():
    # 44 pairs, one win, against a true −.0595 (turned round: one loss, +.0595): the rate of losses that fits best is
    # (sqrt(4.2955² + 352 · .05596) − 4.2955) / 176 = .01069; variance 44 (.02138 + .05596) = 3.4028; score
    # 3.618 / 1.8447 = 1.9613: just rejected. Against −.059 it is 3.596 / 1.8395 = 1.9548: just not.
    assert -0.0595 < tango(1, 0, 44).low < -0.059


@given(counts)
def test_tango_holds_the_seen_difference_and_turns_with_the_sides(drawn):
    wins, losses, ties = drawn
    n = wins + losses + ties
    low, high = tango(wins, losses, n)
    assert -1 <= low <= (wins - losses) / n <= high <= 1
    other = tango(losses, wins, n)
    assert (-other.high, -other.low) == pytest.approx((low, high), abs=1e-9)


def test_power_is_what_enumeration_gives():
    # Six pairs that all differ in one direction: p = 2/64, always seen; five: 2/32, never.
    assert mcnemar_power(rejecting(6), 1.0, 1.0) == pytest.approx(1.0)
    assert mcnemar_power(rejecting(5), 1.0, 1.0) == pytest.approx(0.0)


def test_no_difference_can_be_seen_in_five_pairs():
    assert visible_rate(5, 0.5) is None
    assert visible_rate(6, 0.5) is not None


def test_more_pairs_show_smaller_differences():
    seen = [visible_rate(n, 0.2) for n in (20, 50, 100, 300)]
    assert seen == sorted(seen, reverse=True)
    # The simple normal sum at 300 pairs and discordance .2: 2.8016 * sqrt(.2 / 300) = .0723.
    assert seen[-1] == pytest.approx(0.0723, abs=0.003)
