"""The rerankers behind HTTP against a real local server that misbehaves."""

from __future__ import annotations

import asyncio
import contextlib
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import hit, hits, ids, turn
from library import library
from rerankers import FORMS, TRICKLE, good, indexed, rerank_server, rows
from servers import Abort, HangUp, Reply, Silence, in_json
from youju.errors import ConfigError, ProviderError
from youju.providers.registry import load
from youju.providers.rerank_http import DashScopeReranker, JinaReranker, TeiReranker
from youju.providers.rerank_replies import read_scores
from youju.settings import Knobs
from youju.stages import recipes
from youju.stages.base import advance
from youju.stages.rerank import Rerank
from youju.types import Degradation

KEY = "sk-secret-0123456789"
THREE = hits("abc")


@pytest.fixture
async def server(monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    async with rerank_server() as running:
        yield running


@pytest.fixture(params=FORMS)
def form(request):
    return request.param


@pytest.fixture
async def make(server):
    made = []

    def reranker(form="jina", **settings):
        given = {"base_url": server.address, "api_key": KEY, "model": "m", "retries": 0, "timeout_s": 5, **settings}
        made.append(FORMS[form](**given))
        made[-1].waits = []
        made[-1]._sleep = wait_into(made[-1].waits)
        return made[-1]

    yield reranker
    for each in made:
        await each.aclose()


def wait_into(waits):
    async def sleep(seconds):
        waits.append(seconds)

    return sleep


def error(status, message="", **headers):
    return in_json({"code": "Some", "message": message}, status, **headers)


async def failure(reranker):
    with pytest.raises(ProviderError) as caught:
        await reranker.score("问", THREE)
    assert caught.value.part == "reranker"
    assert caught.value.remedy
    assert KEY not in str(caught.value)
    assert len(caught.value.message) < 250
    return caught.value


# --- what is sent ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "form,path,asked",
    [
        ("dashscope", "", "/api/v1/services/rerank/text-rerank/text-rerank"),
        ("dashscope", "/api/v1/", "/api/v1/services/rerank/text-rerank/text-rerank"),
        (
            "dashscope",
            "/api/v1/services/rerank/text-rerank/text-rerank",
            "/api/v1/services/rerank/text-rerank/text-rerank",
        ),
        ("jina", "", "/v1/rerank"),
        ("jina", "/", "/v1/rerank"),
        ("jina", "/v2", "/v2/rerank"),
        ("jina", "/v1/rerank/", "/v1/rerank"),
        ("jina", "/compatible-api/v1/reranks", "/compatible-api/v1/reranks"),
        ("tei", "", "/rerank"),
        ("tei", "/models/bge", "/models/bge/rerank"),
        ("tei", "/rerank", "/rerank"),
    ],
)
async def test_what_is_missing_of_the_path_is_appended(make, server, form, path, asked):
    await make(form, base_url=server.address + path).score("问", THREE)
    assert server.requests[0][0] == asked


async def test_dashscope_is_asked_for_every_document_in_its_own_form(make, server):
    await make("dashscope").score("问", [hit("a", text="甲"), hit("b", text="乙", book="书", section=())])
    assert server.requests[0][2] == {
        "model": "m",
        "input": {"query": "问", "documents": ["函数入门\n3.2 二次函数\n甲", "书\n乙"]},
        "parameters": {"top_n": 2, "return_documents": False},
    }


async def test_jina_is_asked_for_every_document(make, server):
    await make("jina").score("问", [hit("a", text="甲")])
    assert server.requests[0][2] == {
        "model": "m",
        "query": "问",
        "documents": ["函数入门\n3.2 二次函数\n甲"],
        "top_n": 1,
    }


async def test_a_server_with_one_model_is_told_none(make, server):
    await make("jina", model="").score("问", THREE)
    assert "model" not in server.requests[0][2]


async def test_tei_is_told_to_truncate(make, server):
    await make("tei").score("问", [hit("a", text="甲")])
    assert server.requests[0][2] == {"query": "问", "texts": ["函数入门\n3.2 二次函数\n甲"], "truncate": True}


async def test_tei_is_asked_for_no_more_documents_at_once_than_it_takes(make, server):
    many = [hit(str(n), text=f"片段{n}") for n in range(70)]
    server.replies = [good(rows(*range(32))[::-1]), good(rows(*range(32, 64))), good(rows(*range(64, 70)))]
    assert await make("tei").score("问", many) == list(range(70))
    assert [len(body["texts"]) for _, _, body in server.requests] == [32, 32, 6]


async def test_the_key_travels_in_the_header_alone(make, server, form):
    await make(form, api_key=f" {KEY}\n").score("问", THREE)
    path, headers, body = server.requests[0]
    assert headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in path + str(body)


