"""What is no longer wanted leaves every table, index and folder, and leaves a receipt."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from sqlalchemy import delete, func, select
from sqlalchemy.engine import Connection

from youju.ports import KeywordIndex, VectorIndex
from youju.storage import chunks
from youju.storage.blobs import Blobs
from youju.storage.engine import Store
from youju.storage.tables import chunk, document, page, vector, version


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a deletion removed, counted before it went."""

    document_id: str
    title: str
    versions: int
    chunks: int
    vectors: int
    pages: int
    blobs: int


@dataclass(frozen=True)
class Purge:
    """Removes versions and documents marked DELETING. Safe to repeat: a crash in between leaves work, not residue."""

    store: Store
    blobs: Blobs
    vectors: VectorIndex
    words: KeywordIndex

    async def document(self, document_id: str, version_ids: Sequence[int]) -> Receipt:
        """Remove a document that `catalog.begin_delete` has hidden."""
        receipt, orphans = await self.store.write(lambda tx: self._remove_document(tx, document_id, version_ids))
        await self._settle()
        dropped = sum([self.blobs.drop(sha256) for sha256 in orphans])
        return Receipt(document_id, *receipt, blobs=dropped)

    async def sweep(self) -> int:
        """Finish what is marked DELETING: overtaken versions, and documents whose deletion was interrupted."""
        hidden = select(document.c.id).where(document.c.deleting)
        for document_id in await self.store.read(lambda tx: list(tx.execute(hidden).scalars())):
            await self.document(document_id, await self.store.read(partial(_versions, document_id=document_id)))
        overtaken = select(version.c.id).where(version.c.status == "DELETING")
        version_ids = await self.store.read(lambda tx: list(tx.execute(overtaken).scalars()))
        if version_ids:
            orphans = await self.store.write(lambda tx: self._remove_versions(tx, version_ids))
            await self._settle()
            for sha256 in orphans:
                self.blobs.drop(sha256)
        return len(version_ids)

    async def residue(self) -> int:
        """Remove what belongs to no version and blobs that no version needs; how many things went."""
        known = select(version.c.id)
        holders = (chunk.c.version_id, vector.c.version_id, page.c.version_id)

        def orphans(tx: Connection) -> list[int]:
            return sorted({int(v) for c in holders for v in tx.execute(select(c).where(~c.in_(known))).scalars()})

        lost = await self.store.read(orphans)
        if lost:
            await self.store.write(lambda tx: self._remove_versions(tx, lost))
        await self.store.write(self.words.tidy)
        hashes = select(version.c.sha256).distinct()
        kept = await self.store.read(lambda tx: set(tx.execute(hashes).scalars()))
        stray = [sha256 for sha256 in self.blobs.all() if sha256 not in kept]
        for sha256 in stray:
            self.blobs.drop(sha256)
        return len(lost) + len(stray)

    async def _settle(self) -> None:
        """What was deleted leaves the index segments and the write-ahead log, too."""
        await self.words.scrub()
        await asyncio.to_thread(self.store.checkpoint)

    def _remove_document(
        self, tx: Connection, document_id: str, version_ids: Sequence[int]
    ) -> tuple[tuple[str, int, int, int, int], list[str]]:
        title = tx.execute(select(document.c.title).where(document.c.id == document_id)).scalar() or ""
        counts = [_count(tx, table.c.version_id, version_ids) for table in (chunk, vector, page)]
        orphans = self._remove_versions(tx, version_ids)
        tx.execute(delete(document).where(document.c.id == document_id))
        return (title, len(version_ids), counts[0], counts[1], counts[2]), orphans

    def _remove_versions(self, tx: Connection, version_ids: Sequence[int]) -> list[str]:
        """Remove rows; the hashes of blobs that no version needs any more."""
        hashes = list(tx.execute(select(version.c.sha256).where(version.c.id.in_(version_ids))).scalars())
        self.vectors.drop(tx, version_ids)
        self.words.drop(tx, version_ids)
        chunks.drop(tx, version_ids)
        tx.execute(delete(version).where(version.c.id.in_(version_ids)))
        needed = set(tx.execute(select(version.c.sha256).where(version.c.sha256.in_(hashes))).scalars())
        return sorted(set(hashes) - needed)


def _versions(tx: Connection, document_id: str) -> list[int]:
    return list(tx.execute(select(version.c.id).where(version.c.document_id == document_id)).scalars())


def _count(tx: Connection, column: object, version_ids: Sequence[int]) -> int:
    query = select(func.count()).where(column.in_(version_ids))  # type: ignore[attr-defined]  # a column of any table
    return int(tx.execute(query).scalar_one())
