from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from builders import item
from youju.stages.budget import fit

ITEMS = st.lists(st.integers(1, 400), min_size=1, max_size=12).map(
    lambda sizes: [item(n, "字" * size) for n, size in enumerate(sizes, start=1)]
)


def test_the_first_one_stays_even_alone_over_the_budget() -> None:
    assert [one.n for one in fit([item(1, "字" * 900)], 5, 300)] == [1]


def test_a_later_shorter_one_may_enter_where_a_longer_one_did_not_fit() -> None:
    kept = fit([item(1, "字" * 200), item(2, "字" * 200), item(3, "字" * 50)], 5, 300)
    assert [one.hit.chunk.id for one in kept] == ["a", "c"]
    assert [one.n for one in kept] == [1, 2]


@given(ITEMS, st.integers(1, 8), st.integers(200, 2000))
def test_never_more_than_allowed_and_always_in_order(items: list, top_k: int, chars: int) -> None:
    kept = fit(items, top_k, chars)
    assert 1 <= len(kept) <= top_k
    assert sum(len(one.text) for one in kept[1:]) + len(kept[0].text) <= max(chars, len(kept[0].text))
    ids = [one.hit.chunk.id for one in kept]
    assert ids == sorted(ids)
    assert ids[0] == "a"
