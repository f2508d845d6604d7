"""What every reranker promises: the fake, and those behind a local server."""

from __future__ import annotations

import math

import pytest

from builders import hit
from rerankers import FORMS, rerank_server
from youju.ports import Reranker
from youju.providers.fakes import FakeReranker

TEXTS = ("婚假为十三个自然日。", "年休假五天。", "", "🙂\x00")


@pytest.fixture(params=["fake", *FORMS])
async def reranker(request, monkeypatch):
    if request.param == "fake":
        yield FakeReranker()
        return
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    async with rerank_server() as server:
        made = FORMS[request.param](base_url=server.address, api_key="k", model="m", retries=0)
        yield made
        await made.aclose()


def test_it_is_a_reranker(reranker) -> None:
    assert isinstance(reranker, Reranker)


async def test_one_finite_score_a_hit_in_the_order_given(reranker) -> None:
    hits = [hit(str(n), text=text or " ") for n, text in enumerate(TEXTS)]
    scores = await reranker.score("婚假几天", hits)
    assert len(scores) == len(hits)
    assert all(math.isfinite(score) for score in scores)
    assert list(reversed(scores)) == await reranker.score("婚假几天", list(reversed(hits)))


async def test_the_hit_that_answers_scores_higher(reranker) -> None:
    right, wrong = await reranker.score("婚假几天", [hit("a", text=TEXTS[0]), hit("b", text="打印机缺纸。")])
    assert right > wrong


async def test_no_hits_no_scores(reranker) -> None:
    assert await reranker.score("婚假几天", []) == []


@pytest.mark.parametrize("query", ["", "？？", "\x00", "\ud800", "🙂" * 50])
async def test_odd_queries_are_scored(reranker, query) -> None:
    assert all(math.isfinite(score) for score in await reranker.score(query, [hit("a", text="正文。")]))


def test_its_identity_names_no_object(reranker) -> None:
    assert " at 0x" not in repr(reranker)
