"""Measures that the benchmark scripts share."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np


def wilson(hits: int, n: int, z: float = 1.959964) -> tuple[float, float]:
    """The 95 % interval of a rate. Source: Wilson 1927."""
    if n == 0:
        return 0.0, 1.0
    p = hits / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return middle - half, middle + half


def shown(hits: int, n: int) -> str:
    low, high = wilson(hits, n)
    return f"{hits / n if n else float('nan'):.3f} [{low:.3f}, {high:.3f}] ({hits}/{n})"


def paired(before: Sequence[float], after: Sequence[float], draws: int = 10_000) -> str:
    """Mean difference with a seeded percentile bootstrap interval over the cases."""
    difference = np.asarray(after, dtype=float) - np.asarray(before, dtype=float)
    rng = np.random.default_rng(7)
    means = difference[rng.integers(0, len(difference), (draws, len(difference)))].mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return f"{difference.mean():+.4f} [{low:+.4f}, {high:+.4f}]"


def ranks_table(ranks: Mapping[str, Sequence[int | None]]) -> str:
    """Name of the ranking → rank of the first relevant hit per question (None: not found)."""
    lines = [f"{'':10s} hit@1   hit@5   MRR     (n)"]
    for name, found in ranks.items():
        n = len(found)
        first = sum(rank == 1 for rank in found) / n
        five = sum(rank is not None and rank <= 5 for rank in found) / n
        mrr = sum(1 / rank for rank in found if rank) / n
        lines.append(f"{name:10s} {first:.4f}  {five:.4f}  {mrr:.4f}  ({n})")
    return "\n".join(lines)
