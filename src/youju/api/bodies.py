"""Bodies of requests: bounded, of the right kind, and nothing but JSON where JSON is said."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from typing import Any, NoReturn

from fastapi import Request
from fastapi.routing import APIRoute
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, Response
from starlette.types import Message, Receive

from youju.api.presence import patient
from youju.errors import InputError, MediaTypeError, TooLargeError

JSON_MAX = 256 << 10
"""Bytes of a JSON body."""
Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class JsonBody(JSONResponse):
    """An answer in JSON; a character that no encoding takes is written as an escape."""

    def render(self, content: object) -> bytes:
        text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode("utf-8", "backslashreplace")


class JsonRoute(APIRoute):
    """A route whose body, if it has one, is JSON: a form that a page of another site sends never works."""

    def get_route_handler(self) -> Handler:
        handle = super().get_route_handler()

        known = frozenset(one.alias for one in self.dependant.query_params)

        async def checked(request: Request) -> Response:
            check_names(request, known)
            if request.method not in {"POST", "PUT", "PATCH", "DELETE"}:
                return await handle(request)
            body = await whole(request)
            check_json(body, request.headers.get("content-type"), required=self.body_field is not None)
            return await handle(Request(request.scope, replayed(body, request.receive)))

        return checked


def check_names(request: Request, known: frozenset[str]) -> None:
    """Raises InputError for a query parameter that the route has not: a misspelt filter must not widen a list."""
    unknown = sorted(set(request.query_params) - known)
    if unknown:
        names = "、".join(sorted(known)) or "没有"
        raise InputError(f"没有名为 {unknown[0]!r} 的参数", remedy=f"可用的参数：{names}", code="unknown_parameter")


async def whole(request: Request) -> bytes:
    """The body.

    Raises:
        TooLargeError: over 256 KiB; said before the rest is read.
        SlowError: nothing came for a minute.
    """
    check_length(request, JSON_MAX)
    receive, body = patient(request.receive), bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        body += message.get("body", b"")
        if len(body) > JSON_MAX:
            raise _too_large(JSON_MAX)
        if not message.get("more_body"):
            return bytes(body)


def check_length(request: Request, limit: int) -> None:
    """Raises TooLargeError where the request says that its body is longer than `limit` bytes."""
    said = request.headers.get("content-length", "")
    if said.isdecimal() and int(said[:20]) > limit:
        raise _too_large(limit)


def _too_large(limit: int) -> TooLargeError:
    return TooLargeError(f"请求体超过上限 {limit >> 10} KiB", remedy="请缩短内容")


def check_json(body: bytes, kind: str | None, *, required: bool) -> None:
    """Raises MediaTypeError or InputError unless the body is strict JSON in UTF-8, or empty where none is required."""
    if (kind or body or required) and (kind or "").partition(";")[0].strip().lower() != "application/json":
        raise MediaTypeError(
            f"这里只接受 JSON，不接受 {kind or '没有类型的内容'}", remedy="请加上请求头 Content-Type: application/json"
        )
    if not body and not required:
        return
    try:
        json.loads(body.decode("utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise InputError("请求体不是有效的 JSON", remedy="应为 UTF-8 编码的 JSON 对象", code="bad_json") from error


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)


def replayed(body: bytes, after: Receive) -> Receive:
    """A `receive` that gives the body once more, then what comes after it."""
    told = False

    async def receive() -> Message:
        nonlocal told
        if told:
            return await after()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive
