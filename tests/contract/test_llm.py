"""What every language model promises."""

from __future__ import annotations

import pytest

from chat_server import streamed
from servers import Server
from youju.ports import LLM, Prompt
from youju.providers.fakes import FakeLLM
from youju.providers.llm_openai import OpenAILLM

PROMPT = Prompt((("system", "只根据资料回答。"), ("user", "婚假几天？")))
ANSWER = "婚假为十三个自然日。[1]"


@pytest.fixture(params=["fake", "openai"])
async def llm(request, monkeypatch):
    if request.param == "fake":
        made = FakeLLM([ANSWER, "没有。"])
        yield made
        await made.aclose()
        return
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    # Counted as the fake counts: a character is a token.
    answer = streamed(ANSWER[:3], ANSWER[3:9], ANSWER[9:], tokens=(13, 13))
    async with Server(answer) as server:
        made = OpenAILLM(base_url=server.address, model="m", retries=0)
        yield made
        await made.aclose()


async def test_it_is_a_language_model(llm) -> None:
    assert isinstance(llm, LLM)


async def test_the_answer_comes_in_pieces_and_the_last_says_why_it_ended(llm) -> None:
    pieces = [piece async for piece in llm.stream(PROMPT)]
    assert "".join(piece.text for piece in pieces) == ANSWER
    assert len(pieces) > 2
    assert [piece.finish_reason for piece in pieces[:-1]] == [""] * (len(pieces) - 1)
    assert pieces[-1].finish_reason == "stop"


async def test_usage_is_told_at_the_end(llm) -> None:
    last = [piece async for piece in llm.stream(PROMPT)][-1]
    assert last.prompt_tokens == 13
    assert last.completion_tokens == 13


async def test_a_listener_may_leave_in_the_middle_and_ask_again(llm) -> None:
    stream = llm.stream(PROMPT)
    await anext(stream)
    await stream.aclose()
    assert "".join([piece.text async for piece in llm.stream(PROMPT)])


async def test_its_identity_names_no_object(llm) -> None:
    assert " at 0x" not in repr(llm)
