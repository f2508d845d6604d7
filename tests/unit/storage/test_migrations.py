from __future__ import annotations

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

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
