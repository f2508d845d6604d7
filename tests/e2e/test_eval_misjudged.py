"""A run of the lab whose judge misbehaves: every figure is an honest judge's or an error, and none is made up."""

from __future__ import annotations

import json
from functools import partial

import pytest

import paid_models
import questions
from paid_models import completion
from paid_models import paid_models as serving

ARMS = ("--arms", "V1,V2")
HANGS = 5.0
"""Seconds of silence; the settings of these tests wait for less."""


def text(reply):
    return json.dumps(reply, ensure_ascii=False)


def every(reply, change):
    return {name: [change(dict(item)) for item in items] for name, items in reply.items()}


def sent(change, honest, before):
    return 200, completion(change(honest)), {}


def harmless(change):
    return partial(sent, change)


def at_first(spoilt):
    """Spoilt the first time only, which another call mends."""
    return lambda honest, before: sent(text, honest, before) if before else spoilt(honest, before)


def of_relevance(spoilt):
    """Spoilt where it is asked whether the answer is to the point, honest elsewhere."""
    return lambda honest, before: spoilt(honest, before) if "relevance" in honest else sent(text, honest, before)


def truncated(honest, before):
    return 200, completion(text(honest)[:-9], finish="length"), {}


def too_many(honest, before):
    return 429, {"error": {"message": "slow down"}}, {"Retry-After": "0"}


def hanging(honest, before):
    return 200, HANGS, {}


def without_first(honest):
    return text({name: items[1:] for name, items in honest.items()})


def other_words(honest):
    return text(every(honest, lambda item: item | {"verdict": "对", "text": 1}))


HARMLESS = {
    "fences": harmless(lambda honest: f"```json\n{text(honest)}\n```"),
    "thoughts": harmless(lambda honest: f"<think>全判 yes？{{}}</think>{text(honest)}"),
    "truncated at first": at_first(truncated),
    "other words at first": at_first(harmless(other_words)),
    "429 at first": at_first(too_many),
}
HARMFUL = {
    "missing ids": harmless(without_first),
    "other words": harmless(other_words),
    "prose": harmless(lambda _: "各条均为 yes，切题。"),
    "truncated": truncated,
    "429": too_many,
    "hanging": hanging,
    "hanging in a part": of_relevance(hanging),
    "other words in a part": of_relevance(harmless(other_words)),
    "500": lambda *_: (500, {"error": {"message": "oops"}}, {}),
}


@pytest.fixture(scope="module")
def server():
    with serving() as found:
        yield found


@pytest.fixture
def evaluate(full, server, monkeypatch, tmp_path):
    """`youju eval run --judge` in a folder of its own; its report."""
    for name, value in paid_models.environment(server).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("YOUJU_JUDGE__TOTAL_TIMEOUT_S", "0.4")
    monkeypatch.setenv("YOUJU_JUDGE__RETRIES", "1")
    file = str(questions.written(tmp_path))

    def run(out, spoil, *args):
        server.forget()
        server.spoil = spoil
        done = full("eval", "run", file, *ARMS, "--judge", "--limit", "4", "--despite-audit", "--out", out, *args)
        server.spoil = None
        assert done.code == 0, done.err
        return json.loads((tmp_path / out / "report.json").read_text(encoding="utf-8"))

    return run


@pytest.fixture(scope="module")
def known():
    return {}


@pytest.fixture
def honest(evaluate, known):
    """What an honest judge's report says; asked once a mode."""

    def found(mode="staged"):
        if mode not in known:
            known[mode] = evaluate("honest", None)
        return known[mode]

    return found


def judged(report):
    """The scores of the judge's measures by arm, case and measure."""
    names = {one["name"] for one in report["summary"]["measures"] if one["family"] == "judge"}
    rows = [one for one in report["rows"] if one["measure"] in names]
    return {(one["arm"], one["case_id"], one["measure"]): one["score"] for one in rows}


