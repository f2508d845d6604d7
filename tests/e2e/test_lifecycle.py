"""What happens to documents: replaced, embedded anew, deleted at any moment, worked on by many."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path

import pytest
from sqlalchemy import text

from apps import MANUAL, RULES, BrokenEmbedder, SqueezedEmbedder, added, opened, ran, started, written
from youju.chat.service import Request
from youju.compose import App
from youju.documents import catalog
from youju.errors import ConflictError, DocumentError, InputError, NotFoundError
from youju.ingest.embedding import Embedding
from youju.ingest.job import Progress
from youju.ingest.lease import lease
from youju.ports import Vectors
from youju.providers.fakes import FakeEmbedder
from youju.storage.blobs import Blobs
from youju.types import Degradation, Side, Turn

QUESTION = "出差住宿费的上限是多少？"
PHASES = ("PARSING", "CHUNKING", "EMBEDDING")


def answer(turn: Turn) -> str:
    return turn.answer.text if turn.answer else ""


async def healthy(app: App) -> bool:
    return all(one.level == "ok" for one in await app.doctor.examine())


LOG = frozenset({"trace", "trace_text", "trace_chunk", "feedback"})


def everything(folder: Path, *, but: frozenset[str] = frozenset()) -> str:
    """All rows of all tables, the shadow tables of the keyword index too."""
    with closing(sqlite3.connect(folder / "youju.db")) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        names = [name for name in names if name not in but]
        return "\n".join(repr(database.execute(f'SELECT * FROM "{name}"').fetchall()) for name in names)  # noqa: S608


def counted(folder: Path) -> dict[str, int]:
    names = ("document", "version", "page", "chunk", "vector", "words")
    with closing(sqlite3.connect(folder / "youju.db")) as database:
        return {name: database.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names}  # noqa: S608


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("youju.db")]


# --- finding ---------------------------------------------------------------------------------------------------------


async def test_chunks_about_one_topic_are_found_by_both_channels(tmp_path) -> None:
    sections = "\n\n".join(
        f"## {n}\n\n抛物线{what}。" for n, what in enumerate(("开口", "顶点", "对称轴", "焦点", "准线"), 1)
    )
    async with opened(tmp_path) as app:
        await added(app, written(tmp_path, "in/x.md", f"# 书\n\n{sections}"))
        turn = await app.chat.retrieve(Request("抛物线", settings={"similarity_threshold": -1}))
    assert len(turn.hits) == 5
    assert all({"vector", "keyword"} <= set(hit.ranks) for hit in turn.hits)


async def test_a_word_of_two_characters_beside_a_comma_is_found(tmp_path) -> None:
    async with opened(tmp_path) as app:
        await added(app, written(tmp_path, "in/x.md", "其中包括押金，租金，以及水电。"))
        for word in ("押金", "租金", "水电"):
            turn = await app.chat.retrieve(Request(word, settings={"vector_top_k": 0}))
            assert [hit.ranks["keyword"] for hit in turn.hits] == [1], word


async def test_an_article_is_found_however_its_number_is_written(tmp_path) -> None:
    articles = "\n\n".join(
        f"第{n}条 本条讲的是{what}。"
        for n, what in (("十一", "借书"), ("十二", "还书"), ("十三", "续借"), ("二十", "罚款"))
    )
    async with opened(tmp_path) as app:
        await added(app, written(tmp_path, "in/x.md", f"# 规定\n\n{articles}"))
        best = []
        for asked in ("第12条", "第十二条", "第１２条", "第 12 条"):
            turn = await app.chat.retrieve(Request(f"{asked}讲的是什么？", settings={"vector_top_k": 0}))
            best.append(turn.hits[0].chunk.text)
    assert set(best) == {"第十二条 本条讲的是还书。"}


# --- replacing -------------------------------------------------------------------------------------------------------


async def test_after_a_replacement_the_old_number_is_never_answered(tmp_path) -> None:
    async with opened(tmp_path) as app:
        await added(app, written(tmp_path, "in/x.md", RULES))
        assert "三百二十" in answer(await app.chat.ask(Request(QUESTION)))
        document = await added(app, written(tmp_path, "in/x.md", RULES.replace("三百二十", "三百五十")))
        turns = [await app.chat.ask(Request(q)) for q in (QUESTION, "住宿费上限三百二十元对吗？", "每晚三百二十元")]
        assert document.active is not None
        assert (document.active.number, document.pending) == (2, None)
        assert "三百五十" in answer(turns[0])
        assert not any(
            "三百二十" in answer(turn) or any("三百二十" in hit.chunk.text for hit in turn.hits) for turn in turns
        )
        assert await healthy(app)
    # The log still explains the answer of yesterday.
    assert "三百二十元" not in everything(tmp_path, but=LOG)


async def test_a_failed_replacement_is_shown_as_pending_and_the_old_version_answers(tmp_path) -> None:
    async with opened(tmp_path) as app:
        await added(app, written(tmp_path, "in/x.md", RULES))
        document = await added(app, written(tmp_path, "in/x.md", "\n\n"))
        assert document.status == "READY"
        assert document.pending is not None
        assert (document.pending.number, document.pending.status) == (2, "FAILED")
        assert document.pending.failure is not None
        assert document.pending.failure.remedy
        assert "三百二十" in answer(await app.chat.ask(Request(QUESTION)))


# --- embedding -------------------------------------------------------------------------------------------------------


async def test_with_another_embedder_documents_answer_by_words_until_they_are_embedded_again(tmp_path) -> None:
    async with opened(tmp_path, FakeEmbedder()) as app:
        document = await added(app, written(tmp_path, "in/x.md", RULES))
    async with opened(tmp_path, SqueezedEmbedder()) as app:
        turn = await app.chat.ask(Request(QUESTION))
        assert "三百二十" in answer(turn)
        assert Degradation("embedder", "reembed_pending") in turn.degradations
        assert not any("vector" in hit.ranks for hit in (*turn.hits, *turn.nearest))
        assert (await app.documents.find(document.id)).status == "READY"
        waiting = {one.check: one.level for one in await app.doctor.examine() if one.level != "ok"}
        assert waiting == {"等待重新嵌入的文档": "warning"}
        await app.documents.reembed(document.id)
        again = await app.chat.ask(Request(QUESTION))
        assert again.degradations == ()
        assert "vector" in again.hits[0].ranks
        assert await healthy(app)


async def test_without_the_embedder_questions_are_answered_by_words_and_say_so(tmp_path) -> None:
    async with opened(tmp_path) as app:
        await added(app, written(tmp_path, "in/x.md", RULES))
    async with opened(tmp_path, BrokenEmbedder()) as app:
        turn = await app.chat.ask(Request(QUESTION))
    assert "三百二十" in answer(turn)
    assert {mark.part for mark in turn.degradations} == {"embedder"}


async def test_without_the_embedder_an_upload_fails_and_can_be_retried(tmp_path) -> None:
    async with opened(tmp_path, BrokenEmbedder()) as app:
        document = await added(app, written(tmp_path, "in/x.md", RULES))
        assert document.pending is not None
        assert document.pending.failure is not None
        assert (document.status, document.pending.failure.code) == ("FAILED", "embedder_down")
    assert counted(tmp_path)["chunk"] == 0
    async with opened(tmp_path) as app:
        assert await app.documents.retry(document.id) == "READY"
        assert "三百二十" in answer(await app.chat.ask(Request(QUESTION)))
        assert await healthy(app)


class Careless(FakeEmbedder):
    async def embed(self, texts, kind):
        raise ZeroDivisionError


async def test_a_fault_of_ours_fails_the_version_and_not_the_store(tmp_path, caplog) -> None:
    async with opened(tmp_path, Careless()) as app:
        document = await added(app, written(tmp_path, "in/x.md", RULES))
    assert document.pending is not None
    assert document.pending.failure is not None
    assert document.pending.failure.code == "internal"
    assert "job.crashed" in caplog.text


# --- deleting --------------------------------------------------------------------------------------------------------

MARKERS = ("QZXVMARK7731", "紫螺旋鲸鱼灯塔", "QZXVTITLE55")


async def test_after_a_deletion_nothing_is_left_in_any_table_or_file(tmp_path) -> None:
    store = tmp_path / "store"
    book = f"# 书\n\n## {MARKERS[0]} 一节\n\n{MARKERS[1]}发着光。{MARKERS[0]} 是一个编号。\n" + "填充的句子。" * 300
    async with opened(store) as app:
        kept = await added(app, written(tmp_path, "kept.md", MANUAL))
        before = counted(store)
        document = await added(app, written(tmp_path, f"{MARKERS[2]}.md", book))
        turn = await app.chat.ask(Request("什么发着光？编号是什么？", settings={"similarity_threshold": -1}))
        assert any(MARKERS[1] in hit.chunk.text for hit in (*turn.hits, *turn.nearest))
        receipt = await app.documents.delete(document.id)
        # While the store is still open: the write-ahead log is swept, too.
        raw = b"".join(path.read_bytes() for path in store.glob("youju.db*"))
        assert counted(store) == before
        with pytest.raises(NotFoundError):
            await app.documents.find(document.id)
        assert await healthy(app)
        assert [one.id for one in await app.documents.listed()] == [kept.id]
    assert (receipt.title, receipt.versions, receipt.blobs) == (MARKERS[2], 1, 1)
    assert receipt.chunks > 0 < receipt.vectors
    for marker in MARKERS:
        assert marker.encode() not in raw
        assert marker.lower().encode() not in raw
        assert marker not in everything(store)
    # Only the log remembers which document it was.
    assert document.id not in everything(store, but=LOG)
    assert len(files(store)) == 1


async def test_a_receipt_is_right_also_where_a_sweep_of_another_removes_the_document(tmp_path, monkeypatch) -> None:
    async with opened(tmp_path / "store") as app:
        document = await added(app, written(tmp_path, "x.md", RULES))
        purge = type(app.documents.purge)
        remove = purge.document

        async def overtaken(self, document_id, version_ids):
            monkeypatch.undo()
            await self.sweep()
            await remove(self, document_id, version_ids)

        monkeypatch.setattr(purge, "document", overtaken)
        receipt = await app.documents.delete(document.id)
        assert (receipt.title, receipt.versions, receipt.blobs) == ("x", 1, 1)
        assert receipt.chunks > 0 < receipt.vectors
        assert await healthy(app)


async def test_a_replaced_version_leaves_nothing_either(tmp_path) -> None:
    store = tmp_path / "store"
    async with opened(store) as app:
        await added(app, written(tmp_path, "x.md", f"{MARKERS[1]}发着光，{MARKERS[0]}。"))
        await added(app, written(tmp_path, "x.md", "现在写的是别的内容。"))
        raw = b"".join(path.read_bytes() for path in store.glob("youju.db*"))
    assert not any(marker.encode() in raw or marker.lower().encode() in raw for marker in MARKERS)
    assert len(files(store)) == 1


class Deleting:
    """A report that deletes the document as soon as its job enters a phase."""

    def __init__(self, phase: str, delete: Callable[[], object]) -> None:
        self.phase = phase
        self.delete = delete
        self.task: asyncio.Task[object] | None = None

    def __call__(self, progress: Progress) -> None:
        if progress.phase == self.phase and self.task is None:
            self.task = asyncio.ensure_future(self.delete())  # type: ignore[arg-type]


@pytest.mark.parametrize("phase", PHASES)
async def test_a_document_deleted_while_it_is_worked_on_leaves_nothing(tmp_path, phase) -> None:
    store = tmp_path / "store"
    async with opened(store) as app:
        accepted = await app.documents.accept(written(tmp_path, "x.md", RULES * 60))
        report = Deleting(phase, lambda: app.documents.delete(accepted.document_id))
        assert await app.documents.process(accepted, report) == "DELETING"
        assert report.task is not None
        await report.task
        assert await app.documents.listed() == []
        assert await healthy(app)
    assert set(counted(store).values()) == {0}
    assert files(store) == []


async def test_a_document_deleted_just_before_it_is_indexed_leaves_nothing(tmp_path, monkeypatch) -> None:
    store = tmp_path / "store"
    async with opened(store) as app:
        accepted = await app.documents.accept(written(tmp_path, "x.md", RULES))
        embed = Embedding.made

        async def late(self, *rest):
            vectors = await embed(self, *rest)
            await app.documents.store.write(lambda tx: catalog.begin_delete(tx, accepted.document_id))
            return vectors

        monkeypatch.setattr(Embedding, "made", late)
        status = await app.documents.process(accepted)
        await app.documents.delete(accepted.document_id)
        assert status == "DELETING"
        assert await healthy(app)
    assert set(counted(store).values()) == {0}


async def test_a_failure_after_the_deletion_is_a_deletion(tmp_path, monkeypatch) -> None:
    async with opened(tmp_path / "store") as app:
        accepted = await app.documents.accept(written(tmp_path, "x.md", RULES))

        async def gone(*_args: object, **_more: object) -> None:
            await app.documents.delete(accepted.document_id)
            raise DocumentError("坏了", code="broken")

        monkeypatch.setattr("youju.ingest.job.parse_in_child", gone)
        assert await app.documents.process(accepted) == "DELETING"
        assert await healthy(app)


async def test_a_deletion_that_was_interrupted_is_found_and_finished(tmp_path) -> None:
    store = tmp_path / "store"
    async with opened(store) as app:
        document = await added(app, written(tmp_path, "x.md", RULES))
        await app.documents.store.write(lambda tx: catalog.begin_delete(tx, document.id))
    async with opened(store) as app:
        assert (await app.chat.ask(Request(QUESTION))).refusal == "scope_empty"
        assert {one.check for one in await app.doctor.examine() if one.level == "warning"} == {
            "待清除的版本",
            "待清除的文档",
        }
        await app.documents.purge.sweep()
        await app.documents.purge.residue()
        assert await healthy(app)
    assert set(counted(store).values()) == {0}
    assert files(store) == []


async def test_bytes_uploaded_while_the_same_bytes_are_deleted_keep_their_file(tmp_path, monkeypatch) -> None:
    path = written(tmp_path, "x.md", RULES)
    loop = asyncio.get_running_loop()
    async with opened(tmp_path / "store") as app:
        old = await added(app, path)
        put = Blobs.put

        def put_and_lose(self, pieces, **named):
            kept = put(self, pieces, **named)
            monkeypatch.undo()
            asyncio.run_coroutine_threadsafe(app.documents.delete(old.id), loop).result()
            return kept

        monkeypatch.setattr(Blobs, "put", put_and_lose)
        new = await added(app, path)
        assert new.id != old.id
        assert new.status == "READY"
        assert await healthy(app)


# --- many at once ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("steps", [PHASES[:1], PHASES[:2], PHASES])
async def test_a_version_that_a_killed_process_left_behind_is_finished_by_adding_the_file_again(
    tmp_path, steps
) -> None:
    path = written(tmp_path, "x.md", RULES)
    async with opened(tmp_path / "store") as app:
        accepted = await app.documents.accept(path)
        for step in steps:
            await app.documents.store.write(lambda tx, step=step: catalog.move(tx, accepted.version_id, step))
        document = await added(app, path)
        assert document.active is not None
        assert (document.status, document.active.number) == ("READY", 1)
        assert await healthy(app)


async def test_an_unfinished_version_can_be_retried_when_its_file_is_gone(tmp_path) -> None:
    path = written(tmp_path, "x.md", RULES)
    async with opened(tmp_path / "store") as app:
        accepted = await app.documents.accept(path)
        await app.documents.store.write(lambda tx: catalog.move(tx, accepted.version_id, "PARSING"))
        path.unlink()
        assert await app.documents.retry(accepted.document_id) == "READY"


async def test_twenty_uploads_of_one_file_at_once_are_one_version_worked_on_once(tmp_path) -> None:
    path = written(tmp_path, "x.md", RULES)
    entered: list[str] = []
    async with opened(tmp_path / "store") as app:

        async def upload() -> tuple[str, int, str]:
            accepted = await app.documents.accept(path)
            status = await app.documents.process(accepted, lambda progress: entered.append(progress.phase))
            return accepted.document_id, accepted.version, status

        ends = await asyncio.gather(*(upload() for _ in range(20)))
        assert len(set(ends)) == 1
        assert ends[0][1:] == (1, "READY")
        assert entered.count("PARSING") == 1
        assert await healthy(app)
    assert counted(tmp_path / "store")["version"] == 1
    assert len(files(tmp_path / "store")) == 1


@pytest.mark.slow
def test_four_processes_adding_one_file_end_with_one_version(tmp_path) -> None:
    written(tmp_path, "x.md", RULES)
    done = [ran(one) for one in [started(["add", "x.md", "--json"], tmp_path) for _ in range(4)]]
    assert [one.code for one in done] == [0] * 4, [one.err for one in done]
    assert len({(one.json[0]["document_id"], one.json[0]["version"]) for one in done}) == 1
    assert sum(not one.json[0]["duplicate"] for one in done) == 1
    assert counted(tmp_path / ".youju")["version"] == 1
    assert ran(started(["doctor"], tmp_path)).code == 0


@pytest.mark.slow
def test_a_killed_process_gives_its_work_back(tmp_path) -> None:
    written(tmp_path, "x.md", RULES * 3000)
    first = started(["add", "x.md"], tmp_path)
    database = tmp_path / ".youju" / "youju.db"
    while first.poll() is None:
        with suppress(sqlite3.Error), closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as look:
            if look.execute("SELECT status FROM version").fetchone() in {("CHUNKING",), ("EMBEDDING",)}:
                break
    first.kill()
    first.communicate()
    written(tmp_path, "x.md", RULES)
    assert ran(started(["add", "x.md"], tmp_path)).code == 0
    assert ran(started(["doctor"], tmp_path)).code == 0


async def test_the_change_log_is_all_that_remembers_a_deleted_version(tmp_path) -> None:
    async with opened(tmp_path / "store") as app:
        document = await added(app, written(tmp_path, "x.md", RULES))
        await app.documents.delete(document.id)
        rows = await app.documents.store.read(lambda tx: tx.execute(text("SELECT * FROM change")).mappings().all())
    assert {frozenset(row) for row in rows} == {frozenset({"seq", "version_id"})}


# --- one model, other vectors ----------------------------------------------------------------------------------------


class ResizedEmbedder(FakeEmbedder):
    """A server that changed its model and kept its name: `dim` numbers a vector, one fingerprint."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.dim = dim

    async def embed(self, texts: Sequence[str], kind: Side) -> Vectors:
        return (await super().embed(texts, kind))[:, : self.dim]