async def test_without_a_key_no_header_is_sent(make, server, form):
    await make(form, api_key="").score("问", THREE)
    assert "authorization" not in server.requests[0][1]


async def test_query_and_documents_are_cut_and_long_headings_leave_room_for_the_text(make, server):
    long = hit("a", text="文" * 99, book="书" * 99, section=())
    await make(max_chars=8).score("问" * 99, [long, hit("b", text="文", book="书", section=())])
    _, _, body = server.requests[0]
    assert body["query"] == "问" * 8
    assert body["documents"] == ["书书\n文文文文文", "书\n文"]


async def test_empty_and_unwritable_texts_are_sent_as_something_every_server_takes(make, server):
    await make().score("", [hit("a", text="前\0后\ud83d", book="书", section=())])
    _, _, body = server.requests[0]
    assert body["query"] == " "
    assert body["documents"] == ["书\n前 后\ufffd"]


async def test_no_hits_ask_nobody(make, server, form):
    assert await make(form).score("问", []) == []
    assert server.requests == []


# --- what comes back -------------------------------------------------------------------------------------------------


async def test_scores_are_put_back_into_the_order_given_and_the_scale_is_left_alone(make, server, form):
    server.replies = [good([{"index": 2, "score": 97}, {"index": 0, "score": 0.006}, {"index": 1, "score": -3.5}])]
    scores = await make(form).score("问", THREE)
    assert scores == [0.006, -3.5, 97.0]
    assert [type(one) for one in scores] == [float] * 3


async def test_equal_scores_are_fine(make, server, form):
    server.replies = [good(rows(0.5, 0.5, 0.5))]
    assert await make(form).score("问", THREE) == [0.5, 0.5, 0.5]


async def test_dashscope_s_empty_code_beside_results_is_no_error(make, server):
    results = [{"index": n, "relevance_score": n} for n in range(3)]
    server.replies = [in_json({"code": "", "message": "", "output": {"results": results}})]
    assert await make("dashscope").score("问", THREE) == [0, 1, 2]


@given(st.permutations(range(5)), st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=5, max_size=5))
def test_any_order_of_results_gives_the_same_scores(order, scores):
    assert read_scores([{"index": n, "score": scores[n]} for n in order], 5, "score") == scores


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["index", "score"]), inner),
    max_leaves=12,
)


@given(ANYTHING, st.integers(0, 4))
def test_whatever_the_server_sends_becomes_finite_scores_or_a_provider_error(results, count):
    with contextlib.suppress(ProviderError):
        scores = read_scores(results, count, "score")
        assert len(scores) == count
        assert all(math.isfinite(one) for one in scores)


# --- what goes wrong -------------------------------------------------------------------------------------------------

