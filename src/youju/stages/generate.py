"""An answer by a language model, from the context only; what is streamed is the answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from functools import partial
from typing import ClassVar, Literal

from youju.errors import BrokenAnswerError, ProviderError
from youju.ports import LLM, Piece, Prompt
from youju.stages.base import Emit, Event
from youju.stages.prompt import Template
from youju.stages.refusing import Refusing, refuses
from youju.stages.verify import check
from youju.text.marker_stream import Cleaner
from youju.text.markers import render, statements, strip
from youju.text.normal import clean
from youju.types import Answer, ContextItem, Degradation, Statement, Turn

CLAUSES, CLAUSE_MIN = re.compile(r"[。！？!?；;，,\n]"), 4
CUT_SHORT = {"length": "answer_truncated", "content_filter": "answer_filtered"}
"""Reasons for which a model stops in the middle, and what they are called in `degradations`."""


@dataclass(frozen=True)
class Generate:
    """Write the answer, or refuse where the model says that the material holds none.

    Fails as its model does; then the turn goes on without an answer. Once part of a streamed answer has been emitted
    there is no way back: it raises BrokenAnswerError.
    """

    llm: LLM
    template: Template
    refusal: str
    temperature: float = 0.0
    max_tokens: int = 1024
    style: Literal["n", "source_n"] = "n"

    reads: ClassVar[frozenset[str]] = frozenset({"question", "context"})
    writes: ClassVar[frozenset[str]] = frozenset({"answer", "nearest", "removed_markers"})

    async def __call__(self, turn: Turn, emit: Emit) -> Turn:
        if not turn.context:
            return turn
        material = "\n".join(item.text for item in turn.context)
        cleaner = Cleaner([item.n for item in turn.context], material)
        writing = Writing(Refusing(self.refusal), cleaner, partial(founded, context=turn.context))
        try:
            await self._write(writing, self._prompt(turn), emit)
        except ProviderError as error:
            if writing.text and turn.streamed:
                raise BrokenAnswerError(error) from error
            raise
        note = self._note(writing)
        if writing.refused:
            return replace(turn, refusal="model_refused", nearest=turn.hits, notes=note)
        if not writing.text.strip():
            raise ProviderError("语言模型没有写出任何内容", part="llm", remedy="请重试", code="llm_empty_answer")
        said = tuple(Statement(text, cites) for text, cites in statements(writing.text, material))
        cut = CUT_SHORT.get(writing.last.finish_reason)
        return replace(
            turn,
            answer=Answer(writing.text, said, by=repr(self.llm)),
            removed_markers=(*turn.removed_markers, *writing.cleaner.removed),
            degradations=(*turn.degradations, *([Degradation("llm", cut)] if cut else [])),
            notes=note,
        )

    def fallback(self, turn: Turn, error: ProviderError) -> Turn:
        """The turn without an answer, for another stage to give one."""
        if isinstance(error, BrokenAnswerError):
            raise error
        return replace(turn, notes={"model": repr(self.llm), "prompt": self.template.name, "error": error.message})

    def _prompt(self, turn: Turn) -> Prompt:
        marker = render([1], self.style)
        messages = self.template.messages(turn.question, turn.context, refusal=self.refusal, marker=marker)
        return Prompt(messages, self.temperature, self.max_tokens)

    async def _write(self, writing: Writing, prompt: Prompt, emit: Emit) -> None:
        async with aclosing(self.llm.stream(prompt)) as pieces:
            async for piece in pieces:
                await _told(writing.feed(piece), emit)
                if writing.refused:
                    return
        await _told(writing.end(), emit)

    def _note(self, writing: Writing) -> dict[str, object]:
        return {
            "model": repr(self.llm),
            "persona": self.template.persona.name,
            "prompt": self.template.name,
            "prompt_tokens": writing.last.prompt_tokens,
            "completion_tokens": writing.last.completion_tokens,
            "finish_reason": writing.last.finish_reason,
            "removed": list(writing.cleaner.removed),
        }


def founded(text: str, context: Sequence[ContextItem]) -> bool:
    """Whether any clause of an answer that begins like a refusal rests on the material after all."""
    everywhere = tuple(item.n for item in context)
    clauses = [one for one in CLAUSES.split(strip(text)) if len(one.strip()) >= CLAUSE_MIN and not refuses(one)]
    verdicts = (check(Statement(one.strip(), everywhere), context).verdict for one in clauses)
    return any(verdict in {"supported", "partly"} for verdict in verdicts)


async def _told(text: str, emit: Emit) -> None:
    if text:
        await emit(Event("token", {"text": text}))


@dataclass
class Writing:
    """An answer on its way from the model to the reader."""

    refusing: Refusing
    cleaner: Cleaner
    founded: Callable[[str], bool]
    text: str = ""
    half: str = ""
    last: Piece = field(default_factory=Piece)

    @property
    def refused(self) -> bool:
        return self.refusing.refused

    def feed(self, piece: Piece) -> str:
        """What of the answer is certain by now."""
        if piece.finish_reason:
            self.last = piece
        # A line end of two characters may come in two pieces.
        said = self.half + piece.text
        self.half = "\r" if said.endswith("\r") else ""
        return self._kept(self.cleaner.feed(self._begun(self.refusing.feed(clean(said.removesuffix("\r"))))))

    def end(self) -> str:
        held = self.refusing.feed(clean(self.half), ended=True)
        if self.refusing.suspect:
            self.refusing.refused = not self.founded(self.refusing.held)
            held = "" if self.refused else self.refusing.release()
        return "" if self.refused else self._kept(self.cleaner.feed(self._begun(held)) + self.cleaner.end())

    def _begun(self, text: str) -> str:
        """Without white space before the first word."""
        return text if self.text else text.lstrip()

    def _kept(self, text: str) -> str:
        self.text += text
        return text
