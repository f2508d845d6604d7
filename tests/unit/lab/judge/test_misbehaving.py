"""A judge's service that always misbehaves in one way: every part is as an honest judge says it, or an error."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import count

import pytest

from builders import chunk
from chat_server import refused, whole
from judgements import case, seen
from scripted_judge import said
from servers import Abort, Reply, Server, Silence
from told import Told
from youju.lab.judge.judging import judged
from youju.providers.llm_openai import OpenAILLM
from youju.stages.judge import Judge

ONE = seen(
    case(key_facts=["婚假为十三天", "须在领证后一年内休完"], reference_answer="婚假为十三天，须在一年内休完。"),
    "员工婚假为十三天[1]。病假须有医院证明[1]。婚假须一次休完。",
    chunk("a", "员工婚假为十三天，须在领证后一年内休完。病假须有医院证明。"),
    chunk("b", "食堂十一点半开门。"),
)
PARTS = ("claims", "facts", "relevance")


def each(reply, change):
    return {name: [change(dict(item)) for item in items] for name, items in reply.items()}


def text(reply):
    return json.dumps(reply, ensure_ascii=False)


def changed(**fields):
    return lambda reply: whole(text(each(reply, lambda item: {**item, **{k: v(item) for k, v in fields.items()}})))


def twice(reply):
    opposite = {"yes": "not_found", "covered": "not_covered", "relevant": "not_relevant"}
    other = each(reply, lambda item: {**item, "verdict": opposite.get(item.get("verdict"), "yes")})
    return whole(text({name: [*items, *other[name]] for name, items in reply.items()}))


def surplus(reply):
    extra = {"id": "x9", "text": "多", "chunks": [1], "quote": "员工", "verdict": "yes"}
    extra |= {"reference_chunks": [1], "reference_quote": "员工", "right": "yes"}
    return whole(text({name: [*items, extra] for name, items in reply.items()}))


HARMLESS = {
    "fences": lambda reply: whole(f"```json\n{text(reply)}\n```"),
    "thoughts": lambda reply: whole(f"<think>全是 yes？{{}}</think>{text(reply)}"),
    "words around": lambda reply: whole(f"好的：\n{text(reply)}\n完毕。"),
    "another order": lambda reply: whole(text({name: items[::-1] for name, items in reply.items()})),
    "limit reached at the end": lambda reply: whole(text(reply), finish="length"),
}
HARMFUL = {
    "empty": lambda _: whole(""),
    "truncated": lambda reply: whole(text(reply)[:-9], finish="length"),
    "cut without a word": lambda reply: whole(text(reply)[:-9]),
    "prose": lambda _: whole("各条均为 yes，切题。"),
    "one word": lambda _: whole('"yes"'),
    "no lists": lambda reply: whole(text({name: items[0] for name, items in reply.items()})),
    "no ids": lambda reply: whole(text(each(reply, lambda item: item | {"id": ""}))),
    "other ids": changed(id=lambda item: f"{item['id']}x"),
    "other words": changed(verdict=lambda _: "是", text=lambda _: 1),
    "verdict and more": changed(verdict=lambda item: f"{item.get('verdict')}。", text=lambda _: None),
    "numbers as strings": changed(chunks=lambda _: ["1"], verdict=lambda _: 1, text=lambda _: 1),
    "both verdicts": twice,
    "two objects": lambda reply: whole(text(reply) + text(reply)),
    "500": lambda _: refused(500, "oops"),
    "429": lambda _: refused(429, "slow down", Retry_After="0"),
    "hanging": lambda _: Reply((Silence,)),
    "torn": lambda _: Reply((Abort,)),
    "no choices": lambda _: Reply((b'{"choices": []}',), 200, "application/json"),
}


@pytest.fixture
def no_proxy(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


async def against(spoil, mode):
    """The judgement by a service that spoils what an honest one would reply."""
    replies = count()

    def reply(body):
        honest = said(json.loads(body["messages"][1]["content"]))
        return spoil(honest, next(replies)) if spoil.__code__.co_argcount > 1 else spoil(honest)

    async with Server(reply) as server:
        llm = OpenAILLM(base_url=server.address, model="m", retries=0)
        judgement = await judged(ONE, Judge(llm, max_tokens=64, call_timeout_s=0.3), mode=mode)
        await llm.aclose()
        return judgement, len(server.requests)


async def honest(mode):
    return await judged(ONE, Judge(Told()), mode=mode)


def sorted_by_text(judgement):
    claims = sorted(judgement.claims, key=lambda one: one.text)
    return replace(judgement, claims=[replace(one, id="") for one in claims])


def is_right_or_an_error(judgement, truth):
    for part in PARTS:
        value = getattr(judgement, part)
        assert (value is None) == bool(judgement.error(part))
        assert value is None or value == getattr(truth, part)
    return True


@pytest.mark.usefixtures("no_proxy")
@pytest.mark.parametrize("mode", ["staged", "single"])
@pytest.mark.parametrize("name", HARMLESS)
async def test_what_can_be_understood_is_understood(name, mode):
    judgement, calls = await against(HARMLESS[name], mode)
    truth = await honest(mode)
    if name == "another order":
        # Claims keep the order in which they were found.
        judgement, truth = sorted_by_text(judgement), sorted_by_text(truth)
    assert [getattr(judgement, part) for part in PARTS] == [getattr(truth, part) for part in PARTS]
    assert (judgement.errors, calls) == ((), {"staged": 5, "single": 1}[mode])


@pytest.mark.usefixtures("no_proxy")
@pytest.mark.parametrize("mode", ["staged", "single"])
@pytest.mark.parametrize("name", HARMFUL)
async def test_what_cannot_is_an_error_and_never_a_value(name, mode):
    judgement, _ = await against(HARMFUL[name], mode)
    assert is_right_or_an_error(judgement, await honest(mode))
    assert judgement.errors


@pytest.mark.usefixtures("no_proxy")
@pytest.mark.parametrize("mode", ["staged", "single"])
@pytest.mark.parametrize("name", sorted({*HARMFUL} - {"429", "500", "torn", "hanging", "no choices"}))
async def test_every_second_reply_in_order_is_enough(name, mode):
    def now_and_then(reply, n):
        return whole(text(reply)) if n % 2 else HARMFUL[name](reply)

    judgement, _ = await against(now_and_then, mode)
    assert is_right_or_an_error(judgement, await honest(mode))
    assert judgement.errors == ()


@pytest.mark.usefixtures("no_proxy")
@pytest.mark.parametrize("mode", ["staged", "single"])
async def test_ids_that_are_left_out_are_asked_for_once_more(mode):
    def first_alone(reply):
        return whole(text({name: items if "text" in items[0] else items[:1] for name, items in reply.items()}))

    judgement, _ = await against(first_alone, mode)
    truth = await honest(mode)
    assert is_right_or_an_error(judgement, truth)
    # Two facts are had one by one; three claims in steps are not.
    assert judgement.facts == truth.facts
    assert bool(judgement.error("claims")) == (mode == "staged")


@pytest.mark.usefixtures("no_proxy")
@pytest.mark.parametrize("mode", ["staged", "single"])
async def test_verdicts_for_what_was_not_asked_are_left_out(mode):
    judgement, _ = await against(surplus, mode)
    truth = await honest(mode)
    assert (judgement.facts, judgement.relevance) == (truth.facts, truth.relevance)


@pytest.mark.usefixtures("no_proxy")
@pytest.mark.parametrize("mode", ["staged", "single"])
async def test_made_up_quotes_leave_no_yes(mode):
    judgement, _ = await against(changed(quote=lambda _: "并无此话", reference_quote=lambda _: "并无此话"), mode)
    truth = await honest(mode)
    assert "yes" in [one.founded for one in truth.claims]
    for one, other in zip(judgement.claims, truth.claims, strict=True):
        assert one.founded == ("unknown" if other.founded == "yes" else other.founded)
        assert ("bad_quote" in one.flags) == (other.founded == "yes")
    assert all("bad_quote" in one.flags for one in judgement.facts if one.covered != "not_covered")
