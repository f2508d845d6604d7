"""One version on its way: parse → chunk → embed → index. What is not finished is never visible."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from sqlalchemy import func, insert, select
from sqlalchemy.engine import Connection

from youju.documents import catalog
from youju.errors import ConflictError, DocumentError, NotFoundError, ProviderError, YoujuError
from youju.ingest.chunkers import Identity, Sizes, chunk, coverage
from youju.ingest.sandbox import parse_in_child
from youju.ports import ChunkVectors, Embedder, KeywordIndex, VectorIndex
from youju.storage import chunks as chunk_rows
from youju.storage import tables
from youju.storage.blobs import Blobs
from youju.storage.chunks import storable
from youju.storage.engine import Store
from youju.text.sentences import windows
from youju.types import Chunk, Failure, ParsedDocument, Span, Status

LOG = logging.getLogger(__name__)
HALF = 2  # bytes of a stored number
SLICE = 32  # chunks embedded between two looks at the catalogue


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
    """Seconds per phase, in order."""

    started: float = field(default_factory=time.perf_counter)
    entries: list[tuple[str, float]] = field(default_factory=list)

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self.entries.append((name, round(now - self.started, 3)))
        self.started = now


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
            return await self._found(version_id)
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
        try:
            await self.store.write(lambda tx: catalog.fail(tx, version_id, failure, clock.entries))
        except ConflictError:
            return await self._found(version_id)
        return "FAILED"

    async def _found(self, version_id: int) -> Status:
        return await self.store.read(lambda tx: catalog.status(tx, version_id))

    async def reembed(self, version_id: int, report: Report = unreported) -> None:
        """Replace the vectors of an active version by those of the present embedder, in one transaction."""
        pieces = await self.store.read(lambda tx: chunk_rows.of_version(tx, version_id))
        vectors = await self._embed([piece for piece in pieces if piece.role == "child"], version_id, report)
        engine = self.embedder.profile.fingerprint

        def replace(tx: Connection) -> None:
            self.vectors.drop(tx, [version_id])
            self.vectors.add(tx, vectors, engine)
            catalog.set_engine(tx, version_id, engine)

        await self.store.write(replace)

    async def parse(self, path: Path, suffix: str) -> ParsedDocument:
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
        )

    async def _steps(self, version_id: int, report: Report, clock: Clock) -> None:
        work = await self.store.read(lambda tx: _work(tx, version_id))
        await self._enter(work, "PARSING", report)
        parsed = await self.parse(self.blobs.path(work.sha256), work.suffix)
        clock.lap("PARSING")
        await self._enter(work, "CHUNKING", report)
        identity = Identity(work.document_id, work.version_id, work.collection_id, work.title)
        pieces = await asyncio.to_thread(chunk, parsed, identity, self.sizes)
        if not any(piece.role == "child" for piece in pieces):
            raise DocumentError(
                "没有从文件中得到可检索的内容", remedy="请检查文件是否为空或只有图片", code="nothing_chunked"
            )
        clock.lap("CHUNKING")
        await self._enter(work, "EMBEDDING", report)
        vectors = await self._embed([piece for piece in pieces if piece.role == "child"], version_id, report)
        clock.lap("EMBEDDING")
        await self.store.write(lambda tx: self._index(tx, work, parsed, (pieces, vectors), clock))

    async def _enter(self, work: Work, status: Status, report: Report) -> None:
        await self.store.write(lambda tx: catalog.move(tx, work.version_id, status))
        report(Progress(status))

    async def _embed(self, pieces: Sequence[Chunk], version_id: int, report: Report) -> list[ChunkVectors]:
        made: list[ChunkVectors] = []
        for at in range(0, len(pieces), SLICE):
            await self.store.read(lambda tx: _still_wanted(tx, version_id))
            part = pieces[at : at + SLICE]
            spans = [spans_of(piece.text, self.window_chars) for piece in part]
            texts = [p.text[one.start : one.end] for p, several in zip(part, spans, strict=True) for one in several]
            rows = await self.embedder.embed(texts, "passage")
            if not np.isfinite(rows).all():
                raise ProviderError("嵌入模型给出了无效的向量", part="embedder", code="embedder_bad_vector")
            ends = np.cumsum([len(several) for several in spans])
            made += [
                ChunkVectors(piece.id, several, rows[end - len(several) : end])
                for piece, several, end in zip(part, spans, ends, strict=True)
            ]
            report(Progress("EMBEDDING", len(made), len(pieces)))
        return made

    def _index(
        self,
        tx: Connection,
        work: Work,
        parsed: ParsedDocument,
        made: tuple[Sequence[Chunk], Sequence[ChunkVectors]],
        clock: Clock,
    ) -> None:
        """Everything of the version in one transaction, activity included."""
        pieces, vectors = made
        children = [piece for piece in pieces if piece.role == "child"]
        engine = self.embedder.profile.fingerprint
        tx.execute(insert(tables.page), _pages(parsed, work.version_id))
        chunk_rows.write(tx, pieces, work.version_id)
        _check_size(tx, vectors, engine)
        self.vectors.add(tx, vectors, engine)
        self.words.add(tx, children)
        clock.lap("INDEXING")
        values = {
            "engine": engine,
            "pages": len(parsed.pages),
            "chunks": len(children),
            "quality": {**parsed.quality, "coverage": round(coverage(parsed, pieces), 4)},
            "warnings": [storable(warning) for warning in parsed.warnings],
            "timeline": [list(entry) for entry in clock.entries],
        }
        catalog.publish(tx, work.version_id, values)


def _check_size(tx: Connection, made: Sequence[ChunkVectors], engine: str) -> None:
    """Raises ProviderError where the model's vectors are not as long as those it made before: nothing compares them."""
    mine = tables.vector.c.fingerprint == engine
    first = select(func.length(tables.vector.c.data)).where(mine).order_by(tables.vector.c.id).limit(1)
    size, dim = tx.execute(first).scalar(), made[0].rows.shape[1]
    if size is not None and size != dim * HALF:
        raise ProviderError(
            f"嵌入模型给出了 {dim} 维的向量，资料库里同一模型的向量是 {size // HALF} 维",
            part="embedder",
            remedy="请检查嵌入接口是否换了模型；若确要更换，请先运行 youju docs reembed --all，再重试",
            code="embedder_bad_dim",
        )


