"""Which part of a chunk stands where, for formats without pages."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("chunk", sa.Column("places", sa.JSON(), nullable=False, server_default="[]"))
