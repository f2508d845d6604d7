"""What the log holds after a question, however it ended."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from apps import RULES, added, opened, written
from youju.chat.log import Log
from youju.chat.service import Chat, Request
from youju.errors import BrokenAnswerError, InputError, ProviderError, StoreError
from youju.ports import LLM, Piece, Prompt
from youju.providers.fakes import FakeLLM
from youju.stages.base import Event
from youju.stages.prompt import template
from youju.trace.entry import Trace
from youju.types import Degradation, Step

QUESTION = "出差住宿费的上限是多少？"


async def heard(event: Event) -> None: ...


@asynccontextmanager
async def answering(folder: Path, llm: LLM | None = None) -> AsyncIterator[Chat]:
    async with opened(folder / "store") as app:
        await added(app, written(folder, "规定.md", RULES))
        yield replace(app.chat, parts=replace(app.chat.parts, llm=llm))


async def only(chat: Chat) -> Trace:
    (one,) = await chat.log.listed()
    return await chat.log.find(one.id)


def stages(steps: tuple[Step, ...]) -> set[str]:
    return {step.stage.partition("(")[0] for step in steps} | {name for one in steps for name in stages(one.inner)}


async def test_an_answer_is_logged_with_all_that_led_to_it(tmp_path):
    async with answering(tmp_path, FakeLLM(["出差住宿费的上限是每晚三百二十元。[1][8]"])) as chat:
        turn = await chat.ask(Request(QUESTION, settings={"rrf_k": 30}, conversation_id="甲"))
        trace = await only(chat)
    assert (trace.summary.id, trace.summary.conversation_id) == (turn.trace_id, "甲")
    assert (trace.answer, trace.removed_markers) == (turn.answer.text, ("[8]",))
    assert (trace.knobs["rrf_k"], trace.temperature, trace.model) == (30, 0.0, "fake-llm/4")
    assert trace.generation["prompt"] == template("assistant").name
    assert {"ByVector", "ByWords", "Fuse", "GradeEvidence", "Gate", "Budget", "Generate", "Cite", "Verify"} <= stages(
        trace.steps
    )
    assert [one.n for one in trace.chunks if one.cited] == [1]


@pytest.mark.parametrize("question, reason", [("飞机上的上限由火星定吗？", "low_evidence"), ("？！", "no_candidates")])
async def test_a_refusal_is_logged_with_its_reason(tmp_path, question, reason):
    async with answering(tmp_path) as chat:
        turn = await chat.ask(Request(question))
        trace = await only(chat)
    assert turn.refusal == trace.summary.refusal == reason


async def test_an_empty_scope_is_logged_with_what_was_asked_for(tmp_path):
    async with answering(tmp_path) as chat:
        await chat.ask(Request(QUESTION, document_ids=["d-unknown"]))
        trace = await only(chat)
    assert trace.summary.refusal == "scope_empty"
    assert [(one.id, one.status) for one in trace.scope.excluded] == [("d-unknown", "UNKNOWN")]


async def test_a_search_is_logged_as_one(tmp_path):
    async with answering(tmp_path) as chat:
        await chat.retrieve(Request(QUESTION))
        trace = await only(chat)
    assert (trace.summary.kind, trace.model) == ("retrieve", "")
    assert trace.chunks


async def test_bad_input_is_not_logged(tmp_path):
    async with answering(tmp_path) as chat:
        with pytest.raises(InputError):
            await chat.ask(Request(""))
        assert await chat.log.listed() == []


class Breaking(FakeLLM):
    async def stream(self, prompt: Prompt) -> AsyncGenerator[Piece, None]:
        yield Piece("住宿费的上限是每晚三百二十元，凭发票报销。")
        raise ProviderError("断了", part="llm", code="llm_cut_off")


async def test_an_answer_that_broke_off_is_logged_with_its_error_and_how_far_it_came(tmp_path):
    async with answering(tmp_path, Breaking()) as chat:
        with pytest.raises(BrokenAnswerError):
            await chat.ask(Request(QUESTION), heard)
        trace = await only(chat)
    assert (trace.summary.status, trace.summary.error_code, trace.error_message) == ("error", "llm_cut_off", "断了")
    assert {"GradeEvidence", "Budget"} <= stages(trace.steps)
    assert (trace.answer, trace.by) == ("住宿费的上限是每晚三百二十元，凭发票报销。", "interrupted")


class Endless(FakeLLM):
    def __init__(self) -> None:
        super().__init__()
        self.begun, self.ended = asyncio.Event(), asyncio.Event()

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Piece, None]:
        try:
            yield Piece("住宿费的上限")
            self.begun.set()
            await asyncio.Event().wait()
        finally:
            self.ended.set()


async def test_a_question_whose_asker_leaves_stops_the_model_and_is_logged(tmp_path):
    llm = Endless()
    async with answering(tmp_path, llm) as chat:
        task = asyncio.create_task(chat.ask(Request(QUESTION), heard))
        await llm.begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert llm.ended.is_set()
        trace = await only(chat)
    assert trace.summary.error_code == "cancelled"
    assert "Budget" in stages(trace.steps)


async def test_a_log_that_cannot_be_written_degrades_the_answer_and_keeps_it(tmp_path):
    class Full(Log):
        async def record(self, entry: object) -> None:
            raise StoreError("磁盘已满", code="log_failed")

    async with answering(tmp_path) as chat:
        turn = await replace(chat, log=Full(chat.store, None, texts=True)).ask(Request(QUESTION))
    assert turn.answer is not None
    assert turn.degradations == (Degradation("log", "log_failed"),)
