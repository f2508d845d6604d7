from __future__ import annotations

from dataclasses import replace

import pytest

from apps import RULES, added, opened, written
from traces import asked, entry
from youju.chat.log import Feedback
from youju.errors import InputError
from youju.lab.dataset.importing import feedback, rated

ASKED = "出差住宿费的上限是多少？"


@pytest.fixture
async def app(tmp_path):
    async with opened(tmp_path / "store") as one:
        await added(one, written(tmp_path, "报销规定.md", RULES))
        yield one


async def answered(app, id_, question=ASKED, **said):
    turn = await asked(app, question, id_)
    await app.log.record(entry(turn))
    if said:
        await app.log.feedback(id_, Feedback(**said))
    return await app.log.find(id_)


async def test_a_good_answer_brings_its_words_and_what_it_cited(app):
    trace = await answered(app, "t-0001", rating="up")
    (case,) = feedback([trace]).cases
    assert (case.id, case.question, case.answerable, case.reviewed_by) == ("log-t-0001", ASKED, True, None)
    assert "三百二十元" in case.reference_answer
    assert "[1]" not in case.reference_answer
    assert {one.doc for one in case.evidence} == {"报销规定"}
    assert case.expected_docs == (("报销规定",),)
    assert any("三百二十元" in one.text for one in case.evidence)


async def test_pages_of_a_source_are_the_pages_of_the_evidence(app):
    trace = await answered(app, "t-0001", rating="up")
    sources = tuple(replace(one, page_start=3, page_end=4) for one in trace.sources)
    (case,) = feedback([replace(trace, sources=sources)]).cases
    assert case.evidence[0].pages == (3, 4)


async def test_a_source_that_somebody_rated_down_is_no_evidence(app):
    trace = await answered(app, "t-0001", rating="up")
    bad = tuple(Feedback("down", one.n) for one in trace.sources)
    (case,) = feedback([replace(trace, feedback=bad)]).cases
    assert case.evidence == ()


async def test_a_bad_answer_brings_what_was_said_of_it_and_no_gold(app):
    trace = await answered(app, "t-0001", rating="down", note="应为四百元")
    (case,) = feedback([trace]).cases
    assert case.notes.startswith("应为四百元\n评价为差；当时的回答：")
    assert (case.evidence, case.reference_answer, case.reviewed_by) == ((), "", None)


async def test_a_question_from_a_conversation_stands_alone(app):
    trace = await answered(app, "t-0001", rating="up")
    talk = replace(trace, summary=replace(trace.summary, asked="那上限呢？"), question=ASKED)
    assert [case.question for case in feedback([talk]).cases] == [ASKED]


async def test_a_question_is_asked_where_it_was_asked(app):
    (document,) = await app.documents.listed()
    turn = await asked(app, ASKED, "t-0001", document_ids=(document.id,), collection=document.collection)
    await app.log.record(entry(turn))
    await app.log.feedback("t-0001", Feedback("up"))
    (case,) = feedback([await app.log.find("t-0001")]).cases
    assert (case.document_ids, case.collections) == ((document.id,), (document.collection,))


async def test_a_good_refusal_is_a_question_without_an_answer(app):
    trace = await answered(app, "t-0001", rating="up")
    refused = replace(trace, summary=replace(trace.summary, refusal="low_evidence"))
    (case,) = feedback([refused]).cases
    assert (case.category, case.answerable, case.evidence, case.reference_answer) == ("unanswerable", False, (), "")


async def test_only_rated_questions_are_fetched_newest_first(app):
    await answered(app, "t-0001", rating="up")
    await answered(app, "t-0002")
    await answered(app, "t-0003", "乘坐飞机由谁批准？", rating="down")
    found = await rated(app.log)
    assert sorted(one.summary.id for one in found) == ["t-0001", "t-0003"]


async def test_what_cannot_be_used_is_left_out_and_counted(app):
    first = await answered(app, "t-0001", rating="up")
    second = await answered(app, "t-0002", rating="down")
    unrated = await answered(app, "t-0003")
    empty = replace(first, texts=False)
    found = feedback([empty, first, second, unrated])
    assert [case.id for case in found.cases] == ["log-t-0001"]
    assert found.left_out == {"没有留存文字": 1, "问过多次，取最近一次": 1, "没有评价": 1}


def test_a_log_without_ratings_is_told():
    with pytest.raises(InputError, match="问答记录"):
        feedback([])
