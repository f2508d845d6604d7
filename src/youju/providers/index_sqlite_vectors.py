"""Nearest neighbours over vectors kept in the store as half floats, searched in memory.

Up to `exact_up_to` vectors: all of them as float32, compared one by one. Above: sketches (`sign_sketch`, 256 bytes a
vector of 384 dimensions), and the `rescored` best of them compared again with the stored vectors, so that scores are
the same in both ways. No index has to be built.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from sqlalchemy import delete, func, insert, select, true
from sqlalchemy.engine import Connection

from youju.errors import ProviderError, StoreError
from youju.ports import ChunkVectors, Vectors, Write
from youju.providers.half_floats import HALF, check_sizes, floats, unit
from youju.providers.sign_sketch import Sketch
from youju.storage.changes import note
from youju.storage.chunks import among, rowids_of
from youju.storage.engine import Store
from youju.storage.mirror import Array, Batch, Mirror, View
from youju.storage.ranking import hits, leading
from youju.storage.tables import chunk, vector
from youju.types import Hit, Scope, Span

T = TypeVar("T")
Places = npt.NDArray[np.intp]
Ids = npt.NDArray[np.int64]

BATCH = 512
"""Vectors read at a time: 1.5 MB as float32 at 384 dimensions."""
SAMPLE = 4096
"""Vectors whose mean stands for the mean of all."""
FINGERPRINTS = 2
"""Kept in memory at once: the one in use and, while everything is embedded again, the next."""


class SqliteVectors:
    """The `VectorIndex` port on the store.

    Args:
        exact_up_to: vectors of a fingerprint up to which all are compared exactly.
        rescored: vectors compared exactly after the sketches have ranked them.
    """

    def __init__(self, store: Store, exact_up_to: int = 20_000, rescored: int = 128) -> None:
        self._store = store
        self._exact_up_to = exact_up_to
        self._rescored = rescored
        self._lock = threading.Lock()
        self._loaded: dict[str, _Loaded] = {}

    def __repr__(self) -> str:
        return f"sqlite-vectors(exact_up_to={self._exact_up_to}, rescored={self._rescored})"

    def add(self, tx: Write, vectors: Sequence[ChunkVectors], fingerprint: str) -> None:
        """Store vectors; those a chunk already has with this fingerprint are replaced."""
        found = rowids_of(tx, [item.chunk_id for item in vectors])
        mine = among(vector.c.chunk_rowid, [rowid for rowid, _ in found.values()])
        tx.execute(delete(vector).where(mine, vector.c.fingerprint == fingerprint))
        rows = [
            {
                "chunk_rowid": found[item.chunk_id][0],
                "version_id": found[item.chunk_id][1],
                "fingerprint": fingerprint,
                "span_start": span.start,
                "span_end": span.end,
                "data": row.astype(np.float16).tobytes(),
            }
            for item in vectors
            for span, row in zip(item.spans, unit(item.rows), strict=True)
        ]
        if rows:
            tx.execute(insert(vector), rows)
        note(tx, (version_id for _, version_id in found.values()))

    def drop(self, tx: Write, version_ids: Sequence[int]) -> None:
        tx.execute(delete(vector).where(among(vector.c.version_id, version_ids)))
        note(tx, version_ids)

    def stored(self, tx: Write, chunk_ids: Sequence[str], fingerprint: str) -> list[ChunkVectors]:
        """The vectors these chunks have with this fingerprint, as they were put in; chunks without any are left out."""
        rows = tx.execute(
            select(chunk.c.chunk_id, vector.c.span_start, vector.c.span_end, vector.c.data)
            .join(chunk, chunk.c.id == vector.c.chunk_rowid)
            .where(among(chunk.c.chunk_id, chunk_ids), vector.c.fingerprint == fingerprint)
            .order_by(vector.c.chunk_rowid, vector.c.id)
        )
        return [
            ChunkVectors(id_, tuple(Span(row.span_start, row.span_end) for row in mine), floats([r.data for r in mine]))
            for id_, group in groupby(rows.all(), key=lambda row: row.chunk_id)
            if (mine := list(group))
        ]

    async def nearest(self, vector: Vectors, scope: Scope, k: int, fingerprint: str) -> list[Hit]:
        if k <= 0:
            return []
        query = _query(vector)
        return await self._read(lambda tx: self._nearest(tx, query, scope, k, fingerprint))

    async def similarity(self, vector: Vectors, chunk_ids: Sequence[str], fingerprint: str) -> Mapping[str, float]:
        query = _query(vector)
        return await self._read(lambda tx: _similarity(tx, query, chunk_ids, fingerprint))

    async def _read(self, fn: Callable[[Connection], T]) -> T:
        try:
            return await self._store.read(fn)
        except StoreError as error:
            raise ProviderError(
                f"向量检索失败：{error.message}", part="vector", remedy=error.remedy, code=error.code
            ) from error

    def _nearest(self, tx: Connection, query: Vectors, scope: Scope, k: int, fingerprint: str) -> list[Hit]:
        loaded = self._of(fingerprint)
        view = loaded.view(tx)
        places = np.flatnonzero(view.inside(scope))
        if not places.size:
            return []
        check_sizes({loaded.size_bytes}, len(query) * HALF)
        if "bits" in view.columns:
            places = loaded.sketch.closest(view.columns, places, query, max(self._rescored, 4 * k))
            cosines = _products(unit(_stored(tx, view.columns["id"][places])), query)
        else:
            cosines = _cosines(view.columns["row"], query, places)
        return _hits(tx, view, places, cosines, k)

    def _of(self, fingerprint: str) -> _Loaded:
        with self._lock:
            if fingerprint not in self._loaded:
                while len(self._loaded) >= FINGERPRINTS:
                    del self._loaded[next(iter(self._loaded))]
                self._loaded[fingerprint] = _Loaded(fingerprint, self._exact_up_to)
            return self._loaded[fingerprint]


class _Loaded:
    """The vectors of one fingerprint in memory: a view has the column `row` (exact), or those of a sketch."""

    def __init__(self, fingerprint: str, exact_up_to: int) -> None:
        self._fingerprint = fingerprint
        self._exact_up_to = exact_up_to
        self._exact = True
        self.size_bytes = 0
        # Made once, so that views old and new can be searched with it for as long as the process lives.
        self.sketch = Sketch(np.zeros(0, np.float32))
        self._mirror = Mirror(self._load)

    def view(self, tx: Connection) -> View:
        view = self._mirror.view(tx)
        count = int(np.count_nonzero(view.alive))
        # Half the limit on the way down, so that a store at the limit does not change its way with every document.
        if ("row" in view.columns and count > self._exact_up_to) or (
            "bits" in view.columns and count < self._exact_up_to // 2
        ):
            self._mirror.forget()
            view = self._mirror.view(tx)
        return view

    def _load(self, tx: Connection, versions: frozenset[int] | None) -> Iterator[Batch]:
        chosen = (
            select(
                vector.c.chunk_rowid,
                vector.c.version_id,
                chunk.c.collection_id,
                chunk.c.document_id,
                vector.c.id,
                vector.c.span_start,
                vector.c.span_end,
                vector.c.data,
            )
            .join(chunk, chunk.c.id == vector.c.chunk_rowid)
            .where(vector.c.fingerprint == self._fingerprint, chunk.c.active == true())
            .order_by(vector.c.chunk_rowid, vector.c.id)
        )
        expected = 0
        if versions is None:
            expected = self._choose(tx)
        else:
            chosen = chosen.where(among(vector.c.version_id, versions))
        for rows in tx.execute(chosen).partitions(BATCH):
            rowids, version_ids, collections, documents, ids, starts, ends, data = zip(*rows, strict=True)
            self.size_bytes = self.size_bytes or len(data[0])
            check_sizes({len(one) for one in data}, self.size_bytes)
            columns: dict[str, Array] = {
                "id": np.asarray(ids, np.int64),
                "start": np.asarray(starts, np.int32),
                "end": np.asarray(ends, np.int32),
            }
            vectors = unit(floats(data))
            columns |= {"row": vectors} if self._exact else self.sketch.columns(vectors)
            yield Batch(rowids, version_ids, collections, documents, columns, expected)

    def _choose(self, tx: Connection) -> int:
        """The number of vectors; decides between exact and sketches, and takes the mean when sketches first need it."""
        mine = vector.c.fingerprint == self._fingerprint
        active = select(func.count()).select_from(vector).join(chunk, chunk.c.id == vector.c.chunk_rowid)
        count = tx.execute(active.where(mine, chunk.c.active == true())).scalar_one()
        self._exact = count <= self._exact_up_to
        first = select(func.length(vector.c.data)).where(mine).order_by(vector.c.id).limit(1)
        self.size_bytes = int(tx.execute(first).scalar() or 0)
        if not self._exact and self.sketch.mean.size * HALF != self.size_bytes:
            self.sketch = Sketch(unit(_stored(tx, _spread(tx, self._fingerprint))).mean(axis=0))
        return int(count)


def _spread(tx: Connection, fingerprint: str) -> Ids:
    """Ids of some `SAMPLE` vectors from everywhere in the table."""
    mine = select(vector.c.id).where(vector.c.fingerprint == fingerprint)
    first, last = tx.execute(select(func.min(vector.c.id), func.max(vector.c.id))).one()
    # Ids have gaps, but where most are there, it is not worth reading all of them: half a million take a second.
    aimed = np.unique(np.linspace(first, last, SAMPLE).astype(np.int64))
    found = tx.execute(mine.where(among(vector.c.id, aimed.tolist()))).scalars().all()
    if len(found) * 4 < SAMPLE:
        found = tx.execute(mine).scalars().all()
    ids = np.unique(np.asarray(found, np.int64))
    return ids[np.linspace(0, len(ids) - 1, min(SAMPLE, len(ids))).astype(np.intp)]


def _cosines(rows: Vectors, query: Vectors, places: Places) -> Vectors:
    if len(places) * 4 < len(rows):
        return _products(rows[places], query)
    return _products(rows, query)[places]


def _products(rows: Vectors, query: Vectors) -> Vectors:
    """One inner product a row, within the range of a cosine."""
    # vecdot and not @: a threaded BLAS product waits for cores that others use, 8 instead of 0.6 ms at 10 000 rows.
    products: Vectors = np.clip(np.vecdot(rows, query), -1, 1)
    return products


def _hits(tx: Connection, view: View, places: Places, cosines: Vectors, k: int) -> list[Hit]:
    """The k best chunks; `places` are in order of rowid, so the vectors of a chunk stand together."""
    rowids = view.rowids[places]
    starts = np.flatnonzero(np.concatenate([[True], rowids[1:] != rowids[:-1]]))
    ends = np.append(starts[1:], len(rowids))
    best = {}
    for which in leading(np.maximum.reduceat(cosines, starts), k):
        first = int(starts[which])
        at = first + int(np.argmax(cosines[first : ends[which]]))
        place = places[at]
        span = Span(int(view.columns["start"][place]), int(view.columns["end"][place]))
        best[int(rowids[at])] = (float(cosines[at]), span)
    scores = {rowid: score for rowid, (score, _) in best.items()}
    return hits(tx, scores, k, "vector", spans={rowid: span for rowid, (_, span) in best.items()})


def _similarity(tx: Connection, query: Vectors, chunk_ids: Sequence[str], fingerprint: str) -> dict[str, float]:
    rows = tx.execute(
        select(chunk.c.chunk_id, vector.c.data)
        .join(chunk, chunk.c.id == vector.c.chunk_rowid)
        .where(among(chunk.c.chunk_id, chunk_ids), vector.c.fingerprint == fingerprint, chunk.c.active == true())
    ).all()
    if not rows:
        return {}
    check_sizes({len(row.data) for row in rows}, len(query) * HALF)
    cosines = _products(unit(floats([row.data for row in rows])), query)
    best: dict[str, float] = {}
    for row, cosine in zip(rows, cosines.tolist(), strict=True):
        best[row.chunk_id] = max(cosine, best.get(row.chunk_id, -1.0))
    return best


def _stored(tx: Connection, ids: Ids) -> Vectors:
    """The stored vectors with these ids, in their order."""
    # `all` and not row by row: each step through the driver gives up the interpreter's lock once more.
    found = tx.execute(select(vector.c.id, vector.c.data).where(among(vector.c.id, ids.tolist()))).all()
    rows: dict[int, bytes] = {row.id: row.data for row in found}
    check_sizes({len(one) for one in rows.values()}, len(next(iter(rows.values()), b"")))
    return floats([rows[id_] for id_ in ids.tolist()])


def _query(vector: Vectors) -> Vectors:
    if not np.isfinite(vector).all():
        raise ProviderError("查询向量含有无穷或非数", part="vector", remedy="请检查嵌入模型", code="bad_vector")
    return unit(np.asarray(vector, np.float32))
