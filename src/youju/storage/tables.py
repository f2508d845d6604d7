"""The tables, in SQLAlchemy Core, for SQLite and PostgreSQL alike. Only `documents` and this package write them.

What the catalogue may rely on, because the database refuses anything else:

- `document_name`: one living document a file name and collection;
- `version_bytes`: one living version a collection and sha256, so that 20 uploads of the same bytes at once end as one
  version: insert with `on_conflict_do_nothing()`, then select. `living` becomes false in the transaction that lets a
  version be superseded or its document be deleted; a FAILED version stays living, so its bytes find it again. One that
  divides the bytes of the active version anew is marked `again` until it takes its place;
- `version_active`: one active version a document.

`chunk.active` repeats what the catalogue says about a version (active, READY, document enabled, not being deleted), so
that a search needs one row to know; `storage.chunks.activate` is the only writer.
"""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    false,
    text,
)

metadata = MetaData(
    naming_convention={
        "ix": "%(table_name)s_%(column_0_N_name)s",
        "uq": "%(table_name)s_%(column_0_N_name)s_key",
        "fk": "%(table_name)s_%(column_0_N_name)s_fk",
        "pk": "%(table_name)s_pk",
    }
)


class Moment(TypeDecorator[datetime]):
    """An aware moment, kept in UTC: SQLite has no time zones, so a naive one would be read back as anything."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return None if value is None else value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return None if value is None else value.replace(tzinfo=UTC)


meta = Table("meta", metadata, Column("key", Text, primary_key=True), Column("value", Text, nullable=False))

collection = Table(
    "collection",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("settings", JSON, nullable=False, default=dict),
    Column("created_at", Moment, nullable=False),
)

document = Table(
    "document",
    metadata,
    Column("id", Text, primary_key=True),
    Column("collection_id", ForeignKey("collection.id"), nullable=False),
    Column("title", Text, nullable=False),
    Column("file_name", Text, nullable=False),
    Column("enabled", Boolean, nullable=False, default=True),
    Column("deleting", Boolean, nullable=False, default=False),
    Column("created_at", Moment, nullable=False),
)
Index(
    "document_name",
    document.c.collection_id,
    document.c.file_name,
    unique=True,
    sqlite_where=text("deleting = 0"),
    postgresql_where=text("NOT deleting"),
)

version = Table(
    "version",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("document_id", ForeignKey("document.id", ondelete="CASCADE"), nullable=False),
    Column("collection_id", ForeignKey("collection.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("status", Text, nullable=False),
    Column("active", Boolean, nullable=False, default=False),
    Column("living", Boolean, nullable=False, default=True),
    Column("sha256", Text, nullable=False),
    Column("suffix", Text, nullable=False),
    Column("size_bytes", Integer, nullable=False),
    Column("engine", Text, nullable=False, default=""),
    Column("pages", Integer, nullable=False, default=0),
    Column("chunks", Integer, nullable=False, default=0),
    Column("failure_code", Text, nullable=False, default=""),
    Column("failure_message", Text, nullable=False, default=""),
    Column("failure_remedy", Text, nullable=False, default=""),
    Column("quality", JSON, nullable=False, default=dict),
    Column("warnings", JSON, nullable=False, default=list),
    Column("timeline", JSON, nullable=False, default=list),
    Column("created_at", Moment, nullable=False),
    # As it was asked for: "" = as the collection says, "auto", or a name. What came of it is in `divided`.
    Column("strategy", Text, nullable=False, default="", server_default=""),
    Column("again", Boolean, nullable=False, default=False, server_default=false()),
    Column("divided", JSON, nullable=False, default=dict, server_default="{}"),
    Column("events", JSON, nullable=False, default=list, server_default="[]"),
    UniqueConstraint("document_id", "number"),
    # An id is never given twice: caches and the change log know versions by it.
    sqlite_autoincrement=True,
)
Index(
    "version_bytes",
    version.c.collection_id,
    version.c.sha256,
    unique=True,
    sqlite_where=text("living = 1 AND again = 0"),
    postgresql_where=text("living AND NOT again"),
)
Index(
    "version_active",
    version.c.document_id,
    unique=True,
    sqlite_where=text("active = 1"),
    postgresql_where=text("active"),
)
Index("version_status", version.c.status)
Index("version_sha256", version.c.sha256)

page = Table(
    "page",
    metadata,
    Column("version_id", ForeignKey("version.id", ondelete="CASCADE"), primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("label", Text, nullable=False, default=""),
    Column("text", Text, nullable=False),
    Column("width", Float, nullable=False, default=0.0),
    Column("height", Float, nullable=False, default=0.0),
)

chunk = Table(
    "chunk",
    metadata,
    # The narrow columns a search reads come before the text, so that it need not follow overflow pages.
    Column("id", Integer, primary_key=True),
    Column("active", Boolean, nullable=False, default=False),
    Column("role", Text, nullable=False),
    Column("collection_id", Text, nullable=False),
    Column("document_id", Text, nullable=False),
    Column("version_id", ForeignKey("version.id", ondelete="CASCADE"), nullable=False),
    Column("ordinal", Integer, nullable=False),
    Column("term_count", Integer, nullable=False, default=0),
    Column("chunk_id", Text, nullable=False, unique=True),
    Column("parent_id", Text, nullable=False, default=""),
    Column("kind", Text, nullable=False),
    Column("book", Text, nullable=False),
    Column("section", JSON, nullable=False),
    Column("page_start", Integer),
    Column("page_end", Integer),
    Column("label_start", Text, nullable=False, default=""),
    Column("label_end", Text, nullable=False, default=""),
    Column("locator", Text, nullable=False, default=""),
    Column("text", Text, nullable=False),
    Column("boxes", JSON, nullable=False, default=list),
    Column("places", JSON, nullable=False, default=list),
    # FTS rows and vectors know a chunk by its rowid; SQLite would give a freed one again.
    sqlite_autoincrement=True,
)
Index("chunk_order", chunk.c.version_id, chunk.c.role, chunk.c.ordinal)
Index("chunk_document", chunk.c.document_id)

vector = Table(
    "vector",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("chunk_rowid", ForeignKey("chunk.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("version_id", Integer, nullable=False, index=True),
    Column("fingerprint", Text, nullable=False),
    Column("span_start", Integer, nullable=False),
    Column("span_end", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),
    sqlite_autoincrement=True,
)

# What caches in memory have to read again: one row a version whose chunks or vectors came, went, or changed `active`.
change = Table(
    "change",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("version_id", Integer, nullable=False),
    sqlite_autoincrement=True,
)

# --- the log; `storage.traces` alone writes it -----------------------------------------------------------------------

# `facts` holds no text of any document; all that may carry some is in `said`, which a deletion empties.
trace = Table(
    "trace",
    metadata,
    Column("id", Text, primary_key=True),
    Column("created_at", Moment, nullable=False),
    Column("kind", Text, nullable=False),
    Column("asked", Text, nullable=False),
    Column("question", Text, nullable=False, default=""),
    Column("conversation_id", Text, nullable=False, default=""),
    Column("turns_before", Integer, nullable=False, default=0),
    Column("status", Text, nullable=False),
    Column("error_code", Text, nullable=False, default=""),
    Column("error_message", Text, nullable=False, default=""),
    Column("refusal", Text, nullable=False, default=""),
    Column("level", Text, nullable=False, default=""),
    Column("confidence", Float),
    Column("degraded", Boolean, nullable=False, default=False),
    Column("seconds", Float, nullable=False),
    Column("texts", Boolean, nullable=False, default=True),
    Column("blanked_at", Moment),
    Column("facts", JSON, nullable=False, default=dict),
    Column("said", JSON, nullable=False, default=dict),
)
Index("trace_time", trace.c.created_at, trace.c.id)
Index("trace_conversation", trace.c.conversation_id, trace.c.created_at)

# A chunk as it was when a question met it: once for all questions. `key` tells it from the others of its version even
# when its text, and with it the readable id, is gone. `kept` false: met by questions that were to keep no text.
trace_text = Table(
    "trace_text",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("document_id", Text, nullable=False, index=True),
    Column("version_id", Integer, nullable=False),
    Column("key", Text, nullable=False),
    Column("kept", Boolean, nullable=False),
    Column("page_start", Integer),
    Column("page_end", Integer),
    Column("label_start", Text, nullable=False, default=""),
    Column("label_end", Text, nullable=False, default=""),
    Column("locator", Text, nullable=False, default=""),
    Column("chunk_id", Text, nullable=False),
    Column("book", Text, nullable=False),
    Column("section", JSON, nullable=False),
    Column("text", Text, nullable=False),
    UniqueConstraint("version_id", "key", "kept"),
    sqlite_autoincrement=True,
)

trace_chunk = Table(
    "trace_chunk",
    metadata,
    Column("trace_id", ForeignKey("trace.id", ondelete="CASCADE"), primary_key=True),
    Column("place", Integer, primary_key=True),
    Column("text_id", ForeignKey("trace_text.id"), nullable=False),
    Column("n", Integer),
    Column("cited", Boolean, nullable=False, default=False),
    Column("nearest", Boolean, nullable=False, default=False),
    Column("ranks", JSON, nullable=False, default=dict),
    Column("scores", JSON, nullable=False, default=dict),
)

Index("trace_chunk_text", trace_chunk.c.text_id, trace_chunk.c.trace_id)

feedback = Table(
    "feedback",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("trace_id", ForeignKey("trace.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created_at", Moment, nullable=False),
    Column("rating", Text, nullable=False),
    Column("source", Integer),
    Column("note", Text, nullable=False, default=""),
)
