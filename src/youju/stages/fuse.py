"""Several rankings → one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from youju.stages.base import Emit
from youju.types import Hit, Turn


def rrf(rankings: Mapping[str, Sequence[Hit]], k: int = 60) -> list[Hit]:
    """Fuse rankings by reciprocal rank, best first.

    Args:
        rankings: name of the search → its hits, best first, no chunk twice in one list. Only ranks count.
        k: smoothing constant in ranks, ≥ 1; larger flattens the top.

    Returns:
        The union; score in (0, len(rankings) / (k + 1)], no unit; ties by best single rank, then chunk id. `ranks` and
        `scores` of every search that found the chunk are kept, under the search's name.

    Raises:
        ValueError: `k` < 1, a mistake in the code, hence no YoujuError.

    Source:
        Cormack, Clarke, Büttcher, SIGIR 2009.
    """
    if k < 1:
        raise ValueError(f"k must be at least 1, not {k}")
    fused: dict[str, Hit] = {}
    found: dict[str, list[int]] = {}
    for name, hits in rankings.items():
        for rank, hit in enumerate(hits, start=1):
            seen = fused.get(hit.chunk.id, hit)
            found.setdefault(hit.chunk.id, []).append(rank)
            fused[hit.chunk.id] = replace(
                seen,
                ranks={**seen.ranks, **hit.ranks, name: rank},
                scores={**seen.scores, **hit.scores, name: hit.score},
                span=seen.span or hit.span,
            )
    # fsum: the sum must not depend on the order of the searches, or ties would.
    scored = [
        replace(hit, score=math.fsum(1 / (k + rank) for rank in found[chunk_id])) for chunk_id, hit in fused.items()
    ]
    return sorted(scored, key=lambda hit: (-hit.score, min(found[hit.chunk.id]), hit.chunk.id))


@dataclass(frozen=True)
class Fuse:
    """Write the fused hits, at most `keep`."""

    k: int
    keep: int

    reads: ClassVar[frozenset[str]] = frozenset({"rankings"})
    writes: ClassVar[frozenset[str]] = frozenset({"hits"})

    async def __call__(self, turn: Turn, emit: Emit) -> Turn:
        fused = rrf(turn.rankings, self.k)[: self.keep]
        hits = tuple(
            replace(hit, ranks={**hit.ranks, "rrf": rank}, scores={**hit.scores, "rrf": hit.score})
            for rank, hit in enumerate(fused, start=1)
        )
        return replace(turn, hits=hits)
