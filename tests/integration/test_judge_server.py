"""A judge that is a real, if small, model behind a real server: too weak to judge, and it must show.

What it says is worth nothing. What must hold is that nothing is made up in its place, and that its figures are void.
"""

from __future__ import annotations

from time import monotonic

import pytest

from builders import chunk
from judgements import case, seen
from model_server import model_server
from youju.lab.judge.controls import check
from youju.lab.judge.judging import judged
from youju.providers.llm_openai import OpenAILLM
from youju.stages.judge import Judge
from youju.stages.pace import Pace

pytestmark = pytest.mark.slow
ANSWER = seen(
    case(key_facts=["婚假为十三天"], reference_answer="婚假为十三天。"),
    "婚假为十三天[1]。",
    chunk("a", "员工婚假为十三天，须在领证后一年内休完。"),
)
REPLY_TOKENS = 48


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    # A token is about half a Chinese character to this model.
    with model_server(tmp_path_factory.mktemp("model"), window=8192) as running:
        yield running


@pytest.fixture
async def make(server, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    llm = OpenAILLM(base_url=server.address, model="m", retries=0)

    def judge(within_s):
        return Judge(llm, REPLY_TOKENS, call_timeout_s=40, deadline=monotonic() + within_s, pace=Pace(1))

    yield judge
    await llm.aclose()


async def test_each_part_is_judged_in_full_or_is_an_error(make) -> None:
    judgement = await judged(ANSWER, make(40))
    for part in ("claims", "facts", "relevance"):
        assert (getattr(judgement, part) is None) == bool(judgement.error(part))
    assert all(one.chunks == (1,) and one.quote for one in judgement.claims or () if one.founded == "yes")
    assert len(judgement.facts or ANSWER.case.key_facts) == 1


async def test_its_controls_fail_and_void_its_figures(make) -> None:
    result = await check(make(10))
    assert result.void
    assert (result.total, result.right + len(result.missed)) == (25, 25)
