"""One process that serves until it is told to stop."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable

import uvicorn
from fastapi import FastAPI

from youju.api.app import create_app
from youju.api.protocol import Protocol
from youju.compose import App
from youju.settings import Settings

GRACE_S = 5
"""Seconds that answers under way get to end once the service is to stop."""


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()


async def serve(
    settings: Settings, app: App, listener: socket.socket, ready: Callable[[str], None], *, access_log: bool = False
) -> None:
    """Returns once a signal has stopped the service; `ready` is told its address as soon as it answers."""
    server = _Server(config(create_app(settings, app=app), access_log=access_log), lambda: ready(address(listener)))
    # The server's own handlers end it in order; when it is done it sends the signal again, and that must not kill us.
    before = {one: signal.signal(one, lambda *_: None) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        await server.serve(sockets=[listener])
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def config(api: FastAPI, *, access_log: bool = False) -> uvicorn.Config:
    """How the service is run."""
    return uvicorn.Config(
        api,
        http=Protocol,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=access_log,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=GRACE_S,
    )


def address(listener: socket.socket) -> str:
    """`http://127.0.0.1:8710` of a listening socket."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
