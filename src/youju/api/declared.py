"""What routes declare: the problems they can answer with."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from youju.api.problems import MEDIA_TYPE, TITLES

Responses = dict[int | str, dict[str, Any]]
ENGLISH: Mapping[int, str] = MappingProxyType(
    {
        400: "bad request",
        403: "Host or Origin not allowed",
        404: "not found",
        405: "method not allowed",
        408: "nothing came for too long",
        409: "not in this state",
        413: "too large",
        415: "wrong content type",
        422: "a field is missing or wrong",
        500: "internal error",
        503: "busy, or a part is out of order",
    }
)
ALWAYS = (400, 403, 500, 503)
BODY = (408, 413, 415, 422)


def failing(*statuses: int) -> Responses:
    """The `responses=` of a route that can fail with these; what every route can fail with included."""
    schema = {"$ref": "#/components/schemas/Problem"}
    return {
        status: {"description": f"{TITLES[status]} / {ENGLISH[status]}", "content": {MEDIA_TYPE: {"schema": schema}}}
        for status in sorted({*ALWAYS, *statuses})
    }
