"""The same bytes divided anew: a version of their own, which replaces the one that answers once it is READY."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.engine import Connection

from youju.documents import catalog
from youju.documents.catalog import Accepted, Upload
from youju.documents.lifecycle import UNFINISHED
from youju.errors import ConflictError
from youju.storage.tables import document, version


def rechunk(tx: Connection, document_id: str, strategy: str | None) -> Accepted:
    """Enter a version of the bytes that answer; `strategy` None: as that version asked for.

    Raises:
        ConflictError: nothing of the document answers yet, or another version is on its way.
    """
    living = select(version).where(version.c.document_id == document_id, version.c.living)
    rows = tx.execute(living).all()
    active = next((row for row in rows if row.active), None)
    if active is None:
        raise ConflictError(
            "这份文档还没有可用的版本，无法重新切分", remedy="请用 youju docs show 查看状态", code="not_ready_yet"
        )
    if any(row.status in UNFINISHED for row in rows):
        raise ConflictError(
            "这份文档有正在处理的版本", remedy="请等它完成，或先用 youju docs cancel 取消", code="on_its_way"
        )
    named = tx.execute(select(document).where(document.c.id == document_id)).one()
    asked = active.strategy if strategy is None else strategy
    upload = Upload(named.file_name, named.title, "", active.sha256, active.suffix, active.size_bytes, strategy=asked)
    return catalog.new_version(tx, document_id, active.collection_id, upload, again=True)
