"""A summary as what JSON knows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass


def plain(value: object) -> object:
    """Dataclasses as objects, tuples as lists; a number that is not finite (an interval without an end) as null."""
    if isinstance(value, str | int | None):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return value
