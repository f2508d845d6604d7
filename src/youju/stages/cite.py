"""Sources, built from chunk metadata; markers of the answer resolved against them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar

from youju.ports import Chunks
from youju.stages.base import Emit
from youju.stages.verify import RELATED, check
from youju.text import markers as marking
from youju.text.align import best_span, locate
from youju.text.locators import standing as standing_at
from youju.text.normal import fold
from youju.text.sentences import split
from youju.text.tables import said_of
from youju.types import Answer, ContextItem, Page, Source, Span, Statement, Turn

ATTACHED = "出处（系统核对）："


@dataclass(frozen=True)
class Cite:
    """Write `sources` and the answer as it stays.

    Markers a model wrote that resolve to no context item are removed and reported; brackets that belong to the material
    stay. An extractive answer brings its citations along in its statements. A model's answer without a single marker
    gets those that can be proven, behind its text: what was streamed is out, and stays as it is.
    """

    chunks: Chunks
    style: marking.Style = "n"

    reads: ClassVar[frozenset[str]] = frozenset({"question", "context", "answer"})
    writes: ClassVar[frozenset[str]] = frozenset({"answer", "sources", "removed_markers"})

    async def __call__(self, turn: Turn, emit: Emit) -> Turn:
        if turn.answer is None or turn.refusal:
            return turn
        answer, removed, note = turn.answer, turn.removed_markers, dict[str, object]()
        if answer.by != "extractive":
            answer, spoilt = _cleaned(answer, turn.context)
            removed = (*removed, *spoilt)
            if not any(statement.cites for statement in answer.statements):
                answer = _attached(answer, turn.context, self.style)
                note = {"attached": sorted({n for one in answer.statements for n in one.cites})}
        sources = [await self._source(item, answer.statements, turn.question) for item in turn.context]
        return replace(turn, answer=answer, sources=tuple(sources), removed_markers=removed, notes=note)

    async def _source(self, item: ContextItem, statements: Sequence[Statement], question: str) -> Source:
        """The source for an item, with the pages and places of what rests on it, where the chunk runs over several."""
        source = _source(item, statements, question)
        chunk = item.hit.chunk
        texts = [one.text for one in statements if item.n in one.cites] or [source.quote]
        if chunk.places:
            there = standing_at(chunk.places, [_span(text, chunk.text) for text in texts])
            source = replace(source, locator=there or chunk.locator)
        if source.page_start == source.page_end:
            return source
        pages = await self.chunks.pages(chunk)
        stands = sorted({page.n for text in texts for page in standing(quote(text, chunk.text), pages)})
        label = {page.n: page.label for page in pages}
        if not stands:
            return source
        first, last = stands[0], stands[-1]
        return replace(source, page_start=first, page_end=last, label_start=label[first], label_end=label[last])


def standing(quoted: str, pages: Sequence[Page]) -> list[Page]:
    """The page a quote stands on, or the two it runs over; none where it is not found."""
    wanted = _bare(quoted)
    texts = [_bare(page.text) for page in pages]
    for page, text in zip(pages, texts, strict=True):
        if wanted and wanted in text:
            return [page]
    for at, (before, after) in enumerate(pairwise(texts)):
        if any(before.endswith(wanted[:cut]) and after.startswith(wanted[cut:]) for cut in range(1, len(wanted))):
            return list(pages[at : at + 2])
    return []


def _bare(text: str) -> str:
    return fold(text.replace("|", ""))


def _cleaned(answer: Answer, context: Sequence[ContextItem]) -> tuple[Answer, tuple[str, ...]]:
    material = "\n".join(item.text for item in context)
    cleaned = marking.clean(answer.text, frozenset(item.n for item in context), material)
    statements = tuple(Statement(text, cites) for text, cites in marking.statements(cleaned.text, material))
    return Answer(cleaned.text, statements, answer.by), cleaned.removed


def _attached(answer: Answer, context: Sequence[ContextItem], style: marking.Style) -> Answer:
    """The answer with the numbers of the items its sentences were found to rest on."""
    said = tuple(replace(one, cites=_resting(one, context)) for one in answer.statements)
    numbers = sorted({n for one in said for n in one.cites})
    if not numbers:
        return answer
    return Answer(f"{answer.text.rstrip()}\n\n{ATTACHED}{marking.render(numbers, style)}", said, answer.by)


def _resting(statement: Statement, context: Sequence[ContextItem]) -> tuple[int, ...]:
    anywhere = replace(statement, cites=tuple(item.n for item in context))
    verdict = check(anywhere, context)
    return (verdict.n,) if verdict.n is not None and verdict.verdict == "supported" else ()


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
        quote=_proof(citing, chunk.text) if citing else quote(question, chunk.text),
    )


def _proof(citing: Sequence[str], text: str) -> str:
    """What the first sentence that rests on the text rests on; "" where none does: a quote must not look like proof."""
    for sentence in citing:
        cell = said_of(sentence, text)
        if cell:
            return text[cell.line.start : cell.line.end]
        if locate(sentence, text) or best_span(sentence, text)[1] >= RELATED:
            return quote(sentence, text)
    return ""


def _span(sentence: str, text: str) -> Span:
    """The row of a table that says it, else the stretch that `quote` shows."""
    cell = said_of(sentence, text)
    return cell.line if cell else locate(sentence, text) or best_span(sentence, text)[0]


def quote(sentence: str, text: str) -> str:
    """The stretch of `text` that `sentence` rests on: verbatim, else the nearest sentence, else the first one."""
    span = locate(sentence, text) or best_span(sentence, text)[0]
    found = text[span.start : span.end].strip()
    return found or next((text[one.start : one.end].strip() for one in split(text)), "")
