"""The OpenAI-compatible language model against a real local server that misbehaves."""

import asyncio
import json
import logging
from contextlib import aclosing

import pytest

from chat_server import DONE, delta, event, refused, streamed, usage, whole
from servers import Abort, Reply, Server, Silence
from youju.errors import ConfigError, ProviderError
from youju.ports import Piece, Prompt
from youju.providers.llm_openai import OpenAILLM

KEY = "sk-secret-0123456789"
PROMPT = Prompt((("system", "只根据资料回答。"), ("user", "婚假几天？")), temperature=0.2, max_tokens=99)
ANSWER = "婚假为十三天。"
GOOD = streamed("婚假为", "十三天。")


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
async def server():
    async with Server(GOOD) as running:
        yield running


@pytest.fixture
async def make(server):
    made = []

    def model(**settings):
        given = {"base_url": server.address, "api_key": KEY, "model": "m", "retries": 0, **settings}
        made.append(OpenAILLM(**given))
        made[-1].waits = []
        made[-1]._sleep = wait_into(made[-1].waits)
        return made[-1]

    yield model
    for each in made:
        await each.aclose()


def wait_into(waits):
    async def sleep(seconds):
        waits.append(seconds)

    return sleep


async def pieces(model):
    return [piece async for piece in model.stream(PROMPT)]


async def text(model):
    return "".join(piece.text for piece in await pieces(model))


async def listen(model, into):
    async for piece in model.stream(PROMPT):
        into.append(piece.text)


async def failure(model, heard=""):
    """The error, after exactly `heard`."""
    got = []
    with pytest.raises(ProviderError) as caught:
        await listen(model, got)
    assert "".join(got) == heard
    assert caught.value.part == "llm"
    assert caught.value.remedy
    assert KEY not in str(caught.value)
    return caught.value


def last(finish="stop", asked=None, answered=None):
    return Piece(finish_reason=finish, prompt_tokens=asked, completion_tokens=answered)


# --- what is sent ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path,asked",
    [
        ("", "/v1/chat/completions"),
        ("/v1/", "/v1/chat/completions"),
        ("/api/paas/v4", "/api/paas/v4/chat/completions"),
        ("/v1/chat/completions", "/v1/chat/completions"),
    ],
)
async def test_only_a_bare_host_gets_a_version_appended(make, server, path, asked):
    await pieces(make(base_url=server.address + path))
    assert server.requests[0][0] == asked


async def test_the_prompt_is_asked_as_a_stream_with_usage(make, server):
    await pieces(make())
    _, headers, body = server.requests[0]
    assert headers["authorization"] == f"Bearer {KEY}"
    assert body == {
        "model": "m",
        "messages": [{"role": "system", "content": "只根据资料回答。"}, {"role": "user", "content": "婚假几天？"}],
        "temperature": 0.2,
        "max_tokens": 99,
        "stream": True,
        "stream_options": {"include_usage": True},
    }


async def test_a_server_that_cannot_stream_is_asked_for_the_whole(make, server):
    server.replies = [whole(ANSWER)]
    await pieces(make(stream=False))
    assert server.requests[0][2]["stream"] is False
    assert "stream_options" not in server.requests[0][2]


async def test_without_a_key_no_header_is_sent(make, server):
    await pieces(make(api_key=""))
    assert "authorization" not in server.requests[0][1]


async def test_user_and_password_of_the_address_travel_in_the_header_and_not_in_the_log(make, server, caplog):
    caplog.set_level(logging.DEBUG)
    await pieces(make(api_key="", base_url=server.address.replace("//", "//user:word@")))
    # "user:word" in base 64.
    assert server.requests[0][1]["authorization"] == "Basic dXNlcjp3b3Jk"
    assert "word" not in caplog.text


async def test_neither_key_nor_prompt_is_logged(make, caplog):
    caplog.set_level(logging.DEBUG)
    await pieces(make())
    assert KEY not in caplog.text
    assert "婚假" not in caplog.text


async def test_unwritable_characters_are_sent_as_something_every_server_takes(make, server):
    model = make()
    assert [piece async for piece in model.stream(Prompt((("user", "前\0后\ud83d"),)))]
    assert server.requests[0][2]["messages"][0]["content"] == "前 后\ufffd"


# --- what comes back -------------------------------------------------------------------------------------------------


async def test_pieces_come_as_they_are_sent_and_the_last_has_reason_and_usage(make):
    assert await pieces(make()) == [Piece("婚假为"), Piece("十三天。"), last("stop", 7, 5)]