FAULTS = {
    "silence": (Reply((Silence,)), "reranker_timeout"),
    "trickle": (TRICKLE, "reranker_timeout"),
    "hangup": (Reply((HangUp,)), "reranker_unreachable"),
    "torn-down": (Reply((Abort,)), "reranker_unreachable"),
    "401": (error(401, f"bad key {KEY}"), "reranker_auth"),
    "401-text": (in_json("Invalid token", 401), "reranker_auth"),
    "403": (error(403), "reranker_auth"),
    "404": (error(404), "reranker_not_found"),
    "413": (error(413), "reranker_too_large"),
    "429": (error(429), "reranker_rate_limited"),
    "500": (error(500), "reranker_server"),
    "502-html": (in_json(b"<html>bad gateway</html>", 502), "reranker_server"),
    "500-too-deep": (in_json(b"[" * 200_000, 500), "reranker_server"),
    "400": (error(400), "reranker_rejected"),
    "301": (in_json(b"", 301, location="/elsewhere"), "reranker_rejected"),
    "too-large": (in_json(b" " * (17 << 20)), "reranker_reply_too_large"),
    "bad-compression": (in_json(b"no gzip", content_encoding="gzip"), "reranker_unreachable"),
    "html": (in_json(b"<html></html>"), "reranker_bad_json"),
    "no-body": (in_json(b""), "reranker_bad_json"),
    "cut-off": (in_json(b'{"results": [{"index": 0'), "reranker_bad_json"),
    "too-deep": (in_json(b"[" * 200_000), "reranker_bad_json"),
    "error-with-200": (in_json({"code": "InvalidApiKey", "message": f"no {KEY}"}), "reranker_error_reply"),
    "error-object": (in_json({"error": {"message": "boom"}}), "reranker_error_reply"),
    "error-text": (in_json({"error": "boom", "error_type": "Backend"}), "reranker_error_reply"),
    "empty-object": (in_json({}), "reranker_bad_reply"),
    "null": (in_json(None), "reranker_bad_reply"),
    "results-null": (good(None), "reranker_bad_reply"),
    "results-object": (good({}), "reranker_bad_reply"),
    "score-nan": (good(rows(0.1, math.nan, 0.3)), "reranker_bad_score"),
    "score-inf": (good(rows(0.1, math.inf, 0.3)), "reranker_bad_score"),
    "score-minus-inf": (good(rows(0.1, -math.inf, 0.3)), "reranker_bad_score"),
    "score-null": (good(rows(0.1, None, 0.3)), "reranker_bad_score"),
    "score-string": (good(rows(0.1, "0.2", 0.3)), "reranker_bad_score"),
    "score-bool": (good(rows(0.1, True, 0.3)), "reranker_bad_score"),
    "score-beyond-floats": (good(rows(0.1, 10**400, 0.3)), "reranker_bad_score"),
    "score-missing": (good([{"index": n} for n in range(3)]), "reranker_bad_score"),
    "index-missing": (good([{"score": 0.5}] * 3), "reranker_no_index"),
    "index-null": (indexed(0, None, 2), "reranker_no_index"),
    "index-string": (indexed("0", "1", "2"), "reranker_no_index"),
    "index-bool": (indexed(0, True, 2), "reranker_no_index"),
    "row-is-a-number": (good([0.1, 0.2, 0.3]), "reranker_no_index"),
    "index-too-large": (indexed(0, 1, 3), "reranker_index_out_of_range"),
    "index-from-one": (indexed(1, 2, 3), "reranker_index_out_of_range"),
    "index-negative": (indexed(0, 1, -1), "reranker_index_out_of_range"),
    "index-huge": (indexed(0, 1, 10**3000), "reranker_index_out_of_range"),
    "index-repeated": (indexed(0, 1, 1), "reranker_index_repeated"),
    "too-few": (indexed(0, 2), "reranker_wrong_count"),
    "none": (indexed(), "reranker_wrong_count"),
    "too-many": (indexed(0, 1, 2, 3), "reranker_wrong_count"),
}


def faulty(make, server, form, fault):
    """A reranker whose server does one thing wrong."""
    reply, code = FAULTS[fault]
    server.replies = [reply]
    return make(form, timeout_s=0.2 if code == "reranker_timeout" else 5)


@pytest.mark.parametrize("fault", FAULTS)
async def test_each_fault_has_its_code(make, server, form, fault):
    assert (await failure(faulty(make, server, form, fault))).code == FAULTS[fault][1]
    assert len(server.requests) == 1


@pytest.mark.parametrize("fault", FAULTS)
async def test_each_fault_leaves_the_fused_order_cut_and_says_so(make, server, fault):
    after = await advance(Rerank(faulty(make, server, "jina", fault), 2), turn("问", hits=THREE))
    assert after.hits == THREE[:2]
    assert after.degradations == (Degradation("reranker", "rerank_failed"),)
    assert after.steps[0].note["error"]
    assert KEY not in str(after.steps)


async def test_no_server_at_all_is_unreachable_and_leaves_the_fused_order(make, form):
    reranker = make(form, base_url="http://127.0.0.1:1")
    assert (await failure(reranker)).code == "reranker_unreachable"
    after = await advance(Rerank(reranker, 2), turn("问", hits=THREE))
    assert ids(after.hits) == "ab"
    assert after.degradations == (Degradation("reranker", "rerank_failed"),)


async def test_when_nothing_goes_wrong_the_stage_takes_the_server_s_order(make, server, form):
    server.replies = [good([{"index": 2, "score": 0.9}, {"index": 1, "score": 0.8}, {"index": 0, "score": 0.1}])]
    after = await advance(Rerank(make(form), 2), turn("问", hits=THREE))
    assert ids(after.hits) == "cb"
    assert after.degradations == ()


async def test_in_a_whole_recipe_a_server_that_is_down_costs_the_order_and_nothing_else(make, server, form, tmp_path):
    server.replies = [error(500)]
    async with library(tmp_path) as shelf:
        await shelf.put({"a": "婚假十三天。", "b": "婚假与年假。", "c": "婚假须先申请。"})
        fused = await retrieved(shelf.parts)
        degraded = await retrieved(replace(shelf.parts, reranker=make(form)))
        reranked = await retrieved(replace(shelf.parts, reranker=make(form)))
    assert len(fused.hits) == 3
    assert ids(degraded.hits) == ids(fused.hits)[:2]
    assert degraded.degradations == (Degradation("reranker", "rerank_failed"),)
    # Of the two bigrams of the question, 婚假 and 假须, only one text holds both.
    assert ids(reranked.hits)[0] == "c"
    assert reranked.degradations == ()


