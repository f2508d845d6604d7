from __future__ import annotations

import pytest

from builders import turn
from judgements import case
from seens import measure, told, value
from youju.lab.measures.refusals import outcome
from youju.lab.seen import Seen

YES, NO = case(), case(answerable=False, category="unanswerable")
HEDGED = "资料中没有提到这一点。"


def refused(of):
    return Seen(of, turn(refusal="low_evidence"))


def answered(of):
    return told(("婚假十三天。", (1,)), of=of)


def hedging(of):
    return told((HEDGED, ()), of=of)


@pytest.mark.parametrize(
    "how, of, figures",
    [  # refusal_correct, correct_refusal, over_refusal, false_confidence, undetermined
        (refused, NO, (1, 1, None, 0, 0)),
        (answered, NO, (0, 0, None, 1, 0)),
        (hedging, NO, (0, 0, None, 0, 1)),
        (refused, YES, (0, None, 1, None, 0)),
        (answered, YES, (1, None, 0, None, 0)),
        (hedging, YES, (0, None, 0, None, 1)),
    ],
)
def test_each_question_has_one_place_in_the_table(how, of, figures):
    names = ("refusal_correct", "correct_refusal", "over_refusal", "false_confidence", "undetermined")
    assert tuple(measure(name, how(of)).value for name in names) == figures


def test_an_answer_that_hedges_but_cites_something_firm_is_an_answer():
    assert outcome(told(("婚假十三天。", (1,)), ("资料没有提到陪产假。", ()))) == "answered"


def test_a_hedge_with_a_citation_is_still_a_hedge():
    assert outcome(told(("资料没有提到陪产假。", (1,)))) == "undetermined"


def test_a_quotation_that_sounds_like_a_hedge_is_an_answer():
    assert outcome(told(("合同没有规定期限的，按三年计算。", (1,)), by="extractive")) == "answered"


def test_nothing_said_is_undetermined():
    assert outcome(Seen(YES, turn())) == outcome(told()) == "undetermined"


def test_the_reason_says_what_became_of_the_question():
    assert measure("refusal_correct", refused(YES)).reason == "拒答"
    assert value("undetermined", refused(YES)) == 0
