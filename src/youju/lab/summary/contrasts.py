"""Arms against arms: the planned tests, the rest, and those that must not be read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from youju.lab.columns import Column, error_shares, pair
from youju.lab.results import MeasureInfo, Results
from youju.lab.stats.many import bh, holm
from youju.lab.summary.figures import Contrast
from youju.lab.summary.plan import Pair

ALPHA = 0.05
MOST_ERRORS, MOST_UNEVEN = 0.02, 0.05


def contrasts(
    results: Results,
    table: Mapping[tuple[str, str], Column],
    *,
    pairs: Sequence[Pair],
    primary: Mapping[str, str],
    documents: Mapping[str, str],
) -> tuple[Contrast, ...]:
    """Every pair in every measure, in the order of the measures, with what many tests leave of p."""
    same = {(one.before, one.after) for one in pairs if same_answers(results, one.before, one.after)}
    errors = error_shares(results)
    found = []
    for info in results.measures:
        planned = primary.get(info.family) == info.name
        for one in pairs:
            old, new = table.get((one.before, info.name), {}), table.get((one.after, info.name), {})
            difference = pair(old, new, info, documents)
            up, down = difference.wins, difference.losses
            found.append(
                Contrast(
                    before=one.before,
                    after=one.after,
                    measure=info.name,
                    family=info.family,
                    kind=one.kind,
                    paired=difference,
                    primary=planned,
                    exploratory=not planned,
                    improved=down if info.better == "lower" else up,
                    worsened=up if info.better == "lower" else down,
                    voided=void_judge(results, info)
                    or voided(
                        errors.get((one.before, info.name), 0), errors.get((one.after, info.name), 0), difference.n
                    ),
                    identical=(one.before, one.after) in same and equal(old, new),
                )
            )
    return tuple(judged(found))


def void_judge(results: Results, info: MeasureInfo) -> str:
    """Not empty, judge_void, for a judge's measure where the judge failed its controls."""
    return "judge_void" if info.family == "judge" and results.judge.get("void") else ""


def voided(before: float, after: float, n: int) -> str:
    """Why two arms with these shares of errors must not be compared; "" if they may."""
    if max(before, after) > MOST_ERRORS:
        return "many_errors" if abs(before - after) <= MOST_UNEVEN else "uneven_errors"
    return "" if n else "no_cases"


def equal(before: Column, after: Column) -> bool:
    """Whether every case has the same figure, or none for the same kind of reason."""
    kinds = {case: (score.kind, score.value) for case, score in before.items()}
    return bool(kinds) and kinds == {case: (score.kind, score.value) for case, score in after.items()}


def same_answers(results: Results, before: str, after: str) -> bool:
    """Whether both arms ended alike on every case and repeat: the generation was shared, or might as well have been."""
    said = {
        arm: {(one.case_id, one.repeat): (one.answer, one.refusal) for one in results.outcomes if one.arm == arm}
        for arm in (before, after)
    }
    # Where nothing was written (a run that only searched) there is no answer to be the same.
    return any(answer for answer, _ in said[before].values()) and said[before] == said[after]


def judged(found: Sequence[Contrast]) -> list[Contrast]:
    """With Holm inside each family of planned ones, and Benjamini-Hochberg over all others; the order is kept."""
    adjusted: dict[int, float] = {}
    families = dict.fromkeys(one.family for one in found if one.primary)
    for family in families:
        places = [i for i, one in enumerate(found) if one.primary and one.family == family and not one.voided]
        adjusted |= dict(zip(places, holm([found[i].paired.p for i in places]), strict=True))
    others = [i for i, one in enumerate(found) if one.exploratory and not one.voided]
    q = dict(zip(others, bh([found[i].paired.p for i in others]), strict=True))
    return [_judged(one, adjusted.get(i), q.get(i)) for i, one in enumerate(found)]


def _judged(one: Contrast, adjusted: float | None, q: float | None) -> Contrast:
    decisive = adjusted if one.primary else q
    significant = decisive is not None and decisive <= ALPHA
    hidden = significant or one.identical or bool(one.voided)
    return replace(
        one, p_adjusted=adjusted, q=q, significant=significant, visible_from=None if hidden else one.paired.mde
    )
