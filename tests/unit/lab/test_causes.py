"""Why an answer is not as it should be."""

from __future__ import annotations

from dataclasses import replace

import pytest

from builders import chunk, context
from builders import turn as made
from judgements import case, claim, fact, judgement
from youju.lab.causes import TITLES, cause
from youju.lab.seen import Material, Seen
from youju.types import Answer, Hit, Step, StepHit

GOLD = chunk("g", "员工婚假为十三天。", book="员工手册")
OTHERS = tuple(
    chunk(id_, f"无关的话{id_}。", book="员工手册", ordinal=at * 9) for at, id_ in enumerate("abcdef", start=1)
)
CASE = case(evidence=[{"doc": "员工手册", "text": "婚假为十三天"}], key_facts=["婚假十三天"], reference_answer="十三天")
HANDBOOK = Material("d1", "员工手册", "handbook.md", "c1", 1, 0)
HELD = fact("covered", 1)


def seen(found, kept, entered, *, of=CASE, answer="十三天。", top_k=5, **more):
    """A question that found these chunks, kept those, and let these into the context; "" is a refusal."""
    hits = tuple(Hit(one, 1 / rank) for rank, one in enumerate(kept, start=1))
    steps = (
        Step("ByVector(e5, top_k=15)", 0, tuple(StepHit(one.id, 1) for one in found)),
        Step("Fuse(k=60)", 0, tuple(StepHit(one.id, 1) for one in kept)),
        Step(f"Budget(top_k={top_k}, max_chars=6000)", 0, tuple(StepHit(one.id, 1) for one in entered)),
    )
    one = made(
        rankings={"vector": tuple(Hit(each, 1) for each in found)}, hits=hits, context=context(*entered), steps=steps
    )
    told = {"answer": Answer(answer)} if answer else {"refusal": "model_refused"}
    return Seen(of, replace(one, **told), {"d1": HANDBOOK}, **more)


def good(**more):
    return seen([GOLD], [GOLD], [GOLD], **more)


def judged(one, *parts):
    return cause(replace(one, judgement=judgement(*parts)))


# --- without a judge -------------------------------------------------------------------------------------------------


def test_what_no_channel_found_is_a_retrieval_miss():
    assert cause(seen(OTHERS, OTHERS, OTHERS[:5])) == "retrieval_miss"
    assert cause(seen(OTHERS, OTHERS, OTHERS[:5], answer="")) == "retrieval_miss"


def test_what_was_found_and_not_kept_is_a_ranking_miss():
    assert cause(seen([*OTHERS, GOLD], OTHERS, OTHERS[:5])) == "ranking_miss"


def test_what_stands_behind_a_full_context_is_a_ranking_miss():
    assert cause(seen([*OTHERS, GOLD], [*OTHERS, GOLD], OTHERS[:5], top_k=5)) == "ranking_miss"


def test_what_was_passed_over_for_its_length_is_cut_by_the_budget():
    assert cause(seen([GOLD], [OTHERS[0], GOLD, OTHERS[1]], OTHERS[:2], top_k=2)) == "cut_by_budget"
    assert cause(seen([GOLD], [OTHERS[0], GOLD], OTHERS[:1], top_k=5)) == "cut_by_budget"


def test_a_refusal_although_the_evidence_was_there_is_one_too_many():
    assert cause(good(answer="")) == "over_refusal"


def test_a_gate_that_moved_the_evidence_away_refused_too_much():
    one = seen([GOLD], [], [], answer="")
    gated = replace(one, turn=replace(one.turn, nearest=(Hit(GOLD, 1),), refusal="low_evidence"))
    assert cause(gated) == "over_refusal"


def test_of_several_losses_the_earliest_counts():
    two = case(evidence=[{"doc": "员工手册", "text": "婚假为十三天"}, {"doc": "员工手册", "text": "产假九十八天"}])
    assert cause(seen([GOLD], [], [OTHERS[0]], of=two)) == "retrieval_miss"


def test_an_answer_with_its_evidence_shows_no_fault():
    assert cause(good()) == "none"


def test_without_labelled_evidence_the_document_counts():
    by_name = case(expected_docs=[["员工手册", "手册"]])
    assert cause(seen(OTHERS, OTHERS, OTHERS[:5], of=by_name)) == "none"
    assert cause(seen([], [], [], of=by_name, answer="")) == "retrieval_miss"


def test_what_the_material_does_not_answer_must_be_refused():
    unanswerable = case(answerable=False)
    assert cause(good(of=unanswerable)) == "false_confidence"
    assert cause(good(of=unanswerable, answer="")) == "none"


def test_a_document_that_is_not_there_is_a_fault_of_the_question_set():
    assert cause(good(of=case(expected_docs=[["不存在的书"]]))) == "question_set"


def test_a_question_that_broke_has_its_own_cause():
    assert cause(good(broke="断了")) == "broke"


# --- with a judge ----------------------------------------------------------------------------------------------------


def test_an_answer_that_says_all_it_should_is_fine_wherever_it_found_it():
    assert judged(good(), HELD, claim("yes", "yes", 1)) == "none"
    assert judged(seen(OTHERS, OTHERS, OTHERS[:5]), fact("covered"), claim("yes", "yes", 1)) == "none"


def test_what_the_context_says_beyond_the_reference_is_no_fault():
    assert judged(good(), HELD, claim("yes", "no", 1, wrong="not_found")) == "none"


MISSED = fact("not_covered", 1)


@pytest.mark.parametrize(
    "parts,why",
    [
        ([MISSED], "ignored_context"),
        ([fact("partially_covered", 1)], "ignored_context"),
        ([MISSED, claim("no", "no", against="contradicted", wrong="contradicted")], "wrong_reasoning"),
        ([HELD, claim("unknown", "no", wrong="contradicted")], "wrong_reasoning"),
        ([HELD, claim("yes", "no", 2, wrong="contradicted")], "misled_by_noise"),
        ([MISSED, claim("yes", "no", 2, wrong="not_found")], "misled_by_noise"),
        ([HELD, claim("no", "no", against="not_found", wrong="not_found")], "hallucinated"),
        ([HELD, claim("yes", "no", 1, wrong="contradicted")], "question_set"),
        ([fact("not_covered")], "question_set"),
        ([fact("not_covered", 1, weight="okay")], "none"),
    ],
)
def test_with_the_evidence_in_the_context_the_verdicts_tell_why(parts, why):
    assert judged(good(), *parts) == why


def test_missing_evidence_comes_before_what_was_made_of_the_rest():
    astray = claim("no", "no", against="not_found", wrong="not_found")
    assert judged(seen(OTHERS, OTHERS, OTHERS[:5]), fact("not_covered"), astray) == "retrieval_miss"


def test_a_fact_that_only_the_rest_of_the_document_holds_was_not_retrieved():
    assert (
        judged(good(of=case(expected_docs=[["员工手册"]], key_facts=["一"])), fact("not_covered")) == "retrieval_miss"
    )


def test_a_model_without_documents_invents():
    alone = seen([], [], [], retrieves=False)
    assert judged(alone, fact("not_covered"), claim("no", "no", against="not_found")) == "hallucinated"
    assert judged(alone, fact("covered"), claim("no", "yes", against="not_found")) == "none"


def test_a_judgement_that_failed_leaves_the_ranks():
    one = replace(seen(OTHERS, OTHERS, OTHERS[:5]), judgement=judgement(claims=None))
    assert cause(one) == "retrieval_miss"


def test_every_cause_has_a_title():
    assert len(set(TITLES.values())) == len(TITLES) == 12
