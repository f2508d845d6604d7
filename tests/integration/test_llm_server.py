"""A real OpenAI-compatible server with a real, if small, model. What it says is worth nothing and never looked at."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest

from apps import RULES, added, opened, written
from model_server import model_server
from youju.chat.service import Request
from youju.chat.views import answer_text
from youju.errors import BrokenAnswerError, ProviderError
from youju.ports import Prompt
from youju.providers.llm_openai import OpenAILLM
from youju.types import Degradation

pytestmark = pytest.mark.slow
QUESTION = "出差住宿费的上限是多少？"
LONG = 1500
"""Tokens that take the model a minute."""


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with model_server(tmp_path_factory.mktemp("model")) as running:
        yield running


@pytest.fixture
def mortal(tmp_path):
    """A server that a test may kill."""
    with model_server(tmp_path) as running:
        yield running


@pytest.fixture
async def make():
    made = []

    def model(server, **settings):
        made.append(OpenAILLM(base_url=server.address, model="m", retries=0, **settings))
        return made[-1]

    yield model
    for each in made:
        await each.aclose()


def prompt(text="Tell me a story.", tokens=12):
    return Prompt((("user", text),), max_tokens=tokens)


async def pieces(model, asked):
    return [piece async for piece in model.stream(asked)]


async def last_of(stream):
    async for piece in stream:
        last = piece
    return last


async def until(happened):
    """Waits for what a server shows from outside only."""
    async with asyncio.timeout(40):
        while not await asyncio.to_thread(happened):  # noqa: ASYNC110 - no event crosses to another process
            # Asked more than once a second, this server puts off looking whether its client has left.
            await asyncio.sleep(1.2)


# --- the provider alone ----------------------------------------------------------------------------------------------


async def test_an_answer_in_pieces_is_the_answer_in_one_piece(server, make) -> None:
    streamed = await pieces(make(server), prompt())
    (whole, end) = await pieces(make(server, stream=False), prompt())
    assert "".join(piece.text for piece in streamed) == whole.text
    assert len(streamed) > 3
    assert streamed[-1] == end


async def test_usage_and_the_reason_why_it_ended_are_read(server, make) -> None:
    short, long = [(await pieces(make(server), prompt(text)))[-1] for text in ("Hi.", "Hi. " * 20)]
    assert (short.finish_reason, short.completion_tokens) == ("length", 12)
    assert 0 < short.prompt_tokens < long.prompt_tokens


async def test_leaving_a_stream_stops_the_server_from_generating(server, make) -> None:
    async with aclosing(make(server).stream(prompt(tokens=LONG))) as stream:
        await anext(stream)
        assert await asyncio.to_thread(server.busy)
    await until(lambda: not server.busy())
    assert await pieces(make(server), prompt(tokens=1))


@pytest.mark.parametrize("stream", [True, False])
async def test_cancelling_stops_the_server_from_generating(server, make, stream) -> None:
    task = asyncio.create_task(pieces(make(server, stream=stream), prompt(tokens=LONG)))
    await until(lambda: server.generated() > 0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await until(lambda: not server.busy())
    assert await pieces(make(server), prompt(tokens=1))


async def test_questions_asked_at_the_same_time_are_answered_one_after_another(server, make) -> None:
    model = make(server)
    first, *others = await asyncio.gather(*(pieces(model, prompt(tokens=4)) for _ in range(3)))
    assert others == [first, first]


@pytest.mark.parametrize("stream", [True, False])
async def test_too_long_a_prompt_is_told_apart_from_other_refusals(server, make, stream) -> None:
    with pytest.raises(ProviderError) as caught:
        await pieces(make(server, stream=stream), prompt("Once upon a time. " * 1000))
    assert caught.value.code == "llm_context_overflow"
    assert await pieces(make(server), prompt(tokens=1))


async def test_a_server_killed_in_the_middle_of_a_stream_is_an_error_after_what_was_said(mortal, make) -> None:
    stream = make(mortal).stream(prompt(tokens=LONG))
    assert (await anext(stream)).text
    mortal.kill()
    with pytest.raises(ProviderError) as caught:
        await asyncio.wait_for(last_of(stream), 20)
    assert caught.value.code == "llm_cut_off"
    with pytest.raises(ProviderError) as caught:
        await pieces(make(mortal), prompt())
    assert caught.value.code == "llm_unreachable"


# --- the whole chain -------------------------------------------------------------------------------------------------


async def asked(folder, address, emit=None, **llm):
    """The turn and the refusal wording over a store of one small document."""
    chosen = {"base_url": address, "model": "m", "max_tokens": 16, "retries": 0, **llm}
    async with opened(folder, llm=chosen) as app:
        await added(app, written(folder, "in/rules.md", RULES))
        turn = await (app.chat.ask(Request(QUESTION), emit) if emit else app.chat.ask(Request(QUESTION)))
        return turn, app.wording


def is_extractive(turn, reason):
    """Whether the turn was answered from the text of the material, for that reason."""
    assert turn.degradations == (Degradation("llm", reason),)
    assert turn.answer.by == "extractive"
    assert "三百二十元" in turn.answer.text
    return True


async def test_a_question_is_answered_by_the_model_and_what_is_streamed_is_the_answer(server, tmp_path) -> None:
    tokens = []

    async def listen(event):
        if event.kind == "token":
            tokens.append(event.data["text"])

    turn, wording = await asked(tmp_path, server.address, listen)
    assert turn.answer.by.startswith("m@")
    assert "".join(tokens) == answer_text(turn, wording)
    # The model stopped at its limit, and that is said.
    assert turn.degradations == (Degradation("llm", "answer_truncated"),)
    (note,) = [step.note for step in steps(turn) if "completion_tokens" in step.note]
    assert (note["completion_tokens"], note["finish_reason"]) == (16, "length")
    assert note["prompt_tokens"] > 100


def steps(turn):
    found = list(turn.steps)
    for step in found:
        found += step.inner
    return found


async def test_a_question_too_long_for_the_model_is_answered_from_the_text(tmp_path) -> None:
    with model_server(tmp_path, window=256) as small:
        turn, _ = await asked(tmp_path, small.address)
    assert is_extractive(turn, "llm_context_overflow")


async def test_a_server_killed_before_the_answer_is_there_costs_the_model_s_answer_only(mortal, tmp_path) -> None:
    task = asyncio.create_task(asked(tmp_path, mortal.address, stream=False, max_tokens=LONG))
    await until(mortal.busy)
    mortal.kill()
    turn, _ = await task
    assert is_extractive(turn, "llm_cut_off")


async def test_a_server_killed_after_the_reader_has_heard_something_is_an_error(mortal, tmp_path) -> None:
    async def kill_at_the_first_word(event):
        if event.kind == "token" and mortal.process.poll() is None:
            mortal.kill()

    with pytest.raises(BrokenAnswerError) as caught:
        await asked(tmp_path, mortal.address, kill_at_the_first_word, max_tokens=LONG // 2)
    assert caught.value.code == "llm_cut_off"


async def test_without_a_server_the_answer_comes_from_the_text(mortal, tmp_path) -> None:
    mortal.kill()
    turn, _ = await asked(tmp_path, mortal.address)
    assert is_extractive(turn, "llm_unreachable")
