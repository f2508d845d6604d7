"""Every kind of residue is planted, found by its check, and mended where it can be."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path

import pytest

from apps import MANUAL, RULES, added, opened, written
from youju.chat.service import Request
from youju.compose import App
from youju.storage.blobs import PARTIAL

Plant = Callable[[sqlite3.Connection], object]
ORPHAN = (
    "INSERT INTO chunk (active, role, collection_id, document_id, version_id, ordinal, term_count, chunk_id, parent_id,"
    " kind, book, section, label_start, label_end, locator, text, boxes)"
    " VALUES (1, 'parent', 'c', 'd', 999, 0, 0, 'x', '', 'text', '', '[]', '', '', '', '残留', '[]')"
)


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    async with opened(tmp_path / "store") as app:
        await added(app, written(tmp_path, "规定.md", RULES))
        await added(app, written(tmp_path, "手册.md", MANUAL))
        yield app


def plant(app: App, *statements: str) -> None:
    """Change the database behind the product's back."""
    with closing(sqlite3.connect(app.documents.store.folder / "youju.db")) as database:
        database.execute("PRAGMA foreign_keys = OFF")
        for statement in statements:
            database.execute(statement)
        database.commit()


async def faults(app: App) -> dict[str, int]:
    return {one.check: one.count for one in await app.doctor.examine() if one.level == "fault"}


async def repair(app: App) -> None:
    await app.documents.purge.sweep()
    await app.documents.purge.residue()


def blobs(app: App) -> list[Path]:
    return [app.documents.blobs.path(sha256) for sha256 in app.documents.blobs.all()]


async def test_a_sound_store_has_no_findings(app: App) -> None:
    assert {one.level for one in await app.doctor.examine()} == {"ok"}


@pytest.mark.parametrize(
    "statements, found",
    [
        ([ORPHAN], {"残留片段": 1}),
        (["INSERT INTO page VALUES (999, 1, '', '残留', 0, 0)"], {"残留页面": 1}),
        (["INSERT INTO vector SELECT NULL, 999, 999, fingerprint, 0, 1, data FROM vector LIMIT 1"], {"残留向量": 1}),
        (["UPDATE vector SET chunk_rowid = 999 WHERE id = 1"], {"残留向量": 1, "没有向量的片段": 1}),
        (["INSERT INTO words (rowid, terms) VALUES (999, '残留')"], {"残留关键词": 1}),
        (["DELETE FROM words"], {"未入关键词索引的片段": 4}),
        (["UPDATE chunk SET active = 0 WHERE role = 'child' AND book = '规定'"], {"可见性不一致的片段": 2}),
        (["UPDATE document SET enabled = 0 WHERE title = '手册'"], {"可见性不一致的片段": 2}),
        (["DELETE FROM vector WHERE id IN (1, 2)"], {"没有向量的片段": 2}),
        (["CREATE TRIGGER t AFTER INSERT ON chunk BEGIN DELETE FROM page; END"], {"数据库结构": 1}),
        (["CREATE VIEW v AS SELECT 1", "CREATE TABLE t (a)", "DROP INDEX version_active"], {"数据库结构": 3}),
    ],
)
async def test_what_was_planted_in_a_table_is_found_by_its_own_check(app: App, statements, found) -> None:
    plant(app, *statements)
    assert await faults(app) == found


@pytest.mark.parametrize(
    "statements",
    [
        [ORPHAN],
        ["INSERT INTO page VALUES (999, 1, '', '残留', 0, 0)"],
        ["INSERT INTO vector SELECT NULL, 999, 999, fingerprint, 0, 1, data FROM vector LIMIT 1"],
        ["INSERT INTO vector SELECT NULL, 999, version_id, 'old', 0, 1, data FROM vector LIMIT 1"],
        ["INSERT INTO words (rowid, terms) VALUES (999, '残留')"],
        ["DELETE FROM words"],
        ["UPDATE chunk SET active = 0"],
        ["UPDATE document SET enabled = 0 WHERE title = '手册'"],
        ["UPDATE version SET status = 'DELETING', active = 0, living = 0 WHERE id = 1"],
        ["UPDATE document SET deleting = 1 WHERE title = '规定'"],
        ["DELETE FROM document WHERE title = '规定'"],
    ],
)
async def test_what_can_be_mended_is_mended(app: App, statements) -> None:
    plant(app, *statements)
    assert await faults(app) != {}
    await repair(app)
    assert await faults(app) == {}


