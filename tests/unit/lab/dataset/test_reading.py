from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import pytest

from youju.errors import InputError, NotFoundError
from youju.lab.dataset import Case, Category, Evidence, Fact, load, read


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


def test_evidence_without_words_has_pages_and_a_plain_number_is_a_page():
    (case,) = read([line(evidence=[{"doc": "规定", "pages": 7}])], "set")
    assert case.evidence == (Evidence(doc="规定", pages=(7,)),)


def test_a_nested_list_of_evidence_holds_alternatives_and_the_outer_one_what_is_needed():
    first, second, third = ({"doc": "规定", "text": text} for text in "甲乙丙")
    (case,) = read([line(evidence=[[first, second], third])], "set")
    assert [[one.text for one in group] for group in case.evidence_groups] == [["甲", "乙"], ["丙"]]
    assert [one.text for one in case.evidence] == ["甲", "乙", "丙"]
    assert Case.model_validate(case.model_dump(mode="json")) == case
    fields = case.model_dump() | {"evidence": case.evidence_groups}
    assert Case.model_validate(fields) == case


def test_facts_may_name_their_pages_and_a_howto_its_steps():
    (case,) = read([line(category="howto", steps=["开机", "登录"], key_facts=[{"text": "甲", "pages": [3]}])], "set")
    assert (case.steps, case.key_facts) == (("开机", "登录"), (Fact(text="甲", pages=(3,)),))


def test_a_case_knows_where_to_look_who_wrote_it_and_who_reviewed_it():
    said = {"collections": ["人事"], "document_ids": ["d1", 7], "author": "甲", "reviewed_by": None, "notes": "难"}
    (case,) = read([line(**said)], "set")
    assert (case.collections, case.document_ids) == (("人事",), ("d1", "7"))
    assert (case.author, case.reviewed_by, case.notes) == ("甲", None, "难")


# --- older names -----------------------------------------------------------------------------------------------------


def older(**more: object) -> str:
    return json.dumps({"id": 12, "category": "FACTUAL", "question": "试用期多长？"} | more)


def test_older_names_are_read():
    said = {
        "expectedDocNames": ["规定", "手册"],
        "expectedAnswerKeywords": ["半年", "最长"],
        "kbIds": [3],
        "source": "甲",
    }
    (case,) = read([older(**said)], "set")
    assert (case.id, case.category, case.answerable) == ("12", "factual", True)
    assert case.expected_docs == (("规定", "手册"),)
    assert case.expected_keywords == (("半年",), ("最长",))
    assert (case.collections, case.author) == (("3",), "甲")


def test_older_names_with_nothing_to_say_say_nothing():
    (case,) = read([older(expectedDocNames=[], expectedAnswerKeywords=None, kbIds=None, referenceAnswer=None)], "set")
    assert (case.expected_docs, case.expected_keywords, case.collections, case.reference_answer) == ((), (), (), "")


@pytest.mark.parametrize("said", ["NEGATIVE", "negative", "Negative", "UNANSWERABLE"])
def test_a_negative_case_is_unanswerable(said):
    (case,) = read([older(category=said)], "set")
    assert (case.category, case.answerable) == ("unanswerable", False)


def test_a_case_flagged_as_negative_is_unanswerable_but_an_attack_stays_one():
    cases = read([older(isNegative=True), older(id="b", category="ADVERSARIAL", isNegative=True)], "set")
    assert [(case.category, case.answerable) for case in cases] == [("unanswerable", False), ("adversarial", False)]


@pytest.mark.parametrize(
    "said, category",
    [("HOW_TO", "howto"), ("HOWTO", "howto"), ("MULTI_HOP", "multihop"), ("multi-hop", "multihop"),
     ("MULTIHOP", "multihop"), ("COMPARISON", "comparison"), ("Reasoning", "reasoning")],
)  # fmt: skip
def test_categories_are_read_in_any_case(said, category):
    assert read([older(category=said)], "set")[0].category == category


def test_the_same_thing_under_two_names_is_an_error():
    with pytest.raises(InputError, match="expectedDocNames 与 expected_docs 是同一项"):
        read([older(expected_docs=[["规定"]], expectedDocNames=["规定"])], "set")


