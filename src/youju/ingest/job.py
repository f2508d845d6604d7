"""One version on its way: parse → chunk → embed → index. What is not finished is never visible."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np
from sqlalchemy import select
from sqlalchemy.engine import Connection

from youju.documents import catalog
from youju.errors import ConflictError, DocumentError, NotFoundError, ProviderError, YoujuError
from youju.ingest.chunkers import Identity, Sizes, chunk, coverage
from youju.ingest.sandbox import parse_in_child
from youju.ingest.writing import HALF, Writing, check_wanted
from youju.ports import ChunkVectors, Embedder, KeywordIndex, VectorIndex
from youju.storage import chunks as chunk_rows
from youju.storage import tables
from youju.storage.blobs import Blobs
from youju.storage.chunks import storable
from youju.storage.engine import Store
from youju.text.sentences import windows
from youju.types import Chunk, Failure, ParsedDocument, Span, Status

LOG = logging.getLogger(__name__)
SLICE = 32  # chunks embedded and then written at once: a write lock of a tenth of a second
__all__ = ["HALF", "Job", "Limits", "Progress", "Report", "spans_of", "unreported"]


@dataclass(frozen=True, slots=True)
class Progress:
    """`done` of `total` in this phase; total 0 = not known."""

    phase: Status
    done: int = 0
    total: int = 0


Report = Callable[[Progress], None]


def unreported(progress: Progress) -> None:
    """A `Report` for callers who show nothing."""


@dataclass(frozen=True)
class Limits:
    parse_timeout_s: float
    parse_memory_mib: int
    max_garbage_ratio: float


@dataclass(frozen=True)
class Work:
    """What a job needs to know about its version."""

    version_id: int
    number: int
    document_id: str
    collection_id: str
    title: str
    sha256: str
    suffix: str


@dataclass
class Clock:
    """Seconds per phase, in the order they began."""

    started: float = field(default_factory=time.perf_counter)
    seconds: dict[str, float] = field(default_factory=dict)

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self.seconds[name] = self.seconds.get(name, 0.0) + now - self.started
        self.started = now

    @property
    def entries(self) -> list[tuple[str, float]]:
        return [(name, round(taken, 3)) for name, taken in self.seconds.items()]


@dataclass(frozen=True)
class Job:
    """The collaborators of every job. `parsers`: suffix → "module:Class", loaded in a child process."""

    store: Store
    blobs: Blobs
    embedder: Embedder
    vectors: VectorIndex
    words: KeywordIndex
    parsers: Mapping[str, str]
    sizes: Sizes
    limits: Limits
    window_chars: int = 0

    async def run(self, version_id: int, report: Report = unreported, *, hopeful: bool = False) -> Status:
        """READY or FAILED, as the catalogue then has it; what else it has when others decided about it meanwhile.

        Args:
            version_id: an UPLOADED version whose lease the caller holds.
            report: told of every step.
            hopeful: raise a ProviderError instead of writing it down: the caller will try again.
        """
        clock = Clock()
        try:
            await self._steps(version_id, report, clock)
        except ConflictError:
            # Deleted, overtaken or cancelled while being worked on: what was written is not active.
            return await self.given_up(version_id)
        except YoujuError as error:
            if hopeful and isinstance(error, ProviderError):
                raise
            return await self._failed(version_id, Failure(error.code, error.message, error.remedy), clock)
        except Exception as error:
            # A mistake of ours must not leave a version for ever on its way, nor stop the files that come after.
            LOG.exception("job.crashed version=%s", version_id)
            reason = f"处理这份文件时程序出错（{type(error).__name__}）"
            return await self._failed(version_id, Failure("internal", reason, "请报告这个问题"), clock)
        return "READY"

    async def _failed(self, version_id: int, failure: Failure, clock: Clock) -> Status:
        clock.lap("FAILED")

        def noted(tx: Connection) -> None:
            catalog.fail(tx, version_id, failure, clock.entries)
            self.writing.clear(tx, version_id)

        try:
            await self.store.write(noted)
        except ConflictError:
            return await self.given_up(version_id)
        return "FAILED"

    async def given_up(self, version_id: int) -> Status:
        """The state a version has whose work has ended; what was written for nothing is removed.

        What is being deleted is left to the purge, which counts it. The caller holds the lease.
        """

        def noted(tx: Connection) -> Status:
            found = catalog.status(tx, version_id)
            if found in {"FAILED", "UPLOADED"}:
                self.writing.clear(tx, version_id)
            return found

        return await self.store.write(noted)

    @property
    def writing(self) -> Writing:
        return Writing(self.vectors, self.words)

    async def reembed(self, version_id: int, report: Report = unreported) -> None:
        """Replace the vectors of an active version by those of the present embedder, in one transaction."""
        pieces = await self.store.read(lambda tx: chunk_rows.of_version(tx, version_id))
        children = [piece for piece in pieces if piece.role == "child"]
        vectors: list[ChunkVectors] = []
        for part in _slices(children):
            vectors += await self._vectors(part, version_id)
            report(Progress("EMBEDDING", len(vectors), len(children)))
        engine = self.embedder.profile.fingerprint

        def replace(tx: Connection) -> None:
            self.vectors.drop(tx, [version_id])
            self.vectors.add(tx, vectors, engine)
            catalog.set_engine(tx, version_id, engine)

        await self.store.write(replace)

    async def parse(self, path: Path, suffix: str, report: Report = unreported) -> ParsedDocument:
        """The file as its parser reads it, in a child process.

        Raises:
            DocumentError: nothing can parse it, or it cannot be read well.
        """
        spec = self.parsers.get(suffix)
        if spec is None:
            raise DocumentError(
                f"不支持的文件类型 {suffix!r}",
                remedy="目前支持 " + " ".join(sorted(self.parsers)),
                code="unsupported_format",
            )
        return await parse_in_child(
            spec,
            path,
            timeout_s=self.limits.parse_timeout_s,
            memory_mib=self.limits.parse_memory_mib,
            kwargs={"max_garbage_ratio": self.limits.max_garbage_ratio},
            on_page=lambda done, total: report(Progress("PARSING", done, total)),
        )

    async def _steps(self, version_id: int, report: Report, clock: Clock) -> None:
        work = await self.store.read(lambda tx: _work(tx, version_id))
        await self.store.write(lambda tx: self._begin(tx, version_id))
        report(Progress("PARSING"))
        parsed = await self.parse(self.blobs.path(work.sha256), work.suffix, report)
        clock.lap("PARSING")
        await self._enter(work, "CHUNKING", report)
        pieces, covered = await asyncio.to_thread(self._chunked, parsed, work)
        children = [piece for piece in pieces if piece.role == "child"]
        if not children:
            raise DocumentError(
                "没有从文件中得到可检索的内容", remedy="请检查文件是否为空或只有图片", code="nothing_chunked"
            )
        clock.lap("CHUNKING")
        await self._enter(work, "EMBEDDING", report)
        parents = [piece for piece in pieces if piece.role != "child"]
        await self._write(children, parents, parsed, version_id, report, clock=clock)
        engine = self.embedder.profile.fingerprint
        values = {
            "engine": engine,
            "pages": len(parsed.pages),
            "chunks": len(children),
            "quality": {**parsed.quality, "coverage": round(covered, 4)},
            "warnings": [storable(warning) for warning in parsed.warnings],
            "timeline": [list(entry) for entry in clock.entries],
        }
        await self.store.write(lambda tx: self.writing.publish(tx, version_id, values))

    def _begin(self, tx: Connection, version_id: int) -> None:
        catalog.move(tx, version_id, "PARSING")
        self.writing.clear(tx, version_id)

    def _chunked(self, parsed: ParsedDocument, work: Work) -> tuple[list[Chunk], float]:
        """The chunks, and the share of the text they hold."""
        identity = Identity(work.document_id, work.version_id, work.collection_id, work.title)
        pieces = list(chunk(parsed, identity, self.sizes))
        return pieces, coverage(parsed, pieces)

    async def _enter(self, work: Work, status: Status, report: Report) -> None:
        await self.store.write(lambda tx: catalog.move(tx, work.version_id, status))
        report(Progress(status))

    async def _write(
        self,
        children: Sequence[Chunk],
        parents: Sequence[Chunk],
        parsed: ParsedDocument,
        version_id: int,
        report: Report,
        *,
        clock: Clock,
    ) -> None:
        """Everything of the version, not yet visible."""
        done = 0
        for part in _slices(children):
            made = await self._vectors(part, version_id)
            clock.lap("EMBEDDING")
            await self.store.write(partial(self._slice, version_id=version_id, part=part, made=made))
            clock.lap("INDEXING")
            done += len(part)
            report(Progress("EMBEDDING", done, len(children)))
        await self.store.write(lambda tx: self.writing.frame(tx, version_id, parsed, parents))
        clock.lap("INDEXING")

    def _slice(self, tx: Connection, version_id: int, part: Sequence[Chunk], made: Sequence[ChunkVectors]) -> None:
        self.writing.slice(tx, version_id, part, made, self.embedder.profile.fingerprint)

    async def _vectors(self, part: Sequence[Chunk], version_id: int) -> list[ChunkVectors]:
        await self.store.read(lambda tx: check_wanted(tx, version_id))
        spans = [spans_of(piece.text, self.window_chars) for piece in part]
        texts = [p.text[one.start : one.end] for p, several in zip(part, spans, strict=True) for one in several]
        rows = await self.embedder.embed(texts, "passage")
        if not np.isfinite(rows).all():
            raise ProviderError("嵌入模型给出了无效的向量", part="embedder", code="embedder_bad_vector")
        ends = np.cumsum([len(several) for several in spans])
        return [
            ChunkVectors(piece.id, several, rows[end - len(several) : end])
            for piece, several, end in zip(part, spans, ends, strict=True)
        ]


def _slices(pieces: Sequence[Chunk]) -> Iterator[Sequence[Chunk]]:
    return (pieces[at : at + SLICE] for at in range(0, len(pieces), SLICE))


def spans_of(text: str, window_chars: int) -> tuple[Span, ...]:
    """What gets a vector: the whole text, and where it is longer than a window, each window of whole sentences."""
    parts = windows(text, window_chars) if window_chars else []
    return (Span(0, len(text)), *(parts if len(parts) > 1 else []))


def _work(tx: Connection, version_id: int) -> Work:
    query = (
        select(tables.version, tables.document.c.title).join(tables.document).where(tables.version.c.id == version_id)
    )
    row = tx.execute(query).first()
    if row is None:
        raise NotFoundError(f"没有版本 {version_id}")
    return Work(row.id, row.number, row.document_id, row.collection_id, row.title, row.sha256, row.suffix)
