"""How long the log remembers."""

from __future__ import annotations

from datetime import datetime, timedelta


def border(now: datetime, keep_days: float | None) -> datetime | None:
    """The moment before which traces go; None: they stay for ever."""
    return None if keep_days is None else now - timedelta(days=keep_days)
