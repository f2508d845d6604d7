from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.lab.stats.binary import mcnemar, mcnemar_power, rejecting, tango
from youju.lab.stats.power import visible_rate

counts = st.integers(0, 30).flatmap(lambda w: st.tuples(st.just(w), st.integers(0, 30), st.integers(1, 60)))


def test_mcnemar_is_a_coin_thrown_for_each_differing_pair():
    # 1 of 8: 2 * (1 + 8) / 256.
    assert mcnemar(7, 1) == mcnemar(1, 7) == pytest.approx(18 / 256)
    assert mcnemar(0, 0) == 1.0
    assert mcnemar(3, 3) == 1.0


def test_tango_gives_the_interval_of_its_paper():
    # Tango 1998, contact lenses: 44 pairs, 1 and 0 that differ: difference .023, 95 % interval -.060 … .118 (printed
    # with the opposite roles of the two columns in some reprints; ends as recomputed there to three places).
    low, high = tango(1, 0, 44)
    assert (low, high) == pytest.approx((-0.060, 0.118), abs=2e-3)


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
