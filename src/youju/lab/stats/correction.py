"""A judge's figure put right with a sample that people labelled as well."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from youju.lab.stats.distributions import t_quantile
from youju.lab.stats.interval import unseen


@dataclass(frozen=True, slots=True)
class Corrected:
    """`lam`: how much the judge was used, 0 (people alone) … 1."""

    estimate: float
    low: float
    high: float
    lam: float


def ppi(
    labelled_judge: Sequence[float],
    labelled_human: Sequence[float],
    unlabelled_judge: Sequence[float],
    level: float = 0.95,
) -> Corrected:
    """The mean that people would have given to everything, from their labels on a part and the judge's on all.

    Args:
        labelled_judge: the judge's figures on what people labelled, at least 2.
        labelled_human: people's figures on the same, in the same order, in [0, 1].
        unlabelled_judge: the judge's figures on the rest, at least 1; drawn from the same as the labelled ones.
        level: of the interval.

    Returns:
        Unbiased however wrong the judge is, since his mean error on the labelled is taken off. Where he made no error
        there, the interval still allows for those that so few labels may have missed. From 100 labels on it covers
        what it says; at 50 with a true mean of .9 it is a little narrow (.90 of .95).

    Raises:
        ValueError: lengths that do not fit.

    Source:
        Angelopoulos, Duchi, Zrnic, PPI++, 2023, with its power tuning.
    """
    judged, human = np.asarray(labelled_judge, float), np.asarray(labelled_human, float)
    rest = np.asarray(unlabelled_judge, float)
    m, n = len(human), len(rest)
    if m < 2 or len(judged) != m or n < 1:  # noqa: PLR2004 - one label has no spread
        raise ValueError(f"{len(judged)} and {m} labels with {n} more figures cannot be corrected")
    spread = float(np.concatenate((judged, rest)).var())
    together = float(np.cov(human, judged)[0, 1])
    lam = 0.0 if spread == 0 else min(1.0, max(0.0, together / ((1 + m / n) * spread)))
    residual = human - lam * judged
    estimate = float(lam * rest.mean() + residual.mean())
    error = math.sqrt(lam**2 * float(rest.var()) / n + float(residual.var(ddof=1)) / m)
    half = t_quantile((1 + level) / 2, m - 1) * error
    if np.array_equal(judged, human):
        half = math.hypot(half, unseen(m, level))
    return Corrected(estimate, estimate - half, estimate + half, lam)
