"""A model asked for verdicts: one JSON payload in, one verdict an asked id out, or an error; never a default."""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib import resources
from time import monotonic

from youju.errors import ProviderError
from youju.ports import LLM, Prompt
from youju.stages.pace import Pace
from youju.stages.verdicts import Part, Reply, UnusableError, Verdict, read, schema

RULES, REPAIR = "judge_rules@1", "judge_repair@1"
_REPEATED_MAX = 4000
"""Characters of a bad reply that are shown to the model again."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a judge is asked at once.

    `prompt` names the file that says what to do; `payload` is the material, all of it untrusted. A list of the payload
    that is named like a part holds the items of that part, as objects with an `id`.
    """

    prompt: str
    payload: Mapping[str, object]
    parts: tuple[Part[Verdict], ...]

    def only(self, missing: Mapping[str, tuple[str, ...]]) -> Question:
        """The same question about the missing ids alone."""
        parts = tuple(replace(part, ids=missing[part.name]) for part in self.parts if part.name in missing)
        kept = {name: _of_ids(value, missing[name]) for name, value in self.payload.items() if name in missing}
        return replace(self, payload={**self.payload, **kept}, parts=parts)


@dataclass(frozen=True, slots=True)
class Heard:
    text: str
    finish_reason: str


@dataclass(frozen=True)
class Judge:
    """Asks `llm`; its `repr` names the model and the words of all prompts, so it changes whenever verdicts may.

    Args:
        llm: a smaller model of another family than the one that is judged; it retries what is worth it in transport.
        max_tokens: of a reply; doubled once for a question whose reply ended at it.
        call_timeout_s: of one call, from its start to its last token.
        deadline: the moment of `time.monotonic` after which nothing is asked any more.
        pace: shared by all who ask the same service.
    """

    llm: LLM
    max_tokens: int = 2048
    call_timeout_s: float = 120.0
    deadline: float = math.inf
    pace: Pace = field(default_factory=Pace)

    def __repr__(self) -> str:
        return f"{self.llm!r}+{prompts_name()}"

    async def ask(self, question: Question) -> Reply:
        """One verdict for each asked id; nothing of the reply is missing.

        Beyond the first call, each at most once: twice the budget, a repair, the ids that are missing.

        Raises:
            ProviderError: part "judge": codes judge_bad_reply, judge_missing, judge_truncated, judge_timeout,
                judge_deadline; or as the model raises it.
        """
        prompt, heard = await self._whole(question, self._prompt(question))
        try:
            reply = read(heard.text, question.parts)
        except UnusableError as wrong:
            reply = _read(await self._call(_repair(prompt, heard.text, wrong)), prompt, question)
        if reply.missing:
            rest = question.only(reply.missing)
            heard = await self._call(replace(self._prompt(rest), max_tokens=prompt.max_tokens))
            if _usable(heard.text, rest.parts):
                reply = reply.joined(read(heard.text, rest.parts), question.parts)
        if reply.missing:
            named = "、".join(f"{name} {', '.join(ids)}" for name, ids in reply.missing.items())
            raise ProviderError(
                f"裁判模型没有对这些编号给出有效的结论：{named}",
                part="judge",
                remedy="请换用更强的裁判模型",
                code="judge_missing",
            )
        return reply

    def _prompt(self, question: Question) -> Prompt:
        told = f"{words(RULES)}\n\n{words(question.prompt)}"
        payload = json.dumps(question.payload, ensure_ascii=False)
        messages = (("system", told), ("user", payload))
        return Prompt(messages, 0.0, self.max_tokens, schema(question.parts))

    async def _whole(self, question: Question, prompt: Prompt) -> tuple[Prompt, Heard]:
        """A reply that did not end at its budget, or is complete all the same, and the prompt that led to it."""
        for asked in (prompt, replace(prompt, max_tokens=2 * prompt.max_tokens)):
            heard = await self._call(asked)
            if heard.finish_reason != "length" or _usable(heard.text, question.parts):
                return asked, heard
        raise _truncated(2 * prompt.max_tokens)

    async def _call(self, prompt: Prompt) -> Heard:
        """One reply; asked again at a slower pace where the service is asked too much at once."""
        while True:
            async with self.pace.turn() as width:
                try:
                    heard = await self._heard(prompt)
                except ProviderError as error:
                    if error.code == "llm_rejected" and prompt.schema is not None:
                        # Not every server that knows no schema says so in words that are understood.
                        prompt = replace(prompt, schema=None)
                        continue
                    if error.code != "llm_rate_limited" or not self.pace.refused(width):
                        raise
                else:
                    self.pace.succeeded()
                    return heard

    async def _heard(self, prompt: Prompt) -> Heard:
        left = self.deadline - monotonic()
        if left <= 0:
            raise _too_late()
        try:
            async with asyncio.timeout(min(left, self.call_timeout_s)), aclosing(self.llm.stream(prompt)) as pieces:
                text, reason = "", ""
                async for piece in pieces:
                    text, reason = text + piece.text, piece.finish_reason or reason
        except TimeoutError as error:
            if left <= self.call_timeout_s:
                raise _too_late() from error
            raise ProviderError(
                f"裁判模型在 {self.call_timeout_s:g} 秒内没有答完",
                part="judge",
                remedy="请检查裁判服务是否繁忙，或调大每次请求的时限",
                code="judge_timeout",
            ) from error
        return Heard(text, reason)