async def test_a_document_with_vectors_of_another_size_is_refused_and_the_others_answer(tmp_path) -> None:
    async with opened(tmp_path / "store", ResizedEmbedder(64)) as app:
        await added(app, written(tmp_path, "规定.md", RULES))
    async with opened(tmp_path / "store", ResizedEmbedder(32)) as app:
        refused = await added(app, written(tmp_path, "手册.md", MANUAL))
        assert refused.pending is not None
        assert refused.pending.failure is not None
        assert refused.pending.failure.code == "embedder_bad_dim"
        turn = await app.chat.retrieve(Request(QUESTION))
        assert turn.hits
        assert Degradation("vector", "vector_bad_dim") in turn.degradations
    async with opened(tmp_path / "store", ResizedEmbedder(64)) as app:
        assert (await app.chat.retrieve(Request(QUESTION))).degradations == ()


async def test_all_documents_can_be_embedded_again_with_the_new_size(tmp_path) -> None:
    async with opened(tmp_path / "store", ResizedEmbedder(64)) as app:
        await added(app, written(tmp_path, "规定.md", RULES))
        await added(app, written(tmp_path, "手册.md", MANUAL))
    async with opened(tmp_path / "store", ResizedEmbedder(32)) as app:
        first, second = sorted(await app.documents.to_reembed())
        await app.documents.reembed(first)
        assert "长短不一的向量" in {one.check for one in await app.doctor.examine() if one.level == "fault"}
        assert Degradation("vector", "vector_bad_dim") in (await app.chat.ask(Request(QUESTION))).degradations
        await app.documents.reembed(second)
        assert await app.documents.to_reembed() == frozenset()
        assert (await app.chat.retrieve(Request(QUESTION))).degradations == ()
        assert await healthy(app)


