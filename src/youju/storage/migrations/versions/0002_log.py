"""The log: what was asked, what was found and said, and what people thought of it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "trace",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("asked", sa.Text(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("conversation_id", sa.Text(), nullable=False),
        sa.Column("turns_before", sa.Integer(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("error_code", sa.Text(), nullable=False),
        sa.Column("error_message", sa.Text(), nullable=False),
        sa.Column("refusal", sa.Text(), nullable=False),
        sa.Column("level", sa.Text(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=True),
        sa.Column("degraded", sa.Boolean(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("texts", sa.Boolean(), nullable=False),
        sa.Column("blanked_at", sa.DateTime(), nullable=True),
        sa.Column("facts", sa.JSON(), nullable=False),
        sa.Column("said", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("trace_pk")),
    )
    op.create_index("trace_time", "trace", ["created_at", "id"], unique=False)
    op.create_index("trace_conversation", "trace", ["conversation_id", "created_at"], unique=False)
    op.create_table(
        "trace_text",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("document_id", sa.Text(), nullable=False),
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("kept", sa.Boolean(), nullable=False),
        sa.Column("page_start", sa.Integer(), nullable=True),
        sa.Column("page_end", sa.Integer(), nullable=True),
        sa.Column("label_start", sa.Text(), nullable=False),
        sa.Column("label_end", sa.Text(), nullable=False),
        sa.Column("locator", sa.Text(), nullable=False),
        sa.Column("chunk_id", sa.Text(), nullable=False),
        sa.Column("book", sa.Text(), nullable=False),
        sa.Column("section", sa.JSON(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("trace_text_pk")),
        sa.UniqueConstraint("version_id", "key", "kept", name=op.f("trace_text_version_id_key_kept_key")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("trace_text_document_id"), "trace_text", ["document_id"], unique=False)
    op.create_table(
        "trace_chunk",
        sa.Column("trace_id", sa.Text(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("text_id", sa.Integer(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=True),
        sa.Column("cited", sa.Boolean(), nullable=False),
        sa.Column("nearest", sa.Boolean(), nullable=False),
        sa.Column("ranks", sa.JSON(), nullable=False),
        sa.Column("scores", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["trace_id"], ["trace.id"], name=op.f("trace_chunk_trace_id_fk"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["text_id"], ["trace_text.id"], name=op.f("trace_chunk_text_id_fk")),
        sa.PrimaryKeyConstraint("trace_id", "place", name=op.f("trace_chunk_pk")),
    )
    op.create_index("trace_chunk_text", "trace_chunk", ["text_id", "trace_id"], unique=False)
    op.create_table(
        "feedback",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("trace_id", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("rating", sa.Text(), nullable=False),
        sa.Column("source", sa.Integer(), nullable=True),
        sa.Column("note", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["trace_id"], ["trace.id"], name=op.f("feedback_trace_id_fk"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("feedback_pk")),
    )
    op.create_index(op.f("feedback_trace_id"), "feedback", ["trace_id"], unique=False)
