"""Every answer of a paid model, kept before it is used: what was paid for once is never asked again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import asdict, dataclass, field

from youju.errors import ProviderError
from youju.lab.lines import Lines
from youju.ports import LLM, Piece, Prompt


@dataclass(frozen=True, slots=True)
class Paid:
    """A call that reached a model; None where it did not tell the tokens."""

    model: str
    prompt_tokens: int | None
    completion_tokens: int | None


@dataclass
class Calls:
    """An append-only file of calls by key. `spent` and `paid` are of this process: the calls begun, and those ended."""

    lines: Lines
    known: dict[str, list[Piece]] = field(default_factory=dict)
    spent: int = 0
    paid: list[Paid] = field(default_factory=list)

    @classmethod
    def opened(cls, lines: Lines) -> Calls:
        known = {row["key"]: [Piece(**piece) for piece in row["pieces"]] for row in lines.read()}
        return cls(lines, known)

    def keep(self, key: str, model: str, pieces: list[Piece]) -> None:
        self.known[key] = pieces
        self.paid.append(Paid(model, pieces[-1].prompt_tokens, pieces[-1].completion_tokens))
        self.lines.append({"key": key, "model": model, "pieces": [asdict(one) for one in pieces]})


@dataclass(frozen=True, repr=False)
class Remembering:
    """A model whose complete answers are kept, a key each: model, parameters, messages and the repeat.

    Two arms that ask the same share the answer. What failed or was broken off is not kept.
    """

    llm: LLM
    calls: Calls
    repeat: int = 0

    def __repr__(self) -> str:
        return repr(self.llm)

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Piece, None]:
        key = self._key(prompt)
        if key in self.calls.known:
            for piece in self.calls.known[key]:
                yield piece
            return
        self.calls.spent += 1
        text, last = "", None
        async with aclosing(self.llm.stream(prompt)) as pieces:
            async for piece in pieces:
                text += piece.text
                last = piece if piece.finish_reason else last
        if last is None:
            raise ProviderError("语言模型的回答没有结尾", part="llm", remedy="请重试", code="llm_no_end")
        whole = [Piece(text), Piece("", last.finish_reason, last.prompt_tokens, last.completion_tokens)]
        self.calls.keep(key, repr(self.llm), whole)
        for piece in whole:
            yield piece

    async def aclose(self) -> None:
        await self.llm.aclose()

    def _key(self, prompt: Prompt) -> str:
        asked = json.dumps([repr(self.llm), asdict(prompt), self.repeat], ensure_ascii=False, sort_keys=True)
        return hashlib.sha256(asked.encode("utf-8", "surrogatepass")).hexdigest()
