"""The description of the service for programs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
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
            for place, example in examples().items():
                _show(made["paths"], place, example)
            api.openapi_schema = made
        return api.openapi_schema

    return openapi


def examples() -> dict[str, Any]:
    """Real requests and answers by "METHOD path"; scripts/examples.py writes them."""
    found: dict[str, Any] = json.loads((Path(__file__).parent / "examples.json").read_text(encoding="utf-8"))
    return found


def _show(paths: dict[str, Any], place: str, example: dict[str, Any]) -> None:
    method, path = place.split()
    operation = paths[path][method.lower()]
    if "request" in example:
        operation["requestBody"]["content"]["application/json"]["example"] = example["request"]
    for status, body in example["responses"].items():
        content = operation["responses"][status]["content"]
        kind = "application/json" if "application/json" in content else next(iter(content))
        content[kind]["example"] = body
