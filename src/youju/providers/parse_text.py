"""Plain text → blocks: headings by their numbering, hard-wrapped lines joined."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import ClassVar

from youju.providers.parsing.contents import contents
from youju.providers.parsing.decoding import read_text
from youju.providers.parsing.lines import join_lines, table, width
from youju.providers.parsing.prose import check_prose
from youju.providers.parsing.titles import heading_level, is_item
from youju.text.headings import numbering
from youju.types import Block, ParsedDocument

_TITLE_MAX = 40
_INDENT = re.compile(r"^(?:\u3000+|\t| {2,})\S")
_END = tuple("。！？；：…”」!?;:.")
# A file is hard-wrapped when most lines inside its paragraphs are about as wide as the widest, and that is narrow.
_WRAP_MAX = 110
_WRAP_FULL = 0.85
_WRAP_SHARE = 0.6
_TABLE_ROWS = 2
_COLUMNS = re.compile(r"(?<=\S)(?: {2,}|\u3000{2,})(?=\S)")
_ALIGNED_ROWS = 3  # with fewer, wide gaps may be an accident
_RULE = re.compile(r"\s*(?:(?:[=\-_*~#+·•—─━═]\s?){3,})\Z")
_BODY = re.compile(r"^正文[\s\u3000]+(?=第)")
_LABEL = re.compile(r"\s*[^\s：:，。]{1,8}：\S")


@dataclass(frozen=True)
class TextParser:
    """A `Parser` for plain text in any of the encodings Chinese text comes in.

    Args:
        max_garbage_ratio: share of garbage above which the file is refused.
    """

    max_garbage_ratio: float = 0.05
    suffixes: ClassVar[frozenset[str]] = frozenset({".txt", ".text"})

    def parse(self, path: Path) -> ParsedDocument:
        text, ratio = read_text(path, self.max_garbage_ratio)
        lines = [line.rstrip() for line in text.split("\n")]
        full = _wrap_width(lines)
        listed = contents(lines, None)
        body = ["" if _RULE.match(line) else line for at, line in enumerate(lines) if at not in listed]
        blocks = _without_lone(tuple(block for group in _groups(body, full) for block in _blocks(group)))
        return ParsedDocument(
            blocks=blocks,
            title=_title(blocks),
            text=text,
            warnings=check_prose(text),
            quality={
                "characters": float(len(text)),
                "garbage_ratio": ratio,
                "toc_lines": float(len(lines) - len(body)),
            },
        )


def _wrap_width(lines: Sequence[str]) -> int:
    """The width at which the file was wrapped, 0 where each line is a paragraph of its own."""
    inner = sorted(width(line) for line, after in pairwise(lines) if line.strip() and after.strip())
    if len(inner) < 3:  # noqa: PLR2004 (too few lines to tell a habit)
        return 0
    widest = inner[int(0.9 * (len(inner) - 1))]
    share = sum(one >= _WRAP_FULL * widest for one in inner) / len(inner)
    return widest if 20 <= widest <= _WRAP_MAX and share >= _WRAP_SHARE else 0  # noqa: PLR2004 (narrower is verse)


def _groups(lines: Sequence[str], full: int) -> Iterator[list[str]]:
    """Lines that belong together: a paragraph, a heading, a run of table rows, a list."""
    group: list[str] = []
    for line in lines:
        if group and not (line.strip() and _goes_on(group, line, full)):
            yield group
            group = []
        if line.strip():
            group.append(line)
    if group:
        yield group


def _goes_on(group: Sequence[str], line: str, full: int) -> bool:
    """Whether `line` belongs to the paragraph, table or list of the lines before it."""
    last = group[-1]
    if _columns(last) or _columns(line):
        return _columns(last) == _columns(line)
    if _level(last) or _level(line):
        return False
    if is_item(line):
        return is_item(group[0])
    labelled = _LABEL.match(last) and _LABEL.match(line)
    if not full or labelled or _INDENT.match(line):
        return False
    return width(last) >= _WRAP_FULL * full or not last.endswith(_END)


def _columns(line: str) -> tuple[str, int] | tuple[()]:
    """How a line is divided and into how many; nothing where it is no row of a table."""
    line = line.strip()
    if "\t" in line:
        return ("\t", line.count("\t"))
    return ("|", 0) if line.startswith("|") else (" ", _aligned(line)) if _aligned(line) else ()


def _level(line: str) -> int:
    """The level of a line that is a heading; what novels write before one, 正文, does not matter."""
    return heading_level(_BODY.sub("", line.strip()))


def _aligned(line: str) -> int:
    """The number of columns of a line whose cells are parted by wide gaps; 0 for fewer than three."""
    cells = len(_COLUMNS.split(line.strip()))
    return cells if cells >= _ALIGNED_ROWS else 0


def _blocks(group: Sequence[str]) -> Iterator[Block]:
    first = group[0].strip()
    level = _level(first) if len(group) == 1 else 0
    if level:
        yield Block("heading", _BODY.sub("", first), level=level)
    elif len(group) >= _TABLE_ROWS and first.startswith("|"):
        yield Block("table", "\n".join(line.strip() for line in group))
    elif len(group) >= _TABLE_ROWS and "\t" in first:
        yield Block("table", table([line.strip().split("\t") for line in group]))
    elif len(group) >= _ALIGNED_ROWS and all(map(_aligned, group)):
        yield Block("table", table([_COLUMNS.split(line.strip()) for line in group]))
    elif is_item(first):
        yield Block("list", "\n".join(_items(group)))
    else:
        yield Block("text", join_lines([line.replace("\t", " ") for line in group]))


def _without_lone(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """The same blocks; what looks like headings, 一、 or 1.2, with nothing under them is a list."""
    kept: list[Block] = []
    for at, block in enumerate(blocks):
        after = blocks[at + 1] if at + 1 < len(blocks) else None
        lone = block.level and (after is None or 0 < after.level <= block.level)
        if not lone or not _may_be_item(block.text):
            kept.append(block)
        elif kept and kept[-1].kind == "list":
            kept[-1] = Block("list", f"{kept[-1].text}\n{block.text}")
        else:
            kept.append(Block("list", block.text))
    return tuple(kept)


def _may_be_item(text: str) -> bool:
    found = numbering(text)
    return found is not None and found.kind in {"list", "decimal", "clause"}


def _items(group: Sequence[str]) -> Iterator[str]:
    item: list[str] = []
    for line in group:
        if item and is_item(line):
            yield join_lines(item)
            item = []
        item.append(line)
    yield join_lines(item)


def _title(blocks: Sequence[Block]) -> str:
    """The first block where it looks like a title: one short line without a number or an end mark."""
    first = blocks[0] if blocks else None
    if first and first.kind == "text" and len(first.text) <= _TITLE_MAX and not first.text.endswith(_END):
        return first.text
    return ""
