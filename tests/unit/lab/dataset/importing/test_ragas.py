from __future__ import annotations

import csv
import json

import pytest

from youju.errors import InputError
from youju.lab.dataset.importing import ragas

NEW = {
    "user_input": "押金什么时候退？",
    "retrieved_contexts": ["押金在退租后七日内退还。", "租期一年。"],
    "reference_contexts": ["押金在退租后七日内退还。"],
    "response": "十日内。",
    "reference": "退租后七日内退还。逾期按日计息。",
    "synthesizer_name": "multi_hop_specific_query_synthesizer",
}
OLD = {
    "question": "押金什么时候退？",
    "contexts": ["租期一年。", "押金在退租后\n七日内退还。"],
    "answer": "十日内。",
    "ground_truths": ["押金在退租后七日内退还。"],
}


@pytest.fixture
def file(tmp_path):
    def write(text, name="租房.jsonl"):
        path = tmp_path / name
        path.write_text(text if isinstance(text, str) else json.dumps(text, ensure_ascii=False), encoding="utf-8")
        return path

    return write


def test_reference_contexts_are_evidence_and_the_references_sentences_are_facts(file):
    found = ragas(file(NEW))
    (case,) = found.cases
    assert (case.id, case.category, case.answerable, case.reviewed_by) == ("租房-00001", "multihop", True, None)
    assert [(one.doc, one.text) for one in case.evidence] == [("租房-000001", "押金在退租后七日内退还。")]
    assert case.expected_docs == (("租房-000001",),)
    assert [one.text for one in case.key_facts] == ["退租后七日内退还。", "逾期按日计息。"]
    assert case.reference_answer == "退租后七日内退还。逾期按日计息。"
    assert found.documents == {"租房-000001.md": "押金在退租后七日内退还。\n", "租房-000002.md": "租期一年。\n"}


def test_what_a_system_answered_is_no_gold(file):
    assert "十日" not in ragas(file(NEW)).cases[0].model_dump_json()


def test_of_retrieved_contexts_only_one_that_holds_the_truth_is_evidence(file):
    (case,) = ragas(file(OLD)).cases
    assert [(one.doc, one.text) for one in case.evidence] == [("租房-000002", "押金在退租后七日内退还。")]
    (case,) = ragas(file(OLD | {"ground_truths": ["一周之内。"]})).cases
    assert (case.evidence, case.expected_docs, case.reference_answer) == ((), (), "一周之内。")


@pytest.mark.parametrize(
    "name, raw",
    [
        ("a.jsonl", "\n".join(json.dumps(NEW | {"id": id_}) for id_ in "xy") + "\n"),
        ("a.json", json.dumps([NEW | {"id": "x"}, NEW | {"id": "y"}], indent=1)),
        ("a.json", json.dumps({"samples": [NEW | {"id": "x"}, NEW | {"id": "y"}]})),
        ("a.json", json.dumps({name: [value, value] for name, value in NEW.items()} | {"id": ["x", "y"]})),
    ],
    ids=["lines", "list", "samples", "columns"],
)
def test_rows_are_read_from_lines_lists_and_columns(file, name, raw):
    found = ragas(file(raw, name))
    assert [case.id for case in found.cases] == ["x", "y"]
    assert len(found.documents) == 2


def test_a_table_holds_its_lists_in_cells(file):
    path = file("", "a.csv")
    with path.open("w", encoding="utf-8-sig", newline="") as opened:
        writer = csv.DictWriter(opened, ["question", "contexts", "ground_truth"])
        writer.writeheader()
        writer.writerow({"question": "一？", "contexts": "['甲乙丙丁', '戊']", "ground_truth": "甲乙"})
        writer.writerow({"question": "二？", "contexts": '["己"]', "ground_truth": "己"})
        writer.writerow({"question": "三？", "contexts": "庚辛", "ground_truth": "壬"})
    found = ragas(path)
    assert [case.question for case in found.cases] == ["一？", "二？", "三？"]
    assert [len(case.evidence) for case in found.cases] == [1, 1, 0]
    assert sorted(found.documents.values()) == sorted(["甲乙丙丁\n", "戊\n", "己\n", "庚辛\n"])


@pytest.mark.parametrize(
    "line, told",
    [
        ("一？,\"['甲'\n '乙']\",丙", "第 3 行的 contexts 不是能读的列表"),  # as NumPy prints an array
        ("一？,[甲,丙", "第 2 行的 contexts 不是能读的列表"),
        ("一？,甲", "第 2 行的列数与表头不同"),
        ("一？,甲,乙,丙", "第 2 行的列数与表头不同"),
        ('一？,"甲,丙', "不是能读的 CSV"),
    ],
)
def test_a_row_of_a_table_that_cannot_be_read_is_named(file, line, told):
    with pytest.raises(InputError, match=told):
        ragas(file(f"question,contexts,ground_truth\n{line}\n", "a.csv"))


def test_a_table_that_a_chinese_spreadsheet_saved_is_read(file):
    path = file("", "a.csv")
    path.write_bytes("question,ground_truth\r\n押金退吗？,退\r\n".encode("gb18030"))
    assert ragas(path).cases[0].question == "押金退吗？"


def test_a_bad_line_is_named_by_its_number(file):
    with pytest.raises(InputError, match="第 3 行不是完整的 JSON"):
        ragas(file(json.dumps(NEW) + "\n\n{"))


def test_talks_and_rows_without_a_question_are_left_out_and_counted(file):
    rows = [NEW, NEW | {"user_input": [{"content": "你好", "type": "human"}]}, {"reference": "甲"}]
    found = ragas(file(rows, "a.json"))
    assert (len(found.cases), found.left_out) == (1, {"是多轮对话": 1, "没有问题": 1})


@pytest.mark.parametrize("raw", ["", "{", "[1]", '{"question": "甲"}\n{', "{}"])
def test_a_file_of_another_kind_is_told(file, raw):
    with pytest.raises(InputError, match=r"租房\.jsonl") as caught:
        ragas(file(raw))
    assert caught.value.code == "bad_import"