async def test_a_piece_is_passed_on_before_the_next_is_there(make, server):
    server.replies = [Reply((delta("婚"), Silence))]
    async with aclosing(make().stream(PROMPT)) as stream:
        assert await anext(stream) == Piece("婚")


async def test_comments_crlf_and_cut_characters_do_not_matter(make, server):
    raw = (b": keep-alive\n\n" + delta("婚假") + delta(finish="stop") + DONE).replace(b"\n", b"\r\n")
    server.replies = [Reply(tuple(raw[at : at + 1] for at in range(len(raw))))]
    assert await pieces(make()) == [Piece("婚假"), last()]


@pytest.mark.parametrize("finish", ["length", "content_filter", "tool_calls"])
async def test_the_reason_why_it_ended_is_passed_on(make, server, finish):
    server.replies = [Reply((delta("婚假"), delta(finish=finish), DONE))]
    assert await pieces(make()) == [Piece("婚假"), last(finish)]


async def test_text_and_reason_may_come_together(make, server):
    server.replies = [Reply((delta("婚"), delta("假", finish="stop"), DONE))]
    assert await pieces(make()) == [Piece("婚"), Piece("假"), last()]


async def test_thoughts_are_no_answer(make, server):
    thinking = (delta(None, reasoning_content="想"), delta("", reasoning="想"))
    server.replies = [Reply((*thinking, delta("<think>想"), delta("</think>\n\n答"), delta(finish="stop"), DONE))]
    assert await pieces(make()) == [Piece("答"), last()]


async def test_the_beginning_of_a_tag_that_never_comes_is_text(make, server):
    server.replies = [Reply((delta("<th"), delta(finish="stop"), DONE))]
    assert await text(make()) == "<th"


async def test_text_may_come_in_parts(make, server):
    parts = [{"type": "thinking", "thinking": "想"}, {"type": "text", "text": "答"}]
    server.replies = [Reply((delta(parts, finish="stop"), DONE))]
    assert await text(make()) == "答"


async def test_a_server_that_says_done_without_a_reason_has_stopped(make, server):
    server.replies = [Reply((delta("婚假"), DONE))]
    assert await pieces(make()) == [Piece("婚假"), last()]


async def test_a_server_that_gives_a_reason_need_not_say_done(make, server):
    server.replies = [Reply((delta("婚假", finish="stop"), usage(7, 5)))]
    assert await pieces(make()) == [Piece("婚假"), last("stop", 7, 5)]


async def test_what_follows_done_is_not_waited_for(make, server):
    server.replies = [Reply((delta("婚假", finish="stop"), DONE, Silence))]
    assert await text(make()) == "婚假"
    await asyncio.wait_for(server.left.wait(), 1)


@pytest.mark.parametrize("then", [Silence, Abort])
async def test_a_complete_answer_without_usage_is_no_error(make, server, then):
    server.replies = [Reply((delta("婚假", finish="stop"), 0.05, then))]
    assert await pieces(make(between_tokens_timeout_s=0.2)) == [Piece("婚假"), last()]


async def test_usage_in_every_chunk_counts_once(make, server):
    def chunk(text, answered, finish=None):
        choice = {"index": 0, "delta": {"content": text}, "finish_reason": finish}
        return event({"choices": [choice], "usage": {"prompt_tokens": 7, "completion_tokens": answered}})

    server.replies = [Reply((chunk("婚", 1), chunk("假", 2, "stop"), DONE))]
    assert (await pieces(make()))[-1] == last("stop", 7, 2)


@pytest.mark.parametrize(
    "odd",
    [
        {"choices": [], "prompt_filter_results": []},
        {"choices": None},
        {"choices": [None]},
        {"choices": [{"delta": None, "finish_reason": ""}]},
        {"choices": [{"delta": {"content": 7}}], "usage": None, "error": None},
        {"choices": [], "usage": {"prompt_tokens": "many"}},
    ],
)
async def test_chunks_without_text_are_passed_over(make, server, odd):
    server.replies = [Reply((event(odd), delta("婚假", finish="stop"), DONE))]
    assert await pieces(make()) == [Piece("婚假"), last()]


@pytest.mark.parametrize("stream", [True, False])
async def test_an_answer_in_one_piece_is_read_whether_asked_for_or_not(make, server, stream):
    server.replies = [whole(f"<think>想</think>{ANSWER}", "length")]
    assert await pieces(make(stream=stream)) == [Piece(ANSWER), last("length", 7, 5)]


