"""The blocks of a report as Markdown tables, to paste anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from youju.lab.causes import TITLES
from youju.lab.report.primaries import CATEGORIES, FAMILIES
from youju.lab.report.verdict import VOIDED, interval
from youju.lab.results import MeasureInfo, Results
from youju.lab.score import Score
from youju.lab.stats.means import Means
from youju.lab.summary.figures import Cell, Contrast, Summary

ANSWER_MAX = 80
WHOLE = "deterministic_passed"
"""All checks together: what failed is told by its own name."""
REFUSED: Mapping[str, str] = {
    "scope_empty": "范围内没有文档",
    "no_candidates": "什么也没有找到",
    "low_evidence": "依据不足",
    "model_refused": "模型说资料中没有",
}
CAUSES: Mapping[str, str] = {str(name): title for name, title in TITLES.items()}
HEAD = (
    *("指标", "方案", "均值 [95 %]", "Δ 前一步 [95 %]", "p", "胜/平/负", "可见 ≥", "n"),
    *("不适用", "出错", "出错计失败", "最坏–最好"),
)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; what would break a cell is written otherwise."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(_cell(one) for one in line) + " |" for line in lines)


def overall(summary: Summary, voided: frozenset[str]) -> Iterator[str]:
    """Arms × measures, a table a family: mean with its interval, counts, and the paired step to the arm before.

    Args:
        summary: the figures.
        voided: measures whose figures must not be used; shown struck through, never compared.
    """
    for family, title in FAMILIES.items():
        infos = [info for info in summary.measures if info.family == family]
        rows = [_row(summary, cell, info, info.name in voided) for info in infos for cell in _cells(summary, info)]
        if rows:
            yield f"#### {title}\n\n" + table(
                (
                    "指标",
                    "方案",
                    "均值 [95 %]",
                    "Δ 前一步 [95 %]",
                    "p",
                    "胜/平/负",
                    "可见 ≥",
                    "n",
                    "不适用",
                    "出错",
                    "出错计失败",
                    "最坏–最好",
                ),
                rows,
            )


def _cells(summary: Summary, info: MeasureInfo) -> Iterator[Cell]:
    for arm in summary.arms:
        cell = summary.cell(arm.name, info.name)
        # An arm for which a measure is undefined throughout has no line; the manifest says what it lacks.
        if cell is not None and (cell.means.n or cell.means.errors):
            yield cell


def _row(summary: Summary, cell: Cell, info: MeasureInfo, void: bool) -> tuple[str, ...]:  # noqa: FBT001
    step = next((one for one in summary.of(info.name) if one.after == cell.arm and one.kind == "step"), None)
    found = cell.means
    name = f"{info.title}{f'（{info.unit}）' if info.unit else ''}{' ↓' if info.better == 'lower' else ''}"
    primary = summary.primary.get(info.family) == info.name
    shown = mean(found) if not void else f"~~{mean(found)}~~"
    step = None if void else step
    return (
        f"**{name}**" if primary else name,
        cell.arm,
        shown,
        delta(step, info),
        p(step),
        "" if step is None else f"{step.paired.wins}/{step.paired.ties}/{step.paired.losses}",
        ""
        if step is None or step.visible_from is None or (info.unit and not step.paired.spread)
        else f"{step.visible_from:.3f}",
        str(found.n),
        str(found.not_applicable),
        str(found.errors),
        number(found.failures_as_zero) if found.errors else "",
        f"{number(found.worst)}–{number(found.best)}" if found.errors else "",
    )


def mean(found: Means) -> str:
    if found.complete is None:
        return "—"
    # Of cases that all have the same figure the spread says nothing about others.
    known = found.low is not None and found.low != found.high
    return number(found.complete) + (f" [{number(found.low)}, {number(found.high)}]" if known else "")


def delta(one: Contrast | None, info: MeasureInfo) -> str:
    if one is None:
        return ""
    if one.voided:
        return f"不能比较：{VOIDED[one.voided]}"
    if one.identical:
        return "完全相同"
    if info.unit and one.paired.wins == one.paired.losses == 0:
        # How often they may still differ is a share, and no figure of this unit.
        return "没有一题不同"
    return f"{one.paired.delta:+.3f} {interval(one.paired)}"


def p(one: Contrast | None) -> str:
    """The p of a planned contrast after Holm; of the others the BH q, called exploratory."""
    if one is None or one.voided or one.identical:
        return ""
    if one.primary and one.p_adjusted is not None:
        return f"{one.p_adjusted:.4f}{' *' if one.significant else ''}"
    return "" if one.q is None else f"q {one.q:.3f}（探索）"


def slices(summary: Summary, voided: frozenset[str]) -> str:
    """The primary measures by category: mean, n and interval, no stars; below 10 cases the mean and n only."""
    wanted = set(summary.primary.values()) - voided
    titles = {info.name: info.title for info in summary.measures}
    rows = [
        (
            CATEGORIES.get(one.category, one.category),
            titles[one.measure],
            one.arm,
            number(one.mean) + ("" if one.low is None else f" [{number(one.low)}, {number(one.high)}]"),
            str(one.n),
            str(one.errors),
        )
        for one in summary.slices
        if one.measure in wanted and one.n + one.errors
    ]
    return table(("类别", "指标", "方案", "均值 [95 %]", "n", "出错"), rows)


def questions(results: Results, measures: Sequence[str]) -> str:
    """One row a question × arm × repeat."""
    scores = {(row.arm, row.case_id, row.repeat, row.measure): row.score for row in results.rows}
    asked = {case.id: case for case in results.cases}
    titles = {info.name: info.title for info in results.measures}
    rows = []
    for one in sorted(results.outcomes, key=lambda o: (list(asked).index(o.case_id), o.repeat)):
        figures = [_shown(scores.get((one.arm, one.case_id, one.repeat, name))) for name in measures]
        said = one.error or (f"（拒答：{REFUSED.get(one.refusal, one.refusal)}）" if one.refusal else one.answer)
        question = _short(asked[one.case_id].question)
        rows.append((one.case_id, one.arm, question, *figures, CAUSES.get(one.cause, one.cause), _short(said)))
    return table(("编号", "方案", "问题", *(titles[name] for name in measures), "原因", "回答"), rows)


def _shown(score: Score | None) -> str:
    if score is not None and score.kind == "error":
        return "出错"
    return number(None if score is None else score.value)


def failures(results: Results) -> Iterator[str]:
    """Pairs that crashed first, then wrong answers by cause; both with the place of their record."""
    broken = [one for one in results.outcomes if one.error]
    if broken:
        yield "#### 出错的“题目×方案”\n\n" + table(
            ("编号", "方案", "错误"), [(one.case_id, one.arm, one.error) for one in broken]
        )
    hard = {info.name: info.title for info in results.measures if info.gate == "hard" and info.name != WHOLE}
    checks = [
        row for row in results.rows if row.measure in hard and row.score.value is not None and row.score.value < 1
    ]
    if checks:
        yield "#### 不合格的硬性检查\n\n" + table(
            ("编号", "方案", "检查", "为什么"),
            [(row.case_id, row.arm, hard[row.measure], row.score.reason) for row in checks],
        )
    wrong = [one for one in results.outcomes if one.cause not in {"", "none", "broke"}]
    if wrong:
        causes = dict.fromkeys(sorted((one.cause for one in wrong), key=list(CAUSES).index))
        arms = [arm.name for arm in results.arms if not arm.missing]
        rows = [
            (CAUSES[name], *(_ids([o.case_id for o in wrong if (o.cause, o.arm) == (name, arm)]) for arm in arms))
            for name in causes
        ]
        yield "#### 答错的题，按原因\n\n" + table(("原因", *arms), rows)


def _ids(ids: Sequence[str]) -> str:
    once = list(dict.fromkeys(ids))
    return f"{len(once)}：{'、'.join(once[:30])}{' …' if len(once) > 30 else ''}" if once else "0"  # noqa: PLR2004


def number(value: float | None) -> str:
    if value is None:
        return "—"
    return f"{value:.3f}" if abs(value) < 100 else f"{value:.0f}"  # noqa: PLR2004 - characters and tokens


def _short(text: str) -> str:
    one_line = " ".join(text.split())
    return one_line if len(one_line) <= ANSWER_MAX else f"{one_line[:ANSWER_MAX]}…"


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("](", "]\\(").replace("\n", " ")