# --- two names, one content ------------------------------------------------------------------------------------------


async def test_a_file_that_became_another_one_no_longer_answers_with_its_old_text(tmp_path) -> None:
    async with opened(tmp_path / "store") as app:
        old = await added(app, written(tmp_path, "A.md", "# 甲\n\n苹果的价格是三元。"))
        other = await added(app, written(tmp_path, "B.md", "# 乙\n\n香蕉的价格是五元。"))
        accepted = await app.documents.accept(written(tmp_path, "A.md", "# 乙\n\n香蕉的价格是五元。"))
        assert accepted.document_id == other.id
        assert accepted.retired is not None
        assert accepted.retired.document_id == old.id
        assert await app.documents.process(accepted) == "READY"
        assert [one.id for one in await app.documents.listed()] == [other.id]
        assert await healthy(app)


async def test_what_was_uploaded_meanwhile_is_not_retired(tmp_path) -> None:
    async with opened(tmp_path / "store") as app:
        old = await added(app, written(tmp_path, "A.md", "苹果的价格是三元。"))
        await added(app, written(tmp_path, "B.md", "香蕉的价格是五元。"))
        accepted = await app.documents.accept(written(tmp_path, "A.md", "香蕉的价格是五元。"))
        newer = await added(app, written(tmp_path, "A.md", "樱桃的价格是九元。"))
        await app.documents.process(accepted)
        assert newer.id == old.id
        assert len(await app.documents.listed()) == 2


async def test_a_document_that_is_to_be_kept_is_not_replaced(tmp_path) -> None:
    async with opened(tmp_path / "store") as app:
        kept = await added(app, written(tmp_path, "A.md", "苹果的价格是三元。"))
        other = written(tmp_path, "A.md", "香蕉的价格是五元。")
        with pytest.raises(ConflictError) as caught:
            await app.documents.accept(other, kept=frozenset({kept.id}))
        assert caught.value.code == "same_name"


async def test_a_collection_has_a_name_of_at_most_200_characters(tmp_path) -> None:
    path = written(tmp_path, "A.md", "苹果的价格是三元。")
    async with opened(tmp_path / "store") as app:
        await app.documents.accept(path, collection="名" * 200)
        with pytest.raises(InputError) as caught:
            await app.documents.accept(path, collection="名" * 201)
        assert caught.value.code == "bad_collection"


async def test_leases_of_the_killed_are_removed_and_held_ones_stay(tmp_path) -> None:
    async with opened(tmp_path / "store") as app:
        app.documents.leases.mkdir()
        (app.documents.leases / "77.lock").touch()
        async with lease(app.documents.leases, "78"):
            await app.documents.sweep()
            assert [path.name for path in app.documents.leases.iterdir()] == ["78.lock"]
