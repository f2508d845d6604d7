from __future__ import annotations

from dataclasses import replace

import pytest

from builders import chunk, turn
from judgements import case
from seens import measure, told, value
from youju.lab.seen import Seen
from youju.types import Verdict

A = chunk("a", "员工登记结婚的，享受婚假十三个自然日。")
B = chunk("b", "年休假五天，应当提前三个工作日申请。")
FIRST, SECOND = "员工登记结婚的，享受婚假十三个自然日。", "年休假五天，应当提前三个工作日申请。"
RELATED = "员工登记结婚以后可以享受婚假十三个自然日左右的时间。"
OPEN = "综上所述请多加留意各种情形。"


def test_sentences_with_the_citations_that_carry_them_score_one():
    seen = told((FIRST, (1,)), (SECOND, (2,)), over=[A, B])
    assert value("citation_recall", seen) == value("citation_precision", seen) == 1


def test_a_sentence_without_a_citation_costs_recall_but_not_precision():
    seen = told((FIRST, (1,)), (SECOND, ()), over=[A, B])
    assert value("citation_recall", seen) == 1 / 2
    assert value("citation_precision", seen) == 1


def test_citations_shifted_by_one_carry_nothing():
    seen = told((FIRST, (2,)), (SECOND, (1,)), over=[A, B])
    assert value("citation_recall", seen) == 0
    # The sentence has a number, so a chunk without anything like it is a plain no.
    assert value("citation_precision", seen) == 0


def test_a_second_citation_that_adds_nothing_costs_precision_but_not_recall():
    seen = told((FIRST, (1, 2)), over=[A, B])
    assert value("citation_recall", seen) == 1
    assert value("citation_precision", seen) == 1 / 2


def test_invented_citations_stay_in_the_denominator_even_if_they_were_removed():
    seen = told((FIRST, (1,)), over=[A], removed_markers=("[7]", "[8,9]"))
    score = measure("citation_precision", seen)
    assert (score.numerator, score.denominator) == (1, 4)
    assert "3 处标注没有来源" in score.reason
    only = told((OPEN, (9,)), over=[A])
    assert value("citation_precision", only) == 0


def test_a_wrong_number_is_not_carried():
    seen = told((FIRST.replace("十三", "十五"), (1,)), over=[A])
    assert value("citation_recall", seen) == value("citation_precision", seen) == 0


def test_what_words_cannot_decide_is_left_out_and_told():
    seen = told((FIRST, (1,)), (OPEN, (1,)), over=[A])
    score = measure("citation_recall", seen)
    assert (score.numerator, score.denominator) == (1, 1)
    assert "1/2 句无法不靠模型核对" in score.reason
    nothing = told((OPEN, (1,)), over=[A])
    assert {measure(name, nothing).kind for name in ("citation_recall", "citation_precision")} == {"not_applicable"}


def test_a_paraphrase_is_not_carried_and_the_reason_says_that_it_is_near():
    score = measure("citation_recall", told((RELATED, (1,)), over=[A]))
    assert (score.value, "1/1 句只对上一部分" in score.reason) == (0, True)


def test_verdicts_of_the_turn_are_taken_where_there_is_one_a_sentence():
    seen = told((OPEN, (1,)), over=[A], verdicts=(Verdict(OPEN, "supported", 1, by="model"),))
    assert value("citation_recall", seen) == 1
    other = told((OPEN, (1,)), over=[A, B], verdicts=(Verdict(OPEN, "supported", 2, by="model"),))
    assert value("citation_recall", other) == 0


@pytest.mark.parametrize("name", ["citation_recall", "citation_precision"])
def test_a_refusal_an_arm_without_material_and_an_empty_answer_have_no_citations(name):
    assert measure(name, Seen(case(), turn(refusal="low_evidence"))).kind == "not_applicable"
    assert measure(name, replace(told((FIRST, ())), retrieves=False)).kind == "not_applicable"
    assert measure(name, told()).kind == "not_applicable"


def test_an_answer_without_any_citation_has_no_precision_and_no_recall():
    seen = told((FIRST, ()), over=[A])
    assert value("citation_recall", seen) == 0
    assert measure("citation_precision", seen).kind == "not_applicable"
