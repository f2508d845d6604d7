"""The report of a run: Markdown, its JSON twin, plots and a page."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from youju.lab.report import manifest as made
from youju.lab.report import tables
from youju.lab.report.page import page
from youju.lab.report.plots import felt, plots
from youju.lab.report.primaries import PRIMARY
from youju.lab.report.verdict import verdict
from youju.lab.results import Results
from youju.lab.summary.figures import Summary
from youju.lab.summary.plain import plain
from youju.lab.summary.summarise import summarise

LEGEND = (
    "粗体是计划内检验的指标（每类一个，Holm 校正，* 表示 p < 0.05）；其余只作探索（q 为 BH 校正）。"
    "↓ 越低越好。“可见 ≥”是这样的样本在五次里有四次能看出的最小差异。"
)
PARTS: Mapping[str, str] = {"claims": "论断", "right": "论断与参考", "facts": "要点", "relevance": "切题"}
"""The parts of a judgement as people call them."""


@dataclass(frozen=True, slots=True)
class Report:
    """`verdict` in words; `json` the same facts for programs; `markdown` where it was written."""

    verdict: str
    json: Mapping[str, object]
    markdown: Path


def written(
    results: Results, out: Path, name: str, primary: Mapping[str, str] = PRIMARY, *, newest: bool = True
) -> Report:
    """Write `report-<name>.md`, `.json`, `.html` and the plots to `out`; `report.md` … point to the newest.

    Args:
        results: of a run.
        out: the folder, which is there.
        name: the moment of the run.
        primary: family → the measure that was planned to be tested.
        newest: False leaves `report.md` … as they are.
    """
    summary = summarise(results, {family: one for family, one in primary.items() if _ran(results, one)})
    said, drawn = verdict(results, summary), plots(results, summary)
    shown = {f"report-{name}.{plot}": picture for plot, picture in drawn.items()}
    text = markdown(results, summary, said, tuple(shown))
    facts = as_json(results, summary, said)
    files = {
        f"report-{name}.md": text,
        f"report-{name}.json": _in_lines(facts),
        f"report-{name}.html": page(f"评测报告 {name}", text, shown),
        **{f"{plot}.svg": picture for plot, picture in shown.items()},
    }
    for file, content in files.items():
        (out / file).write_text(content, encoding="utf-8")
    for suffix in ("md", "json", "html") if newest else ():
        _point(out / f"report.{suffix}", f"report-{name}.{suffix}")
    return Report("\n".join(said), facts, out / f"report-{name}.md")


def markdown(results: Results, summary: Summary, said: list[str], shown: tuple[str, ...]) -> str:
    """The blocks in their order: verdict, overall, slices, questions, failures; then everything else."""
    judge = results.judge
    voided = frozenset(one.name for one in results.measures if one.family == "judge" and judge.get("void"))
    primary = [name for name in summary.primary.values() if name not in voided]
    blocks = [
        "# 评测报告",
        "## 结论",
        "\n".join(f"- {one}" for one in said),
        "## 1 总表",
        LEGEND,
        *tables.overall(summary, voided),
        *(f"![{one}]({one}.svg)" for one in shown),
        "## 2 按类别",
        tables.slices(summary, voided),
        "## 3 逐题",
        tables.questions(results, primary),
        "## 4 失败的题",
        *(list(tables.failures(results)) or ["没有出错或判为答错的题。"]),
        *_latency(results),
        *_judge(judge),
        "## 运行记录",
        made.lines(results),
    ]
    return "\n\n".join(blocks) + "\n"


def as_json(results: Results, summary: Summary, said: list[str]) -> dict[str, object]:
    """The same facts for programs; not-a-number and infinity are null."""
    facts = {
        "verdict": said,
        "manifest": results.manifest,
        "summary": summary,
        "outcomes": results.outcomes,
        "rows": results.rows,
        "latency": {arm: {stage: _quantiles(each) for stage, each in s.items()} for arm, s in results.timing.items()},
        "judge": results.judge,
    }
    found = plain(facts)
    return found if isinstance(found, dict) else {}


def _in_lines(facts: Mapping[str, object]) -> str:
    """JSON with a line for each part: indented throughout it takes ten times as long."""
    parts = [
        f"{json.dumps(name)}: {json.dumps(part, ensure_ascii=False, allow_nan=False)}" for name, part in facts.items()
    ]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _latency(results: Results) -> list[str]:
    rows = []
    for arm, stages in results.timing.items():
        for stage in [name for name in stages if "#" not in name and (name == "total" or felt(stages[name]))]:
            warm, cold = _quantiles(stages[stage]), _quantiles(stages.get(f"{stage}#cold", ()))
            rows.append(
                (arm, "合计" if stage == "total" else stage, *(_ms(q[k]) for q in (cold, warm) for k in ("p50", "p95")))
            )
    if not rows:
        return []
    head = ("方案", "阶段", "首次 p50", "首次 p95", "再次 p50", "再次 p95")
    return ["## 耗时（毫秒）", "逐题顺序运行，不与其他题同时；首次与再次问同一题。", tables.table(head, rows)]


def _judge(judge: Mapping[str, object]) -> list[str]:
    if not judge:
        return []
    controls = judge.get("controls")
    right = f"{controls['right']}/{controls['total']}" if isinstance(controls, Mapping) else "—"
    again = [
        f"- {way}，{PARTS[one['part']]}：{one['compared']} 处中有 {one['differed']} 处不同"
        for name, way in (("noise", "同样再问一次"), ("modes", "分步与一次问完相比"))
        for one in _listed(judge.get(name))
    ]
    state = "作废" if judge.get("void") else "已校准" if judge.get("calibrated") else "未经人工校准"
    return [
        "## 裁判",
        f"- 裁判：`{judge.get('judge')}`\n- 对照题：{right}\n- 状态：{state}",
        "\n".join(again) or "没有重判。",
    ]


def _listed(found: object) -> list[dict[str, Any]]:
    return found if isinstance(found, list) else []


def _quantiles(seconds: tuple[float, ...]) -> dict[str, float | None]:
    if not seconds:
        return {"p50": None, "p95": None}
    p50, p95 = np.quantile(seconds, [0.5, 0.95])
    return {"p50": float(p50), "p95": float(p95)}


def _ms(seconds: float | None) -> str:
    return "—" if seconds is None else f"{1000 * seconds:.1f}"


def _ran(results: Results, measure: str) -> bool:
    return any(info.name == measure for info in results.measures)


def _point(link: Path, target: str) -> None:
    """A link to the newest; a copy where the file system has no links."""
    half = link.with_name(f".{link.name}.half")
    half.unlink(missing_ok=True)
    try:
        half.symlink_to(target)
    except OSError:
        half.write_bytes((link.parent / target).read_bytes())
    os.replace(half, link)  # noqa: PTH105 - atomic by its contract
