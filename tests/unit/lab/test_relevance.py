from __future__ import annotations

import pytest

from builders import chunk
from judgements import case
from seens import material, retrieved
from youju.lab.dataset import Evidence
from youju.lab.relevance import documents, expected, firsts, groups, holds, on_pages, relevant


def evidence(text="", pages=(), doc="函数入门"):
    return Evidence(doc=doc, text=text, pages=pages)


def seen(*chunks, of=None):
    return retrieved(of or case(), *chunks, documents={"d1": material(), "d2": material("d2", "别的书")})


def held(text, span, **more):
    one = chunk("a", text, **more)
    return holds(seen(one), one, evidence(span))


@pytest.mark.parametrize(
    "text",
    [
        "前文。封顶 ５ 元/天，不计入。后文。",
        "封顶\n5 元/天，\n不计入。",
        "| 封顶 | 5 元/天，不计入。 |",
        "**封顶 5 元/天**，不计入。",
    ],
    ids=["width", "lines", "table", "marks"],
)
def test_white_space_width_and_marks_do_not_hide_evidence(text):
    assert held(text, "封顶 5 元/天，不计入。")


def test_rows_of_a_table_are_held_across_its_rule():
    assert held("| 城市 | 限额 |\n| --- | --- |\n| 一类 | 520 |", "城市 限额 一类 520")


def test_a_page_head_inside_of_a_long_span_does_not_hide_it():
    span = "员工依法登记结婚的，享受婚假十三个自然日，应当在结婚登记之日起十二个月内一次连续休完。"
    text = span[:22] + "\n员工管理规定 第 18 页\n" + span[22:]
    assert held(text, span)


def test_another_number_is_not_the_evidence_however_alike_the_rest():
    span = "员工依法登记结婚的，享受婚假13个自然日，应当在结婚登记之日起12个月内一次连续休完，可以延长。"
    assert not held(span.replace("13", "15"), span)


def test_half_of_a_span_is_not_the_span():
    assert not held("员工依法登记结婚的，", "员工依法登记结婚的，享受婚假十三个自然日。")


def test_the_same_words_in_another_document_are_not_the_evidence():
    assert not held("享受婚假十三天。", "享受婚假十三天。", document_id="d2")


def test_a_document_is_known_by_its_file_name_or_title_and_without_either_by_the_book():
    one = chunk("a", "享受婚假十三天。", document_id="d9", book="函数入门（上）")
    assert holds(seen(one), one, evidence("享受婚假十三天。"))
    assert holds(seen(one), chunk("b", "享受婚假十三天。"), evidence("享受婚假十三天。", doc="入门.pdf"))


@pytest.mark.parametrize("pages, on", [((3,), False), ((4,), True), ((6, 9), True), ((7,), False), ((), False)])
def test_evidence_without_a_text_is_held_by_any_chunk_on_its_pages(pages, on):
    one = chunk("a", page_start=4, page_end=6)
    assert holds(seen(one), one, evidence(pages=pages)) is on


def test_a_chunk_without_pages_stands_on_none():
    assert not on_pages(seen(), chunk("a"), evidence(pages=(1,)))


SPAN = evidence("婚假应当在登记之日起十二个月内休完。")
FRONT, BACK = chunk("f", "前文。婚假应当在登记之日", ordinal=7), chunk("b", "起十二个月内休完。后文。", ordinal=8)
FAR = chunk("x", "起十二个月内休完。", ordinal=9)


def test_a_span_over_a_border_is_held_once_both_chunks_are_there():
    other = chunk("o", "无关。", ordinal=1)
    assert firsts(seen(), [FRONT, other, BACK], [[SPAN]]) == [3]
    assert firsts(seen(), [BACK, FRONT], [[SPAN]]) == [2]
    assert firsts(seen(), [FRONT, other], [[SPAN]]) == [None]
    assert relevant(seen(), [FRONT, other, BACK], [[SPAN]]) == [False, False, True]


def test_chunks_that_are_no_neighbours_do_not_hold_a_span_together():
    assert firsts(seen(), [FRONT, FAR], [[SPAN]]) == [None]
    other_version = chunk("b", BACK.text, ordinal=8, version=2)
    assert firsts(seen(), [FRONT, other_version], [[SPAN]]) == [None]


def test_neighbours_that_overlap_hold_a_span_together():
    back = chunk("b", "登记之日起十二个月内休完。", ordinal=8)
    assert firsts(seen(), [FRONT, back], [[SPAN]]) == [2]


def test_a_neighbour_of_a_chunk_that_holds_the_span_alone_is_not_relevant_for_that():
    whole = chunk("w", SPAN.text, ordinal=6)
    assert relevant(seen(), [whole, FRONT], [[SPAN]]) == [True, False]


def test_of_alternatives_the_first_found_counts():
    one, other = chunk("a", "甲说三天。", ordinal=1), chunk("b", "乙也说三天。", ordinal=5)
    wanted = [[evidence("乙也说三天。"), evidence("甲说三天。")], [evidence("没有的话。")]]
    assert firsts(seen(), [chunk("c", "无关"), one, other], wanted) == [2, None]


def test_documents_are_those_named_else_those_of_the_evidence_and_none_for_what_cannot_be_answered():
    row = {"doc": "规定", "text": "甲"}
    assert documents(case(expected_docs=[["甲", "乙"], "丙"], evidence=[row])) == (("甲", "乙"), ("丙",))
    assert documents(case(evidence=[row, {"doc": "规定", "text": "乙"}])) == (("规定",),)
    assert documents(case(answerable=False, expected_docs=["甲"])) == ()
    assert not expected(seen(), chunk("a"))


def test_each_piece_of_evidence_is_needed():
    assert len(groups(case(evidence=[{"doc": "规定", "text": "甲"}, {"doc": "规定", "text": "乙"}]))) == 2


def test_alternatives_of_a_piece_of_evidence_are_needed_once():
    first, second, third = ({"doc": "规定", "text": text} for text in "甲乙丙")
    assert [[one.text for one in group] for group in groups(case(evidence=[[first, second], third]))] == [
        ["甲", "乙"],
        ["丙"],
    ]
    other = {"doc": "手册", "text": "甲"}
    assert documents(case(evidence=[[first, other]])) == (("规定", "手册"),)
