"""Whether what a caller gave can be used: names, strategies, files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from youju.documents import catalog
from youju.documents.names import printable
from youju.errors import InputError
from youju.ingest.chunkers import STRATEGIES

BLOCK = 1 << 20
COLLECTION_MAX = 200
"""Characters of a name of a collection."""


def checked_collection(name: str | None) -> str:
    chosen = printable(name or "") or catalog.DEFAULT_COLLECTION
    if len(chosen) > COLLECTION_MAX:
        raise InputError(
            f"资料集的名称超过 {COLLECTION_MAX} 个字符", remedy="请换一个短一些的名称", code="bad_collection"
        )
    return chosen


def checked_strategy(name: str | None) -> str:
    """The name as it is kept, "" for None.

    Raises:
        InputError: no such strategy.
    """
    if name and name != "auto" and name not in STRATEGIES:
        raise InputError(
            f"没有这种切分方式：{printable(name)!r}",
            remedy="可选：auto（自动）、" + "、".join(STRATEGIES),
            code="bad_strategy",
        )
    return name or ""


def check_is_file(path: Path) -> None:
    try:
        there, file = path.exists(), path.is_file()
    except OSError as error:
        # A name that is too long, a folder that may not be entered.
        raise _unreadable(path, error) from error
    if not there:
        raise InputError(f"没有这个文件：{path}", remedy="请检查路径", code="no_such_file")
    if not file:
        raise InputError(f"不是文件：{path}", remedy="请给出文件，或含有文件的文件夹", code="not_a_file")
    if not os.access(path, os.R_OK):
        raise InputError(f"没有权限读取：{path}", remedy="请检查文件的权限", code="unreadable_file")


def read(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            while block := file.read(BLOCK):
                yield block
    except OSError as error:
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: OSError) -> InputError:
    return InputError(f"无法读取 {path}：{error.strerror}", remedy="请检查路径与权限", code="unreadable_file")
