"""A question set with slips of the pen, from the command line."""

from __future__ import annotations

import json

CASE = {
    "id": "q1",
    "category": "factual",
    "question": "食堂几点开门？",
    "answerable": True,
    "expected_docs": [["通知"]],
}


def written(folder, *rows):
    file = folder / "set.jsonl"
    file.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in rows), encoding="utf-8")
    return str(file)


def test_all_faults_of_a_set_are_told_at_once_with_their_lines(youju, tmp_path):
    set_ = written(
        tmp_path, CASE, CASE | {"id": "q2", "expected_doc": ["通知"]}, CASE | {"id": "q3", "category": "riddle"}
    )
    done = youju("eval", "audit", set_)
    assert done.code == 1
    assert "第 2 行：expected_doc 没有这一项，是不是想写 expected_docs？" in done.err
    assert "第 3 行：category 只能是 factual、" in done.err


def test_a_field_that_nothing_reads_is_told_beside_the_result(youju, tmp_path):
    done = youju("eval", "audit", written(tmp_path, CASE | {"difficulty": 3}), "--json")
    assert json.loads(done.out)["passed"] is False
    assert "没有用到的项：difficulty（1 行，首见于第 1 行）" in done.err


def test_a_set_of_older_names_is_audited_like_any(youju, tmp_path):
    older = {"id": 1, "category": "FACTUAL", "question": "食堂几点开门？", "expectedDocNames": ["通知", "公告"]}
    negative = {"id": 2, "category": "NEGATIVE", "question": "食堂谁在管？", "expectedDocNames": []}
    done = youju("eval", "audit", written(tmp_path, older, negative), "--json")
    found = {(one["case"], one["check"]) for one in json.loads(done.out)["findings"]}
    assert ("1", "docs_match_none") in found
    assert not {check for case, check in found if case == "2"} & {"no_gold", "gold_on_unanswerable"}
