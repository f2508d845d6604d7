"""An answer without a language model: the sentences of the context that fit the question, verbatim, each cited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import ClassVar

from youju.errors import ProviderError
from youju.ports import Embedder, KeywordIndex
from youju.stages.base import Emit
from youju.stages.evidence import Question
from youju.stages.units import Unit, units
from youju.text.asking import AnswerKind, holds, kind_of
from youju.text.markers import render
from youju.text.tokens import index_terms, query_terms
from youju.types import Answer, ContextItem, Statement, Turn

# Cosines of e5 lie in about .78 to .95; this stretches them over [0, 1]. Found on the dev split of the sample sets.
COSINE_FLOOR, COSINE_WIDTH = 0.78, 0.14
CLOSER_LOOK = 14  # sentences that are embedded: about 10 ms each


@dataclass(frozen=True)
class Candidate:
    item: ContextItem
    place: int
    unit: Unit
    score: float


@dataclass(frozen=True)
class Extract:
    """Write the extractive answer.

    Args:
        embedder: for the meaning of sentences; when it fails, words alone decide.
        index: for how much each word of the question weighs.
        most: sentences (or lists, rows) at most.
        close: share of the best score that a further sentence needs, in (0, 1].
    """

    embedder: Embedder
    index: KeywordIndex
    most: int
    close: float = 0.8

    reads: ClassVar[frozenset[str]] = frozenset({"question", "context", "scope"})
    writes: ClassVar[frozenset[str]] = frozenset({"answer"})

    async def __call__(self, turn: Turn, emit: Emit) -> Turn:
        if not turn.context:
            return turn
        terms = [term.text for term in query_terms(turn.question)]
        df = await self.index.df(terms, turn.scope)
        question = Question(turn.question, df, await self.index.size(turn.scope))
        by_words = _by_words(question, turn.context)
        ranked = await self._by_meaning(turn.question, by_words)
        return _answered(turn, _chosen(ranked, self.most, self.close), style="n")

    async def _by_meaning(self, question: str, candidates: list[Candidate]) -> list[Candidate]:
        closer = candidates[:CLOSER_LOOK]
        texts = [" ".join((*c.item.hit.chunk.section[-1:], c.unit.text)) for c in closer]
        try:
            asked = (await self.embedder.embed([question], "query"))[0]
            vectors = await self.embedder.embed(texts, "passage")
        except ProviderError:
            # The vector channel has already named the failure; the order by words is good enough to quote from.
            return closer
        near = ((vectors @ asked) - COSINE_FLOOR) / COSINE_WIDTH
        scored = [replace(c, score=c.score + float(n)) for c, n in zip(closer, near, strict=True)]
        return sorted(scored, key=lambda c: (-c.score, c.item.n, c.place))


def _by_words(question: Question, context: Sequence[ContextItem]) -> list[Candidate]:
    kind = kind_of(question.text)
    found: list[Candidate] = []
    for item in context:
        heading = frozenset(index_terms(" ".join(item.hit.chunk.section)))
        for place, unit in enumerate(units(item.hit.chunk)):
            own = frozenset(index_terms(unit.text))
            # A word of the heading holds for every sentence under it, but tells them apart less.
            cover = (2 * question.cover(own) + question.cover(own | heading)) / 3
            found.append(Candidate(item, place, unit, cover + _bonus(unit, kind) + 0.15 / item.n))
    return sorted(found, key=lambda c: (-c.score, c.item.n, c.place))


def _bonus(unit: Unit, kind: AnswerKind) -> float:
    if kind == "steps" and unit.listed:
        return 0.25
    return 0.15 if holds(unit.text, kind) else 0.0


def _chosen(ranked: list[Candidate], most: int, close: float) -> list[Candidate]:
    """The best, those nearly as good, and the sentence before one that leans on it; in reading order."""
    if not ranked:
        return []
    floor = ranked[0].score * close
    kept = {(c.item.n, c.place): c for c in ranked[:most] if c.score >= floor}
    for candidate in list(kept.values()):
        before = (candidate.item.n, candidate.place - 1)
        if candidate.unit.leans and candidate.place > 0 and before not in kept:
            unit = units(candidate.item.hit.chunk)[candidate.place - 1]
            kept[before] = replace(candidate, place=candidate.place - 1, unit=unit)
    first: dict[str, int] = {}
    for n, place in sorted(kept):
        first.setdefault(kept[n, place].item.hit.chunk.document_id, n)
    return sorted(
        kept.values(),
        key=lambda c: (first[c.item.hit.chunk.document_id], c.item.hit.chunk.ordinal, c.place),
    )


def _answered(turn: Turn, chosen: list[Candidate], style: str) -> Turn:
    del style
    blocks: list[str] = []
    statements: list[Statement] = []
    groups = [(n, list(group)) for n, group in groupby(chosen, key=lambda c: c.item.n)]
    books = {c.item.hit.chunk.book for c in chosen}
    for n, group in groups:
        chunk = group[0].item.hit.chunk
        title = " ".join(([f"《{chunk.book}》"] if len(books) > 1 else []) + list(chunk.section[-1:]))
        heading = f"{title}：\n" if len(groups) > 1 and title else ""
        blocks.append(heading + _paragraph(group, render((n,), "n")))
        statements += [Statement(c.unit.text.strip(), (n,)) for c in group]
    answer = Answer("\n\n".join(blocks), tuple(statements), by="extractive")
    return replace(turn, answer=answer if statements else None)


def _paragraph(group: list[Candidate], marker: str) -> str:
    lines: list[str] = []
    lead = ""
    for candidate in group:
        unit, text = candidate.unit, candidate.unit.text.strip()
        if unit.lead:
            if unit.lead != lead:
                lines += ["", unit.lead] if lines else [unit.lead]
                lead = unit.lead
            lines.append(text)
        elif unit.listed or "\n" in text or not lines or lead:
            lines += ([""] if lead else []) + [text + marker]
            lead = ""
        else:
            lines[-1] += text + marker
    return "\n".join(lines) + (f"\n{marker}" if lead else "")
