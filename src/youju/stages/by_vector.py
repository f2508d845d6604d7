"""The vector channel: chunks whose meaning is near the question's."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from youju.errors import ProviderError
from youju.ports import Embedder, VectorIndex
from youju.stages.base import Emit, ranking_name
from youju.types import Degradation, Hit, Turn

MARKS = "？?！!。. "


@dataclass(frozen=True)
class ByVector:
    """Add the cosine ranking of each query.

    `threshold` is a cosine, inclusive; None takes the one the embedder's profile suggests. It belongs to this channel
    alone: what BM25 finds is never measured by it.
    """

    embedder: Embedder
    index: VectorIndex
    k: int
    threshold: float | None = None

    channel: ClassVar[str] = "vector"
    reads: ClassVar[frozenset[str]] = frozenset({"queries", "scope"})
    writes: ClassVar[frozenset[str]] = frozenset({"rankings"})

    async def __call__(self, turn: Turn, emit: Emit) -> Turn:
        rankings = dict(turn.rankings)
        # "婚假几天" and "婚假几天？" are one question, but not one vector.
        vectors = await self.embedder.embed([query.rstrip(MARKS) or query for query in turn.queries], "query")
        profile = self.embedder.profile
        floor = profile.threshold if self.threshold is None else self.threshold
        below: dict[str, float] = {}
        for number, vector in enumerate(vectors):
            hits = await self.index.nearest(vector, turn.scope, self.k, profile.fingerprint)
            rankings[ranking_name(self.channel, number)] = tuple(hit for hit in hits if hit.score >= floor)
            below |= {hit.chunk.id: round(hit.score, 4) for hit in hits if hit.score < floor}
        stale = turn.scope_report.stale if turn.scope_report else ()
        marks = (Degradation("embedder", "reembed_pending"),) if stale else ()
        return replace(
            turn,
            rankings=rankings,
            degradations=(*turn.degradations, *marks),
            notes={"threshold": floor, "below_threshold": below, "not_embedded": list(stale)},
        )

    def fallback(self, turn: Turn, error: ProviderError) -> Turn:
        """The keyword channel goes on alone."""
        empty: tuple[Hit, ...] = ()
        return replace(turn, rankings={**turn.rankings, self.channel: empty}, notes={"error": error.message})
