"""Looking into a database without the rest of the store: of any schema, without bringing it up to date."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from urllib.parse import quote

from youju.errors import StoreError
from youju.storage.engine import BUSY_MS, FILE_NAME, check_revision
from youju.storage.tables import metadata


def opened(folder: Path) -> sqlite3.Connection:
    """The database as it is, of any schema this program knows.

    Raises:
        StoreError: of a newer Youju, of another program, or empty.
    """
    address = f"file:{quote(str((folder / FILE_NAME).absolute()))}?mode=rw"
    database = sqlite3.connect(address, uri=True, timeout=BUSY_MS / 1000, isolation_level=None)
    try:
        database.execute("PRAGMA query_only = ON")
        found = revision(database)
        check_revision(found)
    except BaseException:
        database.close()
        raise
    if not found:
        database.close()
        raise StoreError(f"资料库是空的：{str(folder)!r}", remedy="请用 --data 指明资料库", code="no_store")
    return database


def revision(database: sqlite3.Connection) -> str | None:
    """As `migrations.revision`."""
    names = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if "alembic_version" not in names:
        return None if names else ""
    row = database.execute("SELECT version_num FROM alembic_version").fetchone()
    return str(row[0]) if row else ""


def counts(database: sqlite3.Connection) -> dict[str, int]:
    """The rows of each of our tables that the database has."""
    there = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    names = sorted(there & set(metadata.tables))
    return {name: int(database.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]) for name in names}  # noqa: S608 - names of ours
