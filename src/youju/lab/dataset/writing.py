"""Cases → the file of a question set: always the same bytes for the same cases."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from youju.errors import InputError
from youju.lab.dataset.schema import Case, Evidence, Row

ALWAYS = frozenset({"id", "category", "question", "answerable", "weight", "author", "reviewed_by"})
"""Written even where they say nothing: a reader looks for them, and a reviewer fills them in."""


def line(case: Case) -> str:
    """The case as one line of JSON, without a line end: fields in the order of `Case`, without those that say nothing.

    Pieces of evidence that may stand in for each other are a nested list.
    """
    row = _row(case)
    groups = [[_piece(one) for one in group] for group in case.evidence_groups]
    if groups:
        row["evidence"] = [group[0] if len(group) == 1 else group for group in groups]
    return json.dumps(row, ensure_ascii=False)


def write(cases: Iterable[Case], path: Path) -> None:
    """Put the cases into the file, in their order, one line each, UTF-8; whoever reads it sees all or nothing of it.

    Raises:
        InputError: the file cannot be written; then it is as it was.
    """
    put(path, "".join(f"{line(case)}\n" for case in cases))


def put(path: Path, text: str) -> None:
    """Put `text` in the place of what the file holds, at once.

    Raises:
        InputError: it cannot be written; then the file is as it was.
    """
    target = path.resolve()
    half = target.with_name(f".{target.name}.{os.getpid()}.half")
    try:
        with half.open("wb") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, half)
        os.replace(half, target)  # noqa: PTH105 - the call that is atomic by its contract
    except OSError as error:
        with suppress(OSError):
            half.unlink()
        raise InputError(
            f"写不了 {path}：{error.strerror}", remedy="请检查文件夹、权限与磁盘空间", code="unwritable"
        ) from error


def _piece(one: Evidence) -> dict[str, object]:
    return {name: value for name, value in _row(one).items() if name != "alternative"}


def _row(part: Row) -> dict[str, object]:
    said = part.model_dump(mode="json", exclude_defaults=True)
    whole = part.model_dump(mode="json", include=set(ALWAYS))
    kept = {name: said.get(name, whole.get(name)) for name in type(part).model_fields if name in said or name in whole}
    if isinstance(part, Case) and part.key_facts:
        kept["key_facts"] = [_row(one) for one in part.key_facts]
    return kept
