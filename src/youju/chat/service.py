"""A question, from the request to the finished turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pydantic import ValidationError

from youju.documents import scope
from youju.errors import InputError, KnobError
from youju.settings import Knobs, explained
from youju.stages import recipes
from youju.stages.base import Emit, Pipeline, advance, silent
from youju.stages.recipes import Parts
from youju.storage.engine import Store
from youju.text.normal import clean
from youju.types import Turn

QUESTION_MAX = 4000
Recipe = Callable[[Parts, Knobs], Pipeline]


@dataclass(frozen=True, slots=True)
class Request:
    """What a caller may say. `settings` are knobs by name; `top_k` sets the number of chunks in the context."""

    question: str
    top_k: int | None = None
    document_ids: Sequence[str] | None = None
    collection: str | None = None
    settings: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Chat:
    store: Store
    parts: Parts
    knobs: Knobs

    async def ask(self, request: Request, emit: Emit = silent) -> Turn:
        """The answered or refused turn. A failing part degrades it; only bad input raises.

        Raises:
            InputError: an empty or over-long question.
            KnobError: a setting that does not exist, is not a knob, or is out of range.
        """
        turn = await self._run(recipes.chat, request, emit)
        if turn.answer is None and turn.refusal is None:
            # Evidence of which nothing could be quoted is not enough: nothing said is a refusal, and says so.
            return replace(turn, refusal="low_evidence", nearest=turn.hits)
        return turn

    async def retrieve(self, request: Request, emit: Emit = silent) -> Turn:
        """The turn after Grade: what would be looked at, nothing dropped; same search as `ask`."""
        return await self._run(recipes.retrieve, request, emit)

    async def _run(self, recipe: Recipe, request: Request, emit: Emit) -> Turn:
        question = checked(request.question)
        knobs = narrowed(self.knobs, request)
        fingerprint = self.parts.embedder.profile.fingerprint
        found, report = await self.store.read(
            lambda tx: scope.resolve(tx, request.document_ids, request.collection, fingerprint)
        )
        turn = Turn(asked=question, question=question, scope=found, scope_report=report)
        if not report.documents:
            return replace(turn, refusal="scope_empty")
        try:
            return await advance(recipe(self.parts, knobs), turn, emit)
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
