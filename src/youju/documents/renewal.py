"""Another content for a document that is named by its id, whatever the file is called."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.engine import Connection

from youju.documents import catalog
from youju.documents.catalog import Accepted, Upload
from youju.errors import ConflictError, NotFoundError
from youju.storage.tables import document, version


def renew(tx: Connection, document_id: str, upload: Upload) -> Accepted:
    """Enter an upload as a new version of this document, which keeps its name, title and collection.

    The bytes it has already are no new version: where they failed they are tried again.

    Raises:
        NotFoundError: no such document.
        ConflictError: another document of the collection has these bytes.
    """
    row = tx.execute(select(document.c.collection_id).where(document.c.id == document_id, ~document.c.deleting)).first()
    if row is None:
        raise NotFoundError(f"没有文档 {document_id!r}", remedy="请用 GET /api/documents 查看所有文档")
    home = row.collection_id
    alike = (version.c.collection_id == home, version.c.sha256 == upload.sha256, version.c.living)
    same = tx.execute(select(version).where(*alike).order_by(version.c.again)).first()
    if same is None:
        return catalog.new_version(tx, document_id, home, upload)
    if same.document_id != document_id:
        raise ConflictError(
            f"同一资料集里已有内容相同的文档 {same.document_id}",
            remedy="请改用那份文档，或先删除它",
            code="same_content",
        )
    if same.status == "FAILED":
        catalog.retry(tx, document_id)
        return Accepted(document_id, same.id, same.number, "UPLOADED", duplicate=False)
    if same.active:
        catalog.overtake(tx, document_id, but=upload.sha256)
    return Accepted(document_id, same.id, same.number, same.status, duplicate=True)
