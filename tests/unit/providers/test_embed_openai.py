"""The OpenAI-compatible embedder against a real local server that misbehaves."""

import asyncio

import numpy as np
import pytest

from servers import Reply, Server, Silence, in_json
from youju.errors import ConfigError, ProviderError
from youju.providers.embed_openai import OpenAIEmbedder

KEY = "sk-secret-0123456789"


def vector(text):
    return [float(len(text)), 3.0, 4.0]


def good(body):
    return items([{"index": i, "embedding": vector(text)} for i, text in enumerate(body["input"])])


def items(data):
    return in_json({"data": data})


def row(index, values):
    return {"index": index, "embedding": values}


def error(status, message="", code=None, **headers):
    return in_json({"error": {"message": message, "code": code}}, status, **headers)


@pytest.fixture
async def server(monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    async with Server(good) as running:
        yield running


@pytest.fixture
async def make(server):
    made = []

    def embedder(**settings):
        given = {"base_url": server.address, "api_key": KEY, "model": "m", "retries": 0, "timeout_s": 5, **settings}
        made.append(OpenAIEmbedder(**given))
        made[-1].waits = []
        made[-1]._sleep = wait_into(made[-1].waits)
        return made[-1]

    yield embedder
    for each in made:
        await each.aclose()


def wait_into(waits):
    async def sleep(seconds):
        waits.append(seconds)

    return sleep


async def failure(embedder, texts=("甲", "乙丙")):
    with pytest.raises(ProviderError) as caught:
        await embedder.embed(list(texts), "passage")
    assert caught.value.part == "embedder"
    assert caught.value.remedy
    assert KEY not in str(caught.value)
    return caught.value


# --- what is sent ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path,asked",
    [
        ("", "/v1/embeddings"),
        ("/", "/v1/embeddings"),
        ("/v1", "/v1/embeddings"),
        ("/v1/", "/v1/embeddings"),
        ("/api/paas/v4", "/api/paas/v4/embeddings"),
        ("/v1/embeddings", "/v1/embeddings"),
    ],
)
async def test_only_a_bare_host_gets_a_version_appended(make, server, path, asked):
    await make(base_url=server.address + path).embed(["甲"], "query")
    assert server.requests[0][0] == asked


async def test_the_key_travels_in_the_header_alone(make, server):
    await make().embed(["甲"], "query")
    _, headers, body = server.requests[0]
    assert headers["authorization"] == f"Bearer {KEY}"
    assert body == {"model": "m", "input": ["甲"]}


async def test_without_a_key_no_header_is_sent(make, server):
    await make(api_key="").embed(["甲"], "query")
    assert "authorization" not in server.requests[0][1]


async def test_dimensions_are_sent_if_set(make, server):
    await make(dimensions=3).embed(["甲"], "query")
    assert server.requests[0][2]["dimensions"] == 3


async def test_texts_go_in_batches_and_equal_ones_once(make, server):
    rows = await make(batch_size=2).embed(["a", "bb", "a", "ccc"], "passage")
    assert [body["input"] for _, _, body in server.requests] == [["a", "bb"], ["ccc"]]
    assert rows.shape == (4, 3)
    assert np.array_equal(rows[0], rows[2])


async def test_empty_and_unwritable_texts_are_sent_as_something_every_server_takes(make, server):
    await make().embed(["", "前\0后", "\ud83d"], "passage")
    assert server.requests[0][2]["input"] == [" ", "前 后", "\ufffd"]


# --- what comes back -------------------------------------------------------------------------------------------------


async def test_rows_are_ordered_by_index_and_have_norm_one(make, server):
    server.replies = [items([row(1, [0, 3, 4]), row(0, [5, 12, 0])])]
    rows = await make().embed(["甲", "乙"], "passage")
    # 5, 12, 13 and 3, 4, 5 are right-angled.
    assert rows == pytest.approx(np.array([[5 / 13, 12 / 13, 0], [0, 0.6, 0.8]]), abs=1e-7)
    assert rows.dtype == np.float32


