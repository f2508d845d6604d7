from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import StaticPool, create_engine

from youju.storage import migrations
from youju.storage.engine import Store
from youju.storage.tables import metadata


def ours(name: str | None, kind: str, parents: object) -> bool:
    return kind != "table" or name is None or not name.startswith("words")


@pytest.fixture
def store(tmp_path):
    store = Store.open(tmp_path)
    yield store
    store.close()


def test_the_migrated_schema_is_the_one_the_code_describes(store):
    def differences(tx) -> list[object]:
        context = MigrationContext.configure(tx, opts={"include_name": ours, "compare_type": True})
        return compare_metadata(context, metadata)

    assert store.read_now(differences) == []


def test_the_revision_is_the_last_one(store):
    assert store.read_now(migrations.revision) == migrations.HEAD


def test_the_head_named_in_the_code_is_the_head_of_the_scripts():
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    assert ScriptDirectory.from_config(config).get_heads() == [migrations.HEAD]


def test_every_table_of_the_code_was_made_by_a_migration(store):
    names = store.read_now(lambda tx: {name for (name,) in tx.exec_driver_sql("SELECT name FROM sqlite_master")})
    assert set(metadata.tables) <= names


def test_a_store_of_the_first_revision_is_brought_up_to_date_with_nothing_lost(tmp_path):
    """Every table of revision 0001 gets rows, written as that revision wrote them."""
    with closing(sqlite3.connect(tmp_path / "youju.db", isolation_level=None)) as raw:
        engine = create_engine("sqlite://", creator=lambda: raw, poolclass=StaticPool)
        with engine.begin() as connection:
            config = Config()
            config.set_main_option("script_location", str(Path(migrations.__file__).parent))
            config.attributes["connection"] = connection
            command.upgrade(config, "0001")
        raw.executescript(FIRST)
        before = kept(raw)
        engine.dispose()
    assert all(before.values())
    store = Store.open(tmp_path)
    try:
        assert store.read_now(migrations.revision) == migrations.HEAD
        assert store.read_now(lambda tx: tx.exec_driver_sql("PRAGMA integrity_check").scalar()) == "ok"
    finally:
        store.close()
    with closing(sqlite3.connect(tmp_path / "youju.db")) as raw:
        assert kept(raw) == before
        assert raw.execute("SELECT count(*) FROM trace").fetchone() == (0,)


def kept(raw: sqlite3.Connection) -> dict[str, list[tuple[object, ...]]]:
    """The rows of the tables that revision 0001 has, and the chunks that the keyword index finds."""
    names = ("meta", "collection", "document", "version", "page", "chunk", "vector", "change")
    rows = {name: raw.execute(f"SELECT {FIRST_COLUMNS.get(name, '*')} FROM {name}").fetchall() for name in names}  # noqa: S608
    return rows | {"words": raw.execute("SELECT rowid FROM words WHERE words MATCH '住宿费'").fetchall()}


FIRST_COLUMNS = {
    "version": "id, document_id, collection_id, number, status, active, living, sha256, suffix, size_bytes, engine,"
    " pages, chunks, failure_code, failure_message, failure_remedy, quality, warnings, timeline, created_at",
    "chunk": "id, active, role, collection_id, document_id, version_id, ordinal, term_count, chunk_id, parent_id, kind,"
    " book, section, page_start, page_end, label_start, label_end, locator, text, boxes",
}
FIRST = """
INSERT INTO meta VALUES ('a', 'b');
INSERT INTO collection VALUES ('c1', '默认', '{}', '2024-05-01 12:00:00.000000');
INSERT INTO document VALUES ('d1', 'c1', '规定', '规定.md', 1, 0, '2024-05-01 12:00:00.000000');
INSERT INTO version VALUES (7, 'd1', 'c1', 1, 'READY', 1, 1, 'ab', '.md', 9, 'e', 1, 1, '', '', '', '{}', '[]', '[]',
  '2024-05-01 12:00:00.000000');
INSERT INTO page VALUES (7, 1, '12', '住宿费的上限', 595, 842);
INSERT INTO chunk VALUES (3, 1, 'child', 'c1', 'd1', 7, 0, 1, 'id', '', 'text', '规定', '[]', 1, 1, '12', '12', '',
  '住宿费的上限', '[]');
INSERT INTO vector VALUES (5, 3, 7, 'e', 0, 6, x'00');
INSERT INTO words (rowid, terms) VALUES (3, '住宿费 上限');
INSERT INTO change VALUES (1, 7);
"""
