"""A question, from the request to the finished turn."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial

from pydantic import ValidationError

from youju.chat.log import Log
from youju.chat.views import Wording, answer_text
from youju.documents import scope
from youju.errors import InputError, KnobError, StoreError, YoujuError
from youju.settings import Knobs, explained
from youju.stages import recipes
from youju.stages.base import Emit, Event, Pipeline, advance, silent
from youju.stages.prompt import DEFAULT, persona
from youju.stages.recipes import Parts
from youju.storage.engine import Store
from youju.text.normal import clean
from youju.trace.entry import Entry, Kind
from youju.types import Answer, Degradation, Turn

QUESTION_MAX = 4000
CONVERSATION_MAX = 100
INTERRUPTED = "interrupted"
"""Who wrote an answer that has no end: what its reader saw of it."""


@dataclass(frozen=True, slots=True)
class Request:
    """What a caller may say. `settings` are knobs by name; `top_k` sets the number of chunks in the context."""

    question: str
    top_k: int | None = None
    document_ids: Sequence[str] | None = None
    collection: str | None = None
    settings: Mapping[str, object] = field(default_factory=dict)
    persona: str | None = None
    conversation_id: str | None = None


@dataclass(frozen=True)
class Chat:
    store: Store
    parts: Parts
    knobs: Knobs
    wording: Wording
    log: Log
    persona: str = DEFAULT

    async def ask(self, request: Request, emit: Emit = silent) -> Turn:
        """The answered or refused turn. A failing part degrades it; only bad input raises.

        `emit` is told each stage as it ends, and the answer piece by piece: the pieces are the answer, a refusal too.

        Raises:
            InputError: an empty or over-long question, an unknown persona, or one that needs a language model.
            KnobError: a setting that does not exist, is not a knob, or is out of range.
            BrokenAnswerError: the model failed after part of its answer had been told.
        """
        chosen = self.checked_persona(request.persona)
        conversation = checked_conversation(request.conversation_id) or uuid.uuid4().hex
        knobs = narrowed(self.knobs, request)
        before = await self._turn(request)
        before = replace(before, persona=chosen, conversation_id=conversation, streamed=emit is not silent)
        teller = Teller(emit, before)
        async with self._logged("ask", recipes.chat(self.parts, knobs, chosen), knobs, teller) as recipe:
            turn = settled(await self._still_eligible(await _walked(recipe, before, teller)))
            await teller.rest(answer_text(turn, self.wording))
            teller.turn = turn
        return teller.turn

    async def retrieve(self, request: Request, emit: Emit = silent) -> Turn:
        """The turn after Grade: what would be looked at, nothing dropped; same search as `ask`."""
        knobs = narrowed(self.knobs, request)
        before = await self._turn(request)
        teller = Teller(emit, before)
        async with self._logged("retrieve", recipes.retrieve(self.parts, knobs), knobs, teller) as recipe:
            teller.turn = await _walked(recipe, before, teller)
        return teller.turn

    async def _still_eligible(self, turn: Turn) -> Turn:
        """The turn, unless a document that it rests on was deleted or disabled while it was being answered.

        Then nothing of it may be shown; of an answer that is out already only the proof is taken back.
        """
        if turn.scope_report is None or not turn.context:
            return turn
        asked = {item.hit.chunk.document_id for item in turn.context}
        now = await self.store.read(partial(scope.eligible, document_ids=sorted(asked)))
        if asked <= now:
            return turn
        marks = (*turn.degradations, Degradation("scope", "document_gone"))
        turn = replace(
            turn, sources=(), nearest=(), verdicts=(), context=(), hits=(), confidence=None, degradations=marks
        )
        shown = turn.streamed and turn.answer is not None and turn.answer.by != "extractive"
        return turn if shown else replace(turn, answer=None, refusal="scope_empty")

    @asynccontextmanager
    async def _logged(self, kind: Kind, recipe: Pipeline, knobs: Knobs, teller: Teller) -> AsyncIterator[Pipeline]:
        """Writes the trace of what happens inside, however it ends; a log that fails degrades the turn."""
        started_at, started, failure = datetime.now(UTC), time.perf_counter(), None
        try:
            yield recipe
        except BaseException as error:
            failure = error if isinstance(error, YoujuError) else _unexplained(error)
            failure.trace_id = teller.turn.trace_id
            if teller.told and teller.turn.answer is None:
                # What the reader has seen cannot be taken back, and must not be forgotten.
                teller.turn = replace(teller.turn, answer=Answer(teller.told, by=INTERRUPTED))
            raise
        finally:
            model = self.parts.llm if kind == "ask" else None
            entry = Entry(
                kind,
                teller.turn,
                knobs.model_dump(),
                time.perf_counter() - started,
                started_at,
                model=repr(model) if model else "",
                temperature=self.parts.temperature if model else None,
                fingerprint=self.parts.embedder.profile.fingerprint,
                recipe=repr(recipe),
                error=failure,
            )
            try:
                await self.log.record(entry)
            except StoreError as error:
                marks = (*teller.turn.degradations, Degradation("log", error.code))
                teller.turn = replace(teller.turn, degradations=marks)

    def checked_persona(self, name: str | None) -> str:
        """The name of who answers; the deployment's own for None.

        Raises:
            InputError: nobody has that name, or there is no language model to speak for it.
        """
        chosen = persona(self.persona if name is None else name).name
        if chosen != DEFAULT and self.parts.llm is None:
            raise InputError(
                f"角色 {chosen} 需要语言模型",
                remedy="请设置 llm.base_url 与 llm.model，或使用角色 assistant",
                code="persona_needs_llm",
            )
        return chosen

    async def _turn(self, request: Request) -> Turn:
        """The turn before its first stage; refused where nothing is eligible."""
        question = checked(request.question)
        fingerprint = self.parts.embedder.profile.fingerprint
        eligible = partial(
            scope.resolve,
            document_ids=request.document_ids,
            collection=request.collection,
            fingerprint=fingerprint,
        )
        found, report = await self.store.read(eligible)
        return Turn(
            asked=question,
            question=question,
            scope=found,
            scope_report=report,
            refusal=None if report.documents else "scope_empty",
            trace_id=uuid.uuid4().hex,
        )


def settled(turn: Turn) -> Turn:
    """The turn as it ends: evidence of which nothing could be quoted is not enough, so nothing said is a refusal."""
    if turn.answer is None and turn.refusal is None:
        return replace(turn, refusal="low_evidence", nearest=turn.hits)
    return turn


@dataclass
class Teller:
    """Passes events on and remembers what of the answer has been told, and how far the turn has come."""

    emit: Emit
    turn: Turn
    told: str = ""

    async def __call__(self, event: Event) -> None:
        if event.kind == "token":
            self.told += str(event.data["text"])
        self.turn = event.turn or self.turn
        await self.emit(event)

    async def rest(self, answer: str) -> None:
        """Tell what no stage has told: extracted answers, refusals, what was put behind a model's answer."""
        if answer != self.told:
            await self(Event("token", {"text": answer.removeprefix(self.told)}))


