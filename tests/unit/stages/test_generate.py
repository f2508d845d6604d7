from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import chunk, context, hits, turn
from library import quiet
from youju.errors import BrokenAnswerError, ProviderError
from youju.ports import LLM, Piece, Prompt
from youju.providers.fakes import FakeLLM
from youju.stages.base import Event, advance
from youju.stages.generate import Generate
from youju.stages.prompt import template
from youju.stages.refusing import Refusing
from youju.types import Degradation, Turn

REFUSAL = "当前资料中没有找到明确依据。"
MATERIAL = ("婚假为十三天，见〔2021〕5号。", "试用期最长六个月。")


def asked() -> Turn:
    found = context(*(chunk(str(n), text) for n, text in enumerate(MATERIAL)))
    return turn("婚假几天？", context=found, hits=hits("ab"))


def generate(llm: LLM) -> Generate:
    return Generate(llm, template("assistant"), REFUSAL)


class Heard:
    def __init__(self) -> None:
        self.told: list[str] = []

    async def __call__(self, event: Event) -> None:
        if event.kind == "token":
            self.told.append(str(event.data["text"]))


class Breaking(FakeLLM):
    """Says what it was told to say, and breaks after so many pieces."""

    def __init__(self, says: str, pieces: int) -> None:
        super().__init__([says], piece_chars=1)
        self._pieces = pieces

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Piece, None]:
        sent = 0
        async for piece in super().stream(prompt):
            if sent == self._pieces:
                raise ProviderError("断了", part="llm", code="llm_cut_off")
            sent += 1
            yield piece


@pytest.mark.parametrize("chars", [1, 2, 3, 100])
async def test_what_is_told_piece_by_piece_is_the_answer(chars):
    heard = Heard()
    llm = FakeLLM(["婚假为十三天[1]，见〔2021〕5号。[99]试用期六个月【2】。"], piece_chars=chars)
    after = await generate(llm)(asked(), heard)
    assert after.answer.text == "婚假为十三天[1]，见〔2021〕5号。试用期六个月【2】。" == "".join(heard.told)
    assert after.removed_markers == ("[99]",)
    assert [one.cites for one in after.answer.statements] == [(1,), (2,)]


async def test_the_note_tells_model_prompt_and_usage():
    after = await generate(FakeLLM(["婚假为十三天。[1][7]"]))(asked(), quiet)
    assert after.notes["model"] == "fake-llm/4" == after.answer.by
    assert after.notes["prompt"] == template("assistant").name
    assert (after.notes["persona"], after.notes["finish_reason"]) == ("assistant", "stop")
    assert after.notes["completion_tokens"] == len("婚假为十三天。[1][7]")
    assert after.notes["removed"] == ["[7]"]


@pytest.mark.parametrize(
    "said",
    [
        REFUSAL,
        "当前资料中没有找到明确依据",
        "\n 当前资料中没有找到明确依据。\n",
        "**当前资料中没有找到明确依据。**",
        "“当前资料中没有找到明确依据。”",
        REFUSAL + "不过按常识，婚假是三天。",
        "当前资料中没有找到明确依据\n\n婚假一般是三天。",
        "很抱歉，当前资料中没有找到明确依据。不过一般来说是三天。",
        "当前资料中没有找到明确依据，不过一般是三天。[1]",
        "资料中没有说明。一般来说婚假是三天。[2]",
        "根据所给资料，没有提到婚假的工资。[1]",
        "抱歉，我无法回答这个问题。",
        "The provided material does not mention this.",
        "I'm sorry, the documents do not contain this information. It is usually 3 days.",
    ],
)
@pytest.mark.parametrize("chars", [1, 5, 200])
async def test_the_refusal_sentence_is_a_refusal_and_nothing_after_it_is_told(said, chars):
    heard = Heard()
    after = await generate(FakeLLM([said], piece_chars=chars))(asked(), heard)
    assert (after.refusal, after.answer, heard.told) == ("model_refused", None, [])
    assert [one.chunk.id for one in after.nearest] == ["a", "b"]


@pytest.mark.parametrize(
    "said", ["当前资料中没有找到明确依据说明上限，但婚假为十三天。[1]", "当前有效的婚假为十三天。[1]"]
)
@pytest.mark.parametrize("chars", [1, 3, 200])
async def test_a_sentence_that_only_begins_like_a_refusal_is_an_answer(said, chars):
    heard = Heard()
    after = await generate(FakeLLM([said], piece_chars=chars))(asked(), heard)
    assert after.refusal is None
    assert after.answer.text == said == "".join(heard.told)


async def test_a_model_that_fails_before_its_first_word_leaves_the_turn_without_an_answer():
    after = await advance(generate(Breaking("婚假为十三天。", 0)), asked(), Heard())
    assert after.answer is None
    assert after.degradations == (Degradation("llm", "llm_cut_off"),)
    assert after.steps[-1].note["error"] == "断了"


async def test_a_model_that_fails_after_its_first_word_cannot_be_replaced_where_it_is_streamed():
    with pytest.raises(BrokenAnswerError, match="断了") as caught:
        await advance(generate(Breaking("婚假为十三天。它很长。", 5)), replace(asked(), streamed=True), Heard())
    assert caught.value.code == "llm_cut_off"


async def test_what_is_not_streamed_can_be_replaced():
    after = await advance(generate(Breaking("婚假为十三天。它很长。", 5)), asked(), quiet)
    assert after.answer is None
    assert after.degradations == (Degradation("llm", "llm_cut_off"),)


@pytest.mark.parametrize("said", ["", " \n", "[9]"])
async def test_a_model_that_says_nothing_has_failed(said):
    after = await advance(generate(FakeLLM([said])), asked(), quiet)
    assert after.answer is None
    assert after.degradations == (Degradation("llm", "llm_empty_answer"),)


@pytest.mark.parametrize(
    "reason, named", [("length", "answer_truncated"), ("content_filter", "answer_filtered"), ("stop", None)]
)
async def test_an_answer_that_was_cut_short_says_so(reason, named):
    class Cut(FakeLLM):
        async def stream(self, prompt: Prompt) -> AsyncGenerator[Piece, None]:
            yield Piece("婚假为十")
            yield Piece(finish_reason=reason)

    after = await generate(Cut())(asked(), quiet)
    assert after.degradations == ((Degradation("llm", named),) if named else ())


async def test_without_context_no_model_is_asked():
    before = turn("婚假几天？")
    assert await generate(Breaking("x", 0))(before, quiet) is before


@given(st.text(alphabet="当前资料中没有找到明确依据。x\n*“", max_size=40), st.integers(1, 5))
def test_what_is_no_refusal_comes_out_whole(text, size):
    refusing = Refusing(REFUSAL)
    out = "".join(refusing.feed(text[at : at + size]) for at in range(0, len(text), size))
    out += refusing.feed("", ended=True)
    assert refusing.refused or (refusing.suspect and not out and refusing.release() == text) or out == text


@pytest.mark.parametrize("chars", [1, 2, 7, 100])
async def test_a_line_end_cut_in_two_is_one(chars):
    after = await generate(FakeLLM(["婚假为十三天。[1]\r\n试用期六个月。[2]\r"], piece_chars=chars))(asked(), quiet)
    assert after.answer.text == "婚假为十三天。[1]\n试用期六个月。[2]\n"
