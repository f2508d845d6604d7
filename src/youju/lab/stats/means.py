"""One column of a table: how many, of which kind, and the mean in three ways."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from youju.lab.score import Score
from youju.lab.stats.distributions import Floats
from youju.lab.stats.interval import mean_interval


@dataclass(frozen=True, slots=True)
class Means:
    """`n` cases have a value; n + not_applicable + errors are all there were. The means are None where n is 0.

    complete: over those with a value. failures_as_zero: each error counts as the worst end (1 or the largest seen
    where lower is better). worst, best: every error at the bad end, at the good end. low … high: of `complete`.
    """

    n: int
    not_applicable: int
    errors: int
    complete: float | None = None
    failures_as_zero: float | None = None
    worst: float | None = None
    best: float | None = None
    low: float | None = None
    high: float | None = None


def means(
    scores: Sequence[Score],
    *,
    better: Literal["higher", "lower", "neither"] = "higher",
    ends: tuple[float, float] | None = (0.0, 1.0),
    level: float = 0.95,
) -> Means:
    """The column's figures.

    Args:
        scores: one a case.
        better: which end is the bad one; of "neither" the lower counts as bad.
        ends: the smallest and the largest value there can be; None: the smallest and largest seen, and 0.
        level: of the interval.
    """
    values = np.asarray([score.value for score in scores if score.kind == "ok"], float)
    errors = sum(score.kind == "error" for score in scores)
    absent = len(scores) - len(values) - errors
    if not len(values):
        return Means(0, absent, errors)
    least, most = ends or (min(0.0, float(values.min())), float(values.max()))
    bad, good = (most, least) if better == "lower" else (least, most)
    interval = mean_interval(values, level)
    return Means(
        n=len(values),
        not_applicable=absent,
        errors=errors,
        complete=float(values.mean()),
        failures_as_zero=_with(values, errors, bad),
        worst=_with(values, errors, bad),
        best=_with(values, errors, good),
        low=interval.low if interval else None,
        high=interval.high if interval else None,
    )


def _with(values: Floats, errors: int, end: float) -> float:
    return float((values.sum() + errors * end) / (len(values) + errors))
