"""A question, from the request to the finished turn."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from pydantic import ValidationError

from youju.chat.views import Wording, answer_text
from youju.documents import scope
from youju.errors import InputError, KnobError
from youju.settings import Knobs, explained
from youju.stages import recipes
from youju.stages.base import Emit, Event, Pipeline, advance, silent
from youju.stages.prompt import DEFAULT, persona
from youju.stages.recipes import Parts
from youju.storage.engine import Store
from youju.text.normal import clean
from youju.types import Turn

QUESTION_MAX = 4000
CONVERSATION_MAX = 100


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
        teller = Teller(emit)
        turn = await self._turn(request, conversation_id=conversation, persona=chosen)
        if turn.refusal is None:
            heard = emit if emit is silent else teller
            turn = await _walked(recipes.chat(self.parts, knobs, chosen), turn, heard)
        if turn.answer is None and turn.refusal is None:
            # Evidence of which nothing could be quoted is not enough: nothing said is a refusal, and says so.
            turn = replace(turn, refusal="low_evidence", nearest=turn.hits)
        await teller.rest(answer_text(turn, self.wording))
        return turn

    async def retrieve(self, request: Request, emit: Emit = silent) -> Turn:
        """The turn after Grade: what would be looked at, nothing dropped; same search as `ask`."""
        knobs = narrowed(self.knobs, request)
        turn = await self._turn(request)
        if turn.refusal is None:
            turn = await _walked(recipes.retrieve(self.parts, knobs), turn, emit)
        return turn

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

    async def _turn(self, request: Request, conversation_id: str = "", persona: str = DEFAULT) -> Turn:
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
            persona=persona,
            trace_id=uuid.uuid4().hex,
            conversation_id=conversation_id,
        )


@dataclass
class Teller:
    """Passes events on and remembers what of the answer has been told."""

    emit: Emit
    told: str = ""

    async def __call__(self, event: Event) -> None:
        if event.kind == "token":
            self.told += str(event.data["text"])
        await self.emit(event)

    async def rest(self, answer: str) -> None:
        """Tell what no stage has told: extracted answers, refusals, what was put behind a model's answer."""
        if answer != self.told:
            await self(Event("token", {"text": answer.removeprefix(self.told)}))


async def _walked(recipe: Pipeline, turn: Turn, emit: Emit) -> Turn:
    try:
        return await advance(recipe, turn, emit)
    except ExceptionGroup as group:
        # Channels that search at the same time fail as a group; callers know the errors themselves.
        raise _first(group) from group


def _first(error: Exception) -> Exception:
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
