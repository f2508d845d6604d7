from __future__ import annotations

from dataclasses import replace

import pytest

from builders import chunk, context, hit, turn
from judgements import case
from seens import material, measure, retrieved, value
from youju.lab.measures.registry import MEASURES
from youju.lab.seen import Seen
from youju.types import Step, StepHit

RETRIEVAL = [one.info.name for one in MEASURES if one.info.family == "retrieval"]
DOCUMENTS = {"d1": material(), "d2": material("d2", "员工规定")}
A, B = chunk("a", "甲是三天。", page_start=3, page_end=3), chunk("b", "乙是五天。", ordinal=5, page_start=8, page_end=9)
C = chunk("c", "无关。", document_id="d2", book="员工规定")
TWO = case(
    expected_docs=["函数入门"],
    evidence=[
        {"doc": "函数入门", "text": "甲是三天。", "pages": [3]},
        {"doc": "函数入门", "text": "乙是五天。", "pages": [8]},
    ],
)


def test_hits_are_of_documents_and_recall_is_of_evidence():
    other = chunk("o", "同一本书的别处。", ordinal=9)
    seen = retrieved(TWO, C, other, A, documents=DOCUMENTS)
    assert (value("hit@1", seen), value("hit@5", seen), value("mrr", seen)) == (0, 1, 1 / 2)
    assert (value("recall@5", seen), value("evidence_mrr", seen)) == (1 / 2, 1 / 3)
    score = measure("recall@5", seen)
    assert (score.numerator, score.denominator) == (1, 2)


def test_all_docs_wants_one_alternative_of_each_and_says_which_is_missing():
    both = case(expected_docs=[["函数入门", "代数"], "员工规定"])
    assert value("all_docs@5", retrieved(both, A, C, documents=DOCUMENTS)) == 1
    assert value("hit@5", retrieved(both, A, documents=DOCUMENTS)) == 1
    score = measure("all_docs@5", retrieved(both, A, B, documents=DOCUMENTS))
    assert (score.value, score.reason) == (0, "缺 员工规定")


def test_what_stands_below_the_cut_does_not_count():
    rest = [chunk(str(n), ordinal=20 + 2 * n) for n in range(5)]
    seen = retrieved(TWO, *rest, A, B)
    assert (value("recall@5", seen), value("recall@10", seen), value("precision@5", seen)) == (0, 1, 0)


def test_precision_divides_by_k_even_if_less_came():
    assert value("precision@5", retrieved(TWO, A, B)) == 2 / 5


def test_pages_and_spans_are_told_apart():
    near = chunk("n", "同页的别的话。", page_start=3, page_end=3)
    seen = retrieved(TWO, near, B)
    assert (value("page_recall@5", seen), value("span_recall@5", seen)) == (1, 1 / 2)


def test_evidence_without_pages_is_not_asked_of_page_recall():
    seen = retrieved(case(evidence=[{"doc": "函数入门", "text": "甲是三天。"}]), A)
    assert measure("page_recall@5", seen).kind == "not_applicable"
    assert value("span_recall@5", seen) == 1


def test_a_budget_of_characters_gives_large_chunks_no_advantage():
    large = chunk("l", "长" * 1997 + "甲是三天。", ordinal=30)
    assert value("recall@5", retrieved(TWO, large)) == 1 / 2
    assert value("recall@2000chars", retrieved(TWO, large)) == 0  # 天 is beyond 2000
    fits = chunk("l", "长" * 1995 + "甲是三天。", ordinal=30)
    assert value("recall@2000chars", retrieved(TWO, fits, B)) == 1 / 2


def test_nothing_retrieved_is_nothing_found():
    empty = retrieved(TWO)
    never = Seen(TWO, turn(refusal="scope_empty"))
    for name in ("hit@5", "mrr", "recall@5", "ndcg@10", "precision@5", "context_recall"):
        assert value(name, empty) == value(name, never) == 0


@pytest.mark.parametrize("name", RETRIEVAL)
def test_no_gold_and_no_search_are_not_applicable(name):
    channel = name.partition(".")[0] if "." in name else "final"
    assert measure(name, retrieved(case(), A, ranking=channel)).kind == "not_applicable"
    unanswerable = TWO.model_copy(update={"answerable": False})
    assert measure(name, retrieved(unanswerable, A, ranking=channel)).kind == "not_applicable"
    assert measure(name, retrieved(TWO, A, ranking=channel, retrieves=False)).kind == "not_applicable"


@pytest.mark.parametrize("channel", ["vector", "keyword"])
def test_a_channel_is_measured_alone_where_it_runs(channel):
    seen = retrieved(TWO, C, A, ranking=channel, documents=DOCUMENTS)
    assert (value(f"{channel}.hit@5", seen), value(f"{channel}.mrr", seen)) == (1, 1 / 2)
    assert (value(f"{channel}.recall@5", seen), value(f"{channel}.evidence_mrr", seen)) == (1 / 2, 1 / 2)
    silent = retrieved(TWO, ranking=channel)
    assert value(f"{channel}.hit@5", silent) == 0
    other = "keyword" if channel == "vector" else "vector"
    assert measure(f"{other}.hit@5", seen).kind == "not_applicable"


def test_the_ranking_counts_even_if_the_question_is_refused_later():
    seen = retrieved(TWO, A, B)
    found = seen.turn.hits
    refused = replace(seen.turn, hits=(), nearest=found, refusal="low_evidence")
    assert value("recall@5", replace(seen, turn=refused)) == 1
    assert value("context_recall", replace(seen, turn=refused)) == 0


def test_the_context_is_what_the_model_is_given_not_what_was_found():
    child = chunk("k", "第三款。", ordinal=3)
    (item,) = context(child)
    step = Step("Budget(top_k=5, max_chars=6000)", 0.0, (StepHit("k", 1.0),))
    seen = Seen(TWO, turn(hits=(hit("k"),), context=(replace(item, text="第三款。甲是三天。"),), steps=(step,)))
    assert value("context_recall", seen) == 1 / 2
