"""What happened to a version, kept with it."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import select, update
from sqlalchemy.engine import Connection

from youju.storage.tables import version

KEPT = 50
"""Events of a version; of more, the first and the newest stay."""


def note(tx: Connection, version_id: int, name: str, detail: str = "") -> None:
    """Add an event, with the present moment, to those of a version; `name` is a code such as "retried"."""
    events = tx.execute(select(version.c.events).where(version.c.id == version_id)).scalar()
    if events is None:
        return
    made = [*events, [datetime.now(UTC).isoformat(timespec="seconds"), name, detail]]
    kept = made if len(made) <= KEPT else [made[0], *made[1 - KEPT :]]
    tx.execute(update(version).where(version.c.id == version_id).values(events=kept))
