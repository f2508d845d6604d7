"""The catalogue in pages, for lists of any length."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import and_, func, select
from sqlalchemy.engine import Connection

from youju.documents import listing
from youju.documents.names import printable
from youju.errors import NotFoundError
from youju.storage.chunks import among
from youju.storage.tables import collection, document, page, version
from youju.types import Document, Page, Status


@dataclass(frozen=True, slots=True)
class Shown:
    """`total` is the number of all that were asked for."""

    documents: tuple[Document, ...]
    total: int


def shown(tx: Connection, collection_name: str | None, status: Status | None, first: int, count: int) -> Shown:
    """`count` living documents after the first `first`, oldest first; `status` as a person sees it."""
    active, other = version.alias(), version.alias()
    state = func.coalesce(active.c.status, other.c.status)
    query = (
        select(document.c.id)
        .select_from(document)
        .join(collection, collection.c.id == document.c.collection_id)
        .outerjoin(active, and_(active.c.document_id == document.c.id, active.c.active))
        .outerjoin(other, and_(other.c.document_id == document.c.id, other.c.living, ~other.c.active))
        .where(~document.c.deleting)
    )
    if collection_name is not None:
        query = query.where(collection.c.name == printable(collection_name))
    if status is not None:
        query = query.where(state == status)
    total = tx.execute(select(func.count()).select_from(query.subquery())).scalar_one()
    ids = query.order_by(document.c.created_at, document.c.id).offset(first).limit(count)
    found = listing.documents(tx, None, among(document.c.id, tx.execute(ids).scalars().all()))
    return Shown(tuple(found), total)


def counts(tx: Connection) -> dict[str, int]:
    """How many living versions are in each status."""
    grouped = (
        select(version.c.status, func.count())
        .join(document)
        .where(version.c.living, ~document.c.deleting)
        .group_by(version.c.status)
    )
    return {row[0]: row[1] for row in tx.execute(grouped)}


def one(tx: Connection, document_id: str) -> Document:
    """The document with exactly this id.

    Raises:
        NotFoundError: none.
    """
    found = listing.documents(tx, None, document.c.id == printable(document_id))
    if not found:
        raise NotFoundError(f"没有文档 {printable(document_id)!r}", remedy="请用 GET /api/documents 查看所有文档")
    return found[0]


def pages(tx: Connection, version_id: int) -> list[Page]:
    """The pages of a version with their text; a format without pages has one, number 0."""
    rows = tx.execute(select(page).where(page.c.version_id == version_id).order_by(page.c.n))
    return [Page(row.n, row.text, row.label, row.width, row.height) for row in rows]
