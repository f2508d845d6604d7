"""A gate's verdict and a comparison in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from youju.lab.compare import Compared, Comparison
from youju.lab.gate import SENTENCE, Check, Verdict
from youju.lab.report.tables import WHOLE, number, table
from youju.lab.report.verdict import VOIDED, interval
from youju.lab.results import MeasureInfo, Results

CODES: Mapping[int, str] = {0: "通过", 1: "不通过", 2: "不能下结论"}
NOTES: Mapping[str, str] = {
    "no_case_lost": "没有一题变差",
    "within_margin": "即使变差也在容许范围内",
    "loss": "变差超过容许范围，且不是偶然",
    "inconclusive": "题目太少，不能排除变差超过容许范围",
    "not_shown": "看起来变差超过容许范围，但可能是偶然",
    "failed": "硬性检查不合格（一处也不容许，作为标准的那次也不合格时同样不通过；原因见报告“失败的题”）",
    "no_cases": "没有两边都有值的题",
    "not_measured": "这次没有测",
    "uncalibrated": "裁判未经人工校准，不作依据",
    "no_margin": "没有说明容许多少",
    "gone": "原来有值的题现在都没有值",
    "fewer": "有值的题明显变少",
    "many_errors": "出错的题超过 2 %",
    "uneven_errors": "出错的题明显变多",
}
SHOWN = 10


def paragraph(found: Verdict, infos: Sequence[MeasureInfo], arm: str) -> str:
    """One paragraph: the decision, what decided, and what would help."""
    titles = {info.name: info.title for info in infos} | {SENTENCE: "拒答原句"}
    deciding = [one for one in found.checks if f"{one.kind}:{one.measure}:{one.note}" in found.reasons]
    named = [one for one in deciding if one.measure != WHOLE]
    deciding = named or deciding
    parts = [_check(one, titles[one.measure]) for one in deciding]
    needed = f"要看清楚大约需要 {found.needed} 题。" if found.needed else ""
    changed = f"有 {len(found.changed)} 题在两次运行里不同，没有计入。" if found.changed else ""
    return f"门禁{CODES[found.code]}（方案 {arm}，{found.cases} 题）：{'；'.join(parts)}。{needed}{changed}"


def _check(one: Check, title: str) -> str:
    figures = "" if one.paired is None else f"（{one.paired.delta:+.3f} {interval(one.paired)}"
    if figures:
        figures += f"，容许 {one.margin:g}）" if one.margin is not None else "）"
    bad = one.state != "pass"
    ids = f"：{'、'.join(one.cases[:SHOWN])}{' …' if len(one.cases) > SHOWN else ''}" if one.cases and bad else ""
    return f"{title} {NOTES.get(one.note, one.note)}{figures}{ids}"


def compared(found: Comparison, infos: Sequence[MeasureInfo]) -> Iterator[str]:
    """A table of all measures, then the cases that flipped."""
    titles = {info.name: info.title for info in infos}
    units = {info.name: info.unit for info in infos}
    changed = f"，另有 {len(found.changed)} 题在两次运行里不同，没有计入" if found.changed else ""
    yield f"{found.before} → {found.after}：{found.cases} 题{changed}。都是探索性的（q 为 BH 校正，* 表示 q ≤ 0.05）。"
    rows = [
        (
            titles[one.measure],
            number(one.paired.mean_a),
            number(one.paired.mean_b),
            _delta(one, units[one.measure]),
            "" if one.q is None else f"{one.q:.3f}{' *' if one.significant else ''}",
            f"{one.improved}/{one.paired.n - one.improved - one.worsened}/{one.worsened}",
        )
        for one in found.measures
        if one.paired.n
    ]
    yield table(("指标", "之前", "之后", "Δ [95 %]", "q", "变好/不变/变差"), rows)
    flipped = [one for one in found.measures if one.to_right or one.to_wrong]
    if flipped:
        each = [(titles[one.measure], "、".join(one.to_right), "、".join(one.to_wrong)) for one in flipped]
        yield table(("指标", "由错变对", "由对变错"), each)


def _delta(one: Compared, unit: str) -> str:
    if one.voided:
        return VOIDED[one.voided]
    if unit and one.paired.wins == one.paired.losses == 0:
        return "没有一题不同"
    return f"{one.paired.delta:+.3f} {interval(one.paired)}"


def settings(before: Results, after: Results) -> str:
    """Which search settings two runs differ in; "" if in none."""
    old, new = (one.manifest.get("settings") for one in (before, after))
    if not (isinstance(old, Mapping) and isinstance(new, Mapping)):
        return ""
    other = [f"{name} {old.get(name)} → {new.get(name)}" for name in new if old.get(name) != new.get(name)]
    return f"设置不同：{'，'.join(other)}。" if other else ""