async def test_a_stream_is_read_although_not_asked_for(make):
    assert await text(make(stream=False)) == ANSWER


# --- replies that are none -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "reply,heard,code",
    [
        (Reply((delta("婚"), event({"error": {"message": f"boom {KEY}"}}))), "婚", "llm_error_reply"),
        (Reply((event({"error": "boom"}),)), "", "llm_error_reply"),
        (Reply((event({"object": "error", "message": "boom", "code": 500}),)), "", "llm_error_reply"),
        (Reply((event({"error": {"type": "exceed_context_size_error", "message": "the request exceeds the available "
                                                                                 "context size"}}),)), "",
         "llm_context_overflow"),
        (Reply((event({"error": {"code": "insufficient_quota"}}),)), "", "llm_quota"),
        (Reply((delta("婚"), event("{"))), "婚", "llm_bad_json"),
        (Reply((event("[" * 100_000),)), "", "llm_bad_json"),
        (Reply((event([]),)), "", "llm_bad_reply"),
        (Reply((DONE,)), "", "llm_bad_reply"),
        (Reply((b"<html>gateway</html>",), kind="text/html"), "", "llm_bad_reply"),
        (Reply((b"<html>gateway</html>",), kind="application/json"), "", "llm_bad_json"),
        (Reply((b"{}",), kind="application/json"), "", "llm_bad_reply"),
        (Reply((delta("婚"), delta("假"))), "婚假", "llm_cut_off"),
        (Reply((delta("婚"), 0.05, Abort)), "婚", "llm_cut_off"),
        (Reply((Abort,)), "", "llm_cut_off"),
        (Reply((b"3\r\nabc",), headers={"Transfer-Encoding": "chunked"}), "", "llm_cut_off"),
    ],
)  # fmt: skip
async def test_a_reply_that_is_no_answer_is_an_error_and_not_tried_again(make, server, reply, heard, code):
    server.replies = [reply]
    model = make(retries=2)
    assert (await failure(model, heard)).code == code
    assert len(server.requests) == 1


async def test_an_endless_reply_is_given_up(make, server, monkeypatch):
    monkeypatch.setattr("youju.providers.llm_openai._LARGEST_ANSWER", 1000)
    server.replies = [Reply((b": " + b"x" * 2000, Silence))]
    assert (await failure(make())).code == "llm_reply_too_large"


# --- refusals and tries ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "reply,code",
    [
        (refused(401, f"Incorrect API key provided: {KEY}"), "llm_auth"),
        (refused(403), "llm_auth"),
        (refused(404, "model m not found"), "llm_not_found"),
        (refused(429, "slow down"), "llm_rate_limited"),
        (refused(429, "You exceeded your quota", "insufficient_quota"), "llm_quota"),
        (refused(402, "Insufficient Balance"), "llm_quota"),
        (refused(500, "boom"), "llm_server"),
        (Reply((b"<html>bad gateway</html>",), 502, "text/html"), "llm_server"),
        (Reply((b"x" * 200_000,), 503, "text/html"), "llm_server"),
        (refused(400, "boom", "context_length_exceeded"), "llm_context_overflow"),
        (refused(400, "boom", 400, "exceed_context_size_error"), "llm_context_overflow"),
        (refused(400, "This model's maximum context length is 8192 tokens."), "llm_context_overflow"),
        (refused(400, "Range of input length should be [1, 30720]"), "llm_context_overflow"),
        (refused(500, "the request exceeds the available context size"), "llm_context_overflow"),
        (Reply((b"",), 413, "text/html"), "llm_context_overflow"),
        (refused(400, "Range of max_tokens should be [1, 8192]"), "llm_rejected"),
        (refused(422, "unknown field"), "llm_rejected"),
        (Reply((b"",), 301, "text/html", {"Location": "/elsewhere"}), "llm_rejected"),
    ],
)
async def test_a_refusal_names_its_reason(make, server, reply, code):
    server.replies = [reply]
    assert (await failure(make())).code == code


async def test_an_overflow_names_the_remedy(make, server):
    server.replies = [refused(400, "too long", "context_length_exceeded")]
    assert "减少送入的资料" in (await failure(make())).remedy


