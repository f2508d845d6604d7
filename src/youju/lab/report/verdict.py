"""The figures in words: what each step gained, what cannot be seen, and what must be looked at first."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from youju.lab.results import MeasureInfo, Results
from youju.lab.stats.paired import Paired
from youju.lab.summary.figures import Contrast, Summary

SEARCHED, ANSWERED = ("recall@5", "evidence_mrr"), ("keyword_recall",)
NAMED = 12


def verdict(results: Results, summary: Summary) -> list[str]:
    """Sentences in Chinese, the most important first."""
    return [*_warnings(results, summary), *_arms(results, summary), *_steps(summary), *_missing(summary)]


def _warnings(results: Results, summary: Summary) -> Iterator[str]:
    manifest = results.manifest
    audit = _of(manifest, "audit", "set")
    if audit and not audit.get("passed"):
        yield f"**题目集没有通过审核**（{audit.get('digest')}），下面的数字只能当线索。"
    if why := manifest.get("stopped"):
        yield f"**运行提前停止**：{STOPPED.get(str(why), why)}，只统计了 {summary.cases} 题；可用 --resume 接着跑。"
    failed = [one for one in results.rows if one.score.kind == "error"]
    if failed:
        cases = {(one.arm, one.case_id) for one in failed}
        yield f"**有 {len(cases)} 个“题目×方案”出错**，出错不算 0 分也不剔除，均值给出三种算法。"
    hard = {info.name: info for info in results.measures if info.gate == "hard" and info.name != "deterministic_passed"}
    valued = [(row.measure, row.score.value) for row in results.rows if row.measure in hard]
    broken = [measure for measure, value in valued if value is not None and value < 1]
    if broken:
        names = "、".join(sorted({hard[measure].title for measure in broken}))
        yield f"**硬性检查有 {len(broken)} 处不合格**：{names}；是哪几题、为什么，见“失败的题”。"
    judge = results.judge
    if judge and judge.get("void"):
        yield "**裁判没有通过埋设的对照题**，本次裁判数字作废，只以灰色列出，不比较。"
    elif judge and not judge.get("calibrated"):
        yield "裁判数字**未经人工校准**：可以看趋势，不作结论。"


def _arms(results: Results, summary: Summary) -> Iterator[str]:
    """One sentence an arm: how many questions it got right of each kind, and which it did not."""
    answerable = {case.id for case in results.cases if case.answerable}
    searched = not any(one.answer or one.refusal for one in results.outcomes)
    for arm in summary.arms:
        mine = [one for one in results.outcomes if one.arm == arm.name and one.repeat == 0]
        if searched:
            yield f"{arm.name}（{arm.title}）：{'，'.join(_means(summary, arm.name, SEARCHED))}。"
            continue
        some, none = [[one for one in mine if (one.case_id in answerable) is side] for side in (True, False)]
        parts = [f"{len(some)} 题有答案，答了 {sum(not one.refusal for one in some)} 题"] if some else []
        parts += _means(summary, arm.name, ANSWERED)
        parts += [f"{len(none)} 题没有答案，拒答 {sum(bool(one.refusal) for one in none)} 题"] if none else []
        wrong = [one.case_id for one in mine if one.cause not in {"", "none"}]
        told = f"；没有答好 {len(wrong)} 题：{'、'.join(wrong[:NAMED])}{' …' if len(wrong) > NAMED else ''}"
        yield f"{arm.name}（{arm.title}）：{'，'.join(parts)}{told if wrong else ''}。"


def _means(summary: Summary, arm: str, names: Sequence[str]) -> Iterator[str]:
    for name in names:
        cell = summary.cell(arm, name)
        if cell is not None and cell.means.complete is not None:
            yield f"{_title(summary, name)} {cell.means.complete:.3f}"


def _title(summary: Summary, name: str) -> str:
    return next(info.title for info in summary.measures if info.name == name)


def _steps(summary: Summary) -> Iterator[str]:
    """One sentence a step: what changed and by how much, then of what no difference could be seen."""
    titles = {arm.name: arm.title for arm in summary.arms}
    planned = [one for one in summary.contrasts if one.primary]
    for before, after, kind in dict.fromkeys((one.before, one.after, one.kind) for one in planned):
        mine = [one for one in planned if (one.before, one.after, one.kind) == (before, after, kind)]
        head = f"{'总的来说，' if kind == 'overall' else ''}{before} → {after}（{titles[after]}）"
        if all(one.identical for one in mine):
            yield f"{head}：每个回答与每个数字都相同，没有可比的差异。"
            continue
        yield f"{head}：{'；'.join(_parts(mine, summary))}。"


def _parts(mine: Sequence[Contrast], summary: Summary) -> Iterator[str]:
    infos = {info.name: info for info in summary.measures}
    seen = [one for one in mine if one.significant and not one.voided]
    unseen = [one for one in mine if not (one.significant or one.voided or one.identical)]
    for one in seen:
        yield changed(one, infos[one.measure])
    if unseen:
        each = "、".join(_unseen(one, infos[one.measure]) for one in unseen)
        yield f"{'其余' if seen else ''}差异都在偶然的范围内：{each}"
    for one in mine:
        if one.voided:
            yield f"{infos[one.measure].title}不能比较（{VOIDED[one.voided]}）"


def changed(one: Contrast, info: MeasureInfo) -> str:
    """A difference that is no chance, with its interval."""
    better = (one.paired.delta > 0) == (info.better != "lower")
    change = f"{'提高' if one.paired.delta > 0 else '降低'} {abs(one.paired.delta):.3f} {interval(one.paired)}"
    return f"**{info.title}{change}**{'' if better else '，**变差**'}"


def _unseen(one: Contrast, info: MeasureInfo) -> str:
    """Never "no effect": what could have been seen."""
    least = "" if one.visible_from is None else f"，只能看出 ≥ {one.visible_from:.3f}"
    return f"{info.title}（{one.paired.delta:+.3f} {interval(one.paired)}，{one.paired.n} 题{least}）"


def interval(one: Paired) -> str:
    """Both ends; of one case or none there is no interval."""
    return f"[{one.low:+.3f}, {one.high:+.3f}]" if math.isfinite(one.low + one.high) else "[题太少]"


STOPPED = {
    "max_cost": "费用到了上限",
    "unknown_cost": "服务没有报告用量，费用无法控制",
    "judge_deadline": "裁判的总时限已到",
}
VOIDED = {
    "judge_void": "裁判没有通过对照题",
    "many_errors": "出错的题超过 2 %",
    "uneven_errors": "两边出错的比例相差超过 5 个百分点",
    "no_cases": "没有两边都有值的题",
}


def _missing(summary: Summary) -> Iterator[str]:
    if summary.missing:
        reasons = "；".join(f"{arm.name}（{arm.title}）{arm.missing}" for arm in summary.missing)
        yield f"没有运行的方案：{reasons}。"


def _of(manifest: object, name: str, section: str) -> dict[str, object]:
    inside = manifest.get(section, {}) if hasattr(manifest, "get") else {}
    found = inside.get(name) if hasattr(inside, "get") else None
    return found if isinstance(found, dict) else {}
