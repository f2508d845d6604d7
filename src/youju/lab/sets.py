"""Question sets as files → the cases of a run, and what its manifest says of them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from youju.errors import InputError, NotFoundError
from youju.lab.dataset import Case, read


def opened(files: Sequence[Path]) -> list[Case]:
    """The cases of all files, in order.

    Raises:
        NotFoundError: a file is not there.
        InputError: a bad line, or an id that stands in two files.
    """
    cases: list[Case] = []
    for file in files:
        try:
            lines = file.read_text(encoding="utf-8-sig").splitlines()
        except FileNotFoundError as error:
            raise NotFoundError(f"没有题目集 {file}", remedy="请检查文件名") from error
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(
                f"读不了题目集 {file}：{error}", remedy="应为 UTF-8 的 JSONL 文件", code="bad_case"
            ) from error
        cases += read(lines, file.name)
    twice = sorted(id_ for id_, n in Counter(case.id for case in cases).items() if n > 1)
    if twice:
        raise InputError(
            f"几个题目集里有相同的编号：{'、'.join(twice[:10])}", remedy="请改成不同的编号", code="bad_case"
        )
    return cases


def described(files: Sequence[Path], cases: Sequence[Case]) -> dict[str, object]:
    """The set of a run: its name, its hash, and the hash of each case."""
    hashes = {case.id: hashed(case) for case in cases}
    whole = hashlib.sha256("\n".join(sorted(hashes.values())).encode()).hexdigest()[:16]
    return {"name": "、".join(file.stem for file in files), "hash": whole, "cases": hashes}


def hashed(case: Case) -> str:
    """Changes whenever anything changes that a figure may rest on."""
    asked = case.model_dump_json(exclude={"author", "reviewed_by", "notes"})
    return hashlib.sha256(asked.encode()).hexdigest()[:16]
