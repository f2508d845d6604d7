"""Run by alembic, which is given the open connection: the caller commits."""

from __future__ import annotations

from alembic import context

from youju.storage.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