# --- names nobody knows ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name, meant",
    [("expected_doc", "expected_docs"), ("evidnce", "evidence"), ("keyFact", "key_facts"),
     ("keywords", "expected_keywords"),
     ("answer", "reference_answer"), ("expectedDocName", "expected_doc_names"), ("answerble", "answerable")],
)  # fmt: skip
def test_a_slip_of_the_pen_is_an_error_that_names_what_was_meant(name, meant):
    with pytest.raises(InputError, match=f"第 1 行：{name} 没有这一项，是不是想写 {meant}"):
        read([line(**{name: ["规定"]})], "set")


def test_a_slip_inside_a_piece_of_evidence_is_an_error_too():
    with pytest.raises(InputError, match=r"evidence\.1\.0\.page 没有这一项，是不是想写 pages"):
        read([line(evidence=[{"doc": "甲", "text": "乙"}, [{"doc": "甲", "text": "乙", "page": 3}]])], "set")


def test_what_begins_like_a_graded_field_cannot_be_left_unread():
    with pytest.raises(InputError, match="expectedThing 没有这一项"):
        read([line(expectedThing=["规定"])], "set")


def test_fields_of_other_tools_are_left_aside_and_told_once_each(tmp_path):
    file = tmp_path / "set.jsonl"
    file.write_text("\n".join([line(), line(id="b", difficulty=3), line(id="c", difficulty=1, question_id=7)]), "utf-8")
    found = load(file)
    assert [case.id for case in found.cases] == ["a-1", "b", "c"]
    assert found.warnings == [
        "题目集 set.jsonl 里没有用到的项：difficulty（2 行，首见于第 2 行）",
        "题目集 set.jsonl 里没有用到的项：question_id（1 行，首见于第 3 行）",
    ]


# --- what is wrong ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "bad, named",
    [
        ("{not json", "第 3 行：不是完整的 JSON"),
        ("[]", "第 3 行：不是一道题"),
        ('{"id": "b", "id": "c"}', "第 3 行：id 写了两次"),
        (json.dumps({"id": "b", "category": "factual", "answerable": True}), "第 3 行：question 缺少这一项"),
        (line(id="b", category="riddle"), "第 3 行：category 只能是 factual、howto、"),
        (line(id="b", split="train"), "第 3 行：split 只能是"),
        (line(id="b", answerable="maybe"), "第 3 行：answerable 应为 true 或 false"),
        (line(id="b", evidence=[{"doc": "规定"}]), r"第 3 行：evidence\.0 原文（text）和页码（pages）至少要有一样"),
        (line(id="b", evidence=[{"text": "规定"}]), r"第 3 行：evidence\.0\.doc 缺少这一项"),
        (line(id="b", evidence=["规定"]), r"第 3 行：evidence\.0 应为对象"),
        (line(id="b", evidence=[{"doc": "规定", "pages": [0]}]), r"第 3 行：evidence\.0\.pages 是物理页码"),
        (line(id="b", key_facts=[{"text": "甲", "weight": "some"}]), r"第 3 行：key_facts\.0\.weight 只能是"),
        (line(id="b", expected_keywords="半年"), "第 3 行：expected_keywords 应为列表"),
        (line(id="b", expected_docs=[["规定", ""]]), "第 3 行：expected_docs 里面有空的一项"),
        (line(id="b", expected_docs=[[]]), "第 3 行：expected_docs 里面有空的一项"),
        (line(id="b", question="  "), "第 3 行：question 不能为空"),
        (line(id="b", category="unanswerable"), "第 3 行：answerable 类别是不可答"),
        (line(id="b", answerable=False, key_facts=["甲"]), "第 3 行：key_facts 不可答的题不能带"),
        (line(id="b", answerable=False, reference_answer="甲"), "第 3 行：reference_answer 不可答的题不能带"),
        (line(id="b", attack={"canary": "甲"}), "第 3 行：attack 只有对抗题"),
        (line(id="b", notes="\ud800"), "第 3 行：含有无法保存的字符"),
        (line(), "第 3 行：id 'a-1' 与第 1 行重复"),
    ],
)  # fmt: skip
def test_a_bad_line_is_named_by_its_number_and_field(bad, named):
    with pytest.raises(InputError, match=f"my-set 有 1 处错误：\n{named}") as caught:
        read([line(), "", bad], "my-set")
    assert (caught.value.code, caught.value.status) == ("bad_case", 400)
    assert caught.value.remedy


