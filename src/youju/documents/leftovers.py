"""Originals without a version, remembered so that a crash leaves none: the last one is gone, or the first to come."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from sqlalchemy import delete, insert, select
from sqlalchemy.engine import Connection

from youju.storage.chunks import among
from youju.storage.tables import meta, version

LEFT = "leftover "
"""Begins the keys in the table `meta`; the sha256 follows."""
COMING = "upload "
"""Begins the keys of uploads; the token of one follows, and the sha256 is the value."""


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


def expect(tx: Connection, token: str, sha256: str) -> None:
    """Note that the upload is about to put this file among the originals; in a transaction before that."""
    arrived(tx, token)
    tx.execute(insert(meta).values(key=COMING + token, value=sha256))


def expected(tx: Connection) -> dict[str, str]:
    """The hash of the file of every upload that no version has taken over, by token."""
    rows = tx.execute(select(meta).where(meta.c.key.startswith(COMING)))
    return {row.key.removeprefix(COMING): row.value for row in rows}


def arrived(tx: Connection, token: str) -> None:
    """Note that the upload is over; in the transaction that enters its version."""
    tx.execute(delete(meta).where(meta.c.key == COMING + token))
