"""Reading the catalogue: documents, collections, and the states that decide who may answer."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Row, and_, func, or_, select
from sqlalchemy.engine import Connection

from youju.documents.lifecycle import UNFINISHED
from youju.documents.names import printable
from youju.errors import ConflictError, NotFoundError
from youju.storage.chunks import among
from youju.storage.tables import collection, document, version
from youju.types import Document, Failure, Version


@dataclass(frozen=True, slots=True)
class CollectionRow:
    id: str
    name: str
    documents: int
    created_at: datetime
    strategy: str = ""


def collections(tx: Connection) -> list[CollectionRow]:
    """All collections by name, with their number of documents."""
    counted = (
        select(collection, func.count(document.c.id).label("documents"))
        .outerjoin(document, and_(document.c.collection_id == collection.c.id, ~document.c.deleting))
        .group_by(collection.c.id)
        .order_by(collection.c.name)
    )
    return [
        CollectionRow(row.id, row.name, row.documents, row.created_at, str(row.settings.get("strategy", "")))
        for row in tx.execute(counted)
    ]


def find(tx: Connection, reference: str, collection_name: str | None = None) -> Document:
    """The document with this id, the beginning of an id (at least 4 characters), title or file name.

    Raises:
        NotFoundError: none.
        ConflictError: several.
    """
    reference = printable(reference)
    close = document.c.id.startswith(reference, autoescape=True) if len(reference) >= 4 else document.c.id == reference  # noqa: PLR2004
    named = or_(close, document.c.title == reference, document.c.file_name == reference)
    found = documents(tx, collection_name, named)
    if not found:
        raise NotFoundError(f"没有文档 {reference!r}", remedy="请用 youju docs list 查看所有文档")
    if len(found) > 1 and not any(one.id == reference for one in found):
        raise ConflictError(
            f"{reference!r} 对应多份文档", remedy="请改用完整的文档编号：" + "、".join(d.id for d in found)
        )
    return next((one for one in found if one.id == reference), found[0])


@dataclass(frozen=True, slots=True)
class State:
    """What decides whether a document may answer; `engine` is the fingerprint its vectors were made with."""

    id: str
    collection: str
    status: str
    enabled: bool
    engine: str


def states(tx: Connection, only: Sequence[str] | None = None) -> list[State]:
    """The state of living documents, by id; `status` is of the active version, else of the one on its way.

    Args:
        tx: an open transaction.
        only: of these ids; None = of all.
    """
    query = (
        select(document.c.id, collection.c.name, document.c.enabled, version.c.status, version.c.engine)
        .join(collection, collection.c.id == document.c.collection_id)
        .join(version, and_(version.c.document_id == document.c.id, version.c.living))
        .where(~document.c.deleting)
        .order_by(document.c.id, version.c.active)
    )
    if only is not None:
        query = query.where(among(document.c.id, only))
    found = {row.id: State(row.id, row.name, row.status, row.enabled, row.engine) for row in tx.execute(query)}
    return list(found.values())


def unfinished(tx: Connection, *, smallest: bool, without: Collection[int] = ()) -> int | None:
    """The version to be worked on next, None for none: the one with the fewest bytes, or the one that came first."""
    wanted = and_(version.c.status.in_(UNFINISHED), version.c.living, ~document.c.deleting)
    order = (version.c.size_bytes, version.c.id) if smallest else (version.c.id,)
    query = select(version.c.id).join(document).where(wanted, ~among(version.c.id, without)).order_by(*order).limit(1)
    return tx.execute(query).scalar()


def documents(tx: Connection, collection_name: str | None = None, *where: object) -> list[Document]:
    """Living documents, oldest first."""
    query = (
        select(document, collection.c.name.label("collection_name"))
        .join(collection)
        .where(~document.c.deleting, *where)  # type: ignore[arg-type]  # SQLAlchemy conditions, typed loosely here
        .order_by(document.c.created_at, document.c.id)
    )
    if collection_name is not None:
        query = query.where(collection.c.name == printable(collection_name))
    rows = list(tx.execute(query))
    versions: dict[str, list[Row[tuple[object, ...]]]] = {}
    living = select(version).join(document).join(collection).where(version.c.living, ~document.c.deleting, *where)  # type: ignore[arg-type]  # as above
    for row in tx.execute(living):
        versions.setdefault(row.document_id, []).append(row)
    return [_document(row, versions.get(row.id, [])) for row in rows]


def _document(row: Row[tuple[object, ...]], versions: Sequence[Row[tuple[object, ...]]]) -> Document:
    return Document(
        id=row.id,
        collection=row.collection_name,
        title=row.title,
        file_name=row.file_name,
        enabled=row.enabled,
        created_at=row.created_at,
        active=next((_version(one) for one in versions if one.active), None),
        pending=next((_version(one) for one in versions if not one.active), None),
    )


def _version(row: Row[tuple[object, ...]]) -> Version:
    failure = Failure(row.failure_code, row.failure_message, row.failure_remedy) if row.failure_code else None
    return Version(
        id=row.id,
        number=row.number,
        status=row.status,
        sha256=row.sha256,
        suffix=row.suffix,
        size_bytes=row.size_bytes,
        created_at=row.created_at,
        engine=row.engine,
        pages=row.pages,
        chunks=row.chunks,
        failure=failure,
        quality=row.quality,
        warnings=tuple(row.warnings),
        timeline=tuple((str(name), float(seconds)) for name, seconds in row.timeline),
        strategy=row.strategy,
        divided=row.divided,
        events=tuple((str(at), str(name), str(detail)) for at, name, detail in row.events),
    )
