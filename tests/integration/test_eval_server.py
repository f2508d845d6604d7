"""A run of the lab whose generator and judge are a real, if small, model: too weak for both, and the report says so."""

from __future__ import annotations

import json

import pytest

import questions
from apps import MANUAL, RULES, Ran, started, written
from model_server import model_server

pytestmark = [pytest.mark.slow, pytest.mark.timeout(500)]
ARMS = """
[small]
base = "V1"
set = {context_top_k = 2, max_context_chars = 200}
"""
ANSWER_TOKENS = 16
JUDGING_S = 20
"""Too short for this judge to say everything: what it did not come to must be an error too."""


@pytest.fixture
def command(tmp_path):
    """`youju` in a folder with both books and the question set, with the real model for both."""
    with model_server(tmp_path, window=8192) as server:
        settings = {
            "NO_PROXY": "127.0.0.1",
            **{f"YOUJU_{one}__BASE_URL": server.address for one in ("LLM", "JUDGE")},
            **{f"YOUJU_{one}__MODEL": "m" for one in ("LLM", "JUDGE")},
            **{f"YOUJU_{one}__FIRST_TOKEN_TIMEOUT_S": "200" for one in ("LLM", "JUDGE")},
            "YOUJU_LLM__MAX_TOKENS": str(ANSWER_TOKENS),
            "YOUJU_JUDGE__MAX_TOKENS": "64",
            "YOUJU_JUDGE__DEADLINE_S": str(JUDGING_S),
        }

        def run(*args: str) -> Ran:
            with started(args, tmp_path, **settings) as process:
                try:
                    out, err = process.communicate(timeout=450)
                finally:
                    process.kill()
            return Ran(process.returncode, out, err)

        yield run


def test_eight_questions_in_two_arms_end_to_end(command, tmp_path):
    for name, text in (("报销规定.md", RULES), ("网关手册.md", MANUAL)):
        assert command("add", str(written(tmp_path, name, text))).code == 0
    (tmp_path / "arms.toml").write_text(ARMS, encoding="utf-8")
    set_ = str(questions.written(tmp_path))
    done = command(
        "eval", "run", set_, "--arms", "V0,small", "--arms-file", "arms.toml", "--judge", "--concurrency", "1",
        "--despite-audit", "--json",
    )  # fmt: skip
    assert done.code == 0, done.err
    report = json.loads(done.out)
    outcomes = report["outcomes"]
    assert {(one["arm"], one["error"]) for one in outcomes} == {("V0", ""), ("small", "")}
    assert len(outcomes) == 2 * len(questions.rows())
    # The model wrote what stands there: extraction in its place would be a degradation.
    assert {one["completion_tokens"] for one in outcomes} == {ANSWER_TOKENS}
    context = [one for one in report["rows"] if one["measure"] == "context_chars" and one["arm"] == "small"]
    assert all(0 < one["score"]["value"] <= 800 for one in context)
    controls = report["judge"]["controls"]
    assert controls["right"] + len(controls["missed"]) == controls["total"] == 25
    assert report["judge"]["void"] is True
    assert report["judge"]["calibrated"] is False
    assert any("作废" in one for one in report["verdict"])
    names = {one["name"] for one in report["summary"]["measures"] if one["family"] == "judge"}
    scores = [one["score"] for one in report["rows"] if one["measure"] in names]
    assert len(scores) == len(names) * len(outcomes)
    assert all((score["value"] is None) == (score["kind"] != "ok") for score in scores)
    assert any(score["kind"] == "error" for score in scores)
    assert {one["voided"] for one in report["summary"]["contrasts"] if one["measure"] in names} == {"judge_void"}
