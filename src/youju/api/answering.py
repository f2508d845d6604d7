"""From a question as it came to the body of its answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from youju.api.deps import Service
from youju.api.problems import Json
from youju.api.schemas.chat import ChatQuestion, Question
from youju.chat.service import Request, narrowed
from youju.chat.views import chat_view, retrieve_view
from youju.errors import NothingFoundError
from youju.stages.base import Emit, Event, silent


async def found(served: Service, asked: Question) -> Json:
    """The body of `POST /api/retrieve`."""
    request = Request(**asked.model_dump())
    turn = await served.app.chat.retrieve(request)
    served.meter.turn([(mark.part, mark.reason) for mark in turn.degradations], None)
    return retrieve_view(turn, narrowed(served.app.chat.knobs, request).context_top_k)


async def replied(served: Service, asked: ChatQuestion, emit: Emit) -> Json:
    """The body of `POST /api/chat`; told on the way: what the chat service emits, then its parts.

    Raises:
        NothingFoundError: there were documents to look in, and nothing was found in them.
    """
    app = served.app
    teller = _Teller(emit, app.wording.refusal)
    request = Request(**asked.model_dump(exclude={"stream"}))
    turn = await app.chat.ask(request, silent if emit is silent else teller)
    served.meter.turn([(mark.part, mark.reason) for mark in turn.degradations], turn.refusal)
    if turn.refusal == "no_candidates":
        raise NothingFoundError(
            app.wording.nothing(turn), trace_id=turn.trace_id, remedy="请换一种问法，或放宽资料范围"
        )
    await teller.rest()
    view = chat_view(turn, app.wording)
    for part in ("sources", "verdicts"):
        await emit(Event(part, {part: view[part]}))
    await emit(Event("confidence", cast("Json", view["confidence"] or {"value": None, "reasons": []})))
    return view


@dataclass
class _Teller:
    """Passes events on; a refusal, which comes in one piece, only once it is known not to be a 404."""

    emit: Emit
    refusal: str
    kept: Event | None = None

    async def __call__(self, event: Event) -> None:
        if event.kind == "token" and event.data["text"] == self.refusal:
            self.kept = event
            return
        await self.rest()
        await self.emit(event)

    async def rest(self) -> None:
        if self.kept is not None:
            kept, self.kept = self.kept, None
            await self.emit(kept)
