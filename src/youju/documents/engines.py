"""Whose vectors the versions have. Functions over an open transaction."""

from __future__ import annotations

from sqlalchemy import and_, func, or_, select, update
from sqlalchemy.engine import Connection

from youju.errors import ConflictError
from youju.storage.tables import vector, version


def set_engine(tx: Connection, version_id: int, engine: str) -> None:
    """Note whose vectors a version has now.

    Raises:
        ConflictError: the version no longer answers.
    """
    done = tx.execute(update(version).where(version.c.id == version_id, version.c.active).values(engine=engine))
    if done.rowcount != 1:
        raise ConflictError("文档已被删除或替换", code="deleted")


def other_vectors(tx: Connection, engine: str, size_bytes: int) -> frozenset[str]:
    """Ids of the documents whose active version has another engine, or a vector of another size."""
    odd = select(vector.c.version_id).where(func.length(vector.c.data) != size_bytes)
    wrong = and_(version.c.active, or_(version.c.engine != engine, version.c.id.in_(odd)))
    return frozenset(tx.execute(select(version.c.document_id).where(wrong)).scalars())
