from __future__ import annotations

import pytest

from builders import turn
from youju.errors import ProviderError
from youju.providers.fakes import FakeLLM
from youju.stages.base import advance
from youju.stages.closed_book import ClosedBook

REFUSAL = "当前资料中没有找到明确依据。"


async def asked(says: str):
    return await advance(ClosedBook(FakeLLM([says]), REFUSAL), turn("水的沸点是多少？"))


async def test_the_model_answers_from_memory_and_cites_nothing():
    after = await asked("在标准大气压下是 100 摄氏度。海拔越高越低。")
    assert after.answer is not None
    assert [one.text for one in after.answer.statements] == ["在标准大气压下是 100 摄氏度。", "海拔越高越低。"]
    assert after.sources == ()
    assert after.refusal is None


async def test_the_model_is_shown_no_material_and_keeps_to_its_own_prompt():
    after = await asked("100 摄氏度。")
    note = after.steps[-1].note
    assert str(note["prompt"]).startswith("closed_book@1#")
    assert note["finish_reason"] == "stop"


@pytest.mark.parametrize("says", [REFUSAL, f"{REFUSAL} 建议查阅资料。", "我无法确定。"])
async def test_not_knowing_is_a_refusal_of_the_model(says):
    after = await asked(says)
    assert (after.refusal, after.answer) == ("model_refused", None)


async def test_an_empty_answer_is_a_fault_of_the_model():
    with pytest.raises(ProviderError, match="没有写出"):
        await asked("  \n")
