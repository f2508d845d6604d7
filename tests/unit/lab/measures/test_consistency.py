from __future__ import annotations

import pytest

from builders import chunk, turn
from judgements import case
from seens import measure, told, value
from youju.lab.seen import Seen

TEXT = (
    "员工依法登记结婚的，享受婚假十三个自然日，未经批准不得分次休完。"
    "自2025年3月1日起，设备 QW-4031 的保修期延长到24个月，运费由《售后条款》规定。"
    "出差人员可以乘坐高铁二等座前往目的地城市。"
)
LEAVE, DEVICE, TRAIN = (f"{one}。" for one in TEXT.rstrip("。").split("。"))
NAMES = [f"{one}_consistency" for one in ("number", "date", "unit", "negation", "entity")]


def said(sentence):
    return told((sentence, (1,)), over=[chunk("a", TEXT)])


@pytest.mark.parametrize("name", NAMES)
def test_what_is_quoted_word_for_word_is_consistent(name):
    seen = told((LEAVE, (1,)), (DEVICE, (1,)), (TRAIN, (1,)), over=[chunk("a", TEXT)])
    assert value(name, seen) == 1


@pytest.mark.parametrize(
    "name, sentence, old, new",
    [
        ("number", LEAVE, "十三个", "十五个"),
        ("date", DEVICE, "3月1日", "5月1日"),
        ("unit", DEVICE, "24个月", "24天"),
        ("negation", TRAIN, "可以乘坐", "不可以乘坐"),
        ("entity", DEVICE, "QW-4031", "QW-4032"),
        ("entity", DEVICE, "售后条款", "采购条款"),
    ],
)
def test_a_quotation_with_one_thing_changed_is_found(name, sentence, old, new):
    assert old in sentence
    score = measure(f"{name}_consistency", said(sentence.replace(old, new)))
    assert score.value == 0
    assert new in score.reason


def test_a_number_in_another_spelling_is_the_same_number():
    assert value("number_consistency", said(LEAVE.replace("十三个自然日", "13 个自然日"))) == 1


def test_a_negation_in_a_clause_that_is_not_quoted_does_not_count():
    assert value("number_consistency", said("员工依法登记结婚的，享受婚假十三个自然日。")) == 1
    assert measure("negation_consistency", said("员工依法登记结婚的，享受婚假13个自然日。")).kind == "not_applicable"


def test_a_clause_taken_out_of_its_negation_is_found():
    seen = told(
        ("经济舱以外的舱位由员工自行承担费用乘坐飞机。", (1,)),
        over=[chunk("a", "不得由公司报销，经济舱以外的舱位不得由员工自行承担费用乘坐飞机。")],
    )
    assert value("negation_consistency", seen) == 0


def test_a_paraphrase_is_left_to_the_judge():
    score = measure("number_consistency", said("结了婚的同事最多能歇上十五天左右。"))
    assert (score.kind, score.reason) == ("not_applicable", "1 句是转述，留给裁判")


def test_the_share_counts_sentences_that_have_such_a_thing():
    seen = told((LEAVE, (1,)), (TRAIN, (1,)), (DEVICE.replace("24", "36"), (1,)), over=[chunk("a", TEXT)])
    score = measure("number_consistency", seen)
    assert (score.numerator, score.denominator) == (1, 2)


@pytest.mark.parametrize("name", NAMES)
def test_without_a_cited_chunk_there_is_nothing_to_be_consistent_with(name):
    assert measure(name, told((LEAVE, ()), over=[chunk("a", TEXT)])).kind == "not_applicable"
    assert measure(name, Seen(case(), turn(refusal="low_evidence"))).kind == "not_applicable"
