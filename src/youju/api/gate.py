"""Before any route: may this request come in at all, and what leaves when something breaks.

A page of another site can make a browser send requests to 127.0.0.1, also under a name of its own that it lets point
there (DNS rebinding). So the Host must be a name of this machine, and an Origin, where one is sent, the same.
"""

from __future__ import annotations

import ipaddress
import logging
import time
from dataclasses import dataclass
from urllib.parse import SplitResult, parse_qsl, urlsplit

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from youju.api import problems
from youju.api.metrics import Meter
from youju.errors import ForbiddenError, InputError, YoujuError

LOG = logging.getLogger(__name__)
PRIVATE = (
    # A document is never taken for a page or a script, and no page of another site may embed an answer.
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


@dataclass(frozen=True)
class Gate:
    """An ASGI application around another: checks Host, Origin and query; counts; hides what is internal."""

    app: ASGIApp
    allowed: frozenset[str]
    meter: Meter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status = time.perf_counter(), 0

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message = {**message, "headers": [*message.get("headers", ()), *PRIVATE]}
            await send(message)

        try:
            await self._passed(scope, receive, watched)
        except ClientDisconnect:
            # Whoever asked has gone: there is nobody to answer.
            return
        except Exception as error:
            route = getattr(scope.get("route"), "path", "-")
            LOG.error("request.crashed route=%s %s", route, problems.crash(error))  # noqa: TRY400 - see `crash`
            if status:
                raise
            await problems.internal()(scope, receive, watched)
        finally:
            self.meter.request(scope, status, time.perf_counter() - began)

    async def _passed(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            headers = Headers(scope=scope)
            check_host(headers.getlist("host"), self.allowed)
            check_origin(headers.getlist("origin"), headers["host"])
            check_query(scope["query_string"])
        except YoujuError as error:
            await problems.answered(error)(scope, receive, send)
            return
        await self.app(scope, receive, send)


def check_host(hosts: list[str], allowed: frozenset[str]) -> None:
    """Raises ForbiddenError unless there is one Host, of this machine or allowed by the settings; any port."""
    if len(hosts) != 1 or not (_is_loopback(name := host_name(hosts[0])) or name in allowed):
        raise ForbiddenError(
            f"不接受的 Host：{', '.join(hosts)!r}",
            remedy="请用 127.0.0.1 或 localhost 访问；经反向代理时，把域名写入设置 server.allowed_hosts",
            code="bad_host",
        )


def check_origin(origins: list[str], host: str) -> None:
    """Raises ForbiddenError where the request comes from a page of another origin; none sent is no page's."""
    if not origins:
        return
    parts = _split(origins[0])
    if len(origins) != 1 or parts is None or parts.scheme not in {"http", "https"} or parts.netloc != host.lower():
        raise ForbiddenError(
            f"不接受来自其他网页的请求：{', '.join(origins)!r}",
            remedy="请从本服务自己的页面或程序里访问",
            code="bad_origin",
        )


def check_query(query: bytes) -> None:
    """Raises InputError where a parameter stands twice: two readers would take different ones."""
    names = [name for name, _ in parse_qsl(query.decode("latin-1"), keep_blank_values=True)]
    if len(names) != len(set(names)):
        raise InputError("同一个查询参数出现了两次", remedy="每个参数只写一次", code="repeated_parameter")


def host_name(host: str) -> str:
    """`LocalHost:8710` → localhost; `[::1]:8710` → ::1; empty for what is no host."""
    parts = _split(f"//{host}")
    if parts is None or parts.netloc != host.lower() or "@" in host:
        return ""
    return (parts.hostname or "").rstrip(".")


def _split(url: str) -> SplitResult | None:
    """The parts of a URL in lower case; None for what is none."""
    try:
        parts = urlsplit(url.lower())
        _ = parts.port
    except ValueError:
        return None
    return parts


def _is_loopback(name: str) -> bool:
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
