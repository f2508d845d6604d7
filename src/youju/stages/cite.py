"""Sources, built from chunk metadata; markers of the answer resolved against them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from youju.stages.base import Emit
from youju.text import markers as marking
from youju.text.align import best_span, locate
from youju.text.sentences import split
from youju.types import Answer, ContextItem, Source, Statement, Turn


@dataclass(frozen=True)
class Cite:
    """Write `sources` and the answer as it stays.

    Markers a model wrote that resolve to no context item are removed and reported; brackets that belong to the material
    stay. An extractive answer brings its citations along in its statements.
    """

    reads: ClassVar[frozenset[str]] = frozenset({"question", "context", "answer"})
    writes: ClassVar[frozenset[str]] = frozenset({"answer", "sources", "removed_markers"})

    async def __call__(self, turn: Turn, emit: Emit) -> Turn:
        if turn.answer is None or turn.refusal:
            return turn
        answer, removed = turn.answer, turn.removed_markers
        if answer.by != "extractive":
            answer, removed = _cleaned(answer, turn.context)
        sources = tuple(_source(item, answer.statements, turn.question) for item in turn.context)
        return replace(turn, answer=answer, sources=sources, removed_markers=removed)


def _cleaned(answer: Answer, context: Sequence[ContextItem]) -> tuple[Answer, tuple[str, ...]]:
    material = "\n".join(item.text for item in context)
    cleaned = marking.clean(answer.text, frozenset(item.n for item in context), material)
    statements = tuple(Statement(text, cites) for text, cites in marking.statements(cleaned.text, material))
    return Answer(cleaned.text, statements, answer.by), cleaned.removed


def _source(item: ContextItem, statements: Sequence[Statement], question: str) -> Source:
    chunk = item.hit.chunk
    citing = [statement.text for statement in statements if item.n in statement.cites]
    return Source(
        n=item.n,
        chunk_id=chunk.id,
        document_id=chunk.document_id,
        book=chunk.book,
        section=chunk.section,
        page_start=chunk.page_start,
        page_end=chunk.page_end,
        label_start=chunk.label_start,
        label_end=chunk.label_end,
        locator=chunk.locator,
        cited=bool(citing),
        quote=quote(citing[0] if citing else question, chunk.text),
    )


def quote(sentence: str, text: str) -> str:
    """The stretch of `text` that `sentence` rests on: verbatim, else the nearest sentence, else the first one."""
    span = locate(sentence, text) or best_span(sentence, text)[0]
    found = text[span.start : span.end].strip()
    return found or next((text[one.start : one.end].strip() for one in split(text)), "")
