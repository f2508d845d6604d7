"""The formulas of ranked retrieval. Ranks count from 1; what has no rank was not found.

Two views of one ranking: `relevant`, whether the chunk at each rank is wanted, and `firsts`, for each piece of evidence
the rank at which it is first held. A piece counts once, however many chunks repeat it; and where one chunk holds
several, the j-th piece found counts at rank max(its rank, j), so that no figure exceeds 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence


def reciprocal_rank(relevant: Sequence[bool]) -> float:
    """1 / rank of the first relevant chunk; 0 if there is none."""
    return next((1 / rank for rank, one in enumerate(relevant, start=1) if one), 0.0)


def found(firsts: Sequence[int | None], k: int) -> int:
    """How many pieces are held by the first k chunks."""
    return sum(rank is not None and rank <= k for rank in firsts)


def ndcg(firsts: Sequence[int | None], k: int) -> float:
    """Discounted gain of the pieces found in the first k ranks over that of a ranking that holds them first, in [0, 1].

    Args:
        firsts: at least one piece; None where it was not found.
        k: cut-off, ≥ 1.

    Source:
        Järvelin, Kekäläinen, TOIS 2002, with gain 1 a piece.
    """
    ideal = math.fsum(_discount(rank) for rank in range(1, min(k, len(firsts)) + 1))
    return math.fsum(_discount(rank) for _, rank in _placed(firsts, k)) / ideal


def average_precision(firsts: Sequence[int | None], k: int) -> float:
    """The mean over min(k, all pieces) of the precision at each piece found in the first k ranks, in [0, 1].

    Args:
        firsts: at least one piece; None where it was not found.
        k: cut-off, ≥ 1.
    """
    return math.fsum(number / rank for number, rank in _placed(firsts, k)) / min(k, len(firsts))


def _placed(firsts: Sequence[int | None], k: int) -> list[tuple[int, int]]:
    """Each piece found within k: which one it is, from 1, and the rank that it counts at."""
    ranks = sorted(rank for rank in firsts if rank is not None)
    placed = [(number, max(number, rank)) for number, rank in enumerate(ranks, start=1)]
    return [(number, rank) for number, rank in placed if rank <= k]


def _discount(rank: int) -> float:
    return 1 / math.log2(rank + 1)
