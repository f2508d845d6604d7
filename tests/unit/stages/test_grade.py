from __future__ import annotations

import hashlib
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import hit, turn
from library import LENIENT, DownWords, Library
from youju import samples
from youju.lab.dataset import read
from youju.settings import Knobs
from youju.stages import recipes
from youju.stages.base import advance
from youju.stages.evidence import Question, features
from youju.stages.grade import GradeEvidence, Model, load
from youju.types import Degradation, Turn

NAMES = ("e5", "words")
SURE = replace(LENIENT, name="sure", bias=50.0, low=0.1)
TEXTS = {"a": "QINGWU_MAX_CONN 的默认值是 512。", "b": "日志保留 14 天。"}


def stage(library: Library, model: Model = SURE) -> GradeEvidence:
    return GradeEvidence(library.words, model, replace(LENIENT, name="words"))


async def graded(library: Library, asked: str, model: Model = SURE, **more: object) -> Turn:
    found = {"hits": (hit("a", text=TEXTS["a"]),), **more}
    return await advance(stage(library, model), turn(asked, **found))


@pytest.mark.parametrize("name", NAMES)
def test_a_model_weighs_features_that_exist(name):
    model = load(name)
    assert set(model.weights) <= set(features(Question("问题", {}, 1), []))
    assert all(scale > 0 for _, scale, _ in model.weights.values())
    assert model.name == name


@pytest.mark.parametrize("name", NAMES)
def test_the_bounds_of_a_model_leave_room_between_them(name):
    assert 0 < load(name).low < load(name).high < 1


def test_the_model_for_words_does_without_vectors():
    assert not set(load("words").weights) & {"cosine", "agreement"}


@pytest.mark.parametrize("name", NAMES)
def test_a_model_was_fitted_on_the_questions_as_they_are(name):
    cases = [case for one in samples.question_sets() for case in read(one.read_text("utf-8").splitlines(), one.name)]
    digest = hashlib.sha256("\n".join(sorted({case.question for case in cases})).encode()).hexdigest()[:12]
    dev = sum(case.split == "dev" for case in cases)
    assert load(name).fitted_on == f"sample questions, dev split, {2 * dev} turns, set {digest}", (
        "run bench/fit_grader.py"
    )


@given(st.floats(-2, 2), st.floats(0, 2), st.floats(0.01, 3))
def test_more_of_a_feature_with_a_positive_weight_is_never_worse(value, more, weight):
    model = Model("m", "", 0.0, 0.4, 0.6, {"cosine": (0.5, 0.2, weight)})
    assert model.probability({"cosine": value + more}) >= model.probability({"cosine": value})


@pytest.mark.parametrize("name", NAMES)
def test_the_sign_of_a_fitted_weight_is_its_direction(name):
    model = load(name)
    usual = {feature: mean for feature, (mean, _, _) in model.weights.items()}
    for feature, (mean, scale, weight) in model.weights.items():
        rise = model.probability(usual | {feature: mean + scale}) - model.probability(usual)
        assert rise * weight >= 0, feature


def test_a_probability_is_the_logistic_of_the_standardised_sum():
    # z = .5 + 2 · (.9 − .5) / .4 = 2.5; 1 / (1 + e^−2.5) = .924142
    model = Model("m", "", 0.5, 0.4, 0.6, {"cosine": (0.5, 0.4, 2.0)})
    assert model.probability({"cosine": 0.9}) == pytest.approx(0.924142, abs=1e-6)


@pytest.mark.parametrize("p, level", [(0.0, "LOW"), (0.39, "LOW"), (0.4, "AMBIGUOUS"), (0.6, "HIGH"), (1.0, "HIGH")])
def test_the_bounds_belong_to_the_better_grade(p, level):
    assert Model("m", "", 0.0, low=0.4, high=0.6, weights={}).level(p) == level


async def test_good_evidence_is_graded_by_the_model(library):
    await library.put(TEXTS)
    after = await graded(library, "QINGWU_MAX_CONN 是多少？")
    assert after.grade.level == "HIGH"
    assert after.grade.features["probability"] == pytest.approx(1)
    assert after.hits == (hit("a", text=TEXTS["a"]),)
    assert after.steps[0].note == {"model": "sure"}


async def test_a_name_that_stands_nowhere_is_low_whatever_the_model_says(library):
    await library.put(TEXTS)
    after = await graded(library, "QINGWU_MIN_CONN 的默认值是多少？")
    assert after.grade.features["probability"] == pytest.approx(1)
    assert after.grade.level == "LOW"
    assert "资料中没有出现：qingwu_min_conn" in after.grade.reasons


async def test_no_hits_are_low(library):
    await library.put(TEXTS)
    after = await graded(library, "日志保留几天？", hits=())
    assert (after.grade.level, after.grade.features["probability"]) == ("LOW", 0.0)


@pytest.mark.parametrize("part", ["embedder", "vector"])
async def test_without_vectors_the_model_for_words_judges(library, part):
    await library.put(TEXTS)
    after = await graded(library, "日志保留几天？", degradations=(Degradation(part, "down"),))
    assert after.steps[0].note == {"model": "words"}


async def test_a_degraded_reranker_is_no_reason_for_the_model_for_words(library):
    await library.put(TEXTS)
    after = await graded(library, "日志保留几天？", degradations=(Degradation("reranker", "rerank_failed"),))
    assert after.steps[0].note == {"model": "sure"}


async def test_evidence_that_could_not_be_judged_is_never_high(library):
    library.words = DownWords(library.store)
    after = await graded(library, "日志保留几天？")
    assert (after.grade.level, after.grade.reasons) == ("AMBIGUOUS", ("未能评估证据",))
    assert [(one.part, one.reason) for one in after.degradations] == [("keyword", "keyword_down")]


@pytest.mark.parametrize(
    "asked, reason",
    [
        ("火星基地的日志？", "资料中没有出现：火星"),
        ("LOG_KEEP_DAYS 和 QINGWU_MAX_CONN？", "问题中的名称、编号或数字没有全部出现在找到的片段里"),
        ("日志能保留30天吗？", "问题中的数值没有出现在找到的片段里"),
        ("日志由谁负责？", "最相近的句子里没有问题要的那类答案（数字、时间、人、地点、原因或步骤）"),
        ("日志保留几天？", "两个检索通道的结果不一致"),
    ],
)
async def test_the_reasons_say_what_is_missing(library, asked, reason):
    await library.put(TEXTS)
    assert reason in (await graded(library, asked, hits=(hit("b", text=TEXTS["b"]),))).grade.reasons


async def test_words_that_only_say_what_is_wanted_are_not_missing(library):
    await library.put(TEXTS)
    reasons = (await graded(library, "日志的区别和流程")).grade.reasons
    assert not any(re.search("区别|流程", reason) for reason in reasons)


async def test_frequencies_are_those_of_the_scope(library):
    await library.put(TEXTS)
    await library.put({"x": "火星基地的日志。"}, "d2")
    retrieve = recipes.retrieve(library.parts, Knobs(similarity_threshold=-1.0))
    everywhere = await advance(retrieve, turn("火星基地"))
    here = await advance(retrieve, turn("火星基地", scope=replace(turn().scope, document_ids=("d1",))))
    assert everywhere.grade.features["unseen"] == pytest.approx(0)
    assert here.grade.features["unseen"] == pytest.approx(1)