async def test_a_server_that_sends_no_index_is_taken_to_keep_the_order(make, server):
    server.replies = [items([{"embedding": [1, 0]}, {"embedding": [0, 1]}])]
    assert (await make().embed(["甲", "乙"], "passage")).tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize(
    "reply,code",
    [
        (items([row(0, [1, 2])]), "embedder_bad_index"),
        (items([row(0, [1, 2]), row(0, [1, 2])]), "embedder_bad_index"),
        (items([row(0, [1, 2]), row(2, [1, 2])]), "embedder_bad_index"),
        (items([row(0, [1, 2]), row(1, [1, 2]), row(2, [1, 2])]), "embedder_bad_index"),
        (items([row(0, [1, 2]), row(True, [1, 2])]), "embedder_bad_index"),
        (items([row(0, [1, 2]), {"embedding": [1, 2]}]), "embedder_bad_index"),
        (items([row(0, [1, 2]), None]), "embedder_bad_index"),
        (items([row(0, [1, 2]), row(1, [1])]), "embedder_bad_dim"),
        (items([row(0, [1, 2]), row(1, [1, float("nan")])]), "embedder_not_finite"),
        (items([row(0, [1, 2]), row(1, [1, 10**400])]), "embedder_not_finite"),
        (items([row(0, [1, 2]), row(1, [1, None])]), "embedder_bad_reply"),
        (items([row(0, [1, 2]), row(1, "AACAPw==")]), "embedder_bad_reply"),
        (items([row(0, [1, 2]), row(1, [])]), "embedder_bad_reply"),
        (items([row(0, [1, 2]), row(1, [0, 0])]), "embedder_zero_vector"),
        (in_json({"data": "none"}), "embedder_bad_reply"),
        (in_json([]), "embedder_bad_reply"),
        (in_json(b"<html>gateway</html>"), "embedder_bad_json"),
        (in_json(b"\xff\xfe\x00"), "embedder_bad_json"),
        (in_json(b"[" * 200_000), "embedder_bad_json"),
        (in_json(b"[" * 200_000, 400), "embedder_rejected"),
        (in_json(b" " * (65 << 20)), "embedder_reply_too_large"),
        (error(200, "model is loading"), "embedder_error_reply"),
        (in_json({"code": 1002, "message": "quota"}), "embedder_error_reply"),
    ],
)
async def test_a_reply_that_is_not_what_was_asked_for_is_an_error(make, server, reply, code):
    server.replies = [reply]
    assert (await failure(make())).code == code
    assert len(server.requests) == 1


async def test_another_dimension_than_the_one_asked_for_is_an_error(make):
    problem = await failure(make(dimensions=8))
    assert problem.code == "embedder_bad_dim"
    assert "3 维" in problem.message
    assert "8 维" in problem.message


async def test_a_dimension_that_changes_between_two_calls_is_an_error(make, server):
    embedder = make()
    await embedder.embed(["甲"], "query")
    server.replies = [items([row(0, [1, 2])])]
    assert (await failure(embedder, ["乙"])).code == "embedder_bad_dim"


# --- errors and tries ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "reply,code",
    [
        (error(401, f"Incorrect API key provided: {KEY}"), "embedder_auth"),
        (error(403), "embedder_auth"),
        (error(404, "model m not found"), "embedder_not_found"),
        (error(429, "slow down"), "embedder_rate_limited"),
        (error(429, "You exceeded your quota", "insufficient_quota"), "embedder_quota"),
        (error(500, "boom"), "embedder_server"),
        (in_json(b"<html>bad gateway</html>", 502), "embedder_server"),
        (error(400, "This model's maximum context length is 8192 tokens"), "embedder_input_too_long"),
        (error(400, "Range of input length should be [1, 2048]"), "embedder_input_too_long"),
        (in_json(b"", 413), "embedder_input_too_long"),
        (error(400, "batch size is invalid, it should not be larger than 10."), "embedder_batch_too_large"),
        (error(400, "unknown field"), "embedder_rejected"),
        (in_json({"detail": [{"input": "长度"}]}, 422), "embedder_rejected"),
        (in_json(b"", 301, location="/elsewhere"), "embedder_rejected"),
    ],
)
async def test_a_refusal_names_its_reason(make, server, reply, code):
    server.replies = [reply]
    assert (await failure(make())).code == code


async def test_a_too_long_text_names_the_remedy(make, server):
    server.replies = [error(400, "input is too long", "context_length_exceeded")]
    assert "chunking.child_max_chars" in (await failure(make())).remedy


async def test_the_server_s_words_are_passed_on_without_the_key(make, server):
    server.replies = [error(401, f"bad key {KEY}")]
    assert "bad key ***" in str(await failure(make()))


async def test_after_a_server_error_it_is_tried_again(make, server):
    server.replies = [error(500), error(503)]
    embedder = make(retries=2)
    assert (await embedder.embed(["甲"], "query")).shape == (1, 3)
    first, second = embedder.waits
    assert 0.25 <= first <= 0.5
    assert 0.5 <= second <= 1


