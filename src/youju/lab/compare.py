"""Two runs, or two arms of one: only over cases that are the same in both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from youju.errors import InputError
from youju.lab.columns import Column, columns, documents_of, error_shares, pair, shared
from youju.lab.results import MeasureInfo, Results
from youju.lab.stats.many import bh
from youju.lab.stats.paired import Paired
from youju.lab.summary.contrasts import ALPHA, void_judge, voided

RIGHT = 0.5


@dataclass(frozen=True, slots=True)
class Compared:
    """One measure. to_right, to_wrong: cases that crossed the middle, of shares only, in the order of the set.

    improved, worsened: cases by what is better here. q: Benjamini-Hochberg over all measures; None where voided.
    voided: "" or many_errors, uneven_errors, no_cases, judge_void.
    """

    measure: str
    family: str
    paired: Paired
    q: float | None
    significant: bool
    improved: int
    worsened: int
    to_right: tuple[str, ...]
    to_wrong: tuple[str, ...]
    voided: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """`cases`: how many were compared. `changed`: those left out, being other ones in the two runs, or in one only."""

    before: str
    after: str
    cases: int
    changed: tuple[str, ...]
    measures: tuple[Compared, ...]


def compare(before: Results, after: Results, *, arm: str, other: str = "") -> Comparison:
    """What the second run gained over the first, in every measure that both have.

    Args:
        before: the run to start from.
        after: the one to compare; may be the same, for two arms of one run.
        arm: of the first run.
        other: of the second; the same arm unless given.

    Raises:
        InputError: an arm that did not run; sets of which no case is the same, or that do not say which are.
    """
    other = other or arm
    ran(before, arm)
    ran(after, other)
    same, changed = same_cases(before, after)
    old, new = kept(columns(before), arm, same), kept(columns(after), other, same)
    errors = error_shares(before), error_shares(after)
    documents = documents_of(before.cases)
    found = []
    for info in after.measures:
        if info.name in old and info.name in new:
            shares = errors[0][arm, info.name], errors[1][other, info.name]
            compared = _compared(old[info.name], new[info.name], info, documents, shares)
            void = void_judge(before, info) or void_judge(after, info)
            found.append(replace(compared, voided=void or compared.voided))
    return Comparison(arm, other, len(same), changed, tuple(_judged(found)))


def _compared(
    old: Column, new: Column, info: MeasureInfo, documents: Mapping[str, str], errors: tuple[float, float]
) -> Compared:
    difference = pair(old, new, info, documents)
    lower = info.better == "lower"
    to_right, to_wrong = flips(old, new, info)
    return Compared(
        measure=info.name,
        family=info.family,
        paired=difference,
        q=None,
        significant=False,
        improved=difference.losses if lower else difference.wins,
        worsened=difference.wins if lower else difference.losses,
        to_right=to_right,
        to_wrong=to_wrong,
        voided=voided(*errors, difference.n),
    )


def _judged(found: list[Compared]) -> list[Compared]:
    valid = [one for one in found if not one.voided]
    q = dict(zip((one.measure for one in valid), bh([one.paired.p for one in valid]), strict=True))
    return [
        replace(one, q=q[one.measure], significant=q[one.measure] <= ALPHA) if one.measure in q else one
        for one in found
    ]


def flips(old: Column, new: Column, info: MeasureInfo) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The cases that went from wrong to right, and from right to wrong: right is at least half of what there is to get.

    Empty for measures with a unit, and for those of which neither end is better.
    """
    if info.unit or info.better == "neither":
        return (), ()
    to_right, to_wrong = [], []
    for case, was, is_ in zip(*shared(old, new), strict=True):
        right = [1 - value >= RIGHT if info.better == "lower" else value >= RIGHT for value in (was, is_)]
        if right == [False, True]:
            to_right.append(case)
        if right == [True, False]:
            to_wrong.append(case)
    return tuple(to_right), tuple(to_wrong)


def same_cases(before: Results, after: Results) -> tuple[frozenset[str], tuple[str, ...]]:
    """The ids of the cases that are the same in both runs, and of the others.

    Raises:
        InputError: no case is, or the manifests do not say.
    """
    ids = {case.id for case in before.cases}, {case.id for case in after.cases}
    both = ids[0] & ids[1]
    old, new = _about(before), _about(after)
    if before is not after and not (old[0] and old[0] == new[0]):
        both = {id_ for id_ in both if id_ in old[1] and old[1][id_] == new[1].get(id_)}
    if not both:
        raise InputError(
            "两次评测没有相同的题目，不能比较",
            remedy="请用同一份题目集重新评测；题目集改动之后，只有没改过的题目可以比较",
            code="other_set",
        )
    return frozenset(both), tuple(sorted((ids[0] | ids[1]) - both))


def _about(results: Results) -> tuple[object, Mapping[str, object]]:
    """The hash of the set, and of each case; "" and nothing where the run does not say."""
    about = results.manifest.get("set")
    if not isinstance(about, Mapping):
        return "", {}
    cases = about.get("cases")
    return about.get("hash", ""), cases if isinstance(cases, Mapping) else {}


def kept(table: Mapping[tuple[str, str], Column], arm: str, cases: frozenset[str]) -> dict[str, Column]:
    """Measure → the column of an arm, with these cases only."""
    return {
        measure: {case: score for case, score in column.items() if case in cases}
        for (of, measure), column in table.items()
        if of == arm
    }


def ran(results: Results, arm: str) -> None:
    """Nothing, if the arm ran.

    Raises:
        InputError: it did not.
    """
    names = [one.name for one in results.arms if not one.missing]
    if arm not in names:
        raise InputError(f"这次评测没有运行名为 {arm!r} 的方案", remedy=f"可以选择：{'、'.join(names)}", code="bad_arm")
