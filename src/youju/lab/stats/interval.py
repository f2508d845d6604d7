"""Intervals for a single figure."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from youju.lab.stats.distributions import Floats, normal_quantile, t_quantile


class Interval(NamedTuple):
    low: float
    high: float


def wilson(hits: float, n: int, level: float = 0.95) -> Interval:
    """Where the true rate lies, given `hits` out of `n`; within [0, 1] and never empty.

    Raises:
        ValueError: n < 1, or hits outside 0 … n.

    Source:
        Wilson, JASA 1927.
    """
    if n < 1 or not 0 <= hits <= n:
        raise ValueError(f"{hits} hits out of {n} is no rate")
    z = normal_quantile((1 + level) / 2)
    middle = (hits + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * math.sqrt(hits * (n - hits) / n + z * z / 4)
    return Interval(0.0 if hits == 0 else max(0.0, middle - half), 1.0 if hits == n else min(1.0, middle + half))


def mean_interval(values: Floats, level: float = 0.95) -> Interval | None:
    """Where the true mean lies: Wilson for rates, else Student t; None for a single value that is no rate.

    A column of one and the same value is no proof of no spread: it is Wilson's if that value is 0 or 1.
    """
    n = len(values)
    if n == 0:
        return None
    if np.isin(values, (0.0, 1.0)).all():
        return wilson(float(values.sum()), n, level)
    if n == 1:
        return None
    half = t_quantile((1 + level) / 2, n - 1) * float(values.std(ddof=1)) / math.sqrt(n)
    return Interval(float(values.mean()) - half, float(values.mean()) + half)


def unseen(n: int, level: float = 0.95) -> float:
    """The largest share that n draws may all have missed: 1 − (1 − level)^(1/n)."""
    return float(1 - (1 - level) ** (1 / n))
