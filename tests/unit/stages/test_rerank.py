from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import hits, ids, turn
from library import Scores
from youju.errors import ProviderError
from youju.stages.base import advance
from youju.stages.rerank import Rerank
from youju.types import Degradation, Turn


async def reranked(*scores: float, keep: int = 10) -> Turn:
    return await advance(Rerank(Scores(*scores), keep), turn("q", hits=hits("abc")))


async def test_hits_stand_in_the_order_of_the_scores_and_are_cut():
    after = await reranked(0.1, 0.9, 0.5, keep=2)
    assert ids(after.hits) == "bc"
    assert [(one.score, one.ranks["rerank"], one.scores["rerank"]) for one in after.hits] == [
        (0.9, 1, 0.9),
        (0.5, 2, 0.5),
    ]
    assert after.degradations == ()


async def test_a_low_scale_is_no_low_evidence():
    assert ids((await reranked(0.006, 0.0059, 0.0061)).hits) == "cab"


@given(
    st.lists(st.integers(-50, 50), min_size=3, max_size=3),
    st.sampled_from([1e-3, 1.0, 100.0]),
    st.integers(-1000, 1000),
)
async def test_only_the_order_of_the_scores_counts(scores, scale, shift):
    assert ids((await reranked(*(scale * (one + shift) for one in scores))).hits) == ids((await reranked(*scores)).hits)


async def test_equal_scores_keep_the_fused_order():
    assert ids((await reranked(0.5, 0.5, 0.5)).hits) == "abc"


@pytest.mark.parametrize(
    "scores",
    [(0.1, math.nan, 0.3), (0.1, math.inf, 0.3), (0.1, 0.2), (0.1, 0.2, 0.3, 0.4), ()],
    ids=["nan", "infinite", "missing", "surplus", "none"],
)
async def test_scores_that_cannot_be_used_leave_the_fused_order_cut(scores):
    after = await reranked(*scores, keep=2)
    assert ids(after.hits) == "ab"
    assert after.hits == hits("abc")[:2]
    assert after.degradations == (Degradation("reranker", "rerank_failed"),)


@pytest.mark.parametrize("code", ["", "timeout"])
async def test_a_reranker_that_fails_degrades_under_the_one_name_of_the_contract(code):
    class Down(Scores):
        async def score(self, query, hits):
            raise ProviderError("重排服务没有回答", part="reranker", code=code)

    after = await advance(Rerank(Down(), 2), turn("q", hits=hits("abc")))
    assert ids(after.hits) == "ab"
    assert after.degradations == (Degradation("reranker", "rerank_failed"),)
    assert after.steps[0].note == {"error": "重排服务没有回答"}


async def test_nothing_found_asks_no_reranker():
    reranker = Scores()
    assert (await advance(Rerank(reranker, 2), turn("q"))).hits == ()
    assert reranker.asked == 0
