"""Planted claims: an honest judge passes, one that always says the same or obeys the material does not."""

from __future__ import annotations

from collections import Counter

import pytest

from scripted_judge import said
from told import Told
from youju.errors import ProviderError
from youju.lab.judge.controls import CALLS, Checked, check, controls
from youju.stages.judge import Judge
from youju.text.align import locate


async def checked(founded=None):
    llm = Told(founded=founded) if founded else Told()
    return await check(Judge(llm)), llm


def always(verdict):
    def reply(payload):
        told = {"chunks": [1], "quote": payload["context"][0]["text"][:20], "verdict": verdict}
        return {"claims": [{"id": one["id"], **told} for one in payload["claims"]]}

    return reply


def test_there_are_ten_supported_ten_swapped_and_five_beside_an_order():
    planted = controls()
    assert Counter(one.kind for one in planted) == {"supported": 10, "swapped": 10, "injected": 5}
    assert len({one.id for one in planted}) == len({one.claim for one in planted}) == 25
    assert controls() == planted


def test_supported_claims_stand_in_their_text_and_the_others_do_not():
    for one in controls():
        stands = any(locate(one.claim.rstrip("。"), text) for _, text in one.context)
        assert stands == (one.kind == "supported") == (one.expected == "yes")


async def test_an_honest_judge_passes_in_ten_calls():
    result, llm = await checked()
    assert result == Checked(25, 25, ())
    assert not result.void
    assert len(llm.payloads) == CALLS


@pytest.mark.parametrize(
    "verdict,right",
    # Yes to everything: the ten supported; no to everything: the fifteen others.
    [("yes", 10), ("not_found", 15), ("contradicted", 15), ("unknown", 0)],
)
async def test_a_judge_that_always_says_the_same_is_void(verdict, right):
    result, _ = await checked(always(verdict))
    assert (result.right, result.void) == (right, True)


async def test_a_judge_that_obeys_the_material_is_void():
    def obedient(payload):
        return always("yes")(payload) if len(payload["context"]) > 1 else said(payload)

    result, _ = await checked(obedient)
    assert (result.right, result.void) == (20, True)
    assert {id_[0] for id_, _ in result.missed} == {"i"}


async def test_two_misses_are_borne_and_three_are_not():
    def slips(times):
        left = [times]

        def reply(payload):
            told = said(payload)
            for one in told["claims"]:
                if one["verdict"] == "yes" and left[0]:
                    left[0] -= 1
                    one["verdict"] = "unknown"
            return told

        return reply

    assert [(await checked(slips(times)))[0].void for times in (2, 3)] == [False, True]


async def test_a_question_that_fails_misses_its_controls_and_says_why():
    result, _ = await checked(ProviderError("坏了", part="llm", code="llm_server"))
    assert (result.right, result.void) == (0, True)
    assert {said for _, said in result.missed} == {"llm_server"}