@lru_cache(maxsize=32)
def words(name: str) -> str:
    """What stands in the prompt file of this name and version."""
    return resources.files("youju.stages.prompts").joinpath(f"{name}.md").read_text(encoding="utf-8").strip()


@lru_cache(maxsize=1)
def prompts_name() -> str:
    """The hash of all that a judge may be told: `judge@1#1f9a03bc`."""
    folder = resources.files("youju.stages.prompts")
    names = sorted(file.name.removesuffix(".md") for file in folder.iterdir() if file.name.startswith("judge_"))
    told = "\x00".join(f"{name}\x00{words(name)}" for name in names)
    return f"judge@1#{hashlib.sha256(told.encode()).hexdigest()[:8]}"


def _repair(prompt: Prompt, said: str, wrong: UnusableError) -> Prompt:
    told = words(REPAIR).replace("{{wrong}}", str(wrong))
    before = said.strip()[:_REPEATED_MAX] or "（空）"
    return replace(prompt, messages=(*prompt.messages, ("assistant", before), ("user", told)))


def _read(heard: Heard, prompt: Prompt, question: Question) -> Reply:
    """What a repaired reply holds."""
    try:
        return read(heard.text, question.parts)
    except UnusableError as wrong:
        if heard.finish_reason == "length":
            raise _truncated(prompt.max_tokens) from wrong
        raise ProviderError(
            f"裁判模型的答复改过一次仍不能用：{wrong}",
            part="judge",
            remedy="请换用更强的裁判模型",
            code="judge_bad_reply",
        ) from wrong


def _usable(text: str, parts: Sequence[Part[Verdict]]) -> bool:
    try:
        read(text, parts)
    except UnusableError:
        return False
    return True


def _of_ids(items: object, ids: tuple[str, ...]) -> object:
    return [one for one in items if one["id"] in ids] if isinstance(items, list) else items


def _truncated(tokens: int) -> ProviderError:
    return ProviderError(
        f"裁判模型的答复在 {tokens} 个词元处仍未结束",
        part="judge",
        remedy="请调大裁判答复的长度上限，或换用不写长篇思考的模型",
        code="judge_truncated",
    )


def _too_late() -> ProviderError:
    return ProviderError(
        "裁判的总时限已到，没有再问",
        part="judge",
        remedy="请调大总时限后接着跑，已有的结论不会重问",
        code="judge_deadline",
    )
