"""The rows of a version on its way: in slices that nobody sees, with room for other writers in between; shown at once.

A slice holds its chunks with their vectors and terms, so that what a dead attempt leaves agrees with itself; it belongs
to a version that does not answer, and goes when the version is begun again or deleted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import func, insert, select
from sqlalchemy.engine import Connection

from youju.documents import catalog
from youju.errors import ConflictError, ProviderError
from youju.ports import ChunkVectors, KeywordIndex, VectorIndex
from youju.storage import chunks as chunk_rows
from youju.storage import tables
from youju.storage.chunks import storable
from youju.types import Chunk, ParsedDocument

HALF = 2  # bytes of a stored number


@dataclass(frozen=True)
class Writing:
    vectors: VectorIndex
    words: KeywordIndex

    def clear(self, tx: Connection, version_id: int) -> None:
        """Remove what an attempt before has written; the version must not be one that answers."""
        holders = (tables.chunk.c.version_id, tables.page.c.version_id)
        mine = (select(column).where(column == version_id).limit(1) for column in holders)
        if any(tx.execute(one).first() for one in mine):
            self.vectors.drop(tx, [version_id])
            self.words.drop(tx, [version_id])
            chunk_rows.drop(tx, [version_id])

    def frame(self, tx: Connection, version_id: int, parsed: ParsedDocument, parents: Sequence[Chunk]) -> None:
        """The pages, and the chunks that are not searched.

        Raises:
            ConflictError: the version is no longer wanted.
        """
        check_wanted(tx, version_id)
        tx.execute(insert(tables.page), _pages(parsed, version_id))
        chunk_rows.write(tx, parents, version_id)

    def slice(
        self, tx: Connection, version_id: int, children: Sequence[Chunk], vectors: Sequence[ChunkVectors], engine: str
    ) -> None:
        """Some of the searched chunks, with their vectors and terms.

        Raises:
            ConflictError: the version is no longer wanted.
            ProviderError: the model's vectors are not as long as those it made before.
        """
        check_wanted(tx, version_id)
        chunk_rows.write(tx, children, version_id)
        _check_size(tx, vectors, engine)
        self.vectors.add(tx, vectors, engine)
        self.words.add(tx, children)

    def publish(self, tx: Connection, version_id: int, values: Mapping[str, object]) -> None:
        """Everything written so far answers from here on.

        Raises:
            ConflictError: the version is no longer wanted.
        """
        catalog.publish(tx, version_id, values)


def check_wanted(tx: Connection, version_id: int) -> None:
    """Raises ConflictError once the version was cancelled or overtaken, or its document deleted."""
    query = select(tables.version.c.status).where(tables.version.c.id == version_id)
    if tx.execute(query).scalar() not in {"EMBEDDING", "READY"}:
        raise ConflictError("文档已被删除或替换", code="deleted")


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
