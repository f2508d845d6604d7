from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.errors import InputError, NotFoundError
from youju.lab.dataset.importing import squad
from youju.lab.dataset.importing.imported import Shelf
from youju.providers.parse_markdown import MarkdownParser
from youju.text.normal import fold

CONTEXT = "青石桥建于一九三六年。桥长四十二米，宽五米！桥头有一棵槐树。"


def question(id_="q1", asked="桥有多长？", answers=(("四十二米", 13),), **more):
    said = [{"text": text, "answer_start": start} for text, start in answers]
    return {"id": id_, "question": asked, "answers": said} | more


def article(*questions, title="青石桥", context=CONTEXT):
    return {"title": title, "paragraphs": [{"context": context, "qas": list(questions)}]}


@pytest.fixture
def file(tmp_path):
    def write(data, name="桥.json"):
        path = tmp_path / name
        path.write_text(data if isinstance(data, str) else json.dumps(data, ensure_ascii=False), encoding="utf-8")
        return path

    return write


def test_evidence_is_the_sentence_of_the_answer_and_each_paragraph_a_document(file):
    found = squad(file({"version": "1.1", "data": [article(question())]}))
    (case,) = found.cases
    assert (case.id, case.category, case.answerable, case.reviewed_by) == ("q1", "factual", True, None)
    assert [(one.doc, one.text) for one in case.evidence] == [("青石桥-000001", "桥长四十二米，宽五米！")]
    assert case.expected_docs == (("青石桥-000001",),)
    assert case.expected_keywords == (("四十二米",),)
    assert (case.reference_answer, case.author) == ("四十二米", "桥")
    assert found.documents == {"青石桥-000001.md": f"{CONTEXT}\n"}
    assert found.left_out == {}


def test_other_peoples_answers_are_alternatives_and_the_most_frequent_is_the_reference(file):
    answers = [("四十二米", 13), ("一九三六年", 5), ("四十二米", 13)]
    (case,) = squad(file({"data": [article(question(answers=answers))]})).cases
    assert case.expected_keywords == (("四十二米", "一九三六年"),)
    ((first, second),) = case.evidence_groups
    assert (first.text, second.text) == ("桥长四十二米，宽五米！", "青石桥建于一九三六年。")
    assert case.reference_answer == "四十二米"


def test_impossible_questions_are_near_misses_without_gold(file):
    asked = question(is_impossible=True, answers=(), plausible_answers=[{"text": "五米", "answer_start": 19}])
    (case,) = squad(file({"version": "v2.0", "data": [article(asked)]})).cases
    assert (case.category, case.sub_kind, case.answerable) == ("unanswerable", "near-miss", False)
    assert (case.evidence, case.expected_docs, case.expected_keywords, case.reference_answer) == ((), (), (), "")
    assert case.near
    assert case.near.doc == "青石桥-000001"


@pytest.mark.parametrize("start", [0, 11, 28, -4, 999, None])
def test_an_answer_that_begins_elsewhere_than_said_is_looked_for(file, start):
    (case,) = squad(file({"data": [article(question(answers=[("四十二米", start)]))]})).cases
    assert case.evidence[0].text == "桥长四十二米，宽五米！"


def test_of_several_places_the_one_next_to_the_said_one_is_taken(file):
    context = "东桥长九米。西桥也长九米。"  # 九米 at 3 and at 10
    asked = [question("a", answers=[("九米", 4)]), question("b", answers=[("九米", 9)])]
    found = squad(file({"data": [article(*asked, context=context)]}))
    assert [case.evidence[0].text for case in found.cases] == ["东桥长九米。", "西桥也长九米。"]


def test_questions_that_cannot_be_used_are_left_out_and_counted(file):
    asked = [
        question(),
        question(),
        question("q2", answers=[("八十米", 3)]),
        question("q3", answers=()),
        question("q4", asked="  "),
    ]
    found = squad(file({"data": [article(*asked)]}))
    assert [case.id for case in found.cases] == ["q1"]
    assert found.left_out == {"编号重复": 1, "答案不在段落里": 1, "没有答案": 1, "没有问题": 1}


def test_the_same_paragraph_is_one_document_and_titles_become_file_names(file):
    data = [
        article(question("a")),
        article(question("b")),
        article(question("c"), context=CONTEXT + "完。", title='a/b: "c"'),
    ]
    found = squad(file({"data": data}))
    assert list(found.documents) == ["青石桥-000001.md", "a_b_c-000002.md"]


def test_bare_paragraphs_with_plain_answers_and_rows_with_a_paragraph_each_are_read(file):
    bare = [
        {
            "context_id": "T1",
            "title": "青石桥",
            "context_text": CONTEXT,
            "qas": [{"query_id": "T1_Q1", "query_text": "桥有多长？", "answers": ["四十二米"]}],
        }
    ]
    row = {"id": "r1", "title": "青石桥", "context": CONTEXT, "question": "桥有多长？"}
    flat = {"data": [row | {"answers": {"text": ["四十二米"], "answer_start": [13]}}]}
    for raw, id_ in ((bare, "T1_Q1"), (flat, "r1")):
        (case,) = squad(file(raw)).cases
        assert (case.id, case.evidence[0].text) == (id_, "桥长四十二米，宽五米！")


@pytest.mark.parametrize("raw", ["{", "[]", "3", '{"data": 4}', '{"data": [1, {"paragraphs": [2]}]}', "[" * 100_000])
def test_a_file_of_another_kind_is_told(file, raw):
    with pytest.raises(InputError, match=r"桥\.json") as caught:
        squad(file(raw))
    assert caught.value.code == "bad_import"
    assert caught.value.remedy


def test_a_file_that_is_not_there_or_no_utf8_is_told(tmp_path):
    with pytest.raises(NotFoundError):
        squad(tmp_path / "none.json")
    (tmp_path / "gbk.json").write_bytes("桥".encode("gbk"))
    with pytest.raises(InputError, match="UTF-8"):
        squad(tmp_path / "gbk.json")


@given(st.text(st.sampled_from("甲乙 1.)(-#*_`<>[]|&~$\\+=!:/ab\n"), min_size=1, max_size=40))
def test_a_document_reads_as_exactly_its_paragraph(tmp_path_factory, text):
    shelf = Shelf()
    shelf.document("", text)
    path = tmp_path_factory.mktemp("md") / "p.md"
    path.write_text(shelf.files["段落-000001.md"], encoding="utf-8")
    if text.strip():
        parsed = MarkdownParser().parse(path)
        assert fold(parsed.text or "".join(block.text for block in parsed.blocks)) == fold(text)
