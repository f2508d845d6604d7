"""The figures of a run as a flat table: one row a measure, case, arm and repeat. Every combination is there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from youju.lab.dataset import Case
from youju.lab.score import Score

Family = Literal["retrieval", "checks", "answer", "citation", "consistency", "refusal", "injection", "cost", "judge"]
Better = Literal["higher", "lower", "neither"]


@dataclass(frozen=True, slots=True)
class MeasureInfo:
    """What a table says about a measure. `name` is its id everywhere: hit@5, mrr, faithfulness …

    `title` in Chinese. `unit` "" for shares. `gate`: hard (a single failure blocks), delta (a loss blocks), none.
    """

    name: str
    title: str
    family: Family
    better: Better = "higher"
    unit: str = ""
    binary: bool = False
    gate: Literal["hard", "delta", "none"] = "delta"


@dataclass(frozen=True, slots=True)
class Row:
    arm: str
    case_id: str
    repeat: int
    measure: str
    score: Score


@dataclass(frozen=True, slots=True)
class ArmInfo:
    """An arm of a run, in the order of the table. `adds`: what it has that `base` has not, from the stages' names.

    `missing`: why it could not run; then it has no rows. `retrieves` is False where no document is looked at.
    """

    name: str
    title: str
    base: str = ""
    adds: tuple[str, ...] = ()
    removes: tuple[str, ...] = ()
    recipe: str = ""
    missing: str = ""
    retrieves: bool = True


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one case ended in one arm: what a person wants to read beside the figures.

    `probability`: that the evidence holds the answer, as the grade saw it; None where nothing was graded.
    """

    arm: str
    case_id: str
    repeat: int
    answer: str
    refusal: str
    seconds: float
    error: str = ""
    cause: str = ""
    degradations: tuple[str, ...] = ()
    stages: tuple[tuple[str, float], ...] = ()
    prompt_tokens: int = 0
    completion_tokens: int = 0
    probability: float | None = None


@dataclass(frozen=True)
class Results:
    """All of a run. `manifest`: git, set, corpus, index, settings, models, prompts, each as a hash or a name.

    `timing`: arm → stage → seconds of a sequential pass of its own, one figure a case; "total" is a stage;
    keys ending in "#cold" hold the first pass.
    """

    manifest: Mapping[str, object]
    cases: tuple[Case, ...]
    arms: tuple[ArmInfo, ...]
    measures: tuple[MeasureInfo, ...]
    rows: tuple[Row, ...]
    outcomes: tuple[Outcome, ...]
    timing: Mapping[str, Mapping[str, tuple[float, ...]]] = field(default_factory=dict)
    judge: Mapping[str, object] = field(default_factory=dict)
