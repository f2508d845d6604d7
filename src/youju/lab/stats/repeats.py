"""The same case several times: one figure a case, and where the noise comes from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from youju.lab.score import Score, error, not_applicable, ok


def averaged(scores: Sequence[Score]) -> Score:
    """What a case scores over its repeats: the mean of those with a value.

    An error if more repeats ended in one than have a value; not applicable if none has a value or is an error.
    A single repeat is itself.

    Raises:
        ValueError: no scores.
    """
    if len(scores) == 1:
        return scores[0]
    values = [score.value for score in scores if score.value is not None]
    failed = [score for score in scores if score.kind == "error"]
    if len(failed) > len(values):
        return error(failed[0].reason)
    return ok(float(np.mean(values))) if values else not_applicable(scores[0].reason)


@dataclass(frozen=True, slots=True)
class Components:
    """Variances, in the square of the measure's unit, ≥ 0; None where there were no two to compare."""

    cases: float | None
    generations: float | None
    judge_calls: float | None


def components(values: Sequence[Sequence[Sequence[float]]]) -> Components:
    """How much of the spread lies between cases, between generations of a case, between judge calls on one answer.

    Args:
        values: case → generation → judge call; none empty, lengths may differ.

    Returns:
        Each level's variance without what the level below puts into it, at least 0. A level that nobody repeated is
        None, and its noise stays in the level above.

    Source:
        Method of moments of the nested one-way layout (Searle, Casella, McCulloch, Variance Components, 1992).
    """
    calls = [np.asarray(generation, float) for case in values for generation in case]
    judge_calls = _within(calls)
    means = [np.asarray([np.mean(generation) for generation in case]) for case in values]
    judge_noise = (judge_calls or 0.0) * float(np.mean([1 / len(one) for one in calls])) if calls else 0.0
    seen_generations = _within(means)
    cases = np.asarray([one.mean() for one in means])
    noise = seen_generations if seen_generations is not None else judge_noise
    noise *= float(np.mean([1 / len(one) for one in means])) if means else 0.0
    return Components(
        cases=max(0.0, float(cases.var(ddof=1)) - noise) if len(cases) > 1 else None,
        generations=None if seen_generations is None else max(0.0, seen_generations - judge_noise),
        judge_calls=judge_calls,
    )


def _within(groups: Sequence[np.ndarray]) -> float | None:
    """The pooled variance inside groups of two or more."""
    several = [group for group in groups if len(group) > 1]
    if not several:
        return None
    return float(sum(((group - group.mean()) ** 2).sum() for group in several) / sum(len(one) - 1 for one in several))
