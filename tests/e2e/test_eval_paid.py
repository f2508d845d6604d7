"""A run of the lab that costs money: what it may spend, what it says before, and how it is taken up again."""

from __future__ import annotations

import json

import pytest

import paid_models
import questions
from paid_models import JUDGES, WRITES
from paid_models import paid_models as serving

CASES = len(questions.rows())


@pytest.fixture(scope="module")
def server():
    with serving() as found:
        yield found


@pytest.fixture
def models(server, monkeypatch):
    """Both models, with their prices, as the settings of the command."""
    for name, value in paid_models.environment(server).items():
        monkeypatch.setenv(name, value)
    server.forget()
    return server


@pytest.fixture
def evaluate(full, models, tmp_path):
    """`youju eval run` over the question set; its report."""
    file = str(questions.written(tmp_path))

    def run(*args):
        done = full("eval", "run", file, "--despite-audit", "--json", *args)
        return json.loads(done.out) if done.code == 0 else done

    return run


def test_without_permission_no_judge_is_asked(evaluate, models):
    report = evaluate("--arms", "V1")
    assert (models.of(WRITES), models.of(JUDGES)) == (CASES, 0)
    assert report["judge"] == {}
    assert not [one for one in report["summary"]["measures"] if one["family"] == "judge"]
    refused = evaluate("--arms", "V1", "--measures", "full")
    assert (refused.code, models.of(JUDGES)) == (1, 0)
    assert "--judge" in refused.out


def test_the_setting_is_permission_too(evaluate, models, monkeypatch):
    monkeypatch.setenv("YOUJU_EVAL_ENABLED", "true")
    evaluate("--arms", "V1", "--measures", "full", "--limit", "1")
    assert models.of(JUDGES) > 10


def test_searching_alone_asks_no_model(evaluate, models):
    report = evaluate("--arms", "V1,V2", "--measures", "retrieval")
    assert not models.asked
    assert report["manifest"]["spent"] == {"calls": 0, "cost": 0}


@pytest.mark.parametrize("mode", ["staged", "single"])
def test_a_dry_run_asks_nothing_and_its_estimate_is_never_too_low(evaluate, models, monkeypatch, mode):
    monkeypatch.setenv("YOUJU_JUDGE__MODE", mode)
    args = ("--arms", "V0,V1,V2,chat", "--judge")
    estimate = evaluate(*args, "--dry-run")
    assert not models.asked
    spent = evaluate(*args)["manifest"]["spent"]
    written, judged = models.of(WRITES), models.of(JUDGES)
    assert spent["calls"] == written + judged
    # Arms with the same context share an answer, refusals cost the judge nothing.
    assert written <= estimate["model_calls"] <= 3 * written
    assert judged <= estimate["judge_calls"] <= 3 * judged
    assert 0 < spent["cost"] <= estimate["model_cost"] + estimate["judge_cost"]


def test_the_cost_is_that_of_the_tokens_which_the_services_told(evaluate, models):
    report = evaluate("--arms", "V1", "--limit", "2")
    prompts = [told for _, told in models.asked]
    tokens = sum(map(len, prompts)), sum(len(paid_models.written(told)) for told in prompts)
    # One and two a million.
    assert report["manifest"]["spent"]["cost"] == pytest.approx((tokens[0] + 2 * tokens[1]) / 1e6)


@pytest.mark.parametrize("section", ["LLM", "JUDGE"])
def test_a_bound_without_a_price_is_refused_before_anything_is_asked(evaluate, models, monkeypatch, section):
    monkeypatch.delenv(f"YOUJU_{section}__PROMPT_PRICE")
    done = evaluate("--arms", "V1", "--judge", "--max-cost", "1")
    assert done.code == 1
    assert f"{section.lower()}.prompt_price" in done.out
    assert not models.asked


@pytest.mark.parametrize("bound, judged", [("0", False), ("0.02", True)])
def test_the_bound_of_the_cost_stops_with_a_report_and_a_higher_one_goes_on(evaluate, models, bound, judged):
    args = ("--arms", "V1,V2", "--judge", "--concurrency", "1")
    part = evaluate(*args, "--max-cost", bound)
    assert part["manifest"]["stopped"] == "max_cost"
    assert any("费用到了上限" in one for one in part["verdict"])
    assert (models.of(JUDGES) > 0) == judged
    assert {one["case_id"] for one in part["rows"]} == {one["case_id"] for one in part["outcomes"]} != set()
    before = models.asked.total()
    assert part["manifest"]["spent"]["calls"] == before
    whole = evaluate(*args, "--max-cost", "1000", "--resume")
    assert whole["manifest"]["stopped"] == ""
    assert len({one["case_id"] for one in whole["outcomes"]}) == CASES
    # The first process's calls are on the bill, and none was made again.
    assert whole["manifest"]["spent"]["calls"] == models.asked.total() > before
    assert whole["manifest"]["spent"]["cost"] > part["manifest"]["spent"]["cost"]
    models.forget()
    evaluate(*args)
    assert not models.asked


def test_each_repeat_is_an_answer_of_its_own(evaluate, models):
    report = evaluate("--arms", "V1", "--repeats", "3", "--limit", "2")
    assert set(models.asked.values()) == {3}
    assert sorted({(one["case_id"], one["repeat"]) for one in report["outcomes"]}) == [
        (case, repeat) for case in ("q1", "q5") for repeat in range(3)
    ]
    assert report["summary"]["repeats"] == 3


def test_a_category_and_a_limit_choose_the_cases(evaluate):
    report = evaluate("--arms", "V1", "--category", "unanswerable", "--category", "howto", "--limit", "2")
    assert {one["case_id"] for one in report["outcomes"]} == {"q6", "n1"}
    assert "--category" in evaluate("--arms", "V1", "--category", "multihop").out


def test_fresh_asks_again_what_is_known(evaluate, models):
    evaluate("--arms", "V1", "--limit", "1")
    evaluate("--arms", "V1", "--limit", "1", "--fresh")
    assert set(models.asked.values()) == {2}


@pytest.mark.parametrize(
    "other, says",
    [
        (("--arms", "V1"), "方案"),
        (("--limit", "3"), "题目集"),
        (("--repeats", "2"), "运行选项"),
        (("--persona", "tutor"), "方案"),
    ],
)
def test_another_run_is_not_taken_up(evaluate, models, other, says):
    args = ("--arms", "V1,V2", "--max-cost", "0")
    evaluate(*args)
    models.forget()
    done = evaluate(*args, *other, "--resume")
    assert done.code == 1
    assert says in done.out
    assert not models.asked


@pytest.mark.parametrize(
    "name, value, says",
    [("YOUJU_RETRIEVAL__VECTOR_TOP_K", "7", "方案"), ("YOUJU_LLM__MODEL", "other", "模型")],
)
def test_nor_with_other_settings(evaluate, models, monkeypatch, name, value, says):
    args = ("--arms", "V1,V2", "--max-cost", "0")
    evaluate(*args)
    monkeypatch.setenv(name, value)
    models.forget()
    done = evaluate(*args, "--resume")
    assert (done.code, says in done.out, models.asked.total()) == (1, True, 0)
