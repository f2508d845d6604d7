"""The HTTP service over a store in a temporary folder: in this loop, or on a real port."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import uvicorn
from fastapi import FastAPI

import apps
from youju.api import binding, running
from youju.api.app import create_app
from youju.compose import App

BASE = "http://127.0.0.1"
NAMED = {"base_url": BASE, "timeout": 60}


@dataclass(frozen=True)
class Live:
    """A service that runs; `client` talks to it."""

    client: httpx.AsyncClient
    app: App
    api: FastAPI
    address: str = BASE

    async def add(self, name: str, text: str | bytes, **fields: str) -> str:
        """The id of a document that is READY."""
        sent = await self.client.post("/api/documents", files={"file": (name, text)}, data=fields)
        assert sent.status_code == 202, sent.text
        await self.settled(sent.json()["document_id"])
        return sent.json()["document_id"]

    async def settled(self, document_id: str) -> dict:
        """The document once nothing of it is on its way."""
        while True:
            one = (await self.client.get(f"/api/documents/{document_id}")).json()
            waiting = one["pending"] or one
            if waiting["status"] in {"READY", "FAILED"}:
                return one
            await asyncio.sleep(0.02)


@asynccontextmanager
async def in_loop(folder: Path, embedder=None, **sections: object) -> AsyncIterator[Live]:
    """Without a port: requests go straight to the application."""
    chosen = apps.settings(folder, **sections)
    async with apps.opened(folder, embedder, **sections) as app:
        api = create_app(chosen, app=app)
        transport = httpx.ASGITransport(api, raise_app_exceptions=False)
        async with api.router.lifespan_context(api), httpx.AsyncClient(transport=transport, **NAMED) as client:
            yield Live(client, app, api)


class Quiet(uvicorn.Server):
    """Leaves the signals of the test run alone."""

    @contextlib.contextmanager
    def capture_signals(self):
        yield


@asynccontextmanager
async def on_port(folder: Path, embedder=None, **sections: object) -> AsyncIterator[Live]:
    """On a real port of this machine, as `youju serve` does it."""
    chosen = apps.settings(folder, **sections)
    async with apps.opened(folder, embedder, **sections) as app:
        api = create_app(chosen, app=app)
        listener = binding.listening("127.0.0.1", 0)
        server = Quiet(running.config(api))
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        address = running.address(listener)
        await until(lambda: server.started)
        try:
            async with httpx.AsyncClient(base_url=address, timeout=60, trust_env=False) as client:
                yield Live(client, app, api, address)
        finally:
            server.should_exit = True
            await serving


async def raw(
    address: str, sent: bytes, *, ends: bool = False, timeout_s: float = 20
) -> tuple[int, dict[str, str], bytes]:
    """Status, headers (lower case) and body of the answer to these very bytes; status 0: the connection was closed."""
    host, port = address.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        async with asyncio.timeout(timeout_s):
            with contextlib.suppress(ConnectionError):
                writer.write(sent)
                await writer.drain()
                if ends:
                    writer.write_eof()
            return await answer(reader, bodiless=sent.startswith(b"HEAD "))
    finally:
        writer.close()


async def answer(reader: asyncio.StreamReader, *, bodiless: bool = False) -> tuple[int, dict[str, str], bytes]:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except (asyncio.IncompleteReadError, ConnectionError):
        return 0, {}, b""
    first, *lines = head.strip().split("\r\n")
    headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
    length = 0 if bodiless else int(headers.get("content-length", 0))
    body = await reader.readexactly(length)
    return int(first.split()[1]), headers, body


def events(text: str) -> list[tuple[str, dict]]:
    """(name, data) of each server-sent event."""
    found = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if fields:
            found.append((fields["event"], json.loads(fields["data"])))
    return found


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


async def until(reached: Callable[[], object]) -> None:
    """Returns once `reached` says so; the test's own time limit ends the waiting."""
    while not reached():  # noqa: ASYNC110 - no event tells
        await asyncio.sleep(0.01)
