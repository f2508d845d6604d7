"""The same bytes divided anew: replaced at once, with the vectors of what did not change, as it was asked for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from apps import RULES, SqueezedEmbedder, opened, written
from youju.compose import App
from youju.errors import ConflictError, InputError, ProviderError
from youju.ingest.desk import Desk
from youju.ports import Vectors
from youju.types import Side


class Counting(SqueezedEmbedder):
    """Counts the passages it was given; fails instead where `broken`."""

    def __init__(self) -> None:
        super().__init__()
        self.passages = 0
        self.broken = False

    async def embed(self, texts: Sequence[str], kind: Side) -> Vectors:
        if kind == "passage":
            if self.broken:
                raise ProviderError("没有应答", part="embedder")
            self.passages += len(texts)
        return await super().embed(texts, kind)


async def added(app: App, path: Path, **more: str) -> str:
    accepted = await app.documents.accept(path, **more)
    assert await app.documents.process(accepted) == "READY"
    return accepted.document_id


async def sections(app: App, document_id: str) -> list[tuple[str, ...]]:
    return [one.section for one in await app.documents.chunks(document_id) if one.role == "child"]


async def test_a_document_divided_anew_is_a_new_version_that_answers_alone(tmp_path: Path) -> None:
    async with opened(tmp_path / "s") as app:
        id_ = await added(app, written(tmp_path, "报销.md", RULES))
        before = await sections(app, id_)
        accepted = await app.documents.rechunk(id_, "law")
        assert await sections(app, id_) == before
        assert await app.documents.process(accepted) == "READY"
        one = await app.documents.find(id_)
        assert one.active is not None
        assert (one.active.number, one.active.strategy, one.pending) == (2, "law", None)
        assert [path[-1] for path in await sections(app, id_)] == ["第一条", "第二条", "第十二条"]


async def test_chunks_that_did_not_change_keep_their_vectors(tmp_path: Path) -> None:
    model = Counting()
    async with opened(tmp_path / "s", model) as app:
        id_ = await added(app, written(tmp_path, "报销.md", RULES), strategy="law")
        assert model.passages == 3
        await app.documents.process(await app.documents.rechunk(id_))
        assert model.passages == 3
        changed = RULES.replace("三百二十", "三百五十")
        assert await added(app, written(tmp_path, "报销.md", changed), strategy="law") == id_
        assert model.passages == 4
        one = await app.documents.find(id_)
        assert one.active is not None
        assert one.active.quality["chunks_reused"] == 2


async def test_embedding_again_uses_no_old_vectors(tmp_path: Path) -> None:
    model = Counting()
    async with opened(tmp_path / "s", model) as app:
        id_ = await added(app, written(tmp_path, "报销.md", RULES), strategy="law")
        await app.documents.reembed(id_)
        assert model.passages == 6


async def test_a_retry_keeps_the_strategy(tmp_path: Path) -> None:
    model = Counting()
    async with opened(tmp_path / "s", model) as app:
        model.broken = True
        accepted = await app.documents.accept(written(tmp_path, "报销.md", RULES), strategy="law")
        assert await app.documents.process(accepted) == "FAILED"
        model.broken = False
        assert await app.documents.retry(accepted.document_id) == "READY"
        one = await app.documents.find(accepted.document_id)
        assert one.active is not None
        assert (one.active.strategy, one.active.divided["strategy"]) == ("law", "law")


async def test_the_collection_says_how_where_the_upload_does_not(tmp_path: Path) -> None:
    async with opened(tmp_path / "s") as app:
        desk = Desk(app.documents)
        home = await desk.create_collection("规章")
        assert (await desk.change_collection(home.id, None, "law")).strategy == "law"
        first = await added(app, written(tmp_path, "报销.md", RULES), collection="规章")
        assert len(await sections(app, first)) == 3
        assert (await desk.change_collection(home.id, "制度", "auto")).strategy == ""
        await app.documents.process(await app.documents.rechunk(first))
        assert len(await sections(app, first)) == 2


async def test_the_same_bytes_with_another_strategy_are_divided_anew(tmp_path: Path) -> None:
    async with opened(tmp_path / "s") as app:
        path = written(tmp_path, "报销.md", RULES)
        id_ = await added(app, path)
        again = await app.documents.accept(path, strategy="law")
        assert (again.document_id, again.duplicate, again.version) == (id_, False, 2)
        waiting = await app.documents.accept(path, strategy="law")
        assert (waiting.version, waiting.duplicate, waiting.status) == (2, True, "UPLOADED")
        assert await app.documents.process(waiting) == "READY"
        assert (await app.documents.accept(path)).duplicate
        assert (await app.documents.accept(path, strategy="law")).duplicate


async def test_the_same_bytes_sent_again_leave_a_version_that_divides_them_anew(tmp_path: Path) -> None:
    async with opened(tmp_path / "s") as app:
        path = written(tmp_path, "报销.md", RULES)
        id_ = await added(app, path)
        accepted = await app.documents.rechunk(id_, "law")
        assert (await app.documents.accept(path)).duplicate
        assert await app.documents.process(accepted) == "READY"
        assert {one.level for one in await app.doctor.examine()} == {"ok"}


async def test_a_failed_or_cancelled_attempt_leaves_the_version_that_answers(tmp_path: Path) -> None:
    async with opened(tmp_path / "s") as app:
        id_ = await added(app, written(tmp_path, "报销.md", RULES))
        await app.documents.rechunk(id_, "law")
        with pytest.raises(ConflictError, match="正在处理"):
            await app.documents.rechunk(id_)
        await app.documents.cancel(id_)
        one = await app.documents.find(id_)
        assert one.active is not None
        assert one.pending is not None
        assert (one.active.number, one.pending.status) == (1, "FAILED")
        assert await app.documents.retry(id_) == "READY"
        assert len(await sections(app, id_)) == 3


async def test_nothing_can_be_divided_anew_before_it_answers(tmp_path: Path) -> None:
    async with opened(tmp_path / "s") as app:
        accepted = await app.documents.accept(written(tmp_path, "报销.md", RULES))
        with pytest.raises(ConflictError, match="还没有可用的版本"):
            await app.documents.rechunk(accepted.document_id)


async def test_an_unknown_strategy_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    async with opened(tmp_path / "s") as app:
        with pytest.raises(InputError) as caught:
            await app.documents.accept(written(tmp_path, "报销.md", RULES), strategy="法规")
    assert caught.value.code == "bad_strategy"
    assert "law" in caught.value.remedy


async def test_what_happened_is_kept_with_the_version(tmp_path: Path) -> None:
    async with opened(tmp_path / "s") as app:
        id_ = await added(app, written(tmp_path, "报销.md", RULES), strategy="law")
        one = await app.documents.find(id_)
    assert one.active is not None
    assert [(name, detail) for _, name, detail in one.active.events] == [
        ("accepted", "law"),
        ("PARSING", ""),
        ("CHUNKING", ""),
        ("EMBEDDING", ""),
        ("READY", ""),
    ]
