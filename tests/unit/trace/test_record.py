"""What is written about a question is what is read again; no text stands where a deletion does not reach it."""

from __future__ import annotations

import json
import math
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from sqlalchemy import text

from builders import answer, chunk, context, hit, turn
from shelf import Shelf, catalogue
from traces import STARTED, entry
from youju.storage import blanking, traces
from youju.storage.engine import Store
from youju.trace import reading
from youju.trace.entry import Entry, Trace
from youju.trace.record import plain, record
from youju.types import (
    Confidence,
    Degradation,
    Exclusion,
    Grade,
    ScopeReport,
    Source,
    Step,
    StepHit,
    Turn,
    Verdict,
)

MARK = "紫螺旋鲸鱼灯塔"


@pytest.fixture
async def store(tmp_path) -> AsyncIterator[Store]:
    store = Store.open(tmp_path)
    await store.write(lambda tx: [catalogue(tx, name) for name in ("d1", "d2")])
    yield store
    await store.aclose()


async def kept(store: Store, one: Entry, *, texts: bool = True) -> Trace:
    """The entry, written and read again."""
    rows = record(one, texts=texts)

    def through(tx) -> Trace:
        traces.write(tx, rows.values, rows.met)
        return reading.trace(traces.rows(tx, one.turn.trace_id))

    return await store.write(through)


def ranked(id_: str, **ranks: int):
    """A hit with these ranks; each score is one over the rank."""
    return replace(hit(id_), ranks=ranks, scores={name: 1 / rank for name, rank in ranks.items()})


def whole() -> Turn:
    """A turn with something in every field that the log keeps."""
    a, b, c = ranked("a", vector=2, keyword=1, rrf=1), ranked("b", vector=1, rrf=2), ranked("c", keyword=2)
    items = context(a.hit.chunk if hasattr(a, "hit") else a.chunk)
    items = (replace(items[0], hit=a, text=f"{a.chunk.text}旁边的文字。"),)
    steps = (
        Step("Condense()", 0.001, note={"set_aside": []}),
        Step(
            "Beside(ByVector(k=15), ByWords(k=15))",
            0.02,
            inner=(
                Step("ByVector(k=15)", 0.01, (StepHit("b", 1.0), StepHit("a", 0.5)), {"threshold": 0.8}),
                Step("ByWords(k=15)", 0.02, (StepHit("a", 1.0), StepHit("c", 0.5)), {"terms": ["问题"]}),
            ),
        ),
        Step("Fuse(k=60, keep=2)", 0.0001, (StepHit("a", 1.0), StepHit("b", 0.5))),
        Step("Budget(top_k=1)", 0.0002, (StepHit("a", 1.0),), {"cut": ["b"], "chars": 4}),
        Step("Generate()", 1.5, note={"prompt": "assistant@1a2b", "prompt_tokens": 90, "removed": ["[9]"]}),
    )
    return turn(
        "甲是什么？",
        trace_id="t1",
        conversation_id="talk",
        scope_report=ScopeReport(
            {"document_ids": ["d1", "x"], "collection": None}, ("d1",), (Exclusion("x", "UNKNOWN"),)
        ),
        rankings={"vector": (b, a), "keyword": (a, c)},
        hits=(a, b),
        grade=Grade("HIGH", ("两个通道一致",), {"cosine": 0.91}),
        context=items,
        answer=answer(("甲是一。", (1,)), by="qwen"),
        sources=(Source(1, "a", "d1", "函数入门", ("3.2 二次函数",), 3, 3, "1", "1", "", cited=True, quote="片段a"),),
        verdicts=(Verdict("甲是一。", "partly", 1, "片段a", "words", ("差一点",)),),
        confidence=Confidence(0.5, ("还行",)),
        degradations=(Degradation("reranker", "rerank_failed"),),
        removed_markers=("[9]",),
        persona="tutor",
        steps=steps,
    )


