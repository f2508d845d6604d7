"""The keyword channel: chunks that hold the question's words, by BM25."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from youju.errors import ProviderError
from youju.ports import KeywordIndex
from youju.stages.base import Emit, ranking_name
from youju.text.tokens import query_terms, variants
from youju.types import Hit, Turn


@dataclass(frozen=True)
class ByWords:
    """Add the BM25 ranking of each query; independent of any similarity threshold."""

    index: KeywordIndex
    k: int

    channel: ClassVar[str] = "keyword"
    reads: ClassVar[frozenset[str]] = frozenset({"queries", "scope"})
    writes: ClassVar[frozenset[str]] = frozenset({"rankings"})

    async def __call__(self, turn: Turn, emit: Emit) -> Turn:
        rankings = dict(turn.rankings)
        for number, query in enumerate(turn.queries):
            hits = await self.index.matching(query, turn.scope, self.k)
            rankings[ranking_name(self.channel, number)] = tuple(hits)
        terms = [term.text for term in query_terms(turn.question)]
        # Vectors would hide a broken tokeniser or an empty index: the trace must show it.
        silent = bool(terms) and not any(rankings[ranking_name(self.channel, n)] for n in range(len(turn.queries)))
        note = {"terms": terms, "variants": variants(turn.question), "no_hit_despite_terms": silent}
        return replace(turn, rankings=rankings, notes=note)

    def fallback(self, turn: Turn, error: ProviderError) -> Turn:
        """The vector channel goes on alone."""
        empty: tuple[Hit, ...] = ()
        return replace(turn, rankings={**turn.rankings, self.channel: empty}, notes={"error": error.message})
