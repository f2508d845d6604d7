"""A document that goes while a question about it is being answered."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import replace

import pytest

from apps import RULES, added, opened, written
from youju.chat.service import Request
from youju.chat.views import chat_view
from youju.compose import App
from youju.ports import Piece, Prompt
from youju.providers.fakes import FakeLLM
from youju.stages.base import Event
from youju.types import Degradation

QUESTION = "出差住宿费的上限是多少？"
GONE = Degradation("scope", "document_gone")


class Meanwhile(FakeLLM):
    """Answers, and lets something happen before its last word."""

    def __init__(self, happens: Callable[[], Awaitable[object]]) -> None:
        super().__init__(["住宿费的上限是每晚三百二十元。[1]"])
        self._happens = happens

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Piece, None]:
        async for piece in super().stream(prompt):
            if piece.finish_reason:
                await self._happens()
            yield piece


async def removed(app: App, id_: str) -> None:
    await app.documents.delete(id_)


async def disabled(app: App, id_: str) -> None:
    await app.documents.enable(id_, enabled=False)


async def heard(event: Event) -> None: ...


@pytest.mark.parametrize("goes", [removed, disabled])
@pytest.mark.parametrize("streamed", [True, False])
async def test_nothing_of_it_is_shown_that_is_not_out_already(tmp_path, goes, streamed):
    async with opened(tmp_path / "store") as app:
        document = await added(app, written(tmp_path, "规定.md", RULES))
        llm = Meanwhile(lambda: goes(app, document.id))
        chat = replace(app.chat, parts=replace(app.chat.parts, llm=llm))
        turn = await (chat.ask(Request(QUESTION), heard) if streamed else chat.ask(Request(QUESTION)))
        body = chat_view(turn, app.wording)
    assert GONE in turn.degradations
    assert (body["sources"], body["nearest"], body["verdicts"], body["context_used"]) == ([], [], [], 0)
    assert turn.refusal == (None if streamed else "scope_empty")
    assert ("三百二十" in body["answer"]) == streamed


async def test_another_document_that_goes_changes_nothing(tmp_path):
    async with opened(tmp_path / "store") as app:
        await added(app, written(tmp_path, "规定.md", RULES))
        other = await added(app, written(tmp_path, "别的.md", "# 菜谱\n\n西红柿炒鸡蛋要先炒鸡蛋。"))
        chat = replace(app.chat, parts=replace(app.chat.parts, llm=Meanwhile(lambda: removed(app, other.id))))
        turn = await chat.ask(Request(QUESTION, settings={"context_top_k": 1}))
    assert turn.answer is not None
    assert GONE not in turn.degradations