def _unexplained(error: BaseException) -> YoujuError:
    """For the log alone: what ended a question although nobody foresaw it."""
    if isinstance(error, asyncio.CancelledError):
        return YoujuError("提问的一方离开了", code="cancelled")
    return YoujuError(f"程序出错（{type(error).__name__}）", code="internal")


async def _walked(recipe: Pipeline, turn: Turn, emit: Emit) -> Turn:
    """The turn after the recipe; with nothing eligible nothing is searched."""
    if turn.refusal is not None:
        return turn
    try:
        return await advance(recipe, turn, emit)
    except ExceptionGroup as group:
        # Channels that search at the same time fail as a group; callers know the errors themselves.
        raise innermost(group) from group


def innermost(error: Exception) -> Exception:
    """The error itself, where stages that ran at the same time failed as a group."""
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    return error


def checked(question: str) -> str:
    """The question without what no text may hold.

    Raises:
        InputError: nothing is left, or it is longer than 4 000 characters.
    """
    text = " ".join(clean(question).split())
    if not text:
        raise InputError("问题是空的", remedy="请输入要问的内容", code="empty_question")
    if len(text) > QUESTION_MAX:
        raise InputError(
            f"问题有 {len(text)} 个字符，超过上限 {QUESTION_MAX}", remedy="请缩短问题", code="question_too_long"
        )
    return text


def checked_conversation(reference: str | None) -> str:
    """The id of a conversation as its caller names it.

    Raises:
        InputError: longer than 100 characters, or of characters that are not shown.
    """
    given = reference or ""
    if len(given) > CONVERSATION_MAX or clean(given).strip() != given or "\n" in given:
        raise InputError(
            "conversation_id 不合适", remedy=f"请使用不超过 {CONVERSATION_MAX} 个可见字符", code="bad_conversation"
        )
    return given


def narrowed(knobs: Knobs, request: Request) -> Knobs:
    """The knobs of one request. `top_k` sets `context_top_k` and raises what lies upstream of it where needed."""
    unknown = sorted(set(request.settings) - set(Knobs.model_fields))
    if unknown:
        names = "、".join(sorted(Knobs.model_fields))
        raise KnobError(f"没有名为 {unknown[0]!r} 的检索设置", remedy=f"可用的设置：{names}")
    changed = dict(request.settings)
    if request.top_k is not None:
        changed["context_top_k"] = request.top_k
    try:
        merged = Knobs.model_validate({**knobs.model_dump(), **changed})
        upstream = ("vector_top_k", "keyword_top_k", "rrf_top_k", "rerank_top_n")
        raised = {
            name: max(getattr(merged, name), merged.context_top_k)
            for name in upstream
            if request.top_k is not None and name not in changed and getattr(merged, name)
        }
        return Knobs.model_validate({**merged.model_dump(), **raised})
    except ValidationError as error:
        name, reason = explained(error)
        raise KnobError(f"检索设置 {name} 的值不合适：{reason}", remedy="含义与默认值见 youju settings") from error
