"""Question sets as files → the cases of a run, and what its manifest says of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from youju import samples
from youju.errors import InputError
from youju.lab.dataset import Case, load
from youju.lab.dataset.hashes import case_hash, set_hash

SAMPLES = Path("samples")
"""Names the sets that come with the sample books, where there is no file of that name."""


def unheard(warning: str) -> None:
    """For callers who do not listen."""


def opened(files: Sequence[Path], tell: Callable[[str], object] = unheard) -> list[Case]:
    """The cases of all files, in order; `tell` hears which of their fields nothing reads.

    Raises:
        NotFoundError: a file is not there.
        InputError: a bad line, or an id that stands in two files.
    """
    cases: list[Case] = []
    for file in _expanded(files):
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


def _expanded(files: Sequence[Path]) -> Iterator[Path]:
    for file in files:
        if file == SAMPLES and not file.is_file():
            yield from (Path(str(one)) for one in samples.question_sets())
        else:
            yield file


def described(files: Sequence[Path], cases: Sequence[Case]) -> dict[str, object]:
    """The set of a run: its name, its hash, and the hash of each case."""
    hashes = {case.id: case_hash(case) for case in cases}
    return {"name": "、".join(file.stem for file in files), "hash": set_hash(cases), "cases": hashes}
