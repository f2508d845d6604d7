"""Whether a database has the tables, indexes, triggers and views of its revision, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import create_engine

from youju.storage import migrations

QUERY = "SELECT type, name, tbl_name, sql FROM sqlite_master"
STATISTICS = frozenset({("table", "sqlite_stat1"), ("table", "sqlite_stat4")})
"""What SQLite makes by itself for its planner."""

Described = Mapping[tuple[str, str], tuple[str, str]]
"""Kind and name → table and text."""


def strange(rows: Iterable[Sequence[object]], revision: str) -> list[str]:
    """What is there and should not be, is missing, or differs: kinds and names, in order.

    Args:
        rows: of `QUERY`.
        revision: of the schema that they should have; an unknown one has nothing.
    """
    found, wanted = _described(rows), _expected(revision)
    names = (found.keys() | wanted.keys()) - STATISTICS
    return [f"{kind} {name}" for kind, name in sorted(names) if found.get((kind, name)) != wanted.get((kind, name))]


def _described(rows: Iterable[Sequence[object]]) -> Described:
    return {(str(kind), str(name)): (str(table), " ".join(str(text).split())) for kind, name, table, text in rows}


def _expected(revision: str) -> Described:
    """As the migrations make it."""
    if revision not in migrations.known():
        return {}
    engine = create_engine("sqlite://")
    try:
        with engine.begin() as connection:
            migrations.upgrade(connection, revision)
            return _described([tuple(row) for row in connection.exec_driver_sql(QUERY)])
    finally:
        engine.dispose()
