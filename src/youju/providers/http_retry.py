"""One question to a server over HTTP: asked again while that may help, read whole, bounded in time and size."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import httpx

from youju.providers.openai_http import backoff_s, may_pass, retry_after_s


class ReplyTooLargeError(Exception):
    """The server sent more than a reply may have."""


@dataclass(frozen=True)
class Tries:
    """`timeout_s` for a whole reply; `longest_s` = the longest wait a server may ask for before it is not worth it."""

    timeout_s: float
    retries: int
    longest_s: float


async def whole_reply(client: httpx.AsyncClient, url: httpx.URL, body: object, largest: int) -> httpx.Response:
    """The reply to a POST of JSON, whole and decoded.

    Raises:
        ReplyTooLargeError: more than `largest` bytes; the rest is not read.
    """
    content = bytearray()
    async with client.stream("POST", url, json=body) as response:
        async for piece in response.aiter_bytes():
            content += piece
            if len(content) > largest:
                raise ReplyTooLargeError
    # Decoded already, hence without the headers that say how it was encoded.
    kept = {name: value for name in ("retry-after", "content-type") if (value := response.headers.get(name))}
    return httpx.Response(response.status_code, headers=kept, content=bytes(content), request=response.request)


async def persistent(
    ask: Callable[[], Awaitable[httpx.Response]], tries: Tries, sleep: Callable[[float], Awaitable[object]]
) -> httpx.Response:
    """The first good reply, else the last refusal: for the caller to explain.

    Raises:
        TimeoutError, httpx.RequestError: of the last try.
    """
    for attempt in range(tries.retries + 1):
        last = attempt == tries.retries
        wait_s = backoff_s(attempt)
        try:
            # httpx limits the silence between two bytes; a server that trickles would hold us for ever.
            async with asyncio.timeout(tries.timeout_s):
                response = await ask()
        except (TimeoutError, httpx.RequestError):
            if last:
                raise
        else:
            asked_s = retry_after_s(response)
            if response.is_success or last or not may_pass(response) or (asked_s or 0) > tries.longest_s:
                return response
            wait_s = wait_s if asked_s is None else asked_s
        await sleep(wait_s)
    raise AssertionError("the last try returns or raises")