async def test_the_server_s_words_are_passed_on_without_the_key(make, server):
    server.replies = [refused(401, f"bad key {KEY}")]
    assert "bad key ***" in str(await failure(make()))


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
async def test_an_error_that_may_pass_is_tried_again_with_growing_waits(make, server, status):
    server.replies = [refused(status)] * 2
    model = make(retries=2)
    assert await text(model) == ANSWER
    first, second = model.waits
    assert 0.25 <= first <= 0.5
    assert 0.5 <= second <= 1


async def test_tries_end(make, server):
    server.replies = [refused(500)] * 3
    assert (await failure(make(retries=2))).code == "llm_server"
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    "reply",
    [refused(400), refused(401), refused(408), refused(501), refused(429, code="insufficient_quota")],
)
async def test_what_will_not_pass_is_not_tried_again(make, server, reply):
    server.replies = [reply]
    await failure(make(retries=2))
    assert len(server.requests) == 1


async def test_the_wait_the_server_asks_for_is_kept(make, server):
    server.replies = [refused(429, Retry_After="60")]
    model = make(retries=1)
    assert await text(model) == ANSWER
    assert model.waits == [60]


@pytest.mark.parametrize("asked,total_s", [("61", 300), ("20", 10)])
async def test_a_wait_over_a_minute_or_over_the_whole_time_is_not_waited(make, server, asked, total_s):
    server.replies = [refused(429, Retry_After=asked)]
    model = make(retries=2, total_timeout_s=total_s)
    assert (await failure(model)).code == "llm_rate_limited"
    assert model.waits == []


async def test_no_server_at_all_is_tried_again_and_then_unreachable(make):
    model = make(base_url="http://127.0.0.1:1", retries=2)
    assert (await failure(model)).code == "llm_unreachable"
    assert len(model.waits) == 2


# --- fields that a server does not know ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "reply",
    [
        refused(400, "Unknown parameter: 'stream_options'."),
        Reply((json.dumps({"detail": [{"loc": ["body", "stream_options"]}]}).encode(),), 422, "application/json"),
    ],
)
async def test_a_server_that_does_not_know_stream_options_is_asked_without(make, server, reply):
    server.replies = [reply]
    model = make()
    assert await text(model) == ANSWER
    assert "stream_options" not in server.requests[1][2]
    assert model.waits == []


async def test_what_was_learnt_holds_for_the_next_question(make, server):
    server.replies = [refused(400, "stream_options is not supported")]
    model = make()
    await pieces(model)
    await pieces(model)
    assert len(server.requests) == 3


async def test_questions_asked_at_the_same_time_all_learn(make, server):
    server.replies = [refused(400, "stream_options is not supported")] * 3
    model = make()
    assert await asyncio.gather(*(text(model) for _ in range(3))) == [ANSWER] * 3


async def test_a_server_that_still_refuses_is_not_asked_for_ever(make, server):
    server.replies = [refused(400, "stream_options is not supported")] * 2
    assert (await failure(make())).code == "llm_rejected"
    assert len(server.requests) == 2


async def test_a_server_with_the_newer_name_for_the_length_is_asked_with_it(make, server):
    server.replies = [refused(400, "'max_tokens' is not supported. Use 'max_completion_tokens' instead.")]
    assert await text(make()) == ANSWER
    assert server.requests[1][2]["max_completion_tokens"] == 99
    assert "max_tokens" not in server.requests[1][2]


# --- time ------------------------------------------------------------------------------------------------------------


async def never_greets(reader, writer):
    await reader.read()
    writer.close()


async def test_a_connection_that_is_never_made_has_its_own_code(make):
    # A server that does not speak TLS never answers the greeting.
    async with await asyncio.start_server(never_greets, "127.0.0.1", 0) as silent:
        port = silent.sockets[0].getsockname()[1]
        model = make(base_url=f"https://127.0.0.1:{port}", connect_timeout_s=0.05, retries=1)
        problem = await failure(model)
    assert problem.code == "llm_connect_timeout"
    assert "0.05 秒" in problem.message
    assert len(model.waits) == 1


KEEP_ALIVE = (b": keep-alive\n\n", 0.02) * 10
NO_TOKEN = delta("", role="assistant")


@pytest.mark.parametrize(
    "script",
    [
        (Silence,),
        (b"", Silence),
        (NO_TOKEN, Silence),
        (*KEEP_ALIVE, Silence),
    ],
)
async def test_no_first_token_has_its_own_code_and_is_not_tried_again(make, server, script):
    server.replies = [Reply(script)]
    problem = await failure(make(first_token_timeout_s=0.1, retries=2))
    assert problem.code == "llm_first_token_timeout"
    assert "0.1 秒" in problem.message
    assert len(server.requests) == 1
    await asyncio.wait_for(server.left.wait(), 1)


