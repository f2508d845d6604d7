from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import hit, hits, turn
from youju.stages.fuse import Fuse, rrf

LISTS = st.lists(st.lists(st.sampled_from("abcdefghij"), unique=True, max_size=8), min_size=1, max_size=4)


def test_the_worked_example_of_the_contract() -> None:
    # (1, 3) → 1/61 + 1/63 = .0323; (–, 1) → 1/61 = .0164; (2, –) → 1/62 = .0161
    fused = rrf({"vector": hits("AC"), "keyword": hits("BDA")}, k=60)
    scores = {one.chunk.id: round(one.score, 4) for one in fused}
    assert scores["A"] == 0.0323
    assert scores["B"] == 0.0164
    assert scores["C"] == 0.0161
    assert [one.chunk.id for one in fused] == ["A", "B", "C", "D"]


def test_provenance_is_kept_per_channel() -> None:
    vector, keyword = hit("a", 0.91), hit("a", 7.5)
    one = rrf({"vector": [vector], "keyword": [hit("b", 9.0), keyword]})[0]
    assert one.ranks == {"vector": 1, "keyword": 2}
    assert one.scores == {"vector": 0.91, "keyword": 7.5}


def test_a_tie_goes_to_the_better_single_rank_then_to_the_id() -> None:
    assert [one.chunk.id for one in rrf({"vector": hits("b"), "keyword": hits("a")})] == ["a", "b"]


def test_k_below_one_is_a_mistake_in_the_code() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        rrf({}, k=0)


@given(LISTS)
def test_the_union_once_each_and_bounded_scores(lists: list[list[str]]) -> None:
    rankings = {f"s{n}": hits("".join(ids)) for n, ids in enumerate(lists)}
    fused = rrf(rankings)
    assert sorted(one.chunk.id for one in fused) == sorted({id_ for ids in lists for id_ in ids})
    assert all(0 < one.score <= len(lists) / 61 + 1e-12 for one in fused)
    assert [one.score for one in fused] == sorted((one.score for one in fused), reverse=True)


@given(LISTS)
def test_the_order_of_the_searches_does_not_matter(lists: list[list[str]]) -> None:
    rankings = {f"s{n}": hits("".join(ids)) for n, ids in enumerate(lists)}
    backwards = dict(reversed(rankings.items()))
    assert [one.chunk.id for one in rrf(rankings)] == [one.chunk.id for one in rrf(backwards)]


async def test_the_stage_keeps_as_many_as_asked_and_ranks_them() -> None:
    after = await Fuse(60, 2)(turn(rankings={"vector": hits("abc")}), _silent)
    assert [(one.chunk.id, one.ranks["rrf"]) for one in after.hits] == [("a", 1), ("b", 2)]


async def _silent(event: object) -> None: ...
