"""What may be worked on beside a version that takes long."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import select
from sqlalchemy.engine import Connection

from youju.documents.lifecycle import UNFINISHED
from youju.storage.chunks import among
from youju.storage.tables import document, version

SMALLER = 8
"""How many times smaller: what is done beside a book must need little of the machine."""


def beside(tx: Connection, version_id: int, without: Collection[int] = ()) -> int | None:
    """The smallest version that waits and is much smaller than this one, None for none."""
    size = select(version.c.size_bytes).where(version.c.id == version_id).scalar_subquery()
    small = (version.c.size_bytes * SMALLER <= size, version.c.id != version_id, ~among(version.c.id, without))
    wanted = (version.c.status.in_(UNFINISHED), version.c.living, ~document.c.deleting)
    query = select(version.c.id).join(document).where(*small, *wanted)
    return tx.execute(query.order_by(version.c.size_bytes, version.c.id).limit(1)).scalar()
