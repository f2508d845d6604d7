"""The plots of a report: paired differences, latency by stage, and what refusing more would cost."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from youju.lab.report.drawing import COLOURS, GREY, Scale, bar, dot, line, path, svg, text
from youju.lab.results import Results
from youju.lab.summary.figures import Contrast, Summary

WIDTH = 860.0
LEFT, RIGHT = 330.0, 820.0
FELT_S = 1e-4


def plots(results: Results, summary: Summary) -> dict[str, str]:
    """Name → SVG; a plot for which there is nothing to draw is not there."""
    found = {
        "forest": forest(summary),
        "latency": latency(results),
        "risk-coverage": risk_coverage(results),
    }
    return {name: drawn for name, drawn in found.items() if drawn}


def forest(summary: Summary) -> str:
    """The planned contrasts: each difference with its interval on one line, 0 marked; "" without any."""
    rows = [one for one in summary.contrasts if one.primary and not one.voided and not one.identical]
    rows = [one for one in rows if np.isfinite([one.paired.low, one.paired.high]).all()]
    if not rows:
        return ""
    reach = max(0.02, *(abs(end) for one in rows for end in (one.paired.low, one.paired.high)))
    scale, height = Scale(-reach, reach, LEFT, RIGHT), 50.0 + 26 * len(rows)
    parts = [line((scale(0), 26), (scale(0), height - 24), colour=GREY, dash="4 3")]
    parts += [text(scale(tick), height - 8, f"{tick:+.3f}", anchor="middle") for tick in scale.ticks()]
    titles = {info.name: info.title for info in summary.measures}
    for at, one in enumerate(rows):
        parts += _contrast(one, titles[one.measure], scale, 40.0 + 26 * at)
    return svg(WIDTH, height, "配对差异与 95 % 区间", [text(8, 16, "配对差异与 95 % 区间（计划内的对比）"), *parts])


def _contrast(one: Contrast, title: str, scale: Scale, y: float) -> list[str]:
    colour = COLOURS[0] if one.significant else GREY
    return [
        text(8, y + 4, f"{one.before} → {one.after}  {title}"),
        line((scale(one.paired.low), y), (scale(one.paired.high), y), colour=colour, width=2),
        dot(scale(one.paired.delta), y, colour=colour),
    ]


def latency(results: Results) -> str:
    """The median of every stage, stacked, an arm a bar; "" without a sequential pass."""
    arms = [(arm, stages) for arm, stages in results.timing.items() if stages.get("total")]
    if not arms:
        return ""
    shown = (name for _, stages in arms for name in stages if "#" not in name and felt(stages[name]))
    names = [name for name in dict.fromkeys(shown) if name != "total"]
    medians = {arm: {name: 1000 * float(np.median(s[name])) for name in names if s.get(name)} for arm, s in arms}
    scale = Scale(0, max(sum(each.values()) for each in medians.values()) or 1, 110, RIGHT - 40)
    height = 60.0 + 30 * len(arms) + 20 * ((len(names) + 3) // 4)
    parts = [text(8, 16, "各阶段耗时的中位数（毫秒，逐题顺序运行）")]
    for at, (arm, each) in enumerate(medians.items()):
        y, x = 30.0 + 30 * at, 0.0
        parts.append(text(8, y + 15, arm))
        for name, value in each.items():
            colour = COLOURS[names.index(name) % len(COLOURS)]
            wide = scale(x + value) - scale(x)
            parts.append(bar((scale(x), y), wide, 20, colour=colour, said=f"{name} {value:.1f} ms"))
            x += value
        parts.append(text(scale(x) + 6, y + 15, f"{x:.0f}"))
    for at, name in enumerate(names):
        x, y = 8 + 210 * (at % 4), 48.0 + 30 * len(arms) + 20 * (at // 4)
        parts += [bar((x, y - 10), 10, 10, colour=COLOURS[at % len(COLOURS)], said=name), text(x + 16, y, name)]
    return svg(WIDTH, height, "各阶段耗时", parts)


def felt(seconds: Sequence[float]) -> bool:
    """Whether a stage takes long enough to be told: a tenth of a millisecond."""
    return bool(seconds) and float(np.median(seconds)) >= FELT_S


def risk_coverage(results: Results) -> str:
    """Share of questions answered against the share of those that have no answer, an arm that grades a curve."""
    answerable = {case.id: case.answerable for case in results.cases}
    curves = {
        arm.name: curve
        for arm in results.arms
        if (
            curve := points(
                [
                    (one.probability, answerable[one.case_id])
                    for one in results.outcomes
                    if one.arm == arm.name and one.probability is not None
                ]
            )
        )
    }
    if not curves:
        return ""
    across, up = Scale(0, 1, 70, 600), Scale(0, max(0.05, *(r for c in curves.values() for _, r in c)), 320, 40)
    parts = [text(8, 16, "风险–覆盖：回答得越多，其中资料里没有答案的占多少")]
    parts += [line((70, 320), (600, 320)), line((70, 320), (70, 40))]
    parts += [text(across(tick), 338, f"{tick:.2f}", anchor="middle") for tick in across.ticks()]
    parts += [text(62, up(tick) + 4, f"{tick:.2f}", anchor="end") for tick in up.ticks()]
    parts.append(text(335, 356, "覆盖（回答的比例）", anchor="middle"))
    for at, (name, curve) in enumerate(curves.items()):
        colour = COLOURS[at % len(COLOURS)]
        parts.append(path([(across(coverage), up(risk)) for coverage, risk in curve], colour=colour))
        parts += [bar((630, 44 + 20 * at), 10, 10, colour=colour, said=name), text(646, 53 + 20 * at, name)]
    return svg(WIDTH, 366, "风险–覆盖曲线", parts)


def points(graded: Sequence[tuple[float, bool]]) -> list[tuple[float, float]]:
    """(coverage, risk) for every bound on the probability, the surest question first; [] where all or none has one."""
    if len({answerable for _, answerable in graded}) < 2:  # noqa: PLR2004 - both kinds
        return []
    ordered = sorted(graded, key=lambda one: -one[0])
    found, wrong = [], 0
    for at, (probability, answerable) in enumerate(ordered, start=1):
        wrong += not answerable
        if at == len(ordered) or ordered[at][0] != probability:
            found.append((at / len(ordered), wrong / at))
    return found
