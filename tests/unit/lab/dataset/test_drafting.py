from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.errors import ProviderError
from youju.lab.dataset.drafting import DROPPED, Sheet, draft, shares, sheets
from youju.providers.fakes import FakeLLM
from youju.stages.judge import Judge

PAGE = "夜班津贴按每晚八十元发放，次月随工资一并\n发放。值班不满四小时的，减半发放。"
SHEET = Sheet("津贴规定", 7, PAGE)
GOOD = {
    "id": "d1",
    "quote": "夜班津贴按每晚八十元发放",
    "question": "上夜班每晚有多少补贴？",
    "answer": "每晚八十元。",
    "keywords": ["八十元"],
    "category": "factual",
}


def judge(*replies):
    said = [one if isinstance(one, str) else json.dumps({"items": one}, ensure_ascii=False) for one in replies]
    return Judge(FakeLLM(said))


def proposal(**more):
    return GOOD | more


async def test_a_proposal_that_its_page_bears_out_becomes_an_unreviewed_case():
    drafted = await draft(judge([GOOD]), [SHEET], 1)
    (case,) = drafted.cases
    assert (case.question, case.category, case.answerable) == ("上夜班每晚有多少补贴？", "factual", True)
    assert [(one.doc, one.text, one.pages) for one in case.evidence] == [("津贴规定", GOOD["quote"], (7,))]
    assert case.expected_keywords == (("八十元",),)
    assert [(one.text, one.pages) for one in case.key_facts] == [("每晚八十元。", (7,))]
    assert case.reviewed_by is None
    assert case.author == "fake-llm/4"
    assert (drafted.dropped, drafted.failed) == ({}, ())


async def test_a_quote_is_kept_as_it_stands_on_the_page():
    quoted = proposal(quote="次月随工资一并发放。值班", question="津贴什么时候发？", answer="次月。", keywords=[])
    drafted = await draft(judge([quoted]), [SHEET], 1)
    assert drafted.cases[0].evidence[0].text == "次月随工资一并\n发放。值班"


@pytest.mark.parametrize(
    "why, wrong",
    [
        ("quote", {"quote": "夜班津贴按每晚九十元发放"}),
        ("short", {"quote": "夜班津贴"}),
        ("short", {"question": "多少"}),
        ("told", {"question": "夜班津贴是每晚八十元吗？"}),
        ("told", {"question": "“夜班津贴按每晚八十元发放”是什么意思？", "answer": "发钱。"}),
        ("told", {"answer": "。"}),
        ("points", {"question": "上述补贴每晚有多少？"}),
    ],
)
async def test_a_proposal_that_is_no_good_is_dropped_and_counted(why, wrong):
    drafted = await draft(judge([proposal(**wrong), proposal(id="d2")]), [SHEET], 2)
    assert [case.question for case in drafted.cases] == [GOOD["question"]]
    assert drafted.dropped == {DROPPED[why]: 1}


async def test_the_same_question_again_and_more_than_was_asked_for_are_dropped():
    again = [GOOD, proposal(id="d2", question="上夜班每晚有多少补贴?")]
    drafted = await draft(judge(again), [SHEET], 2)
    assert (len(drafted.cases), drafted.dropped) == (1, {DROPPED["twice"]: 1})
    more = [GOOD, proposal(id="d2", question="夜班给多少钱？")]
    drafted = await draft(judge(more), [SHEET], 1)
    assert (len(drafted.cases), drafted.dropped) == (1, {DROPPED["extra"]: 1})


async def test_keywords_that_the_quote_lacks_or_the_question_tells_are_left_out():
    drafted = await draft(judge([proposal(keywords=["八十元", "九十元", "夜班", "八十元", ""])]), [SHEET], 1)
    assert drafted.cases[0].expected_keywords == (("八十元",),)


async def test_a_sheet_that_fails_does_not_end_the_others():
    class Half(FakeLLM):
        async def stream(self, prompt):
            if "坏的一页" in prompt.messages[-1][1]:
                raise ProviderError("模型没有应答", part="llm", code="llm_down")
            async for piece in super().stream(prompt):
                yield piece

    llm = Half([json.dumps({"items": [GOOD]}, ensure_ascii=False)])
    drafted = await draft(Judge(llm), [Sheet("津贴规定", 8, "坏的一页"), SHEET], 2)
    assert (len(drafted.cases), drafted.failed) == (1, ("模型没有应答",))


async def test_a_reply_that_stays_unreadable_is_an_error_and_no_case():
    with pytest.raises(ProviderError) as caught:
        await draft(judge("我想想……", "还是不行"), [SHEET], 1)
    assert caught.value.code == "judge_bad_reply"


async def test_a_reply_is_mended_once():
    drafted = await draft(judge("我想想……", [GOOD]), [SHEET], 1)
    assert len(drafted.cases) == 1


async def test_the_model_sees_the_named_pages_only():
    seen = []

    class Attentive(FakeLLM):
        async def stream(self, prompt):
            seen.append(json.loads(prompt.messages[-1][1]))
            async for piece in super().stream(prompt):
                yield piece

    await draft(Judge(Attentive([json.dumps({"items": []})])), [SHEET], 3)
    assert seen == [{"doc": "津贴规定", "text": PAGE, "wanted": 3}]


async def test_the_same_proposal_has_the_same_id_another_time():
    first, second = [await draft(judge([GOOD]), [SHEET], 1) for _ in range(2)]
    assert first == second


def test_long_pages_are_cut_between_sentences_and_empty_ones_go():
    long = "这是一句二十个字左右的话用来凑够长度。" * 200  # 19 characters, 3800 in all
    found = sheets("书", [(1, long), (2, "第 2 页"), (3, "")])
    assert [one.page for one in found] == [1, 1]
    assert [len(one.text) for one in found] == [157 * 19, 43 * 19]


@given(st.integers(1, 40), st.integers(1, 60))
def test_all_cases_are_asked_for_and_no_sheet_for_two_more_than_another(count, n):
    asked = shares([Sheet("书", at, "") for at in range(count)], n)
    wanted = [each for _, each in asked]
    assert sum(wanted) == n
    assert max(wanted) - min(wanted) <= 1
    assert len(asked) == min(count, n)
