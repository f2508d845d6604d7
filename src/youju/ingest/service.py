"""Documents: accept, replace, retry, hide, delete. What the CLI and the HTTP routes call."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from sqlalchemy.engine import Connection

from youju.documents import catalog, engines, leftovers, listing, retirement
from youju.documents.catalog import Accepted, Upload
from youju.documents.listing import CollectionRow
from youju.documents.names import printable
from youju.documents.purge import Purge, Receipt
from youju.documents.rechunking import rechunk
from youju.documents.renewal import renew
from youju.errors import DocumentError, NotFoundError, StoreError
from youju.ingest.arrivals import Arrivals
from youju.ingest.checking import check_is_file, checked_collection, checked_strategy, read
from youju.ingest.chunkers import named as as_strategy
from youju.ingest.job import HALF, Job, Report, unreported
from youju.ingest.lease import forget, lease
from youju.ingest.preview import Preview, preview
from youju.ingest.runner import Runner
from youju.storage import chunks as chunk_rows
from youju.storage.blobs import Blobs
from youju.storage.engine import Store
from youju.types import Chunk, Document, Status


@dataclass(frozen=True)
class Documents:
    store: Store
    blobs: Blobs
    job: Job
    purge: Purge

    @property
    def suffixes(self) -> frozenset[str]:
        return frozenset(self.job.parsers)

    async def accept(  # noqa: PLR0913 - all but the first are keyword-only
        self,
        path: Path,
        *,
        collection: str | None = None,
        title: str | None = None,
        name: str | None = None,
        kept: frozenset[str] = frozenset(),
        document_id: str | None = None,
        strategy: str | None = None,
    ) -> Accepted:
        """Take a file in; its bytes are safe when this returns, its text is not yet searchable (see `process`).

        Args:
            path: the file.
            collection: where it belongs; made if there is none.
            title: instead of the file's name.
            name: what tells it from the other files of the collection, instead of the file's name; its suffix counts.
            kept: ids of documents that it must not replace.
            document_id: it is a new version of this document, whatever its name and collection.
            strategy: how to divide it, "auto" for what fits it; None = as the collection says.

        Raises:
            InputError: no such file, a folder, not readable, or a name that cannot be used.
            DocumentError: a type of file nothing can parse.
            TooLargeError: over the limit.
            ConflictError: it would replace a document that is to be kept, or another one has the bytes.
            NotFoundError: no document has the id.
        """
        home, divided = checked_collection(collection), checked_strategy(strategy)
        await asyncio.to_thread(check_is_file, path)
        named = Path(name or path.name)
        suffix = self.suffix(named)

        async with self.arrivals.arriving() as token:
            while True:
                sha256, size = await self.arrivals.keep(token, read(path))
                upload = Upload(
                    file_name=printable(name or path.name),
                    title=printable(title or "") or printable(named.stem) or "未命名",
                    collection=home,
                    sha256=sha256,
                    suffix=suffix,
                    size_bytes=size,
                    kept=kept,
                    strategy=divided,
                )
                accepted = await self.store.write(partial(self._taken_over, token, upload, document_id))
                if accepted is not None:
                    return accepted

    def _taken_over(self, token: str, upload: Upload, document_id: str | None, tx: Connection) -> Accepted | None:
        """None where somebody has just removed the bytes; under the write lock nobody can."""
        if not self.blobs.path(upload.sha256).exists():
            return None
        leftovers.arrived(tx, token)
        return self._entered(tx, upload, document_id)

    def _entered(self, tx: Connection, upload: Upload, document_id: str | None) -> Accepted:
        if document_id is not None:
            return renew(tx, document_id, upload)
        accepted = catalog.accept(tx, upload)
        if accepted.retired is not None:
            retirement.plan(tx, accepted.retired, accepted.version_id)
        return accepted

    def suffix(self, path: Path) -> str:
        """The lower-case suffix of a file that can be parsed.

        Raises:
            DocumentError: a type of file nothing can parse.
        """
        suffix = path.suffix.lower()
        if suffix in self.suffixes:
            return suffix
        kind = f"不支持的文件类型 {suffix!r}" if suffix else "文件名没有后缀，无法判断类型"
        known = " ".join(sorted(self.suffixes))
        raise DocumentError(f"{kind}：{path.name}", remedy=f"目前支持 {known}", code="unsupported_format")

    async def process(self, accepted: Accepted, report: Report = unreported) -> Status:
        """Bring an accepted upload to READY or FAILED; what is READY already is left alone.

        Of several that are asked for the same version, in this process or others, one works and the others wait for
        what comes of it. DELETING: the document was deleted, or the version overtaken, meanwhile.

        Raises:
            StoreError: not even a failure could be written; the version stays unfinished, and the remedy says so.
        """
        try:
            status = await self.runner.run(accepted.version_id, report)
        except StoreError as error:
            again = f"这份文档还没有处理完，之后请运行 youju docs retry {accepted.document_id}"
            raise StoreError(error.message, remedy=f"{error.remedy}；{again}", code=error.code) from error
        await self.sweep()
        return status

    async def waiting(self, *, smallest: bool, without: Collection[int] = ()) -> int | None:
        """The version to be worked on next, None for none: the smallest one, or the one that came first.

        It may be worked on already, by another process: `take_up` tells.
        """
        return await self.store.read(lambda tx: listing.unfinished(tx, smallest=smallest, without=without))

    async def take_up(self, version_id: int, *, hopeful: bool = False) -> Status | None:
        """As `process`, but None, at once, when another works on the version.

        Raises:
            ProviderError: a model or server failed, and we are `hopeful`: the version waits for another try.
        """
        status = await self.runner.run_if_free(version_id, hopeful=hopeful)
        if status is not None:
            await self.sweep()
        return status

    async def cancel(self, document_id: str) -> None:
        """The version on its way is FAILED (code "cancelled") at once; its work ends within a second, wherever it runs.

        Raises:
            ConflictError: nothing of the document is on its way.
        """
        version_id = await self.store.write(lambda tx: catalog.cancel(tx, document_id))
        await self.runner.tidy(version_id)

    async def sweep(self) -> None:
        """Finish replacements, deletions and uploads that were interrupted, and remove the leases of those who died."""
        await self.arrivals.sweep()
        if await self.store.read(retirement.planned):
            await self.store.write(retirement.carry_out)
        await self.purge.sweep()
        await asyncio.to_thread(forget, self.leases)

    @property
    def runner(self) -> Runner:
        return Runner(self.store, self.job, self.leases)

    @property
    def arrivals(self) -> Arrivals:
        return Arrivals(self.store, self.blobs, self.leases)

    @property
    def leases(self) -> Path:
        return self.store.folder / "leases"

    async def preview(self, path: Path, name: str | None = None, strategy: str | None = None) -> Preview:
        """What a file would become; nothing is stored. `name`: what it is called, instead of the path's name.

        `strategy`: how to divide it, instead of what fits it.

        Raises:
            InputError, DocumentError: as `accept`, and as parsing it would fail.
        """
        await asyncio.to_thread(check_is_file, path)
        named = Path(name or path.name)
        chosen = as_strategy(checked_strategy(strategy))
        return await preview(self.job, path, self.suffix(named), printable(named.stem) or "未命名", chosen)

    async def listed(self, collection: str | None = None) -> list[Document]:
        return await self.store.read(lambda tx: listing.documents(tx, collection))

    async def find(self, reference: str, collection: str | None = None) -> Document:
        """By id, the beginning of an id, title or file name."""
        return await self.store.read(lambda tx: listing.find(tx, reference, collection))

    async def collections(self) -> list[CollectionRow]:
        return await self.store.read(listing.collections)

    async def retry(self, document_id: str, report: Report = unreported) -> Status:
        """Start the failed version again.

        Raises:
            ConflictError: nothing of the document has failed.
        """
        version_id = await self.store.write(lambda tx: catalog.retry(tx, document_id))
        return await self.process(Accepted(document_id, version_id, 0, "UPLOADED", duplicate=False), report)

    async def rechunk(self, document_id: str, strategy: str | None = None) -> Accepted:
        """A version of the same bytes to be divided anew (see `process`); the present one answers until it is READY.

        Args:
            document_id: a document that answers.
            strategy: as `accept` has it; None = as was asked for before.

        Raises:
            InputError: no such strategy.
            ConflictError: nothing of the document answers, or another version is on its way.
        """
        chosen = None if strategy is None else checked_strategy(strategy)
        return await self.store.write(lambda tx: rechunk(tx, document_id, chosen))

    async def enable(self, document_id: str, *, enabled: bool) -> None:
        await self.store.write(lambda tx: catalog.enable(tx, document_id, enabled=enabled))

    async def delete(self, document_id: str) -> Receipt:
        """Invisible at once, then out of every table, index and folder."""
        version_ids, receipt = await self.store.write(lambda tx: self.purge.begin(tx, document_id))
        await self.purge.document(document_id, version_ids)
        await self.sweep()
        return receipt

    async def reembed(self, document_id: str, report: Report = unreported) -> None:
        """Give a READY document vectors of the present embedder; it answers on the keyword channel meanwhile."""
        document = await self.find(document_id)
        if document.active is None:
            return
        async with lease(self.leases, str(document.active.id)):
            await self.job.reembed(document.active.id, report)

    async def to_reembed(self) -> frozenset[str]:
        """Ids of documents whose vectors the present embedder did not make, or would make longer or shorter."""
        waiting = await self.store.read(listing.states)
        ready = [one.id for one in waiting if one.status == "READY"]
        if not ready:
            return frozenset()
        dim = (await self.job.embedder.embed([" "], "passage")).shape[1]
        engine = self.job.embedder.profile.fingerprint
        return await self.store.read(lambda tx: engines.other_vectors(tx, engine, dim * HALF))

    async def chunks(self, document_id: str) -> list[Chunk]:
        """The chunks of the active version, children and parents, in reading order."""
        document = await self.find(document_id)
        if document.active is None:
            raise NotFoundError(f"文档 {document.title!r} 还没有可用的版本", remedy="请用 youju docs show 查看状态")
        version_id = document.active.id
        return await self.store.read(lambda tx: chunk_rows.of_version(tx, version_id))
