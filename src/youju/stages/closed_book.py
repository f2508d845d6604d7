"""An answer from the model's memory alone, without any document: what the lab compares every chain with."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import ClassVar

from youju.errors import ProviderError
from youju.ports import LLM, Piece, Prompt
from youju.stages.base import Emit
from youju.stages.prompt import Asking
from youju.stages.refusing import refuses
from youju.text.markers import statements
from youju.text.normal import clean
from youju.types import Answer, Statement, Turn


@dataclass(frozen=True)
class ClosedBook:
    """Write an answer for which nothing was looked up, or refuse where the model says that it does not know.

    Never part of a served chain: nothing it says can be proven.
    """

    llm: LLM
    refusal: str
    temperature: float = 0.0
    max_tokens: int = 1024
    asking: Asking = field(default_factory=lambda: Asking("closed_book@1"))

    reads: ClassVar[frozenset[str]] = frozenset({"question"})
    writes: ClassVar[frozenset[str]] = frozenset({"answer"})

    async def __call__(self, turn: Turn, emit: Emit) -> Turn:
        messages = self.asking.messages({"question": turn.question, "refusal": self.refusal})
        text, last = "", Piece()
        async with aclosing(self.llm.stream(Prompt(messages, self.temperature, self.max_tokens))) as pieces:
            async for piece in pieces:
                text += piece.text
                last = piece if piece.finish_reason else last
        text = clean(text).strip()
        if not text:
            raise ProviderError("语言模型没有写出任何内容", part="llm", remedy="请重试", code="llm_empty_answer")
        note = {
            "model": repr(self.llm),
            "prompt": self.asking.name,
            "prompt_tokens": last.prompt_tokens,
            "completion_tokens": last.completion_tokens,
            "finish_reason": last.finish_reason,
        }
        said = tuple(Statement(one) for one, _ in statements(text))
        if text.startswith(self.refusal) or (len(said) == 1 and refuses(text)):
            return replace(turn, refusal="model_refused", notes=note)
        return replace(turn, answer=Answer(text, said, by=repr(self.llm)), notes=note)
