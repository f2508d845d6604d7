"""Question sets as files → the cases of a run, and what its manifest says of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from youju.errors import InputError
from youju.lab.dataset import Case, load
from youju.lab.dataset.hashes import case_hash, set_hash


def opened(files: Sequence[Path], tell: Callable[[str], object] = len) -> list[Case]:
    """The cases of all files, in order; `tell` hears which of their fields nothing reads.

    Raises:
        NotFoundError: a file is not there.
        InputError: a bad line, or an id that stands in two files.
    """
    cases: list[Case] = []
    for file in files:
        found, warnings = load(file)
        cases += found
        for warning in warnings:
            tell(warning)
    twice = sorted(id_ for id_, n in Counter(case.id for case in cases).items() if n > 1)
    if twice:
        raise InputError(
            f"几个题目集里有相同的编号：{'、'.join(twice[:10])}", remedy="请改成不同的编号", code="bad_case"
        )
    return cases


def described(files: Sequence[Path], cases: Sequence[Case]) -> dict[str, object]:
    """The set of a run: its name, its hash, and the hash of each case."""
    hashes = {case.id: case_hash(case) for case in cases}
    return {"name": "、".join(file.stem for file in files), "hash": set_hash(cases), "cases": hashes}
