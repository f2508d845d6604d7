"""The description of the service for programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from youju.api.schemas.problem import Problem

TEMPLATE = "#/components/schemas/{model}"


def described(api: FastAPI) -> Callable[[], dict[str, Any]]:
    """The application's `openapi`: made once, with the shape of problems, which no route returns by itself."""

    def openapi() -> dict[str, Any]:
        if api.openapi_schema is None:
            made = get_openapi(title=api.title, version=api.version, summary=api.summary, routes=api.routes)
            schemas = made.setdefault("components", {}).setdefault("schemas", {})
            problem = Problem.model_json_schema(ref_template=TEMPLATE)
            schemas |= problem.pop("$defs", {}) | {"Problem": problem}
            for unused in ("HTTPValidationError", "ValidationError"):
                schemas.pop(unused, None)
            api.openapi_schema = made
        return api.openapi_schema

    return openapi
