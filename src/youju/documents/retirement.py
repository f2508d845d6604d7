"""Documents whose file now holds the bytes of another one: they go once that other one answers, crash or not."""

from __future__ import annotations

from sqlalchemy import delete, insert, select
from sqlalchemy.engine import Connection

from youju.documents import catalog
from youju.documents.catalog import Retired
from youju.storage.tables import document, meta

PLANNED = "retire "
"""Begins the keys of planned ones in the table `meta`; the id follows. The value: version awaited, version seen."""


def plan(tx: Connection, gone: Retired, version_id: int) -> None:
    """Let `gone` answer until the version does in its place; in the transaction that accepted the upload."""
    key = PLANNED + gone.document_id
    tx.execute(delete(meta).where(meta.c.key == key))
    tx.execute(insert(meta).values(key=key, value=f"{version_id} {gone.version}"))


def planned(tx: Connection) -> bool:
    """Whether any document waits to go."""
    return tx.execute(select(meta.c.key).where(meta.c.key.startswith(PLANNED)).limit(1)).scalar() is not None


def carry_out(tx: Connection) -> None:
    """Hide those whose successor answers; forget the plan where the successor, or the document itself, is gone."""
    for key, value in tx.execute(select(meta).where(meta.c.key.startswith(PLANNED))).all():
        document_id = key.removeprefix(PLANNED)
        awaited, seen = (int(part) for part in value.split())
        successor, there = catalog.status(tx, awaited), _seen_last(tx, document_id, seen)
        if successor == "READY" and there:
            catalog.begin_delete(tx, document_id)
        if successor in {"READY", "DELETING"} or not there:
            tx.execute(delete(meta).where(meta.c.key == key))


def _seen_last(tx: Connection, document_id: str, number: int) -> bool:
    """False when the document is gone, or something newer was uploaded for it meanwhile."""
    deleting = tx.execute(select(document.c.deleting).where(document.c.id == document_id)).scalar()
    return deleting is False and catalog.newest(tx, document_id) == number
