from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import hit
from youju.stages.evidence import Question, features, identifiers, idf
from youju.text.tokens import query_terms
from youju.types import Hit

# ln(1 + (4 − n + .5) / (n + .5)) for n = 1, 3, 0: ln(10/3), ln(10/7), ln 10; together ln(1000/21).
QUESTION = Question("alpha beta gamma", {"alpha": 1, "beta": 3, "gamma": 0}, 4)
TOTAL = math.log(1000 / 21)


def bare(text: str, **more: object) -> Hit:
    return hit("a", text=text, book="", section=(), **more)


def found(text: str, **ranks: int) -> Hit:
    return replace(bare(text), ranks=ranks)


def test_idf_is_that_of_lucene():
    assert idf(1, 4) == pytest.approx(math.log(10 / 3))
    assert idf(4, 4) == pytest.approx(math.log(10 / 9))


@given(st.integers(0, 200), st.integers(0, 200))
def test_idf_is_above_zero_and_falls_with_the_number_of_chunks(one, other):
    low, high = sorted((one, other))
    assert idf(low, 200) >= idf(high, 200) > 0


def test_cover_is_the_share_of_the_weight_that_is_present():
    assert QUESTION.cover(frozenset({"alpha", "beta"})) == pytest.approx(math.log(100 / 21) / TOTAL)
    assert QUESTION.cover(frozenset({"gamma", "other"})) == pytest.approx(math.log(10) / TOTAL)
    assert QUESTION.cover(frozenset({"alpha", "beta", "gamma"})) == pytest.approx(1)
    assert QUESTION.cover(frozenset()) == 0


def test_unseen_is_the_share_of_the_weight_that_stands_nowhere():
    assert QUESTION.unseen == pytest.approx(math.log(10) / TOTAL)


@pytest.mark.parametrize("text", ["的了是吗？", "😀", ""])
def test_a_question_without_terms_is_covered_by_nothing(text):
    question = Question(text, {}, 4)
    assert (question.cover(frozenset({"alpha"})), question.unseen) == (0.0, 1.0)


def test_words_that_only_say_what_is_wanted_carry_no_weight():
    assert [term.text for term in Question("alpha 与 beta 的区别", {}, 4).terms] == ["alpha", "beta"]


@pytest.mark.parametrize(
    "text, named",
    [
        ("报错 QW-4031 怎么办", ["qw-4031"]),
        ("第一百八十条说了什么", ["第180条"]),
        ("M7 门锁", ["m7"]),
        ("cache.max_entries 是什么", ["cache.max_entries"]),
        ("512MiB 够不够", []),
        ("30秒内", []),
        ("试用期多长", []),
        ("max-conn", []),
    ],
)
def test_identifiers_name_one_thing_exactly(text, named):
    assert identifiers(query_terms(text)) == named


def test_cover_looks_at_the_best_hit_with_its_headings():
    figures = features(QUESTION, [bare("alpha"), bare("gamma")])
    assert figures["cover"] == pytest.approx(math.log(10 / 3) / TOTAL)
    with_heading = replace(bare("alpha"), chunk=replace(bare("alpha").chunk, section=("beta",)))
    assert features(QUESTION, [with_heading])["cover"] == pytest.approx(math.log(100 / 21) / TOTAL)


def test_cosines_are_those_of_the_vector_channel():
    hits = [replace(hit("a", 9.0), scores={"vector": 0.5}), hit("b", 7.0), replace(hit("c"), scores={"vector": 0.9})]
    figures = features(QUESTION, hits)
    assert figures["cosine"] == 0.9


def test_without_hits_there_is_no_evidence():
    figures = features(QUESTION, [])
    assert (figures["cosine"], figures["cover"], figures["agreement"]) == (0, 0, 0)
    assert figures["kind"] == 0.5


@pytest.mark.parametrize(
    "ranks, agreement",
    [
        ({"vector": 1, "keyword": 1}, 1.0),  # (1/1 + 1/1) / 2
        ({"vector": 1, "keyword": 4}, 0.625),  # (1 + 1/4) / 2
        ({"vector": 2}, 0.25),
        ({"keyword": 1}, 0.5),
        ({}, 0.0),
    ],
)
def test_agreement_is_the_mean_reciprocal_rank_of_the_best_hit(ranks, agreement):
    assert features(QUESTION, [found("alpha", **ranks)])["agreement"] == agreement


def test_numbers_count_with_their_unit():
    question = Question("等待30秒还是重试5次？", {}, 4)
    assert features(question, [bare("等待三十秒。")])["numbers_missing"] == 0.5
    assert features(question, [bare("等待30分钟，重试五次。")])["numbers_missing"] == 0.5
    assert features(question, [bare("先等待30秒。"), bare("再重试5次。")])["numbers_missing"] == 0
    assert features(QUESTION, [bare("alpha")])["numbers_missing"] == 0


def test_strong_signals_may_stand_in_any_of_the_first_five_hits():
    question = Question("QW-4031 和 QW-4029", {}, 4)
    assert features(question, [bare("QW-4031。"), bare("QW-4029。")])["strong_missing"] == 0
    assert features(question, [bare("QW-4031。")])["strong_missing"] == 0.5
    assert features(question, [bare("无。")] * 5 + [bare("QW-4031 QW-4029")])["strong_missing"] == 1


def test_identifiers_are_looked_for_in_the_whole_scope_not_in_the_hits():
    df = {"qw-4031": 2, "qw-4029": 0}
    assert features(Question("QW-4031 和 QW-4029", df, 4), [])["identifiers_unseen"] == 0.5
    assert features(Question("QW-4031", df, 4), [bare("无关。")])["identifiers_unseen"] == 0


@pytest.mark.parametrize(
    "text, kind",
    [
        ("alpha beta 的上限是多少？", 1.0),  # the sentence nearest to the question holds a number
        ("gamma 的上限是多少？", 0.0),  # this one holds none
        ("alpha 是什么？", 0.5),  # no kind is asked for
    ],
)
def test_the_nearest_sentence_should_hold_the_kind_of_answer_asked_for(text, kind):
    question = Question(text, {"alpha": 1, "beta": 1, "gamma": 1}, 4)
    assert features(question, [bare("alpha beta 不得超过 512 个。gamma 由部门决定。")])["kind"] == kind


@given(st.text(max_size=60), st.lists(st.text(min_size=1, max_size=60), max_size=4))
def test_every_figure_of_any_question_lies_between_zero_and_one(text, bodies):
    figures = features(Question(text, {}, 4), [bare(body) for body in bodies])
    assert all(-1e-9 <= value <= 1 + 1e-9 for value in figures.values()), figures
