"""An answer without a language model: the sentences of the context that fit the question, verbatim, each cited."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import ClassVar, Literal

from youju.errors import ProviderError
from youju.ports import Embedder, KeywordIndex
from youju.stages.base import Emit
from youju.stages.evidence import Question
from youju.stages.units import Unit, units
from youju.text.asking import AnswerKind, asks, holds, kind_of
from youju.text.markers import render
from youju.text.polarity import polarity
from youju.text.tokens import index_terms, query_terms
from youju.types import Answer, ContextItem, Statement, Turn

# Set on the dev split of the sample questions (bench/quality.py --split dev), with answers of about 190 characters.
# Where an embedder's cosines lie, told by its threshold: for e5 (.83) from .78 to .92, stretched over [0, 1].
WIDTH, BELOW, NARROWEST = 0.82, 0.36, 0.05  # share of 1 − threshold; share of the width below it; the least width
MEANING = 1.5  # weight of the cosine beside the cover of the question's words
RANK = 0.5  # of the chunk's rank: 1 / n
NEIGHBOUR = 0.2  # of the better neighbour: what is said is seldom said in one sentence
KIND, STEPS = 0.25, 0.25  # for holding the wanted kind of answer; for a list where steps are asked for
ASKS = 0.4  # against an exercise or a question of the book: it resembles a question best and answers none
CLOSER_LOOK = 24  # sentences that are embedded, 5 to 8 ms each
CHUNKS, CHARS = 2, 400  # chunks quoted from, characters quoted, at most


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
        most: sentences (or lists, rows) at most, before the gaps between them are filled.
        style: how citations are written.
        close: share of the best score that a further sentence needs, in (0, 1].
    """

    embedder: Embedder
    index: KeywordIndex
    most: int
    style: Literal["n", "source_n"] = "n"
    close: float = 0.75

    reads: ClassVar[frozenset[str]] = frozenset({"question", "context", "scope"})
    writes: ClassVar[frozenset[str]] = frozenset({"answer", "context"})

    async def __call__(self, turn: Turn, emit: Emit) -> Turn:
        if not turn.context:
            return turn
        terms = [term.text for term in query_terms(turn.question)]
        df = await self.index.df(terms, turn.scope)
        question = Question(turn.question, df, await self.index.size(turn.scope))
        by_words = _by_words(question, turn.context)
        ranked = await self._by_meaning(turn.question, by_words)
        return _answered(turn, _chosen(ranked, self.most, self.close), self.style)

    async def _by_meaning(self, question: str, candidates: list[Candidate]) -> list[Candidate]:
        closer = candidates[:CLOSER_LOOK]
        texts = [" ".join((*c.item.hit.chunk.section[-1:], c.unit.text)) for c in closer]
        try:
            asked = (await self.embedder.embed([question], "query"))[0]
            vectors = await self.embedder.embed(texts, "passage")
        except ProviderError:
            # The vector channel has already named the failure; the order by words is good enough to quote from.
            return closer
        near = _stretched([float(cosine) for cosine in vectors @ asked], self.embedder.profile.threshold)
        return _ordered(replace(c, score=c.score + MEANING * n) for c, n in zip(closer, near, strict=True))


def _stretched(cosines: Sequence[float], threshold: float) -> list[float]:
    """Cosines on one scale for every embedder: from 0, and about a third at its threshold.

    If all of them lie below that scale, the threshold says nothing about these cosines: then from the lowest of them.
    Never negative, or the best sentence would be worse than a share of itself and nothing would be chosen.
    """
    width = max(WIDTH * (1 - threshold), NARROWEST)
    floor = threshold - BELOW * width
    if max(cosines, default=1.0) <= floor:
        floor = min(cosines)
    return [max(cosine - floor, 0.0) / width for cosine in cosines]


def _ordered(candidates: Iterable[Candidate]) -> list[Candidate]:
    return sorted(candidates, key=lambda c: (-c.score, c.item.n, c.place))


def _by_words(question: Question, context: Sequence[ContextItem]) -> list[Candidate]:
    kind = kind_of(question.text)
    found: list[Candidate] = []
    for item in context:
        heading = frozenset(index_terms(" ".join(item.hit.chunk.section)))
        for place, unit in enumerate(units(item.hit.chunk)):
            own = frozenset(index_terms(unit.text))
            # A word of the heading holds for every sentence under it, but tells them apart less.
            cover = (2 * question.cover(own) + question.cover(own | heading)) / 3
            found.append(Candidate(item, place, unit, cover + _bonus(unit, kind) + RANK / item.n))
    return _ordered(found)


def _bonus(unit: Unit, kind: AnswerKind) -> float:
    if asks(unit.text):
        return -ASKS
    if kind == "steps" and unit.listed:
        return STEPS
    return KIND if holds(unit.text, kind) else 0.0


