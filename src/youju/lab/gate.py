"""May this change ship? Pass, loss or too little to say, for a build that must decide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Literal

from youju.errors import InputError
from youju.lab.columns import Column, columns, error_shares, pair, shared
from youju.lab.compare import kept, ran, same_cases
from youju.lab.results import MeasureInfo, Results
from youju.lab.stats.binary import mcnemar
from youju.lab.stats.many import holm
from youju.lab.stats.noninferiority import noninferior
from youju.lab.stats.paired import Paired
from youju.lab.stats.power import cases_needed
from youju.lab.summary.contrasts import MOST_ERRORS, MOST_UNEVEN

DOUBT = 0.25
UNJUDGED = "unjudged"
State = Literal["pass", "fail", "unclear", "skipped"]

ALPHA = 0.05
SENTENCE = "refusal_sentence"  # no measure of an answer: how all refusals read
SIDE_ALPHA = 0.01
"""Of what is watched beside the primary measure where answers are sampled: twenty clean runs should raise no alarm."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at.

    kind: primary, delta (any other measure that must not lose), hard, errors (too many), defined (figures that are
    gone). cases: those that failed or got worse. p: after correction. needed: how many cases would tell.
    note: no_case_lost, within_margin, loss, inconclusive, not_shown (a loss beyond the margin that may be chance),
    failed, no_cases, not_measured, uncalibrated, no_margin, gone, fewer, many_errors, uneven_errors.
    """

    measure: str
    kind: Literal["primary", "delta", "hard", "errors", "defined"]
    state: State
    note: str
    paired: Paired | None = None
    cases: tuple[str, ...] = ()
    p: float | None = None
    margin: float | None = None
    needed: int | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """code: 0 pass, 1 a loss or a failed check, 2 inconclusive. reasons: "kind:measure:note" of what decided.

    needed: cases in all, for the primary measure, where that is what it lacks. changed: cases that were left out.
    """

    code: Literal[0, 1, 2]
    reasons: tuple[str, ...]
    checks: tuple[Check, ...]
    cases: int
    needed: int | None = None
    changed: tuple[str, ...] = field(default=())


@dataclass(frozen=True)
class _Sides:
    """Both runs of one arm, over the cases that are the same."""

    old: Mapping[str, Column]
    new: Mapping[str, Column]
    all_new: Mapping[str, Column]
    errors: Mapping[str, tuple[float, float]]
    refused: frozenset[str]
    calibrated: bool
    fixed: bool


def gate(
    baseline: Results,
    now: Results,
    *,
    arm: str,
    primary: str,
    margin: float | Mapping[str, float],
    deterministic: bool | None = None,
) -> Verdict:
    """Whether an arm is still as good as it was.

    Fail (1): the primary measure lost more than the margin, and not by chance; so did another measure that must not
    lose (corrected for their number); a hard check failed; figures are gone, or errors came. Inconclusive (2): nothing
    failed, but the primary measure may have lost more than the margin, or, where nothing is chance, another one did.
    Pass (0): it lost on no case, or the whole interval of its difference is above −margin.

    Args:
        baseline: the run that was good.
        now: the run to judge.
        arm: its name in both.
        primary: the measure that decides.
        margin: how much of it may be lost, in its unit, ≥ 0; holds for every other share too. Or measure → its own
            margin, with the primary's among them. A measure with a unit (seconds) is only watched if it has its own.
        deterministic: the same question always ends the same way, so no difference is noise and the other measures
            need no correction. None: what both manifests say under "deterministic", else no.

    Raises:
        InputError: an arm or primary measure that did not run, a negative margin, or sets without a case in common.
    """
    own = dict(margin) if isinstance(margin, Mapping) else {primary: margin}
    ran(baseline, arm)
    ran(now, arm)
    _known(baseline, now, primary, own)
    cases, changed = same_cases(baseline, now)
    sides = _sides(baseline, now, arm=arm, cases=cases, deterministic=deterministic)
    checks = list(_checks(baseline.measures, sides, own, primary))
    side = [check for check in checks if check.note == UNJUDGED]
    checks = [check for check in checks if check.note != UNJUDGED]
    checks += _sentence(baseline, now)
    checks += _watched(side, {info.name: info for info in baseline.measures}, sides.fixed)
    return _verdict(checks, len(cases), changed)


def _checks(infos: Iterable[MeasureInfo], sides: _Sides, margins: Mapping[str, float], primary: str) -> Iterator[Check]:
    """All that is looked at; differences beside the primary one not judged yet, since that takes all of them."""
    for info in infos:
        first = info.name == primary
        excused = _excused(info, sides)
        if excused is not None:
            yield replace(excused, kind="primary", state="unclear") if first else excused
            continue
        if first or info.gate != "none":
            yield from _health(info, sides)
        if info.gate == "hard":
            yield _hard(info, sides)
        if first:
            yield _lost(_difference(info, sides, margins[primary]), info, primary=True)
        elif info.gate == "delta":
            yield _difference(info, sides, margins.get(info.name, None if info.unit else margins[primary]))


def _known(baseline: Results, now: Results, primary: str, margins: Mapping[str, float]) -> None:
    names = {info.name for info in baseline.measures} & {info.name for info in now.measures}
    if primary not in names:
        alike = get_close_matches(primary, names, 3)
        known = f"是不是 {'、'.join(alike)}？" if alike else f"可以选择：{'、'.join(sorted(names))}"
        raise InputError(f"两次评测不都有名为 {primary!r} 的指标", remedy=known, code="bad_measure")
    if primary not in margins:
        raise InputError(f"没有说明指标 {primary!r} 容许的损失", remedy="请为它指定 margin", code="bad_margin")
    if wrong := sorted(name for name, value in margins.items() if not value >= 0):
        raise InputError(f"容许的损失不能是负数：{'、'.join(wrong)}", remedy="请用 0 或正数", code="bad_margin")


def _sides(baseline: Results, now: Results, *, arm: str, cases: frozenset[str], deterministic: bool | None) -> _Sides:
    old, new = columns(baseline), columns(now)
    old_errors, new_errors = error_shares(baseline), error_shares(now)
    said = all(run.manifest.get("deterministic") is True for run in (baseline, now))
    return _Sides(
        old=kept(old, arm, cases),
        new=kept(new, arm, cases),
        all_new={measure: column for (of, measure), column in new.items() if of == arm},
        errors={
            measure: (share, new_errors.get((of, measure), 0.0))
            for (of, measure), share in old_errors.items()
            if of == arm
        },
        refused=frozenset(one.case_id for one in now.outcomes if one.arm == arm and one.refusal),
        calibrated=all(run.judge.get("calibrated") is True and not run.judge.get("void") for run in (baseline, now)),
        fixed=said if deterministic is None else deterministic,
    )


def _excused(info: MeasureInfo, sides: _Sides) -> Check | None:
    """Why a measure is not looked at."""
    if info.family == "judge" and not sides.calibrated:
        return Check(info.name, "delta", "skipped", "uncalibrated")
    if info.name not in sides.new:
        hard = info.gate == "hard"
        return Check(info.name, "hard" if hard else "delta", "unclear" if hard else "skipped", "not_measured")
    return None


def _health(info: MeasureInfo, sides: _Sides) -> Iterator[Check]:
    """Errors that came, and figures that went other than by a refusal, which has measures of its own."""
    before, after = sides.errors[info.name]
    if after > MOST_ERRORS:
        failed = tuple(case for case, score in sides.all_new[info.name].items() if score.kind == "error")
        uneven = after - before > MOST_UNEVEN
        state: State = "fail" if uneven else "unclear"
        yield Check(info.name, "errors", state, "uneven_errors" if uneven else "many_errors", cases=failed)
    old, new = sides.old[info.name], sides.new[info.name]
    kinds = {case: (score.kind, new[case].kind) for case, score in old.items() if case in new.keys() - sides.refused}
    gone = tuple(case for case, kind in kinds.items() if kind == ("ok", "not_applicable"))
    come = sum(kind == ("not_applicable", "ok") for kind in kinds.values())
    none_left = not any(kind[1] == "ok" for kind in kinds.values())
    if len(gone) > come and (mcnemar(come, len(gone)) <= SIDE_ALPHA or (none_left and sides.fixed)):
        state = "fail" if none_left else "unclear"
        yield Check(info.name, "defined", state, "gone" if none_left else "fewer", cases=gone)


def _hard(info: MeasureInfo, sides: _Sides) -> Check:
    """Failed: below 1 (above 0 where lower is better), or an error, on a case where it was not so before.

    What every answer must satisfy (family "checks") is failed by any such case, old or new.
    """
    old, new = sides.old[info.name], sides.new[info.name]

    def bad(value: float | None) -> bool:
        return value is not None and (value > 0 if info.better == "lower" else value < 1)

    if info.family == "checks":
        failed = [case for case, score in sides.all_new[info.name].items() if bad(score.value)]
    else:
        failed = [case for case, score in new.items() if bad(score.value) and case in old and not bad(old[case].value)]
    failed += [case for case, score in new.items() if score.kind == "error" and case in old and old[case].kind == "ok"]
    return Check(info.name, "hard", "fail" if failed else "pass", "failed" if failed else "", cases=tuple(failed))


def _sentence(baseline: Results, now: Results) -> Iterator[Check]:
    """Failed where a refusal reads otherwise than it did: programs and people know it by its sentence."""
    was, is_ = (run.manifest.get("refusal") for run in (baseline, now))
    if was is not None and is_ is not None and was != is_:
        yield Check(SENTENCE, "hard", "fail", "failed")


def _difference(info: MeasureInfo, sides: _Sides, margin: float | None) -> Check:
    """The difference, not judged yet."""
    old, new = sides.old[info.name], sides.new[info.name]
    sign = -1 if info.better == "lower" else 1
    worse = tuple(case for case, was, is_ in zip(*shared(old, new), strict=True) if sign * (is_ - was) < 0)
    difference = pair(old, new, info)
    return Check(info.name, "delta", "pass", UNJUDGED, difference, worse, difference.p, margin)


def _watched(side: list[Check], infos: Mapping[str, MeasureInfo], fixed: bool) -> list[Check]:  # noqa: FBT001
    """The other measures: a loss beyond its margin that is no chance fails.

    Where answers are sampled a smaller one passes: among so many measures some always lose. Where they are not, a loss
    that nothing outweighs is a doubt.
    """
    tested = [one for one in side if one.margin is not None and one.paired is not None and one.paired.n]
    ps = [one.p if one.p is not None else 1.0 for one in tested]
    corrected = dict(zip((one.measure for one in tested), ps if fixed else holm(ps), strict=True))
    judged = []
    for one in side:
        if one.measure not in corrected:
            note = "no_margin" if one.margin is None else "no_cases"
            judged.append(replace(one, state="skipped", note=note))
            continue
        check = replace(one, p=corrected[one.measure])
        lost = _lost(check, infos[one.measure], alpha=ALPHA if fixed else SIDE_ALPHA)
        judged.append(replace(lost, state="unclear") if fixed and _doubtful(lost) else lost)
    return judged


def _doubtful(lost: Check) -> bool:
    """Whether a loss beyond the margin has no case to set against it, or is at least hardly chance."""
    difference = lost.paired
    if lost.note != "not_shown" or difference is None:
        return False
    one_sided = difference.wins == 0 or difference.losses == 0
    return one_sided or difference.p <= DOUBT


def _lost(check: Check, info: MeasureInfo, *, primary: bool = False, alpha: float = ALPHA) -> Check:
    difference, margin = check.paired, check.margin
    if difference is None or margin is None or not difference.n:
        return replace(check, kind="primary" if primary else "delta", state="unclear", note="no_cases")
    lower = info.better == "lower"
    gain, best = (-difference.delta, -difference.low) if lower else (difference.delta, difference.high)
    beyond = gain < -margin
    state: State = "pass"
    if not check.cases:
        note = "no_case_lost"
    elif noninferior(difference, margin, lower_is_better=lower) == "yes":
        note = "within_margin"
    elif beyond and best < 0 and check.p is not None and check.p <= alpha:
        state, note = "fail", "loss"
    else:
        state, note = "unclear" if primary else "pass", "not_shown" if beyond else "inconclusive"
    needed = _needed(difference, gain, margin) if state == "unclear" else None
    return replace(check, kind="primary" if primary else "delta", state=state, note=note, needed=needed)


def _needed(difference: Paired, gain: float, margin: float) -> int | None:
    """Cases to show the seen loss as one where it is beyond the margin, else to show that it is not."""
    if difference.spread == 0 or (margin == 0 and gain == 0):
        return None
    beyond = gain <= -margin
    wanted = cases_needed(difference.spread, -gain if beyond else margin, 0.0 if beyond else min(gain, 0.0))
    return max(difference.n + 1, wanted)


def _verdict(checks: list[Check], cases: int, changed: tuple[str, ...]) -> Verdict:
    failed = [one for one in checks if one.state == "fail"]
    unclear = [one for one in checks if one.state == "unclear"]
    deciding = failed or unclear or [one for one in checks if one.kind == "primary"]
    code: Literal[0, 1, 2] = 1 if failed else 2 if unclear else 0
    reasons = tuple(f"{one.kind}:{one.measure}:{one.note}" for one in deciding)
    needed = next((one.needed for one in checks if one.kind == "primary" and one.needed), None)
    return Verdict(code, reasons, tuple(checks), cases, needed, changed)
