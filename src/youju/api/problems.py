"""Errors as RFC 9457 `application/problem+json`: one shape for everything that goes wrong."""

from __future__ import annotations

import json
import logging
import traceback
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from types import MappingProxyType

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from youju.errors import BusyError, InputError, YoujuError
from youju.settings.loading import REASONS

LOG = logging.getLogger(__name__)
Json = dict[str, object]
MEDIA_TYPE = "application/problem+json"
TYPE = "urn:youju:problem:"
TITLES: Mapping[int, str] = MappingProxyType(
    {
        400: "请求有误",
        403: "请求来自不允许的地方",
        404: "没有找到",
        405: "这个地址不支持该方法",
        408: "等待太久",
        409: "现在的状态不允许",
        413: "内容太大",
        415: "内容的类型不对",
        422: "内容不符合要求",
        500: "内部错误",
        503: "暂时不能提供",
    }
)
KINDS: Mapping[str, str] = MappingProxyType(
    {
        "bool_type": "应为 true 或 false",
        "bool_parsing": "应为 true 或 false",
        "dict_type": "应为对象",
        "list_type": "应为列表",
        "int_parsing_size": "数字太大",
        "string_too_long": "不能超过 {max_length} 个字符",
        "too_long": "不能超过 {max_length} 项",
        "string_unicode": "含有不能编码的字符",
        "model_attributes_type": "应为对象",
        "extra_forbidden": "没有这个字段",
    }
)
"""Pydantic's kinds of error that settings do not have, or that mean something else in a request."""


class ProblemResponse(Response):
    """A problem; a character that no encoding takes is written as an escape."""

    media_type = MEDIA_TYPE

    def render(self, content: Mapping[str, object]) -> bytes:
        return json.dumps(content, ensure_ascii=False).encode("utf-8", "backslashreplace")


def problem(error: YoujuError, **more: object) -> Json:
    """The problem an error is; `more` are members of its own."""
    if error.trace_id:
        more["trace_id"] = error.trace_id
    return {
        "type": f"{TYPE}{error.code}",
        "title": TITLES.get(error.status, HTTPStatus(error.status).phrase),
        "status": error.status,
        "detail": error.message,
        "code": error.code,
        "message": error.message,
        "remedy": error.remedy,
        **more,
    }


def answered(error: YoujuError, **more: object) -> ProblemResponse:
    """The response an error is."""
    headers = {"Retry-After": str(error.retry_after_s)} if isinstance(error, BusyError) else None
    return ProblemResponse(problem(error, **more), error.status, headers)


def internal_error() -> YoujuError:
    """What a caller may know of a mistake of ours."""
    return YoujuError("程序出错", remedy="请报告这个问题；详情见服务的日志", code="internal")


def internal() -> ProblemResponse:
    return answered(internal_error())


def crash(error: BaseException) -> str:
    """For the log: the kind of an unforeseen error and where it came from, without what it says.

    Its message, and those of its causes, may show documents, questions and keys.
    """
    frames = "".join(traceback.format_tb(error.__traceback__))
    return f"{type(error).__name__}\n{frames.rstrip()}"


def install(app: FastAPI) -> None:
    """Let every exception that reaches the routes' edge become a problem."""
    app.add_exception_handler(YoujuError, _known)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _plain)


class InvalidError(InputError):
    """Fields that are missing or wrong."""

    status = 422
    default_code = "invalid"


class _PlainError(InputError):
    def __init__(self, status: int, message: str, remedy: str, code: str) -> None:
        super().__init__(message, remedy=remedy, code=code)
        self.status = status  # type: ignore[misc]  # the status is the framework's, not the class's


async def _known(request: Request, error: Exception) -> Response:  # noqa: ARG001 - the framework's signature
    if not isinstance(error, YoujuError):
        raise TypeError(type(error))
    if error.mender == "operator":
        LOG.warning("request.failed code=%s: %s", error.code, error)
    return answered(error)


async def _invalid(request: Request, error: Exception) -> Response:  # noqa: ARG001 - the framework's signature
    found = error.errors() if isinstance(error, RequestValidationError) else []
    fields = [{"field": _place(one["loc"]), "reason": _reason(one)} for one in found]
    first = fields[0] if fields else {"field": "", "reason": "不合要求"}
    known = InvalidError(f"{first['field'] or '请求体'}：{first['reason']}", remedy="字段的含义见 /openapi.json")
    return answered(known, errors=fields)


async def _plain(request: Request, error: Exception) -> Response:
    """What the framework itself refuses: an unknown path, another method, a body it cannot read."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    if status == HTTPStatus.NOT_FOUND:
        known = _PlainError(404, f"没有这个地址：{request.url.path}", "可用的地址见 /openapi.json", "no_such_path")
    elif status == HTTPStatus.METHOD_NOT_ALLOWED:
        known = _PlainError(405, f"这个地址不支持 {request.method}", "可用的方法见 /openapi.json", "bad_method")
    elif status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return internal()
    else:
        known = _PlainError(status, "请求体无法读取", "请检查请求的格式", "bad_request")
    response = answered(known)
    response.headers.update(getattr(error, "headers", None) or {})
    return response


def _place(loc: Sequence[object]) -> str:
    """`("body", "top_k")` → top_k."""
    parts = loc[1:] if loc and loc[0] in {"body", "query", "path", "header"} else loc
    return ".".join(str(part) for part in parts)[:200]


def _reason(one: Mapping[str, object]) -> str:
    context = one.get("ctx")
    values = {name: str(value) for name, value in context.items()} if isinstance(context, dict) else {}
    kind = str(one.get("type"))
    words = KINDS.get(kind) or REASONS.get(kind, "值不合适")
    return words.format_map(values)
