"""The evidence judged, online, for every request. Writes a grade; drops nothing."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import resources
from typing import ClassVar

from youju.errors import ProviderError
from youju.ports import KeywordIndex
from youju.stages.base import Emit
from youju.stages.evidence import Question, features
from youju.text.tokens import query_terms
from youju.types import Grade, Level, Turn

HALF = 0.5


@dataclass(frozen=True)
class Model:
    """A logistic model over evidence features with the two bounds of the grades.

    `weights[name] = (mean, scale, weight)` on the standardised feature. Below `low` the evidence is LOW, from `high` on
    it is HIGH. `name` and `fitted_on` say which embedder and which questions it was fitted for.
    """

    name: str
    fitted_on: str
    bias: float
    low: float
    high: float
    weights: Mapping[str, tuple[float, float, float]] = field(repr=False)

    def probability(self, figures: Mapping[str, float]) -> float:
        """That the evidence answers the question, in [0, 1]."""
        z = self.bias + sum(w * (figures[name] - mean) / scale for name, (mean, scale, w) in self.weights.items())
        return 1 / (1 + math.exp(-max(-50.0, min(50.0, z))))

    def level(self, probability: float) -> Level:
        if probability >= self.high:
            return "HIGH"
        return "LOW" if probability < self.low else "AMBIGUOUS"


def load(name: str) -> Model:
    """A model that comes with the package: one a kind of embedder, and `words` for the keyword channel alone."""
    raw = json.loads(resources.files("youju.stages").joinpath(f"graders/{name}.json").read_text(encoding="utf-8"))
    return Model(
        name=raw["name"],
        fitted_on=raw["fitted_on"],
        bias=raw["bias"],
        low=raw["low"],
        high=raw["high"],
        weights={feature: tuple(figures) for feature, figures in raw["weights"].items()},
    )


@dataclass(frozen=True)
class GradeEvidence:
    """Grade the hits.

    Args:
        index: for document frequencies inside the scope.
        model: calibrated for this embedder.
        words_model: calibrated for the keyword channel alone; used when the vector channel found nothing to compare.
    """

    index: KeywordIndex
    model: Model
    words_model: Model

    reads: ClassVar[frozenset[str]] = frozenset({"question", "hits", "scope"})
    writes: ClassVar[frozenset[str]] = frozenset({"grade"})

    async def __call__(self, turn: Turn, emit: Emit) -> Turn:
        terms = [term.text for term in query_terms(turn.question)]
        df = await self.index.df(terms, turn.scope)
        question = Question(turn.question, df, await self.index.size(turn.scope))
        figures = features(question, turn.hits)
        degraded = any(mark.part in {"embedder", "vector"} for mark in turn.degradations)
        model = self.words_model if degraded else self.model
        probability = model.probability(figures) if turn.hits else 0.0
        level = bounded(model.level(probability), figures)
        grade = Grade(level, tuple(_reasons(figures, question.nowhere, level)), {**figures, "probability": probability})
        return replace(turn, grade=grade, notes={"model": model.name})

    def fallback(self, turn: Turn, error: ProviderError) -> Turn:
        """Not judged is never HIGH: what was found may be shown, marked, after verification."""
        return replace(turn, grade=Grade("AMBIGUOUS", ("未能评估证据",)), notes={"error": error.message})


def bounded(level: Level, figures: Mapping[str, float]) -> Level:
    """The model's level within what must hold whatever the scores are."""
    if figures["identifiers_unseen"]:
        # Look-alikes of a thing that is not in the material are the worst kind of evidence.
        return "LOW"
    if level == "HIGH" and (figures["unfamiliar"] or figures["version_missing"]):
        return "AMBIGUOUS"
    if level == "LOW" and figures["identifiers_found"]:
        # Asked for by its very name or number, and found.
        return "AMBIGUOUS"
    return level


def _reasons(figures: Mapping[str, float], nowhere: Sequence[str], level: Level) -> list[str]:
    reasons = []
    if nowhere:
        reasons.append(f"资料中没有出现：{'、'.join(nowhere[:6])}")
    if figures["version_missing"]:
        reasons.append("问题中的版本或年份没有出现在找到的片段里")
    if figures["strong_missing"] > 0:
        reasons.append("问题中的名称、编号或数字没有全部出现在找到的片段里")
    if figures["numbers_missing"] > 0:
        reasons.append("问题中的数值没有出现在找到的片段里")
    if figures["kind"] == 0:
        reasons.append("最相近的句子里没有问题要的那类答案（数字、时间、人、地点、原因或步骤）")
    if figures["agreement"] < HALF:
        reasons.append("两个检索通道的结果不一致")
    if not reasons:
        agreed = "两个通道一致，问题的词语大多出现在同一片段里"
        reasons.append(agreed if level == "HIGH" else "综合相似度与词语重合，证据不够充分")
    return reasons
