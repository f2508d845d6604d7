"""The fused hits in the order of a closer look."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar

from youju.errors import ProviderError
from youju.ports import Reranker
from youju.stages.base import Emit
from youju.types import Turn


@dataclass(frozen=True)
class Rerank:
    """Reorder all hits by the reranker's scores and keep the first `keep`; ties keep the fused order."""

    reranker: Reranker
    keep: int

    reads: ClassVar[frozenset[str]] = frozenset({"question", "hits"})
    writes: ClassVar[frozenset[str]] = frozenset({"hits"})

    async def __call__(self, turn: Turn, emit: Emit) -> Turn:
        if not turn.hits:
            return turn
        try:
            scores = await self.reranker.score(turn.question, turn.hits)
        except ProviderError as error:
            # One reason for the caller, whatever went wrong; the message, kept in the note, tells which.
            raise ProviderError(error.message, part="reranker", remedy=error.remedy, code="rerank_failed") from error
        if len(scores) != len(turn.hits) or not all(math.isfinite(score) for score in scores):
            message = f"reranker gave {len(scores)} scores for {len(turn.hits)} hits, or not all of them finite"
            raise ProviderError(message, part="reranker", code="rerank_failed")
        order = sorted(range(len(scores)), key=lambda i: -scores[i])[: self.keep]
        hits = tuple(
            replace(
                turn.hits[i],
                score=scores[i],
                ranks={**turn.hits[i].ranks, "rerank": rank},
                scores={**turn.hits[i].scores, "rerank": scores[i]},
            )
            for rank, i in enumerate(order, start=1)
        )
        return replace(turn, hits=hits)

    def fallback(self, turn: Turn, error: ProviderError) -> Turn:
        """The fused order, cut to the same number."""
        return replace(turn, hits=turn.hits[: self.keep], notes={"error": error.message})
