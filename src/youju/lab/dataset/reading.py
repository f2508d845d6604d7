"""The file of a question set → its cases; every fault is told at once, with its line, and nothing is skipped."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from youju.errors import InputError, NotFoundError
from youju.lab.dataset.fields import named
from youju.lab.dataset.rules import faults
from youju.lab.dataset.schema import Case
from youju.lab.dataset.wording import said
from youju.text.normal import clean

SHOWN = 20
LINE_MAX = 4_000_000
"""Bytes of a line; a whole file without a line end is no set."""
OTHER_BOMS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Reading(NamedTuple):
    """`warnings` name the fields that nothing reads, each with how many lines have it and the first of them."""

    cases: list[Case]
    warnings: list[str]


@dataclass
class _Desk:
    """What has been read so far; only the first faults are kept, so that a file of the wrong kind costs nothing."""

    name: str
    cases: list[Case] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    wrong: int = 0
    unused: dict[str, tuple[int, int]] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)

    def fault(self, number: int, place: str, told: str) -> None:
        self.wrong += 1
        if len(self.faults) < SHOWN:
            told = f"{place} {told}" if place else told
            self.faults.append(clean(f"第 {number} 行：{told}"))

    def take(self, number: int, row: object) -> None:
        """One line, read as JSON."""
        if not isinstance(row, dict):
            self.fault(number, "", "不是一道题（应为花括号里的一个对象）")
            return
        if isinstance(row.get("data"), list):
            self.fault(number, "", "是整份 SQuAD 一类的数据，不是一道题；请先导入成题目集")
            return
        read = named(row)
        for name in read.unused:
            count, first = self.unused.get(name, (0, number))
            self.unused[name] = (count + 1, first)
        wrong = [*read.faults]
        try:
            case = Case.model_validate(read.fields)
        except ValidationError as error:
            wrong += [said(dict(one)) for one in error.errors()]
        else:
            wrong += faults(case)
            self._keep(number, case, wrong)
        for place, told in wrong:
            self.fault(number, place, told)

    def _keep(self, number: int, case: Case, wrong: list[tuple[str, str]]) -> None:
        first = self.lines.setdefault(case.id, number)
        if first != number:
            wrong.append(("id", f"{case.id!r} 与第 {first} 行重复"))
        elif not wrong:
            self.cases.append(case)

    def done(self) -> Reading:
        """The cases.

        Raises:
            InputError: with all faults, or the first twenty.
        """
        if self.wrong:
            more = f"\n…… 共 {self.wrong} 处" if self.wrong > len(self.faults) else ""
            raise InputError(
                f"题目集 {self.name} 有 {self.wrong} 处错误：\n" + "\n".join(self.faults) + more,
                remedy="请按题目格式改正这些行后重试",
                code="bad_case",
            )
        told = [f"{name}（{n} 行，首见于第 {first} 行）" for name, (n, first) in self.unused.items()]
        return Reading(self.cases, [f"题目集 {self.name} 里没有用到的项：{one}" for one in told])


def read(lines: Iterable[str], name: str) -> list[Case]:
    """The cases of a set, in order. Nothing is skipped.

    Args:
        lines: of the file, one case each; blank ones are allowed.
        name: of the set, for messages.

    Raises:
        InputError: lines that are no valid cases, with their numbers and fields; ids given twice. All of the file are
            told at once, up to twenty.
    """
    desk = _Desk(name)
    for number, line in enumerate(lines, start=1):
        plain = line.removeprefix("\ufeff") if number == 1 else line
        if plain.strip():
            _line(desk, number, plain)
    return desk.done().cases


def load(file: Path) -> Reading:
    """The cases of a file, in order: JSON lines, or one JSON list of cases; UTF-8, with or without BOM.

    Raises:
        NotFoundError: there is no such file.
        InputError: it cannot be read, is no UTF-8, holds no case, or as `read`.
    """
    desk = _Desk(file.name)
    try:
        with file.open("rb") as opened:
            start = opened.read(4096).removeprefix(codecs.BOM_UTF8)
            opened.seek(0)
            if start.startswith(OTHER_BOMS):
                raise _unusable(file, "是 UTF-16 编码", "请另存为 UTF-8")
            if start.split(b"\n", 1)[0].strip() == b"{":
                raise _unusable(file, "是分行排版的 JSON", "请把一道题写在一行里；SQuAD 一类的数据请先导入成题目集")
            if start.lstrip().startswith(b"["):
                _list(desk, opened.read().removeprefix(codecs.BOM_UTF8))
            else:
                _lines(desk, iter(lambda: opened.readline(LINE_MAX), b""))
    except FileNotFoundError as error:
        raise NotFoundError(f"没有题目集 {file}", remedy="请检查文件名") from error
    except OSError as error:
        raise _unusable(file, f"读不了：{error.strerror}", "请检查文件名与权限") from error
    found = desk.done()
    if not found.cases:
        raise _unusable(file, "里没有题目", "请一行写一道题")
    return found


def _lines(desk: _Desk, lines: Iterator[bytes]) -> None:
    for number, raw in enumerate(lines, start=1):
        try:
            line = raw.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            desk.fault(number, "", "不是 UTF-8 编码；请把文件另存为 UTF-8")
            continue
        if line.strip():
            _line(desk, number, line)


def _line(desk: _Desk, number: int, line: str) -> None:
    try:
        row = json.loads(line, object_pairs_hook=_once)
    except _TwiceError as error:
        desk.fault(number, str(error), "写了两次")
    except (ValueError, RecursionError) as error:
        desk.fault(number, "", f"不是完整的 JSON（{_why(error)}）；一道题应写在一行里")
    else:
        desk.take(number, row)


def _list(desk: _Desk, raw: bytes) -> None:
    """A JSON list: every element is told by the line on which it begins."""
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        desk.fault(raw.count(b"\n", 0, error.start) + 1, "", "不是 UTF-8 编码；请把文件另存为 UTF-8")
        return
    try:
        for number, row in _elements(text):
            desk.take(number, row)
    except _TwiceError as error:
        desk.fault(1, str(error), "在同一道题里写了两次")
    except (ValueError, RecursionError) as error:
        number = error.lineno if isinstance(error, json.JSONDecodeError) else 1
        desk.fault(number, "", f"不是完整的 JSON（{_why(error)}）")


def _elements(text: str) -> Iterator[tuple[int, object]]:
    """The elements of the list that `text` is, each with its line."""
    decoder = json.JSONDecoder(object_pairs_hook=_once)
    start = text.index("[")
    number, at = 1 + text.count("\n", 0, start), start + 1
    while not text.startswith("]", start := _solid(text, at)):
        number += text.count("\n", at, start)
        row, end = decoder.raw_decode(text, start)
        yield number, row
        at = _solid(text, end)
        number += text.count("\n", start, at)
        if text.startswith(",", at):
            at += 1
        elif not text.startswith("]", at):
            raise json.JSONDecodeError("a comma is missing", text, at)
    if (end := _solid(text, start + 1)) < len(text):
        raise json.JSONDecodeError("more than a list", text, end)


def _solid(text: str, at: int) -> int:
    """Where the next sign stands that is no white space."""
    while text[at : at + 1].isspace():
        at += 1
    return at


def _why(error: Exception) -> str:
    return f"第 {error.colno} 个字符附近" if isinstance(error, json.JSONDecodeError) else "嵌套太深或数字太长"


class _TwiceError(ValueError):
    """A name that stands twice in one object: JSON readers would keep the last without a word."""


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in pairs:
        if name in found:
            raise _TwiceError(name)
        found[name] = value
    return found


def _unusable(file: Path, what: str, remedy: str) -> InputError:
    return InputError(f"题目集 {file} {what}", remedy=remedy, code="bad_case")
