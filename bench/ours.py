"""Our side of the speed benchmark: a store with made-up documents, and the searches on it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from sqlalchemy import delete, insert, select
from sqlalchemy.engine import Connection

from corpus import DIM, Corpus, Piece
from youju.ports import ChunkVectors, EmbedderProfile, Vectors
from youju.providers.index_sqlite_vectors import SqliteVectors
from youju.providers.index_sqlite_words import SqliteWords
from youju.settings import Knobs
from youju.stages import grade, recipes
from youju.stages.base import Pipeline, advance
from youju.stages.by_vector import MARKS
from youju.storage import chunks, tables
from youju.storage.chunks import SqlChunks
from youju.storage.engine import Store
from youju.types import Chunk, Scope, Side, Turn

COLLECTION = "bench"
PRINT = "made-up"


class Known:
    """An embedder that looks its vectors up, so that a search can be timed without embedding."""

    def __init__(self, texts: Sequence[str], rows: Vectors) -> None:
        self._rows = dict(zip(map(_bare, texts), rows, strict=True))

    def row(self, text: str) -> Vectors:
        return self._rows[_bare(text)]

    @property
    def profile(self) -> EmbedderProfile:
        return EmbedderProfile("made-up", PRINT, DIM, threshold=0.0)

    async def embed(self, texts: Sequence[str], kind: Side) -> Vectors:  # noqa: ARG002 - the port's signature
        return np.stack([self.row(text) for text in texts])

    async def aclose(self) -> None:
        """Nothing is held."""


def _bare(text: str) -> str:
    """The question as the vector channel passes it on."""
    return text.rstrip(MARKS)


class Shelf:
    """A store of documents with the names `d000000`, `d000001` …"""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = Store.open(folder)
        self.words = SqliteWords(self.store)
        self.vectors = SqliteVectors(self.store)
        self._versions: dict[int, int] = {}

    @property
    def documents(self) -> int:
        return len(self._versions)

    async def fill(self, corpus: Corpus) -> float:
        """Seconds that all documents took, without making them up."""
        await self.store.write(_collection)
        seconds = 0.0
        for number in range(corpus.documents):
            pieces = corpus.document(number)
            started = time.perf_counter()
            await self.add(number, pieces)
            seconds += time.perf_counter() - started
        return seconds

    async def known(self) -> int:
        """How many documents an earlier run has left here."""
        rows = await self.store.read(
            lambda tx: tx.execute(select(tables.version.c.document_id, tables.version.c.id)).all()
        )
        self._versions = {int(row.document_id[1:]): row.id for row in rows}
        return self.documents

    async def add(self, number: int, pieces: Sequence[Piece]) -> None:
        """One document with its vectors, searchable when this returns."""
        self._versions[number] = await self.store.write(lambda tx: self._written(tx, number, pieces))

    async def delete(self, number: int) -> None:
        """The document's text, terms and vectors, as the product removes them."""
        version = self._versions.pop(number)

        def gone(tx: Connection) -> None:
            self.vectors.drop(tx, [version])
            self.words.drop(tx, [version])
            chunks.drop(tx, [version])
            tx.execute(delete(tables.document).where(tables.document.c.id == named(number)))

        await self.store.write(lambda tx: chunks.activate(tx, [version], active=False))
        await self.store.write(gone)

    def search(self, known: Known) -> Pipeline:
        """The product's own way from a question to fused hits."""
        grader = grade.load("words")
        parts = recipes.Parts(known, self.vectors, self.words, SqlChunks(self.store), grader, grader)
        return Pipeline("search", recipes.search(parts, Knobs()))

    def disk(self) -> dict[str, int]:
        """Bytes of the store's files."""
        self.store.checkpoint()
        return {path.name: path.stat().st_size for path in self.folder.iterdir() if path.is_file()}

    def _written(self, tx: Connection, number: int, pieces: Sequence[Piece]) -> int:
        document, now = named(number), datetime.now(UTC)
        row = {"id": document, "collection_id": COLLECTION, "title": document, "file_name": document}
        tx.execute(insert(tables.document), row | {"created_at": now})
        state = {"document_id": document, "collection_id": COLLECTION, "number": 1, "created_at": now}
        state |= {"status": "READY", "active": True, "sha256": document, "suffix": ".md", "size_bytes": 1}
        version = int(tx.execute(insert(tables.version).returning(tables.version.c.id), state).scalar_one())
        made = [_chunk(document, version, place, piece) for place, piece in enumerate(pieces)]
        chunks.write(tx, made, version)
        rows = [ChunkVectors(one.id, piece.spans, piece.rows) for one, piece in zip(made, pieces, strict=True)]
        self.vectors.add(tx, rows, PRINT)
        self.words.add(tx, made)
        chunks.activate(tx, [version], active=True)
        return version


async def hybrid(pipeline: Pipeline, question: str, scope: Scope) -> Turn:
    return await advance(pipeline, Turn(asked=question, scope=scope))


def named(number: int) -> str:
    return f"d{number:06}"


def scopes(documents: int) -> dict[str, Scope]:
    """All, and every tenth and hundredth document."""
    names = [named(number) for number in range(documents)]
    return {
        "all": Scope(),
        "10 %": Scope(document_ids=tuple(names[::10])),
        "1 %": Scope(document_ids=tuple(names[::100])),
    }


def _collection(tx: Connection) -> None:
    tx.execute(insert(tables.collection), {"id": COLLECTION, "name": COLLECTION, "created_at": datetime.now(UTC)})


def _chunk(document: str, version: int, place: int, piece: Piece) -> Chunk:
    return Chunk(
        id=f"{document}::p{place // 3 + 1}::child::{place}",
        document_id=document,
        version=version,
        collection=COLLECTION,
        book=document,
        section=(f"第{place // 10 + 1}章",),
        kind="text",
        text=piece.text,
        ordinal=place,
        page_start=place // 3 + 1,
        page_end=place // 3 + 1,
    )
