from __future__ import annotations

import pytest

from builders import ids, turn
from library import DownWords
from youju.settings import Knobs
from youju.stages import recipes
from youju.stages.base import advance
from youju.stages.by_words import ByWords
from youju.types import Degradation, Scope

TEXTS = {
    "a": "试用期最长不超过六个月。",
    "b": "网关的 QINGWU_MAX_CONN 默认值是 512。",
    "c": "外婆在霜降以后腌菜。",
}


@pytest.fixture
async def stage(library) -> ByWords:
    await library.put(TEXTS)
    return ByWords(library.words, 10)


async def test_chunks_with_the_questions_words_are_found(stage):
    after = await advance(stage, turn("试用期有多长？"))
    assert ids(after.rankings["keyword"]) == "a"
    assert all(one.score > 0 for one in after.rankings["keyword"])


async def test_each_query_has_a_ranking_of_its_own(stage):
    after = await advance(stage, turn("试用期", queries=("试用期", "外婆腌菜", "火星")))
    assert {name: ids(found) for name, found in after.rankings.items()} == {
        "keyword": "a",
        "keyword#2": "c",
        "keyword#3": "",
    }


async def test_the_note_keeps_the_terms_and_the_variants(stage):
    note = (await advance(stage, turn("QINGWU_MAX_CONN 和腌菜的区别？"))).steps[0].note
    assert "qingwu_max_conn" in note["terms"]
    assert note["variants"] == {"强信号": ["qingwu_max_conn"], "意图词": ["区别"]}
    assert note["no_hit_despite_terms"] is False


async def test_an_empty_channel_in_spite_of_terms_is_an_alarm(stage):
    after = await advance(stage, turn("火星基地"))
    assert ids(after.rankings["keyword"]) == ""
    assert after.steps[0].note["no_hit_despite_terms"] is True


@pytest.mark.parametrize("asked", ["的了是吗？", "请问是什么？", "？！……", "😀"])
async def test_stop_words_alone_find_nothing_and_raise_no_alarm(stage, asked):
    after = await advance(stage, turn(asked))
    assert after.rankings == {"keyword": ()}
    assert after.steps[0].note == {
        "terms": [],
        "variants": after.steps[0].note["variants"],
        "no_hit_despite_terms": False,
    }


async def test_one_hit_of_several_queries_is_enough_to_be_silent(stage):
    after = await advance(stage, turn("火星", queries=("火星", "腌菜")))
    assert after.steps[0].note["no_hit_despite_terms"] is False


async def test_only_the_scope_is_searched(stage):
    assert ids((await advance(stage, turn("试用期", scope=Scope(document_ids=("d2",))))).rankings["keyword"]) == ""


async def test_when_the_words_are_down_the_vectors_go_on_and_nothing_is_called_good(library, stage):
    library.words = DownWords(library.store)
    after = await advance(recipes.retrieve(library.parts, Knobs(similarity_threshold=-1.0)), turn(TEXTS["a"]))
    assert after.rankings["keyword"] == ()
    assert after.hits[0].chunk.id == "a"
    assert set(after.degradations) == {Degradation("keyword", "keyword_down")}
    assert after.grade.level == "AMBIGUOUS"
