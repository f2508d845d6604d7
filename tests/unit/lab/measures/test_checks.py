from __future__ import annotations

from dataclasses import replace

import pytest

from builders import chunk, hit, turn
from judgements import case
from seens import material, measure, source, told, value
from youju.lab.measures.registry import MEASURES
from youju.lab.seen import Seen
from youju.types import Answer, ScopeReport, Step, StepHit, Verdict

CHECKS = [one.info.name for one in MEASURES if one.info.family == "checks"]
A = chunk("a", "甲是三天。", page_start=3, page_end=4)
B = chunk("b", "乙是五天。", page_start=8, page_end=8)
BUDGET = Step("Budget(top_k=2, max_chars=10)", 0.0, (StepHit("a", 1.0), StepHit("b", 0.5)))
GOOD = replace(
    told(("甲是三天。", (1,)), ("乙是五天。", (2,)), over=[A, B], steps=(BUDGET,)), documents={"d1": material()}
)
REFUSED = Seen(case(), turn(refusal="low_evidence"), {"d1": material()})


def changed(**fields):
    return replace(GOOD, turn=replace(GOOD.turn, **fields))


def sources(**first):
    one, other = GOOD.turn.context
    return changed(sources=(source(one, **first), source(other)))


def fails(name, seen, part=""):
    score = measure(name, seen)
    whole = measure("deterministic_passed", seen)
    return score.value == 0 and part in score.reason and whole.value == 0 and name in whole.reason


def test_a_good_answer_and_a_good_refusal_pass_every_check():
    for name in CHECKS:
        assert measure(name, GOOD).value in {1, None}, name
        assert measure(name, REFUSED).value in {1, None}, name
    assert value("deterministic_passed", GOOD) == value("deterministic_passed", REFUSED) == 1
    assert {one.info.gate for one in MEASURES if one.info.name in CHECKS} == {"hard"}


def test_an_answer_says_something_and_has_sources():
    assert fails("answer_not_empty", changed(answer=Answer(" \n")))
    assert fails("answer_not_empty", changed(answer=None))
    assert fails("sources_not_empty", changed(sources=()))
    alone = replace(GOOD, retrieves=False, turn=replace(GOOD.turn, sources=()))
    assert measure("sources_not_empty", alone).kind == "not_applicable"


def test_a_refusal_leaves_nothing_behind():
    assert fails("refusal_bare", changed(refusal="low_evidence"), "来源")
    kept = replace(REFUSED, turn=replace(REFUSED.turn, verdicts=(Verdict("甲", "supported"),)))
    assert fails("refusal_bare", kept, "核对结果")


@pytest.mark.parametrize(
    "first, part",
    [
        ({"page_start": 2, "page_end": 3}, "第 2–3 页不在片段的第 3–4 页内"),
        ({"page_start": 8, "page_end": 8}, "第 8–8 页不在片段"),  # a page of the context, but of another chunk
        ({"page_start": 4, "page_end": 5}, "第 4–5 页不在片段"),
        ({"page_start": 4, "page_end": 3}, "第 4–3 页不在片段"),
        ({"page_start": None, "page_end": None}, "页码与片段不符"),
        ({"document_id": "d2"}, "文档不是"),
        ({"chunk_id": "z"}, "片段不在"),
    ],
)
def test_a_source_stands_on_the_pages_of_its_own_chunk(first, part):
    assert fails("source_pages", sources(**first), f"[1] {part}")


def test_a_source_stands_on_pages_that_its_document_has():
    assert fails("source_pages", replace(GOOD, documents={"d1": material(pages=7)}), "[2] 文档只有 7 页")
    assert value("source_pages", replace(GOOD, documents={"d1": material(pages=0)})) == 1


def test_sources_stand_once():
    one, other = GOOD.turn.context
    assert fails("sources_distinct", changed(sources=(source(one), source(other, chunk_id="a"))), "片段 a")
    assert fails("sources_distinct", changed(sources=(source(one), source(other, n=1))), "[1]")


def test_a_number_that_is_no_source_or_not_that_of_its_sentence_is_seen():
    said = GOOD.turn.answer
    assert fails("citations_resolve", changed(answer=replace(said, text="甲是三天。[1]乙是五天。[3]")), "[3]")
    assert fails("citations_resolve", changed(answer=replace(said, text="甲是三天。[2]乙是五天。[2]")), "不一致")
    assert fails("citations_resolve", changed(sources=GOOD.turn.sources[:1]), "[2]")


