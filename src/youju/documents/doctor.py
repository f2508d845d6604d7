"""The store examined: what is damaged, what was left behind, what is stuck. Changes nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import and_, func, not_, or_, select, text
from sqlalchemy.engine import Connection

from youju.documents.lifecycle import WORKING
from youju.storage.blobs import Blobs
from youju.storage.engine import Store
from youju.storage.tables import chunk, document, page, vector, version

Level = Literal["ok", "warning", "fault"]


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
    fingerprint: Callable[[], str]

    async def examine(self) -> list[Finding]:
        """Every check, in a fixed order; a store is well when none is a fault."""
        found = await self.store.read(self._tables)
        kept = await self.store.read(lambda tx: set(tx.execute(select(version.c.sha256).distinct()).scalars()))
        found += await asyncio.to_thread(self._blobs, kept)
        return found

    def _tables(self, tx: Connection) -> list[Finding]:
        gone = ~version.c.id.in_(select(version.c.id).join(document).where(~document.c.deleting))
        known = select(version.c.id)
        wrong_side = or_(
            and_(chunk.c.active, or_(not_(version.c.active), version.c.status != "READY", not_(document.c.enabled))),
            and_(not_(chunk.c.active), version.c.active, version.c.status == "READY", document.c.enabled),
        )
        words = "SELECT count(*) FROM words WHERE rowid NOT IN (SELECT id FROM chunk WHERE role = 'child')"
        unsearchable = "SELECT count(*) FROM chunk WHERE role = 'child' AND id NOT IN (SELECT rowid FROM words)"
        rest = "请运行 youju doctor --repair"
        again = "请用 youju docs rm 删除后重新导入该文档"
        checks = [
            _counted(
                tx, "残留片段", select(func.count()).select_from(chunk).where(~chunk.c.version_id.in_(known)), rest
            ),
            _counted(tx, "残留页面", select(func.count()).select_from(page).where(~page.c.version_id.in_(known)), rest),
            _counted(
                tx,
                "残留向量",
                select(func.count())
                .select_from(vector)
                .where(or_(~vector.c.version_id.in_(known), ~vector.c.chunk_rowid.in_(select(chunk.c.id)))),
                rest,
            ),
            _counted(tx, "残留关键词", text(words), rest),
            _counted(tx, "未入关键词索引的片段", text(unsearchable), again),
            _counted(
                tx,
                "待清除的版本",
                select(func.count()).select_from(version).where(or_(gone, version.c.status == "DELETING")),
                rest,
            ),
            _counted(
                tx,
                "可见性不一致的片段",
                select(func.count()).select_from(chunk).join(version).join(document).where(wrong_side),
                again,
            ),
        ]
        return [self._integrity(tx), *checks, *self._waiting(tx)]

    def _integrity(self, tx: Connection) -> Finding:
        said = str(tx.execute(text("PRAGMA integrity_check(5)")).scalar())
        level: Level = "ok" if said == "ok" else "fault"
        return Finding("数据库完整性", level, 0 if said == "ok" else 1, "" if said == "ok" else said, "请从备份恢复")

    def _waiting(self, tx: Connection) -> list[Finding]:
        def number(where: object) -> int:
            return int(tx.execute(select(func.count()).select_from(version).where(where)).scalar_one())  # type: ignore[arg-type]  # a condition

        unfinished = number(version.c.status.in_([*WORKING, "UPLOADED"]))
        failed = number(and_(version.c.status == "FAILED", version.c.living))
        stale = number(and_(version.c.active, version.c.engine != self.fingerprint()))
        return [
            _warned("未完成的版本", unfinished, "请重新运行 youju add 导入同一文件"),
            _warned("失败的版本", failed, "请用 youju docs list 查看原因，再用 youju docs retry 重试"),
            _warned("等待重新嵌入的文档", stale, "请运行 youju docs reembed --all；在此之前只用关键词检索"),
        ]

    def _blobs(self, kept: set[str]) -> list[Finding]:
        there = set(self.blobs.all())
        return [
            _fault("残留原始文件", len(there - kept), "请运行 youju doctor --repair"),
            _fault("缺失的原始文件", len(kept - there), "请重新导入这些文档，或从备份恢复"),
        ]


def _counted(tx: Connection, check: str, query: object, remedy: str) -> Finding:
    return _fault(check, int(tx.execute(query).scalar_one()), remedy)  # type: ignore[call-overload]  # select or text


def _fault(check: str, count: int, remedy: str) -> Finding:
    return Finding(check, "fault", count, remedy=remedy) if count else Finding(check, "ok")


def _warned(check: str, count: int, remedy: str) -> Finding:
    return Finding(check, "warning", count, remedy=remedy) if count else Finding(check, "ok")
