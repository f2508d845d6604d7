from __future__ import annotations

import json

from youju.lab.dataset import load
from youju.lab.dataset.importing import ragas, squad
from youju.lab.dataset.writing import write

HALF = "\ud83d"
"""Half of a surrogate pair: JSON can say it, no file can hold it."""


def test_what_no_set_may_hold_is_left_out_and_the_rest_can_be_written(tmp_path):
    rows = [
        {"question": f"甲{HALF}？", "reference": "乙", "reference_contexts": [f"乙{HALF}丙"]},
        {"id": " ", "question": "丁？", "reference": "乙"},
        {"id": "good", "question": "戊？", "reference": "乙", "reference_contexts": ["乙丁"]},
    ]
    file = tmp_path / "rows.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    found = ragas(file)
    assert [case.id for case in found.cases] == ["good"]
    assert sum(found.left_out.values()) == 2
    assert all(text.encode() for text in found.documents.values())
    write(found.cases, tmp_path / "set.jsonl")
    assert tuple(load(tmp_path / "set.jsonl").cases) == found.cases


def test_every_document_of_an_import_is_named_by_its_cases_alone(tmp_path):
    paragraphs = [
        {"context": f"第 {n} 段说甲。", "qas": [{"id": f"q{n}", "question": "说什么？", "answers": ["甲"]}]}
        for n in range(12)
    ]
    file = tmp_path / "甲.json"
    file.write_text(json.dumps({"data": [{"title": "甲", "paragraphs": paragraphs}]}), "utf-8")
    found = squad(file)
    for case in found.cases:
        ((name,),) = case.expected_docs
        assert [file for file in found.documents if name in file] == [f"{name}.md"]