@pytest.mark.parametrize("script", [(delta("婚"), Silence), (delta("婚"), *KEEP_ALIVE, Silence)])
async def test_a_stream_that_stalls_has_its_own_code_and_is_not_tried_again(make, server, script):
    server.replies = [Reply(script)]
    problem = await failure(make(between_tokens_timeout_s=0.1, retries=2), heard="婚")
    assert problem.code == "llm_stalled"
    assert len(server.requests) == 1
    await asyncio.wait_for(server.left.wait(), 1)


async def test_thoughts_are_a_sign_of_life(make, server):
    thinking = (0.1, delta(None, reasoning_content="想")) * 4
    server.replies = [Reply((*thinking, delta("答", finish="stop"), DONE))]
    assert await text(make(first_token_timeout_s=0.3, between_tokens_timeout_s=0.3)) == "答"


async def test_an_answer_without_end_has_its_own_code(make, server):
    server.replies = [Reply((delta("婚"), 0.02) * 50)]
    with pytest.raises(ProviderError) as caught:
        await pieces(make(total_timeout_s=0.2))
    assert caught.value.code == "llm_timeout"


async def test_an_answer_in_one_piece_has_only_the_whole_time(make, server):
    server.replies = [Reply((0.1, *whole(ANSWER).script), kind="application/json"), Reply((Silence,))]
    assert await text(make(stream=False, first_token_timeout_s=0.01)) == ANSWER
    assert (await failure(make(stream=False, total_timeout_s=0.05))).code == "llm_timeout"


async def test_the_time_the_listener_takes_is_not_counted(make):
    heard = ""
    async for piece in make(between_tokens_timeout_s=0.2, total_timeout_s=0.4).stream(PROMPT):
        heard += piece.text
        await asyncio.sleep(0.25)
    assert heard == ANSWER


# --- leaving ---------------------------------------------------------------------------------------------------------


async def test_closing_the_stream_closes_the_connection_at_once(make, server):
    server.replies = [Reply((delta("婚"), Silence))]
    stream = make().stream(PROMPT)
    await anext(stream)
    await stream.aclose()
    await asyncio.wait_for(server.left.wait(), 1)


@pytest.mark.parametrize("script", [(Silence,), (b"", Silence), (delta("婚"), Silence)])
async def test_cancelling_closes_the_connection_at_once(make, server, script):
    server.replies = [Reply(script)]
    model = make()
    task = asyncio.create_task(pieces(model))
    await asyncio.wait_for(server.asked.wait(), 5)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.wait_for(server.left.wait(), 1)
    assert await text(model) == ANSWER


async def test_many_answers_at_the_same_time_do_not_disturb_each_other(make):
    model = make()
    assert await asyncio.gather(*(text(model) for _ in range(20))) == [ANSWER] * 20


# --- who it is -------------------------------------------------------------------------------------------------------


async def test_the_name_shows_model_and_host_but_neither_key_nor_password(make):
    model = make(base_url="https://user:word@api.example.com:8443/v1")
    assert repr(model) == "m@api.example.com:8443"
    assert KEY not in repr(model._client)


async def test_no_error_in_the_chain_shows_the_key(make, server):
    server.replies = [refused(401, f"bad key {KEY}")]
    problem = await failure(make())
    assert problem.__cause__ is None
    assert KEY not in repr(problem)


@pytest.mark.parametrize(
    "change,code",
    [
        ({"base_url": ""}, "llm_base_url"),
        ({"base_url": "api.example.com/v1"}, "llm_base_url"),
        ({"base_url": "http://[::1"}, "llm_base_url"),
        ({"model": " "}, "llm_model"),
        ({"api_key": "sk-钥匙"}, "llm_api_key"),
        ({"api_key": "two words"}, "llm_api_key"),
    ],
)
async def test_settings_that_cannot_work_are_refused_at_once(make, change, code):
    with pytest.raises(ConfigError) as caught:
        make(**change)
    assert caught.value.code == code
    assert caught.value.remedy
    assert change.get("api_key", KEY) not in str(caught.value)


async def test_blanks_around_a_pasted_key_do_not_matter(make, server):
    await pieces(make(api_key=f" {KEY}\n"))
    assert server.requests[0][1]["authorization"] == f"Bearer {KEY}"
