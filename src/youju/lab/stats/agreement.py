"""How far a judge agrees with people."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from youju.lab.stats.distributions import normal_quantile


@dataclass(frozen=True, slots=True)
class Kappa:
    """`prevalence`: the share of each class among the people's labels; without it κ cannot be read.

    kappa is None where everybody named one and the same class: chance alone agrees fully there.
    balanced_accuracy: the mean share of each class that people named which the judge found.
    """

    n: int
    agreement: float
    kappa: float | None
    low: float | None
    high: float | None
    prevalence: tuple[float, ...]
    balanced_accuracy: float


def kappa(table: Sequence[Sequence[int]], level: float = 0.95) -> Kappa:
    """Cohen's κ of a confusion matrix.

    Args:
        table: square; a row a class that people named, a column a class that the judge named, in the same order.
        level: of the interval, which is within [−1, 1].

    Raises:
        ValueError: not square, negative, or empty.

    Source:
        Cohen 1960; the standard error is the one of Fleiss, Cohen, Everitt, Psychological Bulletin 1969.
    """
    counts = np.asarray(table, float)
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1] or counts.min() < 0 or not counts.sum():  # noqa: PLR2004
        raise ValueError("a confusion matrix is square, has no negative number and at least one label")
    n = int(counts.sum())
    shares = counts / n
    people, judge = shares.sum(axis=1), shares.sum(axis=0)
    agreed, chance = float(np.trace(shares)), float(people @ judge)
    named = people > 0
    balanced = float(np.mean(np.diag(shares)[named] / people[named]))
    prevalence = tuple(float(share) for share in people)
    if chance > 1 - 1e-12:
        return Kappa(n, agreed, None, None, None, prevalence, balanced)
    value = (agreed - chance) / (1 - chance)
    half = normal_quantile((1 + level) / 2) * _error(shares, value, n)
    return Kappa(n, agreed, value, max(-1.0, value - half), min(1.0, value + half), prevalence, balanced)


def _error(shares: np.ndarray, value: float, n: int) -> float:
    people, judge = shares.sum(axis=1), shares.sum(axis=0)
    chance = float(people @ judge)
    diagonal = np.diag(shares)
    right = float(np.sum(diagonal * (1 - (people + judge) * (1 - value)) ** 2))
    # A label of people i and judge j weighs with the other's margins: judge i, people j.
    crossed = shares * (judge[:, None] + people[None, :]) ** 2
    wrong = (1 - value) ** 2 * float(crossed.sum() - np.trace(crossed))
    spread = right + wrong - (value - chance * (1 - value)) ** 2
    return math.sqrt(max(0.0, spread) / n) / (1 - chance)
