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


def form(*fields: str) -> dict[str, Any]:
    """The body of a route that takes a file in a form, with these other fields."""
    told = {
        "collection": "放入哪个资料集 / collection",
        "title": "文档的标题 / title",
        "name": "题目集的名称；不写则用文件名 / name of the set, else that of the file",
        "strategy": "切分方式：auto、textbook、law、manual、qa、table、slides 或 plain / way of chunking",
    }
    texts = {name: {"type": "string", "description": told[name]} for name in fields}
    file = {"type": "string", "format": "binary", "description": "文件，带文件名 / the file, with its name"}
    schema = {"type": "object", "required": ["file"], "properties": {"file": file, **texts}}
    return {"requestBody": {"required": True, "content": {"multipart/form-data": {"schema": schema}}}}
