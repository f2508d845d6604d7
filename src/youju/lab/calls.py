"""Every answer of a paid model, kept before it is used: what was paid for once is never asked again."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import asdict, dataclass, field
from weakref import WeakValueDictionary

from youju.errors import ProviderError
from youju.lab.lines import Lines
from youju.ports import LLM, Piece, Prompt


@dataclass
class Tokens:
    """What a model's service told of its calls; `untold` are the calls of which it told nothing."""

    prompt: int = 0
    completion: int = 0
    untold: int = 0

    def add(self, last: Piece) -> None:
        if last.prompt_tokens is None or last.completion_tokens is None:
            self.untold += 1
            return
        self.prompt += last.prompt_tokens
        self.completion += last.completion_tokens


@dataclass
class Calls:
    """An append-only file of calls by key.

    `run` is what they are paid for: `spent` counts its calls, those begun here and those that an earlier process ended,
    and `told` holds the tokens of those that ended, by model.
    """

    lines: Lines
    run: str = ""
    known: dict[str, list[Piece]] = field(default_factory=dict)
    spent: int = 0
    told: dict[str, Tokens] = field(default_factory=dict)
    asking: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)

    @classmethod
    def opened(cls, lines: Lines, run: str = "") -> Calls:
        found = cls(lines, run)
        for row in lines.read():
            pieces = [Piece(**piece) for piece in row["pieces"]]
            found.known[row["key"]] = pieces
            if run and row.get("run") == run:
                found.spent += 1
                found._tell(row["model"], pieces)
        return found

    def keep(self, key: str, model: str, pieces: list[Piece]) -> None:
        """On the disk when this returns."""
        self.known[key] = pieces
        self._tell(model, pieces)
        self.lines.append({"key": key, "run": self.run, "model": model, "pieces": [asdict(one) for one in pieces]})

    def alone(self, key: str) -> asyncio.Lock:
        """Held while `key` is asked, so that who asks the same meanwhile waits for the answer."""
        return self.asking.setdefault(key, asyncio.Lock())

    def _tell(self, model: str, pieces: list[Piece]) -> None:
        self.told.setdefault(model, Tokens()).add(pieces[-1])


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
        async with self.calls.alone(key):
            whole = self.calls.known.get(key) or await self._asked(prompt)
            if key not in self.calls.known:
                self.calls.keep(key, repr(self.llm), whole)
        for piece in whole:
            yield piece

    async def aclose(self) -> None:
        await self.llm.aclose()

    async def _asked(self, prompt: Prompt) -> list[Piece]:
        self.calls.spent += 1
        text, last = "", None
        async with aclosing(self.llm.stream(prompt)) as pieces:
            async for piece in pieces:
                text += piece.text
                last = piece if piece.finish_reason else last
        if last is None:
            raise ProviderError("语言模型的回答没有结尾", part="llm", remedy="请重试", code="llm_no_end")
        return [Piece(text), Piece("", last.finish_reason, last.prompt_tokens, last.completion_tokens)]

    def _key(self, prompt: Prompt) -> str:
        asked = json.dumps([repr(self.llm), asdict(prompt), self.repeat], ensure_ascii=False, sort_keys=True)
        return hashlib.sha256(asked.encode("utf-8", "surrogatepass")).hexdigest()
