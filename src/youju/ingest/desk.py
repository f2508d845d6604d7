"""What programs ask of documents and collections, by id: what the HTTP routes call. Work is left to the worker."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import partial

from sqlalchemy.engine import Connection

from youju.documents import catalog, listing, paging, shelves
from youju.documents.listing import CollectionRow
from youju.documents.names import printable
from youju.documents.paging import Shown
from youju.documents.purge import Receipt
from youju.documents.views import markdown
from youju.errors import ConflictError, InputError
from youju.ingest.checking import checked_collection, checked_strategy
from youju.ingest.service import Documents
from youju.storage import chunks as chunk_rows
from youju.types import Chunk, Document, Status, Version


@dataclass(frozen=True)
class Desk:
    documents: Documents

    async def shown(self, collection: str | None, status: Status | None, first: int, count: int) -> Shown:
        """`count` documents after the first `first`, oldest first."""
        store = self.documents.store
        return await store.read(lambda tx: paging.shown(tx, collection, status, first, count))

    async def get(self, document_id: str) -> Document:
        """The document with exactly this id.

        Raises:
            NotFoundError: none.
        """
        return await self.documents.store.read(partial(paging.one, document_id=document_id))

    async def retry(self, document_id: str) -> Document:
        """A document whose failed or unfinished version waits for the worker again.

        Raises:
            NotFoundError, ConflictError: no such document; nothing of it has failed.
        """
        one = await self.get(document_id)
        await self.documents.store.write(lambda tx: catalog.retry(tx, one.id))
        return await self.get(document_id)

    async def cancel(self, document_id: str) -> Document:
        """Raises NotFoundError, ConflictError: no such document; nothing of it is on its way."""
        await self.documents.cancel((await self.get(document_id)).id)
        return await self.get(document_id)

    async def rechunk(self, document_id: str, strategy: str | None) -> Document:
        """A document with a version of the same bytes that waits for the worker, to be divided anew.

        Raises:
            NotFoundError, InputError, ConflictError: no such document; as `Documents.rechunk`.
        """
        await self.documents.rechunk((await self.get(document_id)).id, strategy)
        return await self.get(document_id)

    async def enable(self, document_id: str, *, enabled: bool) -> Document:
        """Raises NotFoundError: no such document."""
        await self.documents.enable((await self.get(document_id)).id, enabled=enabled)
        return await self.get(document_id)

    async def delete(self, document_id: str) -> Receipt:
        """Raises NotFoundError: no such document."""
        return await self.documents.delete((await self.get(document_id)).id)

    async def chunks(self, document_id: str) -> tuple[Version, list[Chunk]]:
        """The version that answers, and its chunks, children in reading order and then parents.

        Raises:
            NotFoundError, ConflictError: no such document; none of its versions is READY.
        """
        version = await self._answering(document_id)
        return version, await self.documents.store.read(lambda tx: chunk_rows.of_version(tx, version.id))

    async def markdown(self, document_id: str) -> str:
        """The parsed text of the version that answers, with page marks.

        Raises:
            NotFoundError, ConflictError: as `chunks`.
        """
        version = await self._answering(document_id)
        pages = await self.documents.store.read(partial(paging.pages, version_id=version.id))
        return markdown((await self.get(document_id)).title, pages)

    async def to_reembed(self, document_id: str) -> Document:
        """The document, which has vectors to be made again.

        Raises:
            NotFoundError, ConflictError: as `chunks`.
        """
        await self._answering(document_id)
        return await self.get(document_id)

    async def _answering(self, document_id: str) -> Version:
        one = await self.get(document_id)
        if one.active is None:
            raise ConflictError(
                f"文档 {one.title!r} 还没有可用的版本",
                remedy="请用 GET /api/documents/{id} 查看状态",
                code="not_ready_yet",
            )
        return one.active

    # --- collections -------------------------------------------------------------------------------------------------

    async def collections(self) -> list[CollectionRow]:
        return await self.documents.store.read(listing.collections)

    async def create_collection(self, name: str) -> CollectionRow:
        """Raises InputError, ConflictError: no name; it is taken."""
        return await self.documents.store.write(partial(shelves.create, name=_named(name)))

    async def change_collection(self, collection_id: str, name: str | None, strategy: str | None) -> CollectionRow:
        """The collection with another name, another strategy for what comes in later, or both; None: as it is.

        Raises:
            InputError, NotFoundError, ConflictError: no name or strategy; no such collection; the name is another's.
        """
        collection_id = printable(collection_id)
        chosen = None if strategy is None else checked_strategy(strategy)
        called = None if name is None else _named(name)

        def changed(tx: Connection) -> CollectionRow:
            if called is not None:
                shelves.rename(tx, collection_id, called)
            if chosen is not None:
                shelves.divide_by(tx, collection_id, chosen)
            return shelves.one(tx, collection_id)

        return await self.documents.store.write(changed)

    async def delete_collection(self, collection_id: str, *, force: bool) -> dict[str, object]:
        """What went: the collection and, with `force`, its documents with their receipts.

        Raises:
            NotFoundError, ConflictError: no such collection; it holds documents, and no `force`.
        """
        collection_id = printable(collection_id)
        ids = await self.documents.store.read(partial(shelves.document_ids, collection_id=collection_id))
        receipts = [await self.documents.delete(id_) for id_ in ids] if force else []
        gone = await self.documents.store.write(partial(shelves.remove, collection_id=collection_id))
        return {"id": gone.id, "name": gone.name, "documents": [asdict(one) for one in receipts]}


def _named(name: str) -> str:
    if not printable(name):
        raise InputError("资料集的名称是空的", remedy="请给出名称", code="bad_collection")
    return checked_collection(name)
