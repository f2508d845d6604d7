"""The text of documents that are deleted leaves the log; what it said about them in figures stays."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from sqlalchemy import ColumnElement, and_, exists, func, or_, select, update
from sqlalchemy.engine import Connection

from youju.storage.chunks import among
from youju.storage.tables import document, trace, trace_chunk, trace_text

BLANK = {"chunk_id": "", "book": "", "section": [], "label_start": "", "label_end": "", "locator": "", "text": ""}
"""The columns of a chunk in the log whose document is gone."""


def blank(tx: Connection, document_ids: Iterable[str]) -> int:
    """Empty what the log holds of the text of these documents; how many traces lost their answer and quotes.

    Ids of documents, pages, ranks and scores stay.
    """
    return _blank(tx, among(trace_text.c.document_id, list(document_ids)))


def blank_lost(tx: Connection) -> int:
    """`blank` for all documents that are not in the catalogue."""
    return _blank(tx, _lost())


def residue(tx: Connection) -> int:
    """How many chunks and answers in the log still have text of documents that are not in the catalogue."""
    chunks = select(func.count()).select_from(trace_text).where(_lost(), trace_text.c.chunk_id != "")
    answers = select(func.count()).select_from(trace).where(_exposed(_lost()))
    return int(tx.execute(chunks).scalar_one()) + int(tx.execute(answers).scalar_one())


def emptied() -> dict[str, object]:
    """The columns of a trace whose texts go now."""
    return {"said": {}, "error_message": "", "blanked_at": datetime.now(UTC)}


def _lost() -> ColumnElement[bool]:
    return trace_text.c.document_id.not_in(select(document.c.id))


def _blank(tx: Connection, gone: ColumnElement[bool]) -> int:
    exposed = tx.execute(select(trace.c.id, trace.c.conversation_id).where(_exposed(gone))).all()
    nothing = emptied()
    tx.execute(update(trace).where(among(trace.c.id, [row.id for row in exposed])).values(nothing))
    # Later answers of the same conversation may repeat what an earlier one said.
    talks = {row.conversation_id for row in exposed if row.conversation_id}
    later = tx.execute(update(trace).where(_after_a_blanked_one(talks)).values(nothing)).rowcount
    tx.execute(update(trace_text).where(gone, trace_text.c.chunk_id != "").values(BLANK))
    return len(exposed) + later


def _exposed(gone: ColumnElement[bool]) -> ColumnElement[bool]:
    """Traces whose answer or quotes may hold text of the documents that `gone` names."""
    shown = or_(trace_chunk.c.n.is_not(None), trace_chunk.c.nearest)
    met = select(trace_chunk.c.trace_id).join(trace_text).where(gone, shown)
    return and_(trace.c.blanked_at.is_(None), trace.c.id.in_(met))


def _after_a_blanked_one(talks: Iterable[str]) -> ColumnElement[bool]:
    earlier = trace.alias("earlier")
    repeated = exists().where(
        earlier.c.conversation_id == trace.c.conversation_id,
        earlier.c.created_at <= trace.c.created_at,
        earlier.c.blanked_at.is_not(None),
    )
    return and_(
        among(trace.c.conversation_id, sorted(talks)), trace.c.turns_before > 0, trace.c.blanked_at.is_(None), repeated
    )


def spoilt(tx: Connection, conversation_id: object, since: object) -> bool:
    """Whether an answer of the conversation lost its text after `since`: what came later may repeat it."""
    lost = select(trace.c.id).where(trace.c.conversation_id == conversation_id, trace.c.blanked_at >= since).limit(1)
    return tx.execute(lost).first() is not None
