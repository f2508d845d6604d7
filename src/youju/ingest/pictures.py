"""Pages of documents as pictures, with the places of a chunk highlighted: drawn in a child process, and kept."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from sqlalchemy import select
from sqlalchemy.engine import Connection

from youju.documents import catalog
from youju.errors import ConflictError, DocumentError, NotFoundError, StoreError
from youju.ingest import wire
from youju.ingest.sandbox import answer_of_child
from youju.storage import tables
from youju.storage.blobs import Blobs
from youju.storage.engine import Store
from youju.storage.pictures import PictureCache
from youju.types import Box, Document, Version

FORM = "1"
"""How pictures are drawn; another one after a change makes those that are kept out of date."""
AT_ONCE = 2
"""Processes that draw."""
TIMEOUT_S = 15.0
MEMORY_MIB = 1024
OUTPUT_MIB = 24
MAX_MARKS = 500
PNG = b"\x89PNG"


@dataclass(frozen=True, slots=True)
class Wanted:
    """A picture that can be asked for. `name` is the same for the same picture of the same version."""

    version: Version
    n: int
    marks: tuple[Box, ...]

    @property
    def name(self) -> str:
        drawn = json.dumps([FORM, [[mark.x0, mark.y0, mark.x1, mark.y1] for mark in self.marks]])
        return f"{self.n}-{hashlib.sha256(drawn.encode()).hexdigest()[:16]}"

    @property
    def tag(self) -> str:
        """Tells it from every other picture."""
        return f"{self.version.id}-{self.version.sha256[:16]}-{self.name}"


@dataclass(frozen=True)
class Pictures:
    """`renderers`: suffix → "module:Class", loaded in a child process."""

    store: Store
    blobs: Blobs
    renderers: Mapping[str, str]
    _drawing: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE), repr=False)

    @property
    def cache(self) -> PictureCache:
        return PictureCache(self.store.folder / "pages")

    async def wanted(self, document: Document, n: int, chunk_id: str | None = None) -> Wanted:
        """The picture of physical page `n` of the version that answers, with the chunk's boxes on that page.

        Raises:
            ConflictError: no version answers yet, or its format has no pages.
            NotFoundError: no such page; the chunk is not one of this version.
        """
        version = document.active
        if version is None:
            raise ConflictError(
                f"文档 {document.title!r} 还没有可用的版本", remedy="请查看文档的状态", code="not_ready_yet"
            )
        if version.suffix not in self.renderers or not version.pages:
            raise ConflictError(
                f"{version.suffix} 文件没有可以画出的页", remedy="请改看它的片段，或正文", code="no_pages"
            )
        if not 1 <= n <= version.pages:
            raise NotFoundError(
                f"文档 {document.title!r} 没有第 {n} 页", remedy=f"请给出 1 到 {version.pages}", code="no_such_page"
            )
        marks = await self.store.read(partial(_marks, version_id=version.id, n=n, chunk_id=chunk_id))
        return Wanted(version, n, marks)

    async def png(self, wanted: Wanted) -> bytes:
        """The picture, from what is kept or drawn now.

        Raises:
            DocumentError: it cannot be drawn.
            NotFoundError: the document was deleted, or replaced, meanwhile.
            StoreError: the original is missing.
        """
        kept = partial(self.cache.get, wanted.version.id, wanted.version.sha256, wanted.name)
        if found := await asyncio.to_thread(kept):
            return found
        async with self._drawing:
            # Drawn, perhaps, while we waited.
            if found := await asyncio.to_thread(kept):
                return found
            data = await self._drawn(wanted)
        await self.store.write(partial(self._keep, wanted=wanted, data=data))
        return data

    async def _drawn(self, wanted: Wanted) -> bytes:
        path = self.blobs.path(wanted.version.sha256)
        if not path.exists():
            raise StoreError("原始文件不在资料库里", remedy="请运行 youju doctor", code="original_missing")
        asked = {
            "spec": self.renderers[wanted.version.suffix],
            "path": str(path),
            "timeout_s": TIMEOUT_S,
            "memory_mib": MEMORY_MIB,
            "kwargs": {},
            "draw": [wanted.n, [[mark.page, mark.x0, mark.y0, mark.x1, mark.y1] for mark in wanted.marks]],
        }
        try:
            data = await answer_of_child(asked, TIMEOUT_S, OUTPUT_MIB)
            if not data.startswith(PNG):
                wire.decoded(data)
        except (DocumentError, ValueError) as error:
            raise DocumentError(
                f"第 {wanted.n} 页的图像无法画出", remedy="请用阅读器打开原文件查看这一页", code="picture_failed"
            ) from error
        return data

    def _keep(self, tx: Connection, wanted: Wanted, data: bytes) -> None:
        """Under the write lock: a deletion either sees the picture, or is seen here."""
        if catalog.status(tx, wanted.version.id) == "DELETING":
            raise NotFoundError("文档已被删除或替换", remedy="请重新查看文档")
        self.cache.put(wanted.version.id, wanted.version.sha256, wanted.name, data)


def _marks(tx: Connection, version_id: int, n: int, chunk_id: str | None) -> tuple[Box, ...]:
    """The boxes of the chunk on the page, in shares of the page."""
    if chunk_id is None:
        return ()
    mine = (tables.chunk.c.version_id == version_id, tables.chunk.c.chunk_id == chunk_id)
    boxes = tx.execute(select(tables.chunk.c.boxes).where(*mine)).scalar()
    if boxes is None:
        raise NotFoundError(
            f"这份文档没有片段 {chunk_id!r}", remedy="片段的编号见回答的来源，或文档的片段列表", code="no_such_chunk"
        )
    sizes = select(tables.page.c.width, tables.page.c.height)
    size = tx.execute(sizes.where(tables.page.c.version_id == version_id, tables.page.c.n == n)).first()
    if size is None or not size.width > 0 or not size.height > 0:
        return ()
    return _shares([Box(*box) for box in boxes], n, size.width, size.height)


def _shares(boxes: Sequence[Box], n: int, width: float, height: float) -> tuple[Box, ...]:
    mine = [box for box in boxes if box.page == n][:MAX_MARKS]
    return tuple(
        Box(n, *(round(at, 4) for at in (box.x0 / width, box.y0 / height, box.x1 / width, box.y1 / height)))
        for box in mine
    )
