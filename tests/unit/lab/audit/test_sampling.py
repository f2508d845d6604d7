from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.lab.audit.sampling import accepted, lower_limit, needed, sampled, upper_limit
from youju.lab.dataset import Case


def cases(**counts: int) -> list[Case]:
    return [
        Case(id=f"{name}-{n}", category=name, question=f"第 {n} 个问题是什么？", answerable=name != "unanswerable")
        for name, many in counts.items()
        for n in range(many)
    ]


def test_the_same_seed_draws_the_same_sample_in_the_order_of_the_set():
    whole = cases(factual=80, howto=40)
    once = sampled(whole, 30, seed=7)
    assert once == sampled(whole, 30, seed=7)
    assert once != sampled(whole, 30, seed=8)
    assert [whole.index(one) for one in once] == sorted(whole.index(one) for one in once)


def test_every_stratum_gives_its_share_and_a_small_one_is_not_left_out():
    drawn = sampled(cases(factual=300, howto=98, multihop=2), 40)
    found = Counter(case.category for case in drawn)
    # One each, and 37 more by size: 37 × 299/397 = 27.9, 37 × 97/397 = 9.04, 37 × 1/397 = .09.
    assert found == {"factual": 29, "howto": 10, "multihop": 1}


def test_a_small_set_is_looked_at_whole():
    whole = cases(factual=20)
    assert sampled(whole, 60) == whole


@given(st.lists(st.integers(1, 60), min_size=1, max_size=5), st.integers(5, 120))
def test_a_sample_has_the_size_asked_for_and_no_case_twice(sizes, size):
    names = ("factual", "howto", "comparison", "reasoning", "unanswerable")
    whole = cases(**dict(zip(names, sizes, strict=False)))
    drawn = sampled(whole, size)
    assert len({one.id for one in drawn}) == len(drawn) == min(size, len(whole))


def test_no_fault_in_sixty_proves_at_most_one_in_twenty():
    assert upper_limit(0, 60) == pytest.approx(1 - 0.05 ** (1 / 60))  # (1 − p)^60 = .05
    assert upper_limit(0, 60) <= 0.05 < upper_limit(0, 58)
    assert needed(0) == 59
    assert accepted(0, 60, 417).verdict == "accepted"


def test_the_numbers_needed_are_those_of_the_tables_of_acceptance_sampling():
    assert [needed(c) for c in range(4)] == [59, 93, 124, 153]


def test_a_limit_of_what_cannot_be_told_is_the_widest():
    assert (upper_limit(0, 0), upper_limit(5, 5), lower_limit(0, 60)) == (1.0, 1.0, 0.0)


def test_one_fault_asks_for_more_cases_and_many_reject():
    one = accepted(1, 60, 417)
    assert (one.verdict, one.more) == ("not yet", 33)
    assert "再看 33 题" in one.message
    assert accepted(10, 60, 417).verdict == "rejected"
    assert accepted(0, 0, 417).more == 59


def test_a_set_seen_whole_is_judged_by_its_share():
    assert accepted(0, 12, 12).verdict == "accepted"
    assert accepted(1, 12, 12).verdict == "rejected"
    assert accepted(1, 20, 20).verdict == "accepted"


@pytest.mark.parametrize("counts", [(3, 2, 10), (0, 11, 10), (-1, 2, 10)])
def test_counts_that_cannot_be_are_a_mistake_in_the_code(counts):
    with pytest.raises(ValueError, match="cannot be"):
        accepted(*counts)