@pytest.mark.parametrize(
    "text", ["甲是三天[1,2]。", "甲是三天。[1-2]", "甲是三天【1】【2】。", "见〔2021〕5号，甲是三天［1］［2］。"]
)
def test_markers_are_read_in_all_their_forms(text):
    assert value("citations_resolve", changed(answer=replace(GOOD.turn.answer, text=text))) == 1


def test_a_quote_stands_in_its_own_chunk():
    assert fails("quotes_verbatim", sources(quote="甲是四天。"), "[1]")
    assert fails("quotes_verbatim", sources(quote=B.text), "[1]")
    assert value("quotes_verbatim", sources(quote="甲 是\n三天．".replace("．", "。"))) == 1
    assert value("quotes_verbatim", sources(quote="")) == 1


def test_the_budget_is_kept_to_the_item_and_to_the_character():
    assert len(A.text + B.text) == 10
    tight = replace(BUDGET, stage="Budget(top_k=2, max_chars=9)")
    assert fails("budget_kept", changed(steps=(tight,)), "10 字超过 9 字")
    few = replace(BUDGET, stage="Budget(top_k=1, max_chars=10)")
    assert fails("budget_kept", changed(steps=(few,)), "2 段超过 1 段")
    assert measure("budget_kept", changed(steps=())).kind == "not_applicable"
    alone = replace(BUDGET, stage="Budget(top_k=1, max_chars=2)", hits=BUDGET.hits[:1])
    assert value("budget_kept", changed(steps=(alone,), context=GOOD.turn.context[:1], sources=())) == 1


def test_nothing_is_found_outside_of_the_scope_or_the_material():
    outside = changed(rankings={"vector": (hit("x", document_id="d7"),)})
    assert fails("scope_kept", outside, "d7")
    assert fails("documents_known", outside, "d7")
    assert measure("scope_kept", changed(scope_report=None)).kind == "not_applicable"
    gone = replace(GOOD, documents={"d2": material("d2")})
    assert fails("documents_known", gone, "d1")
    assert value("scope_kept", changed(scope_report=ScopeReport({}, ("d1", "d2")))) == 1


def test_two_versions_of_a_document_never_answer_together():
    assert fails("documents_known", changed(hits=(hit("a"), hit("old", version=2))), "两个版本")


def test_no_chunk_and_no_rank_stands_twice():
    assert fails("ranks_distinct", changed(hits=(hit("a"), hit("a"))), "片段 a")
    both = tuple(replace(hit(name), ranks={"rrf": 1}) for name in "ab")
    assert fails("ranks_distinct", changed(hits=both), "rrf 的第 1 名")
    doubled = replace(BUDGET, hits=(*BUDGET.hits, BUDGET.hits[0]))
    assert fails("ranks_distinct", changed(steps=(doubled,), hits=(hit("a"),)), "片段 a")


@pytest.mark.parametrize(
    "stage, note, says",
    [
        ("ByVector(embedder=e5, k=15, threshold=0.88)", {}, "b"),
        ("ByVector(embedder=e5, k=15, threshold=0.88)", {"threshold": 0.0}, "b"),
        ("ByVector(embedder=e5, k=15, threshold=None)", {"threshold": 0.88}, "b"),
        ("ByVector(embedder=e5, k=15, threshold=-1.0)", {}, ""),
        ("ByVector(embedder=e5, k=15, threshold=0.8)", {}, ""),
        ("ByVector(embedder=e5, k=15, threshold=None)", {}, ""),
    ],
)
def test_no_hit_of_the_vector_channel_lies_below_the_threshold_that_it_is_named_by(stage, note, says):
    """Scores .9 and .85: only the second is below .88."""
    step = Step(stage, 0.0, (StepHit("a", 0.9), StepHit("b", 0.85)), note)
    if says:
        assert fails("threshold_kept", changed(steps=(step,)), says)
    else:
        assert value("threshold_kept", changed(steps=(step,))) == 1


def test_without_a_vector_channel_there_is_no_threshold_to_keep():
    assert measure("threshold_kept", changed(steps=())).kind == "not_applicable"
    failed = Step("ByVector(embedder=e5, k=15, threshold=0.88)", 0.0, (), {"error": "嵌入服务没有回答"})
    assert measure("threshold_kept", changed(steps=(failed,))).kind == "not_applicable"


def test_a_marker_behind_a_colon_is_seen_by_its_reader():
    """It is not read as a marker, as it may be an interval; the sentence cites all the same."""
    one = told(("权限依次如下：", (1,)), over=[chunk("a", "权限依次如下：")])
    assert value("citations_resolve", one) == 1
