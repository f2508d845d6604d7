"""Turns as JSON, in the shape of the HTTP contract; the CLI's `--json` prints the same."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from youju.stages.prompt import persona
from youju.text.markers import Style
from youju.types import Chunk, Hit, ScopeReport, Source, Turn

Json = dict[str, object]


@dataclass(frozen=True, slots=True)
class Wording:
    """Sentences a deployment may choose."""

    refusal: str
    nothing_found: str = "未找到相关资料内容"
    style: Style = "n"

    def nothing(self, turn: Turn) -> str:
        """What is said when the search found nothing at all; a persona may have words of its own."""
        return persona(turn.persona).nothing_found or self.nothing_found


def answer_text(turn: Turn, wording: Wording) -> str:
    """What the person reads: the answer, or the refusal sentence exactly."""
    return turn.answer.text if turn.answer and not turn.refusal else wording.refusal


def chat_view(turn: Turn, wording: Wording) -> Json:
    """The body of `POST /api/chat`."""
    return {
        "answer": answer_text(turn, wording),
        "sources": [source_view(source) for source in turn.sources],
        "context_used": len(turn.context),
        **_degraded(turn),
        "refused": turn.refusal is not None,
        "refusal_reason": turn.refusal,
        "nearest": [_hit(hit) for hit in turn.nearest[:5]],
        "grade": _grade(turn),
        "confidence": asdict(turn.confidence) if turn.confidence else None,
        "removed_markers": list(turn.removed_markers),
        "verdicts": [
            {"sentence": v.sentence, "verdict": v.verdict, "n": v.n, "quote": v.quote, "by": v.by}
            for v in turn.verdicts
        ],
        "scope": _scope(turn.scope_report),
        "trace_id": turn.trace_id,
        "conversation_id": turn.conversation_id or None,
    }


def retrieve_view(turn: Turn, top_k: int) -> Json:
    """The body of `POST /api/retrieve`: the first `top_k` hits, none dropped by the grade."""
    return {
        "scope": _scope(turn.scope_report),
        "chunks": [_hit(hit) for hit in turn.hits[:top_k]],
        "grade": _grade(turn),
        **_degraded(turn),
        "trace_id": turn.trace_id,
    }


def _degraded(turn: Turn) -> Json:
    marks = list(dict.fromkeys(turn.degradations))
    return {
        "degraded": bool(marks),
        "degradation_reason": marks[0].reason if marks else None,
        "degradations": [{"part": mark.part, "reason": mark.reason} for mark in marks],
    }


def _grade(turn: Turn) -> Json | None:
    if turn.grade is None:
        return None
    figures = {name: round(value, 4) for name, value in turn.grade.features.items()}
    return {"level": turn.grade.level, "reasons": list(turn.grade.reasons), "features": figures}


def _scope(report: ScopeReport | None) -> Json | None:
    if report is None:
        return None
    excluded = [{"id": one.id, "status": one.status} for one in report.excluded]
    return {"asked": dict(report.asked), "documents": list(report.documents), "excluded": excluded}


def _place(one: Chunk | Source) -> Json:
    return {
        "document_id": one.document_id,
        "book": one.book,
        "section": list(one.section),
        "page_start": one.page_start,
        "page_end": one.page_end,
        "label_start": one.label_start or None,
        "label_end": one.label_end or None,
        "locator": one.locator or None,
    }


def source_view(source: Source) -> Json:
    return {"n": source.n, "chunk_id": source.chunk_id, **_place(source), "cited": source.cited, "quote": source.quote}


def _hit(hit: Hit) -> Json:
    return {
        "chunk_id": hit.chunk.id,
        **_place(hit.chunk),
        "text": hit.chunk.text,
        "score": hit.score,
        "ranks": dict(hit.ranks),
        "scores": dict(hit.scores),
    }
