from __future__ import annotations

from builders import chunk, turn
from judgements import case
from seens import measure, told, value
from youju.lab.seen import Seen
from youju.types import Step


def asked(*notes):
    steps = tuple(Step(f"Stage{n}()", 0.1, note=note) for n, note in enumerate(notes))
    return Seen(case(), turn(steps=(Step("When(answerable)", 0.3, inner=steps),)))


def test_the_tokens_of_all_calls_are_added_wherever_they_were_made():
    seen = asked({"prompt_tokens": 120, "completion_tokens": 30}, {"prompt_tokens": 80, "completion_tokens": 5})
    assert (value("prompt_tokens", seen), value("completion_tokens", seen)) == (200, 35)


def test_tokens_that_are_not_reported_are_unknown_and_not_zero():
    score = measure("prompt_tokens", asked({"prompt_tokens": 120}, {"prompt_tokens": None}))
    assert (score.kind, score.value, score.reason) == ("not_applicable", None, "服务没有报告用量")


def test_an_answer_without_a_model_has_no_tokens():
    assert measure("completion_tokens", asked({"chars": 10})).kind == "not_applicable"


def test_the_context_is_counted_in_characters():
    assert value("context_chars", told(over=[chunk("a", "甲是三天。"), chunk("b", "乙。")])) == 7
    assert measure("context_chars", Seen(case(), turn())).kind == "not_applicable"
