"""A store with documents in it, put there the way ingestion does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import numpy as np
from sqlalchemy import insert, select
from sqlalchemy.dialects.sqlite import insert as upsert
from sqlalchemy.engine import Connection

from builders import chunk
from youju.ports import ChunkVectors, KeywordIndex, VectorIndex
from youju.storage import chunks, tables
from youju.storage.engine import Store
from youju.types import Chunk, Span

NOW = datetime(2024, 5, 1, 12, tzinfo=UTC)
PRINT = "model@1"


def catalogue(tx: Connection, document_id: str, *, collection: str = "c1", number: int = 1) -> int:
    """The id of a new version of the document."""
    tx.execute(
        upsert(tables.collection).on_conflict_do_nothing(), {"id": collection, "name": collection, "created_at": NOW}
    )
    document = {"id": document_id, "collection_id": collection, "title": document_id, "file_name": document_id}
    tx.execute(upsert(tables.document).on_conflict_do_nothing(), document | {"created_at": NOW})
    version = {"document_id": document_id, "collection_id": collection, "number": number, "status": "READY"}
    version |= {"sha256": f"{document_id}-{number}", "suffix": ".md", "size_bytes": 1, "created_at": NOW}
    tx.execute(insert(tables.version), version)
    mine = tables.version.c.document_id == document_id
    return tx.execute(select(tables.version.c.id).where(mine, tables.version.c.number == number)).scalar_one()


class Shelf:
    def __init__(self, store: Store, words: KeywordIndex | None = None, vectors: VectorIndex | None = None) -> None:
        self.store = store
        self.words = words
        self.vectors = vectors

    async def put(
        self,
        document_id: str,
        texts: Mapping[str, str] | Sequence[Chunk],
        *,
        rows: Mapping[str, Sequence[Sequence[float]]] | None = None,
        collection: str = "c1",
        number: int = 1,
        active: bool = True,
    ) -> int:
        """Store a document: `texts` by chunk id, or chunks; `rows` are the vectors of each chunk, one a character."""

        def write(tx: Connection) -> int:
            version_id = catalogue(tx, document_id, collection=collection, number=number)
            self.fill(tx, version_id, document_id, texts, rows=rows, collection=collection)
            chunks.activate(tx, [version_id], active=active)
            return version_id

        return await self.store.write(write)

    def fill(self, tx, version_id, document_id, texts, *, rows=None, collection="c1") -> None:
        more = {"document_id": document_id, "version": version_id, "collection": collection, "book": "", "section": ()}
        made = (
            [chunk(id_, text, ordinal=n, **more) for n, (id_, text) in enumerate(texts.items())]
            if isinstance(texts, Mapping)
            else list(texts)
        )
        chunks.write(tx, made, version_id)
        if self.words:
            self.words.add(tx, made)
        if self.vectors and rows:
            self.vectors.add(tx, [vectors_of(id_, some) for id_, some in rows.items()], PRINT)

    async def activate(self, version_id: int, *, active: bool) -> None:
        await self.store.write(lambda tx: chunks.activate(tx, [version_id], active=active))

    async def drop(self, *version_ids: int) -> None:
        def write(tx: Connection) -> None:
            for index in (self.words, self.vectors):
                if index:
                    index.drop(tx, version_ids)
            chunks.drop(tx, version_ids)

        await self.store.write(write)


def vectors_of(chunk_id: str, rows: Sequence[Sequence[float]]) -> ChunkVectors:
    spans = tuple(Span(n, n + 1) for n in range(len(rows)))
    return ChunkVectors(chunk_id, spans, np.asarray(rows, np.float32))
