"""Server-sent events: what happens to a question, while it happens."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Coroutine
from typing import Any

from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from youju.api import problems
from youju.api.presence import PATIENCE_S, ended, left
from youju.api.problems import Json
from youju.api.slots import Slots
from youju.errors import YoujuError
from youju.stages.base import Emit, Event

LOG = logging.getLogger(__name__)
WAITING = 64
"""Events that may wait for a slow reader; after that the work waits, too."""
KEEP_ALIVE_S = 15.0
HEADERS = (
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    # Proxies that gather a response before they pass it on would make a stream of it no more.
    (b"x-accel-buffering", b"no"),
)
Work = Callable[[Emit], Coroutine[Any, Any, Json]]
Waiting = asyncio.Queue[Event | YoujuError]


class EventStream(Response):
    """The events that `work` emits, then `done` with what it returns, or `error` with the problem.

    An error before the first event is an ordinary problem response. The work is cancelled when the reader leaves, and
    when it takes nothing for a minute.
    """

    def __init__(
        self, work: Work, slots: Slots, *, keep_alive_s: float = KEEP_ALIVE_S, patience_s: float = PATIENCE_S
    ) -> None:
        super().__init__()
        self.work = work
        self.slots = slots
        self.keep_alive_s = keep_alive_s
        self.patience_s = patience_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            with self.slots.one():
                await self._live(receive, send)
        except YoujuError as error:
            await problems.answered(error)(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        queue: Waiting = asyncio.Queue(WAITING)
        work = asyncio.create_task(self._worked(queue))
        gone = asyncio.create_task(left(receive))
        talk = asyncio.create_task(self._talk(queue, send))
        try:
            await asyncio.wait({talk, gone}, return_when=asyncio.FIRST_COMPLETED)
            if talk.done():
                talk.result()
        finally:
            await ended(work, gone, talk)

    async def _worked(self, queue: Waiting) -> None:
        try:
            await queue.put(Event("done", await self.work(queue.put)))
        except YoujuError as error:
            await queue.put(error)
        except Exception as error:  # noqa: BLE001 - the reader is told, the log has the rest
            LOG.error("stream.crashed %s", problems.crash(error))  # noqa: TRY400 - its message may hold people's text
            await queue.put(problems.internal_error())

    async def _talk(self, queue: Waiting, send: Send) -> None:
        """Raises the error with which the work ended, if it is the first thing there is to say."""
        said = await self._next(queue)
        if isinstance(said, YoujuError):
            raise said
        await self._sent(send, {"type": "http.response.start", "status": 200, "headers": list(HEADERS)})
        while said is None or said.kind != "done":
            await self._sent(send, _body(said))
            said = await self._next(queue)
            if isinstance(said, YoujuError):
                said = Event("error", problems.problem(said))
                break
        await self._sent(send, _body(said))
        await self._sent(send, {"type": "http.response.body", "body": b"", "more_body": False})

    async def _next(self, queue: Waiting) -> Event | YoujuError | None:
        """What comes next; None: nothing came for a while."""
        try:
            async with asyncio.timeout(self.keep_alive_s):
                return await queue.get()
        except TimeoutError:
            return None

    async def _sent(self, send: Send, message: dict[str, Any]) -> None:
        try:
            async with asyncio.timeout(self.patience_s):
                await send(message)
        except TimeoutError as error:
            raise ClientDisconnect from error


def _body(said: Event | None) -> dict[str, Any]:
    """An event on the wire; a comment that keeps proxies from closing the connection where there is none."""
    if said is None:
        return {"type": "http.response.body", "body": b": \n\n", "more_body": True}
    data = json.dumps(dict(said.data), ensure_ascii=False).encode("utf-8", "backslashreplace")
    return {
        "type": "http.response.body",
        "body": b"event: %b\ndata: %b\n\n" % (said.kind.encode(), data),
        "more_body": True,
    }
