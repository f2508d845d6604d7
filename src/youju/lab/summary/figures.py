"""What a summary holds. Codes, no sentences: those are the report's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from youju.lab.results import ArmInfo, MeasureInfo
from youju.lab.stats.means import Means
from youju.lab.stats.paired import Paired
from youju.lab.stats.repeats import Components


@dataclass(frozen=True, slots=True)
class Cell:
    """An arm's figure of a measure over all cases. errors are of rows, `means` of cases (repeats averaged)."""

    arm: str
    measure: str
    means: Means
    error_share: float = 0.0


@dataclass(frozen=True, slots=True)
class Contrast:
    """What `after` gained over `before` in one measure.

    kind: step (neighbours) or overall (the last over the first). primary: planned before the run; then `p_adjusted` is
    its p after Holm inside the family. Else it is exploratory, and `q` is its Benjamini-Hochberg value over all
    exploratory ones. Both are None where voided.

    improved, worsened: cases, by what is better in this measure (of "neither": larger, smaller).
    voided: "" or many_errors (more than 2 % in an arm), uneven_errors (5 points more in one), no_cases, judge_void.
    identical: every figure and every answer is the same: one generation, counted twice.
    visible_from: where not significant, the smallest difference that could have been seen; None where none could, or
    where there is nothing to see.
    """

    before: str
    after: str
    measure: str
    family: str
    kind: Literal["step", "overall"]
    paired: Paired
    primary: bool
    exploratory: bool
    p_adjusted: float | None = None
    q: float | None = None
    significant: bool = False
    improved: int = 0
    worsened: int = 0
    voided: str = ""
    identical: bool = False
    visible_from: float | None = None


@dataclass(frozen=True, slots=True)
class Slice:
    """An arm's figure in one category; no interval below 10 cases. Never tested."""

    category: str
    arm: str
    measure: str
    n: int
    not_applicable: int
    errors: int
    mean: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Spread:
    """Where the noise of an arm's measure comes from; only of runs with repeats."""

    arm: str
    measure: str
    components: Components


@dataclass(frozen=True)
class Summary:
    """All figures of a run. `primary`: family → measure. `arms`: those that ran, in order; `missing`: the others."""

    arms: tuple[ArmInfo, ...]
    missing: tuple[ArmInfo, ...]
    measures: tuple[MeasureInfo, ...]
    primary: Mapping[str, str]
    cases: int
    repeats: int
    cells: tuple[Cell, ...]
    contrasts: tuple[Contrast, ...]
    slices: tuple[Slice, ...]
    spreads: tuple[Spread, ...] = field(default=())

    def cell(self, arm: str, measure: str) -> Cell | None:
        return next((cell for cell in self.cells if (cell.arm, cell.measure) == (arm, measure)), None)

    def of(self, measure: str) -> tuple[Contrast, ...]:
        """The contrasts of one measure: the steps in the order of the arms, then the overall one."""
        return tuple(one for one in self.contrasts if one.measure == measure)
