from __future__ import annotations

import pytest

from builders import turn
from judgements import case
from seens import measure, told, value
from youju.lab.measures.answers import says
from youju.lab.seen import Seen


@pytest.mark.parametrize(
    "text, keyword",
    [
        ("婚假为 13 个自然日。", "十三个自然日"),
        ("婚假为十三个自然日。", "１３个自然日"),
        ("共 1.5 万元。", "15000元"),
        ("共 100,000 个。", "100000"),
        ("比例是百分之五。", "5%"),
        ("自二〇二五年三月一日起", "2025年3月1日"),
        ("间隔 30 s。", "30秒"),
        ("每晚 520 元", "520"),
        ("参数 Timeout.Idle 的值", "timeout.idle"),
        ("顶点 （H，k）", "(h,k)"),
        ("不能\n报销", "不能报销"),
        ("每三天更换一次", "每 3 天更换"),
    ],
)
def test_a_keyword_is_found_however_it_is_written(text, keyword):
    assert says(text, keyword)


@pytest.mark.parametrize(
    "text, keyword",
    [
        ("婚假 13 天", "3 天"),
        ("婚假十三天", "三天"),
        ("共 5000 元", "500"),
        ("共 3.25 米", "25"),
        ("共 5 万元", "5"),
        ("型号 QW-4031", "QW-403"),
        ("每晚 520 元", "520 天"),
        ("没有这个词", "那个词"),
        ("", "三天"),
        ("任何", ""),
    ],
)
def test_a_part_of_another_number_is_not_the_keyword(text, keyword):
    assert not says(text, keyword)


KEYWORDS = case(expected_keywords=["婚假", ["十三天", "13 天"], "十二个月"])


def test_alternatives_count_once_and_what_is_missing_is_named():
    score = measure("keyword_recall", told(("婚假是 13 天，也就是十三天。", (1,)), of=KEYWORDS))
    assert (score.value, score.numerator, score.denominator) == (2 / 3, 2, 3)
    assert score.reason == "缺 十二个月"


def test_a_marker_is_no_number_of_the_answer():
    assert value("keyword_recall", told(("假期不少。", (3,)), of=case(expected_keywords=["3"]))) == 0


def test_a_refusal_says_no_keyword():
    refused = Seen(KEYWORDS, turn(refusal="model_refused", answer=told(("婚假十三天。", ())).turn.answer))
    assert value("keyword_recall", refused) == 0
    assert measure("answer_chars", refused).kind == "not_applicable"


def test_without_keywords_or_an_answer_to_give_there_is_nothing_to_recall():
    assert measure("keyword_recall", told(("甲", ()))).kind == "not_applicable"
    absent = KEYWORDS.model_copy(update={"answerable": False})
    assert measure("keyword_recall", told(("婚假", ()), of=absent)).kind == "not_applicable"


def test_length_is_that_of_the_text_without_markers():
    assert value("answer_chars", told(("甲是三天。", (1, 2)))) == 5
