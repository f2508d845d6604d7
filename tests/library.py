"""A store whose chunks are indexed for words and for meaning, and the parts of a recipe over it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
from sqlalchemy.engine import Connection

from builders import chunk
from shelf import catalogue
from youju.errors import ProviderError
from youju.ports import ChunkVectors, Embedder, EmbedderProfile, Vectors
from youju.providers.fakes import FakeEmbedder
from youju.providers.index_sqlite_vectors import SqliteVectors
from youju.providers.index_sqlite_words import SqliteWords
from youju.stages.base import Event
from youju.stages.grade import Model
from youju.stages.recipes import Parts
from youju.storage import chunks
from youju.storage.chunks import SqlChunks
from youju.storage.engine import Store
from youju.types import Chunk, Hit, Side, Span

LENIENT = Model("lenient", "nothing", bias=0.0, low=0.0, high=0.5, weights={})
"""Everything is HIGH with a probability of one half."""


async def quiet(event: Event) -> None:
    """An `Emit` for stages called alone."""


class TableEmbedder(FakeEmbedder):
    """Vectors by hand, of four dimensions; a text that is not in the table lies on the last axis."""

    def __init__(self, table: Mapping[str, Sequence[float]], threshold: float = 0.5) -> None:
        self.table = table
        self._profile = EmbedderProfile("table", "table@1", 4, threshold)

    async def embed(self, texts: Sequence[str], kind: Side) -> Vectors:
        rows = [self.table.get(text, (0, 0, 0, 1)) for text in texts]
        return np.array(rows, dtype=np.float32).reshape(len(rows), 4)


class DownEmbedder(FakeEmbedder):
    async def embed(self, texts: Sequence[str], kind: Side) -> Vectors:
        raise ProviderError("嵌入服务没有回答", part="embedder", code="embedder_down")


class DownWords(SqliteWords):
    async def matching(self, *_: object) -> list[Hit]:
        raise ProviderError("关键词检索失败", part="keyword", code="keyword_down")

    async def df(self, *_: object) -> Mapping[str, int]:
        raise ProviderError("关键词检索失败", part="keyword", code="keyword_down")


class Scores:
    """A reranker that gives these scores, whatever it is asked."""

    def __init__(self, *scores: float) -> None:
        self.scores = scores
        self.asked = 0

    def __repr__(self) -> str:
        return "scores"

    async def score(self, query: str, hits: Sequence[Hit]) -> list[float]:
        self.asked += 1
        return list(self.scores)

    async def aclose(self) -> None: ...


class Library:
    def __init__(self, store: Store, embedder: Embedder) -> None:
        self.store = store
        self.embedder = embedder
        self.vectors = SqliteVectors(store)
        self.words = SqliteWords(store)
        self.chunks = SqlChunks(store)

    @property
    def parts(self) -> Parts:
        return Parts(self.embedder, self.vectors, self.words, self.chunks, LENIENT, replace(LENIENT, name="words"))

    async def put(self, texts: Mapping[str, str] | Sequence[Chunk], document_id: str = "d1") -> list[Chunk]:
        """Store one document: texts by chunk id, or chunks; returns its chunks as they can be found."""
        made = (
            [chunk(id_, text, ordinal=n, document_id=document_id) for n, (id_, text) in enumerate(texts.items())]
            if isinstance(texts, Mapping)
            else list(texts)
        )
        children = [one for one in made if one.role == "child"]
        rows = await self.embedder.embed([one.text for one in children], "passage")
        vectors = [
            ChunkVectors(one.id, (Span(0, len(one.text)),), row[None]) for one, row in zip(children, rows, strict=True)
        ]

        def write(tx: Connection) -> list[Chunk]:
            version_id = catalogue(tx, document_id)
            chunks.write(tx, made, version_id)
            self.words.add(tx, made)
            self.vectors.add(tx, vectors, self.embedder.profile.fingerprint)
            chunks.activate(tx, [version_id], active=True)
            return chunks.of_version(tx, version_id)

        return await self.store.write(write)


@asynccontextmanager
async def library(folder: Path, embedder: Embedder | None = None) -> AsyncIterator[Library]:
    store = Store.open(folder)
    try:
        yield Library(store, embedder or FakeEmbedder())
    finally:
        await store.aclose()
