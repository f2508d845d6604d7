"""The first schema."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

# SQLite's own tokenizer would cut terms at . _ - and the like; the terms are made by `text.tokens` and must stay whole.
# Every printable ASCII mark but the two quotes is part of a term; all that is not ASCII is already.
TOKENIZER = "ascii tokenchars '!#$%&()*+,-./:;<=>?@[\\]^_`{|}~'"

FTS = (
    f"""CREATE VIRTUAL TABLE words USING fts5(terms, tokenize = "{TOKENIZER}")""",
    "CREATE VIRTUAL TABLE words_terms USING fts5vocab(words, row)",
    "CREATE VIRTUAL TABLE words_places USING fts5vocab(words, instance)",
    # However a chunk goes, its terms go with it.
    "CREATE TRIGGER chunk_words AFTER DELETE ON chunk BEGIN DELETE FROM words WHERE rowid = old.id; END",
)


def upgrade() -> None:
    op.create_table(
        "change",
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("change_pk")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "collection",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("collection_pk")),
        sa.UniqueConstraint("name", name=op.f("collection_name_key")),
    )
    op.create_table(
        "meta",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("meta_pk")),
    )
    op.create_table(
        "document",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("collection_id", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("file_name", sa.Text(), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("deleting", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["collection_id"], ["collection.id"], name=op.f("document_collection_id_fk")),
        sa.PrimaryKeyConstraint("id", name=op.f("document_pk")),
    )
    op.create_index(
        "document_name",
        "document",
        ["collection_id", "file_name"],
        unique=True,
        sqlite_where=sa.text("deleting = 0"),
        postgresql_where=sa.text("NOT deleting"),
    )
    op.create_table(
        "version",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("document_id", sa.Text(), nullable=False),
        sa.Column("collection_id", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("living", sa.Boolean(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("suffix", sa.Text(), nullable=False),
        sa.Column("size_bytes", sa.Integer(), nullable=False),
        sa.Column("engine", sa.Text(), nullable=False),
        sa.Column("pages", sa.Integer(), nullable=False),
        sa.Column("chunks", sa.Integer(), nullable=False),
        sa.Column("failure_code", sa.Text(), nullable=False),
        sa.Column("failure_message", sa.Text(), nullable=False),
        sa.Column("failure_remedy", sa.Text(), nullable=False),
        sa.Column("quality", sa.JSON(), nullable=False),
        sa.Column("warnings", sa.JSON(), nullable=False),
        sa.Column("timeline", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["collection_id"], ["collection.id"], name=op.f("version_collection_id_fk")),
        sa.ForeignKeyConstraint(
            ["document_id"], ["document.id"], name=op.f("version_document_id_fk"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("version_pk")),
        sa.UniqueConstraint("document_id", "number", name=op.f("version_document_id_number_key")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "version_active",
        "version",
        ["document_id"],
        unique=True,
        sqlite_where=sa.text("active = 1"),
        postgresql_where=sa.text("active"),
    )
    op.create_index(
        "version_bytes",
        "version",
        ["collection_id", "sha256"],
        unique=True,
        sqlite_where=sa.text("living = 1"),
        postgresql_where=sa.text("living"),
    )
    op.create_index("version_sha256", "version", ["sha256"], unique=False)
    op.create_index("version_status", "version", ["status"], unique=False)
    op.create_table(
        "chunk",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("collection_id", sa.Text(), nullable=False),
        sa.Column("document_id", sa.Text(), nullable=False),
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("term_count", sa.Integer(), nullable=False),
        sa.Column("chunk_id", sa.Text(), nullable=False),
        sa.Column("parent_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("book", sa.Text(), nullable=False),
        sa.Column("section", sa.JSON(), nullable=False),
        sa.Column("page_start", sa.Integer(), nullable=True),
        sa.Column("page_end", sa.Integer(), nullable=True),
        sa.Column("label_start", sa.Text(), nullable=False),
        sa.Column("label_end", sa.Text(), nullable=False),
        sa.Column("locator", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("boxes", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["version_id"], ["version.id"], name=op.f("chunk_version_id_fk"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("chunk_pk")),
        sa.UniqueConstraint("chunk_id", name=op.f("chunk_chunk_id_key")),
        sqlite_autoincrement=True,
    )
    op.create_index("chunk_document", "chunk", ["document_id"], unique=False)
    op.create_index("chunk_order", "chunk", ["version_id", "role", "ordinal"], unique=False)
    op.create_table(
        "page",
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("width", sa.Float(), nullable=False),
        sa.Column("height", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["version_id"], ["version.id"], name=op.f("page_version_id_fk"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("version_id", "n", name=op.f("page_pk")),
    )
    op.create_table(
        "vector",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("chunk_rowid", sa.Integer(), nullable=False),
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("span_start", sa.Integer(), nullable=False),
        sa.Column("span_end", sa.Integer(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["chunk_rowid"], ["chunk.id"], name=op.f("vector_chunk_rowid_fk"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("vector_pk")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("vector_chunk_rowid"), "vector", ["chunk_rowid"], unique=False)
    op.create_index(op.f("vector_version_id"), "vector", ["version_id"], unique=False)
    if op.get_bind().dialect.name == "sqlite":
        for statement in FTS:
            op.get_bind().exec_driver_sql(statement)
