"""A real HTTP server on 127.0.0.1 for any service over JSON: it answers well unless a test tells it to misbehave."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from inspect import isawaitable

SSE = "text/event-stream"


class Silence:
    """In a script: nothing more until the listener goes away."""


class Abort:
    """In a script: the connection is torn down."""


class HangUp:
    """In a script: the connection is closed in an orderly way, whatever was promised."""


@dataclass(frozen=True)
class Reply:
    """A reply by script: bytes are written as they stand, each in a packet of its own; a float is a pause in seconds.

    A script that begins with Silence, Abort or HangUp sends no head either.
    """

    script: tuple
    status: int = 200
    kind: str = SSE
    headers: dict[str, str] = field(default_factory=dict)


def in_json(content, status: int = 200, **headers: str) -> Reply:
    """A whole reply; bytes stand for themselves, and Retry_After="7" becomes the header Retry-After."""
    data = content if isinstance(content, bytes) else json.dumps(content, ensure_ascii=False).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply((data,), status, "application/json", {"Content-Length": str(len(data)), **named})


Answering = Reply | Callable[[dict], Reply | Awaitable[Reply]]


@dataclass
class Server:
    """Answers with `replies` in turn, then with `good`, which may depend on the body of the request.

    `requests` are (path, headers with names in lower case, body); `asked` is set once there is one, `left` once a
    client went away before its reply ended.
    """

    good: Answering
    replies: list[Answering] = field(default_factory=list)
    requests: list = field(default_factory=list)
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    left: asyncio.Event = field(default_factory=asyncio.Event)
    address: str = ""

    async def __aenter__(self):
        self._open = set()
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=512)
        port = self._server.sockets[0].getsockname()[1]
        self.address = f"http://127.0.0.1:{port}"
        return self

    async def __aexit__(self, *_):
        self._server.close()
        for writer in self._open:
            writer.transport.abort()
        await self._server.wait_closed()

    async def _serve(self, reader, writer):
        self._open.add(writer)
        try:
            body = await self._read(reader)
            answering = self.replies.pop(0) if self.replies else self.good
            reply = answering(body) if callable(answering) else answering
            await _write(await reply if isawaitable(reply) else reply, reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            self.left.set()
        finally:
            self._open.discard(writer)
            writer.close()

    async def _read(self, reader):
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().strip().split("\r\n")
        headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
        body = json.loads(await reader.readexactly(int(headers["content-length"])))
        self.requests.append((first.split()[1], headers, body))
        self.asked.set()
        return body


async def _write(reply, reader, writer):
    script = reply.script
    if not script or script[0] not in {Silence, Abort, HangUp}:
        fields = {"Content-Type": reply.kind, "Connection": "close", **reply.headers}
        lines = [f"HTTP/1.1 {reply.status} X", *(f"{name}: {value}" for name, value in fields.items())]
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
    for step in script:
        if step is Silence:
            await reader.read()
            raise ConnectionResetError
        if step is Abort:
            writer.transport.abort()
        if step in {Abort, HangUp}:
            return
        if isinstance(step, float):
            await asyncio.sleep(step)
            continue
        writer.write(step)
        await writer.drain()
        # The event loop sends what it has before the next packet is written.
        await asyncio.sleep(0)
