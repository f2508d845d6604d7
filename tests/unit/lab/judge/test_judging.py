"""An answer before a judge: what it is asked, and what becomes of its verdicts."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from builders import chunk
from judgements import case, seen
from scripted_judge import scripted_judge
from told import Told
from youju.errors import ProviderError
from youju.lab.judge.judging import calls, judged
from youju.providers.llm_openai import OpenAILLM
from youju.stages.judge import Judge

RULES = chunk("a", "员工婚假为十三天，须在领证后一年内休完。病假须有医院证明。")
OTHER = chunk("b", "食堂十一点半开门。")
FULL = case(
    key_facts=[{"text": "婚假为十三天"}, {"text": "须在领证后一年内休完", "weight": "okay"}],
    reference_answer="员工婚假为十三天，须在领证后一年内休完。",
)
RIGHT = "员工婚假为十三天[1]。"


async def by(one, mode="staged", **says):
    llm = Told(**says)
    return await judged(one, Judge(llm), mode=mode), llm


def grounded(verdict, quote="", chunks=(1,)):
    return {"claims": [{"id": "c1", "chunks": list(chunks), "quote": quote, "verdict": verdict}]}


@pytest.mark.parametrize("mode", ["staged", "single"])
async def test_a_right_answer_is_founded_right_and_relevant(mode):
    judgement, llm = await by(seen(FULL, RIGHT, RULES, OTHER), mode)
    (claim,) = judgement.claims
    # Markers are no part of what is judged.
    assert claim.text == "员工婚假为十三天。"
    assert (claim.founded, claim.chunks, claim.right, claim.flags) == ("yes", (1,), "yes", ())
    assert [(one.covered, one.chunks) for one in judgement.facts] == [("covered", (1,)), ("not_covered", (1,))]
    assert (judgement.relevance, judgement.errors, judgement.mode) == ("relevant", (), mode)
    assert judgement.judge.startswith("told+judge@1#")
    assert len(llm.tasks) == calls(FULL, context=True, mode=mode)


async def test_neither_arm_nor_model_is_told():
    one = seen(FULL, RIGHT, RULES)
    _, llm = await by(one)
    told = json.dumps(llm.payloads, ensure_ascii=False)
    assert set(llm.payloads[1]) == {"task", "context", "claims"}
    assert "extractive" not in told
    assert "q1" not in told


@pytest.mark.parametrize(
    "quote,chunks", [("婚假为十五天", (1,)), ("婚假为十三天", (2,)), ("婚假为十三天", (7,)), ("", (1,))]
)
async def test_a_yes_whose_quote_is_not_in_the_named_chunk_is_unknown(quote, chunks):
    judgement, _ = await by(seen(FULL, RIGHT, RULES, OTHER), founded=grounded("yes", quote, chunks))
    (claim,) = judgement.claims
    assert (claim.founded, claim.chunks, claim.flags) == ("unknown", (), ("bad_quote",))
    # The reference is another matter.
    assert claim.right == "yes"


async def test_a_quote_counts_in_any_of_the_named_chunks_and_numbers_that_are_none_go():
    judgement, _ = await by(seen(FULL, RIGHT, RULES, OTHER), founded=grounded("yes", "婚假为 十三天", (9, 2, 1, 1)))
    assert judgement.claims[0].chunks == (2, 1)


@pytest.mark.parametrize("verdict,founded", [("contradicted", "no"), ("not_found", "no"), ("unknown", "unknown")])
async def test_the_other_verdicts_need_no_quote_and_entail_nothing(verdict, founded):
    judgement, _ = await by(seen(FULL, RIGHT, RULES), founded=grounded(verdict))
    (claim,) = judgement.claims
    assert (claim.founded, claim.chunks) == (founded, ())
    assert claim.against == (verdict if founded == "no" else "")


async def test_a_claim_that_the_reference_does_not_hold_is_wrong_and_it_is_said_how():
    for verdict in ("contradicted", "not_found"):
        judgement, _ = await by(seen(FULL, RIGHT, RULES), right=grounded(verdict))
        assert (judgement.claims[0].right, judgement.claims[0].wrong) == ("no", verdict)
    judgement, _ = await by(seen(FULL, RIGHT, RULES), right=grounded("yes", "十五天"))
    assert (judgement.claims[0].right, judgement.claims[0].flags) == ("unknown", ("reference_bad_quote",))


async def test_a_long_quote_is_looked_for_whole_and_kept_short():
    long = "一" * 80
    judgement, _ = await by(seen(FULL, RIGHT, chunk("a", long)), founded=grounded("yes", long))
    assert (judgement.claims[0].founded, len(judgement.claims[0].quote)) == ("yes", 60)


async def test_a_fact_whose_quote_is_not_in_the_answer_is_flagged():
    told = {"chunks": [1, 8], "quote": "产假", "verdict": "covered"}
    judgement, _ = await by(seen(FULL, RIGHT, RULES), facts={"facts": [{"id": "f1", **told}, {"id": "f2", **told}]})
    assert [(one.flags, one.chunks) for one in judgement.facts] == [(("bad_quote",), (1,))] * 2


async def test_without_a_context_nothing_is_founded_and_nobody_is_asked():
    judgement, llm = await by(seen(FULL, RIGHT))
    assert "founded" not in llm.tasks
    assert [(one.founded, one.against, one.right) for one in judgement.claims] == [("no", "not_found", "yes")]
    single, _ = await by(seen(FULL, RIGHT), "single")
    assert [one.founded for one in single.claims] == ["no"]


async def test_without_a_reference_nothing_is_right_or_wrong_and_nobody_is_asked():
    for mode in ("staged", "single"):
        judgement, llm = await by(seen(case(), RIGHT, RULES), mode)
        assert [one.right for one in judgement.claims] == [None]
        assert judgement.facts == ()
        assert "right" not in llm.tasks


async def test_an_answer_without_claims_is_asked_no_more_about_them():
    judgement, llm = await by(seen(FULL, "你先想想：领证后多久？", RULES))
    assert judgement.claims == ()
    assert llm.tasks == ["claims", "facts", "relevance"]


@pytest.mark.parametrize("answerable,relevance", [(True, "not_relevant"), (False, "relevant")])
async def test_a_refusal_costs_no_call(answerable, relevance):
    facts = FULL.key_facts if answerable else ()
    judgement, llm = await by(seen(case(answerable=answerable, key_facts=[one.text for one in facts])))
    assert llm.tasks == []
    assert (judgement.claims, judgement.relevance, judgement.errors) == ((), relevance, ())
    assert [one.covered for one in judgement.facts] == ["not_covered"] * len(facts)


async def test_an_answer_that_never_came_is_an_error_in_every_part():
    judgement, llm = await by(seen(FULL, " ", RULES, broke="模型没有答完"))
    assert llm.tasks == []
    assert [judgement.error(part) for part in ("claims", "facts", "relevance")] == ["模型没有答完"] * 3
    assert (judgement.claims, judgement.facts, judgement.relevance) == (None, None, None)


@pytest.mark.parametrize(
    "task,part", [("claims", "claims"), ("founded", "claims"), ("right", "claims"), ("facts", "facts")]
)
async def test_a_part_that_fails_leaves_the_others(task, part):
    failing = ProviderError("坏了", part="llm", code="llm_server")
    judgement, _ = await by(seen(FULL, RIGHT, RULES), **{task: failing})
    assert judgement.errors == ((part, "llm_server：坏了"),)
    assert getattr(judgement, part) is None
    assert judgement.relevance == "relevant"


async def test_a_single_question_that_fails_fails_every_part():
    judgement, _ = await by(seen(FULL, RIGHT, RULES), "single", single={"claims": "全部正确"})
    assert [bool(judgement.error(part)) for part in ("claims", "facts", "relevance")] == [True] * 3
    assert (judgement.claims, judgement.facts, judgement.relevance) == (None, None, None)


async def test_claims_may_be_given_so_that_the_same_are_judged_again():
    first, _ = await by(seen(FULL, RIGHT, RULES))
    llm = Told()
    again = await judged(seen(FULL, RIGHT, RULES), Judge(llm), claims=first.claims)
    assert "claims" not in llm.tasks
    assert again.claims == first.claims


@pytest.mark.parametrize("knows_schema", [True, False])
async def test_the_scripted_judge_serves_it_over_http(monkeypatch, knows_schema):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with scripted_judge(knows_schema=knows_schema) as running:
        llm = OpenAILLM(base_url=running.address, model="m", retries=0)
        judgement = await judged(seen(FULL, RIGHT, RULES), Judge(llm))
        await llm.aclose()
        told, _ = await by(seen(FULL, RIGHT, RULES))
        assert replace(judgement, judge=told.judge) == told
        assert (judgement.errors, running.calls) == ((), 5)
        assert running.asked == dict.fromkeys(("claims", "founded", "right", "facts", "relevance"), 1)
