"""Asking over HTTP: the contract's bodies, events and refusals, and nobody who is answered after they left."""

from __future__ import annotations

import asyncio
import json
import time

import pytest

from apps import MANUAL, RULES
from chat_server import delta, streamed, whole
from http_service import events, in_loop, on_port, until
from servers import Abort, Reply, Server, Silence
from youju.api.answering import found
from youju.chat.service import Request
from youju.chat.views import chat_view

QUESTION = "QINGWU_MAX_CONN 的默认值是多少？"
# The beginning is held back until it can no longer become a refusal.
LONG = "网关手册的连接一章写明了 QINGWU_MAX_CONN 这个配置项的默认值，它的默认值是 512[1]。" * 4
SLOWLY = Reply((delta("", role="assistant"), delta("默认值是"), Silence))


def llm(address: str, **more) -> dict:
    return {"llm": {"base_url": f"{address}/v1", "model": "m", **more}}


async def filled(live) -> None:
    await live.add("手册.md", MANUAL)
    await live.add("规定.md", RULES)


async def streamed_events(live, **body) -> list[tuple[str, dict]]:
    answer = await live.client.post("/api/chat", json={"question": QUESTION, "stream": True, **body})
    assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
    return events(answer.text)


async def test_chat_answers_with_exactly_what_the_command_line_prints(tmp_path):
    async with in_loop(tmp_path) as live:
        await filled(live)
        answer = await live.client.post("/api/chat", json={"question": QUESTION})
        turn = await live.app.chat.ask(Request(QUESTION))
    assert answer.status_code == 200
    body, same = answer.json(), json.loads(json.dumps(chat_view(turn, live.app.wording)))
    passing = ("trace_id", "conversation_id")
    assert {k: v for k, v in body.items() if k not in passing} == {k: v for k, v in same.items() if k not in passing}
    assert body["trace_id"]
    assert "512" in body["answer"]
    assert body["sources"][0]["quote"]


async def test_retrieve_ends_after_the_grade_and_is_never_an_error(tmp_path):
    async with in_loop(tmp_path) as live:
        await filled(live)
        hit = (await live.client.post("/api/retrieve", json={"question": QUESTION, "top_k": 1})).json()
        knobs = {"vector_top_k": 0}
        none = await live.client.post("/api/retrieve", json={"question": "zzz", "settings": knobs})
    assert len(hit["chunks"]) == 1
    assert hit["chunks"][0]["ranks"]["rrf"] == 1
    assert hit["grade"]["level"] in {"HIGH", "AMBIGUOUS", "LOW"}
    assert none.status_code == 200
    assert none.json()["chunks"] == []


async def test_a_scope_with_nothing_in_it_is_a_refusal(tmp_path):
    async with in_loop(tmp_path) as live:
        body = (await live.client.post("/api/chat", json={"question": QUESTION, "collection": "没有"})).json()
    assert body["refused"] is True
    assert body["refusal_reason"] == "scope_empty"
    assert body["answer"] == "当前资料中没有找到明确依据。"


async def test_nothing_found_is_a_404_with_a_trace(tmp_path):
    asked = {"question": "zzz", "settings": {"vector_top_k": 0}}
    async with in_loop(tmp_path) as live:
        await filled(live)
        answer = await live.client.post("/api/chat", json=asked)
        told = await streamed_events(live, **asked)
    problem = answer.json()
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"
    assert problem["message"] == problem["detail"] == "未找到相关资料内容"
    assert problem["code"] == "no_candidates"
    assert problem["trace_id"]
    name, carried = told[-1]
    assert name == "error"
    assert {**carried, "trace_id": ""} == {**problem, "trace_id": ""}
    assert not [name for name, _ in told if name in {"token", "done"}]


@pytest.mark.parametrize("question", [QUESTION, "日志的价格怎样？"])
async def test_the_tokens_of_a_stream_are_the_answer(tmp_path, question):
    async with in_loop(tmp_path) as live:
        await filled(live)
        told = await streamed_events(live, question=question)
    names = [name for name, _ in told]
    done = told[-1][1]
    assert "".join(data["text"] for name, data in told if name == "token") == done["answer"]
    assert names[0] == "stage"
    assert names[-4:] == ["sources", "verdicts", "confidence", "done"]
    assert dict(told)["sources"]["sources"] == done["sources"]


async def test_a_model_s_answer_streams_and_is_the_same_without_streaming(tmp_path):
    async with (
        Server(streamed(LONG, "超过后新的", "连接会排队[1]。\n", "就这些。")) as model,
        in_loop(tmp_path, **llm(model.address)) as live,
    ):
        await filled(live)
        told = await streamed_events(live)
        plain = (await live.client.post("/api/chat", json={"question": QUESTION})).json()
    tokens = [data["text"] for name, data in told if name == "token"]
    assert "".join(tokens) == told[-1][1]["answer"] == plain["answer"]
    assert len(tokens) > 1


