"""What was asked can be found again, whole; it is rated, forgotten in time, and never keeps an answer waiting."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select

from builders import answer, chunk, context, turn
from shelf import catalogue
from traces import STARTED, entry
from youju.chat.log import Feedback, Log
from youju.errors import ConflictError, InputError, NotFoundError, ProviderError, StoreError
from youju.storage import tables
from youju.storage.engine import Store
from youju.types import Source, Turn


@pytest.fixture
async def store(tmp_path) -> AsyncIterator[Store]:
    store = Store.open(tmp_path)
    await store.write(lambda tx: catalogue(tx, "d1"))
    yield store
    await store.aclose()


@pytest.fixture
def log(store: Store) -> Log:
    return Log(store, keep_days=None, texts=True)


def question(trace_id: str, text: str = "问题", **more: object) -> Turn:
    return turn(text, trace_id=trace_id, **more)


async def counted(store: Store) -> dict[str, int]:
    names = ("trace", "trace_text", "trace_chunk", "feedback")

    def count(tx) -> dict[str, int]:
        return {
            name: tx.execute(select(func.count()).select_from(tables.metadata.tables[name])).scalar() for name in names
        }

    return await store.read(count)


async def filled(log: Log, *ids: str, **more: object) -> None:
    for n, id_ in enumerate(ids):
        await log.record(entry(question(id_), started_at=STARTED + timedelta(minutes=n), **more))


def sourced(trace_id: str = "abcd1234") -> Turn:
    """Answered from two chunks, the first of which is cited."""
    items = context(chunk("a", "甲的价格是三元。"), chunk("b", "乙的价格是五元。"))
    sources = tuple(
        Source(i.n, i.hit.chunk.id, "d1", "函数入门", (), None, None, "", "", "", cited=i.n == 1, quote="")
        for i in items
    )
    said = answer(("甲的价格是三元。", (1,)))
    return question(trace_id, context=items, hits=tuple(i.hit for i in items), sources=sources, answer=said)


# --- finding ---------------------------------------------------------------------------------------------------------


async def test_what_was_written_is_listed_newest_first(log) -> None:
    await filled(log, "aaaa", "bbbb", "cccc")
    assert [one.id for one in await log.listed()] == ["cccc", "bbbb", "aaaa"]


async def test_the_list_goes_on_before_a_trace(log) -> None:
    await filled(log, *(f"trace{n}" for n in range(5)))
    first = await log.listed(limit=2)
    rest = await log.listed(limit=9, before=first[-1].id)
    assert [one.id for one in (*first, *rest)] == ["trace4", "trace3", "trace2", "trace1", "trace0"]


async def test_traces_of_one_moment_are_listed_once_each(log) -> None:
    for n in range(5):
        await log.record(entry(question(f"trace{n}")))
    first = await log.listed(limit=3)
    rest = await log.listed(before=first[-1].id)
    assert sorted(one.id for one in (*first, *rest)) == [f"trace{n}" for n in range(5)]


async def test_refused_ones_are_listed_apart(log) -> None:
    await log.record(entry(question("good")))
    await log.record(entry(question("none", refusal="scope_empty")))
    assert [one.id for one in await log.listed(refused=True)] == ["none"]
    assert [one.id for one in await log.listed(refused=False)] == ["good"]


async def test_one_kind_one_conversation_one_document_are_listed_apart(log) -> None:
    await log.record(entry(question("t1", conversation_id="talk")))
    await log.record(entry(sourced("t2")))
    await log.record(entry(question("t3"), kind="retrieve"))
    assert [one.id for one in await log.listed(conversation_id="talk")] == ["t1"]
    assert [one.id for one in await log.listed(document_id="d1")] == ["t2"]
    assert [one.id for one in await log.listed(kind="retrieve")] == ["t3"]


@pytest.mark.parametrize("limit", [0, -1, 1001])
async def test_a_limit_out_of_range_is_refused(log, limit) -> None:
    with pytest.raises(InputError):
        await log.listed(limit=limit)


@pytest.mark.parametrize("reference", ["abcd1234", "abcd", " abcd1 "])
async def test_a_trace_is_found_by_its_id_or_its_beginning(log, reference) -> None:
    await filled(log, "abcd1234", "abce9999")
    assert (await log.find(reference)).summary.id == "abcd1234"


async def test_an_id_that_others_begin_with_names_itself(log) -> None:
    await filled(log, "abcd", "abcd1234")
    assert (await log.find("abcd")).summary.id == "abcd"


@pytest.mark.parametrize("reference", ["zzzz", "abc", "", "%", "abc_", "a\0b\ud800c"])
async def test_what_names_no_trace_is_not_found(log, reference) -> None:
    await filled(log, "abcd1234")
    with pytest.raises(NotFoundError) as caught:
        await log.find(reference)
    assert caught.value.remedy


async def test_a_beginning_of_several_is_a_conflict_that_names_them(log) -> None:
    await filled(log, "abcd1234", "abcd9999")
    with pytest.raises(ConflictError) as caught:
        await log.find("abcd")
    assert {"abcd1234", "abcd9999"} <= set(caught.value.remedy.replace("、", " ").replace("：", " ").split())


async def test_an_error_is_kept_with_what_it_said(log) -> None:
    broken = ProviderError("模型没有回答", part="llm", code="llm_down")
    await log.record(entry(question("t1"), error=broken))
    found = await log.find("t1")
    assert (found.summary.status, found.summary.error_code, found.error_message) == (
        "error",
        "llm_down",
        "模型没有回答",
    )


async def test_one_id_is_written_once(log) -> None:
    await filled(log, "abcd")
    with pytest.raises(StoreError) as caught:
        await filled(log, "abcd")
    assert caught.value.code == "log_failed"


# --- feedback --------------------------------------------------------------------------------------------------------


async def test_feedback_is_shown_with_its_trace(log) -> None:
    await log.record(entry(sourced()))
    await log.feedback("abcd1234", Feedback("down", note="答非所问"))
    await log.feedback("abcd", Feedback("up", source=1))
    found = (await log.find("abcd1234")).feedback
    assert [(one.rating, one.source, one.note) for one in found] == [("down", None, "答非所问"), ("up", 1, "")]
    assert all(one.created_at is not None for one in found)
    assert (await log.listed())[0].rating == "down"


async def test_a_second_opinion_replaces_the_first(log) -> None:
    await log.record(entry(sourced()))
    for rating in ("up", "down"):
        await log.feedback("abcd1234", Feedback(rating))
        await log.feedback("abcd1234", Feedback(rating, source=2))
    assert [(one.rating, one.source) for one in (await log.find("abcd1234")).feedback] == [("down", None), ("down", 2)]


@pytest.mark.parametrize(
    "said", [Feedback("maybe"), Feedback("up", note="长" * 2001), Feedback("up", source=3), Feedback("up", source=0)]
)
async def test_feedback_that_makes_no_sense_is_refused(log, said) -> None:
    await log.record(entry(sourced()))
    with pytest.raises(InputError):
        await log.feedback("abcd1234", said)


async def test_feedback_on_no_trace_is_not_found(log) -> None:
    with pytest.raises(NotFoundError):
        await log.feedback("abcd1234", Feedback("up"))


# --- forgetting ------------------------------------------------------------------------------------------------------


async def test_a_deleted_trace_takes_its_chunks_and_feedback_along_but_not_those_of_others(log, store) -> None:
    await log.record(entry(sourced("first")))
    await log.record(entry(sourced("other")))
    await log.feedback("first", Feedback("up"))
    assert await counted(store) == {"trace": 2, "trace_text": 2, "trace_chunk": 4, "feedback": 1}
    assert await log.delete(["first", "firs"]) == 1
    assert await counted(store) == {"trace": 1, "trace_text": 2, "trace_chunk": 2, "feedback": 0}
    assert await log.delete(["other"]) == 1
    assert set((await counted(store)).values()) == {0}


async def test_one_unknown_reference_deletes_nothing(log) -> None:
    await filled(log, "aaaa", "bbbb")
    with pytest.raises(NotFoundError):
        await log.delete(["aaaa", "zzzz"])
    assert len(await log.listed()) == 2


async def test_all_can_be_deleted_however_many(log, monkeypatch) -> None:
    monkeypatch.setattr("youju.chat.log.BATCH", 2)
    await filled(log, *(f"trace{n}" for n in range(5)))
    assert await log.delete(everything=True) == 5
    assert await log.listed() == []


async def test_older_ones_can_be_deleted(log) -> None:
    now = datetime.now(UTC)
    await log.record(entry(question("old"), started_at=now - timedelta(days=8)))
    await log.record(entry(question("new"), started_at=now - timedelta(days=6)))
    assert await log.delete(older_than_days=7) == 1
    assert [one.id for one in await log.listed()] == ["new"]


@pytest.mark.parametrize("what", [{}, {"older_than_days": -1}])
async def test_a_deletion_must_say_of_what(log, what) -> None:
    with pytest.raises(InputError):
        await log.delete(**what)


@pytest.mark.parametrize("keep_days, left", [(None, ["old", "new"]), (7, ["new"]), (0, [])])
async def test_traces_stay_as_long_as_the_settings_say(store, keep_days, left) -> None:
    log = Log(store, keep_days, texts=True)
    now = datetime.now(UTC)
    for id_, days in (("old", 8), ("new", 6)):
        await log.record(entry(question(id_), started_at=now - timedelta(days=days)))
    await log.feedback((await log.listed())[-1].id, Feedback("up")) if left else None
    assert await log.tidy() == 2 - len(left)
    assert [one.id for one in reversed(await log.listed())] == left


# --- not keeping an answer back --------------------------------------------------------------------------------------


async def test_a_store_that_is_busy_does_not_keep_the_answer_back(store) -> None:
    log = Log(store, None, texts=True, patience_s=0.05)
    free, held = threading.Event(), threading.Event()

    def long(tx) -> None:
        held.set()
        free.wait(20)

    ingest = asyncio.create_task(store.write(long))
    await asyncio.to_thread(held.wait)
    await log.record(entry(question("late")))
    assert await log.listed() == []
    free.set()
    await ingest
    await log.aclose()
    assert [one.id for one in await log.listed()] == ["late"]


async def test_whoever_stops_waiting_does_not_stop_the_write(store) -> None:
    log = Log(store, None, texts=True)
    free = threading.Event()
    ingest = asyncio.create_task(store.write(lambda tx: free.wait(20)))
    writing = asyncio.create_task(log.record(entry(question("left"))))
    await asyncio.sleep(0)
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    free.set()
    await ingest
    await log.aclose()
    assert [one.id for one in await log.listed()] == ["left"]


async def test_no_more_than_a_bounded_number_of_traces_wait(store, monkeypatch) -> None:
    monkeypatch.setattr("youju.chat.log.PENDING_MAX", 2)
    log = Log(store, None, texts=True, patience_s=0)
    free = threading.Event()
    ingest = asyncio.create_task(store.write(lambda tx: free.wait(20)))
    for id_ in ("one", "two"):
        await log.record(entry(question(id_)))
    third = asyncio.create_task(log.record(entry(question("three"))))
    done, _ = await asyncio.wait({third}, timeout=0.1)
    assert not done
    free.set()
    await third
    await ingest
    await log.aclose()
    assert len(await log.listed()) == 3


async def test_a_write_that_fails_is_told_to_the_caller_and_the_logging(log, caplog, monkeypatch) -> None:
    def broken(*_args: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("youju.storage.traces.write", broken)
    with pytest.raises(StoreError) as caught:
        await log.record(entry(question("lost")))
    assert caught.value.code == "log_failed"
    assert "trace.unwritten id=lost" in caplog.text


async def test_a_write_that_fails_late_is_told_to_the_logging(store, caplog, monkeypatch) -> None:
    free = threading.Event()

    def broken(*_args: object) -> None:
        free.wait(20)
        raise ZeroDivisionError

    monkeypatch.setattr("youju.storage.traces.write", broken)
    log = Log(store, None, texts=True, patience_s=0)
    await log.record(entry(question("lost")))
    free.set()
    await log.aclose()
    assert "trace.unwritten id=lost" in caplog.text


# --- without texts ---------------------------------------------------------------------------------------------------


async def test_without_texts_only_the_question_and_figures_are_kept(store, tmp_path) -> None:
    log = Log(store, None, texts=False)
    await log.record(entry(replace(sourced(), asked="甲多少钱？")))
    found = await log.find("abcd1234")
    assert (found.texts, found.answer, found.sources, found.verdicts) == (False, "", (), ())
    assert [(one.chunk_id, one.text, one.n, one.cited) for one in found.chunks] == [
        ("a", "", 1, True),
        ("b", "", 2, False),
    ]
    store.checkpoint()
    raw = b"".join(path.read_bytes() for path in tmp_path.glob("youju.db*"))
    assert "三元".encode() not in raw
    assert "甲多少钱".encode() in raw


async def test_a_server_goes_on_tidying_where_the_store_fails_once(log) -> None:
    calls: list[int] = []
    twice = asyncio.Event()

    async def tidy() -> int:
        calls.append(1)
        if len(calls) == 1:
            raise StoreError("忙", code="store_busy")
        twice.set()
        return 0

    log.tidy = tidy
    task = asyncio.create_task(log.keep_tidy(0.001))
    async with asyncio.timeout(10):
        await twice.wait()
    task.cancel()
    assert len(calls) >= 2
