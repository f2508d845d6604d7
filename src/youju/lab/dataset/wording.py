"""What pydantic says of a value, in Chinese."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SAID: Mapping[str, str] = {
    "missing": "缺少这一项",
    "string_type": "应为文字",
    "string_unicode": "含有无法保存的字符",
    "tuple_type": "应为列表",
    "list_type": "应为列表",
    "bool_type": "应为 true 或 false",
    "bool_parsing": "应为 true 或 false",
    "int_type": "应为整数",
    "int_parsing": "应为整数",
    "int_from_float": "应为整数",
    "model_type": "应为对象（花括号）",
    "model_attributes_type": "应为对象（花括号）",
}
SHOWN = 40


def said(error: Mapping[str, Any]) -> tuple[str, str]:
    """(field, what is wrong) of one entry of `ValidationError.errors()`."""
    place = ".".join(str(part) for part in error["loc"])
    if error["type"] == "literal_error":
        choices = str(error["ctx"]["expected"]).replace("'", "").replace(" or ", "、").replace(", ", "、")
        return place, f"只能是 {choices}，而不是 {_short(error['input'])}"
    told = SAID.get(error["type"], error["msg"])
    return place, told if error["type"] == "missing" else f"{told}，而不是 {_short(error['input'])}"


def _short(value: object) -> str:
    text = ascii(value) if isinstance(value, str) and not value.isprintable() else repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
