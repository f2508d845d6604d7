"""How a cache in memory notices what this and other processes committed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import delete, func, insert, select
from sqlalchemy.engine import Connection

from youju.storage.tables import change

KEPT = 10_000
"""Rows of the log that stay; a cache that is further behind reads everything again."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What happened after a `seq`. `versions` None: too much to tell, read everything."""

    seq: int
    versions: frozenset[int] | None = frozenset()


def note(tx: Connection, version_ids: Iterable[int]) -> None:
    """Tell the caches that chunks or vectors of these versions came, went or changed their `active`."""
    rows = [{"version_id": version_id} for version_id in sorted(set(version_ids))]
    if rows:
        tx.execute(insert(change), rows)
        tx.execute(delete(change).where(change.c.seq <= _newest(tx) - KEPT))


def since(tx: Connection, seq: int) -> Changes:
    """What was committed after `seq`; costs one look at the primary key when nothing was. Begin with `seq` −1."""
    newest = _newest(tx)
    if newest == seq:
        return Changes(seq)
    oldest = tx.execute(select(func.min(change.c.seq))).scalar() or 0
    if not oldest - 1 <= seq <= newest:
        return Changes(newest, None)
    return Changes(newest, frozenset(tx.execute(select(change.c.version_id).where(change.c.seq > seq)).scalars()))


def _newest(tx: Connection) -> int:
    return int(tx.execute(select(func.max(change.c.seq))).scalar() or 0)