async def test_lost_terms_are_found_again_after_the_repair(app: App) -> None:
    plant(app, "DELETE FROM words")
    question = Request("QINGWU_MAX_CONN", settings={"vector_top_k": 0})
    assert (await app.chat.retrieve(question)).hits == ()
    await repair(app)
    assert len((await app.chat.retrieve(question)).hits) == 1


async def test_hidden_chunks_are_found_again_after_the_repair(app: App) -> None:
    plant(app, "UPDATE chunk SET active = 0")
    await repair(app)
    assert (await app.chat.retrieve(Request("QINGWU_MAX_CONN"))).hits


async def test_a_stray_original_is_found_and_removed(app: App) -> None:
    app.documents.blobs.put([b"stray"])
    assert await faults(app) == {"残留原始文件": 1}
    await repair(app)
    assert len(blobs(app)) == 2
    assert await faults(app) == {}


async def test_an_abandoned_upload_is_found_and_removed_but_not_a_running_one(app: App) -> None:
    abandoned, running = (app.documents.blobs.folder / f"{PARTIAL}{name}" for name in ("a", "b"))
    for path in (abandoned, running):
        path.write_bytes(b"half")
    hours_ago = time.time() - 7200
    os.utime(abandoned, (hours_ago, hours_ago))
    assert await faults(app) == {"中断的上传": 1}
    await repair(app)
    assert (abandoned.exists(), running.exists()) == (False, True)


async def test_a_missing_original_is_found_with_its_document(app: App) -> None:
    rules = await app.documents.find("规定")
    assert rules.active is not None
    app.documents.blobs.path(rules.active.sha256).unlink()
    finding = next(one for one in await app.doctor.examine() if one.level == "fault")
    assert (finding.check, finding.count, finding.detail) == ("缺失的原始文件", 1, rules.id)


async def test_an_original_that_was_changed_is_found(app: App) -> None:
    blobs(app)[0].write_bytes(b"changed")
    assert await faults(app) == {"内容被改动的原始文件": 1}


async def test_versions_that_wait_or_failed_are_warnings(app: App, tmp_path: Path) -> None:
    await app.documents.accept(written(tmp_path, "late.md", "还没有处理。"))
    await added(app, written(tmp_path, "empty.md", ""))
    warned = {one.check: one.count for one in await app.doctor.examine() if one.level == "warning"}
    assert warned == {"未完成的版本": 1, "失败的版本": 1}


async def test_a_damaged_page_of_the_database_is_a_fault_and_nothing_is_repaired(app: App) -> None:
    store = app.documents.store
    await app.documents.purge._settle()
    file = store.folder / "youju.db"
    with closing(sqlite3.connect(file)) as database:
        (root,) = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'chunk_document'").fetchone()
        (size,) = database.execute("PRAGMA page_size").fetchone()
    with file.open("r+b") as raw:
        raw.seek((root - 1) * size)
        raw.write(b"\xa5" * size)
    async with opened(store.folder) as damaged:
        findings = await damaged.doctor.examine()
    assert [(one.check, one.level) for one in findings] == [("数据库完整性", "fault")]
    assert findings[0].remedy


async def test_originals_beside_an_empty_catalogue_are_never_removed(tmp_path: Path) -> None:
    async with opened(tmp_path / "store") as app:
        app.documents.blobs.put([b"all that is left"])
        await repair(app)
        assert len(blobs(app)) == 1
        remedies = {one.check: one.remedy for one in await app.doctor.examine() if one.level == "fault"}
        assert "备份" in remedies["残留原始文件"]
