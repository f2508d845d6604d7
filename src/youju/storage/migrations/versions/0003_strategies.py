"""How a version is to be divided, how it was, and what happened to it; the same bytes may be divided anew."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("version", sa.Column("strategy", sa.Text(), nullable=False, server_default=""))
    op.add_column("version", sa.Column("again", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("version", sa.Column("divided", sa.JSON(), nullable=False, server_default="{}"))
    op.add_column("version", sa.Column("events", sa.JSON(), nullable=False, server_default="[]"))
    op.drop_index("version_bytes", "version")
    op.create_index(
        "version_bytes",
        "version",
        ["collection_id", "sha256"],
        unique=True,
        sqlite_where=sa.text("living = 1 AND again = 0"),
        postgresql_where=sa.text("living AND NOT again"),
    )
