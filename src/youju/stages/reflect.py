"""How sure one may be of the answer, from the grade and the verdicts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from youju.stages.base import Emit
from youju.types import Confidence, Support, Turn

WORTH: dict[Support, float] = {
    "supported": 1.0,
    "partly": 0.5,
    "not_checkable": 0.4,
    "unsupported": 0.0,
    "contradicted": 0.0,
}


@dataclass(frozen=True)
class Reflect:
    """Write a confidence in [0, 1]: the mean worth of the verdicts, times the grader's probability where one graded."""

    reads: ClassVar[frozenset[str]] = frozenset({"verdicts"})
    writes: ClassVar[frozenset[str]] = frozenset({"confidence"})

    async def __call__(self, turn: Turn, emit: Emit) -> Turn:
        if turn.refusal or turn.answer is None:
            return turn
        worth = [WORTH[verdict.verdict] for verdict in turn.verdicts]
        support = sum(worth) / len(worth) if worth else 0.0
        evidence, reasons = 1.0, list[str]()
        if turn.grade is not None:
            # A grade without figures (the grader failed) says nothing either way.
            evidence = turn.grade.features.get("probability", 0.5)
            reasons.append(f"证据评级 {turn.grade.level}（{evidence:.2f}）")
        reasons.append(f"句子核对 {support:.2f}（{len(worth)} 句）")
        reasons += [f"{mark.part} 已降级：{mark.reason}" for mark in turn.degradations]
        return replace(turn, confidence=Confidence(round(evidence * support, 3), tuple(reasons)))
