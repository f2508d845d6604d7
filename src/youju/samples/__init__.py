"""The demo books and their question sets, as package data. All of it is fiction written for this project."""

from __future__ import annotations

from importlib import resources
from importlib.resources.abc import Traversable

QUESTIONS = (
    "用二分法求方程的近似解，步骤是什么？",
    "timeout.idle_timeout 的默认值是多少？3.1 版是多少？",
    "我下个月结婚，公司给几天婚假？",
    "小满门锁 M7 支持人脸识别吗？",
)
"""What `youju demo` asks; the last one is about a model that does not exist."""


def books() -> list[Traversable]:
    """The demo books, by name."""
    return sorted((one for one in _folder("books").iterdir() if one.is_file()), key=lambda one: one.name)


def question_sets() -> list[Traversable]:
    """The question sets (JSONL), by name."""
    return sorted((one for one in _folder("questions").iterdir() if one.name.endswith(".jsonl")), key=lambda o: o.name)


def _folder(name: str) -> Traversable:
    return resources.files("youju.samples").joinpath(name)
