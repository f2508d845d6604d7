"""How far a judge agrees with itself."""

from __future__ import annotations

from dataclasses import replace

from builders import chunk
from judgements import case, claim, fact, judgement, seen
from told import Told
from youju.lab.judge.judging import judged
from youju.lab.judge.quality import Agreement, agreement, modes, noise, sample
from youju.stages.judge import Judge

RULES = chunk("a", "员工婚假为十三天，须在领证后一年内休完。")
FULL = case(key_facts=["婚假为十三天"], reference_answer="员工婚假为十三天。")


async def answers(n, mode="staged"):
    one = seen(FULL, "员工婚假为十三天[1]。", RULES)
    return [replace(one, judgement=await judged(one, Judge(Told()), mode=mode)) for _ in range(n)]


def test_verdicts_are_paired_by_the_text_of_what_they_are_about():
    first = judgement(claim(text="甲"), claim("no", text="乙"), claim(text="丙"), fact())
    second = judgement(
        claim("no", text="甲"), claim("no", text=" 乙 "), claim(text="丁"), fact(), relevance="not_relevant"
    )
    by_part = {one.part: one for one in agreement([(first, second)])}
    # 甲 differs, 乙 does not, 丙 and 丁 have no counterpart.
    assert by_part["claims"] == Agreement("claims", 2, 1, 2)
    assert by_part["claims"].disagreement == 0.5
    assert by_part["facts"] == Agreement("facts", 1, 0)
    assert by_part["relevance"] == Agreement("relevance", 1, 1)
    # Nothing had a reference.
    assert by_part["right"].disagreement is None


def test_a_part_that_failed_on_one_side_stands_alone():
    (claims, *_) = agreement([(judgement(claim(text="甲")), judgement(claims=None))])
    assert claims == Agreement("claims", 0, 0, 1)


async def test_a_tenth_of_the_answers_is_drawn_by_the_seed_and_never_a_refusal():
    judgeable = await answers(21)
    refusal = replace(seen(FULL), judgement=judgement())
    drawn = sample([refusal, *judgeable], seed=7)
    assert len(drawn) == 3
    assert 0 not in drawn
    assert drawn == sample([refusal, *judgeable], seed=7) == sorted(set(drawn))
    assert any(sample(judgeable, seed=s) != sample(judgeable, seed=7) for s in range(5))
    assert sample([refusal], seed=7) == []


async def test_a_steady_judge_makes_no_noise():
    found = await noise(await answers(12), Judge(Told()), seed=1)
    assert [(one.part, one.compared, one.differed) for one in found] == [
        ("claims", 2, 0),
        ("right", 2, 0),
        ("facts", 2, 0),
        ("relevance", 2, 0),
    ]


async def test_noise_is_the_share_of_verdicts_that_changed():
    changed = {"id": "c1", "chunks": [], "quote": "", "verdict": "not_found"}
    unsteady = Told(founded={"claims": [changed]})
    claims, right, *_ = await noise(await answers(12), Judge(unsteady), seed=1)
    assert (claims.disagreement, right.disagreement) == (1.0, 0.0)
    # The same claims are judged again; they are not taken from the answer anew.
    assert "claims" not in unsteady.tasks


async def test_asked_all_at_once_the_noise_is_that_of_asking_all_at_once():
    llm = Told()
    found = await noise(await answers(10, "single"), Judge(llm), seed=1)
    assert llm.tasks == ["single"]
    assert [one.differed for one in found] == [0, 0, 0, 0]


async def test_both_ways_of_asking_are_held_against_each_other():
    llm = Told()
    found = await modes(await answers(10), Judge(llm), seed=1)
    assert llm.tasks == ["single"]
    assert [(one.compared, one.differed) for one in found] == [(1, 0)] * 4
