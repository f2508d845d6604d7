"""Ten questions about the two books of `apps`, as a question set."""

from __future__ import annotations

import json
from pathlib import Path

CASES = [
    ("q1", "factual", "出差住宿费的上限是多少？", "报销规定", "出差住宿费的上限是每晚三百二十元", ["三百二十"]),
    ("q2", "factual", "陪同客户时住宿费可以到多少？", "报销规定", "住宿费的上限可以提高到每晚四百元", ["四百"]),
    ("q3", "factual", "乘坐飞机须由谁批准？", "报销规定", "乘坐飞机须由部门经理批准", ["部门经理"]),
    ("q4", "factual", "QINGWU_MAX_CONN 的默认值？", "网关手册", "QINGWU_MAX_CONN 的默认值是 512", ["512"]),
    ("q5", "factual", "日志保留多久？", "网关手册", "日志保留 14 天", ["14 天"]),
    ("q6", "howto", "连接数超过上限以后会怎样？", "网关手册", "超过后新的连接会排队", ["排队"]),
]
ABSENT = [("n1", "食堂几点开门？"), ("n2", "年会在哪里举行？")]


def rows() -> list[dict]:
    asked = [
        {
            "id": id_, "category": category, "question": question, "expected_docs": [[doc]],
            "evidence": [{"doc": doc, "text": text}], "expected_keywords": keywords, "answerable": True,
            "key_facts": [{"text": text, "weight": "vital"}], "reference_answer": f"{text}。", "author": "tests",
        }
        for id_, category, question, doc, text, keywords in CASES
    ]  # fmt: skip
    absent = {"category": "unanswerable", "sub_kind": "absent", "answerable": False, "author": "tests"}
    return [*asked, *({"id": id_, "question": question, **absent} for id_, question in ABSENT)]


def written(folder: Path) -> Path:
    file = folder / "set.jsonl"
    file.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in rows()), encoding="utf-8")
    return file
