"""What is no longer wanted leaves every table, index and folder, and leaves a receipt."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from sqlalchemy import delete, func, select
from sqlalchemy.engine import Connection

from youju.documents import catalog, leftovers
from youju.documents.records import Records
from youju.ports import KeywordIndex, VectorIndex
from youju.storage import blanking, chunks
from youju.storage.blobs import Blobs
from youju.storage.chunks import among
from youju.storage.engine import Store
from youju.storage.pictures import PictureCache
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
    records: Records

    @property
    def pictures(self) -> PictureCache:
        return PictureCache(self.store.folder / "pages")

    def begin(self, tx: Connection, document_id: str) -> tuple[list[int], Receipt]:
        """Hide a document: its versions for `document`, and what goes with it.

        Counted here, since a sweep of another process may be the one that removes it.
        """
        title = tx.execute(select(document.c.title).where(document.c.id == document_id)).scalar() or ""
        version_ids = catalog.begin_delete(tx, document_id)
        held, rows, pages = (_count(tx, table.c.version_id, version_ids) for table in (chunk, vector, page))
        mine = among(version.c.id, version_ids)
        others = select(version.c.sha256).where(~mine)
        alone = select(version.c.sha256).distinct().where(mine, version.c.sha256.not_in(others))
        blobs = sum(self.blobs.path(sha256).exists() for sha256 in tx.execute(alone).scalars())
        return version_ids, Receipt(document_id, title, len(version_ids), held, rows, pages, blobs)

    async def document(self, document_id: str, version_ids: Sequence[int]) -> None:
        """Remove a document that `begin` has hidden."""
        # Before the rows, which are what makes an interrupted removal begin again.
        await asyncio.to_thread(self.records.forget, [document_id])
        hashes = await self.store.write(lambda tx: self._remove_document(tx, document_id, version_ids))
        await self._settle()
        await self._drop_unneeded(hashes)

    async def sweep(self) -> int:
        """Finish what is marked DELETING: overtaken versions, and documents whose deletion was interrupted.

        Returns:
            How many versions were removed.
        """
        hidden = select(document.c.id).where(document.c.deleting)
        for document_id in await self.store.read(lambda tx: list(tx.execute(hidden).scalars())):
            await self.document(document_id, await self.store.read(partial(_versions, document_id=document_id)))
        overtaken = select(version.c.id).where(version.c.status == "DELETING")
        version_ids = await self.store.read(lambda tx: list(tx.execute(overtaken).scalars()))
        if version_ids:
            hashes = await self.store.write(lambda tx: self._remove_versions(tx, version_ids))
            await self._settle()
            await self._drop_unneeded(hashes)
        if left := await self.store.read(leftovers.remembered):
            await self._settle()
            await self._drop_unneeded(left)
        return len(version_ids)

    async def residue(self) -> None:
        """Remove what belongs to no version or is of no use, and make every chunk as visible as the catalogue says."""
        known = select(version.c.id).join(document)
        holders = (chunk.c.version_id, vector.c.version_id, page.c.version_id, version.c.id)

        def mend(tx: Connection) -> None:
            lost = sorted({int(v) for c in holders for v in tx.execute(select(c).where(~c.in_(known))).scalars()})
            if lost:
                self._remove_versions(tx, lost)
            tx.execute(delete(vector).where(~vector.c.chunk_rowid.in_(select(chunk.c.id))))
            self.pictures.keep(tx.execute(select(version.c.id)).scalars().all())
            blanking.blank_lost(tx)
            self.words.tidy(tx)
            catalog.show_as_listed(tx)
            self._complete_words(tx)

        await self.store.write(mend)
        await self._settle()
        # A catalogue without a single version may be one that was lost: its originals are all that is left,
        # and the runs cannot be written again.
        if await self.store.read(lambda tx: tx.execute(select(version.c.id).limit(1)).scalar()) is not None:
            await self._drop_unneeded(self.blobs.all())
            await self._forget_lost()
        await asyncio.to_thread(self._forget_uploads)

    async def _forget_lost(self) -> None:
        named = await asyncio.to_thread(self.records.named)
        known = await self.store.read(lambda tx: set(tx.execute(select(document.c.id)).scalars()))
        if await asyncio.to_thread(self.records.holding, named - known):
            await asyncio.to_thread(self.records.forget, named - known)

    def _complete_words(self, tx: Connection) -> None:
        """Searchable chunks that the keyword index has lost get their terms again."""
        for version_id in self.words.audit(tx).versions:
            children = [one for one in chunks.of_version(tx, version_id) if one.role == "child"]
            self.words.add(tx, children)

    def _forget_uploads(self) -> None:
        for path in self.blobs.interrupted():
            path.unlink(missing_ok=True)

    async def _drop_unneeded(self, hashes: Sequence[str]) -> None:
        """Remove those blobs that no version has, and no upload brings."""

        def drop(tx: Connection) -> None:
            # Under the write lock: an upload of the same bytes has entered its version, or is expected.
            ours = set(hashes) - set(leftovers.expected(tx).values())
            for sha256 in leftovers.unneeded(tx, ours):
                self.blobs.drop(sha256)
            leftovers.forget(tx, ours)

        if hashes:
            await self.store.write(drop)

    async def _settle(self) -> None:
        """What was deleted leaves the index segments and the write-ahead log, too."""
        await self.words.scrub()
        await asyncio.to_thread(self.store.checkpoint)

    def _remove_document(self, tx: Connection, document_id: str, version_ids: Sequence[int]) -> list[str]:
        hashes = self._remove_versions(tx, version_ids)
        blanking.blank(tx, [document_id])
        tx.execute(delete(document).where(document.c.id == document_id))
        return hashes

    def _remove_versions(self, tx: Connection, version_ids: Sequence[int]) -> list[str]:
        """Remove rows; the hashes of the blobs that nobody needs then."""
        mine = among(version.c.id, version_ids)
        had = list(tx.execute(select(version.c.sha256).where(mine)).scalars())
        self.vectors.drop(tx, version_ids)
        self.words.drop(tx, version_ids)
        chunks.drop(tx, version_ids)
        # Before the rows, which are what makes an interrupted removal begin again.
        self.pictures.drop(version_ids)
        tx.execute(delete(version).where(mine))
        hashes = leftovers.unneeded(tx, had)
        leftovers.remember(tx, hashes)
        return hashes


def _versions(tx: Connection, document_id: str) -> list[int]:
    return list(tx.execute(select(version.c.id).where(version.c.document_id == document_id)).scalars())


def _count(tx: Connection, column: object, version_ids: Sequence[int]) -> int:
    query = select(func.count()).where(column.in_(version_ids))  # type: ignore[attr-defined]  # a column of any table
    return int(tx.execute(query).scalar_one())