async def test_everything_is_read_as_it_was_written(store) -> None:
    asked = whole()
    one = Entry(
        "ask",
        asked,
        {"rrf_k": 30},
        1.75,
        STARTED,
        model="qwen@host",
        temperature=0.0,
        fingerprint="e5",
        recipe="chat()",
    )
    found = await kept(store, one)
    line = found.summary
    assert (line.id, line.created_at, line.kind, line.asked, line.seconds) == ("t1", STARTED, "ask", "甲是什么？", 1.75)
    assert (line.status, line.conversation_id, line.refusal, line.level) == ("ok", "talk", None, "HIGH")
    assert (line.confidence, line.degraded, line.error_code, line.rating) == (0.5, True, "", None)
    assert (found.question, found.scope, found.grade) == ("甲是什么？", asked.scope_report, asked.grade)
    assert (found.confidence, found.degradations) == (asked.confidence, asked.degradations)
    assert (found.answer, found.by, found.statements) == ("甲是一。[1]", "qwen", asked.answer.statements)
    assert (found.sources, found.verdicts, found.removed_markers) == (asked.sources, asked.verdicts, ("[9]",))
    assert found.widened == {1: "片段a。旁边的文字。"}
    assert (found.model, found.temperature, found.persona) == ("qwen@host", 0.0, "tutor")
    assert (found.knobs, found.fingerprint, found.recipe) == ({"rrf_k": 30}, "e5", "chat()")
    assert found.generation == {"prompt": "assistant@1a2b", "prompt_tokens": 90, "removed": ["[9]"]}
    assert (found.texts, found.blanked_at, found.error_message, found.feedback) == (True, None, "", ())


async def test_every_step_is_kept_with_its_hits_and_its_note(store) -> None:
    assert (await kept(store, entry(whole()))).steps == whole().steps


async def test_every_chunk_is_kept_with_its_ranks_and_where_it_ended(store) -> None:
    a, b, c = (await kept(store, entry(whole()))).chunks
    assert (a.ranks, a.n, a.cited, a.text) == ({"vector": 2, "keyword": 1, "rrf": 1}, 1, True, "片段a。")
    assert (b.ranks, b.n, b.cited) == ({"vector": 1, "rrf": 2}, None, False)
    assert (c.ranks, c.scores, c.text) == ({"keyword": 2}, {"keyword": 0.5}, "片段c。")
    assert (a.chunk_id, a.document_id, a.book, a.section, a.gone) == ("a", "d1", "函数入门", ("3.2 二次函数",), False)


async def test_a_rank_is_known_even_where_a_later_stage_dropped_the_chunk(store) -> None:
    dropped = turn(
        trace_id="t1",
        rankings={"vector": (ranked("a", vector=1), ranked("b", vector=2))},
        hits=(ranked("a", vector=1, rrf=2, rerank=1),),
        steps=(
            Step("Fuse(k=60)", 0.1, (StepHit("b", 0.02), StepHit("a", 0.01))),
            Step("Rerank()", 0.1, (StepHit("a", 9),)),
        ),
    )
    a, b = (await kept(store, entry(dropped))).chunks
    assert (a.ranks, b.ranks) == ({"vector": 1, "rrf": 2, "rerank": 1}, {"rrf": 1, "vector": 2})


async def test_a_second_query_has_ranks_of_its_own(store) -> None:
    two = turn(trace_id="t1", rankings={"vector": (ranked("a", vector=1),), "vector#2": (hit("b", 0.3), hit("a", 0.2))})
    a, b = (await kept(store, entry(two))).chunks
    assert (a.ranks, b.ranks) == ({"vector": 1, "vector#2": 2}, {"vector#2": 1})


async def test_what_was_nearest_is_marked(store) -> None:
    refused = turn(trace_id="t1", nearest=(hit("a"),), refusal="low_evidence")
    (a,) = (await kept(store, entry(refused))).chunks
    assert a.nearest


async def test_a_chunk_that_only_a_step_remembers_is_looked_up(store) -> None:
    forgotten = turn(trace_id="t1", steps=(Step("Fuse()", 0.1, (StepHit("x", 0.5), StepHit("y", 0.4))),))
    (x, y) = (await kept(store, entry(forgotten))).chunks
    assert (x.ranks, x.gone, x.text) == ({"rrf": 1}, True, "")
    assert x.chunk_id != y.chunk_id


async def test_a_chunk_below_the_threshold_is_kept_with_its_score_and_without_a_rank(store) -> None:
    await store.write(lambda tx: Shelf(store).fill(tx, 1, "d1", {"书::p1::child::1::ab": "甲的价格。"}))
    note = {"threshold": 0.8, "below_threshold": {"书::p1::child::1::ab": 0.79}}
    found = await kept(store, entry(turn(trace_id="t1", steps=(Step("ByVector()", 0.1, note=note),))))
    assert [(one.chunk_id, one.text, one.ranks) for one in found.chunks] == [("书::p1::child::1::ab", "甲的价格。", {})]
    assert found.steps[0].note == note


