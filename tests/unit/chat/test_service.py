from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from apps import RULES, added, opened, written
from youju.chat.service import QUESTION_MAX, Chat, Request, checked, narrowed
from youju.chat.views import answer_text
from youju.errors import InputError, KnobError
from youju.ports import LLM, Piece, Prompt
from youju.providers.fakes import FakeEmbedder, FakeLLM
from youju.providers.llm_openai import OpenAILLM
from youju.settings import REFUSAL, Knobs
from youju.stages.base import Event
from youju.types import Degradation


@pytest.mark.parametrize("question", ["", " \n\t", "\u200b\ufeff", "\x00", "\ud800"])
def test_nothing_is_no_question(question) -> None:
    with pytest.raises(InputError, match="空"):
        checked(question)


def test_a_question_may_be_as_long_as_a_page_and_no_longer() -> None:
    assert checked("问" * QUESTION_MAX) == "问" * QUESTION_MAX
    with pytest.raises(InputError, match="4001"):
        checked("问" * (QUESTION_MAX + 1))


def test_a_question_loses_what_cannot_be_stored_and_its_line_ends() -> None:
    assert checked(" 住宿\ud800费\x00\n 上限\u202e？") == "住宿费 上限？"


def test_top_k_sets_the_context_and_raises_only_what_is_too_narrow_for_it() -> None:
    found = narrowed(Knobs(), Request("问", top_k=20))
    assert found.context_top_k == 20
    assert (found.vector_top_k, found.keyword_top_k, found.rrf_top_k, found.rerank_top_n) == (20, 20, 30, 20)


def test_top_k_does_not_open_a_channel_that_is_off_nor_change_what_was_set_beside_it() -> None:
    found = narrowed(Knobs(), Request("问", top_k=20, settings={"vector_top_k": 0, "keyword_top_k": 3}))
    assert (found.vector_top_k, found.keyword_top_k) == (0, 3)


def test_a_small_top_k_narrows_the_context_alone() -> None:
    found = narrowed(Knobs(), Request("问", top_k=2))
    assert found == Knobs(context_top_k=2)


def test_without_top_k_nothing_upstream_is_raised() -> None:
    found = narrowed(Knobs(), Request("问", settings={"context_top_k": 40}))
    assert found == Knobs(context_top_k=40)


def test_the_settings_of_the_deployment_hold_where_a_request_says_nothing() -> None:
    found = narrowed(Knobs(rrf_k=7, vector_top_k=50), Request("问", top_k=20, settings={"expand": "parent"}))
    assert (found.rrf_k, found.vector_top_k, found.expand) == (7, 50, "parent")


@pytest.mark.parametrize("top_k", [0, -1, 51])
def test_a_top_k_out_of_range_is_refused(top_k) -> None:
    with pytest.raises(KnobError, match="context_top_k"):
        narrowed(Knobs(), Request("问", top_k=top_k))


@pytest.mark.parametrize(
    "settings, said",
    [
        ({"nope": 1}, "没有名为 'nope'"),
        ({"provider": "x"}, "没有名为"),
        ({"rrf_k": 0}, "不能小于 1"),
        ({"rrf_k": "many"}, "应为整数"),
        ({"similarity_threshold": "nan"}, "应为有限的数字"),
        ({"context_top_k": 51}, "不能大于 50"),
    ],
)
def test_a_setting_that_is_no_knob_or_out_of_range_is_refused(settings, said) -> None:
    with pytest.raises(KnobError, match=said):
        narrowed(Knobs(), Request("问", settings=settings))


async def test_with_both_channels_off_nothing_is_searched_and_that_is_said(tmp_path: Path) -> None:
    async with opened(tmp_path) as app:
        await added(app, written(tmp_path, "in/x.md", RULES))
        with pytest.raises(KnobError, match="都是 0"):
            await app.chat.ask(Request("住宿费", settings={"vector_top_k": 0, "keyword_top_k": 0}))


class Contrary(FakeEmbedder):
    """Finds that a question is the opposite of everything."""

    async def embed(self, texts, kind):
        rows = await super().embed(texts, kind)
        return -rows if kind == "query" else rows


async def test_what_is_neither_answered_nor_refused_by_a_stage_is_a_refusal(tmp_path: Path) -> None:
    async with opened(tmp_path, Contrary()) as app:
        await added(app, written(tmp_path, "in/x.md", RULES))
        turn = await app.chat.ask(Request("出差住宿费的上限是多少？"))
    assert (turn.answer is None) == (turn.refusal is not None)


async def test_names_are_found_however_they_are_written(tmp_path: Path) -> None:
    async with opened(tmp_path) as app:
        document = await added(app, written(tmp_path, "in/x.md", RULES), collection="Cafe\u0301  规定")
        assert document.collection == "Café 规定"
        turn = await app.chat.retrieve(Request("住宿费", collection=" Cafe\u0301 规定\u200b"))
        assert turn.hits
        assert [one.id for one in await app.documents.listed("Cafe\u0301 规定")] == [document.id]


async def test_what_breaks_in_one_of_two_channels_comes_out_as_itself(tmp_path, monkeypatch) -> None:
    class Mistake(Exception):  # noqa: N818 - as a mistake of ours is named
        pass

    async def broken(*_: object) -> object:
        raise Mistake

    async with opened(tmp_path / "store") as app:
        await added(app, written(tmp_path, "规定.md", RULES))
        monkeypatch.setattr(type(app.chat.parts.words), "matching", broken)
        with pytest.raises(Mistake):
            await app.chat.ask(Request("住宿费"))


