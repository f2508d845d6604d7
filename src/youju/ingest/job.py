"""One version on its way: parse → chunk → embed → index. What is not finished is never visible."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.engine import Connection

from youju.documents import catalog, engines
from youju.errors import ConflictError, DocumentError, NotFoundError, ProviderError, StoreError, YoujuError
from youju.ingest.chunkers import Choice, Coverage, Identity, Sizes, Strategy, chunk, covered, named, strategy
from youju.ingest.embedding import Embedding, slices
from youju.ingest.language import languages
from youju.ingest.sandbox import parse_in_child
from youju.ingest.writing import HALF, Writing, check_wanted
from youju.ports import ChunkVectors, Embedder, KeywordIndex, VectorIndex
from youju.storage import chunks as chunk_rows
from youju.storage import tables
from youju.storage.blobs import Blobs
from youju.storage.chunks import storable
from youju.storage.engine import Store
from youju.types import Chunk, Failure, ParsedDocument, Status

LOG = logging.getLogger(__name__)
__all__ = ["HALF", "Job", "Limits", "Progress", "Report", "unreported"]


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
    strategy: Strategy | None
    """None: the one that fits."""


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
    sizes: Mapping[Strategy, Sizes]
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
            try:
                await self.store.write(noted)
            except StoreError:
                await self._noted_with_little_room(lambda tx: catalog.fail(tx, version_id, failure, clock.entries))
        except ConflictError:
            return await self.given_up(version_id)
        return "FAILED"

    async def _noted_with_little_room(self, noted: Callable[[Connection], None]) -> None:
        """A reason written where there was no room for removing what was written; the next try removes that."""
        # The log may be what has no room to grow; once it is empty it takes a few pages.
        with contextlib.suppress(StoreError):
            await asyncio.to_thread(self.store.checkpoint)
        await self.store.write(noted)

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
    def embedding(self) -> Embedding:
        return Embedding(self.embedder, self.vectors, self.window_chars)

    @property
    def writing(self) -> Writing:
        return Writing(self.vectors, self.words)

    async def reembed(self, version_id: int, report: Report = unreported) -> None:
        """Replace the vectors of an active version by those of the present embedder, in one transaction."""
        pieces = await self.store.read(lambda tx: chunk_rows.of_version(tx, version_id))
        children = [piece for piece in pieces if piece.role == "child"]
        vectors: list[ChunkVectors] = []
        for part in slices(children):
            await self.store.read(lambda tx: check_wanted(tx, version_id))
            vectors += await self.embedding.made(part)
            report(Progress("EMBEDDING", len(vectors), len(children)))
        engine = self.embedder.profile.fingerprint

        def replace(tx: Connection) -> None:
            self.vectors.drop(tx, [version_id])
            self.vectors.add(tx, vectors, engine)
            engines.set_engine(tx, version_id, engine)

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
        choice, pieces, covered = await asyncio.to_thread(self._chunked, parsed, work)
        children = [piece for piece in pieces if piece.role == "child"]
        if not children:
            raise DocumentError(
                "没有从文件中得到可检索的内容", remedy="请检查文件是否为空或只有图片", code="nothing_chunked"
            )
        clock.lap("CHUNKING")
        await self._enter(work, "EMBEDDING", report)
        parents = [piece for piece in pieces if piece.role != "child"]
        reused = await self._write(children, work, report, clock)
        await self.store.write(lambda tx: self.writing.frame(tx, version_id, parsed, parents))
        clock.lap("INDEXING")
        engine = self.embedder.profile.fingerprint
        values = {
            "engine": engine,
            "pages": len(parsed.pages),
            "chunks": len(children),
            "quality": {**parsed.quality, **covered.figures, **languages(parsed), "chunks_reused": float(reused)},
            "warnings": [storable(warning) for warning in (*parsed.warnings, *covered.warnings)],
            "divided": {"strategy": choice.name, "reasons": list(choice.reasons)},
            "timeline": [list(entry) for entry in clock.entries],
        }
        await self.store.write(lambda tx: self.writing.publish(tx, version_id, values))

    def _begin(self, tx: Connection, version_id: int) -> None:
        catalog.move(tx, version_id, "PARSING")
        self.writing.clear(tx, version_id)

    def _chunked(self, parsed: ParsedDocument, work: Work) -> tuple[Choice, list[Chunk], Coverage]:
        """How the document is divided, its chunks, and the share of the text they hold."""
        identity = Identity(work.document_id, work.version_id, work.collection_id, work.title)
        choice = strategy(parsed, work.strategy)
        pieces = chunk(parsed, identity, self.sizes[choice.name], choice.name)
        return choice, pieces, covered(parsed, pieces)

    async def _enter(self, work: Work, status: Status, report: Report) -> None:
        await self.store.write(lambda tx: catalog.move(tx, work.version_id, status))
        report(Progress(status))

    async def _write(self, children: Sequence[Chunk], work: Work, report: Report, clock: Clock) -> int:
        """Everything that is searched, not yet visible; the number of chunks whose vectors were there already."""
        version_id, done, reused = work.version_id, 0, 0
        known = await self.store.read(lambda tx: self.embedding.known(tx, work.document_id))
        for part in slices(children):
            await self.store.read(lambda tx: check_wanted(tx, version_id))
            there = await self.store.read(partial(self.embedding.taken_over, chunks=part, known=known))
            ids = {one.chunk_id for one in there}
            made = there + await self.embedding.made([one for one in part if one.id not in ids])
            clock.lap("EMBEDDING")
            await self.store.write(partial(self._slice, version_id=version_id, part=part, made=made))
            clock.lap("INDEXING")
            done, reused = done + len(part), reused + len(ids)
            report(Progress("EMBEDDING", done, len(children)))
        return reused

    def _slice(self, tx: Connection, version_id: int, part: Sequence[Chunk], made: Sequence[ChunkVectors]) -> None:
        self.writing.slice(tx, version_id, part, made, self.embedder.profile.fingerprint)


def _work(tx: Connection, version_id: int) -> Work:
    version, document, collection = tables.version, tables.document, tables.collection
    query = (
        select(version, document.c.title, collection.c.settings)
        .join(document, document.c.id == version.c.document_id)
        .join(collection, collection.c.id == version.c.collection_id)
        .where(version.c.id == version_id)
    )
    row = tx.execute(query).first()
    if row is None:
        raise NotFoundError(f"没有版本 {version_id}")
    chosen = named(row.strategy or str(row.settings.get("strategy", "")))
    return Work(row.id, row.number, row.document_id, row.collection_id, row.title, row.sha256, row.suffix, chosen)
