"""Regressions as they happen, put into the real stages and parts of a lab: what a gate is there to stop."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from types import MappingProxyType
from unittest import mock

from youju.lab.service import Lab
from youju.ports import Chunks, Embedder, EmbedderProfile, KeywordIndex, Reranker, VectorIndex, Vectors
from youju.stages import budget, by_vector, cite, extract
from youju.text.tokens import Term
from youju.types import Chunk, ContextItem, Hit, Scope, Side, Source, Statement, Turn

INDEX = "youju.providers.index_sqlite_words.query_terms"


@dataclass(frozen=True)
class Fault:
    """`patched`: while the lab runs; `changed`: the lab that runs; `arm`: where it shows."""

    arm: str = "chat"
    patched: Callable[[], AbstractContextManager[object]] = nullcontext
    changed: Callable[[Lab], Lab] = lambda lab: lab


def with_parts(**wrap: Callable[..., object]) -> Callable[[Lab], Lab]:
    """A lab with some parts wrapped."""
    return lambda lab: replace(
        lab, parts=replace(lab.parts, **{name: of(getattr(lab.parts, name)) for name, of in wrap.items()})
    )


def whole_clause(text: str, *_: object) -> list[Term]:
    """A question that nobody cut into words."""
    return [Term(text, strong=False)] if text else []


@dataclass(frozen=True)
class Silent:
    """An index that finds nothing, without an error."""

    index: KeywordIndex | VectorIndex

    def __getattr__(self, name: str) -> object:
        return getattr(self.index, name)

    async def matching(self, *_: object) -> list[Hit]:
        return []

    async def nearest(self, *_: object) -> list[Hit]:
        return []


@dataclass(frozen=True)
class Orphans:
    """Chunks whose parents are gone."""

    chunks: Chunks

    def __getattr__(self, name: str) -> object:
        return getattr(self.chunks, name)

    async def parents(self, chunk_ids: Sequence[str], scope: Scope) -> Mapping[str, Chunk]:
        return {}


@dataclass(frozen=True)
class Backwards:
    """A reranker of distances taken for scores."""

    reranker: Reranker

    async def score(self, query: str, hits: Sequence[Hit]) -> list[float]:
        return [-score for score in await self.reranker.score(query, hits)]

    async def aclose(self) -> None: ...


@dataclass(frozen=True)
class OneSided:
    """An embedder that puts the prefix of a passage before everything."""

    embedder: Embedder

    @property
    def profile(self) -> EmbedderProfile:
        return self.embedder.profile

    async def embed(self, texts: Sequence[str], kind: Side) -> Vectors:
        return await self.embedder.embed(texts, "passage")

    async def aclose(self) -> None: ...


async def no_threshold(self: by_vector.ByVector, turn: Turn, emit: object) -> Turn:
    """A threshold that is read as 0."""
    return await _nearest(replace(self, threshold=0.0), turn, emit)  # type: ignore[arg-type]


def other_refusal(lab: Lab) -> Lab:
    return replace(lab, parts=replace(lab.parts, refusal="抱歉，我不知道。"))


_source, _fit, _told, _renumbered = cite._source, budget.fit, cite.Cite.__call__, extract._renumbered

_nearest = by_vector.ByVector.__call__


def page_off(item: ContextItem, statements: Sequence[Statement], question: str) -> Source:
    """Pages counted from 1 that are taken for pages counted from 0."""
    found = _source(item, statements, question)
    first, last = found.page_start, found.page_end
    return found if first is None or last is None else replace(found, page_start=first + 1, page_end=last + 1)


def one_too_many(items: Sequence[ContextItem], top_k: int, max_chars: int) -> list[ContextItem]:
    return _fit(items, top_k + 1, max_chars)


async def doubled(self: cite.Cite, turn: Turn, emit: object) -> Turn:
    """Sources of two passes, both kept."""
    found = await _told(self, turn, emit)  # type: ignore[arg-type]
    return replace(found, sources=found.sources * 2)


def neighbours(
    context: Sequence[ContextItem], chosen: Sequence[extract.Candidate]
) -> tuple[tuple[ContextItem, ...], list[extract.Candidate]]:
    """Numbers of the answer that count from 0 in a list that counts from 1: each means the item before it."""
    items, told = _renumbered(context, chosen)
    shifted = [replace(one, item=replace(one.item, n=one.item.n % len(items) + 1)) for one in told]
    return items, shifted


def patch(target: object, name: str, new: object) -> Callable[[], AbstractContextManager[object]]:
    return lambda: mock.patch.object(target, name, new)


FAULTS: Mapping[str, Fault] = MappingProxyType(
    {
        "tokeniser off": Fault(patched=lambda: mock.patch(INDEX, whole_clause)),
        "keyword channel silent": Fault(changed=with_parts(words=Silent)),
        "vector channel silent": Fault(changed=with_parts(vectors=Silent)),
        "threshold 0": Fault("strict", patched=patch(by_vector.ByVector, "__call__", no_threshold)),
        "page offset 1": Fault(patched=patch(cite, "_source", page_off)),
        "citation shift": Fault(patched=patch(extract, "_renumbered", neighbours)),
        "budget off by one": Fault(patched=patch(budget, "fit", one_too_many)),
        "parent lost": Fault("parents", changed=with_parts(chunks=Orphans)),
        "refusal sentence changed": Fault(changed=other_refusal),
        "rerank reversed": Fault("V3", changed=with_parts(reranker=Backwards)),
        "wrong prefix for queries": Fault(changed=with_parts(embedder=OneSided)),
        "sources doubled": Fault(patched=patch(cite.Cite, "__call__", doubled)),
    }
)
"""All but one: that a deleted document still answers takes two stores."""
