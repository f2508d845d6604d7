from __future__ import annotations

import json

import pytest

from youju.errors import InputError
from youju.lab.dataset import Evidence, Fact, read


def line(**more: object) -> str:
    return json.dumps({"id": "a-1", "category": "factual", "question": "试用期多长？", "answerable": True} | more)


def test_cases_come_in_the_order_of_their_lines_and_blank_lines_are_allowed():
    cases = read(["", line(id="b"), "  \n", line(id="a")], "set")
    assert [case.id for case in cases] == ["b", "a"]
    assert read([], "set") == []


def test_what_is_not_said_has_a_plain_default():
    (case,) = read([line()], "set")
    assert (case.split, case.sub_kind, case.expected_docs, case.evidence, case.attack) == ("", "", (), (), None)


def test_a_plain_keyword_is_the_only_alternative():
    (case,) = read([line(expected_keywords=["半年", ["六个月", "6 个月"]], expected_docs=[["规定"], "手册"])], "set")
    assert case.expected_keywords == (("半年",), ("六个月", "6 个月"))
    assert case.expected_docs == (("规定",), ("手册",))


def test_a_plain_fact_is_vital():
    (case,) = read([line(key_facts=["六个月", {"text": "可以缩短", "weight": "okay"}])], "set")
    assert case.key_facts == (Fact(text="六个月", weight="vital"), Fact(text="可以缩短", weight="okay"))


def test_evidence_may_name_its_pages():
    evidence = [
        {"doc": "规定", "text": "最长六个月", "section": "第三章", "pages": [7, 8]},
        {"doc": "规定", "text": "乙"},
    ]
    (case,) = read([line(evidence=evidence)], "set")
    assert case.evidence[0] == Evidence(doc="规定", text="最长六个月", section="第三章", pages=(7, 8))
    assert case.evidence[1].pages == ()


def test_fields_of_other_tools_are_ignored():
    (case,) = read([line(author="me", near={"section": "1"})], "set")
    assert case.id == "a-1"


@pytest.mark.parametrize(
    "bad, named",
    [
        ("{not json", "第 3 行"),
        ("[]", "第 3 行"),
        (json.dumps({"id": "b", "category": "factual", "answerable": True}), "第 3 行不是有效的题目：question"),
        (line(id="b", category="riddle"), "第 3 行不是有效的题目：category"),
        (line(id="b", split="train"), "第 3 行不是有效的题目：split"),
        (line(id="b", evidence=[{"doc": "规定"}]), "第 3 行不是有效的题目：evidence.0.text"),
        (line(id="b", key_facts=[{"text": "甲", "weight": "some"}]), "第 3 行不是有效的题目：key_facts.0.weight"),
        (line(id="b", expected_keywords="半年"), "第 3 行不是有效的题目：expected_keywords"),
    ],
    ids=["json", "list", "missing", "category", "split", "nested", "weight", "keywords"],
)
def test_a_bad_line_is_named_by_its_number_and_field(bad, named):
    with pytest.raises(InputError, match=f"my-set {named}") as caught:
        read([line(), "", bad], "my-set")
    assert (caught.value.code, caught.value.status) == ("bad_case", 400)
    assert caught.value.remedy


def test_an_id_given_twice_is_an_error_that_names_it():
    with pytest.raises(InputError, match="my-set 中题目编号重复：a-1、a-2") as caught:
        read([line(), line(id="a-2"), line(), line(id="a-2"), line(id="a-3")], "my-set")
    assert caught.value.code == "bad_case"
