"""Documents: accept, replace, retry, hide, delete. What the CLI and the HTTP routes call."""

from __future__ import annotations

import asyncio
import os
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from youju.documents import catalog, listing
from youju.documents.catalog import Accepted, Upload
from youju.documents.lifecycle import WORKING
from youju.documents.listing import CollectionRow
from youju.documents.purge import Purge, Receipt
from youju.errors import DocumentError, InputError, NotFoundError
from youju.ingest.job import Job, Report, unreported
from youju.storage import chunks as chunk_rows
from youju.storage.blobs import Blobs
from youju.storage.engine import Store
from youju.text.normal import clean
from youju.types import Chunk, Document, Status

BLOCK = 1 << 20
NAME_MAX = 200


@dataclass(frozen=True)
class Documents:
    store: Store
    blobs: Blobs
    job: Job
    purge: Purge

    @property
    def suffixes(self) -> frozenset[str]:
        return frozenset(self.job.parsers)

    async def accept(self, path: Path, *, collection: str | None = None, title: str | None = None) -> Accepted:
        """Take a file in; its bytes are safe when this returns, its text is not yet searchable (see `process`).

        Raises:
            InputError: no such file, a folder, not readable, or a name that cannot be used.
            DocumentError: a type of file nothing can parse.
            TooLargeError: over the limit.
        """
        suffix = path.suffix.lower()
        await asyncio.to_thread(_check_is_file, path)
        if suffix not in self.suffixes:
            known = " ".join(sorted(self.suffixes))
            raise DocumentError(
                f"不支持的文件类型 {suffix!r}：{path.name}", remedy=f"目前支持 {known}", code="unsupported_format"
            )
        sha256, size = await asyncio.to_thread(self.blobs.put, _read(path))
        upload = Upload(
            file_name=printable(path.name),
            title=printable(title or path.stem) or "未命名",
            collection=printable(collection or catalog.DEFAULT_COLLECTION),
            sha256=sha256,
            suffix=suffix,
            size_bytes=size,
        )
        return await self.store.write(lambda tx: catalog.accept(tx, upload))

    async def process(self, accepted: Accepted, report: Report = unreported) -> Status:
        """Bring an accepted upload to READY or FAILED; what is READY already is left alone."""
        if accepted.status == "READY":
            return "READY"
        if accepted.status in WORKING:
            await self.store.write(lambda tx: catalog.move(tx, accepted.version_id, "UPLOADED"))
        status = await self.job.run(accepted.version_id, report)
        await self.purge.sweep()
        return status

    async def listed(self, collection: str | None = None) -> list[Document]:
        return await self.store.read(lambda tx: listing.documents(tx, collection))

    async def find(self, reference: str, collection: str | None = None) -> Document:
        """By id, the beginning of an id, title or file name."""
        return await self.store.read(lambda tx: listing.find(tx, reference, collection))

    async def collections(self) -> list[CollectionRow]:
        return await self.store.read(listing.collections)

    async def retry(self, document_id: str, report: Report = unreported) -> Status:
        version_id = await self.store.write(lambda tx: catalog.retry(tx, document_id))
        status = await self.job.run(version_id, report)
        await self.purge.sweep()
        return status

    async def enable(self, document_id: str, *, enabled: bool) -> None:
        await self.store.write(lambda tx: catalog.enable(tx, document_id, enabled=enabled))

    async def delete(self, document_id: str) -> Receipt:
        """Invisible at once, then out of every table, index and folder."""
        version_ids = await self.store.write(lambda tx: catalog.begin_delete(tx, document_id))
        return await self.purge.document(document_id, version_ids)

    async def reembed(self, document_id: str, report: Report = unreported) -> None:
        """Give a READY document vectors of the present embedder; it answers on the keyword channel meanwhile."""
        document = await self.find(document_id)
        if document.active is not None:
            await self.job.reembed(document.active.id, report)

    async def chunks(self, document_id: str) -> list[Chunk]:
        """The chunks of the active version, children and parents, in reading order."""
        document = await self.find(document_id)
        if document.active is None:
            raise NotFoundError(f"文档 {document.title!r} 还没有可用的版本", remedy="请用 youju docs show 查看状态")
        version_id = document.active.id
        return await self.store.read(lambda tx: chunk_rows.of_version(tx, version_id))


def printable(name: str) -> str:
    """A name that every table, terminal and file system takes: NFC, no controls, at most 200 characters."""
    return unicodedata.normalize("NFC", " ".join(clean(name).split()))[:NAME_MAX]


def _check_is_file(path: Path) -> None:
    if not path.exists():
        raise InputError(f"没有这个文件：{path}", remedy="请检查路径", code="no_such_file")
    if not path.is_file():
        raise InputError(f"不是文件：{path}", remedy="请给出文件，或含有文件的文件夹", code="not_a_file")
    if not os.access(path, os.R_OK):
        raise InputError(f"没有权限读取：{path}", remedy="请检查文件的权限", code="unreadable_file")


def _read(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            yield block