async def test_a_turn_that_never_began_is_kept_too(store) -> None:
    found = await kept(store, entry(Turn("问题", trace_id="t1")))
    assert (found.scope, found.grade, found.steps, found.chunks, found.answer) == (None, None, (), (), "")


# --- what a database or JSON would refuse ----------------------------------------------------------------------------


async def test_what_no_database_holds_is_kept_as_spaces(store) -> None:
    odd = "a\0b\ud800c"
    asked = turn(odd, trace_id="t1", hits=(hit("x", text=odd, book=odd, section=(odd,), locator=odd),))
    found = await kept(store, entry(asked, knobs={odd: odd}))
    one = found.chunks[0]
    assert {found.summary.asked, found.question, one.text, one.book, one.section[0], one.locator} == {"a b c"}
    assert found.knobs == {"a b c": "a b c"}


@pytest.mark.parametrize(
    "value, told",
    [
        (math.nan, None),
        (-math.inf, None),
        (0.5, 0.5),
        (True, True),
        ({1: (2, {3})}, {"1": [2, [3]]}),
        (STARTED, repr(STARTED)),
    ],
)
def test_what_json_does_not_know_is_told_in_its_words(value, told) -> None:
    assert plain(value) == told
    json.dumps(plain(value), allow_nan=False)


# --- where texts stand -----------------------------------------------------------------------------------------------


def secretive() -> Turn:
    """A turn with the secret wherever a document, a model or a server can bring it in."""
    one = chunk(f"{MARK}::p1::child::1::ab", MARK, book=MARK, section=(MARK,), locator=MARK)
    found = context(one)
    note = {"error": MARK, "removed": [MARK], "cut": [one.id], "lost": {f"{MARK}::p9::child::7::cd": 1}}
    quoted = Source(1, one.id, "d1", MARK, (MARK,), 1, 1, "", "", MARK, cited=True, quote=MARK)
    return turn(
        trace_id="t1",
        context=(replace(found[0], text=f"{MARK}旁边"),),
        hits=(found[0].hit,),
        rankings={"vector": (found[0].hit,)},
        answer=answer((MARK, (1,))),
        sources=(quoted,),
        verdicts=(Verdict(MARK, "supported", 1, MARK, "words", (MARK,)),),
        removed_markers=(MARK,),
        steps=(Step("Fuse()", 0.1, (StepHit(one.id, 0.5),), note),),
    )


def rows_of(tx) -> str:
    names = ("trace", "trace_text", "trace_chunk", "feedback")
    return "\n".join(repr(tx.execute(text(f"SELECT * FROM {name}")).fetchall()) for name in names)  # noqa: S608


async def test_after_a_deletion_nothing_of_the_text_is_left_and_the_figures_are(store, tmp_path) -> None:
    before = await kept(store, entry(secretive(), error=None))
    assert MARK in await store.read(rows_of)
    assert await store.write(lambda tx: blanking.blank(tx, ["d1"])) == 1
    assert MARK not in await store.read(rows_of)
    store.checkpoint()
    assert MARK.encode() not in b"".join(path.read_bytes() for path in tmp_path.glob("youju.db*"))
    after = await store.read(lambda tx: reading.trace(traces.rows(tx, "t1")))
    assert (after.answer, after.sources, after.verdicts, after.widened) == ("", (), (), {})
    assert after.blanked_at is not None
    was, is_ = before.chunks[0], after.chunks[0]
    assert (is_.document_id, is_.ranks, is_.scores, is_.n, is_.cited) == ("d1", was.ranks, was.scores, 1, True)
    assert (is_.gone, is_.text, is_.book) == (True, "", "")
    assert [one.chunk_id for one in after.steps[0].hits] == [is_.chunk_id]
    assert after.question == before.question


async def test_a_deletion_leaves_the_traces_of_other_documents_alone(store) -> None:
    await kept(store, entry(secretive()))
    assert await store.write(lambda tx: blanking.blank(tx, ["d2"])) == 0
    assert (await store.read(lambda tx: reading.trace(traces.rows(tx, "t1")))).answer == f"{MARK}[1]"


