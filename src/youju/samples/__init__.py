"""The demo books and their question sets, as package data. All of it is fiction written for this project."""

from __future__ import annotations

from importlib import resources
from importlib.resources.abc import Traversable

QUESTIONS = (
    "《函数入门》中，抛物线的顶点式是什么？它的对称轴怎么看出来？",
    "青梧网关的 QINGWU_MAX_CONN 默认值是多少？",
    "新员工的试用期最长可以约定多久？",
    "小满门锁 X3 支持虹膜识别吗？",
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
