"""Chunks → vectors; those of chunks that have not changed are taken from the version that answers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

import numpy as np
from sqlalchemy import select
from sqlalchemy.engine import Connection

from youju.errors import ProviderError
from youju.ports import ChunkVectors, Embedder, VectorIndex, Write
from youju.storage import tables
from youju.text.sentences import windows
from youju.types import Chunk, Span

SLICE = 32  # chunks embedded and then written at once: a write lock of a tenth of a second


@runtime_checkable
class Remembers(Protocol):
    """A vector index that can give back what was put in."""

    def stored(self, tx: Write, chunk_ids: Sequence[str], fingerprint: str) -> list[ChunkVectors]:
        """The vectors these chunks have with this fingerprint; chunks without any are left out."""
        ...


@dataclass(frozen=True)
class Embedding:
    """`window_chars`: the length of the runs of sentences that get a vector of their own, 0 for none."""

    embedder: Embedder
    vectors: VectorIndex
    window_chars: int = 0

    async def made(self, chunks: Sequence[Chunk]) -> list[ChunkVectors]:
        """A vector for each chunk and each of its windows, in the order of the chunks.

        Raises:
            ProviderError: the model failed, or gave no numbers.
        """
        spans = [spans_of(chunk.text, self.window_chars) for chunk in chunks]
        texts = [c.text[one.start : one.end] for c, several in zip(chunks, spans, strict=True) for one in several]
        if not texts:
            return []
        rows = await self.embedder.embed(texts, "passage")
        if not np.isfinite(rows).all():
            raise ProviderError("嵌入模型给出了无效的向量", part="embedder", code="embedder_bad_vector")
        ends = np.cumsum([len(several) for several in spans])
        return [
            ChunkVectors(chunk.id, several, rows[end - len(several) : end])
            for chunk, several, end in zip(chunks, spans, ends, strict=True)
        ]

    def known(self, tx: Connection, document_id: str) -> dict[bytes, str]:
        """Ids of the chunks of the version that answers, by the hash of their text."""
        if not isinstance(self.vectors, Remembers):
            return {}
        answering = (tables.version.c.document_id == document_id, tables.version.c.active)
        query = (
            select(tables.chunk.c.chunk_id, tables.chunk.c.text)
            .join(tables.version)
            .where(*answering, tables.chunk.c.role == "child")
        )
        return {digest(row.text): row.chunk_id for row in tx.execute(query)}

    def taken_over(self, tx: Connection, chunks: Sequence[Chunk], known: Mapping[bytes, str]) -> list[ChunkVectors]:
        """Vectors of those of the chunks whose text has them already, from the same model and for the same windows."""
        if not isinstance(self.vectors, Remembers):
            return []
        sources = {chunk.id: known[key] for chunk in chunks if (key := digest(chunk.text)) in known}
        if not sources:
            return []
        engine = self.embedder.profile.fingerprint
        there = {one.chunk_id: one for one in self.vectors.stored(tx, sorted(set(sources.values())), engine)}
        wanted = {chunk.id: spans_of(chunk.text, self.window_chars) for chunk in chunks if chunk.id in sources}
        return [
            replace(there[source], chunk_id=id_)
            for id_, source in sources.items()
            if source in there and there[source].spans == wanted[id_]
        ]


def digest(text: str) -> bytes:
    """The hash by which equal texts are known."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def slices(pieces: Sequence[Chunk]) -> Iterator[Sequence[Chunk]]:
    """The pieces in the portions that are embedded and written at once."""
    return (pieces[at : at + SLICE] for at in range(0, len(pieces), SLICE))


def spans_of(text: str, window_chars: int) -> tuple[Span, ...]:
    """What gets a vector: the whole text, and where it is longer than a window, each window of whole sentences."""
    parts = windows(text, window_chars) if window_chars else []
    return (Span(0, len(text)), *(parts if len(parts) > 1 else []))
