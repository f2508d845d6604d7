"""Many settings tried on one split, the best told on another, and how much of its lead is the luck of choosing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from youju.errors import InputError
from youju.lab.arms import Own
from youju.lab.results import Results
from youju.lab.stats import Paired, paired

MOST = 200
DRAWS = 2000


@dataclass(frozen=True, slots=True)
class Tried:
    """One setting: its arm, what it sets, and its mean on the split it was chosen on."""

    arm: str
    set: Mapping[str, object]
    mean: float
    n: int


@dataclass(frozen=True, slots=True)
class Swept:
    """The best of the settings that were tried.

    Attributes:
        tried: best first.
        lead: of the best over the usual settings, on the split it was chosen on.
        luck: how much of such a lead choosing alone gives, by bootstrap: the best of a draw, measured on what was not
            drawn, falls behind its own draw by this much on average.
        told: the best against the usual settings on the other split; None where the usual ones are best.
    """

    measure: str
    tried: tuple[Tried, ...]
    best: Tried
    usual: Tried
    lead: float
    luck: float
    told: Paired | None


def grid(base: str, axes: Mapping[str, Sequence[object]]) -> dict[str, Own]:
    """An arm for every combination, and the base with its usual settings, under the name `usual`.

    Raises:
        InputError: more than 200 combinations, or an axis without values.
    """
    if any(not values for values in axes.values()):
        raise InputError("--grid 没有给出值", remedy="例如 --grid vector_top_k=10,15,30", code="bad_grid")
    found = [dict(zip(axes, values, strict=True)) for values in product(*axes.values())]
    if len(found) > MOST:
        raise InputError(f"组合有 {len(found)} 种，超过 {MOST}", remedy="请减少取值", code="bad_grid")
    arms = {_name(one): Own(base=base, set=one) for one in found}
    return {"usual": Own(base=base, title=base), **arms}


def chosen(results: Results, measure: str, arms: Mapping[str, Own], seed: int = 7) -> tuple[list[Tried], float]:
    """The settings, best first, ties in the order of the grid; and the luck of choosing among them.

    Raises:
        InputError: no such measure, or it is defined for no case in some arm.
    """
    columns = {name: _column(results, name, measure) for name in arms}
    cases = sorted(set.intersection(*(set(column) for column in columns.values())))
    if not cases:
        raise InputError(f"指标 {measure!r} 在这些题目上没有值", remedy="请换一个指标", code="bad_measure")
    values = np.array([[columns[name][case] for case in cases] for name in arms])
    tried = [
        Tried(name, dict(one.set), float(row.mean()), len(cases))
        for (name, one), row in zip(arms.items(), values, strict=True)
    ]
    worse = next(info.better == "lower" for info in results.measures if info.name == measure)
    return sorted(tried, key=lambda one: one.mean if worse else -one.mean), _luck(-values if worse else values, seed)


def told(results: Results, measure: str, usual: str, best: str) -> Paired:
    """The best against the usual settings, over the cases where both are defined."""
    before, after = _column(results, usual, measure), _column(results, best, measure)
    both = sorted(before.keys() & after.keys())
    info = next(one for one in results.measures if one.name == measure)
    return paired([before[one] for one in both], [after[one] for one in both], binary=info.binary)


def _column(results: Results, arm: str, measure: str) -> dict[str, float]:
    if measure not in {info.name for info in results.measures}:
        names = "、".join(info.name for info in results.measures)
        raise InputError(f"没有名为 {measure!r} 的指标", remedy=f"可以选择：{names}", code="bad_measure")
    rows = [row for row in results.rows if row.arm == arm and row.measure == measure and row.score.value is not None]
    return {row.case_id: row.score.value for row in rows if row.score.value is not None}


def _luck(values: np.ndarray, seed: int) -> float:
    """How much better the best of a draw looks on the draw than on the cases that were not drawn."""
    rng = np.random.default_rng(seed)
    n, optimism = values.shape[1], []
    for _ in range(DRAWS):
        drawn = rng.integers(0, n, n)
        left = np.setdiff1d(np.arange(n), drawn)
        if len(left):
            best = int(values[:, drawn].mean(axis=1).argmax())
            gained = values[best] - values[0]
            optimism.append(gained[drawn].mean() - gained[left].mean())
    return float(np.mean(optimism)) if optimism else 0.0


def _name(knobs: Mapping[str, object]) -> str:
    return "，".join(f"{name}={value}" for name, value in knobs.items())
