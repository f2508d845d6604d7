"""How much of what should be said is said: coverage of key facts, use of the context, steps in order."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence

from youju.lab.judgement import Covered, FactCoverage
from youju.lab.measures.judge_parts import facts_of
from youju.lab.results import MeasureInfo
from youju.lab.score import Score, error, not_applicable, share
from youju.lab.seen import Seen
from youju.text.align import locate
from youju.text.markers import strip

WORTH: Mapping[Covered, float] = {"covered": 1.0, "partially_covered": 0.5, "not_covered": 0.0}


class Coverage:
    """The mean worth of our key facts: covered 1, partially .5, not 0."""

    info = MeasureInfo("coverage", "要点覆盖", "judge")

    def __call__(self, seen: Seen) -> Score:
        facts = facts_of(seen)
        return facts if isinstance(facts, Score) else share(sum(WORTH[one.covered] for one in facts), len(facts))


class VitalCoverage:
    """The share of the vital facts that are covered in full; n/a where none is vital.

    Source:
        The strict vital score of the TREC RAG track's nugget evaluation.
    """

    info = MeasureInfo("coverage_vital", "必要要点覆盖", "judge")

    def __call__(self, seen: Seen) -> Score:
        facts = facts_of(seen)
        if isinstance(facts, Score):
            return facts
        vital = [one for one in facts if one.weight == "vital"]
        if not vital:
            return not_applicable("题目没有必要要点")
        return share(sum(one.covered == "covered" for one in vital), len(vital))


class Utilisation:
    """Of the key facts that the context holds, the mean worth in the answer; n/a where it holds none.

    Source:
        Context utilization of RAGChecker, Ru and others, 2024; there a fact counts 1 or 0.
    """

    info = MeasureInfo("context_utilisation", "上下文利用", "judge")

    def __call__(self, seen: Seen) -> Score:
        facts = facts_of(seen)
        if isinstance(facts, Score):
            return facts
        if not seen.turn.context or seen.refused:
            return not_applicable("没有上下文，或没有作答")
        held = [one for one in facts if one.chunks]
        if not held:
            return not_applicable("上下文里没有任何要点")
        return share(sum(WORTH[one.covered] for one in held), len(held))


class Steps:
    """For how-to questions: the share of the steps that are given in full and in order.

    The steps are the key facts as listed; in order are those of the longest series that the answer names one after
    another.
    """

    info = MeasureInfo("steps_in_order", "步骤按序给出", "judge")

    def __call__(self, seen: Seen) -> Score:
        if seen.case.category != "howto" and not seen.broke:
            return not_applicable("不是操作类问题")
        facts = facts_of(seen)
        if isinstance(facts, Score):
            return facts
        answer = strip(seen.answer)
        places = [_place(one, answer) for one in facts if one.covered == "covered"]
        known = [place for place in places if place is not None]
        if len(known) < len(places):
            return error("裁判引用的步骤原话不在回答里，无法判断次序")
        return share(_longest_rise(known), len(facts))


def _place(fact: FactCoverage, answer: str) -> int | None:
    span = None if "bad_quote" in fact.flags else locate(fact.quote, answer)
    return span.start if span else None


def _longest_rise(places: Sequence[int]) -> int:
    """Length of the longest series that never falls: two steps may stand in one sentence."""
    ends: list[int] = []
    for place in places:
        at = bisect_left(ends, place + 1)
        ends[at : at + 1] = [place]
    return len(ends)