def others(report):
    names = {one["name"] for one in report["summary"]["measures"] if one["family"] == "judge"}
    return [one for one in report["rows"] if one["measure"] not in names]


@pytest.mark.parametrize("way", HARMLESS)
@pytest.mark.parametrize("mode", ["staged", "single"])
def test_what_can_be_read_gives_the_honest_figures(evaluate, honest, monkeypatch, way, mode):
    monkeypatch.setenv("YOUJU_JUDGE__MODE", mode)
    truth, found = honest(mode), evaluate("spoilt", HARMLESS[way])
    assert judged(found) == judged(truth)
    assert found["judge"]["void"] is False


@pytest.mark.parametrize("way", HARMFUL)
def test_what_cannot_be_read_is_an_error_and_no_figure(evaluate, honest, way):
    truth, found = honest(), evaluate("spoilt", HARMFUL[way])
    right, spoilt = judged(truth), judged(found)
    assert spoilt.keys() == right.keys()
    failed = [key for key, score in spoilt.items() if score != right[key]]
    assert failed
    assert {(spoilt[key]["kind"], spoilt[key]["value"]) for key in failed} == {("error", None)}
    assert all(spoilt[key]["reason"] for key in failed)
    assert others(found) == others(truth)
    counted = sum(one["means"]["errors"] for one in found["summary"]["cells"])
    assert counted == len(failed)
    assert any("出错" in one for one in found["verdict"])


def yes_man(honest, before):
    """Yes to every claim, with a quote that is there: only the planted claims give it away."""
    return sent(lambda reply: text(every(reply, agreed)), honest, before)


def agreed(item):
    return item | {"verdict": "yes", "chunks": [1], "quote": "的"} if item.get("verdict") in DOUBTS else item


DOUBTS = {"not_found", "contradicted", "unknown"}


def test_a_judge_that_fails_its_controls_has_no_figures(evaluate, full, tmp_path):
    report = evaluate("void", yes_man)
    assert report["judge"]["void"] is True
    assert report["judge"]["controls"]["right"] < 23
    assert any("作废" in one for one in report["verdict"])
    names = {one["name"]: one["title"] for one in report["summary"]["measures"] if one["family"] == "judge"}
    compared = [one for one in report["summary"]["contrasts"] if one["measure"] in names]
    assert {(one["voided"], one["significant"], one["p_adjusted"], one["q"]) for one in compared} == {
        ("judge_void", False, None, None)
    }
    lines = (tmp_path / "void" / "report.md").read_text(encoding="utf-8").splitlines()
    title = names["coverage_vital"]
    struck = [line.split("|")[3].strip() for line in lines if line.startswith("|") and title in line and "V1" in line]
    assert struck
    assert all(one.startswith("~~") and one.endswith("~~") for one in struck)
    done = full("eval", "compare", "void", "--arm", "V1", "--with", "V2", "--json")
    measures = {one["measure"]: one for one in json.loads(done.out)["measures"]}
    assert {measures[name]["voided"] for name in names} == {"judge_void"}
    gated = full("eval", "gate", "void", "--baseline", "void", "--arm", "V1", "--json")
    checks = [one for one in json.loads(gated.out)["checks"] if one["measure"] in names]
    assert {(one["state"], one["note"]) for one in checks} == {("skipped", "uncalibrated")}


def test_a_judge_out_of_time_is_told_and_taken_up_again(evaluate, honest, monkeypatch):
    truth = honest()
    monkeypatch.setenv("YOUJU_JUDGE__DEADLINE_S", "1e-9")
    part = evaluate("late", None)
    assert part["manifest"]["stopped"] == "judge_deadline"
    assert any("总时限" in one for one in part["verdict"])
    assert {score["kind"] for score in judged(part).values()} <= {"error", "not_applicable"}
    monkeypatch.delenv("YOUJU_JUDGE__DEADLINE_S")
    whole = evaluate("late", None, "--resume")
    assert (whole["manifest"]["stopped"], judged(whole)) == ("", judged(truth))
