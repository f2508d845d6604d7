"""Services behind HTTP that misbehave while a question is on its way through the whole product."""

from __future__ import annotations

import asyncio
import math

import pytest

import apps
from apps import MANUAL, RULES, added, opened, written
from rerankers import FORMS, TRICKLE, form_of, good, rows
from servers import Abort, HangUp, Reply, Server, Silence, in_json
from youju.chat.service import Request
from youju.chat.views import chat_view
from youju.compose import open_app
from youju.providers.fakes import FakeEmbedder

QUESTION = "出差住宿费的上限是多少？"


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def documents(body):
    asked = body.get("input", body)
    return asked["texts"] if form_of(body) == "tei" else asked["documents"]


def scored(score):
    """Results with the score that `score` gives for each place."""
    return lambda body: good(rows(*(score(n) for n in range(len(documents(body))))))(body)


def placed(place):
    """Results whose index is what `place` makes of (place, how many)."""

    def reply(body):
        count = len(documents(body))
        return good([{"index": place(n, count), "score": 0.5} for n in range(count)])(body)

    return reply


def changed(change):
    """Good results, less or more of them."""
    return lambda body: good(change(rows(*range(len(documents(body))))))(body)


BROKEN = {
    "silence": Reply((Silence,)),
    "trickle": TRICKLE,
    "hang-up": Reply((HangUp,)),
    "torn-down": Reply((Abort,)),
    "500": in_json({"message": "boom"}, 500),
    "503": in_json(b"busy", 503),
    "429": in_json({"message": "slow down"}, 429),
    "401": in_json({"message": "bad key"}, 401),
    "bad-json": in_json(b"<html>gateway</html>"),
    "cut-off": in_json(b'{"results": [{"index": 0'),
    "error-with-200": in_json({"code": "InvalidApiKey", "message": "no such key"}),
}
RERANKING = BROKEN | {
    "nan": scored(lambda n: math.nan if n else 1.0),
    "infinite": scored(lambda n: math.inf),
    "score-as-text": scored(str),
    "index-missing": placed(lambda n, count: None),
    "index-too-large": placed(lambda n, count: n + 1),
    "index-repeated": placed(lambda n, count: 0),
    "too-few": changed(lambda results: results[1:]),
    "too-many": changed(lambda results: [*results, results[0]]),
    "none": changed(lambda results: []),
}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """A folder whose store holds two documents."""
    folder = tmp_path_factory.mktemp("store")

    async def fill():
        async with opened(folder) as app:
            for name, text in {"rules.md": RULES, "manual.md": MANUAL}.items():
                await added(app, written(folder, f"in/{name}", text))

    asyncio.run(fill())
    return folder


async def asked(store, **reranker):
    """The turn, and what the caller is shown of it."""
    knobs = {"similarity_threshold": -1, "rerank_top_n": 2}
    async with opened(store, retrieval=knobs, **({"reranker": reranker} if reranker else {})) as app:
        turn = await app.chat.ask(Request(QUESTION))
        return turn, chat_view(turn, app.wording)


def order(turn):
    return [hit.chunk.id for hit in turn.hits]


async def fused(store):
    """The chunks in fused order."""
    async with opened(store, retrieval={"similarity_threshold": -1}) as app:
        return order(await app.chat.ask(Request(QUESTION)))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("fault", RERANKING)
async def test_a_reranker_that_fails_costs_its_order_and_nothing_else(store, form, fault) -> None:
    async with Server(RERANKING[fault]) as server:
        turn, view = await asked(store, provider=form, base_url=server.address, model="m", retries=0, timeout_s=0.3)
    assert len(server.requests) == 1
    assert order(turn) == (await fused(store))[:2]
    assert (view["degraded"], view["degradation_reason"]) == (True, "rerank_failed")
    assert view["degradations"] == [{"part": "reranker", "reason": "rerank_failed"}]
    assert "三百二十元" in view["answer"]
    assert view["sources"]


@pytest.mark.parametrize("form", FORMS)
async def test_a_scale_of_its_own_and_equal_scores_and_another_order_are_a_reranker_s_right(store, form) -> None:
    wanted = await fused(store)
    assert len(wanted) > 2
    for score, expected in {
        lambda n: -1000 - n: wanted[:2],
        lambda n: 0.5: wanted[:2],
        lambda n: n * 1e9: wanted[::-1][:2],
    }.items():
        async with Server(scored(score)) as server:
            turn, view = await asked(store, provider=form, base_url=server.address, model="m", retries=0)
        assert order(turn) == expected
        assert view["degraded"] is False


async def test_no_reranker_at_its_address_is_no_reason_not_to_answer(store) -> None:
    _, view = await asked(store, provider="jina", base_url="http://127.0.0.1:1", retries=0)
    assert view["degradation_reason"] == "rerank_failed"
    assert "三百二十元" in view["answer"]


# --- embedding -------------------------------------------------------------------------------------------------------


async def vectors(body):
    made = await FakeEmbedder().embed(body["input"], "passage")
    return in_json({"data": [{"index": n, "embedding": row.tolist()} for n, row in enumerate(made)]})


def vector(*values):
    return in_json({"data": [{"index": 0, "embedding": list(values)}]})


EMBEDDING = BROKEN | {
    "nan": vector(*[math.nan] * 256),
    "zero": vector(*[0.0] * 256),
    "another-dimension": vector(1.0, 0.0),
    "none": in_json({"data": []}),
}


@pytest.mark.parametrize("fault", EMBEDDING)
async def test_an_embedder_that_fails_at_question_time_leaves_the_keyword_channel(tmp_path, fault) -> None:
    async with Server(vectors) as server:
        service = {"provider": "openai", "base_url": server.address, "model": "m", "retries": 0, "timeout_s": 0.5}
        async with open_app(apps.settings(tmp_path, embedding=service)) as app:
            document = await added(app, written(tmp_path, "in/rules.md", RULES))
            assert document.status == "READY"
            server.good = EMBEDDING[fault]
            turn = await app.chat.ask(Request(QUESTION))
            view = chat_view(turn, app.wording)
    assert turn.rankings["vector"] == ()
    assert turn.rankings["keyword"]
    assert view["degraded"] is True
    assert {mark["part"] for mark in view["degradations"]} == {"embedder"}
    assert "三百二十元" in view["answer"]