def test_all_faults_of_a_file_are_told_at_once():
    with pytest.raises(InputError) as caught:
        read([line(category="riddle", split="train"), line(), "{", line(id="b", question="")], "my-set")
    assert [told[:7] for told in caught.value.message.splitlines()] == [
        "题目集 my-",
        "第 1 行：c",
        "第 1 行：s",
        "第 3 行：不",
        "第 4 行：q",
    ]


def test_of_very_many_faults_the_first_twenty_are_told_and_all_are_counted():
    with pytest.raises(InputError) as caught:
        read(["{"] * 100_000, "my-set")
    told = caught.value.message.splitlines()
    assert (told[0], told[20][:8], told[21], len(told)) == (
        "题目集 my-set 有 100000 处错误：", "第 20 行：不", "…… 共 100000 处", 22,
    )  # fmt: skip


# --- files -----------------------------------------------------------------------------------------------------------


def loaded(tmp_path, data: bytes):
    file = tmp_path / "set.jsonl"
    file.write_bytes(data)
    return load(file)


def test_a_file_from_windows_is_read(tmp_path):
    text = f"\ufeff{line()}\r\n\r\n{line(id='b')}\r\n"
    assert [case.id for case in loaded(tmp_path, text.encode()).cases] == ["a-1", "b"]


def test_a_line_separator_inside_a_question_does_not_end_the_line(tmp_path):
    data = json.dumps(json.loads(line(question="一\u2028二\x85三？")), ensure_ascii=False).encode()
    assert loaded(tmp_path, data).cases[0].question == "一\u2028二\x85三？"


def test_a_json_list_is_read_as_a_set(tmp_path):
    rows = [json.loads(line(id=id_)) for id_ in "abc"]
    assert [case.id for case in loaded(tmp_path, json.dumps(rows, indent=1).encode()).cases] == ["a", "b", "c"]


@pytest.mark.parametrize(
    "text, told",
    [
        (f"[\n{line()},\n\n{line(id='b', split='train')}]", "第 4 行：split 只能是"),
        (f"[\n{line()}\n{line(id='b')}]", "第 3 行：不是完整的 JSON"),
        (f"[{line()},\n", "第 2 行：不是完整的 JSON"),
        (f"[{line()}]\n]", "第 2 行：不是完整的 JSON"),
        (f"[{line()},\n3]", "第 2 行：不是一道题"),
    ],
)
def test_a_fault_in_a_json_list_has_its_line(tmp_path, text, told):
    with pytest.raises(InputError, match=told):
        loaded(tmp_path, text.encode())


@pytest.mark.parametrize(
    "data, told",
    [
        (b"", "里没有题目"),
        (b"[]", "里没有题目"),
        (line().encode("utf-16"), "UTF-16"),
        (json.dumps(json.loads(line()), indent=1).encode(), "分行排版"),
        (b"\n" + json.dumps(json.loads(line()), ensure_ascii=False).encode("gbk"), "第 2 行：不是 UTF-8 编码"),
        (b'{"version": "v1", "data": []}', "第 1 行：是整份 SQuAD"),
    ],
)
def test_a_file_of_another_kind_is_told_apart(tmp_path, data, told):
    with pytest.raises(InputError, match=told) as caught:
        loaded(tmp_path, data)
    assert caught.value.code == "bad_case"


def test_a_file_that_is_not_there_is_not_found(tmp_path):
    with pytest.raises(NotFoundError, match="没有题目集"):
        load(tmp_path / "no.jsonl")
    with pytest.raises(InputError, match="读不了"):
        load(tmp_path)


# --- the page --------------------------------------------------------------------------------------------------------


def test_the_page_on_the_format_tells_of_every_field_and_category():
    page = (Path(__file__).parents[4] / "docs" / "reference" / "question-set.md").read_text("utf-8")
    assert [name for name in Case.model_fields if f"| `{name}` |" not in page] == []
    assert [name for name in get_args(Category) if f"`{name}`" not in page] == []
