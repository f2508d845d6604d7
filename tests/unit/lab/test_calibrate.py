from __future__ import annotations

import pytest

from builders import chunk, turn
from judgements import case
from youju.errors import InputError
from youju.lab.calibrate import calibrate, graded, point
from youju.lab.seen import Seen
from youju.stages.grade import Model
from youju.types import Grade, Hit

MODEL = Model("m", "nothing", bias=0.0, low=0.4, high=0.7, weights={})
FIGURES = {"identifiers_unseen": 0.0, "identifiers_found": 0.0, "unfamiliar": 0.0, "version_missing": 0.0}


def seen(probability, *, answerable, **figures):
    grade = Grade("HIGH", (), FIGURES | figures | {"probability": probability})
    of = case(answerable=answerable) if answerable else case(answerable=False, category="unanswerable", evidence=[])
    return Seen(of, turn(grade=grade, hits=(Hit(chunk("a"), 1.0),)))


SEENS = [
    *(seen(p, answerable=True) for p in (0.95, 0.9, 0.8, 0.6, 0.3)),
    *(seen(p, answerable=False) for p in (0.7, 0.5, 0.2, 0.1, 0.05)),
]


def test_the_bound_refuses_most_of_what_it_should_at_the_wanted_precision():
    """Below .61 are 4 without an answer (.5 .2 .1 .05) and 2 with one (.6 .3): 4/6. Below .51: 4 and 1: 4/5."""
    found = calibrate(SEENS, MODEL, wanted=0.8)
    assert found.reached
    assert 0.5 < found.low <= 0.6
    assert (found.chosen.precision.hits, found.chosen.precision.n) == (4, 5)
    assert (found.chosen.recall.hits, found.chosen.recall.n) == (4, 5)
    assert (found.chosen.over_refusal.hits, found.chosen.over_refusal.n) == (1, 5)
    assert found.chosen.coverage == 0.5
    assert found.chosen.risk == 0.2


def test_a_precision_that_cannot_be_had_is_said_not_to_be_reached():
    """Whatever is refused here has an answer."""
    found = calibrate([seen(0.1, answerable=True), seen(0.9, answerable=False)], MODEL, wanted=0.9)
    assert not found.reached


def test_high_begins_where_nine_in_ten_have_an_answer():
    """From .8 on all three have one; from .7 on three of four."""
    assert calibrate(SEENS, MODEL, wanted=0.8).high == 0.8


def test_what_holds_whatever_the_bound_is_holds_here_too():
    named = graded([seen(0.1, answerable=True, identifiers_found=1.0), seen(0.9, answerable=False)])
    assert point(named, MODEL).over_refusal.hits == 0
    unseen_name = graded([seen(0.99, answerable=False, identifiers_unseen=1.0), seen(0.9, answerable=True)])
    assert point(unseen_name, MODEL).recall.hits == 1


@pytest.mark.parametrize("seens", [[], [seen(0.5, answerable=True)], [seen(0.5, answerable=False)]])
def test_both_kinds_of_question_are_needed(seens):
    with pytest.raises(InputError, match="校准需要"):
        calibrate(seens, MODEL, wanted=0.9)
