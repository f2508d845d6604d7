"""The lab as a person or a build meets it: from ten questions to a gate."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

CASES = [
    ("q1", "factual", "出差住宿费的上限是多少？", "报销规定", "出差住宿费的上限是每晚三百二十元", ["三百二十"], "dev"),
    ("q2", "factual", "陪同客户时住宿费可以到多少？", "报销规定", "住宿费的上限可以提高到每晚四百元", ["四百"], "test"),
    ("q3", "factual", "乘坐飞机须由谁批准？", "报销规定", "乘坐飞机须由部门经理批准", ["部门经理"], "dev"),
    ("q4", "factual", "QINGWU_MAX_CONN 的默认值？", "网关手册", "QINGWU_MAX_CONN 的默认值是 512", ["512"], "test"),
    ("q5", "factual", "日志保留多久？", "网关手册", "日志保留 14 天", ["14 天"], "dev"),
    ("q6", "howto", "连接数超过上限以后会怎样？", "网关手册", "超过后新的连接会排队", ["排队"], "test"),
]
ABSENT = [("n1", "食堂几点开门？", "dev"), ("n2", "年会在哪里举行？", "test"), ("n3", "打印机怎样加墨？", "dev")]


def row(case):
    id_, category, question, doc, text, keywords, split = case
    evidence = [{"doc": doc, "text": text}]
    return {
        "id": id_, "category": category, "question": question, "expected_docs": [[doc]], "evidence": evidence,
        "expected_keywords": keywords, "answerable": True, "split": split, "author": "tests",
    }  # fmt: skip


def missing(case):
    id_, question, split = case
    fields = {"id": id_, "category": "unanswerable", "sub_kind": "absent", "question": question, "split": split}
    return fields | {"answerable": False, "author": "tests"}


@pytest.fixture
def set_(tmp_path):
    rows = [*map(row, CASES), *map(missing, ABSENT)]
    file = tmp_path / "set.jsonl"
    file.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in rows), encoding="utf-8")
    return str(file)


@pytest.fixture
def evaluated(full, set_):
    """The command line after a run of two arms and the served chain."""
    done = full("eval", "run", set_, "--arms", "V1,V2,V3,chat", "--despite-audit")
    assert done.code == 0, done.err
    return full


def test_a_run_leaves_a_report_its_twins_and_its_records(evaluated, tmp_path):
    out = tmp_path / "youju-eval"
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    rows = report["rows"]
    arms = {one["arm"] for one in rows}
    assert arms == {"V1", "V2", "chat"}
    measures = {one["measure"] for one in rows}
    assert len(rows) == len(arms) * len(measures) * (len(CASES) + len(ABSENT))
    assert {one["score"]["kind"] for one in rows} <= {"ok", "not_applicable"}
    for suffix in ("md", "json", "html"):
        newest = (out / f"report.{suffix}").resolve()
        assert newest.name.startswith("report-")
        assert newest.stat().st_size > 1000
    assert "没有运行的方案：V3" in (out / "report.md").read_text(encoding="utf-8")
    assert (next(out.glob("run-*")) / "answers.jsonl").exists()


def test_the_page_needs_nothing_else_and_holds_no_script(evaluated, tmp_path):
    page = (tmp_path / "youju-eval" / "report.html").read_text(encoding="utf-8")
    assert "<svg" in page
    assert "<script" not in page
    assert 'src="http' not in page


def test_an_arm_that_cannot_run_is_told_before(full, set_):
    done = full("eval", "run", set_, "--arms", "V1,V3", "--dry-run")
    assert done.code == 0
    assert "9 题 × 1 个方案" in done.out


def test_without_any_arm_that_works_nothing_is_run(full, set_, tmp_path):
    done = full("eval", "run", set_, "--arms", "V3,V5", "--despite-audit")
    assert done.code == 1
    assert "没有一个方案能运行" in done.err
    assert not (tmp_path / "youju-eval").exists()


@pytest.mark.parametrize("options", [["--judge"], ["--measures", "full"]])
def test_a_judge_must_be_allowed_and_set(full, set_, options):
    done = full("eval", "run", set_, "--arms", "V1", "--despite-audit", *options)
    assert done.code == 1
    assert "裁判" in done.err


def test_a_report_is_written_again_without_running(evaluated, tmp_path):
    report = tmp_path / "youju-eval" / "report.json"
    before = json.loads(report.read_text(encoding="utf-8"))
    assert evaluated("eval", "report").code == 0
    assert json.loads(report.read_text(encoding="utf-8")) == before


def test_the_gate_passes_the_same_again_and_says_why(evaluated, set_):
    assert evaluated("eval", "run", set_, "--arms", "chat", "--despite-audit", "--out", "again").code == 0
    done = evaluated("eval", "gate", "again", "--baseline", "youju-eval")
    assert done.code == 0
    assert "门禁通过" in done.out


def test_the_gate_stops_a_chain_that_finds_less(evaluated, set_, monkeypatch):
    monkeypatch.setenv("YOUJU_RETRIEVAL__KEYWORD_TOP_K", "0")
    assert evaluated("eval", "run", set_, "--arms", "chat", "--despite-audit", "--out", "worse").code == 0
    done = evaluated("eval", "gate", "worse", "--baseline", "youju-eval", "--json")
    assert done.code == 1
    assert json.loads(done.out)["code"] == 1


def test_two_arms_of_a_run_are_compared(evaluated):
    done = evaluated("eval", "compare", "youju-eval", "--arm", "V1", "--with", "V2", "--json")
    assert done.code == 0
    found = json.loads(done.out)
    assert (found["before"], found["after"], found["cases"]) == ("V1", "V2", 9)


def test_a_set_with_faults_is_not_run_unless_told(full, tmp_path):
    wrong = row(("q9", "factual", "住宿费的上限？", "没有的书", "住宿费每晚九百元", ["九百"], "dev"))
    file = tmp_path / "wrong.jsonl"
    file.write_text(json.dumps(wrong, ensure_ascii=False) + "\n", encoding="utf-8")
    audited = full("eval", "audit", str(file), "--json")
    assert audited.code == 1
    assert json.loads(audited.out)["passed"] is False
    refused = full("eval", "run", str(file), "--arms", "V1")
    assert (refused.code, "没有通过审核" in refused.err) == (1, True)
    assert full("eval", "run", str(file), "--arms", "V1", "--despite-audit").code == 0
    assert "没有通过审核" in (tmp_path / "youju-eval" / "report.md").read_text(encoding="utf-8")


def test_people_get_a_sheet_of_the_set(full, set_, tmp_path):
    full("eval", "audit", set_, "--sheet", "sheet.csv", "--size", "4")
    lines = (tmp_path / "sheet.csv").read_bytes()
    assert lines.startswith(b"\xef\xbb\xbf")


def test_calibration_on_a_handful_of_questions_says_so_and_writes_nothing(full, set_, tmp_path):
    shown = full("eval", "calibrate", set_, "--precision", "0.5")
    assert shown.code in {0, 2}, shown.err
    assert "题目太少" in shown.out
    refused = full("eval", "calibrate", set_, "--precision", "0.5", "--write", "youju.toml")
    assert refused.code == 1
    assert "至少 20 道" in refused.err
    assert not (tmp_path / "youju.toml").exists()


def test_calibration_writes_what_it_chose_and_on_what(full, set_, tmp_path):
    (tmp_path / "youju.toml").write_text("# 我的设置\n[retrieval]\nrrf_k = 50\n", encoding="utf-8")
    rows = [json.loads(line) for line in Path(set_).read_text(encoding="utf-8").splitlines()]
    many = [one | {"id": f"{one['id']}-{n}", "split": "dev"} for n in range(7) for one in rows]
    file = tmp_path / "many.jsonl"
    file.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in many), encoding="utf-8")
    done = full("eval", "calibrate", str(file), "--precision", "0.5", "--write", "youju.toml")
    assert done.code in {0, 2}, done.err
    assert "同一批题" in done.err
    text = (tmp_path / "youju.toml").read_text(encoding="utf-8")
    assert text.startswith("# 我的设置\n[retrieval]\nrrf_k = 50\n")
    shown = full("settings", "--json")
    values = {one["name"]: one["value"] for one in json.loads(shown.out)}
    assert values["grading.calibrated_for"] == "squeezed"
    assert "dev 63 题" in values["grading.calibrated_on"]


def test_a_setting_of_one_run_is_told_by_the_gate(evaluated, set_):
    again = ("eval", "run", set_, "--arms", "chat", "--despite-audit", "--out", "again", "--set", "context_top_k=4")
    assert evaluated(*again).code == 0
    assert "设置不同：context_top_k 5 → 4。" in evaluated("eval", "gate", "again", "--baseline", "youju-eval").out


def test_a_sweep_tells_the_best_on_the_other_split(full, set_):
    done = full("eval", "sweep", set_, "--grid", "vector_top_k=1,15", "--measure", "recall@5", "--json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert {one["arm"] for one in found["tried"]} == {"usual", "vector_top_k=1", "vector_top_k=15"}
    assert found["tried"][0]["mean"] >= found["tried"][-1]["mean"]


@pytest.mark.parametrize(
    "args, says",
    [
        (("eval", "run", "none.jsonl"), "没有题目集"),
        (("eval", "report", "none"), "这里没有评测运行"),
        (("eval", "sweep", "set.jsonl", "--grid", "rrf_k"), "--grid"),
        (("eval", "run", "set.jsonl", "--arms", "V9", "--despite-audit"), "V9"),
        (("eval", "run", "set.jsonl", "--resume", "--arms", "V1", "--despite-audit"), "没有可以继续的运行"),
        (("eval", "label", "--export", "a.csv"), "这里没有评测运行"),
    ],
)
def test_wrong_use_says_what_is_wrong(full, set_, args, says):
    done = full(*args)
    assert done.code == 1
    assert says in done.err
