from __future__ import annotations

from pathlib import Path

import pytest

from apps import RULES, added, opened, written
from youju.chat.service import QUESTION_MAX, Request, checked, narrowed
from youju.errors import InputError, KnobError
from youju.providers.fakes import FakeEmbedder
from youju.settings import Knobs


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