def _chosen(ranked: list[Candidate], most: int, close: float) -> list[Candidate]:
    """The best, those nearly as good from few chunks, and what they need to be understood; in reading order."""
    scores = {(c.item.n, c.place): c.score for c in ranked}
    beside = [max(scores.get((c.item.n, c.place + step), 0.0) for step in (-1, 1)) for c in ranked]
    smoothed = _ordered(
        # A row of a table gains nothing from the row above it.
        replace(c, score=c.score + NEIGHBOUR * near * (not c.unit.lead))
        for c, near in zip(ranked, beside, strict=True)
    )
    kept: dict[tuple[int, int], Candidate] = {}
    chars = 0
    for candidate in smoothed:
        if len(kept) == most or candidate.score < smoothed[0].score * close:
            break
        chunks = {n for n, _ in kept} | {candidate.item.n}
        if kept and (chars + len(candidate.unit.text) > CHARS or len(chunks) > CHUNKS):
            continue
        kept[candidate.item.n, candidate.place] = candidate
        chars += len(candidate.unit.text)
    return _in_reading_order(_completed(kept))


def _completed(kept: dict[tuple[int, int], Candidate]) -> list[Candidate]:
    """With the sentence before one that leans on it, and a single sentence left out between two."""
    whole = dict(kept)
    for (n, place), candidate in kept.items():
        all_units = units(candidate.item.hit.chunk)
        wanted = {place - 1} if candidate.unit.leans and place else set()
        if place + 1 < len(all_units) and all_units[place + 1].excepts:
            wanted.add(place + 1)
        if (n, place + 2) in kept and not candidate.unit.lead:
            wanted.add(place + 1)
        for at in wanted:
            whole.setdefault((n, at), replace(candidate, place=at, unit=all_units[at]))
    return list(whole.values())


def _in_reading_order(chosen: list[Candidate]) -> list[Candidate]:
    """Documents by their best chunk; inside a document as it reads."""
    first: dict[str, int] = {}
    for candidate in sorted(chosen, key=lambda c: c.item.n):
        first.setdefault(candidate.item.hit.chunk.document_id, candidate.item.n)
    return sorted(chosen, key=lambda c: (first[c.item.hit.chunk.document_id], c.item.hit.chunk.ordinal, c.place))


def _answered(turn: Turn, chosen: list[Candidate], style: Literal["n", "source_n"]) -> Turn:
    if not chosen:
        return turn
    context, chosen = _renumbered(turn.context, chosen)
    groups = [(n, list(group)) for n, group in groupby(chosen, key=lambda c: c.item.n)]
    titles = _titles([group[0] for _, group in groups])
    blocks: list[str] = []
    shown = ""
    for title, (n, group) in zip(titles, groups, strict=True):
        # A heading helps where the answer comes from several places; once for each place.
        told = title == shown or group[0].unit.text.startswith(title)
        end = "" if title.endswith(("？", "?", "：", "。")) else "："
        # A heading such as 不予报销的项目 carries the negation of all that stands under it.
        needed = len(set(titles)) > 1 or bool(polarity(" ".join(group[0].item.hit.chunk.section[-1:])))
        heading = f"{title}{end}\n" if title and needed and not told else ""
        blocks.append(heading + _paragraph(group, render((n,), style)))
        shown = title
    statements = tuple(Statement(c.unit.text.strip(), (c.item.n,)) for c in chosen)
    return replace(turn, context=context, answer=Answer("\n\n".join(blocks), statements, by="extractive"))


def _renumbered(
    context: Sequence[ContextItem], chosen: Sequence[Candidate]
) -> tuple[tuple[ContextItem, ...], list[Candidate]]:
    """Numbers in the order of the answer, from 1: what is quoted first is [1]; what is not quoted follows."""
    quoted = list(dict.fromkeys(c.item.n for c in chosen))
    order = quoted + [item.n for item in context if item.n not in quoted]
    items = {item.n: replace(item, n=order.index(item.n) + 1) for item in context}
    return tuple(items[n] for n in order), [replace(c, item=items[c.item.n]) for c in chosen]


def _titles(candidates: Sequence[Candidate]) -> list[str]:
    books = {c.item.hit.chunk.book for c in candidates}
    return [
        " ".join(([f"《{c.item.hit.chunk.book}》"] if len(books) > 1 else []) + list(c.item.hit.chunk.section[-1:]))
        for c in candidates
    ]


def _paragraph(group: Sequence[Candidate], marker: str) -> str:
    """Sentences run on, lists and code begin a line, rows stand under their table's heads; each with its marker."""
    lines: list[str] = []
    lead = ""
    for candidate in group:
        unit, text = candidate.unit, candidate.unit.text.strip()
        if unit.lead:
            lines += [*([""] if lines and unit.lead != lead else []), *([unit.lead] if unit.lead != lead else []), text]
        elif unit.listed or "\n" in text or not lines or lead:
            lines += [*([marker, ""] if lead else []), text + marker]
        else:
            lines[-1] += text + marker
        lead = unit.lead
    return "\n".join([*lines, *([marker] if lead else [])])