def spans_of(text: str, window_chars: int) -> tuple[Span, ...]:
    """What gets a vector: the whole text, and where it is longer than a window, each window of whole sentences."""
    parts = windows(text, window_chars) if window_chars else []
    return (Span(0, len(text)), *(parts if len(parts) > 1 else []))


def _pages(parsed: ParsedDocument, version_id: int) -> list[dict[str, object]]:
    """Rows of the page table; a format without pages has one, number 0, with the whole text."""
    if not parsed.pages:
        whole = storable(parsed.text)
        return [{"version_id": version_id, "n": 0, "label": "", "text": whole, "width": 0.0, "height": 0.0}]
    return [
        {
            "version_id": version_id,
            "n": page.n,
            "label": storable(page.label),
            "text": storable(page.text),
            "width": page.width,
            "height": page.height,
        }
        for page in parsed.pages
    ]


def _work(tx: Connection, version_id: int) -> Work:
    query = (
        select(tables.version, tables.document.c.title).join(tables.document).where(tables.version.c.id == version_id)
    )
    row = tx.execute(query).first()
    if row is None:
        raise NotFoundError(f"没有版本 {version_id}")
    return Work(row.id, row.number, row.document_id, row.collection_id, row.title, row.sha256, row.suffix)


def _still_wanted(tx: Connection, version_id: int) -> None:
    """Raises ConflictError once the version was overtaken or its document deleted."""
    query = select(tables.version.c.status).where(tables.version.c.id == version_id)
    if tx.execute(query).scalar() not in {"EMBEDDING", "READY"}:
        raise ConflictError("文档已被删除或替换", code="deleted")
