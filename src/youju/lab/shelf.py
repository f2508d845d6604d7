"""The question sets of a store: files of JSON lines in one folder, by name."""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock

from youju.errors import ConflictError, InputError, NotFoundError
from youju.lab.dataset import Case, load
from youju.lab.dataset.hashes import set_hash
from youju.lab.dataset.reading import Reading
from youju.lab.dataset.writing import write

NAME = r"^[\w\-][\w.\-]{0,59}$"
"""Of a set: letters of any script, digits, - _ and, after the first, dots. No path, and short enough for any disk."""
SUFFIX = ".jsonl"


@dataclass(frozen=True, slots=True)
class Listed:
    """A set as a file; what is in it is not read."""

    name: str
    size_bytes: int
    changed_at: datetime


@dataclass(frozen=True, slots=True)
class Described:
    """What is in a set. `splits` counts "" where a case belongs to none; `warnings`: fields that nothing reads."""

    name: str
    cases: int
    hash: str
    categories: Mapping[str, int]
    splits: Mapping[str, int]
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class Sets:
    """Args: the folder, made when the first set comes. `alone` is held while a set changes."""

    folder: Path
    alone: Lock = field(default_factory=Lock, compare=False, repr=False)

    def listed(self) -> list[Listed]:
        """All sets by name."""
        files = sorted(one for one in self.folder.glob(f"*{SUFFIX}") if re.match(NAME, one.stem))
        return [_listed(one) for one in files]

    def add(self, file: Path, name: str) -> Described:
        """Keep a copy of a file under a name; the same again changes nothing.

        Raises:
            InputError: the name, or lines of the file; all faults of them at once, as of `load`.
            ConflictError: another set has the name.
        """
        target = self._path(name)
        read = _read(file, name)
        with self.alone:
            return self._kept(file, target, read)

    def put(self, name: str, case: Case) -> Described:
        """Add a case at the end of a set, which is made where it is not.

        Raises:
            InputError: the name, or the set cannot be read or written.
            ConflictError: the set has a case of this id.
        """
        target = self._path(name)
        with self.alone:
            before = _read(target, name).cases if target.exists() else []
            if any(one.id == case.id for one in before):
                raise ConflictError(
                    f"题目集 {name} 里已有 {case.id}", remedy="同一条记录在一个题目集里只收一次", code="case_exists"
                )
            self.folder.mkdir(parents=True, exist_ok=True)
            write([*before, case], target)
        return _described(name, Reading([*before, case], []))

    def _kept(self, file: Path, target: Path, read: Reading) -> Described:
        name = target.stem
        if target.exists():
            if target.read_bytes() != file.read_bytes():
                raise ConflictError(
                    f"已有名为 {name} 的题目集，内容不同", remedy="请换一个名称，或先删除原来的", code="set_exists"
                )
            return _described(name, read)
        self.folder.mkdir(parents=True, exist_ok=True)
        half = self.folder / f".{secrets.token_hex(8)}.half"
        shutil.copyfile(file, half)
        os.replace(half, target)  # noqa: PTH105 - the call that is atomic by its contract
        return _described(name, read)

    def described(self, name: str) -> Described:
        """What is in a set; errors as of `cases`."""
        return _described(name, _read(self.found(name), name))

    def cases(self, name: str) -> list[Case]:
        """The cases of a set, in its order.

        Raises:
            NotFoundError: there is none of this name.
            InputError: the file was damaged since it came.
        """
        return _read(self.found(name), name).cases

    def delete(self, name: str) -> None:
        """Runs of it stay: they have their own copy.

        Raises:
            NotFoundError: there is none of this name.
        """
        self.found(name).unlink(missing_ok=True)

    def found(self, name: str) -> Path:
        """The file of a set.

        Raises:
            NotFoundError: there is none of this name.
        """
        file = self._path(name)
        if not file.is_file():
            raise NotFoundError(f"没有题目集 {name}", remedy="GET /api/evals/sets 列出所有题目集", code="no_such_set")
        return file

    def _path(self, name: str) -> Path:
        if not re.fullmatch(NAME, name):
            raise InputError(
                f"{name[:80]!r} 不能作为题目集的名称",
                remedy="请用文字、数字、- 和 _，至多 60 个字符；上传时可另给 name",
                code="bad_set_name",
            )
        return self.folder / f"{name}{SUFFIX}"


def _listed(file: Path) -> Listed:
    stat = file.stat()
    return Listed(file.stem, stat.st_size, datetime.fromtimestamp(stat.st_mtime, UTC))


def _read(file: Path, name: str) -> Reading:
    """As `load`; messages name the set, not the file in which it happens to be."""
    try:
        return load(file)
    except InputError as error:
        told = error.message.replace(str(file), name).replace(file.name, name)
        raise InputError(told, remedy=error.remedy, code=error.code) from error


def _described(name: str, read: Reading) -> Described:
    cases = read.cases
    categories = Counter[str](case.category for case in cases)
    splits = Counter[str](case.split for case in cases)
    return Described(name, len(cases), set_hash(cases), dict(categories), dict(splits), tuple(read.warnings))