async def retrieved(parts):
    return await advance(recipes.retrieve(parts, Knobs(rerank_top_n=2, similarity_threshold=-1.0)), turn("婚假须"))


async def test_the_server_s_words_are_passed_on_without_the_key(make, server):
    server.replies = [error(401, f"bad key {KEY}"), in_json({"code": "Arrearage", "message": "account  overdue"})]
    assert "bad key ***" in str(await failure(make()))
    assert "account overdue" in str(await failure(make("dashscope")))
    server.replies = [in_json("Invalid token", 401)]
    assert "Invalid token" in str(await failure(make()))


async def test_a_second_batch_that_fails_fails_the_whole(make, server):
    server.replies = [good(rows(*range(32))), error(500)]
    with pytest.raises(ProviderError) as caught:
        await make("tei").score("问", [hit(str(n)) for n in range(33)])
    assert caught.value.code == "reranker_server"


# --- tries -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reply", [error(500), error(503), error(429), error(408), Reply((HangUp,)), Reply((Abort,))])
async def test_what_may_pass_is_tried_again(make, server, reply):
    server.replies = [reply]
    reranker = make(retries=1)
    assert len(await reranker.score("问", THREE)) == 3
    assert 0.25 <= reranker.waits[0] <= 0.5


async def test_silence_is_tried_again(make, server):
    server.replies = [Reply((Silence,))]
    assert len(await make(timeout_s=0.5, retries=1).score("问", THREE)) == 3


@pytest.mark.parametrize("reply", [error(401), error(400), error(501), good(rows(0.1))])
async def test_what_will_not_pass_is_not_tried_again(make, server, reply):
    server.replies = [reply]
    await failure(make(retries=3))
    assert len(server.requests) == 1


async def test_tries_end(make, server):
    server.replies = [error(500)] * 3
    assert (await failure(make(retries=2))).code == "reranker_server"
    assert len(server.requests) == 3


async def test_the_wait_the_server_asks_for_is_kept(make, server):
    server.replies = [error(429, Retry_After="2")]
    reranker = make(retries=1)
    await reranker.score("问", THREE)
    assert reranker.waits == [2]


async def test_a_wait_longer_than_the_time_out_is_not_waited(make, server):
    server.replies = [error(429, Retry_After="6")]
    reranker = make(retries=1, timeout_s=5)
    assert (await failure(reranker)).code == "reranker_rate_limited"
    assert reranker.waits == []


async def test_a_cancelled_call_leaves_the_reranker_usable(make, server):
    server.replies = [Reply((Silence,))]
    reranker = make()
    task = asyncio.create_task(reranker.score("问", THREE))
    await asyncio.wait_for(server.asked.wait(), 10)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert len(await reranker.score("问", THREE)) == 3


# --- who it is -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name,made", [("dashscope", DashScopeReranker), ("jina", JinaReranker), ("tei", TeiReranker)])
def test_the_registry_knows_it(name, made):
    assert load("reranker", name) is made


async def test_the_name_shows_model_and_host_but_neither_key_nor_password(make):
    reranker = make(base_url="https://user:word@api.example.com/v1")
    assert repr(reranker) == "m@api.example.com"
    assert KEY not in repr(vars(reranker)["_client"])
    assert repr(make("tei", model="", base_url="http://localhost:8080")) == "tei@localhost:8080"


@pytest.mark.parametrize(
    "form,change,code",
    [
        ("jina", {"base_url": ""}, "reranker_base_url"),
        ("jina", {"base_url": "api.example.com/v1"}, "reranker_base_url"),
        ("tei", {"base_url": "http://[::1"}, "reranker_base_url"),
        ("dashscope", {"model": " "}, "reranker_model"),
        ("jina", {"api_key": "sk-钥匙"}, "reranker_api_key"),
        ("jina", {"api_key": "two words"}, "reranker_api_key"),
        ("jina", {"timeout_s": 0}, "reranker_bounds"),
        ("jina", {"timeout_s": math.nan}, "reranker_bounds"),
        ("jina", {"retries": -1}, "reranker_bounds"),
        ("jina", {"max_chars": 0}, "reranker_bounds"),
    ],
)
async def test_settings_that_cannot_work_are_refused_at_once(make, form, change, code):
    with pytest.raises(ConfigError) as caught:
        make(form, **change)
    assert caught.value.code == code
    assert caught.value.remedy
    assert change.get("api_key", KEY) not in str(caught.value)
