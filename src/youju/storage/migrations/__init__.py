"""The schema's history. A revision is a number of four digits, so that old and new compare as text."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import inspect, text
from sqlalchemy.engine import Connection

HEAD = "0004"


def revision(connection: Connection) -> str | None:
    """The revision of the database: "" when it is empty, None when it holds somebody else's tables."""
    tables = inspect(connection).get_table_names()
    if "alembic_version" not in tables:
        return None if tables else ""
    return str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar() or "")


def known() -> frozenset[str]:
    """The revisions there are."""
    return frozenset(path.name[: len(HEAD)] for path in (Path(__file__).parent / "versions").glob("0*.py"))


def upgrade(connection: Connection, to: str = HEAD) -> None:
    """Bring the database to a revision in the transaction that `connection` has open."""
    # Importing alembic costs more than opening a store that is up to date.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, to)
