"""The rows of the log: written, read, deleted."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import ColumnElement, RowMapping, delete, exists, insert, select, tuple_
from sqlalchemy.engine import Connection

from youju.storage.blanking import BLANK, emptied, spoilt
from youju.storage.chunks import among, chunk_of, storable
from youju.storage.tables import chunk, document, feedback, trace, trace_chunk, trace_text
from youju.types import Chunk

Row = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Met:
    """A chunk that a question met; `chunk` None where only its id is known."""

    chunk_id: str
    chunk: Chunk | None
    n: int | None = None
    cited: bool = False
    nearest: bool = False
    ranks: Mapping[str, int] = field(default_factory=dict)
    scores: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Selection:
    """Which traces to list; None = no restriction."""

    before: str | None = None
    refused: bool | None = None
    kind: str | None = None
    conversation_id: str | None = None
    document_id: str | None = None


def key_of(chunk_id: str) -> str:
    """What still tells a chunk from the others of its version when its readable id is gone."""
    return hashlib.sha256(chunk_id.encode("utf-8", "surrogatepass")).hexdigest()[:16]


# --- writing ---------------------------------------------------------------------------------------------------------


def write(tx: Connection, values: Row, met: Sequence[Met]) -> None:
    """Store a trace and the chunks it met, in order. Of documents deleted meanwhile no text is kept."""
    known = _looked_up(tx, met)
    living = set(
        tx.execute(
            select(document.c.id).where(
                among(document.c.id, sorted({one.document_id for one in known.values()})), ~document.c.deleting
            )
        ).scalars()
    )
    gone = {one.chunk_id for one in met if one.chunk_id not in known or known[one.chunk_id].document_id not in living}
    values = dict(values)
    shown = any(one.chunk_id in gone and (one.nearest or one.n is not None) for one in met)
    if shown or (values["turns_before"] and spoilt(tx, values["conversation_id"], values["created_at"])):
        values |= emptied()
    tx.execute(insert(trace), values)
    rows = {one.chunk_id: _text_row(one.chunk_id, known, kept=bool(values["texts"]), gone=gone) for one in met}
    ids = _text_ids(tx, rows)
    placed = [
        {
            "trace_id": values["id"],
            "place": place,
            "text_id": ids[one.chunk_id],
            "n": one.n,
            "cited": one.cited,
            "nearest": one.nearest,
            "ranks": dict(one.ranks),
            "scores": dict(one.scores),
        }
        for place, one in enumerate(met)
    ]
    if placed:
        tx.execute(insert(trace_chunk), placed)


def _looked_up(tx: Connection, met: Sequence[Met]) -> dict[str, Chunk]:
    known = {one.chunk_id: one.chunk for one in met if one.chunk is not None}
    unknown = [one.chunk_id for one in met if one.chunk is None]
    if unknown:
        rows = tx.execute(select(chunk).where(among(chunk.c.chunk_id, unknown))).mappings()
        known |= {row["chunk_id"]: chunk_of(row) for row in rows}
    return known


def _text_row(chunk_id: str, known: Mapping[str, Chunk], *, kept: bool, gone: set[str]) -> Row:
    one = known.get(chunk_id)
    owner = {
        "document_id": one.document_id if one else "",
        "version_id": one.version if one else 0,
        "key": key_of(chunk_id),
        "page_start": one.page_start if one else None,
        "page_end": one.page_end if one else None,
    }
    if one is None or chunk_id in gone:
        return {**owner, **BLANK, "kept": False}
    return {
        **owner,
        "kept": kept,
        "chunk_id": storable(chunk_id),
        "book": storable(one.book),
        "section": [storable(part) for part in one.section],
        "label_start": storable(one.label_start),
        "label_end": storable(one.label_end),
        "locator": storable(one.locator),
        "text": storable(one.text) if kept else "",
    }


def _text_ids(tx: Connection, rows: Mapping[str, Row]) -> dict[str, int]:
    """The ids of the rows of `trace_text`, by chunk id; those that are not there yet are written."""

    def identity(row: Row) -> tuple[object, ...]:
        return row["version_id"], row["key"], row["kept"]

    def there() -> dict[tuple[object, ...], int]:
        keys = among(trace_text.c.key, [str(row["key"]) for row in rows.values()])
        versions = among(trace_text.c.version_id, sorted({int(str(row["version_id"])) for row in rows.values()}))
        found = tx.execute(
            select(trace_text.c.id, trace_text.c.version_id, trace_text.c.key, trace_text.c.kept).where(versions, keys)
        )
        return {(row.version_id, row.key, row.kept): row.id for row in found}

    ids = there()
    new = [dict(row) for row in rows.values() if identity(row) not in ids]
    if new:
        tx.execute(insert(trace_text), new)
        ids = there()
    return {chunk_id: ids[identity(row)] for chunk_id, row in rows.items()}


def rate(tx: Connection, trace_id: str, values: Row) -> None:
    """Store feedback, in the place of what was said before of the same answer or source."""
    same = feedback.c.source.is_(None) if values["source"] is None else feedback.c.source == values["source"]
    tx.execute(delete(feedback).where(feedback.c.trace_id == trace_id, same))
    tx.execute(insert(feedback), {"trace_id": trace_id, **values})


# --- reading ---------------------------------------------------------------------------------------------------------


def matching(tx: Connection, reference: str, at_most: int = 5) -> list[str]:
    """Ids that are `reference` or begin with it, newest first; the id itself alone where there is one."""
    exact = tx.execute(select(trace.c.id).where(trace.c.id == reference)).scalar()
    if exact is not None:
        return [exact]
    # LIKE could not use the index.
    begins = trace.c.id.between(reference, f"{reference}\U0010ffff")
    return list(
        tx.execute(select(trace.c.id).where(begins).order_by(trace.c.created_at.desc()).limit(at_most)).scalars()
    )


def listed(tx: Connection, limit: int, chosen: Selection) -> list[RowMapping]:
    """Rows of `trace` without their JSON, newest first, with the `rating` of the whole answer."""
    rating = (
        select(feedback.c.rating)
        .where(feedback.c.trace_id == trace.c.id, feedback.c.source.is_(None))
        .order_by(feedback.c.id.desc())
        .limit(1)
        .scalar_subquery()
    )
    columns = [column for column in trace.c if column.name not in {"facts", "said"}]
    query = select(*columns, rating.label("rating")).order_by(trace.c.created_at.desc(), trace.c.id.desc())
    return list(tx.execute(query.where(*_conditions(chosen)).limit(limit)).mappings())


def _conditions(chosen: Selection) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if chosen.before is not None:
        border = select(trace.c.created_at, trace.c.id).where(trace.c.id == chosen.before)
        conditions.append(tuple_(trace.c.created_at, trace.c.id) < border.scalar_subquery())
    if chosen.refused is not None:
        conditions.append((trace.c.refusal != "") if chosen.refused else (trace.c.refusal == ""))
    if chosen.kind is not None:
        conditions.append(trace.c.kind == chosen.kind)
    if chosen.conversation_id is not None:
        conditions.append(trace.c.conversation_id == chosen.conversation_id)
    if chosen.document_id is not None:
        met = select(trace_chunk.c.trace_id).join(trace_text).where(trace_text.c.document_id == chosen.document_id)
        conditions.append(trace.c.id.in_(met))
    return conditions


@dataclass(frozen=True, slots=True)
class Rows:
    """All rows of one trace: its own, its chunks in order, its feedback in order."""

    trace: RowMapping
    chunks: tuple[RowMapping, ...]
    feedback: tuple[RowMapping, ...]


def rows(tx: Connection, trace_id: str) -> Rows:
    """What is stored about a trace that exists."""
    met = select(trace_chunk, trace_text).join(trace_text).where(trace_chunk.c.trace_id == trace_id)
    said = select(feedback).where(feedback.c.trace_id == trace_id).order_by(feedback.c.id)
    return Rows(
        tx.execute(select(trace).where(trace.c.id == trace_id)).mappings().one(),
        tuple(tx.execute(met.order_by(trace_chunk.c.place)).mappings()),
        tuple(tx.execute(said).mappings()),
    )


# --- deleting --------------------------------------------------------------------------------------------------------


def older(tx: Connection, border: datetime | None, at_most: int) -> list[str]:
    """Ids of traces from before `border`, None = of any; oldest first."""
    query = select(trace.c.id).order_by(trace.c.created_at, trace.c.id).limit(at_most)
    return list(tx.execute(query if border is None else query.where(trace.c.created_at < border)).scalars())


def remove(tx: Connection, trace_ids: Sequence[str]) -> int:
    """Delete traces with their feedback, and the chunks that no other trace met; how many traces there were."""
    mine = among(trace_chunk.c.trace_id, trace_ids)
    texts = list(tx.execute(select(trace_chunk.c.text_id).distinct().where(mine)).scalars())
    tx.execute(delete(trace_chunk).where(mine))
    tx.execute(delete(feedback).where(among(feedback.c.trace_id, trace_ids)))
    count = tx.execute(delete(trace).where(among(trace.c.id, trace_ids))).rowcount
    unmet = ~exists().where(trace_chunk.c.text_id == trace_text.c.id)
    tx.execute(delete(trace_text).where(among(trace_text.c.id, texts), unmet))
    return count
