"""The bounds of the grades and the similarity threshold, chosen on one split from what they would have cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from youju.errors import InputError
from youju.lab import relevance
from youju.lab.seen import Seen
from youju.lab.stats import wilson
from youju.lab.stats.interval import Interval
from youju.stages.grade import Model, bounded
from youju.types import Level

SURE = 0.9
"""Of the questions whose evidence is HIGH, at least so many shall have an answer."""
GOLD_KEPT = 0.98
ENOUGH = 20
"""Questions of each kind below which a bound says nothing about others: at 20 an interval is still about ±.2."""


@dataclass(frozen=True, slots=True)
class Rate:
    hits: int
    n: int

    @property
    def value(self) -> float | None:
        return self.hits / self.n if self.n else None

    @property
    def interval(self) -> Interval:
        return wilson(self.hits, self.n)


@dataclass(frozen=True, slots=True)
class Point:
    """What a lower bound would do.

    Attributes:
        low: evidence below it is LOW and the question refused.
        coverage: share of all questions that are answered.
        risk: of those, the share that have no answer in the material; None where nothing is answered.
        precision: of the refused, the share rightly refused.
        recall: of the questions without an answer, the share refused.
        over_refusal: of those with one, the share refused.
    """

    low: float
    coverage: float
    risk: float | None
    precision: Rate
    recall: Rate
    over_refusal: Rate


@dataclass(frozen=True, slots=True)
class Calibration:
    """`reached` is False where no bound gave the wanted precision; then the bounds are those of the best one."""

    low: float
    high: float
    threshold: float | None
    wanted: float
    reached: bool
    chosen: Point
    curve: tuple[Point, ...]
    gold_kept: Rate
    others_kept: Rate

    @property
    def enough(self) -> bool:
        """Whether there were enough questions of each kind to choose by."""
        return min(self.chosen.recall.n, self.chosen.over_refusal.n) >= ENOUGH


@dataclass(frozen=True, slots=True)
class Graded:
    """A question as its evidence was graded: `probability` by the model, `figures` for what holds whatever it is."""

    answerable: bool
    probability: float
    figures: dict[str, float]
    found: bool

    def level(self, model: Model) -> Level:
        return bounded(model.level(self.probability), self.figures) if self.found else "LOW"


def graded(seens: Sequence[Seen]) -> list[Graded]:
    """The graded questions of an arm that grades; those whose grade failed are left out.

    Raises:
        InputError: none is graded, or all are answerable, or none is.
    """
    found = [
        Graded(
            seen.case.answerable,
            seen.turn.grade.features["probability"],
            dict(seen.turn.grade.features),
            bool(seen.turn.hits or seen.turn.nearest),
        )
        for seen in seens
        if seen.turn.grade is not None and "probability" in seen.turn.grade.features
    ]
    if len({one.answerable for one in found}) < 2:  # noqa: PLR2004 - both kinds
        raise InputError(
            "校准需要既有可回答的、也有不可回答的题目", remedy="请换一个题目集，或检查 --split", code="cannot_calibrate"
        )
    return found


def point(cases: Sequence[Graded], model: Model) -> Point:
    """What the bounds of `model` do to these questions."""
    refused = [one for one in cases if one.level(model) == "LOW"]
    rightly = sum(not one.answerable for one in refused)
    without = sum(not one.answerable for one in cases)
    answered = len(cases) - len(refused)
    return Point(
        model.low,
        answered / len(cases),
        (without - rightly) / answered if answered else None,
        Rate(rightly, len(refused)),
        Rate(rightly, without),
        Rate(len(refused) - rightly, len(cases) - without),
    )


def calibrate(seens: Sequence[Seen], model: Model, wanted: float) -> Calibration:
    """Bounds for a wanted precision of refusals: of those that reach it, the one that refuses most of what it should.

    `high` is the lowest bound above which at least nine in ten questions have an answer.

    Args:
        seens: of an arm with the vector channel and a grade.
        model: whose probabilities they are.
        wanted: precision of refusals in (0, 1].

    Raises:
        InputError: see `graded`.
    """
    cases = graded(seens)
    lows = sorted({0.0, *(round(one.probability + 0.005, 2) for one in cases)})
    curve = tuple(point(cases, replace(model, low=low, high=max(low, model.high))) for low in lows)
    refusing = [one for one in curve if one.precision.n]
    reaching = [one for one in refusing if (one.precision.value or 0) >= wanted]
    best = max(reaching or refusing or curve, key=lambda one: _worth(one, reached=bool(reaching)))
    threshold, gold, others = _threshold(seens)
    high = _high(cases, best.low, model.high)
    return Calibration(best.low, high, threshold, wanted, bool(reaching), best, curve, gold, others)


def _worth(one: Point, *, reached: bool) -> tuple[float, ...]:
    precision, recall = one.precision.value or 0.0, one.recall.value or 0.0
    # Among equals the lower bound: it refuses less that nobody has seen yet.
    return (recall, precision, -one.low) if reached else (precision, recall, -one.low)


def _high(cases: Sequence[Graded], low: float, usual: float) -> float:
    """The lowest bound above which nine in ten have an answer; the usual one where none does."""
    bounds = sorted({low, *(one.probability for one in cases if one.probability >= low)})
    for bound in bounds:
        above = [one.answerable for one in cases if one.probability >= bound]
        if sum(above) >= SURE * len(above):
            return round(bound, 4)
    return max(low, usual)


def _threshold(seens: Sequence[Seen]) -> tuple[float | None, Rate, Rate]:
    """The cosine that 98 % of the found evidence reaches; and what share of it and of all else passes."""
    gold: list[float] = []
    others: list[float] = []
    for seen in seens:
        if not seen.case.answerable:
            continue
        for hit in seen.turn.rankings.get("vector", ()):
            right = any(relevance.holds(seen, hit.chunk, one) for one in seen.case.evidence)
            (gold if right else others).append(hit.scores["vector"])
    if not gold:
        return None, Rate(0, 0), Rate(0, 0)
    ordered = sorted(gold)
    bound = int(ordered[int(len(ordered) * (1 - GOLD_KEPT))] * 10_000) / 10_000
    kept = Rate(sum(one >= bound for one in gold), len(gold))
    return bound, kept, Rate(sum(one >= bound for one in others), len(others))
