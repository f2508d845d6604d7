"""Asking and searching."""

from __future__ import annotations

from functools import partial

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse

from youju.api.answering import found, replied
from youju.api.bodies import JsonBody, JsonRoute
from youju.api.declared import BODY, failing
from youju.api.deps import Served
from youju.api.events import EventStream
from youju.api.presence import until_left
from youju.api.schemas.chat import ChatAnswer, ChatQuestion, Found, Question
from youju.stages.base import silent

router = APIRouter(route_class=JsonRoute, tags=["问答 Chat"])
STREAM = {
    "content": {"text/event-stream": {"schema": {"type": "string"}}},
    "description": "回答；stream 为 true 时是 SSE 事件 / the answer, or its events",
}


@router.post("/api/retrieve", responses=failing(*BODY), response_model=Found, summary="只检索，不作答 / Search only")
async def retrieve(question: Question, request: Request, served: Served) -> JSONResponse:
    """找到的片段、它们在每个通道中的名次与证据评级。一无所获也是 200，`chunks` 为空。

    What is found, with its rank in each channel, and the grade of the evidence. Nothing found is 200 with no chunks.
    """
    with served.searches.one():
        return JsonBody(await until_left(request.receive, found(served, question)))


@router.post(
    "/api/chat", responses={200: STREAM, **failing(404, *BODY)}, response_model=ChatAnswer, summary="提问 / Ask"
)
async def chat(question: ChatQuestion, request: Request, served: Served) -> JSONResponse | EventStream:
    """带出处的回答，或拒答。范围内检索一无所获是 404。`stream` 为 true 时逐步给出 SSE 事件。

    An answer with its sources, or a refusal; 404 where the search found nothing at all. With `stream` it comes as
    events: `stage`, `token`, `sources`, `verdicts`, `confidence`, then `done` with the whole body, or `error` with the
    problem. The tokens, put together, are the answer.
    """
    work = partial(replied, served, question)
    if question.stream:
        return EventStream(work, served.answers)
    with served.answers.one():
        return JsonBody(await until_left(request.receive, work(silent)))
