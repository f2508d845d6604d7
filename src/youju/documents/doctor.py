"""The store examined: what is damaged, what was left behind, what is stuck. Changes nothing."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import ColumnElement, and_, func, not_, or_, select, text
from sqlalchemy.engine import Connection

from youju.documents import catalog, leftovers
from youju.documents.lifecycle import WORKING
from youju.documents.records import Records
from youju.errors import StoreError
from youju.ports import KeywordIndex
from youju.storage import blanking, migrations, schema
from youju.storage.blobs import Blobs
from youju.storage.engine import Store
from youju.storage.pictures import PictureCache
from youju.storage.tables import chunk, document, page, vector, version

Level = Literal["ok", "warning", "fault"]
REPAIR = "请运行 youju doctor --repair"
LOST = "资料库里没有任何文档，原始文件不会自动删除：请从备份恢复 youju.db，或确认不再需要后移走 blobs 文件夹"
LOST_RUNS = "资料库里没有任何文档，评测运行不会自动清除：请从备份恢复 youju.db，或删除 evals/runs 里的这些运行"
SHOWN = 5
"""Documents that a finding names; the others are only counted."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One check: what was looked at, how many things are wrong, and what to do about them."""

    check: str
    level: Level
    count: int = 0
    detail: str = ""
    remedy: str = ""


@dataclass(frozen=True)
class Doctor:
    store: Store
    blobs: Blobs
    words: KeywordIndex
    records: Records
    fingerprint: Callable[[], str]

    async def examine(self) -> list[Finding]:
        """Every check, in a fixed order; a store is well when none is a fault. Of a damaged database only that."""
        first = await self.integrity()
        if first.level == "fault":
            return [first]
        return [
            first,
            await self.structure(),
            *await self.store.read(self._residue),
            *await self.store.read(self._waiting),
            *await self._originals(),
            await self._records(),
        ]

    async def integrity(self) -> Finding:
        """Whether the database can be trusted; nothing should be repaired in one that cannot."""
        try:
            said = await self.store.read(lambda tx: str(tx.execute(text("PRAGMA integrity_check(5)")).scalar()))
        except StoreError as error:
            said = error.message
        return (
            Finding("数据库完整性", "ok") if said == "ok" else Finding("数据库完整性", "fault", 1, said, "请从备份恢复")
        )

    async def structure(self) -> Finding:
        """Whether the database has the tables, indexes, triggers and views of its schema, and no others."""
        rows = await self.store.read(lambda tx: [tuple(row) for row in tx.exec_driver_sql(schema.QUERY)])
        names = await asyncio.to_thread(schema.strange, rows, migrations.HEAD)
        return _fault("数据库结构", len(names), "资料库被别的程序改动过：请从备份恢复", "、".join(names[:SHOWN]))

    def _residue(self, tx: Connection) -> list[Finding]:
        known = select(version.c.id)
        stray = or_(~vector.c.version_id.in_(known), ~vector.c.chunk_rowid.in_(select(chunk.c.id)))
        lost = ~version.c.document_id.in_(select(document.c.id))
        leaving = version.c.document_id.in_(select(document.c.id).where(document.c.deleting))
        terms = self.words.audit(tx)
        return [
            _fault("残留片段", _number(tx, chunk, ~chunk.c.version_id.in_(known)), REPAIR),
            _fault("残留页面", _number(tx, page, ~page.c.version_id.in_(known)), REPAIR),
            _fault("残留向量", _number(tx, vector, stray), REPAIR),
            _fault("残留关键词", terms.stray, REPAIR),
            _fault("未入关键词索引的片段", terms.missing, REPAIR),
            _fault("问答记录里的残留文字", blanking.residue(tx), REPAIR),
            _fault("没有文档的版本", _number(tx, version, lost), REPAIR),
            _warned("待清除的版本", _number(tx, version, or_(leaving, version.c.status == "DELETING")), REPAIR),
            _warned("待清除的文档", _number(tx, document, document.c.deleting), REPAIR),
            _fault("可见性不一致的片段", _misplaced(tx), REPAIR),
            _fault("长短不一的向量", self._odd_sizes(tx), "请运行 youju docs reembed --all；在此之前只用关键词检索"),
            _named("没有向量的片段", tx, _unembedded(), "请用 youju docs reembed 为这些文档重新计算向量"),
        ]

    async def _records(self) -> Finding:
        # Runs first: what is deleted meanwhile leaves them too, and what comes meanwhile is in none.
        named = await asyncio.to_thread(self.records.named)
        known = await self.store.read(lambda tx: set(tx.execute(select(document.c.id)).scalars()))
        names = await asyncio.to_thread(self.records.holding, named - known)
        return _fault("评测运行里的残留文字", len(names), REPAIR if known else LOST_RUNS, "、".join(names[:SHOWN]))

    def _odd_sizes(self, tx: Connection) -> int:
        """How many vectors of the present embedder are not as long as most of them."""
        size = func.length(vector.c.data)
        counts = select(func.count()).where(vector.c.fingerprint == self.fingerprint()).group_by(size)
        return sum(sorted(tx.execute(counts).scalars())[:-1])

    def _waiting(self, tx: Connection) -> list[Finding]:
        unfinished = version.c.status.in_([*WORKING, "UPLOADED"])
        failed = and_(version.c.status == "FAILED", version.c.living)
        stale = and_(version.c.active, version.c.engine != self.fingerprint())
        again = "请运行 youju docs reembed --all；在此之前只用关键词检索"
        return [
            _warned("未完成的版本", _number(tx, version, unfinished), "若没有程序正在导入，请用 youju docs retry 继续"),
            _warned(
                "失败的版本", _number(tx, version, failed), "请用 youju docs list 查看原因，再用 youju docs retry 重试"
            ),
            _warned("等待重新嵌入的文档", _number(tx, version, stale), again),
        ]

    async def _originals(self) -> list[Finding]:
        def owners(tx: Connection) -> dict[str, str]:
            return {row.sha256: row.document_id for row in tx.execute(select(version.c.sha256, version.c.document_id))}

        # Files first: what is uploaded meanwhile is then known to the catalogue, not the other way round.
        there = await asyncio.to_thread(self.blobs.all)
        kept = await self.store.read(owners)
        known = {*await self.store.read(leftovers.remembered), *(await self.store.read(leftovers.expected)).values()}
        missing = [kept[sha256] for sha256 in kept if not self.blobs.path(sha256).exists()]
        changed = await asyncio.to_thread(lambda: [kept[sha256] for sha256 in self._changed(there) if sha256 in kept])
        interrupted = await asyncio.to_thread(self.blobs.interrupted)
        anew = "请用 youju docs rm 删除后重新导入这些文档，或从备份恢复"
        return [
            _fault("残留原始文件", len(set(there) - set(kept) - known), REPAIR if kept else LOST),
            _warned("待清除的原始文件", len((set(there) & known) - set(kept)), REPAIR),
            _fault("残留页面图像", await self._pictures(), REPAIR),
            _fault("中断的上传", len(interrupted), REPAIR),
            _fault("缺失的原始文件", len(missing), anew, _shown(missing)),
            _fault("内容被改动的原始文件", len(changed), anew, _shown(changed)),
        ]

    async def _pictures(self) -> int:
        """How many versions that are gone have pictures."""
        cache = PictureCache(self.store.folder / "pages")
        before = await asyncio.to_thread(cache.versions)
        known = await self.store.read(lambda tx: set(tx.execute(select(version.c.id)).scalars()))
        # What goes meanwhile was deleted, and what comes meanwhile is a new version's.
        return len((before & await asyncio.to_thread(cache.versions)) - known)

    def _changed(self, hashes: Sequence[str]) -> Iterator[str]:
        for sha256 in hashes:
            # One that goes meanwhile was deleted.
            with contextlib.suppress(FileNotFoundError), self.blobs.path(sha256).open("rb") as file:
                if hashlib.file_digest(file, "sha256").hexdigest() != sha256:
                    yield sha256