class Heard:
    def __init__(self) -> None:
        self.kinds: list[str] = []
        self.text = ""

    async def __call__(self, event: Event) -> None:
        self.kinds.append(event.kind)
        if event.kind == "token":
            self.text += str(event.data["text"])


WELL = "出差住宿费的上限是每晚三百二十元[1]，凭发票报销。[9]"
QUESTIONS = ["出差住宿费的上限是多少？", "火星上的重力是多少？", "？"]


@asynccontextmanager
async def answering(folder: Path, llm: LLM | None) -> AsyncIterator[Chat]:
    async with opened(folder / "store") as app:
        await added(app, written(folder, "规定.md", RULES))
        yield replace(app.chat, parts=replace(app.chat.parts, llm=llm))


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("said", [None, WELL, "住宿费的上限是每晚三百二十元", REFUSAL, ""])
async def test_what_is_told_is_the_answer_whoever_wrote_it_and_the_same_when_nobody_listens(
    tmp_path, question, said
) -> None:
    async with answering(tmp_path, None if said is None else FakeLLM([said], piece_chars=3)) as chat:
        heard = Heard()
        streamed = await chat.ask(Request(question), heard)
        whole = await chat.ask(Request(question))
        assert heard.text == answer_text(streamed, chat.wording) == answer_text(whole, chat.wording)
        assert (streamed.refusal, streamed.sources) == (whole.refusal, whole.sources)


async def test_an_answer_by_a_model_is_cited_cleaned_and_verified(tmp_path) -> None:
    async with answering(tmp_path, FakeLLM([WELL])) as chat:
        turn = await chat.ask(Request(QUESTIONS[0]))
    assert turn.answer.text == "出差住宿费的上限是每晚三百二十元[1]，凭发票报销。"
    assert turn.removed_markers == ("[9]",)
    assert [one.n for one in turn.sources if one.cited] == [1]
    assert [one.verdict for one in turn.verdicts] == ["supported"]
    assert not turn.degradations


async def test_with_nothing_eligible_or_found_no_model_is_asked(tmp_path) -> None:
    class Never(FakeLLM):
        def stream(self, prompt):
            raise AssertionError(prompt)

    async with answering(tmp_path, Never()) as chat:
        assert (await chat.ask(Request("住宿费", collection="没有"))).refusal == "scope_empty"
        assert (await chat.ask(Request("？！"))).refusal == "no_candidates"


async def test_a_model_that_is_down_is_replaced_by_extraction_and_named(tmp_path) -> None:
    down = OpenAILLM(base_url="http://127.0.0.1:1/v1", model="m", retries=0)
    async with answering(tmp_path, down) as chat:
        turn = await chat.ask(Request(QUESTIONS[0]))
    await down.aclose()
    assert turn.answer.by == "extractive"
    assert turn.degradations == (Degradation("llm", "llm_unreachable"),)


async def test_a_model_may_refuse_and_the_nearest_evidence_is_shown(tmp_path) -> None:
    async with answering(tmp_path, FakeLLM([REFUSAL])) as chat:
        turn = await chat.ask(Request(QUESTIONS[0]))
    assert (turn.refusal, turn.sources, turn.verdicts) == ("model_refused", (), ())
    assert turn.nearest
    assert turn.context


async def test_the_tutor_needs_a_model_and_says_so(tmp_path) -> None:
    async with answering(tmp_path, None) as chat:
        with pytest.raises(InputError, match="需要语言模型") as caught:
            await chat.ask(Request("住宿费", persona="tutor"))
        assert caught.value.code == "persona_needs_llm"
        with pytest.raises(InputError, match="没有名为 'x' 的角色"):
            await chat.ask(Request("住宿费", persona="x"))


async def test_the_tutor_speaks_where_there_is_a_model(tmp_path) -> None:
    llm = Attentive(["第一条写了什么？[1]"])
    async with answering(tmp_path, llm) as chat:
        turn = await chat.ask(Request(QUESTIONS[0], persona="tutor"))
    assert turn.persona == "tutor"
    assert "章鱼哥" in llm.prompts[0].messages[0][1]
    assert "出差住宿费" in llm.prompts[0].messages[1][1]


class Attentive(FakeLLM):
    def __init__(self, says: Sequence[str]) -> None:
        super().__init__(says)
        self.prompts: list[Prompt] = []

    def stream(self, prompt: Prompt) -> AsyncGenerator[Piece, None]:
        self.prompts.append(prompt)
        return super().stream(prompt)


async def test_every_question_has_a_trace_and_keeps_its_conversation(tmp_path) -> None:
    async with answering(tmp_path, None) as chat:
        first = await chat.ask(Request("住宿费", conversation_id="我的 会话-1"))
        second = await chat.ask(Request("住宿费"))
        third = await chat.retrieve(Request("住宿费"))
    assert first.conversation_id == "我的 会话-1"
    assert len(second.conversation_id) == 32
    assert len({first.trace_id, second.trace_id, third.trace_id} - {""}) == 3


@pytest.mark.parametrize("conversation", ["x" * 101, "a\nb", "a\x00", " a"])
async def test_a_conversation_that_cannot_be_named_is_refused(tmp_path, conversation) -> None:
    async with answering(tmp_path, None) as chat:
        with pytest.raises(InputError, match="conversation_id"):
            await chat.ask(Request("住宿费", conversation_id=conversation))