async def test_a_model_that_breaks_in_the_middle_ends_in_an_error_event(tmp_path):
    broken = Reply((delta("", role="assistant"), delta(LONG), delta("超过后新的连接"), Abort))
    async with Server(broken) as model, in_loop(tmp_path, **llm(model.address, retries=0)) as live:
        await filled(live)
        told = await streamed_events(live)
    assert told[-1][0] == "error"
    assert told[-1][1]["status"] == 503
    assert "done" not in dict(told)


@pytest.mark.parametrize("stream", [True, False])
async def test_who_leaves_ends_the_work_within_a_second(tmp_path, stream):
    body = json.dumps({"question": QUESTION, "stream": stream}).encode()
    head = b"POST /api/chat HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
    async with Server(SLOWLY) as model, on_port(tmp_path, **llm(model.address)) as live:
        await filled(live)
        host, port = live.address.removeprefix("http://").split(":")
        _, writer = await asyncio.open_connection(host, int(port))
        writer.write(head % len(body) + body)
        await asyncio.wait_for(model.asked.wait(), 20)
        assert live.api.state.service.answers.taken == 1
        began = time.perf_counter()
        writer.transport.abort()
        await asyncio.wait_for(model.left.wait(), 20)
        assert time.perf_counter() - began < 1
        async with asyncio.timeout(20):
            await until(lambda: live.api.state.service.answers.taken == 0)


@pytest.mark.parametrize("stream", [True, False])
async def test_more_answers_than_allowed_are_refused_not_queued(tmp_path, stream):
    more = {"server": {"max_answers": 1}}
    async with Server(SLOWLY) as model, on_port(tmp_path, **llm(model.address), **more) as live:
        await filled(live)
        first = asyncio.create_task(live.client.post("/api/chat", json={"question": QUESTION}))
        await asyncio.wait_for(model.asked.wait(), 20)
        second = await live.client.post("/api/chat", json={"question": QUESTION, "stream": stream})
        search = await live.client.post("/api/retrieve", json={"question": QUESTION})
        first.cancel()
        await asyncio.wait_for(model.left.wait(), 20)
    assert (second.status_code, second.json()["code"]) == (503, "busy")
    assert second.headers["retry-after"] == "2"
    assert search.status_code == 200


async def test_a_persona_that_needs_a_model_is_refused_before_anything_streams(tmp_path):
    async with in_loop(tmp_path) as live:
        asked = {"question": QUESTION, "persona": "tutor", "stream": True}
        answer = await live.client.post("/api/chat", json=asked)
    assert (answer.status_code, answer.json()["code"]) == (400, "persona_needs_llm")


async def test_what_a_model_did_not_give_is_degraded_and_counted(tmp_path):
    async with Server(whole("", finish="stop")) as model, in_loop(tmp_path, **llm(model.address, retries=0)) as live:
        await filled(live)
        body = (await live.client.post("/api/chat", json={"question": "住宿费的上限是多少？"})).json()
        page = (await live.client.get("/metrics")).text
    assert body["degraded"] is True
    assert f'youju_degradations_total{{part="llm",reason="{body["degradation_reason"]}"}} 1' in page
    assert 'youju_requests_total{method="POST",route="/api/chat",status="200"} 1' in page
    assert 'youju_versions{status="READY"} 2' in page


async def test_the_number_of_chunks_shown_is_that_of_the_context(tmp_path):
    async with in_loop(tmp_path) as live:
        await filled(live)
        from youju.api.schemas.chat import Question

        body = await found(live.api.state.service, Question(question="住宿费的上限，日志", top_k=2))
    assert len(body["chunks"]) == 2


async def test_a_misspelt_filter_is_refused_and_widens_nothing(tmp_path):
    async with in_loop(tmp_path) as live:
        reply = await live.client.get("/api/documents", params={"colection": "规定"})
    assert (reply.status_code, reply.json()["code"]) == (400, "unknown_parameter")
    assert "collection" in reply.json()["remedy"]


async def test_what_is_no_http_is_answered_with_a_problem(tmp_path):
    async with on_port(tmp_path) as live:
        host, port = live.address.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write("GET /api/documents?collection=生活 HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        reply = await asyncio.wait_for(reader.read(), 20)
        writer.close()
    head, _, body = reply.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400")
    assert b"application/problem+json" in head
    assert json.loads(body)["code"] == "bad_http"
