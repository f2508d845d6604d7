"""Questions that were asked and written to the log, over a store in a temporary folder."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from youju.chat.log import Entry
from youju.chat.service import Request
from youju.compose import App
from youju.types import Turn

STARTED = datetime(2024, 5, 1, 12, tzinfo=UTC)


def entry(turn: Turn, **more: object) -> Entry:
    fields: dict[str, object] = {"kind": "ask", "knobs": {"rrf_k": 60}, "seconds": 0.25, "started_at": STARTED}
    return Entry(turn=turn, **(fields | more))  # type: ignore[arg-type]


async def asked(app: App, question: str, trace_id: str = "", **more: object) -> Turn:
    """The answered turn of a question, under a trace id of the test's choice."""
    turn = await app.chat.ask(Request(question, **more))  # type: ignore[arg-type]
    return replace(turn, trace_id=trace_id or turn.trace_id)
