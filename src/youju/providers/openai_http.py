"""What all OpenAI-compatible interfaces share: address, key, when to ask again, and how they say what is wrong."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus

import httpx

LONGEST_WAIT_S = 60.0
_FIRST_WAIT_S, _LONGEST_BACKOFF_S = 0.5, 8.0
_LONGEST_MESSAGE, _LARGEST_REFUSAL = 200, 1 << 16
_PASSING = {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS}
_LASTING = {HTTPStatus.NOT_IMPLEMENTED, HTTPStatus.HTTP_VERSION_NOT_SUPPORTED}
_QUOTA = re.compile(r"insufficient[_ ](quota|balance)|arrearage|余额|欠费")


def endpoint(base_url: str, path: str) -> httpx.URL | None:
    """`base_url` with `path` appended unless it is there, a bare host with /v1 before it; None if it is no address."""
    try:
        url = httpx.URL(base_url.strip())
    except httpx.InvalidURL:
        return None
    if url.scheme not in {"http", "https"} or not url.host:
        return None
    base = url.path.rstrip("/") or "/v1"
    return url.copy_with(path=base if base.endswith(path) else base + path)


def host(url: httpx.URL) -> str:
    """Host and port, without user and password, should the address hold them."""
    return url.host + (f":{url.port}" if url.port else "")


def usable_key(api_key: str) -> str | None:
    """The key without blanks around it, "" for none; None if it cannot stand in a header."""
    key = api_key.strip()
    return key if key.isascii() and key.isprintable() and " " not in key else None


def backoff_s(attempt: int) -> float:
    """How long to wait after try number `attempt` (from 0): doubling from half a second up to 8 s, with jitter."""
    return float(min(_LONGEST_BACKOFF_S, _FIRST_WAIT_S * 2**attempt) * random.uniform(0.5, 1))  # noqa: S311 - jitter


def may_pass(response: httpx.Response) -> bool:
    """Whether the same request may succeed a little later."""
    status = response.status_code
    if out_of_quota(hints(json_of(response))):
        return False
    return status in _PASSING or (status >= HTTPStatus.INTERNAL_SERVER_ERROR and status not in _LASTING)


def retry_after_s(response: httpx.Response) -> float | None:
    """How long the server asks to wait, in seconds ≥ 0; None if it does not say, or says it unreadably."""
    value = response.headers.get("retry-after", "")
    if re.fullmatch(r"\d{1,9}(\.\d+)?", value):
        return float(value)
    try:
        until = parsedate_to_datetime(value)
    except ValueError:
        return None
    # A date without a zone is in GMT.
    return max(0.0, (until.replace(tzinfo=until.tzinfo or UTC) - datetime.now(UTC)).total_seconds())


async def beginning(response: httpx.Response) -> httpx.Response:
    """A refusal that was opened as a stream, with as much of its body as a reason may take."""
    body = b""
    async for packet in response.aiter_bytes():
        body += packet
        if len(body) > _LARGEST_REFUSAL:
            break
    asked = response.headers.get("retry-after")
    return httpx.Response(response.status_code, headers={"retry-after": asked} if asked else {}, content=body)


def json_of(response: httpx.Response) -> object:
    """The body, None if it is no JSON."""
    try:
        reply: object = json.loads(response.content)
    # Nested brackets by the thousand make the latter.
    except (ValueError, RecursionError):
        return None
    return reply


def out_of_quota(hinted: str) -> bool:
    return bool(_QUOTA.search(hinted))


def hints(reply: object) -> str:
    """Code, type and message in lower case. Not the whole reply: it may quote our texts."""
    found = _complaint(reply)
    parts = (found.get(name) for name in ("code", "type", "message", "detail"))
    return " ".join(part.lower() for part in parts if isinstance(part, str))


def said(reply: object, key: str) -> str:
    """The server's own words, shortened, without the key."""
    found = _complaint(reply)
    parts = (found.get(name) for name in ("message", "detail", "code"))
    text = next((part for part in parts if isinstance(part, str) and part), "")
    return " ".join((text.replace(key, "***") if key else text).split())[:_LONGEST_MESSAGE]


def _complaint(reply: object) -> Mapping[str, object]:
    """The object that says what is wrong: under `error`, or the reply itself."""
    error = reply.get("error", reply) if isinstance(reply, dict) else {}
    return error if isinstance(error, dict) else {"message": error}