async def test_the_wait_the_server_asks_for_is_kept(make, server):
    server.replies = [error(429, Retry_After="7")]
    embedder = make(retries=1)
    await embedder.embed(["甲"], "query")
    assert embedder.waits == [7]


async def test_a_wait_until_a_past_date_is_none(make, server):
    server.replies = [error(429, Retry_After="Wed, 21 Oct 2015 07:28:00 GMT")]
    embedder = make(retries=1)
    await embedder.embed(["甲"], "query")
    assert embedder.waits == [0]


async def test_an_unreadable_wait_falls_back_to_our_own(make, server):
    server.replies = [error(429, Retry_After="soon")]
    embedder = make(retries=1)
    await embedder.embed(["甲"], "query")
    assert 0.25 <= embedder.waits[0] <= 0.5


async def test_a_wait_of_an_hour_is_not_waited(make, server):
    server.replies = [error(429, Retry_After="3600")]
    embedder = make(retries=3)
    assert (await failure(embedder)).code == "embedder_rate_limited"
    assert embedder.waits == []


@pytest.mark.parametrize("reply", [error(401), error(400), error(501), error(429, code="insufficient_quota")])
async def test_what_will_not_pass_is_not_tried_again(make, server, reply):
    server.replies = [reply]
    await failure(make(retries=3))
    assert len(server.requests) == 1


async def test_tries_end(make, server):
    server.replies = [error(500)] * 3
    assert (await failure(make(retries=2))).code == "embedder_server"
    assert len(server.requests) == 3


async def test_silence_is_a_timeout_and_tried_again(make, server):
    server.replies = [Reply((Silence,))]
    assert (await make(timeout_s=0.2, retries=1).embed(["甲"], "query")).shape == (1, 3)
    server.replies = [Reply((Silence,))]
    problem = await failure(make(timeout_s=0.05))
    assert problem.code == "embedder_timeout"
    assert "0.05 秒" in problem.message


async def test_no_server_at_all_is_unreachable(make):
    assert (await failure(make(base_url="http://127.0.0.1:1"))).code == "embedder_unreachable"


async def test_a_cancelled_call_leaves_the_embedder_usable(make, server):
    server.replies = [Reply((Silence,))]
    embedder = make()
    task = asyncio.create_task(embedder.embed(["甲"], "query"))
    await asyncio.wait_for(server.asked.wait(), 10)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await embedder.embed(["甲"], "query")).shape == (1, 3)


# --- who it is -------------------------------------------------------------------------------------------------------


async def test_the_dimension_is_known_after_the_first_call_and_the_fingerprint_before(make, server):
    embedder = make()
    before = embedder.profile
    await embedder.embed(["甲"], "query")
    assert (before.dim, embedder.profile.dim) == (0, 3)
    assert before.fingerprint == embedder.profile.fingerprint
    assert embedder.profile.threshold == 0.70
    assert len(server.requests) == 1


async def test_no_texts_ask_once_for_the_dimension(make, server):
    embedder = make()
    assert (await embedder.embed([], "query")).shape == (0, 3)
    assert (await embedder.embed([], "query")).shape == (0, 3)
    assert len(server.requests) == 1


@pytest.mark.parametrize("change", [{"model": "other"}, {"dimensions": 8}, {"base_url": "https://other.example/v1"}])
async def test_model_host_and_dimensions_make_the_fingerprint(make, change):
    assert make(**change).profile.fingerprint != make().profile.fingerprint


async def test_the_name_shows_model_and_host_but_neither_key_nor_password(make):
    embedder = make(base_url="https://user:word@api.example.com/v1", dimensions=512)
    assert repr(embedder) == "m@api.example.com/512"
    assert KEY not in repr(vars(embedder)["_client"])


@pytest.mark.parametrize(
    "change,code",
    [
        ({"base_url": ""}, "embedder_base_url"),
        ({"base_url": "api.example.com/v1"}, "embedder_base_url"),
        ({"base_url": "http://[::1"}, "embedder_base_url"),
        ({"model": " "}, "embedder_model"),
        ({"api_key": "sk-钥匙"}, "embedder_api_key"),
        ({"api_key": "two words"}, "embedder_api_key"),
    ],
)
async def test_settings_that_cannot_work_are_refused_at_once(make, change, code):
    with pytest.raises(ConfigError) as caught:
        make(**change)
    assert caught.value.code == code
    assert caught.value.remedy
    assert change.get("api_key", KEY) not in str(caught.value)


async def test_blanks_around_a_pasted_key_do_not_matter(make, server):
    await make(api_key=f" {KEY}\n").embed(["甲"], "query")
    assert server.requests[0][1]["authorization"] == f"Bearer {KEY}"
