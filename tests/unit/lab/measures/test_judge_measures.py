"""The figures that are made of a judge's verdicts."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from builders import chunk
from judgements import case, claim, fact, judgement, seen
from youju.lab.judgement import Judgement
from youju.lab.measures.judge_all import judge_measures
from youju.lab.measures.judge_origins import origin
from youju.lab.score import error

BY_NAME = {one.info.name: one for one in judge_measures()}
CONTEXT = (chunk("a", "一"), chunk("b", "二"), chunk("c", "三"))
FULL = case(key_facts=["一", "二"], reference_answer="一二")
NAMES = set(BY_NAME)


def figure(name, *parts, of=FULL, answer="答", chunks=CONTEXT, **more):
    return BY_NAME[name](replace(seen(of, answer, *chunks), judgement=judgement(*parts, **more)))


def value(name, *parts, **more):
    found = figure(name, *parts, **more)
    assert found.kind == "ok", found
    return found.value


def kind(name, *parts, **more):
    return figure(name, *parts, **more).kind


YES, NO, UNKNOWN = claim("yes"), claim("no", against="not_found"), claim("unknown")
CONTRADICTED = claim("no", against="contradicted")


# --- faithfulness ----------------------------------------------------------------------------------------------------


def test_faithfulness_leaves_out_what_the_judge_cannot_tell_and_its_bounds_do_not():
    claims = (YES, YES, YES, NO, UNKNOWN)
    assert value("faithfulness", *claims) == 3 / 4
    assert value("faithfulness_strict", *claims) == 3 / 5
    assert value("faithfulness_upper", *claims) == 4 / 5
    assert value("unknown_rate", *claims) == 1 / 5


def test_numerator_and_denominator_are_kept():
    found = figure("faithfulness", YES, NO, UNKNOWN)
    assert (found.numerator, found.denominator) == (1, 2)


def test_an_evasive_judge_is_seen_between_the_bounds():
    # 100 claims, 80 of them founded; of the 20 others 14 are dodged: 80 / 86 = .930, in truth .80.
    claims = [YES] * 80 + [NO] * 6 + [UNKNOWN] * 14
    assert value("faithfulness", *claims) == pytest.approx(0.930, abs=5e-4)
    assert (value("faithfulness_strict", *claims), value("faithfulness_upper", *claims)) == (0.80, 0.94)


def test_all_unknown_is_not_applicable_between_nought_and_one():
    assert kind("faithfulness", UNKNOWN, UNKNOWN) == "not_applicable"
    assert value("faithfulness_strict", UNKNOWN, UNKNOWN) == 0
    assert value("faithfulness_upper", UNKNOWN, UNKNOWN) == 1
    assert value("unknown_rate", UNKNOWN) == 1


def test_contradicted_is_told_from_not_found():
    assert value("contradicted_share", YES, NO, CONTRADICTED, UNKNOWN) == 1 / 4


FAITHFUL = {"faithfulness", "faithfulness_strict", "faithfulness_upper", "unknown_rate", "contradicted_share"}


@pytest.mark.parametrize("name", sorted(FAITHFUL))
def test_without_claims_or_without_a_context_faithfulness_is_not_applicable(name):
    assert kind(name) == "not_applicable"
    assert kind(name, NO, chunks=()) == "not_applicable"


# --- coverage and relevance ------------------------------------------------------------------------------------------


def test_coverage_is_the_mean_over_our_facts_and_the_vital_one_is_strict():
    facts = (fact("covered"), fact("partially_covered"), fact("not_covered"), fact("covered", weight="okay"))
    assert value("coverage", *facts) == 2.5 / 4
    assert value("coverage_vital", *facts) == 1 / 3


def test_without_facts_or_vital_ones_coverage_is_not_applicable():
    assert kind("coverage", of=case()) == "not_applicable"
    assert kind("coverage_vital", fact(weight="okay")) == "not_applicable"


@pytest.mark.parametrize("said,worth", [("relevant", 1), ("partially_relevant", 0.5), ("not_relevant", 0)])
def test_relevance_has_three_steps(said, worth):
    assert value("relevance", relevance=said) == worth


def test_utilisation_counts_only_facts_that_the_context_holds():
    facts = (fact("covered", 1), fact("not_covered", 2), fact("partially_covered", 1, 2), fact("covered"))
    assert value("context_utilisation", *facts) == 1.5 / 3
    assert kind("context_utilisation", fact("covered")) == "not_applicable"
    assert kind("context_utilisation", fact("covered", 1), chunks=()) == "not_applicable"


def test_of_a_refusal_only_coverage_and_relevance_are_said():
    said_nothing = judgement(fact("not_covered"), fact("not_covered"), relevance="not_relevant")
    refusal = replace(seen(FULL), judgement=said_nothing)
    said = {name for name, one in BY_NAME.items() if one(refusal).kind == "ok"}
    assert said == {"coverage", "coverage_vital", "relevance"}


HOWTO = case(category="howto", key_facts=["一", "二", "三"])
ANSWER = "先打开阀门[1]，再启动水泵，最后记录读数。"


def steps(*quotes, covered="covered"):
    return [fact(covered, quote=quote) for quote in quotes]


def test_steps_count_when_given_and_in_order():
    assert value("steps_in_order", *steps("打开阀门", "启动水泵", "记录读数"), of=HOWTO, answer=ANSWER) == 1
    assert value("steps_in_order", *steps("记录读数", "打开阀门", "启动水泵"), of=HOWTO, answer=ANSWER) == 2 / 3
    assert value("steps_in_order", *steps("记录读数", "启动水泵", "打开阀门"), of=HOWTO, answer=ANSWER) == 1 / 3
    one = [*steps("打开阀门", "启动水泵"), fact("partially_covered", quote="记录读数")]
    assert value("steps_in_order", *one, of=HOWTO, answer=ANSWER) == 2 / 3
    assert value("steps_in_order", *steps("", "", "", covered="not_covered"), of=HOWTO, answer=ANSWER) == 0


def test_two_steps_in_one_place_are_in_order():
    assert value("steps_in_order", *steps("打开阀门", "打开阀门", "启动水泵"), of=HOWTO, answer=ANSWER) == 1


def test_a_step_that_cannot_be_placed_is_an_error_and_other_questions_have_no_steps():
    assert kind("steps_in_order", *steps("打开阀门", "关灯", "记录读数"), of=HOWTO, answer=ANSWER) == "error"
    assert kind("steps_in_order", *steps("打开阀门"), answer=ANSWER) == "not_applicable"


# --- where claims come from ------------------------------------------------------------------------------------------

# Chunk 1 holds a fact; chunk 2 holds none.
FACTS = (fact("covered", 1), fact("not_covered"))
CLAIMS = (
    claim("yes", "yes", 1),
    claim("yes", "no", 1, 2),
    claim("yes", "no", 2),
    claim("no", "no"),
    claim("no", "yes"),
    claim("unknown", "no"),
    claim("no", "unknown"),
    claim("yes", "unknown", 2),
)


def test_wrong_claims_are_told_apart_by_where_they_come_from():
    assert value("noise_sensitivity_relevant", *CLAIMS, *FACTS) == 1 / 8
    assert value("noise_sensitivity_irrelevant", *CLAIMS, *FACTS) == 1 / 8
    assert value("hallucination", *CLAIMS, *FACTS) == 1 / 8
    assert value("self_knowledge", *CLAIMS, *FACTS) == 1 / 8


ORIGINS = ("noise_sensitivity_relevant", "noise_sensitivity_irrelevant", "hallucination", "self_knowledge")


@pytest.mark.parametrize("name", ORIGINS)
def test_without_a_reference_or_claims_origins_are_not_applicable(name):
    assert kind(name, claim("no", None), *FACTS) == "not_applicable"
    assert kind(name, *FACTS) == "not_applicable"


def test_without_a_context_all_comes_from_nowhere_and_nothing_is_noise():
    claims = (claim("no", "yes"), claim("no", "no"), claim("no", "no"))
    assert value("hallucination", *claims, *FACTS, chunks=()) == 2 / 3
    assert value("self_knowledge", *claims, *FACTS, chunks=()) == 1 / 3
    assert kind("noise_sensitivity_relevant", *claims, *FACTS, chunks=()) == "not_applicable"


def test_ten_thousand_random_matrices_of_verdicts_add_up():
    lot = random.Random(20)  # noqa: S311 - no secret
    for _ in range(10_000):
        facts = [fact(lot.choice(("covered", "partially_covered", "not_covered")), *some(lot)) for _ in range(2)]
        claims = [drawn(lot) for _ in range(lot.randint(1, 9))]
        adds_up(claims, facts)


def some(lot):
    return [n for n in (1, 2, 3) if lot.random() < 0.4]


def drawn(lot):
    founded = lot.choice(("yes", "no", "unknown"))
    right = lot.choice(("yes", "no", "unknown"))
    if founded == "no":
        return claim("no", right, against=lot.choice(("contradicted", "not_found")))
    return claim(founded, right, *([lot.randint(1, 3), *some(lot)] if founded == "yes" else ()))


def adds_up(claims, facts):
    one = replace(seen(FULL, "答", *CONTEXT), judgement=judgement(*claims, *facts))
    scores = {name: measure(one) for name, measure in BY_NAME.items()}
    value = {name: score.value for name, score in scores.items() if score.kind == "ok"}
    n = len(claims)
    relevant = {number for each in facts for number in each.chunks}
    wrong = [each for each in claims if each.right == "no"]
    undecided = sum(origin(each, relevant) == "undecided" for each in wrong)
    noise = value["noise_sensitivity_relevant"] + value["noise_sensitivity_irrelevant"]
    close = pytest.approx
    # Every wrong claim has exactly one origin.
    assert noise + value["hallucination"] + undecided / n == close(len(wrong) / n)
    # From nowhere is what is not founded, split by right, wrong and untold.
    untold = sum(each.founded == "no" and each.right == "unknown" for each in claims)
    assert value["hallucination"] + value["self_knowledge"] + untold / n == close(1 - value["faithfulness_upper"])
    # What is not founded for sure is unknown or not founded.
    assert value["faithfulness_upper"] - value["faithfulness_strict"] == close(value["unknown_rate"])
    assert value["contradicted_share"] <= 1 - value["faithfulness_upper"] + 1e-12
    if value["unknown_rate"] < 1:
        faith = value["faithfulness"]
        assert value["faithfulness_strict"] - 1e-12 <= faith <= value["faithfulness_upper"] + 1e-12
        assert faith * (1 - value["unknown_rate"]) == close(value["faithfulness_strict"])
    else:
        assert scores["faithfulness"].kind == "not_applicable"
    assert value["coverage_vital"] <= value["coverage"]
    assert all(0 <= one <= 1 for one in value.values())


def test_the_order_of_claims_and_facts_does_not_matter_but_for_steps():
    lot = random.Random(3)  # noqa: S311 - no secret
    for _ in range(200):
        claims, facts = [drawn(lot) for _ in range(6)], [fact("covered", *some(lot)), fact("not_covered", *some(lot))]
        for name in NAMES - {"steps_in_order"}:
            assert figure(name, *claims, *facts) == figure(name, *claims[::-1], *facts[::-1])


# --- errors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(NAMES))
def test_a_question_that_broke_is_an_error_in_every_measure(name):
    assert BY_NAME[name](replace(seen(FULL), broke="断了")) == error("断了")


@pytest.mark.parametrize("name", sorted(NAMES))
def test_without_a_judge_no_measure_says_anything(name):
    assert BY_NAME[name](seen(FULL, "答", *CONTEXT)).kind == "not_applicable"


@pytest.mark.parametrize("name", sorted(NAMES))
def test_a_part_that_failed_is_an_error_with_its_reason(name):
    failed = Judgement(errors=tuple((part, f"{part} 失败") for part in ("claims", "facts", "relevance")))
    found = BY_NAME[name](replace(seen(HOWTO, "答", *CONTEXT), judgement=failed))
    assert found.kind == "error"
    assert found.reason.endswith("失败")


def test_a_part_that_was_not_asked_is_not_applicable():
    found = BY_NAME["faithfulness"](replace(seen(FULL, "答", *CONTEXT), judgement=Judgement()))
    assert found.kind == "not_applicable"


def test_names_are_distinct_and_all_are_the_judge_s():
    assert len(NAMES) == len(judge_measures()) == 14
    assert {one.info.family for one in judge_measures()} == {"judge"}