async def test_an_answer_stays_that_rested_on_others_than_the_deleted_document(store) -> None:
    kept_, cut = hit("a"), hit("b", text=MARK, document_id="d2")
    asked = turn(
        trace_id="t1", context=context(kept_.chunk), rankings={"vector": (kept_, cut)}, answer=answer(("甲", (1,)))
    )
    await kept(store, entry(asked))
    await store.write(lambda tx: blanking.blank(tx, ["d2"]))
    found = await store.read(lambda tx: reading.trace(traces.rows(tx, "t1")))
    assert (found.answer, [one.text for one in found.chunks]) == ("甲[1]", ["片段a。", ""])


@pytest.mark.parametrize("statement", ["DELETE FROM document WHERE id = 'd1'", "UPDATE document SET deleting = 1"])
async def test_a_question_that_ends_after_the_deletion_leaves_no_text(store, statement) -> None:
    await store.write(lambda tx: tx.exec_driver_sql("PRAGMA defer_foreign_keys = ON"))
    await store.write(lambda tx: [tx.execute(text("DELETE FROM version")), tx.execute(text(statement))])
    found = await kept(store, entry(secretive()))
    assert (found.answer, found.chunks[0].gone, found.chunks[0].n) == ("", True, 1)
    assert found.blanked_at is not None
    assert MARK not in await store.read(rows_of)


async def test_later_answers_of_the_conversation_go_with_the_one_they_may_repeat(store) -> None:
    talk = {"conversation_id": "talk", "answer": answer((MARK, ()))}
    await kept(store, entry(replace(secretive(), conversation_id="talk")))
    later = turn("它呢？", trace_id="t2", history=(("甲？", MARK),), **talk)
    await kept(store, entry(replace(later, question=f"{MARK}呢？", grade=Grade("HIGH", (MARK,))), kind="ask"))
    await kept(store, entry(turn("别的", trace_id="t3", conversation_id="talk", answer=answer(("乙", ())))))
    assert await store.write(lambda tx: blanking.blank(tx, ["d1"])) == 2
    assert MARK not in await store.read(rows_of)
    assert (await store.read(lambda tx: reading.trace(traces.rows(tx, "t3")))).answer == "乙"


async def test_an_answer_that_ends_after_an_earlier_one_was_emptied_leaves_no_text(store) -> None:
    await kept(store, entry(replace(secretive(), conversation_id="talk")))
    await store.write(lambda tx: blanking.blank(tx, ["d1"]))
    more = {"conversation_id": "talk", "history": (("甲？", MARK),), "answer": answer((MARK, ()))}
    late = await kept(store, entry(turn("它呢？", trace_id="t2", **more)))
    new = await kept(store, entry(turn("它呢？", trace_id="t3", **more), started_at=datetime.now(UTC)))
    assert (late.answer, new.answer) == ("", MARK)


async def test_a_question_made_to_stand_alone_is_read_again(store) -> None:
    later = turn(
        "它呢？", trace_id="t2", history=(("甲？", "一"),), conversation_id="talk", grade=Grade("HIGH", ("因为",))
    )
    found = await kept(store, entry(replace(later, question="甲呢？")))
    assert (found.question, found.grade) == ("甲呢？", Grade("HIGH", ("因为",), {}))


async def test_without_texts_nothing_of_the_text_is_written(store) -> None:
    asked = secretive()
    bare = replace(asked.context[0].hit.chunk, id="x", book="书", section=(), locator="")
    one = replace(asked.context[0], hit=replace(asked.context[0].hit, chunk=bare))
    asked = replace(asked, context=(one,), hits=(one.hit,), rankings={}, steps=asked.steps[:1])
    await kept(store, entry(asked), texts=False)
    assert MARK not in (await store.read(rows_of))


async def test_one_chunk_met_by_many_questions_is_kept_once(store) -> None:
    for n in range(3):
        await kept(store, entry(replace(whole(), trace_id=f"t{n}")))
    count = await store.read(lambda tx: tx.execute(text("SELECT count(*) FROM trace_text")).scalar())
    assert count == 3


async def test_texts_kept_before_are_not_shown_by_a_question_that_keeps_none(store) -> None:
    await kept(store, entry(replace(whole(), trace_id="t1")))
    later = await kept(store, entry(replace(whole(), trace_id="t2")), texts=False)
    assert {one.text for one in later.chunks} == {""}
