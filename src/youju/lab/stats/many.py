"""What is left of p values when many questions are asked at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def holm(ps: Sequence[float]) -> tuple[float, ...]:
    """Adjusted p values in the order given: below α, the chance of a single false one among them is below α.

    Source:
        Holm, Scandinavian Journal of Statistics 1979.
    """
    order = np.argsort(ps, kind="stable")
    steps = np.asarray(ps, float)[order] * np.arange(len(ps), 0, -1)
    return _back(order, np.minimum(1.0, np.maximum.accumulate(steps)))


def bh(ps: Sequence[float]) -> tuple[float, ...]:
    """Adjusted p values, called q, in the order given: of all with q ≤ α, a share α is expected to be false.

    Source:
        Benjamini, Hochberg, JRSS B 1995.
    """
    order = np.argsort(ps, kind="stable")
    steps = np.asarray(ps, float)[order] * len(ps) / np.arange(1, len(ps) + 1)
    return _back(order, np.minimum(1.0, np.minimum.accumulate(steps[::-1])[::-1]))


def _back(order: np.ndarray, values: np.ndarray) -> tuple[float, ...]:
    back = np.empty(len(order))
    back[order] = values
    return tuple(float(one) for one in back)
