"""Which arms are compared, and in which measures: fixed by the run's form, never by its figures."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from youju.errors import InputError
from youju.lab.results import ArmInfo, MeasureInfo


class Pair(NamedTuple):
    before: str
    after: str
    kind: Literal["step", "overall"]


def pairs(arms: Sequence[ArmInfo]) -> list[Pair]:
    """Each arm that ran against the one it builds on, then the last of V1 … against V1.

    Where the base did not run it is the base's base; where an arm names none, the arm before it in the table.
    """
    by_name = {arm.name: arm for arm in arms}
    ran = [arm for arm in arms if not arm.missing]
    steps = [
        Pair(before, arm.name, "step")
        for place, arm in enumerate(ran)
        if (before := _base(arm, by_name) or (ran[place - 1].name if place else ""))
    ]
    numbered = [arm.name for arm in ran if re.fullmatch(r"V[1-9]\d*", arm.name)] or [arm.name for arm in ran]
    whole = Pair(numbered[0], numbered[-1], "overall") if numbered else None
    if whole is None or whole.before == whole.after or (whole.before, whole.after) in {step[:2] for step in steps}:
        return steps
    return [*steps, whole]


def _base(arm: ArmInfo, by_name: Mapping[str, ArmInfo]) -> str:
    """The nearest arm below that ran; "" where none is named or known."""
    seen: set[str] = set()
    base = by_name.get(arm.base)
    while base is not None and base.missing and base.name not in seen:
        seen.add(base.name)
        base = by_name.get(base.base)
    return "" if base is None or base.missing or base.name == arm.name else base.name


def primaries(primary: Mapping[str, str] | str, measures: Sequence[MeasureInfo]) -> dict[str, str]:
    """Family → its primary measure, of the families that were measured.

    Raises:
        InputError: a single name that no measure of the run has, or one whose family is another than said.
    """
    family = {info.name: info.family for info in measures}
    if isinstance(primary, str):
        if primary not in family:
            raise _unknown(primary, family)
        return {family[primary]: primary}
    for named, measure in primary.items():
        if family.get(measure, named) != named:
            raise InputError(
                f"指标 {measure!r} 属于 {family[measure]}，不属于 {named}",
                remedy="请为每一类指标指定本类的主要指标",
                code="bad_measure",
            )
    return {named: measure for named, measure in primary.items() if measure in family}


def _unknown(measure: str, known: Mapping[str, str]) -> InputError:
    return InputError(
        f"这次评测没有名为 {measure!r} 的指标", remedy=f"可以选择：{'、'.join(sorted(known))}", code="bad_measure"
    )
