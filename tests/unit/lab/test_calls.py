from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest

from youju.errors import ProviderError
from youju.lab.calls import Calls, Remembering, Tokens
from youju.lab.lines import Lines
from youju.ports import Piece, Prompt

ASKED = Prompt((("user", "问题"),))


class Counting:
    """A model that says how often it was asked."""

    def __init__(self, *, ends: bool = True) -> None:
        self.asked, self._ends = 0, ends

    def __repr__(self) -> str:
        return "counting"

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Piece, None]:
        self.asked += 1
        yield Piece(f"第 {self.asked} 次")
        if self._ends:
            yield Piece("。", "stop", 7, 3)

    async def aclose(self) -> None: ...


async def said(model: Remembering, prompt: Prompt = ASKED) -> str:
    return "".join([piece.text async for piece in model.stream(prompt)])


def calls(tmp_path) -> Calls:
    return Calls.opened(Lines(tmp_path / "calls.jsonl"))


async def test_the_same_question_is_asked_once(tmp_path):
    model = Counting()
    remembering = Remembering(model, calls(tmp_path))
    assert [await said(remembering), await said(remembering)] == ["第 1 次。", "第 1 次。"]
    assert model.asked == 1


async def test_another_process_knows_the_answer_and_its_tokens(tmp_path):
    model = Counting()
    await said(Remembering(model, calls(tmp_path)))
    later = calls(tmp_path)
    pieces = [piece async for piece in Remembering(model, later).stream(ASKED)]
    assert model.asked == 1
    assert (pieces[-1].prompt_tokens, pieces[-1].completion_tokens, later.spent, later.told) == (7, 3, 0, {})


@pytest.mark.parametrize(
    "other",
    [Prompt((("user", "别的"),)), Prompt(ASKED.messages, 0.5), Prompt(ASKED.messages, max_tokens=7)],
)
async def test_another_prompt_or_parameter_is_another_call(tmp_path, other):
    model = Counting()
    remembering = Remembering(model, calls(tmp_path))
    assert await said(remembering) != await said(remembering, other)


async def test_another_repeat_is_another_call(tmp_path):
    model, kept = Counting(), calls(tmp_path)
    assert await said(Remembering(model, kept, 0)) != await said(Remembering(model, kept, 1))


async def test_an_answer_without_an_end_is_not_kept(tmp_path):
    model, kept = Counting(ends=False), calls(tmp_path)
    for _ in range(2):
        with pytest.raises(ProviderError, match="没有结尾"):
            await said(Remembering(model, kept))
    assert model.asked == 2
    assert calls(tmp_path).known == {}


async def test_a_reader_who_leaves_in_the_middle_keeps_nothing_of_it(tmp_path):
    class Slow(Counting):
        async def stream(self, prompt: Prompt) -> AsyncGenerator[Piece, None]:
            yield Piece("半")
            await asyncio.sleep(3600)

    kept = calls(tmp_path)
    task = asyncio.create_task(said(Remembering(Slow(), kept)))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (kept.known, kept.spent) == ({}, 1)


async def test_who_asks_the_same_meanwhile_waits_for_the_answer(tmp_path):
    model, kept = Counting(), calls(tmp_path)
    told = await asyncio.gather(*(said(Remembering(model, kept)) for _ in range(5)))
    assert (set(told), model.asked, kept.spent) == ({"第 1 次。"}, 1, 1)


async def test_one_that_fails_leaves_the_next_to_ask_for_itself(tmp_path):
    model, kept = Counting(ends=False), calls(tmp_path)
    failed = await asyncio.gather(*(said(Remembering(model, kept)) for _ in range(3)), return_exceptions=True)
    assert {type(one) for one in failed} == {ProviderError}
    assert model.asked == 3


async def test_the_bill_of_a_run_is_over_all_its_processes_and_of_no_other_run(tmp_path):
    for run in ("first", "second"):
        kept = Calls.opened(Lines(tmp_path / "calls.jsonl"), run)
        await said(Remembering(Counting(), kept), Prompt((("user", run),)))
    later = Calls.opened(Lines(tmp_path / "calls.jsonl"), "second")
    await said(Remembering(Counting(), later), Prompt((("user", "third"),)))
    assert later.spent == 2
    # Seven tokens asked and three told, twice.
    assert later.told == {"counting": Tokens(14, 6)}
