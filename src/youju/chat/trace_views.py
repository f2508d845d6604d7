"""Traces as JSON, in the shape of the HTTP contract; `youju log --json` prints the same."""

from __future__ import annotations

from dataclasses import asdict

from youju.chat.views import source_view
from youju.trace.entry import Feedback, Recalled, Summary, Trace
from youju.trace.finding import Finding, excluded
from youju.types import Step

Json = dict[str, object]


def summary_view(one: Summary) -> Json:
    """An item of `GET /api/chats`."""
    return {
        "trace_id": one.id,
        "created_at": one.created_at.isoformat(),
        "kind": one.kind,
        "question": one.asked,
        "conversation_id": one.conversation_id or None,
        "status": one.status,
        "error_code": one.error_code or None,
        "refused": one.refusal is not None,
        "refusal_reason": one.refusal,
        "grade": one.level or None,
        "confidence": one.confidence,
        "degraded": one.degraded,
        "seconds": one.seconds,
        "rating": one.rating,
    }


def trace_view(trace: Trace) -> Json:
    """The body of `GET /api/chats/{trace_id}`."""
    return {
        **summary_view(trace.summary),
        "standalone_question": trace.question,
        "error": _error(trace),
        "grade": asdict(trace.grade) if trace.grade else None,
        "confidence": asdict(trace.confidence) if trace.confidence else None,
        "scope": _scope(trace),
        "answer": trace.answer,
        "answered_by": trace.by,
        "statements": [asdict(one) for one in trace.statements],
        "sources": [source_view(one) for one in trace.sources],
        "verdicts": [asdict(one) for one in trace.verdicts],
        "removed_markers": list(trace.removed_markers),
        "chunks": [_chunk(one, trace.widened.get(one.n or 0)) for one in trace.chunks],
        "steps": [_step(one) for one in trace.steps],
        "degradations": [asdict(one) for one in trace.degradations],
        "knobs": dict(trace.knobs),
        "model": trace.model or None,
        "temperature": trace.temperature,
        "persona": trace.persona,
        "generation": dict(trace.generation),
        "fingerprint": trace.fingerprint,
        "recipe": trace.recipe,
        "texts": trace.texts,
        "blanked_at": trace.blanked_at.isoformat() if trace.blanked_at else None,
        "feedback": [_feedback(one) for one in trace.feedback],
    }


def finding_view(trace: Trace, finding: Finding) -> Json:
    """What became of a text; `youju log show --find` prints it beside the trace."""
    places = [{"document_id": one.document_id, "chunk_id": one.id} for one in finding.holders]
    return {
        "ending": finding.ending,
        "cutter": finding.cutter or None,
        "ranks": dict(finding.chunks[0].ranks) if finding.chunks else {},
        "context_numbers": list(finding.numbers),
        "chunks": [one.chunk_id for one in finding.chunks],
        "now_in": [{**one, "status_then": excluded(trace, one["document_id"]) or None} for one in places],
    }


def _error(trace: Trace) -> Json | None:
    if trace.summary.status == "ok":
        return None
    return {"code": trace.summary.error_code, "message": trace.error_message}


def _scope(trace: Trace) -> Json | None:
    if trace.scope is None:
        return None
    return {
        "asked": dict(trace.scope.asked),
        "documents": list(trace.scope.documents),
        "excluded": [asdict(one) for one in trace.scope.excluded],
        "stale": list(trace.scope.stale),
    }


def _chunk(one: Recalled, widened: str | None) -> Json:
    return {
        "chunk_id": one.chunk_id,
        "document_id": one.document_id,
        "book": one.book,
        "section": list(one.section),
        "page_start": one.page_start,
        "page_end": one.page_end,
        "label_start": one.label_start or None,
        "label_end": one.label_end or None,
        "locator": one.locator or None,
        "text": one.text,
        "ranks": dict(one.ranks),
        "scores": dict(one.scores),
        "n": one.n,
        "context_text": widened,
        "cited": one.cited,
        "nearest": one.nearest,
        "gone": one.gone,
    }


def _step(step: Step) -> Json:
    return {
        "stage": step.stage,
        "seconds": step.seconds,
        "hits": [asdict(one) for one in step.hits],
        "note": dict(step.note),
        "inner": [_step(one) for one in step.inner],
    }


def _feedback(one: Feedback) -> Json:
    when = one.created_at.isoformat() if one.created_at else None
    return {"rating": one.rating, "source": one.source, "note": one.note, "created_at": when}