def _misplaced(tx: Connection) -> int:
    """How many chunks are found although the catalogue hides them, or the other way round."""
    wrong = or_(and_(chunk.c.active, not_(catalog.answering())), and_(not_(chunk.c.active), catalog.answering()))
    counted = select(func.count()).select_from(chunk).join(version).join(document).where(wrong)
    return int(tx.execute(counted).scalar_one())


def _unembedded() -> ColumnElement[bool]:
    return and_(chunk.c.active, chunk.c.role == "child", ~chunk.c.id.in_(select(vector.c.chunk_rowid)))


def _number(tx: Connection, table: object, where: ColumnElement[bool]) -> int:
    return int(tx.execute(select(func.count()).select_from(table).where(where)).scalar_one())  # type: ignore[arg-type]  # a table


def _named(check: str, tx: Connection, where: ColumnElement[bool], remedy: str) -> Finding:
    """A finding on chunks that names their documents."""
    ids = tx.execute(select(chunk.c.document_id).distinct().where(where).order_by(chunk.c.document_id)).scalars()
    return _fault(check, _number(tx, chunk, where), remedy, _shown(list(ids)))


def _shown(ids: Sequence[str]) -> str:
    return "、".join(sorted(set(ids))[:SHOWN])


def _fault(check: str, count: int, remedy: str, detail: str = "") -> Finding:
    return Finding(check, "fault", count, detail, remedy) if count else Finding(check, "ok")


def _warned(check: str, count: int, remedy: str) -> Finding:
    return Finding(check, "warning", count, remedy=remedy) if count else Finding(check, "ok")
