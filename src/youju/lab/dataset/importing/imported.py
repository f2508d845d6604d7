"""What an import brings: cases, the documents that they are about, and what was left out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationError

from youju.errors import InputError, NotFoundError
from youju.lab.dataset.rules import faults
from youju.lab.dataset.schema import Case
from youju.lab.dataset.wording import said
from youju.text.normal import clean

Json = Mapping[str, object]
TITLE_MAX = 40
_UNFIT = re.compile(r'[\\/:*?"<>|\s#]+')
_MARKS = re.compile(r"([\\`*_\[\]<>&~|$])")
_OPENERS = re.compile(r"^(\s*)([#+\-=]|\d+(?=[.)]))", re.MULTILINE)


@dataclass(frozen=True)
class Imported:
    """`documents`: file name → Markdown, to be added to the material; `left_out`: why in Chinese → how many."""

    cases: tuple[Case, ...]
    documents: Mapping[str, str] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)


@dataclass
class Shelf:
    """Collects an import; the same text becomes one document."""

    titles: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    cases: dict[str, Case] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)

    def document(self, title: str, text: str) -> str:
        """The name of the document with this text; no such name is a part of another."""
        if text not in self.titles:
            name = f"{_UNFIT.sub('_', clean(title)).strip('_.')[:TITLE_MAX] or '段落'}-{len(self.titles) + 1:06d}"
            self.titles[text] = name
            self.files[f"{name}.md"] = f"{_escaped(clean(text).strip())}\n"
        return self.titles[text]

    def case(self, row: Json) -> None:
        """Keep a case under its id; one whose id is taken, without a question, or that no set may hold is left out."""
        try:
            case = Case.model_validate(row)
        except ValidationError as error:
            self.left_out[" ".join(said(dict(error.errors()[0])))] += 1
            return
        wrong = next(faults(case), None) if case.question.strip() else None
        if wrong:
            self.left_out[" ".join(wrong).strip()] += 1
        elif not case.question.strip():
            self.left_out["没有问题"] += 1
        elif case.id in self.cases:
            self.left_out["编号重复"] += 1
        else:
            self.cases[case.id] = case

    def imported(self, name: str) -> Imported:
        """All of it.

        Raises:
            InputError: no case came out.
        """
        if not self.cases:
            reasons = "；".join(f"{why} {n}" for why, n in self.left_out.items()) or "没有一道题"
            raise unusable(name, f"里没有可用的题目（{reasons}）", "请检查文件的格式")
        return Imported(tuple(self.cases.values()), dict(self.files), dict(self.left_out))


def opened(file: Path, *encodings: str) -> str:
    """The text of a file, by the first of the encodings that fits; UTF-8 unless any is named.

    Raises:
        NotFoundError: there is none.
        InputError: it cannot be read, or no encoding fits.
    """
    try:
        raw = file.read_bytes()
    except FileNotFoundError as error:
        raise NotFoundError(f"没有文件 {file}", remedy="请检查文件名") from error
    except OSError as error:
        raise unusable(file.name, f"读不了：{error.strerror}", "请检查文件名与权限") from error
    for encoding in encodings or ("utf-8-sig",):
        with suppress(UnicodeDecodeError):
            return raw.decode(encoding)
    raise unusable(file.name, "不是 UTF-8 编码", "请另存为 UTF-8")


def unusable(name: str, what: str, remedy: str) -> InputError:
    return InputError(f"{name} {what}", remedy=remedy, code="bad_import")


def listed(value: object) -> Sequence[object]:
    """The value where it is a list, else an empty one."""
    return value if isinstance(value, list) else ()


def _escaped(text: str) -> str:
    """Markdown that reads as exactly this text."""
    return _OPENERS.sub(_opener, _MARKS.sub(r"\\\1", text))


def _opener(match: re.Match[str]) -> str:
    before, mark = match.groups()
    return f"{before}{mark}" if mark[0].isdigit() else f"{before}\\{mark}"
