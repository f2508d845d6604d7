"""A version written in slices: nobody sees it before its time, others write in between, and no attempt leaves rows."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import func, select

from apps import SqueezedEmbedder, opened, written
from youju.chat.service import Request
from youju.compose import App
from youju.errors import ProviderError
from youju.ingest import embedding
from youju.ports import Vectors
from youju.storage import tables
from youju.types import Side

BOOK = "# 抛物线\n\n" + "\n\n".join(
    f"## {n}\n\n抛物线{what}。" for n, what in enumerate(("开口", "顶点", "对称轴", "焦点", "准线", "平移"), 1)
)
ANYTHING = {"similarity_threshold": -1}


class Turning(SqueezedEmbedder):
    """Does something of the test's when the slice with this number, from 1, is to be embedded.

    In a task of its own: the job may be cancelled meanwhile, when it shows that the version is no longer wanted.
    """

    turn: asyncio.Future[None]

    def __init__(self, number: int, what: Callable[[], Coroutine[None, None, None]]) -> None:
        super().__init__()
        self.left = number
        self.what = what

    async def embed(self, texts: Sequence[str], kind: Side) -> Vectors:
        self.left -= kind == "passage"
        if kind == "passage" and self.left == 0:
            self.turn = asyncio.ensure_future(self.what())
            await asyncio.shield(self.turn)
        return await super().embed(texts, kind)


@pytest.fixture(autouse=True)
def slices_of_two_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "SLICE", 2)


def counted(folder: Path) -> dict[str, int]:
    with closing(sqlite3.connect(folder / "youju.db")) as database:
        names = ("page", "chunk", "vector", "words")
        return {name: database.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names}  # noqa: S608


async def healthy(app: App) -> bool:
    return all(one.level == "ok" for one in await app.doctor.examine())


async def processed(app: App, path: Path) -> str:
    return await app.documents.process(await app.documents.accept(path))


async def whole(folder: Path, path: Path) -> dict[str, int]:
    """The rows that the book has when nothing comes in between."""
    async with opened(folder) as app:
        assert await processed(app, path) == "READY"
    return counted(folder)


async def test_what_is_written_so_far_is_there_and_found_by_nobody(tmp_path: Path) -> None:
    seen: list[object] = []

    async def look() -> None:
        rows = await app.documents.store.read(
            lambda tx: tx.execute(select(tables.chunk.c.active).where(tables.chunk.c.role == "child")).scalars().all()
        )
        turn = await app.chat.retrieve(Request("抛物线", settings=ANYTHING))
        seen.extend([len(rows), any(rows), len(turn.hits), turn.refusal])
        words, everything = app.chat.parts.words, turn.scope
        seen.append(await words.df(["抛物线"], everything))

    async with opened(tmp_path / "store", Turning(3, look)) as app:
        assert await processed(app, written(tmp_path, "x.md", BOOK)) == "READY"
        turn = await app.chat.retrieve(Request("抛物线", settings=ANYTHING))
        assert await healthy(app)
    assert seen == [4, False, 0, "scope_empty", {"抛物线": 0}]
    assert len(turn.hits) == 6


async def test_another_document_answers_as_before_while_slices_are_written(tmp_path: Path) -> None:
    found: list[set[str]] = []

    async def ask() -> None:
        turn = await app.chat.retrieve(Request("抛物线", settings=ANYTHING))
        found.append({hit.chunk.book for hit in turn.hits})

    embedder = Turning(0, ask)
    async with opened(tmp_path / "store", embedder) as app:
        assert await processed(app, written(tmp_path, "旧.md", "# 旧\n\n抛物线是一条曲线。")) == "READY"
        embedder.left = 2
        assert await processed(app, written(tmp_path, "新.md", BOOK)) == "READY"
        await ask()
    assert found == [{"旧"}, {"旧", "新"}]


async def test_others_write_between_two_slices(tmp_path: Path) -> None:
    seen: list[int] = []

    async def write() -> None:
        count = select(func.count()).select_from(tables.vector)
        seen.append(await app.documents.store.write(lambda tx: tx.execute(count).scalar_one()))

    async with opened(tmp_path / "store", Turning(2, write)) as app:
        assert await processed(app, written(tmp_path, "x.md", BOOK)) == "READY"
    assert seen == [2]


async def test_a_failure_in_the_middle_leaves_no_rows(tmp_path: Path) -> None:
    async def fail() -> None:
        assert counted(tmp_path / "store")["vector"] == 4
        raise ProviderError("嵌入服务没有回答", part="embedder")

    async with opened(tmp_path / "store", Turning(3, fail)) as app:
        assert await processed(app, written(tmp_path, "x.md", BOOK)) == "FAILED"
        assert set(counted(tmp_path / "store").values()) == {0}


async def test_a_deletion_in_the_middle_leaves_no_rows(tmp_path: Path) -> None:
    async def delete() -> None:
        (document,) = await app.documents.listed()
        await app.documents.delete(document.id)

    embedder = Turning(3, delete)
    async with opened(tmp_path / "store", embedder) as app:
        assert await processed(app, written(tmp_path, "x.md", BOOK)) == "DELETING"
        await embedder.turn
        assert await healthy(app)
    assert set(counted(tmp_path / "store").values()) == {0}


async def test_a_replacement_in_the_middle_leaves_the_rows_of_the_newer_version(tmp_path: Path) -> None:
    path = written(tmp_path, "in/x.md", BOOK)

    async def replace() -> None:
        assert await processed(app, written(tmp_path, "x.md", BOOK.replace("平移", "旋转"))) == "READY"

    embedder = Turning(3, replace)
    async with opened(tmp_path / "store", embedder) as app:
        assert await processed(app, path) == "DELETING"
        await embedder.turn
        assert await healthy(app)
    assert counted(tmp_path / "store") == await whole(tmp_path / "other", path)


async def test_what_a_dead_attempt_left_is_cleared_when_the_version_is_begun_again(tmp_path: Path) -> None:
    reached = asyncio.Event()

    async def hang() -> None:
        reached.set()
        await asyncio.Event().wait()

    path = written(tmp_path, "x.md", BOOK)
    embedder = Turning(3, hang)
    async with opened(tmp_path / "store", embedder) as app:
        accepted = await app.documents.accept(path)
        work = asyncio.create_task(app.documents.process(accepted))
        await reached.wait()
        work.cancel()
        embedder.turn.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
        assert counted(tmp_path / "store")["vector"] == 4
        assert [one.check for one in await app.doctor.examine() if one.level != "ok"] == ["未完成的版本"]
        assert await app.documents.process(accepted) == "READY"
        assert await healthy(app)
    assert counted(tmp_path / "store") == await whole(tmp_path / "other", path)


async def test_the_seconds_of_all_slices_stand_together_in_the_timeline(tmp_path: Path) -> None:
    async with opened(tmp_path / "store") as app:
        assert await processed(app, written(tmp_path, "x.md", BOOK)) == "READY"
        (document,) = await app.documents.listed()
    assert document.active is not None
    assert sorted(name for name, _ in document.active.timeline) == ["CHUNKING", "EMBEDDING", "INDEXING", "PARSING"]
