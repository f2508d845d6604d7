"""A chat service on 127.0.0.1 that answers well unless a test tells it to misbehave."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field

SSE = "text/event-stream"


class Silence:
    """In a script: nothing more until the listener goes away."""


class Abort:
    """In a script: the connection is torn down."""


@dataclass
class Reply:
    """A reply by script: bytes are written as they stand, each in a packet of its own."""

    script: tuple
    status: int = 200
    kind: str = SSE
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class ChatServer:
    """Answers with `replies` in turn, then with `good`; keeps the requests as (path, headers, body)."""

    good: Reply
    replies: list[Reply] = field(default_factory=list)
    requests: list = field(default_factory=list)
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    left: asyncio.Event = field(default_factory=asyncio.Event)
    address: str = ""

    async def __aenter__(self):
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        self.address = f"http://127.0.0.1:{port}"
        return self

    async def __aexit__(self, *_):
        self._server.close()
        await self._server.wait_closed()

    async def _serve(self, reader, writer):
        try:
            await self._read(reader)
            reply = self.replies.pop(0) if self.replies else self.good
            await self._write(reply, reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            self.left.set()
        finally:
            writer.close()

    async def _read(self, reader):
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().strip().split("\r\n")
        headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
        body = json.loads(await reader.readexactly(int(headers["content-length"])))
        self.requests.append((first.split()[1], headers, body))
        self.asked.set()

    async def _write(self, reply, reader, writer):
        script = reply.script
        if not script or script[0] not in {Silence, Abort}:
            fields = {"Content-Type": reply.kind, "Connection": "close", **reply.headers}
            lines = [f"HTTP/1.1 {reply.status} X", *(f"{name}: {value}" for name, value in fields.items())]
            writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
        for step in script:
            if step is Silence:
                await reader.read()
                self.left.set()
                return
            if step is Abort:
                writer.transport.abort()
                return
            if isinstance(step, float):
                await asyncio.sleep(step)
                continue
            writer.write(step)
            await writer.drain()
            # The event loop sends what it has before the next packet is written.
            await asyncio.sleep(0)


def event(data) -> bytes:
    return f"data: {data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)}\n\n".encode()


def delta(text=None, finish=None, **more) -> bytes:
    """One chunk of a stream."""
    return event({"choices": [{"index": 0, "delta": {"content": text, **more}, "finish_reason": finish}]})


def usage(asked: int, answered: int) -> bytes:
    return event({"choices": [], "usage": {"prompt_tokens": asked, "completion_tokens": answered}})


DONE = event("[DONE]")


def streamed(*texts: str, tokens: tuple[int, int] = (7, 5)) -> Reply:
    """A whole answer as a well-behaved server streams it."""
    first = delta("", role="assistant")
    return Reply((first, *(delta(text) for text in texts), delta(finish="stop"), usage(*tokens), DONE))


def whole(text: str, finish: str = "stop", tokens: tuple[int, int] = (7, 5)) -> Reply:
    """A whole answer in one piece."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
    reply = {"choices": [choice], "usage": {"prompt_tokens": tokens[0], "completion_tokens": tokens[1]}}
    return Reply((json.dumps(reply, ensure_ascii=False, indent=1).encode(),), kind="application/json")


def refused(status: int, message: str = "", code=None, kind: str = "", **headers: str) -> Reply:
    """An error; Retry_After="7" becomes the header Retry-After."""
    content = json.dumps({"error": {"message": message, "code": code, "type": kind}}).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply((content,), status, "application/json", named)
