"""What a run is to do, and what it will cost, before anything is spent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Literal

from youju.errors import InputError
from youju.lab.arms import LADDER, Arm, Own
from youju.lab.dataset import Case
from youju.lab.judge.controls import CALLS
from youju.lab.judge.judging import Mode
from youju.lab.judge.judging import calls as judge_calls
from youju.lab.judge.quality import SHARE

Measuring = Literal["retrieval", "answers", "full"]
PROMPT_CHARS = 900
"""Characters of a prompt beside the material: rules, question, frame; rounded up."""


@dataclass(frozen=True)
class Plan:
    """Options of a run.

    Args:
        arms: names, in the order of the report.
        own: arms of the user's, by name.
        persona: who answers, the same in every arm.
        repeats: how often each case is answered.
        categories: only these; () = all.
        limit: at most so many cases, spread evenly over the set.
        measuring: retrieval stops before an answer is written; answers are measured without a judge; full with one.
        judge_mode: see the judge.
        timing_cases: how many cases are asked again, one after the other, for the latencies.
        max_cost: stop before more than this is spent; None = no bound.
        fresh: ask the models again although their answers to the same are kept.
        despite_audit: run a set that failed its audit.
    """

    arms: tuple[str, ...] = LADDER
    own: Mapping[str, Own] = field(default_factory=dict)
    persona: str = "assistant"
    repeats: int = 1
    categories: tuple[str, ...] = ()
    limit: int | None = None
    split: str = ""
    measuring: Measuring = "answers"
    judge_mode: Mode = "staged"
    concurrency: int = 4
    timing_cases: int = 20
    max_cost: float | None = None
    fresh: bool = False
    despite_audit: bool = False
    seed: int = 7


@dataclass(frozen=True, slots=True)
class Price:
    """Of a million tokens; None = unknown, and then every cost is unknown, never 0."""

    prompt: float | None = None
    completion: float | None = None

    def cost(self, prompt_tokens: float, completion_tokens: float) -> float | None:
        if self.prompt is None or self.completion is None:
            return None
        return (prompt_tokens * self.prompt + completion_tokens * self.completion) / 1e6


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run may cost at most where nothing fails. Tokens are counted as characters: for Chinese about right.

    `judge_calls` is 0 where nothing is judged; costs are None where a price is unknown.
    """

    cases: int
    arms: int
    answers: int
    model_calls: int
    model_cost: float | None
    judge_calls: int
    judge_cost: float | None


def selected(cases: Sequence[Case], plan: Plan) -> list[Case]:
    """The cases of a plan, in the order of the set.

    Raises:
        InputError: none is left.
    """
    kept = [one for one in cases if not plan.categories or one.category in plan.categories]
    kept = [one for one in kept if not plan.split or one.split == plan.split]
    if plan.limit is not None and plan.limit < len(kept):
        kept = [kept[at * len(kept) // plan.limit] for at in range(plan.limit)]
    if not kept:
        raise InputError("没有符合条件的题目", remedy="请检查 --category、--split 与题目集", code="no_cases")
    return kept


def estimate(plan: Plan, cases: Sequence[Case], arms: Sequence[Arm], *, answer: Price, judge: Price) -> Estimate:
    """What the plan costs at most, at the prices of answers and of verdicts; arms that share an answer count twice."""
    able = [arm for arm in arms if arm.pipeline is not None]
    answers = 0 if plan.measuring == "retrieval" else len(able) * len(cases) * plan.repeats
    asked = answers if any("Generate" in arm.info.recipe or "ClosedBook" in arm.info.recipe for arm in able) else 0
    context = max((arm.knobs.max_context_chars for arm in able), default=0)
    verdicts = 0
    if plan.measuring == "full":
        verdicts = _verdicts(plan, cases, able, ceil(answers * SHARE)) + CALLS
    return Estimate(
        len(cases),
        len(able),
        answers,
        asked,
        _cost(answer, asked, context),
        verdicts,
        _cost(judge, verdicts, context),
    )


def _verdicts(plan: Plan, cases: Sequence[Case], arms: Sequence[Arm], again: int) -> int:
    """Calls for every answer, and for `again` of the dearest once more in both modes."""

    def each(mode: Mode) -> list[int]:
        return [judge_calls(case, context=arm.spec.retrieves, mode=mode) for arm in arms for case in cases]

    both = max(each("staged"), default=0) + max(each("single"), default=0)
    return sum(each(plan.judge_mode)) * plan.repeats + again * both


def _cost(price: Price, calls: int, context: int) -> float | None:
    return price.cost(calls * (PROMPT_CHARS + context), calls * PROMPT_CHARS) if calls else 0.0
