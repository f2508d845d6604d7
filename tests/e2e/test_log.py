"""From the log alone a person can tell why an answer came out as it did; deleted text leaves it."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from apps import MANUAL, RULES, Ran, added, opened, ran, started, written
from youju.chat.log import Finding
from youju.chat.service import Request
from youju.compose import App
from youju.documents import catalog

QUESTION = "出差住宿费的上限是多少？"
ANSWER = "上限是每晚三百二十元"
Cli = Callable[..., Ran]


def rows(folder: Path) -> str:
    """All rows of the log."""
    names = ("trace", "trace_text", "trace_chunk", "feedback")
    with closing(sqlite3.connect(folder / "youju.db")) as database:
        return "\n".join(repr(database.execute(f"SELECT * FROM {name}").fetchall()) for name in names)  # noqa: S608


def raw(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.glob("youju.db*"))


async def shelved(app: App, folder: Path) -> None:
    for name, text in (("规定.md", RULES), ("手册.md", MANUAL)):
        await added(app, written(folder, f"in/{name}", text))


async def followed(app: App, text: str, question: str = QUESTION, **more: object) -> tuple[Finding, str]:
    turn = await app.chat.ask(Request(question, **more))  # type: ignore[arg-type]
    trace = await app.log.find(turn.trace_id)
    return await app.log.follow(trace, text), trace.summary.id


# --- written ---------------------------------------------------------------------------------------------------------


async def test_every_ask_and_retrieve_is_in_the_log(tmp_path) -> None:
    async with opened(tmp_path / "store") as app:
        await shelved(app, tmp_path)
        turns = [
            await app.chat.ask(Request(QUESTION)),
            await app.chat.retrieve(Request(QUESTION)),
            await app.chat.ask(Request("QZX-99 是什么？")),
            await app.chat.ask(Request(QUESTION, document_ids=["nothing"])),
        ]
        listed = list(reversed(await app.log.listed()))
    assert [one.id for one in listed] == [turn.trace_id for turn in turns]
    assert [(one.kind, one.refusal) for one in listed] == [
        ("ask", None),
        ("retrieve", None),
        ("ask", "no_candidates"),
        ("ask", "scope_empty"),
    ]
    assert all(one.seconds > 0 for one in listed)


async def test_a_trace_holds_what_the_answer_held(tmp_path) -> None:
    async with opened(tmp_path / "store") as app:
        await shelved(app, tmp_path)
        turn = await app.chat.ask(Request(QUESTION, settings={"rrf_k": 30}))
        trace = await app.log.find(turn.trace_id)
    assert turn.answer is not None
    assert (trace.answer, trace.statements, trace.by) == (turn.answer.text, turn.answer.statements, "extractive")
    assert (trace.sources, trace.verdicts, trace.confidence) == (turn.sources, turn.verdicts, turn.confidence)
    assert (trace.scope, trace.question) == (turn.scope_report, turn.question)
    assert trace.grade is not None
    assert turn.grade is not None
    assert (trace.grade.level, trace.grade.reasons) == (turn.grade.level, turn.grade.reasons)
    assert trace.grade.features == pytest.approx(dict(turn.grade.features))
    assert trace.knobs["rrf_k"] == 30
    assert trace.fingerprint == "squeezed"
    assert trace.recipe.startswith("chat(Condense()")
    context = {item.hit.chunk.id: item.n for item in turn.context}
    assert {one.chunk_id: one.n for one in trace.chunks if one.n is not None} == context
    texts = {hit.chunk.id: hit.chunk.text for hit in turn.hits}
    assert {one.chunk_id: one.text for one in trace.chunks if one.chunk_id in texts} == texts


# --- five situations -------------------------------------------------------------------------------------------------


async def test_a_text_out_of_scope_is_told_to_be_so(tmp_path) -> None:
    async with opened(tmp_path / "store") as app:
        await shelved(app, tmp_path)
        manual = await app.documents.find("手册")
        asked, _ = await followed(app, ANSWER, document_ids=[manual.id])
        await app.documents.enable((await app.documents.find("规定")).id, enabled=False)
        disabled, _ = await followed(app, ANSWER)
    assert [asked.ending, disabled.ending] == ["out_of_scope", "out_of_scope"]
    assert {one.book for one in disabled.holders} == {"规定"}


async def test_a_text_that_was_not_recalled_is_told_to_be_so(tmp_path) -> None:
    async with opened(tmp_path / "store") as app:
        await shelved(app, tmp_path)
        found, _ = await followed(app, "日志保留 14 天", settings={"vector_top_k": 0, "keyword_top_k": 1})
    assert (found.ending, found.chunks) == ("not_recalled", ())


async def test_a_text_below_the_threshold_was_not_recalled_for_that(tmp_path) -> None:
    async with opened(tmp_path / "store") as app:
        await shelved(app, tmp_path)
        found, _ = await followed(app, "日志保留 14 天", settings={"similarity_threshold": 1, "keyword_top_k": 1})
    assert (found.ending, found.cutter) == ("not_recalled", "threshold")


async def test_a_text_that_was_recalled_but_cut_is_told_with_its_ranks(tmp_path) -> None:
    async with opened(tmp_path / "store") as app:
        await shelved(app, tmp_path)
        knobs = {"context_top_k": 1, "similarity_threshold": -1}
        found, _ = await followed(app, "乘坐火车可以报销二等座", settings=knobs)
    assert (found.ending, found.cutter, found.numbers) == ("cut", "budget", ())
    assert {"vector", "rrf"} <= set(found.chunks[0].ranks)


async def test_a_text_in_the_context_that_the_answer_does_not_cite_is_told_to_be_so(tmp_path) -> None:
    async with opened(tmp_path / "store") as app:
        await shelved(app, tmp_path)
        found, _ = await followed(
            app, "LOG_KEEP_DAYS", settings={"similarity_threshold": -1, "max_answer_sentences": 1}
        )
    assert found.ending == "ignored"
    assert len(found.numbers) == 1


async def test_a_text_that_the_answer_cites_is_told_to_be_so(tmp_path) -> None:
    async with opened(tmp_path / "store") as app:
        await shelved(app, tmp_path)
        found, _ = await followed(app, ANSWER)
    assert (found.ending, found.numbers) == ("cited", (1,))


# --- deleted text ----------------------------------------------------------------------------------------------------

MARKERS = ("QZXVMARK7731", "紫螺旋鲸鱼灯塔", "QZXVTITLE55")


async def test_text_of_a_deleted_document_leaves_the_log_and_the_figures_stay(tmp_path) -> None:
    store = tmp_path / "store"
    parts = "\n\n".join(
        f"## {MARKERS[0]} 第 {n} 节\n\n{MARKERS[1]}发着第 {n} 种光。" + "填充的句子。" * 30 for n in range(30)
    )
    async with opened(store, answering={}) as app:
        await added(app, written(tmp_path, "kept.md", MANUAL))
        document = await added(app, written(tmp_path, f"{MARKERS[2]}.md", f"# {MARKERS[2]}\n\n{parts}"))
        ids = []
        for n in range(40):
            knobs = {"expand": ("none", "neighbours", "parent")[n % 3], "similarity_threshold": -1}
            question = Request(f"第 {n % 30} 种光是什么样的？第 {n % 30} 节", settings=knobs)
            turn = await (app.chat.retrieve(question) if n % 8 == 7 else app.chat.ask(question))
            ids.append(turn.trace_id)
        before = [await app.log.find(id_) for id_ in ids]
        assert all(any(one.document_id == document.id for one in trace.chunks) for trace in before)
        assert MARKERS[1] in rows(store)
        await app.documents.delete(document.id)
        raw_ = raw(store)
        after = [await app.log.find(id_) for id_ in ids]
        assert all(one.level == "ok" for one in await app.doctor.examine())
    for marker in MARKERS:
        assert marker.encode() not in raw_
        assert marker.lower().encode() not in raw_
        assert marker not in rows(store)
    assert [replace(trace.summary) for trace in after] == [trace.summary for trace in before]
    assert [[one.ranks for one in trace.chunks] for trace in after] == [[one.ranks for one in t.chunks] for t in before]
    assert [[one.n for one in trace.chunks] for trace in after] == [[one.n for one in t.chunks] for t in before]


async def test_a_question_on_its_way_while_the_document_goes_leaves_nothing(tmp_path) -> None:
    store = tmp_path / "store"
    async with opened(store) as app:
        document = await added(app, written(tmp_path, "x.md", f"# 书\n\n{MARKERS[1]}发着光。"))
        asking = [asyncio.create_task(app.chat.ask(Request(f"第 {n} 次问：什么发着光？"))) for n in range(12)]
        await asyncio.sleep(0.02)
        await app.documents.delete(document.id)
        await asyncio.gather(*asking)
        await app.log.aclose()
        assert all(one.level == "ok" for one in await app.doctor.examine())
    assert MARKERS[1] not in rows(store)
    assert MARKERS[1].encode() not in raw(store)


async def test_residue_in_the_log_is_a_fault_that_a_repair_mends(tmp_path) -> None:
    store = tmp_path / "store"
    async with opened(store) as app:
        await shelved(app, tmp_path)
        await app.chat.ask(Request(QUESTION))
        with closing(sqlite3.connect(store / "youju.db")) as database:
            database.execute("PRAGMA foreign_keys = OFF")
            database.execute("DELETE FROM document WHERE title = '规定'")
            database.commit()
        faults = {one.check: one.count for one in await app.doctor.examine() if one.level == "fault"}
        assert faults["问答记录里的残留文字"] > 1
        await app.documents.purge.residue()
        assert all(one.level == "ok" for one in await app.doctor.examine())
    assert "三百二十" not in rows(store)


async def test_a_deletion_that_was_interrupted_empties_the_log_when_it_is_finished(tmp_path) -> None:
    store = tmp_path / "store"
    async with opened(store) as app:
        await shelved(app, tmp_path)
        await app.chat.ask(Request(QUESTION))
        document = await app.documents.find("规定")
        await app.documents.store.write(lambda tx: catalog.begin_delete(tx, document.id))
        assert "三百二十" in rows(store)
        await app.documents.purge.sweep()
    assert "三百二十" not in rows(store)


async def test_yesterdays_answer_can_be_explained_after_its_document_was_replaced(tmp_path) -> None:
    async with opened(tmp_path / "store") as app:
        await added(app, written(tmp_path, "x.md", RULES))
        turn = await app.chat.ask(Request(QUESTION))
        document = await added(app, written(tmp_path, "x.md", RULES.replace("三百二十", "三百五十")))
        trace = await app.log.find(turn.trace_id)
        assert "三百二十" in trace.answer
        assert any("三百二十" in one.text for one in trace.chunks)
        assert all(one.level == "ok" for one in await app.doctor.examine())
        await app.documents.delete(document.id)
        assert (await app.log.find(turn.trace_id)).answer == ""
    assert "三百二十" not in rows(tmp_path / "store")


async def test_without_texts_in_the_log_a_text_is_followed_all_the_same(tmp_path) -> None:
    async with opened(tmp_path / "store", log={"texts": False}) as app:
        await shelved(app, tmp_path)
        found, id_ = await followed(app, ANSWER)
        trace = await app.log.find(id_)
    assert (found.ending, trace.answer, {one.text for one in trace.chunks}) == ("cited", "", {""})
    assert "三百二十" not in rows(tmp_path / "store")


# --- the command line ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def shelf(tmp_path_factory) -> Path:
    """A folder with a store in which one question was asked and one refused."""
    folder = tmp_path_factory.mktemp("log")
    written(folder, "规定.md", RULES)
    written(folder, "手册.md", MANUAL)
    for args in (["add", "规定.md", "手册.md"], ["ask", QUESTION], ["ask", "QZX-99 是什么？"], ["retrieve", "火车"]):
        assert ran(started(args, folder)).code == 0
    return folder


@pytest.fixture
def cli(shelf: Path) -> Cli:
    return lambda *args: ran(started(args, shelf))


def test_the_list_shows_what_was_asked_and_how_it_ended(cli) -> None:
    done = cli("log", "list")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert ["火车" in lines[0], "QZX-99" in lines[1], QUESTION in lines[2]] == [True] * 3
    assert "拒答" in lines[1]
    assert [one["question"] for one in cli("log", "list", "--refused", "--json").json] == ["QZX-99 是什么？"]
    assert len(cli("log", "list", "--limit", "1", "--json").json) == 1
    assert len(cli("log", "list", "--doc", "规定", "--json").json) >= 2


def test_a_trace_is_shown_to_a_person_with_every_part_of_its_way(cli) -> None:
    id_ = cli("log", "list", "--json").json[-1]["trace_id"]
    done = cli("log", "show", id_[:8])
    assert (done.code, done.err) == (0, "")
    for told in (
        QUESTION,
        "范围：所有文档",
        "可用 2 份",
        "融合",
        "上下文",
        "《规定》",
        "证据评级",
        ANSWER,
        "逐句核对",
        "有依据",
    ):
        assert told in done.out, told
    assert "设置：均为默认值" in done.out


def test_a_text_is_marked_and_followed_in_one_line(cli) -> None:
    id_ = cli("log", "list", "--json").json[-1]["trace_id"]
    done = cli("log", "show", id_, "--find", "上限是 每晚 三百二十 元")
    first = done.out.splitlines()[0]
    assert first.startswith("查找：召回了（")
    assert first.endswith("进入了上下文 [1]，回答引用了它")
    assert done.out.count("★") == 1
    found = cli("log", "show", id_, "--find", ANSWER, "--json").json["finding"]
    assert (found["ending"], found["context_numbers"], len(found["chunks"])) == ("cited", [1], 1)


def test_without_an_id_the_newest_is_shown(cli, tmp_path) -> None:
    newest = cli("log", "list", "--limit", "1", "--json").json[0]["trace_id"]
    assert cli("log", "show", "--json").json["trace_id"] == newest
    nothing = ran(started(["log", "show"], tmp_path))
    assert nothing.code == 1
    assert "youju ask" in nothing.err


def test_json_is_what_the_http_contract_says(cli) -> None:
    id_ = cli("log", "list", "--json").json[-1]["trace_id"]
    shown = cli("log", "show", id_, "--json").json
    assert (shown["trace_id"], shown["kind"], shown["question"]) == (id_, "ask", QUESTION)
    assert ANSWER in shown["answer"]
    assert {"chunk_id", "text", "ranks", "scores", "n", "cited"} <= set(shown["chunks"][0])
    assert {"stage", "seconds", "hits", "note", "inner"} == set(shown["steps"][0])


def test_an_unknown_trace_is_told_with_a_remedy(cli) -> None:
    done = cli("log", "show", "zzzzzzzz")
    assert (done.code, done.out) == (1, "")
    assert "建议：" in done.err
    assert cli("log", "show", "zzzzzzzz", "--json").json["error"]["code"] == "not_found"


@pytest.mark.parametrize("args", [[], ["--all", "abcd"], ["--all", "--older-than", "3"]])
def test_a_deletion_says_one_thing(cli, args) -> None:
    done = cli("log", "rm", *args)
    assert done.code == 2
    assert "建议：" in done.err


def test_traces_are_deleted(tmp_path) -> None:
    written(tmp_path, "手册.md", MANUAL)
    for args in (["add", "手册.md"], ["ask", "日志保留几天？"], ["ask", "最大连接数？"], ["ask", "什么？"]):
        ran(started(args, tmp_path))
    ids = [one["trace_id"] for one in ran(started(["log", "list", "--json"], tmp_path)).json]
    assert ran(started(["log", "rm", "--older-than", "1", "--json"], tmp_path)).json == {"deleted": 0}
    assert ran(started(["log", "rm", ids[0][:10]], tmp_path)).out == "已删除 1 条记录\n"
    assert ran(started(["log", "rm", "--all"], tmp_path)).out == "已删除 2 条记录\n"
    assert ran(started(["log", "list"], tmp_path)).out == "还没有问答记录。\n"


def test_nothing_in_the_log_reaches_the_terminal_unclean(tmp_path) -> None:
    written(tmp_path, "手册.md", MANUAL.replace("日志保留", "\x1b[31m日志保留"))
    ran(started(["add", "手册.md"], tmp_path))
    ran(started(["ask", "日志保留几天？\x1b[2J"], tmp_path))
    id_ = ran(started(["log", "list", "--json"], tmp_path)).json[0]["trace_id"]
    for args in (["list"], ["show", id_], ["show", id_, "--find", "日志\x1b[2J"]):
        assert "\x1b" not in ran(started(["log", *args], tmp_path)).out
