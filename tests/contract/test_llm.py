"""What every language model promises."""

from __future__ import annotations

import pytest

from youju.ports import LLM, Prompt
from youju.providers.fakes import FakeLLM

PROMPT = Prompt((("system", "只根据资料回答。"), ("user", "婚假几天？")))


@pytest.fixture(params=[lambda: FakeLLM(["婚假为十三个自然日。[1]", "没有。"])], ids=["fake"])
async def llm(request):
    made = request.param()
    yield made
    await made.aclose()


def test_it_is_a_language_model(llm) -> None:
    assert isinstance(llm, LLM)


async def test_the_answer_comes_in_pieces_and_the_last_says_why_it_ended(llm) -> None:
    pieces = [piece async for piece in llm.stream(PROMPT)]
    assert "".join(piece.text for piece in pieces) == "婚假为十三个自然日。[1]"
    assert len(pieces) > 2
    assert [piece.finish_reason for piece in pieces[:-1]] == [""] * (len(pieces) - 1)
    assert pieces[-1].finish_reason == "stop"


async def test_usage_is_told_at_the_end(llm) -> None:
    last = [piece async for piece in llm.stream(PROMPT)][-1]
    assert last.prompt_tokens == len("只根据资料回答。婚假几天？")
    assert last.completion_tokens == len("婚假为十三个自然日。[1]")


async def test_a_listener_may_leave_in_the_middle_and_ask_again(llm) -> None:
    stream = llm.stream(PROMPT)
    await anext(stream)
    await stream.aclose()
    assert "".join([piece.text async for piece in llm.stream(PROMPT)])


def test_its_identity_names_no_object(llm) -> None:
    assert " at 0x" not in repr(llm)
