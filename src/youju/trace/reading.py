"""The rows of the log → what they say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import RowMapping

from youju.storage.traces import Rows
from youju.trace.entry import Feedback, Recalled, Summary, Trace
from youju.trace.record import BY_CHUNK, CHUNK
from youju.types import (
    Confidence,
    Degradation,
    Exclusion,
    Grade,
    ScopeReport,
    Source,
    Statement,
    Step,
    StepHit,
    Verdict,
)

Json = Mapping[str, Any]


def summary(row: RowMapping, rating: str | None = None) -> Summary:
    """A line of the log."""
    return Summary(
        id=row["id"],
        created_at=row["created_at"],
        kind=row["kind"],
        asked=row["asked"],
        seconds=row["seconds"],
        status=row["status"],
        conversation_id=row["conversation_id"],
        refusal=row["refusal"] or None,
        level=row["level"],
        confidence=row["confidence"],
        degraded=row["degraded"],
        error_code=row["error_code"],
        rating=rating,  # type: ignore[arg-type]  # one of the two that were written
    )


def trace(rows: Rows) -> Trace:
    """Everything that is stored about a question."""
    row, facts, said = rows.trace, rows.trace["facts"], rows.trace["said"]
    chunks = tuple(_recalled(one) for one in rows.chunks)
    opinions = tuple(Feedback(one["rating"], one["source"], one["note"], one["created_at"]) for one in rows.feedback)
    overall = next((one.rating for one in reversed(opinions) if one.source is None), None)
    steps = _steps(facts["steps"], chunks, _aside(said.get("notes", [])))
    return Trace(
        summary=summary(row, overall),
        question=said.get("question") or row["question"],
        scope=_scope(facts["scope"]),
        grade=_grade(row, facts, said),
        confidence=Confidence(row["confidence"], tuple(facts["confidence"])) if row["confidence"] is not None else None,
        steps=steps,
        chunks=chunks,
        degradations=tuple(Degradation(*pair) for pair in facts["degradations"]),
        knobs=facts["knobs"],
        model=facts["model"],
        temperature=facts["temperature"],
        persona=facts["persona"],
        fingerprint=facts["fingerprint"],
        recipe=facts["recipe"],
        texts=row["texts"],
        blanked_at=row["blanked_at"],
        error_message=row["error_message"],
        answer=said.get("answer", ""),
        by=said.get("by", ""),
        statements=tuple(Statement(text, tuple(cites)) for text, cites in said.get("statements", ())),
        sources=tuple(_source(one, chunks) for one in said.get("sources", ())),
        verdicts=tuple(Verdict(**{**one, "reasons": tuple(one["reasons"])}) for one in said.get("verdicts", ())),
        removed_markers=tuple(said.get("removed", ())),
        widened={int(n): text for n, text in said.get("widened", {}).items()},
        generation=_generation(steps),
        feedback=opinions,
    )


def _recalled(row: RowMapping) -> Recalled:
    return Recalled(
        # A chunk that lost its name is known by its key.
        chunk_id=row["chunk_id"] or f"{row['document_id']}::{row['key']}",
        document_id=row["document_id"],
        book=row["book"],
        section=tuple(row["section"]),
        page_start=row["page_start"],
        page_end=row["page_end"],
        label_start=row["label_start"],
        label_end=row["label_end"],
        locator=row["locator"],
        text=row["text"],
        ranks=row["ranks"],
        scores=row["scores"],
        n=row["n"],
        cited=row["cited"],
        nearest=row["nearest"],
        gone=not row["chunk_id"],
    )


def _scope(facts: Json | None) -> ScopeReport | None:
    if facts is None:
        return None
    excluded = tuple(Exclusion(*pair) for pair in facts["excluded"])
    return ScopeReport(facts["asked"], tuple(facts["documents"]), excluded, tuple(facts["stale"]))


def _grade(row: RowMapping, facts: Json, said: Json) -> Grade | None:
    if not row["level"]:
        return None
    return Grade(row["level"], tuple(said.get("reasons") or facts.get("reasons", ())), facts["features"])


def _source(row: Json, chunks: Sequence[Recalled]) -> Source:
    chunk = next(one for one in chunks if one.n == row["n"])
    return Source(
        chunk_id=chunk.chunk_id,
        document_id=chunk.document_id,
        book=chunk.book,
        section=chunk.section,
        locator=chunk.locator,
        **row,
    )


# --- steps -----------------------------------------------------------------------------------------------------------

Aside = Mapping[str, Mapping[str, object]]


def _aside(rows: Sequence[Sequence[Any]]) -> Aside:
    """What was kept apart of the stages' notes, by the path of the step."""
    found: dict[str, dict[str, object]] = {}
    for path, name, value in rows:
        found.setdefault(path, {})[name] = value
    return found


def _steps(rows: Sequence[Json], chunks: Sequence[Recalled], aside: Aside, path: str = "") -> tuple[Step, ...]:
    return tuple(_step(row, chunks, aside, f"{path}{n}") for n, row in enumerate(rows))


def _step(row: Json, chunks: Sequence[Recalled], aside: Aside, path: str) -> Step:
    return Step(
        stage=row["stage"],
        seconds=row["seconds"],
        hits=tuple(StepHit(chunks[place].chunk_id, score) for place, score in row["hits"]),
        note={**{name: _named(value, chunks) for name, value in row["note"].items()}, **aside.get(path, {})},
        inner=_steps(row["inner"], chunks, aside, f"{path}."),
    )


def _named(value: object, chunks: Sequence[Recalled]) -> object:
    """With the ids of chunks for their places."""
    if isinstance(value, dict):
        if set(value) == {CHUNK}:
            return chunks[value[CHUNK]].chunk_id
        if set(value) == {BY_CHUNK}:
            return {_named(name, chunks): _named(one, chunks) for name, one in value[BY_CHUNK]}
        return {name: _named(one, chunks) for name, one in value.items()}
    return [_named(one, chunks) for one in value] if isinstance(value, list) else value


def _generation(steps: Sequence[Step]) -> Mapping[str, object]:
    """The note of the stage that wrote the answer with a model; empty where none did."""
    for step in steps:
        found = step.note if "prompt" in step.note else _generation(step.inner)
        if found:
            return found
    return {}
