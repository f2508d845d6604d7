from __future__ import annotations

import json
import re
from xml.etree import ElementTree as ET

import pytest

from judgements import case
from youju.lab.report import written
from youju.lab.report.plots import points
from youju.lab.results import ArmInfo, MeasureInfo, Outcome, Results, Row
from youju.lab.score import error, not_applicable, ok

RECALL = MeasureInfo("recall@5", "出处 Recall@5", "retrieval")
HARD = MeasureInfo("quotes_verbatim", "引文是原文", "checks", binary=True, gate="hard")
COVERAGE = MeasureInfo("coverage_vital", "必要要点覆盖", "judge")


def run(before, after, *, infos=(RECALL,), judge=None, manifest=None, answers=None):
    """Two arms; figures by case: a number, None (not applicable) or a text (an error)."""
    cases = tuple(case(id=f"q{n}") for n in range(1, len(before) + 1))
    scores = [
        Row(arm, f"q{n}", 0, info.name, made(value))
        for arm, values in (("V1", before), ("V2", after))
        for n, value in enumerate(values, start=1)
        for info in infos
    ]
    outcomes = tuple(
        Outcome(arm, one.id, 0, answer=(answers or {}).get(arm, f"{arm} 的回答"), refusal="", seconds=0.1)
        for arm in ("V1", "V2")
        for one in cases
    )
    missing = ArmInfo("V3", "＋重排", "V2", missing="没有重排")
    arms = (ArmInfo("V1", "向量"), ArmInfo("V2", "＋关键词", "V1"), missing)
    return Results(manifest or {}, cases, arms, tuple(infos), tuple(scores), outcomes, judge=judge or {})


def made(value):
    return not_applicable("没有") if value is None else error(value) if isinstance(value, str) else ok(value)


def text(results, tmp_path):
    return written(results, tmp_path, "now").markdown.read_text(encoding="utf-8")


def test_a_gain_is_told_with_its_interval(tmp_path):
    report = written(run([0.0] * 20, [1.0] * 20), tmp_path, "now")
    assert re.search(
        r"V1 → V2（＋关键词）：\*\*出处 Recall@5提高 1\.000 \[\+\d\.\d{3}, \+1\.000\]\*\*。", report.verdict
    )
    assert "变差" not in report.verdict


def test_a_loss_is_called_one(tmp_path):
    assert "**变差**" in written(run([1.0] * 20, [0.0] * 20), tmp_path, "now").verdict


def test_what_cannot_be_seen_is_not_called_no_effect(tmp_path):
    report = written(run([0.0, 1.0, 0.5, 1.0], [1.0, 0.0, 0.5, 1.0]), tmp_path, "now")
    assert "差异都在偶然的范围内" in report.verdict
    assert "只能看出 ≥" in report.verdict


def test_errors_are_counted_and_the_mean_is_given_three_ways(tmp_path):
    shown = text(run([1.0, 0.5, "broke", None], [1.0, 0.5, 0.0, None]), tmp_path)
    (line,) = [one for one in shown.splitlines() if one.startswith("| **出处 Recall@5** | V1 ")]
    cells = [cell.strip() for cell in line.split("|")[1:-1]]
    # 1.0 and 0.5 have a value; the third failed: as a failure 1.5 / 3, at best 2.5 / 3.
    assert cells[2].startswith("0.750")
    assert cells[7:] == ["2", "1", "1", "0.500", "0.500–0.833"]


def test_arms_that_did_not_run_are_named_with_the_reason(tmp_path):
    assert "没有运行的方案：V3（＋重排）没有重排。" in text(run([1.0], [1.0]), tmp_path)


def test_a_failed_hard_check_stands_on_top(tmp_path):
    report = written(run([1.0, 0.0], [1.0, 1.0], infos=(HARD,)), tmp_path, "now")
    assert report.verdict.startswith("**硬性检查有 1 处不合格**：引文是原文；")
    assert "| q2 | V1 | 引文是原文 |" in report.markdown.read_text(encoding="utf-8")


def test_figures_of_a_void_judge_are_struck_through_and_never_compared(tmp_path):
    judge = {"void": True, "judge": "j", "controls": {"right": 20, "total": 25}}
    shown = text(run([0.0] * 20, [1.0] * 20, infos=(COVERAGE,), judge=judge), tmp_path)
    (line,) = [one for one in shown.splitlines() if "| V2 |" in one and "必要要点覆盖" in one]
    assert "~~1.000" in line
    assert "+1.000" not in line
    assert "作废" in shown.splitlines()[4]


def test_an_uncalibrated_judge_is_said_to_be(tmp_path):
    judge = {"void": False, "calibrated": False}
    assert "未经人工校准" in written(run([1.0], [1.0], judge=judge), tmp_path, "now").verdict


@pytest.mark.parametrize("hostile", ["<script>alert(1)</script>", "| a | b |", "![x](http://x/y.png)", "</table>"])
def test_nothing_of_an_answer_becomes_markup(tmp_path, hostile):
    results = run([1.0], [1.0], answers={"V1": hostile, "V2": hostile})
    written(results, tmp_path, "now")
    page = (tmp_path / "report-now.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert "</table><" not in page
    assert 'src="http' not in page
    rows = [one for one in (tmp_path / "report-now.md").read_text(encoding="utf-8").splitlines() if "| q1 |" in one]
    assert {len(re.split(r"(?<!\\)\|", one)) for one in rows} == {8}


def test_the_json_has_every_row_and_no_number_that_is_none(tmp_path):
    results = run([1.0, None], [0.0, "broke"])
    written(results, tmp_path, "now")
    facts = json.loads((tmp_path / "report-now.json").read_text(encoding="utf-8"), parse_constant=pytest.fail)
    assert len(facts["rows"]) == 4
    assert [one["score"]["kind"] for one in facts["rows"]] == ["ok", "not_applicable", "ok", "error"]


def test_the_newest_report_is_the_one_without_a_moment(tmp_path):
    written(run([1.0], [1.0]), tmp_path, "a")
    written(run([0.0], [0.0]), tmp_path, "b")
    assert (tmp_path / "report.md").resolve().name == "report-b.md"
    assert (tmp_path / "report-a.md").exists()


def test_plots_are_pictures(tmp_path):
    written(run([0.0] * 20, [1.0] * 20), tmp_path, "now")
    (plot,) = tmp_path.glob("*.svg")
    root = ET.fromstring(plot.read_text(encoding="utf-8"))  # noqa: S314 - our own
    assert root.tag.endswith("svg")


def test_the_risk_of_answering_more():
    """Surest first: right, right, wrong (two at once), right: 1/4 covered 0 wrong … 4/4 covered 1/4 wrong."""
    assert points([(0.9, True), (0.7, True), (0.4, True), (0.7, False)]) == [(0.25, 0.0), (0.75, 1 / 3), (1.0, 0.25)]
    assert points([(0.9, True)]) == []
