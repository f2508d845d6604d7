"""Collections: made, renamed, removed. Functions over an open transaction."""

from __future__ import annotations

from sqlalchemy import delete, exists, select, update
from sqlalchemy.engine import Connection

from youju.documents import catalog, listing
from youju.documents.listing import CollectionRow
from youju.errors import ConflictError, NotFoundError
from youju.storage.tables import collection, document


def one(tx: Connection, collection_id: str) -> CollectionRow:
    """The collection with this id.

    Raises:
        NotFoundError: none.
    """
    for row in listing.collections(tx):
        if row.id == collection_id:
            return row
    raise NotFoundError(f"没有资料集 {collection_id!r}", remedy="请用 GET /api/collections 查看所有资料集")


def create(tx: Connection, name: str) -> CollectionRow:
    """A new, empty collection.

    Raises:
        ConflictError: the name is taken.
    """
    _check_free(tx, name)
    return one(tx, catalog.ensure_collection(tx, name))


def rename(tx: Connection, collection_id: str, name: str) -> CollectionRow:
    """The collection under its new name; its documents stay in it.

    Raises:
        NotFoundError, ConflictError: no such collection; the name is another's.
    """
    if one(tx, collection_id).name != name:
        _check_free(tx, name)
    tx.execute(update(collection).where(collection.c.id == collection_id).values(name=name))
    return one(tx, collection_id)


def divide_by(tx: Connection, collection_id: str, strategy: str) -> CollectionRow:
    """The collection with another way of chunking for what comes in from now on; "" or "auto": as fits each file.

    Raises:
        NotFoundError: no such collection.
    """
    one(tx, collection_id)
    mine = collection.c.id == collection_id
    settings = dict(tx.execute(select(collection.c.settings).where(mine)).scalar_one())
    settings.pop("strategy", None)
    if strategy not in {"", "auto"}:
        settings["strategy"] = strategy
    tx.execute(update(collection).where(mine).values(settings=settings))
    return one(tx, collection_id)


def document_ids(tx: Connection, collection_id: str) -> list[str]:
    """Ids of the living documents of a collection.

    Raises:
        NotFoundError: no such collection.
    """
    one(tx, collection_id)
    mine = select(document.c.id).where(document.c.collection_id == collection_id, ~document.c.deleting)
    return list(tx.execute(mine).scalars())


def remove(tx: Connection, collection_id: str) -> CollectionRow:
    """The empty collection that was removed.

    Raises:
        NotFoundError, ConflictError: no such collection; it still holds documents.
    """
    gone = one(tx, collection_id)
    if tx.execute(select(exists().where(document.c.collection_id == collection_id))).scalar():
        raise ConflictError(
            f"资料集 {gone.name!r} 里还有 {gone.documents} 份文档",
            remedy="请先删除它们，或用 ?force=true 一并删除",
            code="not_empty",
        )
    tx.execute(delete(collection).where(collection.c.id == collection_id))
    return gone


def _check_free(tx: Connection, name: str) -> None:
    if tx.execute(select(collection.c.id).where(collection.c.name == name)).scalar() is not None:
        raise ConflictError(f"已有名为 {name!r} 的资料集", remedy="请换一个名称", code="name_taken")
