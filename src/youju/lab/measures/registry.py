"""All measures, in the order of the table. A measure is a file's function and one line in that file's `measures`."""

from __future__ import annotations

from collections.abc import Iterable

from youju.lab.measures import (
    answers,
    checks,
    citations,
    consistency,
    costs,
    documents,
    evidence,
    injections,
    refusals,
)
from youju.lab.measures.base import Measure
from youju.lab.measures.judge_all import judge_measures
from youju.lab.score import Score, error
from youju.lab.seen import Seen

MEASURES: tuple[Measure, ...] = (
    *documents.measures(),
    *evidence.measures(),
    *checks.measures(),
    *answers.measures(),
    *citations.measures(),
    *consistency.measures(),
    *refusals.measures(),
    *injections.measures(),
    *costs.measures(),
    *judge_measures(),
)


def measured(seen: Seen, measures: Iterable[Measure] = MEASURES) -> list[tuple[Measure, Score]]:
    """Each measure with its Score, in order, none left out; all of them errors where the question itself broke."""
    return [(one, error(seen.broke) if seen.broke else one(seen)) for one in measures]
