from __future__ import annotations

import inspect
from dataclasses import replace

import pytest

from builders import chunk, turn
from judgements import case
from seens import retrieved, told
from youju.lab.measures.registry import MEASURES, measured
from youju.lab.seen import Seen

SEENS = [
    Seen(case(), turn()),
    Seen(case(answerable=False), turn(refusal="no_candidates")),
    Seen(case(), turn(), retrieves=False),
    retrieved(case(expected_docs=["函数"]), chunk("a")),
    told(("甲是三天。", (1,)), over=[chunk("a", "甲是三天。")]),
]


def test_every_measure_has_a_name_and_a_title_of_its_own_and_says_what_it_is():
    infos = [one.info for one in MEASURES]
    assert len({info.name for info in infos}) == len({info.title for info in infos}) == len(infos)
    for one in MEASURES:
        found = getattr(one, "compute", type(one))
        assert inspect.getdoc(getattr(found, "func", found)), one.info.name


def test_families_stand_together():
    families = [one.info.family for one in MEASURES]
    runs = [family for at, family in enumerate(families) if at == 0 or families[at - 1] != family]
    assert len(runs) == len(set(runs))


@pytest.mark.parametrize("seen", SEENS, ids=["nothing", "refused", "closed", "searched", "answered"])
def test_every_measure_says_something_of_every_case(seen):
    scores = measured(seen)
    assert [one.info.name for one, _ in scores] == [one.info.name for one in MEASURES]
    for one, score in scores:
        assert (score.kind == "ok") == (score.value is not None), one.info.name
        assert score.kind == "ok" or score.reason, one.info.name
        if one.info.binary and score.kind == "ok":
            assert score.value in {0, 1}, one.info.name


def test_a_question_that_broke_is_an_error_of_every_measure():
    scores = measured(replace(SEENS[3], broke="模型没有回应"))
    assert len(scores) == len(MEASURES)
    assert {(score.kind, score.value, score.reason) for _, score in scores} == {("error", None, "模型没有回应")}


def test_only_those_asked_for_are_measured_in_their_order():
    some = (MEASURES[3], MEASURES[0])
    assert [one for one, _ in measured(SEENS[3], some)] == list(some)


def test_the_order_of_cases_changes_nothing():
    assert [measured(seen) for seen in SEENS] == [measured(seen) for seen in reversed(SEENS)][::-1]
