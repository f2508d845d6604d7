"""How long both search channels take on a synthetic store: python bench/index_speed.py 10000 100000.

Documents of 50 chunks; words by Zipf's law; 384-d vectors in clusters around a common
direction, as text embedders give them. Queries are sentences of 12 words and noisy copies of stored vectors, top 15.
"""

from __future__ import annotations

import asyncio
import resource
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from sqlalchemy import insert
from sqlalchemy.engine import Connection

from youju.ports import ChunkVectors
from youju.providers.index_sqlite_vectors import SqliteVectors
from youju.providers.index_sqlite_words import SqliteWords
from youju.storage import chunks, tables
from youju.storage.engine import Store
from youju.types import Chunk, Scope, Span

DIM = 384
PER_DOCUMENT = 50
WORDS_A_CHUNK = 90
VOCABULARY = 60_000
QUERIES = 60
K = 15
PRINT = "synthetic"


def main(sizes: Sequence[int]) -> None:
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(_measure(Path(folder), size))


async def _measure(folder: Path, size: int) -> None:
    store = Store.open(folder)
    words, vectors = SqliteWords(store), SqliteVectors(store)
    data = _Data(size)
    started = time.perf_counter()
    for number in range(size // PER_DOCUMENT):
        await store.write(lambda tx, number=number: _ingest(tx, data, number, words, vectors))
    took = time.perf_counter() - started
    disk = _size(folder)
    print(f"\n{size} chunks: {took:.1f} s to write, {disk:.0f} MiB on disk")
    for name, first in (
        ("words", words.matching(data.question(0), Scope(), K)),
        ("vectors", vectors.nearest(data.query(0), Scope(), K, PRINT)),
    ):
        started = time.perf_counter()
        await first
        print(f"  first {name} search (loads): {1000 * (time.perf_counter() - started):.0f} ms")
    documents = [f"d{number:06}" for number in range(size // PER_DOCUMENT)]
    for label, scope in (
        ("all", Scope()),
        ("10 %", Scope(document_ids=tuple(documents[::10]))),
        ("1 %", Scope(document_ids=tuple(documents[::100]))),
    ):
        keyword = await _timed(lambda n, scope=scope: words.matching(data.question(n), scope, K))
        vector = await _timed(lambda n, scope=scope: vectors.nearest(data.query(n), scope, K, PRINT))
        print(f"  {label:5} words p50 {keyword[0]:5.1f} p95 {keyword[1]:5.1f} ms", end="   ")
        print(f"vectors p50 {vector[0]:5.1f} p95 {vector[1]:5.1f} ms")
    recall = await _recall(store, vectors, data)
    print(f"  recall@{K} of the vectors against an exact search: {recall:.3f}")
    await _changes(store, data, words, vectors, size // PER_DOCUMENT)
    print(f"  peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB (with the data made up)")
    await store.aclose()


async def _changes(store: Store, data: _Data, words: SqliteWords, vectors: SqliteVectors, number: int) -> None:
    """One more document, and its end."""
    search = vectors.nearest, words.matching

    async def both() -> float:
        started = time.perf_counter()
        await search[0](data.query(0), Scope(), K, PRINT)
        await search[1](data.question(0), Scope(), K)
        return 1000 * (time.perf_counter() - started)

    started = time.perf_counter()
    await store.write(lambda tx: _ingest(tx, data, number, words, vectors))
    print(f"  add a document {1000 * (time.perf_counter() - started):.0f} ms, then both searches {await both():.0f} ms")
    started = time.perf_counter()
    await store.write(lambda tx: (vectors.drop(tx, [number + 1]), words.drop(tx, [number + 1])))
    await store.write(lambda tx: chunks.drop(tx, [number + 1]))
    print(f"  delete it {1000 * (time.perf_counter() - started):.0f} ms, then both searches {await both():.0f} ms")
    started = time.perf_counter()
    await words.scrub()
    print(f"  scrub {1000 * (time.perf_counter() - started):.0f} ms")


def _size(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.iterdir()) / 2**20


async def _recall(store: Store, vectors: SqliteVectors, data: _Data) -> float:
    exact = SqliteVectors(store, exact_up_to=10**9)
    shares = []
    for n in range(QUERIES):
        true = {hit.chunk.id for hit in await exact.nearest(data.query(n), Scope(), K, PRINT)}
        found = {hit.chunk.id for hit in await vectors.nearest(data.query(n), Scope(), K, PRINT)}
        shares.append(len(true & found) / len(true))
    return float(np.mean(shares))


async def _timed(search: Callable[[int], Awaitable[object]]) -> tuple[float, float]:
    times = []
    for n in range(QUERIES):
        started = time.perf_counter()
        await search(n)
        times.append(1000 * (time.perf_counter() - started))
    return float(np.percentile(times, 50)), float(np.percentile(times, 95))


class _Data:
    """Everything made up, from a fixed seed."""

    def __init__(self, size: int) -> None:
        self._random = np.random.default_rng(1)
        self._words = self._vocabulary()
        chance = 1 / (np.arange(len(self._words)) + 20.0)
        self._rising = np.cumsum(chance / chance.sum())
        self._common = self._random.standard_normal(DIM) * 1.2
        self._centres = self._random.standard_normal((max(20, size // 500), DIM))
        self._questions = [self.text(12) for _ in range(QUERIES)]
        self._queries = self.vectors(QUERIES)

    def _vocabulary(self) -> list[str]:
        """Words of four Latin syllables, one term each: made-up Chinese would be cut into frequent characters."""
        syllables = [first + second for first in "bdfgklmnprstvz" for second in "aeiou"]
        picked = self._random.integers(0, len(syllables), (VOCABULARY, 4)).tolist()
        return ["".join(syllables[place] for place in places) for places in picked]

    def text(self, count: int) -> str:
        return " ".join(self._words[place] for place in np.searchsorted(self._rising, self._random.random(count)))

    def vectors(self, count: int) -> np.ndarray:
        centres = self._centres[self._random.integers(0, len(self._centres), count)]
        rows = self._common + centres + 0.7 * self._random.standard_normal((count, DIM))
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)

    def question(self, n: int) -> str:
        return self._questions[n]

    def query(self, n: int) -> np.ndarray:
        return self._queries[n]


def _ingest(tx: Connection, data: _Data, number: int, words: SqliteWords, vectors: SqliteVectors) -> None:
    document, version_id, now = f"d{number:06}", number + 1, datetime.now(UTC)
    if number == 0:
        tx.execute(insert(tables.collection), {"id": "c", "name": "c", "created_at": now})
    row = {"id": document, "collection_id": "c", "title": document, "file_name": document, "created_at": now}
    tx.execute(insert(tables.document), row)
    state = {"id": version_id, "document_id": document, "collection_id": "c", "number": 1, "created_at": now}
    state |= {"status": "READY", "active": True, "sha256": document, "suffix": ".md", "size_bytes": 1}
    tx.execute(insert(tables.version), state)
    texts = [data.text(WORDS_A_CHUNK) for _ in range(PER_DOCUMENT)]
    made = [
        Chunk(
            id=f"{document}::{n}",
            document_id=document,
            version=version_id,
            collection="c",
            book="",
            section=(),
            kind="text",
            text=text,
            ordinal=n,
        )
        for n, text in enumerate(texts)
    ]
    chunks.write(tx, made, version_id)
    words.add(tx, made)
    rows = data.vectors(PER_DOCUMENT)
    spans = [ChunkVectors(chunk.id, (Span(0, len(chunk.text)),), rows[n : n + 1]) for n, chunk in enumerate(made)]
    vectors.add(tx, spans, PRINT)
    chunks.activate(tx, [version_id], active=True)


if __name__ == "__main__":
    main([int(argument) for argument in sys.argv[1:]] or [10_000])
