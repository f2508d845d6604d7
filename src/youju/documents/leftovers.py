"""Originals whose last version is gone and which are still to be removed: remembered, so that a crash leaves none."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from sqlalchemy import delete, insert, select
from sqlalchemy.engine import Connection

from youju.storage.chunks import among
from youju.storage.tables import meta, version

LEFT = "leftover "
"""Begins the keys in the table `meta`; the sha256 follows."""


def unneeded(tx: Connection, hashes: Iterable[str]) -> list[str]:
    """Those of the hashes that no version has, in order."""
    asked = set(hashes)
    return sorted(asked - set(tx.execute(select(version.c.sha256).where(among(version.c.sha256, asked))).scalars()))


def remember(tx: Connection, hashes: Collection[str]) -> None:
    """Note that these files have to go; in the transaction that takes their last version away."""
    forget(tx, hashes)
    if hashes:
        tx.execute(insert(meta), [{"key": LEFT + sha256, "value": ""} for sha256 in hashes])


def remembered(tx: Connection) -> list[str]:
    """The hashes of files that somebody has to remove, or is removing."""
    keys = tx.execute(select(meta.c.key).where(meta.c.key.startswith(LEFT))).scalars()
    return [key.removeprefix(LEFT) for key in keys]


def forget(tx: Connection, hashes: Iterable[str]) -> None:
    """Note that these files are gone, or needed again."""
    tx.execute(delete(meta).where(among(meta.c.key, [LEFT + sha256 for sha256 in hashes])))
